//! From pairs to laws on a lattice, on either side of the truth.

mod buckets;
mod builder;
mod by_tails;
mod cells;
mod connect_the_dots;
mod grid;
mod merged;

pub(super) use grid::Grid;

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
    /// Rounded up and down: errors of the order of the spacing.
    Buckets,
}

impl fmt::Display for Discretisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConnectTheDots => "connect-the-dots",
            Self::Buckets => "buckets",
        })
    }
}

impl Discretisation {
    /// A law above the truth.
    pub(super) fn pessimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Pessimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => connect_the_dots::connect_the_dots(pair, outcomes, grid),
            Self::Buckets => buckets::buckets_up(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots => by_tails::connect_the_dots(pair, grid),
            Self::Buckets => by_tails::buckets_up(pair, grid),
        })
    }

    /// A law below the truth.
    pub(super) fn optimistic(
        self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> LatticeLaw<Optimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| match self {
            Self::ConnectTheDots => merged::merged(pair, outcomes, grid),
            Self::Buckets => buckets::buckets_down(pair, outcomes, grid),
        });
        by_outcomes.unwrap_or_else(|| match self {
            Self::ConnectTheDots => by_tails::merged(pair, grid),
            Self::Buckets => by_tails::buckets_down(pair, grid),
        })
    }
}
