//! From pairs to laws on a grid: one pessimistic, one optimistic.
//!
//! In: the outcomes of a pair, and a grid. Out: a pessimistic and an optimistic law on it.
//!
//! # Guarantee
//! A pessimistic law dominates the pair, an optimistic one is dominated by it, rounded masses included; and so do their products.

mod builder;
mod by_tails;
mod cells;
mod connect_the_dots;
mod merged;
mod same_cells;
mod shares;
mod sweep;

pub(crate) use builder::Builder;
pub(crate) use by_tails::{
    connect_the_dots as connect_the_dots_by_tails, falling_from_the_left, falling_from_the_right,
};
pub(crate) use cells::{Cell, cells};
pub(crate) use connect_the_dots::connect_the_dots;
pub(crate) use merged::merged;

use super::{
    estimate::LooseAtoms,
    grid::{Grid, Strides},
    law::{LatticeLaw, Optimistic, Pessimistic},
    outcomes::Outcomes,
};
use crate::pair::SharedPair;
use std::fmt;

/// A way to put the losses of a pair on a grid: a law above the truth and one below.
pub(crate) trait Discretise: fmt::Debug + Sync {
    fn name(&self) -> &'static str;

    /// May the engine leave points out, move them, compose parts in groups or enumerate outcomes? Not where a law is made as published.
    fn is_adaptive(&self) -> bool {
        false
    }

    /// The cost of a spacing.
    fn gap(&self, uses: f64, atoms: LooseAtoms, tilt: f64) -> Gap;

    /// What the spacing of the law of one use costs beside its rounding: in `log M` per use, spacing and standard deviation.
    fn per_density(&self) -> f64 {
        0.0
    }

    /// The pessimistic law, from outcomes if the pair lists them, else from tail probabilities.
    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic>;

    /// The optimistic law.
    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic>;

    /// Both.
    fn both(
        &self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        (self.above(pair, outcomes, grid), self.below(pair, outcomes, grid))
    }
}

/// `log M(c)` of the upper law less that of the lower, as a polynomial in the spacing: `linear·Δ + square·Δ²`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) linear: f64,
    pub(crate) square: f64,
}

/// How losses are put on a lattice.
#[derive(Clone, Copy, Debug)]
pub struct Discretisation(&'static dyn Discretise);

/// Connect the dots above, merged outcomes below: errors of the order of the squared spacing.
pub const CONNECT_THE_DOTS: Discretisation = Discretisation::new(&ConnectTheDots);

impl Discretisation {
    pub(crate) const fn new(scheme: &'static dyn Discretise) -> Self {
        Self(scheme)
    }

    pub(crate) fn is_adaptive(self) -> bool {
        self.0.is_adaptive()
    }

    pub(crate) fn gap(self, uses: f64, atoms: LooseAtoms, tilt: f64) -> Gap {
        self.0.gap(uses, atoms, tilt)
    }

    pub(crate) fn per_density(self) -> f64 {
        self.0.per_density()
    }

    /// Does the gap fall with the spacing itself, not with its square?
    pub fn is_first_order(self) -> bool {
        self.0.gap(1.0, LooseAtoms::default(), 1.0).square == 0.0
    }

    /// The grid of the method: a published one uses every point.
    fn points(self, grid: Grid) -> Grid {
        if self.is_adaptive() { grid } else { Grid { strides: Strides::NONE, ..grid } }
    }

    /// A law above the truth.
    pub(crate) fn pessimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Pessimistic> {
        self.0.above(pair, outcomes, self.points(grid))
    }

    /// A law below the truth.
    pub(crate) fn optimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Optimistic> {
        self.0.below(pair, outcomes, self.points(grid))
    }

    /// Both.
    pub(crate) fn both(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        self.0.both(pair, outcomes, self.points(grid))
    }
}

impl PartialEq for Discretisation {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl fmt::Display for Discretisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The discretisation of this engine.
#[derive(Debug)]
struct ConnectTheDots;

impl Discretise for ConnectTheDots {
    fn name(&self) -> &'static str {
        "connect-the-dots"
    }

    fn is_adaptive(&self) -> bool {
        true
    }

    /// Putting a use at two neighbours adds `Δ²/6` to the variance of its loss, merging takes `Δ²/12` away. Neither changes `E e^{−L}`, so the mean
    /// moves by half that, and `log M(c)` by `c(c+1)Δ²/8` per use. An atom that is merged with the next one goes down by `Δ/2` times
    /// `(c+1)/2` times their distance.
    fn gap(&self, uses: f64, atoms: LooseAtoms, c: f64) -> Gap {
        Gap { linear: 0.5 * c * atoms.merged, square: c * (c + 1.0) * uses / 8.0 }
    }

    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| connect_the_dots(pair, outcomes, grid));
        by_outcomes.unwrap_or_else(|| by_tails::connect_the_dots(pair, grid))
    }

    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic> {
        let infinite = pair.infinite_mass().value().lower();
        let by_outcomes = outcomes.and_then(|outcomes| merged(infinite, outcomes, grid));
        by_outcomes.unwrap_or_else(|| by_tails::merged(pair, grid))
    }

    fn both(
        &self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        let from_same_cells = outcomes.and_then(|outcomes| same_cells::same_cells(pair, outcomes, grid));
        from_same_cells
            .unwrap_or_else(|| (self.above(pair, outcomes, grid), self.below(pair, outcomes, grid)))
    }
}

#[cfg(test)]
pub(crate) mod tests;
