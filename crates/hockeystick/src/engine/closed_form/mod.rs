//! The engine of closed forms: compositions whose loss is a normal or Laplace kernel, plus any number of two-point
//! losses, plus mass at infinity.
//!
//! In: laws of losses with their counts. Out: `δ(ε)` for any real `ε`, enclosed.
//!
//! Normal losses add their variances ([Sommer19, Thm 5]); equal two-point losses become a binomial sum
//! ([Sommer19, Example 1], exponent corrected), different ones a product of such sums; what cannot be finite is
//! multiplied out. Then `δ(ε) = p∞ + (1 − p∞) Σ_j P(j)·δ_kernel(ε − loss(j))`, a sum of positive terms.
//!
//! # Guarantee
//! The truth is enclosed, round-off included; what is left out of a sum is bounded and added to the upper end.

mod binomial;
pub mod kov;
pub mod probabilistic;

use crate::composition::MAX_COUNT;
use crate::curve::{Evaluation, PrivacyProfile};
use crate::pair::{
    LossLaw,
    loss_law::{laplace, normal},
};
use binomial::{TruncatedSum, TwoPointPower, Weight};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// More outcomes than this are left to other engines.
const MOST_OUTCOMES: f64 = 1e5;

/// Why a composition has no closed form here.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoClosedForm {
    /// Two continuous losses whose sum has no elementary law.
    #[error("a Laplace loss composed with another continuous loss has no closed form")]
    TwoContinuousLosses,
    /// Too many different sums of two-point losses.
    #[error("the two-point losses have about {outcomes:.0e} different sums, more than {MOST_OUTCOMES:.0e}")]
    TooManyOutcomes {
        /// About how many there are.
        outcomes: f64,
    },
    /// More than 10¹⁵ equal losses from different mechanisms.
    #[error("more than 10^15 of its losses are equal")]
    TooManyUses,
    /// A loss too small or too large for double precision.
    #[error("losses of about {size:e} are out of the range of double precision")]
    OutOfRange {
        /// About how large the losses are.
        size: f64,
    },
}

/// The part of the loss that is not a sum of two-point losses.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// `L = 0`.
    Nothing,
    /// `L ~ N(μ²/2, μ²)`.
    Normal { mu: Ball },
    /// One Laplace loss.
    Laplace { distance: Ball },
}

/// Which of the two numbers of a probability is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Value,
    Complement,
}

impl Kernel {
    fn delta(self, epsilon: Ball) -> Probability {
        match self {
            Self::Nothing => laplace::delta(Ball::ZERO, epsilon),
            Self::Normal { mu } => normal::delta(mu, epsilon),
            Self::Laplace { distance } => laplace::delta(distance, epsilon),
        }
    }

    /// Are `δ` and `1 − δ` log-concave in ε? They are convolutions of the law of the loss with `(1 − e^{−x})₊` and
    /// `min(1, e^x)`, both log-concave, and so are a point mass and a normal density; the Laplace loss is not.
    fn is_log_concave(self) -> bool {
        match self {
            Self::Nothing | Self::Normal { .. } => true,
            Self::Laplace { .. } => false,
        }
    }

    /// The largest loss.
    fn supremum(self) -> Enclosure {
        match self {
            Self::Nothing => Enclosure::ZERO,
            Self::Normal { .. } => Enclosure::point(f64::INFINITY),
            Self::Laplace { distance } => distance.enclosure(),
        }
    }

    /// About the mean and the variance of the loss.
    fn moments(self) -> (f64, f64) {
        match self {
            Self::Nothing => (0.0, 0.0),
            Self::Normal { mu } => {
                let variance = mu.approximate().powi(2);
                (0.5 * variance, variance)
            }
            Self::Laplace { distance } => {
                let d = distance.approximate();
                ((-d).exp_m1() + d, d * d)
            }
        }
    }
}

/// A composition with a closed form.
#[derive(Clone, Debug)]
pub struct ClosedForm {
    kernel: Kernel,
    powers: Vec<TwoPointPower>,
    at_infinity: Probability,
}

