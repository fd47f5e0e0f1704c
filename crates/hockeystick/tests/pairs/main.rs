//! Worst-case pairs against references, definitions and laws, and conversions between their representations.

mod allocation;
mod conformance;
mod conversions;
mod custom;
mod discrete_pairs;
mod joined;
mod profile;
mod ratio_law;
mod ratio_law_references;
mod ratio_law_support;
