//! The papers, one folder each; in it one file for each figure, or for figures that share their numbers.

mod asoodeh21;
mod doroshenko22;
mod entry;
mod koskela21;
mod sommer19;
mod zhu22;

pub use entry::{Entry, Paper};

/// All papers.
pub fn papers() -> [&'static Paper; 5] {
    [&asoodeh21::PAPER, &doroshenko22::PAPER, &koskela21::PAPER, &sommer19::PAPER, &zhu22::PAPER]
}