impl ClosedForm {
    /// Composes each law as many times as its count says.
    pub fn compose(terms: impl IntoIterator<Item = (LossLaw, u64)>) -> Result<Self, NoClosedForm> {
        let mut parts = Parts::default();
        for (law, count) in terms {
            parts.add(law, count)?;
        }
        parts.finish()
    }

    /// `E[w]` over the sums of two-point losses from `level` on, where `w` is the value or complement of the kernel's
    /// δ at what is left of ε.
    fn sum(&self, level: usize, epsilon: Ball, side: Side) -> TruncatedSum {
        let Some(power) = self.powers.get(level) else {
            let delta = self.kernel.delta(epsilon);
            let sum = if side == Side::Value { delta.value() } else { delta.complement() };
            return TruncatedSum { sum, truncation: 0.0 };
        };
        let weight = |j: u64| self.sum(level + 1, epsilon - power.loss(j), side);
        // Below this j even the largest remaining losses stay below ε, and δ's terms vanish.
        let reachable = (self.powers[level + 1..].iter())
            .fold(self.kernel.supremum(), |sum, power| sum + power.loss(power.count()).enclosure());
        let first = first_at_least(power, (epsilon.enclosure() - reachable).lower());
        let from = if side == Side::Value { first } else { 0 };
        let is_innermost = level + 1 == self.powers.len();
        let known = Weight {
            is_increasing: side == Side::Value,
            is_log_concave: is_innermost && self.kernel.is_log_concave(),
        };
        let is_elementary = is_innermost && !matches!(self.kernel, Kernel::Normal { .. });
        let anchor = match (is_elementary, side) {
            (true, Side::Value) => first.max(power.mode()),
            (true, Side::Complement) => first.min(power.mode()),
            (false, _) => self.likely_share(level, epsilon.approximate()),
        };
        power.expect(from, anchor, known, weight)
    }

    /// About the `j` of this level that goes with a total loss of ε, if that is more than expected: each part of a sum of
    /// independent losses takes its share in proportion to its variance. Only speed depends on it.
    fn likely_share(&self, level: usize, epsilon: f64) -> u64 {
        let power = &self.powers[level];
        let (mean, variance) = power.moments();
        let (kernel_mean, kernel_variance) = self.kernel.moments();
        let (total_mean, total_variance) = (self.powers[level..].iter())
            .map(TwoPointPower::moments)
            .fold((kernel_mean, kernel_variance), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        let share = mean + variance / total_variance * (epsilon - total_mean).max(0.0);
        ((share / power.xi().approximate() + power.count() as f64) / 2.0).round() as u64
    }

    /// Is ε proven to be at least the largest finite loss? To thirty digits, so that a mechanism asked at its own ε is exact.
    fn is_beyond_every_loss(&self, epsilon: Ball) -> bool {
        let kernel = match self.kernel {
            Kernel::Nothing => Ball::ZERO,
            Kernel::Normal { .. } => return false,
            Kernel::Laplace { distance } => distance,
        };
        let largest = self.powers.iter().fold(kernel, |sum, power| sum + power.loss(power.count()));
        (epsilon - largest).enclosure().lower() >= 0.0
    }

    /// About how many terms a sum has.
    fn outcomes(&self) -> f64 {
        self.powers.iter().map(|p| (p.count() as f64 + 1.0).min(30.0 * p.spread() + 30.0)).product()
    }
}

/// About the smallest `j` whose loss reaches `threshold`, never more.
fn first_at_least(power: &TwoPointPower, threshold: f64) -> u64 {
    let j = (threshold / power.xi().approximate() + power.count() as f64) / 2.0;
    // Saturating: −∞ and NaN become 0. One less, and a relative margin, for the rounding of this estimate.
    (j - 1.0 - j.abs() * 1e-12).floor() as u64
}

impl PrivacyProfile for ClosedForm {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let epsilon = Ball::from(epsilon);
        if self.powers.is_empty() {
            return Evaluation::exact(self.at_infinity.or(self.kernel.delta(epsilon)), 0.0);
        }
        if self.is_beyond_every_loss(epsilon) {
            return Evaluation::exact(self.at_infinity, 0.0);
        }
        let TruncatedSum { sum, truncation } = self.sum(0, epsilon, Side::Value);
        let finite = if sum.upper() > 0.5 {
            Probability::from_both(sum, self.sum(0, epsilon, Side::Complement).sum)
        } else {
            Probability::from_value(sum)
        };
        Evaluation::exact(self.at_infinity.or(finite), truncation)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.at_infinity
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.powers
            .iter()
            .fold(self.kernel.supremum(), |sum, power| sum + power.loss(power.count()).enclosure())
    }
}

