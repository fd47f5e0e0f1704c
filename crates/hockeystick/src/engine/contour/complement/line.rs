//! `1 − δ(ε)` with digits of its own: the integral on a line between its poles.
//!
//! ```text
//! 1 − δ(ε) = E[min(1, e^{ε−L}); L < ∞] = −(1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1)),   −1 < Re z < 0
//! ```
//!
//! Moving the line to the left across the pole at 0 takes off its residue, `M(0) = P(L < ∞)`, and what is left is the complement of δ
//! as a positive number. Between the poles `|M| ≤ 1` for every pair (Hölder), with no condition on tails.

use crate::engine::contour::{
    Accuracy,
    bound::Envelope,
    factors::Factors,
    line::{ComposedLine, Exactness, Integral, repeated},
    line_plan::LinePlan,
    search::{Cumulants, DISTANCES, Sketch, best_line},
    tuning::TUNING,
};
use hockeystick_numerics::{
    roots::{Tolerance, bracketed_root},
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
};
use std::f64::consts::TAU;

/// A line between the poles.
#[derive(Clone, Debug)]
pub(super) struct Between {
    line: ComposedLine,
}

/// The saddle point of `K(c) − cε − log(−c(1 + c))`, which is convex in `−1 < c < 0` and infinite at both ends.
#[derive(Clone, Copy, Debug)]
struct Saddle {
    tilt: f64,
    epsilon: f64,
    /// The estimate of `log(1 − δ(ε))`.
    log_missing: f64,
    cumulants: Cumulants,
}

/// `−1/(1 + e^s)`: all of `(−1, 0)`, evenly from both ends.
fn tilt_at(s: f64) -> f64 {
    -1.0 / (1.0 + exp(s))
}

/// Roots are sought for s between minus this and this, see [`tilt_at`].
const NEAREST_TO_A_POLE: f64 = 30.0;
/// The step, in s, between the tilts tried around the saddle, and the number of steps to either side.
const STRIDE: f64 = 0.35;
const STRIDES: i32 = 6;
/// The logarithm of the part of 1 − δ that errors are aimed at.
fn log_accuracy() -> f64 {
    ln(Accuracy::NARROW.aimed_at()) - TUNING.log_below_needed
}

/// The sketch of a composition for the tilts between the poles.
pub(super) fn sketch(factors: &Factors) -> Option<Sketch> {
    Sketch::new(factors, 1.0f64.min(0.5 * factors.strip_end()))
}

impl Saddle {
    fn at(sketch: &Sketch, tilt: f64, epsilon: Option<f64>) -> Self {
        let cumulants = sketch.at(tilt);
        let (to_zero, to_one) = (1.0 / tilt, 1.0 / (1.0 + tilt));
        let epsilon = epsilon.unwrap_or(cumulants.mean - to_zero - to_one);
        let bend = cumulants.variance + to_zero * to_zero + to_one * to_one;
        let log_missing = cumulants.value - tilt * epsilon - ln(-tilt * (1.0 + tilt)) - 0.5 * ln(TAU * bend);
        Self { tilt, epsilon, log_missing: log_missing.min(0.0), cumulants }
    }

    fn find(sketch: &Sketch, epsilon: f64) -> Self {
        // Grows with the tilt, which falls as s grows.
        let slope = |s: f64| {
            let tilt = tilt_at(s);
            epsilon - (sketch.at(tilt).mean - 1.0 / tilt - 1.0 / (1.0 + tilt))
        };
        Self::at(sketch, tilt_at(root(slope)), Some(epsilon))
    }
}

/// The root s in the range searched; 0, the middle of the strip, if there is none.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (low, high) = (-NEAREST_TO_A_POLE, NEAREST_TO_A_POLE);
    match bracketed_root(&f, low, high, Tolerance::absolute(1e-4)) {
        Ok(root) => 0.5 * (root.lower + root.upper),
        Err(_) => 0.0,
    }
}

