//! Gaussian noise on a sum that moves by a random amount: `Σ wᵢ N(aᵢ, σ²)` against `N(0, σ²)`.

use super::{
    DominatingPair, Panel, Quadratic, RatioLaw, SharedPair, Tails,
    gaussian::log_standard_density,
    loss_law::normal::{density, upper_tail},
};
use crate::mechanism::GaussianMixture;
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    mills::{mills_ratio, mills_ratio_drop},
    probability::Probability,
    roots::{Tolerance, bracketed_root},
};
use std::{ops::RangeInclusive, sync::Arc};

/// In units of σ: `P = Σ wᵢ N(aᵢ, 1)`, `Q = N(0, 1)`, `aᵢ ≥ 0`, or the two swapped.
///
/// The ratio `r(x) = Σ wᵢ e^{aᵢx − aᵢ²/2}` increases, so events `L > ε` are half-lines that end where `r(x) = e^ε`.
#[derive(Clone, Debug)]
struct MixturePair {
    /// `(wᵢ, aᵢ)`, the weights divided by their sum.
    terms: Vec<(Ball, Ball)>,
    /// Is it `(Q, P)`?
    swapped: bool,
}

pub(super) fn pair(mixture: &GaussianMixture) -> SharedPair {
    let total = mixture.weights().iter().fold(Ball::ZERO, |sum, &w| sum + Ball::from(w));
    let terms = (mixture.weights().iter().zip(mixture.shifts()))
        .filter(|(weight, _)| **weight > 0.0)
        .map(|(&w, &a)| (Ball::from(w) / total, Ball::from(a) / Ball::from(mixture.sigma())))
        .collect();
    Arc::new(MixturePair { terms, swapped: false })
}

/// Where the ratio crosses a level.
#[derive(Clone, Copy)]
enum Crossing {
    /// The ratio is above the level everywhere.
    Below,
    /// The ratio is below the level everywhere.
    Above,
    /// The ratio crosses within the ball.
    At(Ball),
    /// The ratio crosses beyond all doubles on the left, or the shifts are: next to nothing is below the level.
    FarBelow,
    /// The same on the right: next to nothing is above the level.
    FarAbove,
}

/// What is beyond all doubles, and a δ from shifts that are.
fn next_to_nothing() -> Enclosure {
    Enclosure::new(0.0, 1e-319)
}

impl MixturePair {
    /// `e^{−level}·r(x) − 1`.
    fn excess(&self, level: Ball, x: Ball) -> Ball {
        let half = Ball::from(0.5);
        let ratio = (self.terms.iter())
            .fold(Ball::ZERO, |sum, &(w, a)| sum + w * (a * x - a * a * half - level).exp());
        ratio - Ball::ONE
    }

    /// A ball that is proven to hold the `x` with `r(x) = e^level`.
    fn crossing(&self, level: Ball) -> Crossing {
        let moving: Vec<_> = self.terms.iter().filter(|(_, a)| *a != Ball::ZERO).collect();
        let still =
            (self.terms.iter()).filter(|(_, a)| *a == Ball::ZERO).fold(Ball::ZERO, |sum, &(w, _)| sum + w);
        // r decreases to the weight at 0 for x → −∞.
        let floor = (still.ln() - level).enclosure();
        if still != Ball::ZERO && floor.lower() >= 0.0 {
            return Crossing::Below;
        }
        if moving.is_empty() {
            return Crossing::Above;
        }
        // Each term alone reaches the level at (level − ln w)/a + a/2; the sum does so earlier, but not before the
        // earliest of the terms would with all the weight there is.
        let half = Ball::from(0.5);
        let reach = |w: Ball, a: Ball| ((level - w.ln()) / a + a * half).approximate();
        let highest = moving.iter().map(|&&(w, a)| reach(w, a)).fold(f64::INFINITY, f64::min);
        let lowest = moving.iter().map(|&&(_, a)| reach(Ball::ONE, a)).fold(f64::INFINITY, f64::min);
        let sloppy = |x: f64| self.excess(level, Ball::from(x)).approximate();
        // A step that far levels do not swallow.
        let margin = 1f64.max(1e-12 * lowest.abs().max(highest.abs()));
        let (mut low, mut step) = (lowest.min(highest) - margin, margin);
        while sloppy(low) > 0.0 && low > -1e4 {
            low -= step;
            step *= 2.0;
        }
        let Ok(root) = bracketed_root(sloppy, low, highest + margin, Tolerance::relative(4e-16)) else {
            return if sloppy(low) > 0.0 {
                Crossing::Below
            } else if level.enclosure().upper() <= 0.0 {
                Crossing::FarBelow
            } else {
                Crossing::FarAbove
            };
        };
        let x = root.lower;
        // Outward until both signs are proven.
        for i in 0..60 {
            let step = x.abs().max(1e-3) * f64::EPSILON * 2f64.powi(i);
            let (before, after) = (x - step, root.upper + step);
            if self.excess(level, Ball::from(before)).enclosure().upper() < 0.0
                && self.excess(level, Ball::from(after)).enclosure().lower() > 0.0
            {
                let middle = 0.5 * (before + after);
                let reach = (after - before) * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE;
                return Crossing::At(Ball::new(Ball::from(middle).midpoint(), reach));
            }
        }
        Crossing::At(Ball::new(Ball::from(x).midpoint(), f64::INFINITY))
    }

