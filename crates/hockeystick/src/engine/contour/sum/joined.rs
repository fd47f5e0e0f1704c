//! The logarithm of a sum of two complex numbers of which logarithms are known: `M = B + H`.

use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, complex_log1p, exp, modulus},
};
use num_complex::Complex;

/// A complex logarithm, and what it may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithm {
    pub(super) value: Complex<f64>,
    pub(super) error: f64,
}

/// The logarithm of a number, and the relative error of the number. The error of the logarithm may be larger.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Complex<f64>,
    pub(super) relative_error: f64,
}

/// What two parts make together.
pub(super) struct Joined {
    /// `log M`.
    pub(super) whole: Logarithm,
    /// `log B/M`.
    pub(super) avoided: Logarithm,
    /// An additional error of multiples of `avoided`: 0, or [`ANY_ARGUMENT`] if its imaginary part is unknown.
    pub(super) unknown: f64,
}

/// Logarithms with an error below this are used as they are.
const CERTAIN: f64 = 0.1;
/// `e^x − 1` is above 2 here: numbers of this modulus, whatever their argument, are no farther from each other than that.
const ANY_ARGUMENT: f64 = 1.1;

/// `log(B + H)` and `log B/(B + H)`, where `log |B|` is at most `ceiling`.
///
/// # Guarantee
/// Let a and b be the relative errors of H and of 1/B. Then `h = H/B` has a relative error of at most `w = a + b + ab`, and `log(1 + h)` an
/// error of at most `x/(1 − x)`, `x = w|h|/|1 + h|`. Where |h| > 1 the same is done with `B/H`. The relative error of `1/H`, and the error of
/// `log H`, are at most `a/(1 − a)`. Where B is inaccurate but far smaller than H, M is taken to be H, with a relative error of at most
/// `|B|/(|H| − |B|)`. Only the modulus of `B/M` is then known, and it is small.
pub(super) fn joined(below: Logarithm, above: Known, ceiling: f64) -> Joined {
    let is_above_known = above.relative_error < CERTAIN;
    let of_inverse = above.relative_error / (1.0 - above.relative_error);
    if below.error < CERTAIN {
        let difference = above.value - below.value;
        let is_below = difference.re <= 0.0;
        let of_above = if is_below { above.relative_error } else { of_inverse };
        let relative = (1.1 * (below.error + of_above) + below.error * of_above)
            + UNIT_ROUNDOFF * (8.0 + 2.0 * (above.value.l1_norm() + below.value.l1_norm()));
        let ratio = complex_exp(if is_below { difference } else { -difference });
        let more = complex_log1p(ratio);
        let moved = relative * modulus(ratio) / modulus(1.0 + ratio);
        let certain = (is_below || is_above_known) && moved < 0.5;
        let moved = moved / (1.0 - moved) + 8.0 * UNIT_ROUNDOFF * more.l1_norm();
        let (value, avoided, of_avoided) = if is_below {
            (below.value + more, -more, moved)
        } else {
            let rounding = 4.0 * UNIT_ROUNDOFF * difference.l1_norm();
            (above.value + more, -difference - more, moved + below.error + of_above + rounding)
        };
        let error =
            moved + if is_below { below.error } else { of_above } + 4.0 * UNIT_ROUNDOFF * value.l1_norm();
        let doubt = if certain { 0.0 } else { f64::INFINITY };
        return Joined {
            whole: Logarithm { value, error: error + doubt },
            avoided: Logarithm { value: avoided, error: of_avoided + doubt },
            unknown: 0.0,
        };
    }
    // −log(1 − a) ≤ 2a.
    let log = ceiling - above.value.re
        + 2.0 * above.relative_error
        + 1e-15 * (ceiling.abs() + above.value.re.abs());
    let share = exp(log.min(0.0));
    let certain = is_above_known && share < 0.3;
    let error = if certain { of_inverse + share / (1.0 - 2.0 * share) } else { f64::INFINITY };
    Joined {
        whole: Logarithm { value: above.value, error },
        avoided: Logarithm { value: Complex::new(log, 0.0), error },
        unknown: ANY_ARGUMENT,
    }
}

pub(super) fn complex_exp(z: Complex<f64>) -> Complex<f64> {
    cis(z.im) * exp(z.re)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use hockeystick_numerics::special::{expm1, ln};
    use proptest::prelude::*;
    use std::f64::consts::{PI, TAU};

    /// How far two logarithms of the same number may be apart.
    pub(in super::super) fn distance(a: Complex<f64>, b: Complex<f64>) -> f64 {
        let turn = (a.im - b.im).rem_euclid(TAU);
        (a.re - b.re).hypot(turn.min(TAU - turn))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// B and H are as far off as they may be, in any direction. The logarithm of H was taken to be off by no more than its relative
        /// error, where it is `−log(1 − a)`.
        #[test]
        fn what_is_joined_holds_all_that_it_may_be(
            (log_below, turn_below, log_above, turn_above) in (-30f64..30.0, -PI..PI, -30f64..30.0, -PI..PI),
            (error_below, error_above) in (-12f64..0.5, -12f64..0.5),
            (way_below, way_above) in (-PI..PI, prop_oneof![Just(PI), -PI..PI]),
        ) {
            let (error_below, error_above) = (10f64.powf(error_below), 10f64.powf(error_above));
            let below = Logarithm { value: Complex::new(log_below, turn_below), error: error_below };
            let above = Known { value: Complex::new(log_above, turn_above), relative_error: error_above };
            let true_below = complex_exp(below.value + cis(way_below) * error_below);
            let true_above = complex_exp(above.value) * (1.0 + cis(way_above) * error_above);
            let found = joined(below, above, log_below + error_below);
            let whole = true_below + true_above;
            // The reference is rounded itself.
            let rounding = 1e-13 * (1.0 + (true_below.norm() + true_above.norm()) / whole.norm());
            prop_assert!(distance(found.whole.value, whole.ln()) <= found.whole.error + rounding);
            let avoided = (true_below / whole).ln();
            if found.unknown == 0.0 {
                prop_assert!(distance(found.avoided.value, avoided) <= found.avoided.error + rounding);
            } else if found.avoided.error.is_finite() {
                // Of any multiple of it, too.
                for count in [1.0, 2.0, 17.0] {
                    let [taken, truth] = [found.avoided.value * count, avoided * count].map(complex_exp);
                    let moved = taken.norm() * expm1(count * found.avoided.error + found.unknown);
                    prop_assert!((taken - truth).norm() <= moved * (1.0 + 1e-9) + 1e-300);
                }
            }
        }
    }

    /// Next to nothing is below the cut, and H is as much smaller than it was found to be as it may be.
    #[test]
    fn a_logarithm_is_off_by_more_than_its_number() {
        let above = Known { value: Complex::new(0.0, 0.0), relative_error: 0.09 };
        for (log_below, error) in [(-60.0, 1e-9), (-60.0, 5.0)] {
            let below = Logarithm { value: Complex::new(log_below, 0.0), error };
            let found = joined(below, above, log_below + error);
            assert!(found.whole.error.is_finite());
            assert!(found.whole.error >= -ln(1.0 - 0.09), "{}", found.whole.error);
        }
    }
}