/// The ε at which `1 − δ` is about `missing`, and by how much its logarithm grows with ε there; in plain floats.
pub(super) fn epsilon_of(sketch: &Sketch, missing: f64) -> (f64, f64) {
    let wanted = ln(missing);
    let saddle = Saddle::at(
        sketch,
        tilt_at(root(|s| Saddle::at(sketch, tilt_at(s), None).log_missing - wanted)),
        None,
    );
    (saddle.epsilon, -saddle.tilt)
}

impl Between {
    /// The line for an ε; `None` if a pair has no rule for it, or only one of too many nodes.
    pub(super) fn find(factors: &Factors, sketch: &Sketch, epsilon: f64) -> Option<Self> {
        let (mut line, envelope) = planned(factors, sketch, Saddle::find(sketch, epsilon))?;
        while line.points > TUNING.fewest_points {
            if let Some(line) =
                ComposedLine::new(factors, envelope.clone(), line, Exactness::of(Accuracy::NARROW.aimed_at()))
            {
                return Some(Self { line });
            }
            line.points /= 2;
        }
        None
    }

    /// `1 − δ(ε)`.
    ///
    /// # Guarantee
    /// With `G(ε) = 1 − δ(ε)` the infinite trapezoidal sum is `Σ_m e^{cBm} G(ε + Bm)`, `B = 2π/h`: at least G(ε). On the right `G ≤ 1`, on
    /// the left `G(y) ≤ M(λ) e^{−λy}`, for `min(1, e^{−x}) ≤ e^{λx}` if `−1 ≤ λ ≤ 0`: the sum is above G(ε) by at most
    /// `1/(e^{−cB} − 1) + M(λ) e^{−λε}/(e^{(c−λ)B} − 1)`. The rest is bounded as on a line right of 0, where `|z(z + 1)| ≥ t²` too.
    pub(super) fn missing(&self, epsilon: f64) -> Integral {
        let mut sum = self.line.sum(epsilon);
        sum.value = -sum.value;
        sum.above_by(self.aliasing(epsilon))
    }

    fn aliasing(&self, epsilon: f64) -> f64 {
        let LinePlan { tilt, step, beyond, .. } = self.line.plan;
        if !(-1.0 <= beyond && beyond < tilt && tilt < 0.0) {
            return f64::INFINITY;
        }
        let period = TAU / step * (1.0 - 1e-15);
        let log_beyond = self.line.log_beyond.min(0.0);
        let size = log_beyond.abs() + (beyond * epsilon).abs();
        let log = log_beyond - beyond * epsilon + 8.0 * UNIT_ROUNDOFF * size;
        (repeated(0.0, -tilt * period) + repeated(log, (tilt - beyond) * period * (1.0 - 1e-15)))
            * (1.0 + 1e-9)
    }
}