    /// `∫ (p − e^ε q)₊` at the point `x̂` of a ball around the crossing `x*`.
    ///
    /// At `x̂` exactly, `P(X > x̂) − e^ε Q(X > x̂) = Σ wᵢ φ(x̂ − aᵢ)(R(x̂ − aᵢ) − R(x̂)) + R(x̂)(p(x̂) − e^ε q(x̂))`. It is at
    /// most δ, and short of it by at most `|x̂ − x*|·|p(x̂) − e^ε q(x̂)|`, up to the growth of `q` in between.
    fn forward(&self, epsilon: Ball, ball: Ball) -> Probability {
        let x = Ball::from(ball.approximate());
        let half = Ball::from(0.5);
        let gain = self.terms.iter().fold(Enclosure::ZERO, |sum, &(w, a)| {
            if a == Ball::ZERO {
                sum
            } else {
                sum + w.enclosure() * density(x - a) * mills_ratio_drop(x - a * half, a)
            }
        });
        let odds = epsilon.exp_enclosure();
        let residual = self.excess(epsilon, x).enclosure() * magnified_density(x, epsilon);
        let slack = shortfall(residual, x, ball);
        let value = gain + mills_ratio(x) * residual + slack;
        let complement = odds * upper_tail(x).value()
            + (self.terms.iter())
                .fold(Enclosure::ZERO, |sum, &(w, a)| sum + w.enclosure() * upper_tail(x - a).complement())
            - slack;
        Probability::from_both(value.clamp(0.0, 1.0), complement.clamp(0.0, 1.0))
    }

    /// `∫ (q − e^ε p)₊`, where the crossing is at the level `−ε`: with everything reflected,
    /// `Q(X < x̂) − e^ε P(X < x̂) = e^ε Σ wᵢ φ(x̂ − aᵢ)(R(−x̂) − R(aᵢ − x̂)) + R(−x̂)(q(x̂) − e^ε p(x̂))`.
    fn backward(&self, epsilon: Ball, ball: Ball) -> Probability {
        let x = Ball::from(ball.approximate());
        let half = Ball::from(0.5);
        let odds = epsilon.exp_enclosure();
        let gain = self.terms.iter().fold(Enclosure::ZERO, |sum, &(w, a)| {
            if a == Ball::ZERO {
                sum
            } else {
                sum + w.enclosure() * magnified_density(x - a, epsilon) * mills_ratio_drop(a * half - x, a)
            }
        });
        let residual = -self.excess(-epsilon, x).enclosure() * density(x);
        let slack = shortfall(residual, x, ball);
        let value = gain + mills_ratio(-x) * residual + slack;
        let missed = (self.terms.iter())
            .fold(Enclosure::ZERO, |sum, &(w, a)| sum + w.enclosure() * upper_tail(x - a).complement());
        let complement = upper_tail(x).value() + odds * missed - slack;
        Probability::from_both(value.clamp(0.0, 1.0), complement.clamp(0.0, 1.0))
    }

    /// `P(X > x)` and `Q(X > x)` over a ball of `x`.
    fn beyond(&self, x: Ball) -> (Probability, Probability) {
        let p = self.terms.iter().fold((Enclosure::ZERO, Enclosure::ZERO), |(value, complement), &(w, a)| {
            let tail = upper_tail(x - a);
            (value + w.enclosure() * tail.value(), complement + w.enclosure() * tail.complement())
        });
        (Probability::from_both(p.0, p.1), upper_tail(x))
    }
}

/// `e^ε φ(x)`, which may be of ordinary size where `φ(x)` is below all doubles.
fn magnified_density(x: Ball, epsilon: Ball) -> Enclosure {
    (epsilon - x * x * Ball::from(0.5)).exp_enclosure() / Enclosure::SQRT_TWO_PI
}

/// What is lost by cutting at `x` instead of at the crossing, which is in `ball`.
fn shortfall(residual: Enclosure, x: Ball, ball: Ball) -> Enclosure {
    let distance = ball.radius();
    let height = residual.upper().max(-residual.lower());
    // q changes by at most e^{|x|d + d²/2} over a distance d.
    let growth = Enclosure::point(x.approximate().abs() * distance + distance * distance).exp().upper();
    Enclosure::new(0.0, 2.0 * distance * height * growth)
}

