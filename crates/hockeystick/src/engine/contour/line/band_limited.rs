//! A line whose end needs no bound: two sums over its points enclose the integral, whatever `|M|` is beyond the last.

use super::{Exactness, integral::Integral, quiet::drawn_while_loud, terms::Terms, values::ComposedLine};
use crate::{
    curve::Budget,
    engine::contour::{factors::Factors, line_plan::LinePlan},
};
use hockeystick_numerics::{band_limited::Majorants, enclosure::Enclosure, special::modulus};
use num_complex::Complex;

/// A line with the terms of a band-limited function above the hockey stick, and those of one below.
#[derive(Debug)]
pub(crate) struct BandLimitedLine {
    line: ComposedLine,
    above: Terms,
    below: Terms,
    /// The share of pairs and points that were summed; at others the rest was small enough.
    pub(crate) summed: f64,
}

impl BandLimitedLine {
    /// Evaluates every factor along the line; `None` if a pair has no rule for it, or only one of too many nodes.
    pub(crate) fn new(factors: &Factors, plan: LinePlan, exactness: Exactness) -> Option<Self> {
        let (line, summed) = drawn_while_loud(factors, plan, exactness, exactness.log_quiet())?;
        let majorants = Majorants::new(plan.tilt, plan.step, plan.points);
        let (mut above, mut below) = (Terms::default(), Terms::default());
        for n in 0..plan.points {
            let (ratio, kernels) = (line.ratio(n), majorants.at(n));
            let size = modulus(Complex::new(plan.tilt, plan.step * n as f64));
            above.push(ratio, kernels.above.halved(n == 0), size);
            below.push(ratio, kernels.below.halved(n == 0), size);
        }
        Some(Self { line: line.without_values(), above: above.ended(), below: below.ended(), summed })
    }

    pub(crate) fn plan(&self) -> LinePlan {
        self.line.plan
    }

    /// `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]`.
    ///
    /// # Guarantee
    /// The periodic sum `Σ_m e^{cBm} g(ε + Bm)` lies between the two sums over the points, and is at least g(ε), above it by no more than the
    /// aliasing of any trapezoidal rule on this line. See `docs/design/majorants.md`.
    pub(crate) fn integral(&self, epsilon: f64) -> Integral {
        let above = self.line.sum_of(&self.above, epsilon).above_by(0.0);
        let below = self.line.sum_of(&self.below, epsilon).above_by(self.line.aliasing(epsilon));
        let (low, high) = (below.bounds.lower(), above.bounds.upper());
        let between = 0.5 * (above.bounds.midpoint() - below.bounds.midpoint());
        Integral {
            // Ends that cross would contradict each other: both are kept, so that the answer is wide.
            bounds: Enclosure::new(low.min(high), high.max(low)),
            budget: Budget { truncation: between.max(0.0), ..below.budget },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Atom, DiscretePair, SharedPair};
    use hockeystick_numerics::{
        ball::Ball,
        special::{exp, expm1},
    };
    use proptest::prelude::*;
    use std::{f64::consts::TAU, sync::Arc};

    /// The pair with these losses and with weights in proportion to these under Q; what is left of either law is impossible under the other.
    fn with_losses(outcomes: &[(f64, f64)]) -> SharedPair {
        let mass: f64 = outcomes.iter().map(|(loss, weight)| weight * (1.0 + exp(*loss))).sum();
        let atom = |&(loss, weight): &(f64, f64)| {
            let loss = Ball::from(loss);
            let q = Ball::from(weight / mass);
            Atom { loss, p: (q * loss.exp()).enclosure(), q: q.enclosure() }
        };
        let atoms: Vec<Atom> = outcomes.iter().map(atom).collect();
        let rest = |part: fn(&Atom) -> Enclosure| {
            atoms.iter().fold(Enclosure::ONE, |rest, atom| rest - part(atom)).clamp(0.0, 1.0)
        };
        let (infinite, vanishing) = (rest(|atom| atom.p), rest(|atom| atom.q));
        Arc::new(DiscretePair::new(atoms, infinite, vanishing).unwrap())
    }

    /// The sums of so many losses, with their masses under P.
    fn sums(outcomes: &[(f64, f64)], count: u64) -> Vec<(f64, f64)> {
        let mass: f64 = outcomes.iter().map(|(loss, weight)| weight * (1.0 + exp(*loss))).sum();
        let mut all = vec![(0.0, 1.0)];
        for _ in 0..count {
            let more = |&(sum, p): &(f64, f64)| {
                outcomes.iter().map(move |(loss, weight)| (sum + loss, p * weight / mass * exp(*loss)))
            };
            all = all.iter().flat_map(more).collect();
        }
        all
    }

    /// Losses anywhere, or next to the points of a lattice: there `|M|` comes back to its height again and again.
    fn outcomes() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let spacing = prop_oneof![Just(0.0), 0.05f64..1.0];
        let off = prop_oneof![Just(0.0), Just(1e-9), Just(1e-5), Just(1e-2)];
        (spacing, off, prop::collection::vec((-3f64..3.0, 0.001f64..1.0, -1f64..1.0), 2..6)).prop_map(
            |(spacing, off, drawn)| {
                let near = |loss: f64, way: f64| match spacing {
                    0.0 => loss,
                    spacing => (loss / spacing).round() * spacing + off * way,
                };
                drawn.into_iter().map(|(loss, weight, way)| (near(loss, way), weight)).collect()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// The trapezoidal sum over infinitely many points is `Σ_m e^{cBm} g(ε + Bm)`: a geometric series for each sum of losses.
        /// A few points enclose it, and g.
        #[test]
        fn few_points_enclose_the_sum_over_all(
            outcomes in outcomes(),
            count in 1u64..4,
            tilt in 0.05f64..12.0,
            period in 0.5f64..20.0,
            points in 1usize..400,
            epsilon in -2f64..9.0,
        ) {
            let factors = Factors::new(&[(with_losses(&outcomes), count)]);
            let plan = LinePlan {
                tilt,
                step: TAU / period,
                points,
                beyond: 1.5 * tilt + 0.5,
                expected_width: 1.0,
            };
            let period = TAU / plan.step;
            let line = BandLimitedLine::new(&factors, plan, Exactness::of(1e-9)).unwrap();
            let (mut infinite_sum, mut truth) = (0.0, 0.0);
            for (loss, p) in sums(&outcomes, count) {
                let beyond = loss - epsilon;
                let first = beyond.rem_euclid(period);
                let series = |rate: f64| exp(-rate * first) / -expm1(-rate * period);
                infinite_sum += p * exp(tilt * beyond) * (series(tilt) - series(tilt + 1.0));
                truth += p * (-expm1(-beyond)).max(0.0);
            }
            let scale = sums(&outcomes, count).iter().map(|(loss, p)| p * exp(tilt * (loss - epsilon))).sum::<f64>();
            let rounding = 1e-12 * (infinite_sum + scale / tilt);
            let high = line.line.sum_of(&line.above, epsilon);
            let high = high.value.upper() + high.roundoff + high.quadrature;
            let low = line.line.sum_of(&line.below, epsilon);
            let low = low.value.lower() - low.roundoff - low.quadrature;
            prop_assert!(low <= infinite_sum + rounding, "{low:e} above {infinite_sum:e}");
            prop_assert!(high >= infinite_sum - rounding, "{high:e} below {infinite_sum:e}");
            let found = line.integral(epsilon).bounds;
            prop_assert!(found.lower() <= truth + 1e-13 && truth - 1e-13 <= found.upper(), "{found:?} misses {truth:e}");
        }
    }
}
