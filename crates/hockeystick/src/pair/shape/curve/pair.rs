//! A certified curve as a pair.

use super::CertifiedCurve;
use crate::pair::{Details, DominatingPair, RatioLaw, SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// The pair of a [`CertifiedCurve`], or its dual. Nothing is known of it but the curve; compositions rest on discrete pairs above and below.
#[derive(Clone, Debug)]
pub struct CurvePair {
    curve: Arc<dyn CertifiedCurve>,
    swapped: bool,
}

impl CurvePair {
    /// The pair `(P, Q)` with this curve.
    pub fn shared(curve: impl CertifiedCurve + 'static) -> SharedPair {
        Arc::new(Self { curve: Arc::new(curve), swapped: false })
    }

    /// `H_{e^ε}` at a double: from the dual if it is negative.
    fn at(&self, epsilon: f64) -> Probability {
        if epsilon.is_nan() {
            return Probability::UNKNOWN;
        }
        if epsilon == f64::INFINITY {
            return self.infinite_mass();
        }
        if epsilon == f64::NEG_INFINITY {
            return Probability::ZERO.opposite();
        }
        match (epsilon >= 0.0, self.swapped) {
            (true, false) => self.curve.removed(epsilon),
            (true, true) => self.curve.added(epsilon),
            (false, swapped) => {
                let dual = if swapped { self.curve.removed(-epsilon) } else { self.curve.added(-epsilon) };
                let epsilon = Enclosure::point(epsilon);
                let alpha = epsilon.exp();
                Probability::from_both(alpha * dual.value() - epsilon.exp_m1(), alpha * dual.complement())
            }
        }
    }
}

impl DominatingPair for CurvePair {
    /// Curves fall: over a ball from its ends.
    fn delta(&self, epsilon: Ball) -> Probability {
        let ends = epsilon.enclosure();
        if ends.lower() == ends.upper() {
            return self.at(ends.lower());
        }
        let (most, least) = (self.at(ends.lower()), self.at(ends.upper()));
        Probability::from_both(
            Enclosure::new(least.value().lower(), most.value().upper()),
            Enclosure::new(most.complement().lower(), least.complement().upper()),
        )
    }

    fn tails(&self, _epsilon: Ball) -> Tails {
        Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN }
    }

    fn infinite_mass(&self) -> Probability {
        if self.swapped { self.curve.vanishing_mass() } else { self.curve.infinite_mass() }
    }

    fn vanishing_mass(&self) -> Probability {
        if self.swapped { self.curve.infinite_mass() } else { self.curve.vanishing_mass() }
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (low, high) = self.curve.finite_losses().into_inner();
        if self.swapped { -high..=-low } else { low..=high }
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::unknown()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self { curve: Arc::clone(&self.curve), swapped: !self.swapped })
    }

    fn is_self_dual(&self) -> bool {
        self.curve.is_self_dual()
    }

    fn notes(&self) -> Vec<String> {
        self.curve.notes()
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for CurvePair {
    fn is_known_by_curve(&self) -> bool {
        true
    }

    fn at_many_points(&self) -> Option<SharedPair> {
        Some(Arc::new(Self { curve: self.curve.at_many_points()?, swapped: self.swapped }))
    }
}
