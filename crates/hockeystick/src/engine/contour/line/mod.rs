//! A vertical line: where it is, `K` at its points, and δ from them.
//!
//! In: factors, and a [line](super::LinePlan). Out: a [`ComposedLine`], of which [`integral`](ComposedLine::integral) encloses δ of the finite losses at
//! any ε.
//!
//! # Guarantee
//! Every value on a line says how far it may be off. What is beyond the last point is bounded for all larger t, or band-limited functions
//! above and below the integrand's need nothing from there.

mod band_limited;
mod drawing;
mod exactness;
mod integral;
mod moment;
mod normal;
mod quiet;
mod terms;
mod trapezoid;
mod values;
mod very_many;

pub(super) use band_limited::BandLimitedLine;
pub(super) use exactness::Exactness;
pub(super) use integral::Integral;
pub(super) use moment::log_moment;
pub(super) use trapezoid::repeated;
pub(super) use values::{ComposedLine, log_at_height};
