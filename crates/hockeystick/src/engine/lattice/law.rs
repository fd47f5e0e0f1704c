//! Laws of the loss on a grid. Pessimistic and optimistic laws are different types.

use std::marker::PhantomData;

/// δ of such a law is an upper bound.
#[derive(Clone, Copy, Debug)]
pub enum Pessimistic {}

/// δ of such a law is a lower bound.
#[derive(Clone, Copy, Debug)]
pub enum Optimistic {}

/// A law of the loss under `P` on the points `iΔ + offset` and at infinity.
///
/// A pessimistic law stochastically dominates some law whose `δ(ε)` is at least the truth for all ε. An optimistic law is dominated by some
/// law whose `δ(ε)` is at most the truth. Each mass has at most the stated relative error. Both properties survive composition
/// ([Doroshenko22, Sec. 2]). The side is part of the type, so that an upper and a lower law cannot be composed.
#[derive(Clone, Debug)]
pub struct LatticeLaw<Side> {
    /// `Δ`.
    pub(crate) spacing: f64,
    /// The index of the first mass.
    pub(crate) first: i64,
    /// Masses under `P`, none negative.
    pub(crate) masses: Vec<f64>,
    /// The mass at infinity.
    pub(crate) infinite: f64,
    /// The offset of the points from multiples of `Δ`.
    pub(crate) offset: f64,
    /// The relative error of each mass.
    pub(crate) error: f64,
    pub(crate) side: PhantomData<Side>,
}

impl<Side> LatticeLaw<Side> {
    /// From the tail probabilities of `P` above the points `first·Δ, (first+1)·Δ, …`. The first point gets the rest of `whole`, and the tail
    /// above the last point is put at infinity.
    pub(crate) fn from_tails(spacing: f64, first: i64, whole: f64, tails: &[f64], offset: f64) -> Self {
        let masses = std::iter::once(whole).chain(tails.iter().copied()).collect::<Vec<f64>>();
        let masses = masses.windows(2).map(|pair| (pair[0] - pair[1]).max(0.0)).collect();
        let infinite = tails.last().copied().unwrap_or(0.0).max(0.0);
        // Each difference is rounded once.
        Self { spacing, first, masses, infinite, offset, error: f64::EPSILON, side: PhantomData }
    }

    /// Are all numbers finite, and the errors small enough for a useful law?
    pub(crate) fn is_sound(&self) -> bool {
        // (Without an early exit the loop is vectorised.)
        let is_mass = |mass: &f64| (0.0..f64::INFINITY).contains(mass);
        let are_masses = self.masses.iter().fold(true, |are_masses, mass| are_masses & is_mass(mass));
        are_masses && self.error < 1e-3 && self.offset.is_finite() && (0.0..=1.0).contains(&self.infinite)
    }
}
