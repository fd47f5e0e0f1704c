//! Masses as products of ratios, in plain numbers of 106 bits: their errors are known before.

use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, enclosure::Enclosure, rounding::UNIT_ROUNDOFF, special::ln,
};

/// The relative error up to which the two doubles next to the leading one enclose a number: that one is off by half its spacing at
/// most, and the spacing below a power of two is `2⁻⁵³` of it, half as much as above.
pub(in crate::pair) const INVISIBLE: f64 = 8.7e-19; // 2^-60
/// The relative error of a step: four operations.
const STEP: f64 = 4.0 * DoubleDouble::ARITHMETIC_ERROR;

/// At least the relative error of a product of so many ratios, each of them made by at most three operations.
pub(in crate::pair) fn product_error(steps: usize) -> f64 {
    STEP * (steps as f64 + 1.0) * (1.0 + 1e-9)
}

/// A positive number that is off by a part of at most [`INVISIBLE`], as long as it is a normal double with room below.
#[inline(always)]
pub(in crate::pair) fn neighbours(number: DoubleDouble) -> Enclosure {
    Enclosure::new(number.hi().next_down(), number.hi().next_up())
}

/// The logarithm of a positive number that is off by a part of at most `error`.
///
/// # Guarantee
/// Encloses the truth: with `t = lo/hi ≤ 2⁻⁵³`, `log(hi + lo) = log(hi) + t`, but for `t²` and a rounding of `t`.
#[inline]
pub(in crate::pair) fn logarithm(number: DoubleDouble, error: f64) -> Ball {
    let (leading, rest) = (ln(number.hi()), number.lo() / number.hi());
    let radius = 1.06 * UNIT_ROUNDOFF * leading.abs() + 1.1 * error + 4.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;
    Ball::new(DoubleDouble::from_sum(leading, rest), radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against balls, near 1 and far from it.
    #[test]
    fn logarithms_and_neighbours_hold_the_truth() {
        for i in 1..2000u32 {
            let number = Ball::from(f64::from(i)) / Ball::from(999.0 + f64::from(i % 7));
            let plain = number.midpoint();
            let (truth, near) = (number.ln(), logarithm(plain, DoubleDouble::ARITHMETIC_ERROR));
            assert!((truth - near).approximate().abs() <= near.radius(), "{i}");
            assert!(near.radius() <= 1.2e-16 * truth.approximate().abs() + 3e-31, "{i}");
            let (wide, narrow) = (neighbours(plain), number.enclosure());
            assert!(wide.lower() <= narrow.lower() && narrow.upper() <= wide.upper(), "{i}");
        }
    }

    /// `Π k/(k+1) = 1/n`.
    #[test]
    fn products_are_as_good_as_they_say() {
        let mut product = DoubleDouble::ONE;
        for k in 1..100_000u64 {
            product = product * (DoubleDouble::from(k) / DoubleDouble::from(k + 1));
            let off = (product * DoubleDouble::from(k + 1) - DoubleDouble::ONE).hi().abs();
            assert!(off <= product_error(k as usize), "{k}: {off:e}");
        }
        assert!(product_error(1_000_000) < 0.1 * INVISIBLE);
    }
}
