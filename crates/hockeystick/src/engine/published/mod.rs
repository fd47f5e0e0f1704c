//! Accountants as their papers print them, for comparison. `auto` uses none of them.
//!
//! In: pairs with their counts. Out: discretisations for the lattice engine ([`TANGENTS`], [`BUCKETS`], [`RIEMANN`]), the discrete Fourier
//! accountant ([`Fourier`]), characteristic functions ([`characteristic`]), and what single steps of them do ([`OneUse`], [`coupling_error`]).
//!
//! They import outcomes, grids and transforms from the lattice engine, which does not know them. See `docs/design/published.md`.
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
mod staged;
mod tangents;

pub use buckets::BUCKETS;
pub use coupling::coupling_error;
pub use fourier::{Fourier, FourierPlan};
pub use one_use::OneUse;
pub use riemann::RIEMANN;
pub use staged::{Ladder, Stage, Staged, StagedPlan};
pub use tangents::TANGENTS;

#[cfg(test)]
mod tests;
