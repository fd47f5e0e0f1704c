//! Which pieces make up δ.

use super::piece::Outline;
use std::fmt;

/// How `g(ε)`, the contribution of the finite losses to δ, is integrated. Above a half, `1 − δ` has a line of its own (`complement`), which
/// no recipe describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// One line for all of it.
    Line,
    /// One line per scale of losses, from the largest down.
    Slices {
        /// How many steps sharper the cuts are than the tilts of the slices require.
        sharper: u8,
    },
    /// One line between band-limited functions above and below: `|M|` need not decay.
    BandLimited,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line => write!(f, "one line"),
            Self::Slices { sharper: 0 } => write!(f, "a line for each scale of losses"),
            Self::Slices { sharper } => {
                write!(f, "a line for each scale of losses, cut {sharper} steps more sharply")
            }
            Self::BandLimited => write!(f, "one line, band-limited above and below"),
        }
    }
}

/// A recipe, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContourPlan {
    /// The recipe.
    pub recipe: Recipe,
    /// Its pieces, in the order in which they were made.
    pub pieces: Vec<Outline>,
}

impl ContourPlan {
    /// The line of the first piece that has one.
    pub fn first_line(&self) -> Option<super::LinePlan> {
        self.pieces.iter().find_map(Outline::line)
    }
}

impl fmt::Display for ContourPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pieces.as_slice() {
            [Outline::Line(line)] if self.recipe == Recipe::BandLimited => {
                write!(f, "{}: {line}", self.recipe)
            }
            [Outline::Line(line)] => write!(f, "{line}"),
            pieces => {
                write!(f, "{}", self.recipe)?;
                pieces.iter().try_for_each(|piece| write!(f, "; {piece}"))
            }
        }
    }
}
