//! A law cut in two smoothly, so that each part of it can be transformed by itself.
//!
//! The weight `w(x) = erfc((x − a)/s)/2` falls from 1 to 0 around `x = a`. A hard cut would leave a transform that decays like
//! `1/t`; this one is entire, and on a path moved by `iη` it is no larger than on the real line but for a constant.

use super::{Quadratic, side::Side, term::NODE_ERROR};
use hockeystick_numerics::special::{LOG_ERFC_ERROR_UNITS, exp, log_erfc, log1mexp, quick};
use std::f64::consts::LN_2;

/// Where and how sharply the outcomes of a law are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// `a`.
    pub at: f64,
    /// `s > 0`.
    pub spread: f64,
    /// Beyond this the weight is 0, however little is left of it. It may be infinite.
    pub end: f64,
}

/// All of a law, or what is on one side of a cut.
///
/// # Guarantee
/// The two sides of a cut add up to the whole. Left of the end, with `v = η/s`, `|w(x + iη)| ≤ e^{v²} w(x)` and the same for
/// `1 − w`, for `erfc(u + iv) = (2/√π) ∫ e^{−(τ+iv)²} dτ` over τ ≥ u; and hence `|w(x + iη)| ≤ 1 + e^{v²}(1 − w(x))`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Portion {
    /// All of it.
    #[default]
    Whole,
    /// With the weight `w`: smaller outcomes.
    Below(Cut),
    /// With the weight `1 − w`: larger outcomes.
    Above(Cut),
    /// What is above the first and below the second of two cuts of the same spread and end.
    Between(Cut, Cut),
}

impl Portion {
    /// The logarithm of the weight at `x`.
    pub(crate) fn log_weight(self, x: f64) -> f64 {
        self.weighed(x, x.abs()).log
    }

    /// [`log_weight`](Self::log_weight) to seven digits, for a search.
    pub(crate) fn log_weight_roughly(self, x: f64) -> f64 {
        // All but 1 far from a cut: `erfc(6)/2 < 2 · 10⁻¹⁷`.
        let at = |place: f64| if place < -6.0 { 0.0 } else { quick::log_erfc(place) - LN_2 };
        let below = |cut: Cut| at(cut.place(x));
        let above = |cut: Cut| at(-cut.place(x));
        match self {
            Self::Whole => 0.0,
            Self::Above(cut) if x > cut.end => 0.0,
            Self::Below(cut) | Self::Between(_, cut) if x > cut.end => f64::NEG_INFINITY,
            Self::Below(cut) => below(cut),
            Self::Above(cut) => above(cut),
            // Cuts are some spreads apart, and one of both is all but 1.
            Self::Between(low, high) if x > 0.5 * (low.at + high.at) => {
                below(high) + quick::ln_1p(-quick::exp(below(low) - below(high)).min(0.999))
            }
            Self::Between(low, high) => {
                above(low) + quick::ln_1p(-quick::exp(above(high) - above(low)).min(0.999))
            }
        }
    }

    /// The logarithm of the weight at a node with |x| ≤ radius, with what it may be off in units of u.
    ///
    /// # Guarantee
    /// Of a difference `a − b` the error is that of a, and `b/(a − b)` times those of both. With `a = erfc(u)/2` and
    /// `b = erfc(v)/2`, v > 0, `b/a` is below 10⁻¹⁷ where `v² − u₊² > 42 + u₊`, for `b ≤ e^{−v²}/2` and `a ≥ e^{−u²}/(4 + 4u)`, or 1/2
    /// if u < 0.
    pub(crate) fn weighed(self, x: f64, radius: f64) -> LogWeight {
        match self {
            Self::Whole => LogWeight::ONE,
            Self::Above(cut) if x > cut.end => LogWeight::ONE,
            Self::Below(cut) | Self::Between(_, cut) if x > cut.end => LogWeight::NOTHING,
            Self::Below(cut) => cut.weighed(cut.place(x), radius),
            Self::Above(cut) => cut.weighed(-cut.place(x), radius),
            Self::Between(low, high) => {
                let right = x > 0.5 * (low.at + high.at);
                let [more, less] = if right { [high, low] } else { [low, high] };
                let [near, far] = [more, less].map(|cut| if right { cut.place(x) } else { -cut.place(x) });
                let weight = more.weighed(near, radius);
                let near = near.max(0.0);
                if far > 0.0 && far * far - near * near > FAR_APART + near && less.is_smooth_at(radius) {
                    return LogWeight { error: weight.error + 1.0, ..weight };
                }
                let other = less.weighed(far, radius);
                let ratio = exp((other.log - weight.log) * (1.0 - 1e-12)) * (1.0 + 1e-9);
                // Of two cuts that are all but one, nothing is known of what is between.
                let magnified = if ratio < CLOSEST { ratio / (1.0 - ratio) } else { f64::INFINITY };
                LogWeight {
                    log: weight.log + log1mexp(weight.log - other.log),
                    // The sum of two logarithms is rounded once more.
                    error: weight.error
                        + 4.0
                        + 1.1 * weight.log.abs()
                        + magnified * (weight.error + other.error + 4.0),
                }
            }
        }
    }

