//! δ from the values on a line, by the trapezoidal rule.

use super::{
    integral::{Integral, Sum},
    terms::Terms,
    values::ComposedLine,
};
use crate::engine::contour::{bound::log_kappa, line_plan::LinePlan};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1},
};
use std::f64::consts::{PI, TAU};

/// The error terms of an integral that are known before it is summed.
struct Doubt {
    /// `M(c)e^{−cε}`.
    scale: Enclosure,
    /// What a summand of 1 is in δ, at most.
    unit: f64,
    /// What the rounding of exponents does to the sum.
    exponents: f64,
    /// What the errors of the terms make in δ.
    quadrature: f64,
}

impl ComposedLine {
    /// `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]`.
    ///
    /// # Guarantee
    /// The infinite trapezoidal sum is `Σ_m e^{cBm} g(ε + Bm)`, `B = 2π/h`: at least g(ε), and above it by at most
    /// `g₀/(e^{cB} − 1) + κ(λ) M(λ) e^{−λε}/(e^{(λ−c)B} − 1)` with `κ(λ) = λ^λ/(1+λ)^{1+λ}` and `g ≤ g₀ ≤ 1`. The terms beyond the last point
    /// sum to at most `(1/π) ∫ E(t) dt/t²` from there on, E being a decreasing bound of `|M|`. Every term has its own error.
    pub(crate) fn integral(&self, epsilon: f64) -> Integral {
        self.sum(epsilon).above_by(self.aliasing(epsilon))
    }

    /// The trapezoidal sum of `(1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1))`, and what of it is in doubt.
    pub(crate) fn sum(&self, epsilon: f64) -> Sum {
        let scale = self.doubt(&self.terms, epsilon).scale;
        Sum { truncation: self.truncation(epsilon, scale), ..self.sum_of(&self.terms, epsilon) }
    }

    /// The sum of finitely many terms.
    pub(super) fn sum_of(&self, terms: &Terms, epsilon: f64) -> Sum {
        let step = self.plan.step;
        let (sum, rounding) = terms.values.real_part(epsilon * step);
        let Doubt { scale, unit, exponents, quadrature } = self.doubt(terms, epsilon);
        let value = Enclosure::point(sum)
            * scale
            * (Enclosure::point(step) / Enclosure::new(PI.next_down(), PI.next_up()));
        let roundoff = (rounding + exponents) * unit + 0.5 * value.width() + 1e-320;
        Sum { value, roundoff, quadrature, truncation: 0.0 }
    }

    /// What its errors leave in doubt at least, without the sum.
    pub(crate) fn width_without_sum(&self, epsilon: f64) -> f64 {
        let Doubt { scale, quadrature, .. } = self.doubt(&self.terms, epsilon);
        2.0 * (self.truncation(epsilon, scale) + quadrature)
    }

    /// What of the error is known without the sum.
    fn doubt(&self, terms: &Terms, epsilon: f64) -> Doubt {
        let LinePlan { tilt, step, .. } = self.plan;
        let highest = self.values[0].re - tilt * epsilon;
        // The exponents are rounded: c ε, ε t, and their sums.
        let exponents =
            UNIT_ROUNDOFF * (4.0 * epsilon.abs() * terms.spread + (4.0 * highest.abs() + 2.0) * terms.mass);
        let scale = Enclosure::point(highest).exp();
        let unit = scale.upper() * step / PI * (1.0 + 1e-12);
        Doubt { scale, unit, exponents, quadrature: terms.error * unit }
    }

    /// What is beyond the last point.
    fn truncation(&self, epsilon: f64, scale: Enclosure) -> f64 {
        let tilt = self.plan.tilt;
        let highest = self.values[0].re - tilt * epsilon;
        let slack = 1e-15 * (self.log_tail.abs() + (tilt * epsilon).abs() + highest.abs()) + 1e-9;
        let tail = exp(self.log_tail - tilt * epsilon - highest + slack);
        tail * scale.upper() * (1.0 + 1e-12)
    }

    /// What the sum may exceed g(ε) by.
    pub(super) fn aliasing(&self, epsilon: f64) -> f64 {
        let LinePlan { tilt, step, beyond, .. } = self.plan;
        if !(tilt > 0.0 && beyond > tilt) {
            return f64::INFINITY;
        }
        let period = TAU / step * (1.0 - 1e-15);
        let below = repeated(self.log_most, tilt * period);
        let size = self.log_beyond.abs() + (beyond * epsilon).abs();
        let log = log_kappa(beyond) + self.log_beyond - beyond * epsilon + 8.0 * UNIT_ROUNDOFF * size;
        let above = repeated(log, (beyond - tilt) * period);
        (below + above) * (1.0 + 1e-9)
    }
}

