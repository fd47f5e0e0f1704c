//! Pairs that are known by their curve: samples of compositions, allocations at random, shuffled reports.
//!
//! In: an enclosure of the hockey-stick curve at any ε, in both directions. Out: a pair, and for any list of points a discrete pair above it and one below.
//!
//! # Guarantee
//! Every curve between the enclosures dominates what is below and is dominated by what is above, at every ε, between the points too.

mod below;
mod certified;
mod laws;
mod pair;

pub use certified::CertifiedCurve;
pub(crate) use laws::between;
pub use pair::CurvePair;