/// Refuses losses whose squares leave the range in which balls keep all their digits.
fn in_range(size: f64) -> Result<(), NoClosedForm> {
    let size = if size.is_nan() { f64::INFINITY } else { size };
    if (1e-50..1e50).contains(&size) { Ok(()) } else { Err(NoClosedForm::OutOfRange { size }) }
}

/// What the terms of a composition add up to, while they are added.
#[derive(Default)]
struct Parts {
    mu_squared: Option<Ball>,
    distance: Option<Ball>,
    two_point: Vec<(Ball, u64)>,
    /// `Σ k·ln(1 − δ)` over the two-point losses, and a lone δ while it is alone.
    log_finite: Option<Ball>,
    lone_mass: Option<f64>,
}

impl Parts {
    fn add(&mut self, law: LossLaw, count: u64) -> Result<(), NoClosedForm> {
        match law {
            LossLaw::Normal { mu_squared } => {
                let all = mu_squared * Ball::from(count);
                self.mu_squared = Some(self.mu_squared.map_or(all, |sum| sum + all));
            }
            LossLaw::Laplace { distance } => {
                if count > 1 || self.distance.is_some() {
                    return Err(NoClosedForm::TwoContinuousLosses);
                }
                self.distance = Some(distance);
            }
            LossLaw::TwoPoint { xi, at_infinity } => {
                if xi != Ball::ZERO {
                    match self.two_point.iter_mut().find(|(known, _)| *known == xi) {
                        Some((_, sum)) => {
                            // Both are at most 10¹⁵, so the sum does not wrap; beyond 10¹⁵ it is refused.
                            *sum += count;
                            if *sum > MAX_COUNT {
                                return Err(NoClosedForm::TooManyUses);
                            }
                        }
                        None => self.two_point.push((xi, count)),
                    }
                }
                if at_infinity > 0.0 {
                    let is_first = self.log_finite.is_none();
                    self.lone_mass = (is_first && count == 1).then_some(at_infinity);
                    let log_finite = Ball::from(-at_infinity).ln_1p() * Ball::from(count);
                    self.log_finite = Some(self.log_finite.map_or(log_finite, |sum| sum + log_finite));
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<ClosedForm, NoClosedForm> {
        let kernel = match (self.mu_squared, self.distance) {
            (Some(_), Some(_)) => return Err(NoClosedForm::TwoContinuousLosses),
            (Some(mu_squared), None) => {
                in_range(mu_squared.approximate().sqrt())?;
                Kernel::Normal { mu: mu_squared.sqrt() }
            }
            (None, Some(distance)) => Kernel::Laplace { distance },
            (None, None) => Kernel::Nothing,
        };
        let at_infinity = match (self.lone_mass, self.log_finite) {
            // Exact, so that an (ε, δ) mechanism asked at its own δ answers its own ε.
            (Some(mass), _) => Probability::from_value(Enclosure::point(mass)),
            (None, Some(log_finite)) => {
                Probability::from_both(-log_finite.exp_m1().enclosure(), log_finite.exp_enclosure())
            }
            (None, None) => Probability::ZERO,
        };
        let powers = self.two_point.into_iter().map(|(xi, count)| TwoPointPower::new(xi, count)).collect();
        let composed = ClosedForm { kernel, powers, at_infinity };
        for power in &composed.powers {
            in_range(power.loss(power.count()).approximate())?;
        }
        let outcomes = composed.outcomes();
        if outcomes > MOST_OUTCOMES { Err(NoClosedForm::TooManyOutcomes { outcomes }) } else { Ok(composed) }
    }
}
