//! First-order methods in stages: few uses on a fine grid, their sums rounded to a coarser one, and composed again.
//!
//! In: one mechanism with its count, a discretisation, a question. Out: a profile, or groups of uses for the Fourier accountant.
//!
//! A law of `g` uses is about `√g` times as wide as that of one, so that it fits into as many points at a finer spacing than the whole
//! composition does. Each rounding is that of the published method ([Koskela21, Lemma 6], [Doroshenko22, Sec. 4.1]), applied to the law of
//! a group. See `docs/design/published.md`, "Stages".
//!
//! # Guarantee
//! Roundings go to the safe side. What a stage leaves out, wraps around or rounds is bounded as a distance of measures, which at most adds
//! up over the uses of its groups.

mod composed;
mod extent;
mod group;
mod ladder;

pub use composed::{Staged, StagedPlan};
pub(super) use extent::Extents;
pub(super) use group::{Composition, Group, Side, total_drift};
pub(super) use ladder::{Facts, most_accurate};
pub use ladder::{Ladder, Stage};
