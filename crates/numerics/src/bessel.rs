//! Ratios of modified Bessel functions of the first kind at neighbouring whole orders, to 28 digits.
//!
//! In: an argument and how many orders. Out: `I_{k+1}(x)/I_k(x)` for `k = 0, 1, …`, enclosed. Functions of one order are products of
//! these, without the cancellation of recurrences upwards and without overflow.

use crate::{ball::Ball, enclosure::Enclosure, limits::check};

/// In which `1/x` and `x²` are far from the ends of the range of doubles.
const RANGE: std::ops::Range<f64> = 1e-140..1e140;
/// So many orders take some tenths of a millisecond.
const MANY: usize = 4096;
/// `e^{−76}` is below the digits of a ball.
const NATS: f64 = 76.0;

/// `r_k = I_{k+1}(x)/I_k(x)` for `0 ≤ k < count` and `x > 0`.
///
/// The recurrence `I_{k−1} − I_{k+1} = (2k/x)·I_k` reads `r_{k−1} = 1/(2k/x + r_k)`: positive numbers only. Going down it shrinks what is
/// not known of the last ratio by `r²` in each step, so that one begins far enough above with bounds that are close already, where balls shrink as
/// the numbers in them do. Ratios fall with the order, for `k ↦ I_k(x)` is log-concave; with `r_{k+1} < r_k` in the recurrence `r² + 2(k + 1)r/x > 1`, with
/// `r_k < r_{k−1}` it is `r² + 2kr/x < 1`: `x/(k + 1 + √((k + 1)² + x²)) < r_k < x/(k + √(k² + x²))`.
///
/// # Guarantee
/// Every ball holds its ratio, for the first one does; how far above the recurrence begins decides only how narrow they are.
pub fn bessel_ratios(x: f64, count: usize) -> Vec<Ball> {
    let step = Ball::from(2.0) / Ball::from(x);
    let bound = |order: f64| x / (order + order.hypot(x));
    // r_k < x/(k + ½ + √((k + ½)² + x²)) =: e^{−a} (Amos 1974): each step shrinks by e^{−2a}.
    let shrinking = -2.0 * bound(count as f64 + 0.5).ln();
    let first = count + (NATS / shrinking).ceil().clamp(1.0, 1e8) as usize;
    // A few roundings of doubles, none of which overflows or underflows.
    let (low, high) =
        if RANGE.contains(&x) { (bound(first as f64 + 1.0), bound(first as f64)) } else { (0.0, 1.0) };
    let mut ratio = Ball::from(Enclosure::new(low * (1.0 - 1e-14), high * (1.0 + 1e-14) + f64::MIN_POSITIVE));
    let mut ratios = vec![Ball::ZERO; count];
    for k in (0..first).rev() {
        if k % MANY == 0 {
            check();
        }
        ratio = Ball::ONE / (step * Ball::from(k as u64 + 1) + ratio);
        if let Some(kept) = ratios.get_mut(k) {
            *kept = ratio;
        }
    }
    ratios
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits by ball arithmetic of 200 bits.
    #[test]
    fn known_ratios_are_enclosed() {
        for (x, order, digits, more) in [
            (0.001, 0, 0.000_499_999_937_500_010_4, 0.0),
            (1.0, 0, 0.446_389_965_896_534_5, 7.047_681_795_192_642e-18),
            (1.0, 5, 0.082_842_407_831_993_69, 7.118_295_381_328_999e-18),
            (30.0, 50, 0.272_622_722_655_518_06, 7.845_627_488_990_315e-18),
            (1e4, 0, 0.999_949_998_749_874_9, 8.046_468_645_182_644e-17),
            (1e4, 50, 0.994_962_499_921_922_8, 6.532_053_483_226_034e-17),
        ] {
            let ratio = bessel_ratios(x, order + 1)[order];
            // The decimal in the source is rounded to a double once more: to 2⁻⁵³ of itself.
            assert!(
                (ratio.approximate() - (digits + more)).abs() <= 2e-16 * digits,
                "{x} {order}: {ratio:?}"
            );
            assert!(ratio.radius() < 1e-28, "{x} {order}: {ratio:?}");
        }
    }

    /// A few orders of a large argument, next to which the ratio is near 1 all along.
    #[test]
    fn few_ratios_of_a_large_argument_are_narrow() {
        for (x, count) in [(1e4, 30), (1e5, 4000), (1e6, 2)] {
            let (few, many) = (bessel_ratios(x, count), bessel_ratios(x, 40_000));
            for (ratio, same) in few.iter().zip(&many) {
                assert!(
                    (*ratio - *same).enclosure().contains(0.0) && ratio.radius() < 1e-26,
                    "{x}: {ratio:?}"
                );
            }
        }
    }

    /// `1/r_{k−1} − r_k = 2k/x`.
    #[test]
    fn neighbours_obey_the_recurrence() {
        for x in [1e-40, 0.3, 7.0, 1e3, 1e6] {
            let ratios = bessel_ratios(x, 40);
            for k in 1..40usize {
                let left = (Ball::ONE / ratios[k - 1] - ratios[k]) * Ball::from(x);
                assert!(left.enclosure().contains(2.0 * k as f64), "{x} {k}: {left:?}");
            }
        }
    }
}
