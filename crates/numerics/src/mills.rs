//! The Mills ratio of the normal law and its differences, enclosed.
//!
//! `R(x) = Φ̄(x)/φ(x) = ∫₀^∞ e^{−sx − s²/2} ds = √(π/2)·erfcx(x/√2)`, and `R_n(x) = ∫₀^∞ sⁿ e^{−sx − s²/2} ds = |R⁽ⁿ⁾(x)|`.
//! The ratios `r_n = R_n/R_{n−1}` satisfy `r_n = n/(x + r_{n+1})` (integrate `d(sⁿ e^{−sx−s²/2})`): Laplace's continued
//! fraction. Going backward it contracts for `x > 0`, and all its operations are on positive numbers.

use crate::ball::Ball;
use crate::double_double::DoubleDouble;
use crate::enclosure::Enclosure;
use crate::rounding::UNIT_ROUNDOFF;
use crate::special::{self, ERFCX_ERROR_UNITS};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// `1/√2` to 106 bits.
fn sqrt_half() -> Ball {
    Ball::new(DoubleDouble::from_sum(FRAC_1_SQRT_2, -4.833646656726457e-17), 4e-33)
}

/// From here on the continued fraction is used; below, `erfcx`.
const CONTINUED_FRACTION_FROM: f64 = 4.0;
/// Up to this shift the difference is taken from its Taylor series about the middle.
const SERIES_UP_TO: f64 = 0.05;
/// Terms R₁, R₃, R₅, R₇ of that series.
const SERIES_TERMS: usize = 4;

/// `R(x)`.
///
/// # Guarantee
/// Encloses the truth for every real number in `x`; relative width a few units in the last place.
///
/// # Implementation
/// One value of `erfcx`. Its logarithm has the slope `2z − 2/(√π erfcx(z))`, between `−2/√π` and 0 for `z ≥ 0` and
/// between `2z − 2/√π` and 0 for `z < 0`, which bounds what is lost by rounding the argument: to first order, and the
/// second order is covered because `Enclosure::relative` takes the bound relative to the exact value.
pub fn mills_ratio(x: Ball) -> Enclosure {
    let scaled = x * sqrt_half();
    let z = scaled.approximate();
    let slope = 1.0001 * FRAC_2_SQRT_PI + 2.0 * (-z).max(0.0);
    // |z − scaled| ≤ ulp(z)/2 + radius.
    let distance = z.abs() * UNIT_ROUNDOFF + scaled.radius();
    let error = ERFCX_ERROR_UNITS * UNIT_ROUNDOFF + slope * distance * (1.0 + 1e-6);
    if error < 1e-3 {
        Enclosure::SQRT_HALF_PI * Enclosure::relative(special::erfcx(z), error)
    } else {
        // A wide argument: erfcx decreases.
        let at = |z: f64| Enclosure::relative(special::erfcx(z), ERFCX_ERROR_UNITS * UNIT_ROUNDOFF);
        let ends = scaled.enclosure();
        Enclosure::SQRT_HALF_PI * Enclosure::new(at(ends.upper()).lower(), at(ends.lower()).upper())
    }
}

/// `r_1, …, r_COUNT` at `x ≥ 4`, by the continued fraction from both ends of the remainder `0 < r_N ≤ √N`
/// (`r_N` decreases in `x`, and `r_N(0) = √2 Γ((N+1)/2)/Γ(N/2) < √N`).
///
/// A step `r ← n/(x + r)` swaps the ends, rounds twice, and multiplies the relative error `e` so far by
/// `r/(x + r(1 − e))`, which is below 0.77: `r ≤ n/x ≤ 51/4` directly after the start, below `√51` later. The errors add
/// up to at most `2u/(1 − 0.77) < 9u`. `x·r_n` increases and `r_n` decreases in `x`, so a relative error of `x` enters at
/// most once.
fn ratios_by_continued_fraction<const COUNT: usize>(x: Enclosure) -> [Enclosure; COUNT] {
    let at = x.midpoint();
    let error = 9.0 * UNIT_ROUNDOFF + x.width() / x.lower();
    let depth = 16 + (560.0 / (at * at)) as u32;
    let mut ratios = [Enclosure::ENTIRE; COUNT];
    let (mut low, mut high) = (0.0, f64::from(depth + 1).sqrt());
    for n in (1..=depth).rev() {
        (low, high) = (f64::from(n) / (at + high), f64::from(n) / (at + low));
        if let Some(slot) = ratios.get_mut(n as usize - 1) {
            *slot = Enclosure::new(
                Enclosure::relative(low, error).lower(),
                Enclosure::relative(high, error).upper(),
            );
        }
    }
    ratios
}

/// `R_1(x), R_3(x), R_5(x), R_7(x)` for `x ≥ 0`.
fn odd_moments(x: Ball) -> [Enclosure; SERIES_TERMS] {
    let ratio = mills_ratio(x);
    let at = x.enclosure();
    let mut moments = [ratio; 2 * SERIES_TERMS];
    if at.lower() >= CONTINUED_FRACTION_FROM {
        let ratios: [Enclosure; 2 * SERIES_TERMS - 1] = ratios_by_continued_fraction(at);
        for n in 1..moments.len() {
            moments[n] = moments[n - 1] * ratios[n - 1];
        }
    } else {
        // R_{n+1} = n R_{n−1} − x R_n loses about a factor x per step: harmless below 4, where R_n with n > 1 only
        // enters multiplied by the square of a small shift. 0 ≤ R_{n+2} ≤ (n+1) R_n bounds what is lost.
        moments[1] = (Enclosure::ONE - at * ratio).clamp(0.0, 1.0);
        for n in 1..moments.len() - 1 {
            let ceiling = (moments[n - 1] * n as f64).upper();
            moments[n + 1] = (moments[n - 1] * n as f64 - at * moments[n]).clamp(0.0, ceiling);
        }
    }
    std::array::from_fn(|i| moments[2 * i + 1])
}

