//! The engine of exact sums: losses that can only add up to equally spaced numbers, and equal Laplace losses.
//!
//! In: pairs with their counts. Out: `δ(ε)`, with a relative error of a few thousand units of roundoff at any size of δ.
//!
//! Losses on a progression `a + ih` stay on one when they are composed: their laws convolve as polynomials multiply, a sum of
//! positive terms. A Laplace loss is an atom at either end of an interval and an exponential density between; the sum of `k` of
//! them is `e^{s/2}` times atoms and polynomials between equally spaced knots, which B-splines give as sums of positive terms,
//! too. So nothing cancels, nothing is rounded to a lattice, and the composed law answers every question.
//!
//! All of it happens under an exponential tilt, so that what matters is neither small nor rare.
//!
//! # Guarantee
//! Encloses the truth: roundings are counted term by term, what is cut off or underflows is added to the upper end, and how far
//! polynomials are from the densities between knots is bounded by their derivatives.

mod convolution;
mod effort;
mod laplace_steps;
mod pieces;
mod plan;
mod progression;
mod sums;
mod tilt;

pub use effort::Effort;
pub use plan::{ExactKind, ExactPlan};

use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{
        Goal,
        masses::{infinite_mass, largest_finite_loss},
    },
    pair::{LossLaw, SharedPair},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use progression::Progression;
use sums::Sums;

/// A composition whose law is summed exactly.
#[derive(Debug)]
pub struct ExactSums {
    sums: Sums,
    infinite: Probability,
    largest: Enclosure,
    plan: ExactPlan,
}

impl ExactSums {
    /// Composes each pair as many times as its count says; `None` if the losses have no common step, or if it takes more than
    /// the effort.
    pub fn compose(pairs: &[(SharedPair, u64)], goal: Goal, effort: Effort) -> Option<Self> {
        let (sums, plan) = match equal_laplace_losses(pairs) {
            Some((distance, count)) => laplace_steps::compose(distance, count, goal, effort)?,
            None => Progression::of(pairs)?.compose(goal, effort)?,
        };
        Some(Self { sums, plan, infinite: infinite_mass(pairs), largest: largest_finite_loss(pairs) })
    }

    /// What was done.
    pub fn plan(&self) -> ExactPlan {
        self.plan
    }
}

/// The distance of all pairs and the number of uses, if every loss is the same Laplace loss.
fn equal_laplace_losses(pairs: &[(SharedPair, u64)]) -> Option<(Ball, u64)> {
    let mut common: Option<(Ball, u64)> = None;
    for (pair, count) in pairs {
        let Some(LossLaw::Laplace { distance }) = pair.loss_law() else { return None };
        common = match common {
            None => Some((distance, *count)),
            Some((known, sum)) if known == distance => Some((known, sum.checked_add(*count)?)),
            Some(_) => return None,
        };
    }
    common
}

impl PrivacyProfile for ExactSums {
    fn delta(&self, epsilon: f64) -> Evaluation {
        if epsilon >= self.largest.upper() {
            return Evaluation::exact(self.infinite, 0.0);
        }
        let finite = self.sums.at(epsilon);
        let value = self.infinite.value() + finite.value;
        let delta = match finite.complement {
            Some(complement) if value.upper() > 0.5 => {
                Probability::from_both(value.clamp(0.0, 1.0), complement)
            }
            Some(_) | None => Probability::from_value(value.clamp(0.0, 1.0)),
        };
        Evaluation::exact(delta, finite.truncation)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }

    fn near(&self, delta: f64) -> Option<f64> {
        self.sums.near(delta - self.infinite.value().midpoint())
    }
}