    /// What bounds the weight on a cell that is moved, however far: left of the end.
    pub(crate) fn on_cell(self, from: f64, to: f64) -> CellWeight {
        // To seven digits, rounded up; far from a cut 1, and `erfc(u) ≤ e^{−u²}`.
        let at = |place: f64| {
            if place < -6.0 {
                0.0
            } else if place > 6.0 {
                -place * place * (1.0 - 1e-12)
            } else {
                quick::log_erfc(place) - LN_2 + ROUNDED_UP
            }
        };
        let below = |cut: Cut, x: f64| if x > cut.end { f64::NEG_INFINITY } else { at(cut.place(x)) };
        let above = |cut: Cut, x: f64| if x > cut.end { 0.0 } else { at(-cut.place(x)) };
        let [log_most, log_rest] = match self {
            Self::Whole => [0.0, f64::NEG_INFINITY],
            Self::Below(cut) => [below(cut, from), above(cut, to)],
            Self::Above(cut) => [above(cut, to), below(cut, from)],
            // A difference of integrals, each at most e^{v²} times its own; or |w₂| + |w₁| with 1 − w₂ and w₁ small.
            Self::Between(low, high) => {
                let (a, b) = (above(high, to), below(low, from));
                let rest = a.max(b) + quick::ln_1p(quick::exp(a.min(b) - a.max(b)));
                [below(high, from).min(above(low, to)), rest]
            }
        };
        CellWeight { log_most, log_rest, bend: self.bend() }
    }

    /// `1/s²`: on a path moved by η the weight gains `e^{η²/s²}`. Its logarithm bends down, by no more than twice this.
    pub(crate) fn bend(self) -> f64 {
        match self {
            Self::Whole => 0.0,
            Self::Below(cut) | Self::Above(cut) | Self::Between(_, cut) => 1.0 / (cut.spread * cut.spread),
        }
    }

    /// Where it ends on the right.
    pub(crate) fn end(self) -> f64 {
        match self {
            Self::Whole | Self::Above(_) => f64::INFINITY,
            Self::Below(cut) | Self::Between(_, cut) => cut.end,
        }
    }

    /// Are only outcomes above a cut meant?
    pub fn is_above(self) -> bool {
        match self {
            Self::Whole | Self::Below(_) => false,
            Self::Above(_) | Self::Between(..) => true,
        }
    }

    /// The log-density with a bound of the weight for all outcomes beyond `x`: `erfc(u) ≤ e^{−u²}` for u ≥ 0. `None` before that.
    pub(crate) fn beyond(self, log_q: Quadratic, x: f64, side: Side) -> Option<Quadratic> {
        let cut = match (self, side) {
            (Self::Below(cut) | Self::Between(_, cut), Side::Right) if x > cut.at => cut,
            (Self::Above(cut) | Self::Between(cut, _), Side::Left) if x < cut.at => cut,
            (Self::Below(_) | Self::Between(..), Side::Right)
            | (Self::Above(_) | Self::Between(..), Side::Left) => {
                return None;
            }
            (Self::Whole | Self::Below(_), Side::Left) | (Self::Whole | Self::Above(_), Side::Right) => {
                return Some(log_q);
            }
        };
        let bend = self.bend();
        let fall =
            Quadratic { constant: -bend * cut.at * cut.at, linear: 2.0 * bend * cut.at, square: -bend };
        Some(log_q.plus(1.0, fall))
    }
}

