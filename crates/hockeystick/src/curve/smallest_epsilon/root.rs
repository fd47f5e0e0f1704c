//! What a search leaves to the next one.

use hockeystick_numerics::enclosure::Enclosure;

/// A point of a profile, how fast `ln δ` falls there, and the relative half-width of δ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(super) log_delta: f64,
    pub(super) epsilon: f64,
    pub(super) slope: f64,
    pub(super) half_width: f64,
}

/// An interval for ε, and what is known of the profile there, if the search has come across it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) bounds: Enclosure,
    pub(super) root: Option<Root>,
}
