//! Where the width of an answer comes from.

use std::ops::{Add, AddAssign};

/// Upper bounds on the contributions to the half-width of an answer, in the answer's own unit.
///
/// `upper − lower` is at most twice their sum, plus outward rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Budget {
    /// Rounding losses to a lattice.
    pub discretisation: f64,
    /// Wrap-around of periodic sums.
    pub aliasing: f64,
    /// Tails left out of sums and integrals.
    pub truncation: f64,
    /// Integrals replaced by sums.
    pub quadrature: f64,
    /// Floating-point arithmetic.
    pub roundoff: f64,
}

impl Budget {
    /// The same shares of another half-width.
    pub fn scaled_to(&self, half_width: f64) -> Self {
        let factor = half_width / self.total();
        if !factor.is_finite() {
            return Self {
                roundoff: if half_width.is_finite() { half_width } else { 0.0 },
                ..Self::default()
            };
        }
        Self {
            discretisation: self.discretisation * factor,
            aliasing: self.aliasing * factor,
            truncation: self.truncation * factor,
            quadrature: self.quadrature * factor,
            roundoff: self.roundoff * factor,
        }
    }

    /// The part of it that a finer lattice would make smaller.
    pub(crate) fn discretisation_share(&self) -> f64 {
        self.discretisation / self.total()
    }

    /// All contributions together.
    pub fn total(&self) -> f64 {
        self.discretisation + self.aliasing + self.truncation + self.quadrature + self.roundoff
    }
}

impl Add for Budget {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Budget {
    fn add_assign(&mut self, other: Self) {
        self.discretisation += other.discretisation;
        self.aliasing += other.aliasing;
        self.truncation += other.truncation;
        self.quadrature += other.quadrature;
        self.roundoff += other.roundoff;
    }
}