/// The logarithm of a weight, with what it may be off in units of u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LogWeight {
    pub(crate) log: f64,
    pub(crate) error: f64,
}

impl LogWeight {
    const ONE: Self = Self { log: 0.0, error: 0.0 };
    const NOTHING: Self = Self { log: f64::NEG_INFINITY, error: 0.0 };
}

/// From so many spreads beyond a cut on, a weight is 1 but for less than u/1000: `erfc(6.5)/2 < 2 · 10⁻²⁰`.
const SATURATED: f64 = 6.5;
/// So many spreads below a cut, less than this is above it: `erfc(8)/2 < 6 · 10⁻³⁰`.
const FAR_BELOW: f64 = 8.0;
pub(crate) const LEAST_REST: f64 = 1e-29;
/// Up to so many spreads from 0, nodes are placed to seven digits of a spread.
const SMOOTH: f64 = 1e7;
/// What is added to logarithms that are known to `2 · 10⁻⁸`, and whose places are rounded.
const ROUNDED_UP: f64 = 1e-7;
/// How far the squares of two places are apart for one weight to be negligible against the other.
const FAR_APART: f64 = 42.0;
/// Up to this ratio of two weights their difference is known.
const CLOSEST: f64 = 0.999;

/// What bounds the weight of a portion on a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellWeight {
    /// The logarithm of its largest value on the real line.
    log_most: f64,
    /// That of what it is less than 1 at most.
    log_rest: f64,
    bend: f64,
}

impl CellWeight {
    /// The logarithm of a bound of the modulus on the cell moved by `iη`.
    pub(crate) fn log_moved(self, distance: f64) -> f64 {
        if self.bend == 0.0 {
            return 0.0;
        }
        let gain = self.bend * distance * distance * (1.0 + 1e-12);
        let log = self.log_rest + gain;
        let nearly_one = if log < 30.0 { quick::ln_1p(quick::exp(log)) } else { log + 1e-12 };
        let least = (self.log_most + gain).min(nearly_one);
        least + 1e-9 + 1e-12 * least.abs()
    }
}

impl Cut {
    /// `log(erfc(u)/2)`.
    fn weighed(self, place: f64, radius: f64) -> LogWeight {
        if place < -SATURATED && self.is_smooth_at(radius) {
            return LogWeight { log: 0.0, error: 1.0 };
        }
        LogWeight { log: log_erfc(place) - LN_2, error: self.tail_error(place, radius) }
    }

    /// What `log(erfc(u)/2)` may be off, in units of u, where `±u` is the place of a node with |x| ≤ radius: it is rounded twice, and the
    /// node is off. `|d log erfc(u)/du| = (2/√π) e^{−u²}/erfc(u)` is at most `2u + 1.2`, or `1.2 e^{−u²}` if u < 0.
    fn tail_error(self, place: f64, radius: f64) -> f64 {
        let moved = 2.1 * place.abs() + NODE_ERROR * radius / self.spread;
        let (slope, log) = if place >= 0.0 {
            (2.0 * place + 1.2, place * place + 8.0)
        } else {
            (1.3 * quick::exp(-place * place) + 1e-300, 1.0)
        };
        slope * moved + (LOG_ERFC_ERROR_UNITS + 1.1) * log + 2.0
    }

    /// Is what is above the cut below [`LEAST_REST`] of all there is at `x`?
    pub(crate) fn is_far_below(self, x: f64) -> bool {
        self.place(x) < -FAR_BELOW && self.is_smooth_at(x.abs())
    }

    /// Do the last digits of nodes with |x| ≤ radius not matter for a place?
    fn is_smooth_at(self, radius: f64) -> bool {
        radius < SMOOTH * self.spread
    }

