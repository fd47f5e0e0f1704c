//! Methods that bound: moments, limits, classic theorems. Each on the right side of the truth, in the right order, and with the
//! numbers that the papers print.

mod asoodeh;
mod cited_theorems;
mod classics;
mod golden;
mod moments_only;
mod optimal_conversion;
mod orders;
mod privacy_regions;
mod renyi;
mod sommer;
mod support;
mod workloads;
