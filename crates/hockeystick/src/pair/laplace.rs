//! Laplace noise: two Laplace laws of scale `b`, a distance `s` apart.

use super::{
    Atom, Details, DominatingPair, LossLaw, Panel, Quadratic, RatioLaw, SharedPair, Tails, loss_law::laplace,
};
use crate::mechanism::Laplace;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{f64::consts::LN_2, ops::RangeInclusive, sync::Arc};

/// Two Laplace laws `d = s/b` scales apart ([Sommer19, App. A.3], with its errata): `P` puts ½ on the loss `d` and
/// `½e^{−d}` on `−d`, and has a density in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaplacePair {
    distance: Ball,
}

impl LaplacePair {
    pub(super) fn new(distance: Ball) -> Self {
        Self { distance }
    }
}

fn distance(laplace: &Laplace) -> Ball {
    Ball::from(laplace.sensitivity()) / Ball::from(laplace.scale())
}

/// The law of the loss depends on `s/b` alone; both directions agree by reflection.
pub(super) fn pair(laplace: &Laplace) -> SharedPair {
    Arc::new(LaplacePair::new(distance(laplace)))
}

impl DominatingPair for LaplacePair {
    fn delta(&self, epsilon: Ball) -> Probability {
        laplace::delta(self.distance, epsilon)
    }

    /// `P(L > ε) = 1 − ½e^{(ε−d)/2}` and `Q(L > ε) = ½e^{−(ε+d)/2}` for `−d ≤ ε < d`.
    fn tails(&self, epsilon: Ball) -> Tails {
        let (above, below) = ((epsilon - self.distance).enclosure(), (epsilon + self.distance).enclosure());
        if above.lower() >= 0.0 {
            return Tails { p: Probability::ZERO, q: Probability::ZERO };
        }
        if below.upper() < 0.0 {
            return Tails { p: Probability::ZERO.opposite(), q: Probability::ZERO.opposite() };
        }
        let half = Ball::from(0.5);
        let lost = ((epsilon - self.distance) * half).exp_enclosure() * 0.5;
        let kept = ((-epsilon - self.distance) * half).exp_enclosure() * 0.5;
        let inside = Tails { p: Probability::from_complement(lost), q: Probability::from_value(kept) };
        // On an atom it cannot be told on which side of it ε lies.
        let floor = if above.upper() >= 0.0 { 0.0 } else { f64::INFINITY };
        let ceiling = if below.lower() < 0.0 { 1.0 } else { f64::NEG_INFINITY };
        Tails { p: widened(inside.p, floor, ceiling), q: widened(inside.q, floor, ceiling) }
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

    fn ratio_law(&self) -> RatioLaw {
        let half = Enclosure::point(0.5);
        let rare = (-self.distance).exp_enclosure() * 0.5;
        let d = self.distance.approximate();
        // In the variable L itself: Q has the density ¼e^{−(d+L)/2}.
        let between = Panel {
            from: -d,
            to: d,
            log_q: Quadratic { constant: -2.0 * LN_2 - 0.5 * d, linear: -0.5, square: 0.0 },
            ratio: vec![(1.0, Quadratic { constant: 0.0, linear: 1.0, square: 0.0 })],
        };
        RatioLaw {
            atoms: vec![
                Atom { loss: self.distance, p: half, q: rare },
                Atom { loss: -self.distance, p: rare, q: half },
            ],
            panels: vec![between],
            ..RatioLaw::default()
        }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(*self)
    }

    fn is_self_dual(&self) -> bool {
        true
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for LaplacePair {
    fn loss_law(&self) -> Option<LossLaw> {
        Some(LossLaw::Laplace { distance: self.distance })
    }
}

/// The probability, or what it jumps to at an atom.
pub(super) fn widened(inside: Probability, floor: f64, ceiling: f64) -> Probability {
    let value = inside.value();
    if floor == f64::INFINITY && ceiling == f64::NEG_INFINITY {
        inside
    } else {
        Probability::from_value(Enclosure::new(value.lower().min(floor), value.upper().max(ceiling)))
    }
}
