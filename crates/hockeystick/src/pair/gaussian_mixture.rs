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
    special::{ln, log_sum_exp},
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

/// The pair with these weights, which add up to 1, and shifts in units of σ.
pub(super) fn of_terms(terms: Vec<(Ball, Ball)>) -> SharedPair {
    Arc::new(MixturePair { terms, swapped: false })
}

/// Where the ratio crosses a level.
#[derive(Clone, Copy)]
enum Crossing {
    /// The ratio is above the level everywhere.
    Below,
    /// There are no shifts, or all are below all doubles: both laws are the same but for as little.
    Nowhere,
    /// The ratio crosses within the ball.
    At(Ball),
    /// All that is proven: it crosses between these two.
    Between(f64, f64),
}

/// Logarithms nearer to the level than this are looked at with 106 bits.
const NEAR: f64 = 1e-3;

/// What shifts below all doubles can change.
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
        if moving.iter().all(|(_, a)| a.approximate() == 0.0) {
            return Crossing::Nowhere;
        }
        // r decreases to the weight at 0 for x → −∞.
        let floor = (still.ln() - level).enclosure();
        if still != Ball::ZERO && floor.lower() >= 0.0 {
            return Crossing::Below;
        }
        // One shift alone reaches the level at (level − ln w)/a + a/2; the sum does so earlier. It does not before the earliest of
        // the shifts would with all the weight there is, to what the level leaves above the weight at 0.
        let alone = |level: Ball, w: Ball, a: Ball| ((level - w.ln()) / a + a * Ball::from(0.5)).enclosure();
        let rest = match still {
            Ball::ZERO => level,
            _ => ((level.exp() - still) / (Ball::ONE - still)).ln(),
        };
        let earliest = moving.iter().map(|&&(_, a)| alone(rest, Ball::ONE, a).lower());
        let (lowest, highest) = (
            earliest.fold(f64::INFINITY, f64::min),
            moving.iter().map(|&&(w, a)| alone(level, w, a).upper()).fold(f64::INFINITY, f64::min),
        );
        self.searched(level, lowest, highest).unwrap_or(Crossing::Between(lowest, highest))
    }

    /// The crossing between two numbers, if it is found and proven.
    fn searched(&self, level: Ball, lowest: f64, highest: f64) -> Option<Crossing> {
        // Far from the crossing `r` overflows, its logarithm does not.
        let logs: Vec<(f64, f64)> =
            self.terms.iter().map(|(w, a)| (ln(w.approximate()), a.approximate())).collect();
        let log_excess = |x: f64| {
            let terms: Vec<f64> = logs.iter().map(|(log, a)| log + a * (x - 0.5 * a)).collect();
            log_sum_exp(&terms) - level.approximate()
        };
        let sloppy = |x: f64| {
            let far = log_excess(x);
            if far.abs() < NEAR { self.excess(level, Ball::from(x)).approximate() } else { far }
        };
        // A step that far levels do not swallow.
        let margin = |x: f64| 1f64.max(1e-12 * x.abs());
        let high = highest + margin(highest);
        let mut low = if lowest.is_finite() { lowest - margin(lowest) } else { high - margin(high) };
        let mut step = margin(low);
        while sloppy(low) > 0.0 && low.is_finite() {
            low -= step;
            step *= 2.0;
        }
        let root = bracketed_root(sloppy, low, high, Tolerance::relative(4e-16)).ok()?;
        let x = root.lower;
        // Outward until both signs are proven.
        (0..60).find_map(|i| {
            let step = x.abs().max(1e-3) * f64::EPSILON * 2f64.powi(i);
            let (before, after) = (x - step, root.upper + step);
            let is_proven = self.excess(level, Ball::from(before)).enclosure().upper() < 0.0
                && self.excess(level, Ball::from(after)).enclosure().lower() > 0.0;
            is_proven.then(|| {
                let middle = 0.5 * (before + after);
                let reach = (after - before) * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE;
                Crossing::At(Ball::new(Ball::from(middle).midpoint(), reach))
            })
        })
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
        let residual = self.excess(epsilon, x).enclosure() * magnified_density(x, epsilon);
        let slack = shortfall(residual, x, ball);
        let value = gain + mills_ratio(x) * residual + slack;
        let complement = magnified_tail(x, epsilon)
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
            .fold(Enclosure::ZERO, |sum, &(w, a)| sum + w.enclosure() * magnified_tail(a - x, epsilon));
        let complement = upper_tail(x).value() + missed - slack;
        Probability::from_both(value.clamp(0.0, 1.0), complement.clamp(0.0, 1.0))
    }

    /// How far apart the laws are at most, where all shifts are below all doubles.
    fn rest(&self) -> Enclosure {
        let has_shifts = self.terms.iter().any(|(_, a)| *a != Ball::ZERO);
        if has_shifts { next_to_nothing() } else { Enclosure::ZERO }
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

/// `e^ε P(X > x)` under N(0, 1), the same.
fn magnified_tail(x: Ball, epsilon: Ball) -> Enclosure {
    if x.approximate() >= 0.0 {
        magnified_density(x, epsilon) * mills_ratio(x)
    } else {
        epsilon.exp_enclosure() * upper_tail(x).value()
    }
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
        // (1 − e^ε)₊, which is δ of equal laws, and at most δ of any.
        let least = Probability::from_both(-epsilon.enclosure().exp_m1(), epsilon.exp_enclosure());
        let up_to = |most: Enclosure| {
            let lower = least.value().lower();
            Probability::from_value(Enclosure::new(lower, most.upper().max(lower)))
        };
        match (self.swapped, self.crossing(if self.swapped { -epsilon } else { epsilon })) {
            (false, Crossing::At(x)) => self.forward(epsilon, x),
            (true, Crossing::At(x)) => self.backward(epsilon, x),
            (false, Crossing::Below) => least,
            (true, Crossing::Below) => Probability::ZERO,
            // H(P‖Q) is at most H(Q‖Q) and the distance of P and Q.
            (_, Crossing::Nowhere) => {
                Probability::from_both(least.value() + self.rest(), least.complement() - self.rest())
            }
            (false, Crossing::Between(low, _)) => up_to(self.beyond(Ball::from(low)).0.value()),
            (true, Crossing::Between(_, high)) => up_to(self.beyond(Ball::from(high)).1.complement()),
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let unknown = Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN };
        if !epsilon.is_finite() {
            return unknown;
        }
        let all = Tails { p: Probability::ZERO.opposite(), q: Probability::ZERO.opposite() };
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
            (false, Crossing::Below) => all,
            (true, Crossing::Below) => none,
            // Every loss is 0.
            (_, Crossing::Nowhere) if self.rest() == Enclosure::ZERO => {
                if epsilon.enclosure().lower() >= 0.0 {
                    none
                } else if epsilon.enclosure().upper() < 0.0 {
                    all
                } else {
                    unknown
                }
            }
            (_, Crossing::Nowhere | Crossing::Between(..)) => unknown,
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

    /// `P(X > ε/μ − μ/2) − e^ε P(X > ε/μ + μ/2)` for a single shift μ of 710 and more, where `r` overflows one step off its crossing: a δ of 0
    /// was certified there.
    #[test]
    fn large_shifts_are_shifts() {
        for (shift, gaussian) in [("709", 709.0), ("710", 710.0), ("5000", 5000.0), ("1e150", 1e150)] {
            let text = format!("gaussian_mixture(sigma=1, shifts=\"{shift}\", weights=\"1\")");
            let Mechanism::GaussianMixture(mixture) = text.parse().unwrap() else { panic!("{text}") };
            let (pair, dual) = (pair(&mixture), pair(&mixture).dual());
            for loss in [0.0, 1.0, 0.4 * gaussian * gaussian, 0.5 * gaussian * gaussian] {
                let truth = super::super::loss_law::normal::delta(Ball::from(gaussian), Ball::from(loss));
                for pair in [&pair, &dual] {
                    let delta = pair.delta(Ball::from(loss));
                    assert!(delta.value().overlaps(truth.value()), "{text} at {loss}: {delta:?} {truth:?}");
                    assert!(gaussian > 1e10 || delta.value().width() < 1e-6, "{text} at {loss}: {delta:?}");
                }
            }
        }
        let half = "gaussian_mixture(sigma=1, shifts=\"0,710\", weights=\"0.5,0.5\")";
        let Mechanism::GaussianMixture(mixture) = half.parse().unwrap() else { panic!("{half}") };
        for (pair, epsilon) in [(pair(&mixture), 0.0), (pair(&mixture), 1.0), (pair(&mixture).dual(), 0.0)] {
            let delta = pair.delta(Ball::from(epsilon)).value();
            assert!(delta.contains(0.5) && delta.width() < 1e-12, "{epsilon}: {delta:?}");
        }
    }

    /// The ratio falls to its smallest value, the weight at 0, so far out that it was taken not to reach the level: a δ of 0.
    #[test]
    fn a_crossing_far_out_is_one() {
        let text = "gaussian_mixture(sigma=1, shifts=\"0,1e-4\", weights=\"0.5,0.5\")";
        let Mechanism::GaussianMixture(mixture) = text.parse().unwrap() else { panic!("{text}") };
        for epsilon in [0.69, 0.693] {
            let delta = pair(&mixture).dual().delta(Ball::from(epsilon)).value();
            assert!(delta.lower() == 0.0 && delta.upper() > 0.0 && delta.upper() < 1e-300, "{delta:?}");
        }
        // No loss of the dual is above ln 2.
        assert_eq!(pair(&mixture).dual().delta(Ball::from(0.7)).value(), Enclosure::ZERO);
    }
}