    /// `(x − a)/s`.
    fn place(self, x: f64) -> f64 {
        (x - self.at) / self.spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::ln};
    use num_complex::Complex;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// `erfc(u + iv) = erfc(u) − (2i/√π) ∫₀^v e^{−(u+iτ)²} dτ`, by Simpson's rule.
    fn complex_erfc(u: f64, v: f64) -> Complex<f64> {
        let steps = 4000;
        let h = v / f64::from(steps);
        let f = |i: i32| {
            let z = Complex::new(u, h * f64::from(i));
            (-z * z).exp()
        };
        let inner: Complex<f64> = (1..steps).map(|i| f(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        let integral = (f(0) + f(steps) + inner) * (h / 3.0);
        hockeystick_numerics::special::erfc(u) - Complex::<f64>::i() * integral * (2.0 / PI.sqrt())
    }

    fn moved(portion: Portion, x: f64, distance: f64) -> f64 {
        let below = |cut: Cut| complex_erfc(cut.place(x), distance / cut.spread) * 0.5;
        match portion {
            Portion::Whole => 1.0,
            Portion::Below(cut) => below(cut).norm(),
            Portion::Above(cut) => (1.0 - below(cut)).norm(),
            Portion::Between(low, high) => (below(high) - below(low)).norm(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn weights_off_the_line_stay_below_their_bounds(
            (at, spread, apart) in (-3f64..3.0, 0.2f64..2.0, 3f64..9.0),
            (from, length, inside) in (-8f64..8.0, 0f64..1.0, 0f64..=1.0),
            distance in 0f64..3.0,
        ) {
            let low = Cut { at, spread, end: f64::INFINITY };
            let high = Cut { at: at + apart * spread, ..low };
            // Farther off the reference itself loses all digits.
            prop_assume!(distance / spread < 4.0);
            for portion in [Portion::Below(low), Portion::Above(low), Portion::Between(low, high)] {
                let bound = exp(portion.on_cell(from, from + length).log_moved(distance));
                let there = moved(portion, inside.mul_add(length, from), distance);
                prop_assert!(there <= bound * (1.0 + 1e-9) + 1e-9, "{portion:?}: {there:e} above {bound:e}");
            }
        }

        /// However close two cuts are: of a difference of weights that cancel, the error was bounded as if a thousandth were left.
        #[test]
        fn weights_between_close_cuts_are_as_uncertain_as_they_are(
            (at, spread, x) in (-3f64..3.0, 0.1f64..2.0, -9f64..9.0),
            log_apart in -13f64..0.5,
        ) {
            let apart = 10f64.powf(log_apart);
            let low = Cut { at, spread, end: f64::INFINITY };
            let high = Cut { at: at + apart * spread, ..low };
            let apart = (high.at - low.at) / spread;
            let found = Portion::Between(low, high).weighed(x, x.abs());
            // The weight is its mean slope times the distance: Simpson's rule, in its logarithm less the place squared.
            let place = low.place(x);
            let relative = |part: f64| exp(part * apart * (2.0 * place - part * apart));
            let mean = (relative(0.0) + 4.0 * relative(0.5) + relative(1.0)) / 6.0;
            let truth = ln(apart * mean / PI.sqrt()) - place * place;
            prop_assume!(apart * (place.abs() + 1.0) < 1e-2);
            let allowed = UNIT_ROUNDOFF * found.error + 1e-8 + 1e-13 * place * place;
            prop_assert!(found.error == f64::INFINITY || (found.log - truth).abs() <= allowed, "{found:?} {truth}");
        }

        #[test]
        fn portions_add_up(
            (at, spread, apart) in (-3f64..3.0, 0.1f64..2.0, 3f64..20.0),
            x in -9f64..9.0,
        ) {
            let low = Cut { at, spread, end: f64::INFINITY };
            let high = Cut { at: at + apart * spread, spread, end: at + (apart + 5.0) * spread };
            let weight = |portion: Portion| exp(portion.log_weight(x));
            let sum = weight(Portion::Below(high)) + weight(Portion::Above(high));
            prop_assert!((sum - 1.0).abs() < 1e-14);
            let sum = weight(Portion::Below(low)) + weight(Portion::Between(low, high));
            let expected = weight(Portion::Below(high));
            // Right of the end nothing is left of the upper cut, but of the lower.
            let tiny = 1e-14 * expected + if x > high.end { weight(Portion::Below(low)) } else { 0.0 };
            prop_assert!((sum - expected).abs() <= tiny + 1e-300, "{sum:e} {expected:e}");
        }
    }
}
