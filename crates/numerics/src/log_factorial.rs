//! `ln n!` to thirty digits.

use crate::ball::Ball;
use crate::double_double::DoubleDouble;

/// Up to here `n!` fits a 64-bit integer and its logarithm is taken directly.
const LARGEST_EXACT: u64 = 20;

/// `½ ln 2π` to 106 bits.
fn half_ln_two_pi() -> Ball {
    Ball::new(DoubleDouble::from_sum(0.9189385332046728, -3.8782941580672414e-17), 1e-32)
}

/// `ln n!` for `n ≤ 10¹⁵`.
///
/// # Guarantee
/// Encloses the truth; the radius is below `10⁻¹⁷ + 10⁻²⁷·ln n!`.
///
/// # Implementation
/// Stirling's series `(n + ½) ln n − n + ½ ln 2π + Σ B_{2m}/(2m(2m−1)n^{2m−1})` with six corrections. Its error has the
/// sign of the first term left out and is smaller ([DLMF 5.11(ii)]). For n ≤ 20 the logarithm of the integer.
pub fn log_factorial(n: u64) -> Ball {
    if n <= LARGEST_EXACT {
        return Ball::from((2..=n).product::<u64>()).ln();
    }
    let wide = Ball::from(n);
    (wide + Ball::from(0.5)) * wide.ln() - wide + half_ln_two_pi() + stirling_correction(n)
}

fn stirling_correction(n: u64) -> Ball {
    /// `B_{2m}/(2m(2m−1))`, m = 1 … 6.
    const COEFFICIENTS: [f64; 6] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360360.0];
    let inverse = 1.0 / n as f64;
    let square = inverse * inverse;
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, &c| sum * square + c) * inverse;
    // The term left out, 1/(156 n¹³), is below 10⁻¹⁹ for n > 20. Horner's rule on falling terms rounds by less than
    // 8u relative.
    Ball::new(DoubleDouble::from(series), series * 8.0 * f64::EPSILON + inverse.powi(13) / 155.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_factorials_differ_by_the_logarithm() {
        for n in (1..200).chain([1_000, 1_000_000, 999_999_999_999_999]) {
            let step = log_factorial(n) - log_factorial(n - 1) - Ball::from(n).ln();
            assert!(step.enclosure().contains(0.0), "n = {n}: {step:?}");
            assert!(step.enclosure().width() < 1e-11);
        }
    }

    #[test]
    fn radius_is_as_stated() {
        for n in [21, 100, 10_000, 1_000_000, 1_000_000_000_000_000] {
            let value = log_factorial(n);
            assert!(value.radius() <= 1e-17 + 1e-27 * value.approximate(), "n = {n}: {value:?}");
        }
    }
}