impl DominatingPair for MixturePair {
    fn delta(&self, epsilon: Ball) -> Probability {
        if !epsilon.is_finite() {
            return Probability::UNKNOWN;
        }
        let everything = || Probability::from_both(-epsilon.enclosure().exp_m1(), epsilon.exp_enclosure());
        let next_to = |p: Probability| {
            Probability::from_both(p.value() + next_to_nothing(), p.complement() - next_to_nothing())
        };
        match (self.swapped, self.crossing(if self.swapped { -epsilon } else { epsilon })) {
            (false, Crossing::At(x)) => self.forward(epsilon, x),
            (true, Crossing::At(x)) => self.backward(epsilon, x),
            (false, Crossing::Below) | (true, Crossing::Above) => everything(),
            (false, Crossing::Above) | (true, Crossing::Below) => Probability::ZERO,
            (false, Crossing::FarAbove) | (true, Crossing::FarBelow) => next_to(Probability::ZERO),
            (false, Crossing::FarBelow) | (true, Crossing::FarAbove) => next_to(everything()),
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        if !epsilon.is_finite() {
            return Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN };
        }
        let all = Tails { p: Probability::ZERO.opposite(), q: Probability::ZERO.opposite() };
        let rest = Probability::from_value(next_to_nothing());
        let none = Tails { p: Probability::ZERO, q: Probability::ZERO };
        match (self.swapped, self.crossing(if self.swapped { -epsilon } else { epsilon })) {
            (false, Crossing::At(x)) => {
                let (p, q) = self.beyond(x);
                Tails { p, q }
            }
            (true, Crossing::At(x)) => {
                let (p, q) = self.beyond(x);
                Tails { p: q.opposite(), q: p.opposite() }
            }
            (false, Crossing::Below) | (true, Crossing::Above) => all,
            (false, Crossing::Above) | (true, Crossing::Below) => none,
            (false, Crossing::FarAbove) | (true, Crossing::FarBelow) => Tails { p: rest, q: rest },
            (false, Crossing::FarBelow) | (true, Crossing::FarAbove) => {
                Tails { p: rest.opposite(), q: rest.opposite() }
            }
        }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let still =
            (self.terms.iter()).filter(|(_, a)| *a == Ball::ZERO).fold(Ball::ZERO, |sum, &(w, _)| sum + w);
        let moves = self.terms.iter().any(|(_, a)| *a != Ball::ZERO);
        let lowest =
            if still == Ball::ZERO { Enclosure::point(f64::NEG_INFINITY) } else { still.ln().enclosure() };
        let highest = if moves { Enclosure::point(f64::INFINITY) } else { Enclosure::ZERO };
        if self.swapped { -highest..=-lowest } else { lowest..=highest }
    }

    fn ratio_law(&self) -> RatioLaw {
        let ratio = (self.terms.iter())
            .map(|&(w, a)| {
                let shift = a.approximate();
                (w.approximate(), Quadratic { constant: -0.5 * shift * shift, linear: shift, square: 0.0 })
            })
            .collect();
        let line =
            Panel { from: f64::NEG_INFINITY, to: f64::INFINITY, log_q: log_standard_density(1.0), ratio };
        RatioLaw { panels: vec![line], swapped: self.swapped, ..RatioLaw::default() }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self { terms: self.terms.clone(), swapped: !self.swapped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Mechanism;

    /// Shifts of 10⁻⁶⁰⁰ deviations were taken for none at all, and a δ of 0 was certified.
    #[test]
    fn a_shift_below_all_doubles_is_a_shift() {
        let text = "gaussian_mixture(sigma=1e300, shifts=\"0,1e-300\", weights=\"0.5,0.5\")";
        let Mechanism::GaussianMixture(mixture) = text.parse().unwrap() else { panic!("{text}") };
        let (pair, dual) = (pair(&mixture), pair(&mixture).dual());
        // No loss of the dual is above ln 2.
        for (pair, epsilon) in [(&pair, 0.0), (&pair, 1.0), (&pair, 1e300), (&dual, 0.0), (&dual, 0.5)] {
            let delta = pair.delta(Ball::from(epsilon)).value();
            assert!(delta.lower() == 0.0 && delta.upper() > 0.0 && delta.upper() < 1e-300, "{delta:?}");
            // The same below 0: H_α = 1 − α and next to nothing.
            let below = pair.delta(Ball::from(-0.5)).value();
            assert!(below.contains(-(-0.5f64).exp_m1()) && below.width() < 1e-15, "{below:?}");
        }
    }
}
