//! Laws of the loss on a lattice. Upper and lower are different types.

use std::marker::PhantomData;

/// Every answer from such a law is at least the truth.
#[derive(Clone, Copy, Debug)]
pub enum Pessimistic {}

/// Every answer from such a law is at most the truth.
#[derive(Clone, Copy, Debug)]
pub enum Optimistic {}

/// A law of the loss under `P` on the points `iΔ + offset` and at infinity.
///
/// A pessimistic law has at least as much mass above every loss as some law whose `δ(ε)` is at least the truth for all ε, an
/// optimistic one at most as much as some law whose `δ(ε)` is at most the truth; both properties survive composition
/// ([Doroshenko22, Sec. 2]). The side is part of the type, so that an upper and a lower law cannot be composed.
#[derive(Clone, Debug)]
pub struct LatticeLaw<Side> {
    /// `Δ`.
    pub(super) spacing: f64,
    /// The index of the first mass.
    pub(super) first: i64,
    /// Masses under `P`, none negative.
    pub(super) masses: Vec<f64>,
    /// The mass at infinity.
    pub(super) infinite: f64,
    /// How far the points are moved from multiples of `Δ`.
    pub(super) offset: f64,
    pub(super) side: PhantomData<Side>,
}

impl<Side> LatticeLaw<Side> {
    /// From `P`'s mass above the points `first·Δ, (first+1)·Δ, …`, where the mass at and below the first point is what is left
    /// of `whole` and what is above the last is at infinity.
    pub(super) fn from_tails(spacing: f64, first: i64, whole: f64, tails: &[f64], offset: f64) -> Self {
        // Differences of rounded tails are exact enough: they add up to the tails again, up to one rounding each.
        let masses = std::iter::once(whole).chain(tails.iter().copied()).collect::<Vec<f64>>();
        let masses = masses.windows(2).map(|pair| (pair[0] - pair[1]).max(0.0)).collect();
        let infinite = tails.last().copied().unwrap_or(0.0).max(0.0);
        Self { spacing, first, masses, infinite, offset, side: PhantomData }
    }

    /// `log E[e^{cL}; L < ∞]` relative to the multiples of `Δ`, and its first two derivatives, in plain floats.
    pub(super) fn log_moment(&self, tilt: f64) -> [f64; 3] {
        let position = |i: usize| (self.first + i as i64) as f64 * self.spacing;
        let largest = (self.masses.iter().enumerate())
            .filter(|(_, mass)| **mass > 0.0)
            .map(|(i, mass)| tilt * position(i) + mass.ln())
            .fold(f64::NEG_INFINITY, f64::max);
        let [mut sum, mut first, mut second] = [0.0; 3];
        for (i, &mass) in self.masses.iter().enumerate() {
            let weight = (tilt * position(i) - largest).exp().min(f64::MAX);
            let term = if mass > 0.0 { mass * weight } else { 0.0 };
            let x = position(i);
            sum += term;
            first += term * x;
            second += term * x * x;
        }
        let mean = first / sum;
        [largest + sum.ln(), mean, (second / sum - mean * mean).max(0.0)]
    }

    /// The smallest and the largest point with mass.
    pub(super) fn ends(&self) -> (f64, f64) {
        let last = self.first + self.masses.len() as i64 - 1;
        (self.first as f64 * self.spacing, last as f64 * self.spacing)
    }
}
