//! What the choice depends on: plain numbers, so that it can be tested by a table.

use super::super::{
    estimate::{LooseAtoms, Saddle, Window},
    grid::LossRange,
    options::Options,
};
use hockeystick_numerics::enclosure::Enclosure;
use std::ops::RangeInclusive;

/// A composition in numbers.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) options: Options,
    pub(crate) saddle: Saddle,
    pub(crate) window: Window,
    /// The relative width of the finite part of δ that the tolerance allows.
    pub(crate) allowed: f64,
    /// The share of one use that may be left out.
    pub(crate) share: f64,
    pub(crate) parts: Vec<PartFacts>,
    /// How far apart the two likeliest atoms are, of the part that has the most to lose.
    pub(crate) atom_distance: Option<f64>,
    /// What enumeration takes, if all outcomes of all parts are listed.
    pub(crate) enumeration: Option<Enumeration>,
}

/// A part of it.
#[derive(Clone, Debug)]
pub(crate) struct PartFacts {
    /// How often it is used.
    pub(crate) count: u64,
    /// Its smallest and its largest finite loss.
    pub(crate) losses: RangeInclusive<Enclosure>,
    /// Which of them matter.
    pub(crate) range: LossRange,
    /// Does the pair show its outcomes, or tails only?
    pub(crate) has_outcomes: bool,
    /// Is there a density among them?
    pub(crate) has_density: bool,
    /// What the atoms of one use cost that are no points of the grid.
    pub(crate) loose: LooseAtoms,
}

/// A composition outcome by outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Enumeration {
    /// How many outcomes there are.
    pub(crate) outcomes: f64,
    /// At least the probability of those that the pairs do not list.
    pub(crate) missing: f64,
}

/// Parts that are composed in groups before they are put on the grid, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grouping {
    /// How many groups there are.
    pub(crate) groups: usize,
    /// How often each part is used outside of them.
    pub(crate) alone: Vec<u64>,
    /// What the square of the spacing costs the parts in groups, in `c(c+1)`.
    pub(crate) squares: f64,
    /// What is left of the distance between outcomes.
    pub(crate) loose: LooseAtoms,
    /// About how many products of outcomes it takes to compose them.
    pub(crate) products: f64,
}

impl Facts {
    /// No part in a group.
    pub(crate) fn ungrouped(&self) -> Grouping {
        let alone = self.parts.iter().map(|part| part.count).collect();
        Grouping { groups: 0, alone, squares: 0.0, loose: LooseAtoms::default(), products: 0.0 }
    }
}
