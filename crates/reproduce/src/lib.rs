//! The figures and tables of five papers, drawn again with the library's own queries and engines.
//!
//! A [`Paper`] lists its figures; each is drawn by one function, which returns data: parameters and where they come from,
//! curves, what comes out, what the paper says, where and why the two differ, and the numbers that the text claims, as
//! [`Claim`]s that tests hold. [`write`] turns them into a page, a chart and a table each.
//!
//! Nothing here computes an ε or a δ: every number comes from `hockeystick`.

mod asked;
mod claim;
mod digits;
mod drawn;
mod failure;
mod figure;
mod panel;
pub mod paper;
mod write;

pub use claim::{Claim, Verdict};
pub use drawn::draw_all;
pub use failure::Failure;
pub use figure::{Figure, Parameter, Source};
pub use panel::{Curve, Panel, Sample};
pub use paper::{Entry, Paper, papers};
pub use write::{Document, csv, index, page, sheet};