/// The line near a saddle that is expected to take the fewest points, and what bounds `|M|` beyond its end.
fn planned(factors: &Factors, sketch: &Sketch, saddle: Saddle) -> Option<(LinePlan, Envelope)> {
    let Saddle { epsilon, log_missing, .. } = saddle;
    let log_accuracy = log_accuracy();
    let wanted = log_missing + log_accuracy;
    let deviation = saddle.cumulants.variance.sqrt().max(1e-300);
    let lambdas = DISTANCES.map(|distance| {
        let lambda = (saddle.tilt - distance * (-2.0 * log_accuracy).sqrt() / deviation).max(-1.0);
        (lambda, if lambda > -1.0 { sketch.at(lambda).value } else { 0.0 } - lambda * epsilon)
    });
    let middle = ln(-1.0 / saddle.tilt - 1.0);
    let candidates = (-STRIDES..=STRIDES).filter_map(|i| {
        let tilt = tilt_at(STRIDE.mul_add(f64::from(i), middle));
        let at = sketch.at(tilt);
        let (beyond, left) = (lambdas.iter())
            .filter(|(lambda, _)| *lambda < tilt)
            .map(|&(lambda, log)| (lambda, (log - wanted) / (tilt - lambda)))
            .filter(|(_, period)| !period.is_nan())
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let period = (wanted / tilt).max(left).max(8.0 * at.variance.sqrt().min(deviation));
        let excess = (at.value - tilt * epsilon - log_missing).max(0.0);
        let height = (2.0 * (excess - log_accuracy) / at.variance.max(1e-300)).sqrt();
        Some((period * height, tilt, beyond, period))
    });
    let (_, tilt, beyond, period) = candidates.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let step = TAU / period;
    let best_line::End { points, log_left, envelope } =
        best_line::end(factors, sketch, tilt, step, deviation, wanted + tilt * epsilon);
    let terms = sketch.at(tilt).value - tilt * epsilon - ln(-tilt * (tilt + 1.0)) - ln(deviation);
    let expected_width = best_line::expected_width(log_accuracy, log_left, terms - log_missing);
    Some((LinePlan { tilt, step, points, beyond, expected_width }, envelope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{curve::PrivacyProfile, engine::closed_form::ClosedForm, pair::LossLaw};
    use hockeystick_numerics::{ball::Ball, probability::Probability};
    use proptest::prelude::*;

    fn normal(variance: f64) -> Factors {
        Factors::of_normal(variance, 0.0)
    }

    fn truth(variance: f64, epsilon: f64) -> Probability {
        let law = LossLaw::Normal { mu_squared: Ball::from(variance) };
        ClosedForm::compose(vec![(law, 1)]).unwrap().delta(epsilon).delta
    }

    fn planned_as(variance: f64, plan: LinePlan) -> Between {
        let factors = normal(variance);
        let envelope = Envelope::new(&factors, plan.tilt, std::iter::empty());
        Between {
            line: ComposedLine::new(&factors, envelope, plan, Exactness::of(Accuracy::NARROW.aimed_at()))
                .unwrap(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// A plan may be as bad as it likes, and ε far from the one it was made for, below 0 even.
        #[test]
        fn every_line_gives_a_valid_bound(
            log_variance in -3f64..8.0,
            place in -6f64..6.0,
            farther in 0.0f64..1.0,
            period in 0.5f64..60.0,
            points in 2usize..60,
            at in -20f64..20.0,
        ) {
            let variance = exp(log_variance);
            let deviation = variance.sqrt();
            let tilt = tilt_at(place);
            let beyond = tilt - farther * (1.0 + tilt);
            prop_assume!(beyond < tilt);
            let plan = LinePlan { tilt, step: TAU / (period * deviation), points, beyond, expected_width: 1.0 };
            let epsilon = at * deviation + 0.5 * variance;
            let (bounds, truth) =
                (planned_as(variance, plan).missing(epsilon).bounds, truth(variance, epsilon).complement());
            prop_assert!(bounds.overlaps(truth), "{bounds:?} misses {truth:?}");
        }

        /// The line that is planned has ten digits, however near to 1 δ is.
        #[test]
        fn the_planned_line_is_narrow(log_variance in 1f64..9.0, share in 0f64..1.0) {
            let variance = exp(log_variance);
            let epsilon = 0.5 * share * variance;
            let truth = truth(variance, epsilon).complement();
            prop_assume!(truth.upper() > 1e-250);
            let factors = normal(variance);
            let line = Between::find(&factors, &sketch(&factors).unwrap(), epsilon).unwrap();
            let found = line.missing(epsilon);
            prop_assert!(found.bounds.overlaps(truth), "{:?} misses {truth:?}", found.bounds);
            prop_assert!(found.relative_width() < 1e-10, "{:.1e}", found.relative_width());
        }
    }

    /// `λ ≥ c` proves nothing about losses beyond a period, and neither does one below −1.
    #[test]
    fn a_line_without_room_on_its_left_says_nothing() {
        for beyond in [-0.5, -0.4, -1.01] {
            let plan = LinePlan { tilt: -0.5, step: 0.5, points: 100, beyond, expected_width: 1.0 };
            assert_eq!(planned_as(1.0, plan).aliasing(1.0), f64::INFINITY);
        }
    }
}