/// `Σ e^{log − m·fall}` over m = 1, 2, …, or a little more. `e^{fall}` may overflow.
pub(crate) fn repeated(log: f64, fall: f64) -> f64 {
    let slack = 1e-15 * (log.abs() + fall) + 1e-9;
    exp(log - fall + slack) / -expm1(-fall * (1.0 - 1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        curve::PrivacyProfile,
        engine::{
            closed_form::ClosedForm,
            contour::{bound::Envelope, factors::Factors, line::Exactness},
        },
        pair::LossLaw,
    };
    use hockeystick_numerics::ball::Ball;
    use proptest::prelude::*;

    fn normal_line(variance: f64, plan: LinePlan) -> ComposedLine {
        let factors = Factors::of_normal(variance, 0.0);
        let envelope = Envelope::new(&factors, plan.tilt, std::iter::empty());
        ComposedLine::new(&factors, envelope, plan, Exactness::of(3e-10)).unwrap()
    }

    fn encloses(variance: f64, plan: LinePlan, epsilon: f64) -> (Enclosure, Enclosure) {
        let law = LossLaw::Normal { mu_squared: Ball::from(variance) };
        let truth = ClosedForm::compose(vec![(law, 1)]).unwrap().delta(epsilon).delta.value();
        (normal_line(variance, plan).integral(epsilon).bounds, truth)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// A plan may be as bad as it likes, and ε far from the one it was made for.
        #[test]
        fn every_line_gives_a_valid_bound(
            log_variance in -12f64..8.0,
            deviations in 0.1f64..40.0,
            farther in 0.0f64..30.0,
            period in 0.5f64..60.0,
            points in 2usize..60,
            at in -3f64..45.0,
        ) {
            let variance = exp(log_variance);
            let deviation = variance.sqrt();
            let plan = LinePlan {
                tilt: deviations / deviation,
                step: TAU / (period * deviation),
                points,
                beyond: (deviations + farther) / deviation,
                expected_width: 1.0,
            };
            let epsilon = (at * deviation + 0.5 * variance).max(0.0);
            let (bounds, truth) = encloses(variance, plan, epsilon);
            prop_assert!(
                bounds.lower() <= truth.upper() && truth.lower() <= bounds.upper(),
                "{bounds:?} misses {truth:?}"
            );
        }
    }

    /// `e^{(λ−c)B}` overflows here, and the law still wraps around by more than a thousandth.
    #[test]
    fn an_overflow_is_not_taken_for_no_aliasing() {
        let plan = LinePlan { tilt: 1.0, step: TAU / 698.0, points: 3000, beyond: 2.02, expected_width: 1.0 };
        let line = normal_line(277.0, plan);
        let wrapped = |m: f64| {
            let law = LossLaw::Normal { mu_squared: Ball::from(277.0) };
            let there = ClosedForm::compose(vec![(law, 1)]).unwrap().delta(698.0 * m).delta.value();
            // e^{cBm} in two factors, neither of which overflows.
            there.midpoint() * exp(349.0 * m) * exp(349.0 * m)
        };
        assert!(line.aliasing(0.0) >= wrapped(1.0), "{:e} < {:e}", line.aliasing(0.0), wrapped(1.0));
    }

    /// At δ = 10⁻³⁰⁵, `e^{cB}` overflows too, and its inverse is a visible part of δ.
    #[test]
    fn tiny_aliases_are_counted() {
        let plan = LinePlan { tilt: 30.0, step: TAU / 24.0, points: 300, beyond: 60.0, expected_width: 1.0 };
        assert!(normal_line(1.0, plan).aliasing(37.0) >= 2.0e-313);
    }

    /// `λ ≤ c` proves nothing about losses beyond a period.
    #[test]
    fn a_line_without_room_on_its_right_says_nothing() {
        for beyond in [0.5, 1.0] {
            let plan = LinePlan { tilt: 1.0, step: 0.5, points: 100, beyond, expected_width: 1.0 };
            assert_eq!(normal_line(1.0, plan).aliasing(1.0), f64::INFINITY);
        }
    }
}
