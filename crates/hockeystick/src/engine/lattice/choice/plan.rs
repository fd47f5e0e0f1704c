//! What was chosen, as it is printed.

use super::super::{convolve::BinSources, discretise::Discretisation};
use std::fmt;

/// How laws are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convolution {
    /// On a lattice, by a tilted FFT.
    Tilted,
    /// Outcome by outcome, without a lattice: there are few.
    Sparse {
        /// How many.
        outcomes: usize,
    },
}

/// What was chosen. Without a lattice its spacing, points and cells are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticePlan {
    /// How losses are put on the lattice.
    pub discretisation: Discretisation,
    /// How they are composed.
    pub convolution: Convolution,
    /// The spacing `Δ`.
    pub spacing: f64,
    /// How far the points of the laws above are moved up from multiples of `Δ`, in spacings; atoms may move them further.
    pub moved: f64,
    /// The number of points of the window.
    pub length: usize,
    /// The number of points of all laws together.
    pub cells: usize,
    /// How many groups of parts are composed outcome by outcome before they are put on the lattice, for the law below.
    pub groups: usize,
    /// How the bins of the laws above were computed, once they are composed.
    pub bins: BinSources,
    /// The tilt `c`.
    pub tilt: f64,
    /// The orders below and above the tilt at which aliasing is bounded.
    pub orders: [f64; 2],
    /// About where the question is.
    pub epsilon: f64,
    /// About what δ is there.
    pub delta: f64,
}

impl fmt::Display for LatticePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { discretisation, spacing, length, cells, groups, bins, tilt, epsilon, delta, .. } = self;
        match self.convolution {
            Convolution::Tilted => {
                write!(f, "{discretisation} on a lattice of spacing {spacing:.3e}, {cells} cells ")?;
                if *groups > 0 {
                    write!(f, "(below, {groups} groups of parts with atoms) ")?;
                }
                write!(
                    f,
                    "composed in a window of {length} points, tilted by {tilt:.3} for δ ≈ {delta:.1e} at ε ≈ {epsilon:.4}"
                )?;
                if *bins == BinSources::default() { Ok(()) } else { write!(f, "; laws {bins}") }
            }
            Convolution::Sparse { outcomes } => {
                write!(f, "{outcomes} outcomes composed one by one, δ ≈ {delta:.1e} at ε ≈ {epsilon:.4}")
            }
        }
    }
}
