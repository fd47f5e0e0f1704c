//! What a caller may ask for: how narrow, on which grid, with how much memory.

use super::discretise::{CONNECT_THE_DOTS, Discretisation};

/// How finely, and with how much memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The relative width wanted, of what the goal asks for.
    pub tolerance: f64,
    /// How losses are put on the lattice.
    pub discretisation: Discretisation,
    /// The spacing of the lattice, for experts; from the tolerance if `None`.
    pub spacing: Option<f64>,
    /// The most points of a window, and of a law: each takes about 40 bytes.
    pub most_points: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-4, discretisation: CONNECT_THE_DOTS, spacing: None, most_points: 1 << 22 }
    }
}

impl Options {
    /// Are method and grid left to the engine?
    pub(crate) fn is_free(&self) -> bool {
        self.discretisation.is_adaptive() && self.spacing.is_none()
    }
}
