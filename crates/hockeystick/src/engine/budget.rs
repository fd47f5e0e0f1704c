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
    /// A budget that explains a half-width: what is not truncation is round-off.
    pub fn of_closed_form(half_width: f64, truncation: f64) -> Self {
        let truncation = truncation.min(half_width);
        Self { truncation, roundoff: half_width - truncation, ..Self::default() }
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
