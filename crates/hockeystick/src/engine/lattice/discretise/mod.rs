//! From pairs to laws on a lattice, on either side of the truth.
//!
//! In: the outcomes of a pair, and a lattice. Out: a pessimistic and an optimistic law on it.
//!
//! # Guarantee
//! A pessimistic law dominates the pair, an optimistic one is dominated by it, rounded masses included; and so do their products.

mod buckets;
mod builder;
mod by_tails;
mod cells;
mod connect_the_dots;
mod grid;
mod merged;
mod riemann;
mod rounded;
mod same_cells;
mod shares;
mod sweep;
mod tangents;

pub(super) use grid::{Grid, STRIDES, Strides, WIDTHS};
pub(super) use merged::merged;

use super::{
    law::{LatticeLaw, Optimistic, Pessimistic},
    outcomes::Outcomes,
};
use crate::pair::SharedPair;
use std::fmt;

/// How losses are put on the lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discretisation {
    /// Connect the dots above, merged outcomes below: errors of the order of the squared spacing.
    ConnectTheDots,
    /// Connect the dots above, tangents and their convex hull below ([Doroshenko22, Alg. 1 and 2]): of the order of the squared
    /// spacing, with a larger constant.
    Tangents,
    /// Rounded up and down: errors of the order of the spacing. For discrete losses it is the right and the left grid of
    /// [Koskela21, Sec. 4.2].
    Buckets,
    /// The largest and the smallest density of each cell ([Koskela21, Sec. 6.3]): errors of the order of the spacing, and masses that
    /// do not add up to 1. Atoms as with buckets.
    Riemann,
}

impl Discretisation {
    /// Does the error fall with the spacing itself, not with its square?
    pub fn is_first_order(self) -> bool {
        match self {
            Self::ConnectTheDots | Self::Tangents => false,
            Self::Buckets | Self::Riemann => true,
        }
    }
}

impl fmt::Display for Discretisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConnectTheDots => "connect-the-dots",
            Self::Tangents => "tangents",
            Self::Buckets => "buckets",
            Self::Riemann => "riemann",
        })
    }
}

impl Discretisation {
    /// As published, every point of the lattice is used.
    fn strided(self, grid: Grid) -> Grid {
        match self {
            Self::ConnectTheDots => grid,
            Self::Tangents | Self::Buckets | Self::Riemann => Grid { strides: Strides::NONE, ..grid },
        }
    }

    /// A law above the truth and one below.
    pub(super) fn both(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        let from_same_cells = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => same_cells::same_cells(pair, outcomes, grid),
            Self::Tangents | Self::Buckets | Self::Riemann => None,
        });
        from_same_cells.unwrap_or_else(|| {
            (self.pessimistic(pair, outcomes, grid), self.optimistic(pair, outcomes, grid))
        })
    }

    /// A law above the truth.
    pub(super) fn pessimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Pessimistic> {
        let grid = self.strided(grid);
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots | Self::Tangents => connect_the_dots::connect_the_dots(pair, outcomes, grid),
            Self::Buckets => buckets::buckets_up(pair, outcomes, grid),
            Self::Riemann => riemann::riemann_above(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots | Self::Tangents => by_tails::connect_the_dots(pair, grid),
            // Without a density there is nothing to take the maximum of.
            Self::Buckets | Self::Riemann => by_tails::buckets_up(pair, grid),
        })
    }

    /// A law below the truth.
    pub(super) fn optimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Optimistic> {
        let grid = self.strided(grid);
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => merged::merged(pair.infinite_mass().value().lower(), outcomes, grid),
            Self::Tangents => tangents::tangents(pair, Some(outcomes), grid),
            Self::Buckets => buckets::buckets_down(pair, outcomes, grid),
            Self::Riemann => riemann::riemann_below(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots => by_tails::merged(pair, grid),
            Self::Tangents => {
                tangents::tangents(pair, None, grid).unwrap_or_else(|| by_tails::buckets_down(pair, grid))
            }
            Self::Buckets | Self::Riemann => by_tails::buckets_down(pair, grid),
        })
    }
}

#[cfg(test)]
mod tests;
