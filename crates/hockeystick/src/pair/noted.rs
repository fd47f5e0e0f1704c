//! A pair with something to say about how it came about.

use super::{
    Atom, Bounds, Details, DominatingPair, LatticeNormal, LikelyOutcomes, LossLaw, Merging, Moments, Outcome,
    Preimage, RatioLaw, SharedPair, Tails,
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

    fn dual(&self) -> SharedPair {
        Arc::new(Self { pair: self.pair.dual(), note: self.note.clone() })
    }

    fn is_self_dual(&self) -> bool {
        self.pair.is_self_dual()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.pair.notes();
        notes.push(self.note.clone());
        notes
    }

    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.pair.mgf(z)
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for Noted {
    fn bounds(&self) -> Option<&Bounds> {
        self.pair.bounds()
    }

    fn is_known_by_curve(&self) -> bool {
        self.pair.is_known_by_curve()
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

    fn loss_law(&self) -> Option<LossLaw> {
        self.pair.loss_law()
    }

    fn lattice_normal(&self) -> Option<LatticeNormal> {
        self.pair.lattice_normal()
    }

    fn all_outcomes(&self) -> Option<&[Atom]> {
        self.pair.all_outcomes()
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
}
