//! A mechanism that hockeystick has never heard of: logistic noise.
//!
//!     cargo run --example custom_pair
//!
//! Whoever knows the worst-case pair of a mechanism can account for it: implement [`DominatingPair`], compose it with an
//! engine, and ask for ε. Answers are as certain as those of the mechanisms that are built in.

#![allow(clippy::print_stdout, reason = "this is what an example is for")]

use hockeystick::{
    curve::PairProfile,
    engine::{Goal, lattice::Lattice},
    pair::{DominatingPair, Panel, Quadratic, RatioLaw, SharedPair, Tails},
    query::smallest_epsilon,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// A sum released with logistic noise, of density `e^{−x/b}/(b(1 + e^{−x/b})²)`, when one record moves it by up to `s`.
///
/// Only `d = s/b` matters. With `P` around `s` and `Q` around 0, the loss grows from −d to d, and
///
/// ```text
/// P(L > ε) = (1 − c)/(1 − e^{−d}),   Q(L > ε) = e^{−ε}·c·P(L > ε),   δ(ε) = (1 − c)·P(L > ε),   c = e^{(ε−d)/2},   |ε| ≤ d
/// ```
#[derive(Clone, Copy, Debug)]
struct Logistic {
    distance: Ball,
}

impl Logistic {
    fn new(scale: f64, sensitivity: f64) -> Self {
        // Balls carry what rounding may have changed: the quotient of the two doubles is inside.
        Self { distance: Ball::from(sensitivity) / Ball::from(scale) }
    }

    /// `1 − c`, clamped: 0 from the largest loss on, `1 − e^{−d}` up to the smallest.
    fn missing(self, epsilon: Ball) -> Enclosure {
        let half = Ball::from(0.5) * (epsilon - self.distance);
        (-half.exp_m1_enclosure()).clamp(0.0, self.normaliser().upper())
    }

    /// `1 − e^{−d}`.
    fn normaliser(self) -> Enclosure {
        -(-self.distance).exp_m1_enclosure()
    }
}

impl DominatingPair for Logistic {
    fn delta(&self, epsilon: Ball) -> Probability {
        if (epsilon + self.distance).enclosure().lower() < 0.0 {
            // Below the smallest loss P(L > ε) = Q(L > ε) = 1; around it 1 − e^ε ≤ δ ≤ 1 − e^{−d}.
            let everything = Probability::from_both(-epsilon.exp_m1_enclosure(), epsilon.exp_enclosure());
            if (epsilon + self.distance).enclosure().upper() <= 0.0 {
                return everything;
            }
            let there = -(-self.distance).exp_m1_enclosure();
            return Probability::from_value(everything.value().hull(there));
        }
        let missing = self.missing(epsilon);
        Probability::from_value(missing * missing / self.normaliser())
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let p = Probability::from_value(self.missing(epsilon) / self.normaliser());
        // The swapped pair is the pair itself mirrored: Q(L > ε) = 1 − P(L > −ε), there being no atoms.
        let q = Probability::from_value(self.missing(-epsilon) / self.normaliser()).opposite();
        Tails { p, q }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        -self.distance.enclosure()..=self.distance.enclosure()
    }

    /// In the coordinate `x = (L + d)/2` of `[0, d]`, `Q` has the density `e^{−x}/(1 − e^{−d})` and the ratio is `e^{2x − d}`.
    /// (A ratio of another kind is none of this: return [`RatioLaw::unknown`], and answers rest on `delta` and `tails`.)
    fn ratio_law(&self) -> RatioLaw {
        let d = self.distance.approximate();
        let log_normaliser = (-(-self.distance).exp_m1()).ln().approximate();
        let panel = Panel {
            from: 0.0,
            to: d,
            log_q: Quadratic { constant: -log_normaliser, linear: -1.0, square: 0.0 },
            ratio: vec![(1.0, Quadratic { constant: -d, linear: 2.0, square: 0.0 })],
        };
        RatioLaw { panels: vec![panel], ..RatioLaw::default() }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(*self)
    }

    fn is_self_dual(&self) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pair: SharedPair = Arc::new(Logistic::new(10.0, 1.0));

    let (once, _) = smallest_epsilon(&PairProfile::new(Arc::clone(&pair)), 1e-6);
    println!("one release:    ε between {} and {}", once.lower(), once.upper());

    // The pair is its own dual: one direction is enough. Otherwise compose both, and take the larger ε.
    let composed = Lattice::compose(&[(Arc::clone(&pair), 200)], Goal::Epsilon { delta: 1e-6 }, 1e-4)?;
    let (often, _) = smallest_epsilon(&composed, 1e-6);
    println!("200 releases:   ε between {} and {}", often.lower(), often.upper());

    let class = pair.inner().class().ok_or("no loss is finite")?;
    println!(
        "each loss has mean {:e} and variance {:e}",
        class.inner.mean.midpoint(),
        class.inner.variance.midpoint()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick::mechanism::Mechanism;
    use num_complex::Complex;

    fn logistic(distance: f64) -> SharedPair {
        Arc::new(Logistic::new(1.0, distance))
    }

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }

    /// `δ(ε) = ∫ (p − e^ε q)₊` by the midpoint rule, from the densities.
    #[test]
    fn the_curve_is_that_of_the_densities() {
        let density = |x: f64| (0.5 * x).cosh().powi(-2) / 4.0;
        for (distance, epsilon) in [(0.1, 0.0), (1.0, -0.5), (1.0, 0.3), (1.0, -2.0), (3.0, 2.9), (3.0, 3.5)]
        {
            let step = 1e-3;
            let sum: f64 = (-60_000..60_000)
                .map(|i| (f64::from(i) + 0.5) * step)
                .map(|x| (density(x - distance) - f64::exp(epsilon) * density(x)).max(0.0) * step)
                .sum();
            let found = logistic(distance).delta(Ball::from(epsilon)).value();
            assert!((found.midpoint() - sum).abs() < 1e-6, "{distance} at {epsilon}: {found:?} {sum}");
        }
    }

    /// The exponential mechanism with a bounded range has the same curve: what is built in is a second opinion.
    #[test]
    fn compositions_agree_with_the_exponential_mechanism() {
        let selections: Mechanism = "exponential(epsilon=0.1) * 200".parse().unwrap();
        let expected = hockeystick::epsilon(&selections, 1e-6).unwrap();
        let pair = [(logistic(0.1), 200)];
        let composed = Lattice::compose(&pair, Goal::Epsilon { delta: 1e-6 }, 1e-4).unwrap();
        let (found, shortfall) = smallest_epsilon(&composed, 1e-6);
        assert!(shortfall.is_none());
        assert!(found.lower() <= expected.upper() && expected.lower().unwrap() <= found.upper());
        assert!(found.width() < 1e-3 * found.upper(), "{found:?}");
    }

    /// The laws of pairs: `δ = P(L > ε) − e^ε Q(L > ε)`, and M(0) = M(−1) = 1.
    #[test]
    fn the_parts_fit_together() {
        for distance in [0.01, 1.0, 8.0] {
            let pair = logistic(distance);
            for step in -15..=15 {
                let epsilon = Ball::from(distance * f64::from(step) * 0.1);
                let tails = pair.tails(epsilon);
                let from_tails = tails.p.value() - epsilon.exp_enclosure() * tails.q.value();
                let delta = pair.delta(epsilon).value();
                assert!(delta.overlaps(from_tails), "{distance} at {epsilon:?}: {delta:?} {from_tails:?}");
                assert!(delta.width() < 1e-14);
            }
            for z in [0.0, -1.0] {
                let one = pair.mgf(Complex::new(z, 0.0)).unwrap();
                assert!(one.contains(Complex::ONE) && one.radius() < 1e-13, "{one:?}");
            }
        }
    }
}
