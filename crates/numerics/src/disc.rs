//! Discs in the complex plane: a computed complex number and how far it may be off.

use crate::{ball::Ball, enclosure::Enclosure, rounding::UNIT_ROUNDOFF};
use num_complex::Complex;

/// All complex numbers within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    center: Complex<f64>,
    radius: f64,
}

impl Disc {
    /// Exactly 0.
    pub const ZERO: Self = Self { center: Complex::new(0.0, 0.0), radius: 0.0 };

    /// `center ± radius`; a radius that is negative or `NaN` makes it unbounded.
    pub fn new(center: Complex<f64>, radius: f64) -> Self {
        Self { center, radius: if radius >= 0.0 { radius } else { f64::INFINITY } }
    }

    /// The center.
    pub fn center(self) -> Complex<f64> {
        self.center
    }

    /// The radius.
    pub fn radius(self) -> f64 {
        self.radius
    }

    /// `modulus · e^{i angle}`: the modulus as an enclosure, the angle to 106 bits, so that no digit is lost to angles of
    /// many turns.
    pub fn polar(modulus: Enclosure, angle: Ball) -> Self {
        let (sine, cosine) = pxfm::f_sincos(angle.approximate());
        let size = modulus.midpoint();
        let center = Complex::new(size * cosine, size * sine);
        // Sine and cosine are correctly rounded; the angle is off by what its leading double leaves over.
        let rest = angle.enclosure() - angle.approximate();
        let turned = rest.upper().max(-rest.lower());
        let relative = 4.0 * UNIT_ROUNDOFF + turned;
        Self::new(center, (size * relative + modulus.width()) * (1.0 + 1e-10))
    }

    /// Does the disc contain this complex number?
    pub fn contains(self, z: Complex<f64>) -> bool {
        (self.center - z).norm() <= self.radius * (1.0 + 4.0 * UNIT_ROUNDOFF)
    }

    /// The real part of every number inside.
    pub fn real(self) -> Enclosure {
        Enclosure::point(self.center.re) + Enclosure::new(-self.radius, self.radius)
    }

    /// The imaginary part of every number inside.
    pub fn imaginary(self) -> Enclosure {
        Enclosure::point(self.center.im) + Enclosure::new(-self.radius, self.radius)
    }
}

impl std::ops::Add for Disc {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let center = self.center + other.center;
        let roundoff = (center.re.abs() + center.im.abs()) * UNIT_ROUNDOFF;
        Self::new(center, (self.radius + other.radius + roundoff).next_up() * (1.0 + 4.0 * UNIT_ROUNDOFF))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn polar_holds_the_number(size in 0.1f64..10.0, angle in -1e3f64..1e3) {
            let disc = Disc::polar(Enclosure::point(size), Ball::from(angle));
            prop_assert!(disc.contains(Complex::from_polar(size, angle)));
            prop_assert!(disc.radius() < 1e-14 * size);
            let sum = disc + disc;
            prop_assert!(sum.contains(Complex::from_polar(2.0 * size, angle)));
        }
    }
}
