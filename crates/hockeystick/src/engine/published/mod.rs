//! Accountants as they were published: for comparison beside the engines that `auto` chooses from.
//!
//! In: pairs with their counts. Out: discretisations for the lattice engine ([`TANGENTS`], [`BUCKETS`], [`RIEMANN`]), the discrete Fourier
//! accountant ([`Fourier`]), characteristic functions ([`characteristic`]), and what single steps of them do ([`OneUse`], [`coupling_error`]).
//!
//! What they share with the lattice engine (outcomes, grids, transforms) they take from it; it knows nothing of them.
//!
//! # Guarantee
//! Everything but the estimates in [`characteristic`] encloses.

mod buckets;
pub mod characteristic;
mod coupling;
mod fourier;
mod one_use;
mod riemann;
mod rounded;
mod tangents;

use super::lattice::Discretisation;

pub use coupling::coupling_error;
pub use fourier::Fourier;
pub use one_use::OneUse;

/// Connect the dots above, tangents and their convex hull below ([Doroshenko22, Alg. 1 and 2]): errors of the order of the squared
/// spacing, with a larger constant than [`CONNECT_THE_DOTS`](super::lattice::CONNECT_THE_DOTS).
pub const TANGENTS: Discretisation = Discretisation::new(&tangents::Tangents);

/// Rounded up and down: errors of the order of the spacing. For discrete losses it is the right and the left grid of
/// [Koskela21, Sec. 4.2].
pub const BUCKETS: Discretisation = Discretisation::new(&buckets::Buckets);

/// The largest and the smallest density of each cell ([Koskela21, Sec. 6.3]): errors of the order of the spacing, and masses that
/// do not add up to 1. Atoms as with buckets.
pub const RIEMANN: Discretisation = Discretisation::new(&riemann::Riemann);

#[cfg(test)]
mod tests;