/// `R(m − h/2) − R(m + h/2) = ∫₀^∞ 2 sinh(hs/2) e^{−sm − s²/2} ds` for `h > 0`, without cancellation.
///
/// # Guarantee
/// Encloses the truth for all real numbers in `middle` and `h > 0`. Relative width below 10⁻¹² for `m ≥ 0`.
///
/// # Implementation
/// - `h ≤ 0.05` and `m ≥ 0`: `Σ 2(h/2)ⁿ/n! · R_n(m)` over odd `n`; consecutive terms fall at least by the factor
///   `h²/(4(n+2))` because `R_{n+2} ≤ (n+1)R_n`, which bounds the remainder.
/// - `x = m − h/2 ≥ 4`: `R = 1/(x + r_1)`, so with `y = m + h/2` the difference is `R(x)R(y)·(h + r_1(y) − r_1(x))`,
///   where the `r_1` differ by less than `h/16`.
/// - otherwise the plain difference.
pub fn mills_ratio_drop(middle: Ball, h: Ball) -> Enclosure {
    let shift = h.enclosure();
    if shift.upper() <= SERIES_UP_TO && middle.enclosure().lower() >= 0.0 {
        return drop_by_series(middle, shift);
    }
    let half = h * Ball::from(0.5);
    let (near, far) = (middle - half, middle + half);
    if near.enclosure().lower() >= CONTINUED_FRACTION_FROM {
        let [r_near] = ratios_by_continued_fraction::<1>(near.enclosure());
        let [r_far] = ratios_by_continued_fraction::<1>(far.enclosure());
        let reciprocal = (near.enclosure() + r_near) * (far.enclosure() + r_far);
        return ((shift + r_far - r_near) / reciprocal).clamp(0.0, f64::INFINITY);
    }
    (mills_ratio(near) - mills_ratio(far)).clamp(0.0, f64::INFINITY)
}

fn drop_by_series(middle: Ball, shift: Enclosure) -> Enclosure {
    let half = shift * 0.5;
    let mut coefficient = shift; // 2 (h/2)ⁿ/n!
    let mut sum = Enclosure::ZERO;
    let mut term = Enclosure::ZERO;
    for (i, moment) in odd_moments(middle).into_iter().enumerate() {
        term = coefficient * moment;
        sum = sum + term;
        let n = (2 * i + 1) as f64;
        coefficient = coefficient * half * half / ((n + 1.0) * (n + 2.0));
    }
    // The terms left out are positive and fall faster than a geometric series with ratio h²/36 < 1/14000.
    let remainder = term * shift * shift / 35.0;
    sum + Enclosure::new(0.0, remainder.upper())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `1/√2 = hi + lo + 2.0693376543497068…·10⁻³³` (Arb); a radius of 10⁻³³ once left it out.
    #[test]
    fn the_ball_of_sqrt_half_holds_it() {
        let ball = sqrt_half();
        assert_eq!((ball.midpoint().hi(), ball.midpoint().lo()), (FRAC_1_SQRT_2, -4.833646656726457e-17));
        assert!(ball.radius() >= 2.069337654349707e-33, "{:e}", ball.radius());
    }

    #[test]
    fn known_values() {
        assert!(mills_ratio(Ball::ZERO).contains(1.2533141373155003));
        // R(1) = 0.65567954241879847…
        let at_one = mills_ratio(Ball::ONE);
        assert!((at_one.midpoint() - 0.655679542418798472).abs() < 4e-16 && at_one.width() < 4e-15);
    }

    proptest! {
        #[test]
        fn branches_agree_where_they_meet(m in 0f64..40.0, h in 0.04f64..0.06) {
            let (middle, shift) = (Ball::from(m), Ball::from(h));
            let half = Ball::from(h / 2.0);
            let plain = mills_ratio(middle - half) - mills_ratio(middle + half);
            let sharp = mills_ratio_drop(middle, shift);
            prop_assert!(sharp.overlaps(plain));
            prop_assert!(sharp.width() <= 1e-12 * sharp.upper(), "{sharp:?}");
        }

        #[test]
        fn ratios_satisfy_their_recurrence(m in 4f64..100.0) {
            let x = Ball::from(m);
            let ratios: [Enclosure; 7] = ratios_by_continued_fraction(x.enclosure());
            let r_0 = mills_ratio(x);
            // R_1 = 1 − m R_0, and r_n = n/(m + r_{n+1}).
            prop_assert!((ratios[0] * r_0).overlaps(Enclosure::ONE - x.enclosure() * r_0));
            for n in 1..7 {
                let from_next = Enclosure::point(n as f64) / (x.enclosure() + ratios[n]);
                prop_assert!(ratios[n - 1].overlaps(from_next));
            }
            prop_assert!(ratios[0].width() < 4e-15 * ratios[0].upper(), "{:?}", ratios[0]);
            // A ratio further out is closer to the start; it enters only where it is multiplied by a small square.
            for ratio in ratios {
                prop_assert!(ratio.width() < 1e-12 * ratio.upper(), "{ratio:?}");
            }
        }
    }
}
