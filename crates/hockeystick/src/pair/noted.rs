//! A pair with something to say about how it came about.

use super::{
    DiscretePair, DominatingPair, LazyPair, LikelyOutcomes, LossLaw, Merging, Moments, Outcome, Preimage,
    RatioLaw, SharedPair, Tails,
};
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure, probability::Probability};
use num_complex::Complex;
use std::{ops::RangeInclusive, sync::Arc};

/// The pair itself, and a note for whoever reads an answer about it.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) pair: SharedPair,
    pub(super) note: String,
}

impl DominatingPair for Noted {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.pair.delta(epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        self.pair.tails(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        self.pair.infinite_mass()
    }

    fn vanishing_mass(&self) -> Probability {
        self.pair.vanishing_mass()
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        self.pair.finite_losses()
    }

    fn ratio_law(&self) -> RatioLaw {
        self.pair.ratio_law()
    }

    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        self.pair.likely_outcomes(least)
    }

    fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        self.pair.merged_outcomes(least, merging)
    }

    fn ratio_laws(&self) -> Vec<RatioLaw> {
        self.pair.ratio_laws()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self { pair: self.pair.dual(), note: self.note.clone() })
    }

    fn loss_law(&self) -> Option<LossLaw> {
        self.pair.loss_law()
    }

    fn is_self_dual(&self) -> bool {
        self.pair.is_self_dual()
    }

    fn as_discrete(&self) -> Option<&DiscretePair> {
        self.pair.as_discrete()
    }

    fn as_lazy(&self) -> Option<&LazyPair> {
        self.pair.as_lazy()
    }

    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.pair.mgf(z)
    }

    fn log_moment(&self, lambda: f64) -> Option<Enclosure> {
        self.pair.log_moment(lambda)
    }

    fn strip(&self) -> (f64, f64) {
        self.pair.strip()
    }

    fn moments(&self) -> Option<Moments> {
        self.pair.moments()
    }

    fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        self.pair.loss(outcome)
    }

    fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        self.pair.outcomes(loss)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.pair.notes();
        notes.push(self.note.clone());
        notes
    }
}
