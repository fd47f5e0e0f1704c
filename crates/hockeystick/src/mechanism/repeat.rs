//! A mechanism composed with itself.

use super::check::Subject;
use super::nested::Nested;
use super::{InvalidParameter, MAX_COUNT, Mechanism};

/// One mechanism composed `count` times with itself.
///
/// Any count can be written; [`Mechanism::validate`] refuses those outside 1 to 10¹⁵.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    pub(super) mechanism: Nested,
    count: u64,
}

/// The subject of every check of a count.
pub(super) const COUNT: Subject =
    Subject { mechanism: "repeat", parameter: "count", meaning: "number of times the mechanism is run" };

impl Repeat {
    /// Repeats `mechanism`.
    pub fn new(mechanism: impl Into<Mechanism>, count: u64) -> Self {
        Self { mechanism: Nested::new(mechanism.into()), count }
    }

    /// The mechanism that is repeated.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// How often it is run.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn check(&self) -> Result<(), InvalidParameter> {
        COUNT.whole(self.count, 1, MAX_COUNT).map(drop)
    }
}
