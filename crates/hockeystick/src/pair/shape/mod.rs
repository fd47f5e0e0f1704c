//! Shapes of pairs that several mechanisms share.
//!
//! In: outcomes, densities or points of a curve. Out: a [`DominatingPair`](super::DominatingPair).
//!
//! # Guarantee
//! A shape encloses what it was given; that this dominates a mechanism is for the mechanism's own file to prove.

mod combine;
mod curve;
mod discrete;
mod joined;
mod lazy;
mod mixture;
mod outcomes;
mod products;
mod profile;
mod shifted;
mod sums;
mod truncated;

pub(super) use combine::BEFORE_MERGING;
pub(crate) use curve::between;
pub use curve::{CertifiedCurve, CurvePair};
pub use discrete::DiscretePair;
pub use joined::JoinedPair;
pub(super) use lazy::{Known, LazyPair, Listed};
pub(super) use mixture::{logistic, mixed_loss};
pub(super) use products::{INVISIBLE, logarithm, neighbours, product_error};
pub use profile::{Bound, InvalidBound, PiecewisePair};
pub(super) use shifted::ShiftedPair;
pub(super) use truncated::TruncatedPair;
