//! Whether there is a number that meets the target, and which.

/// Whether there is a number that meets the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// There is, and not every number does.
    Found {
        /// Proven to meet the target.
        value: f64,
        /// The nearest number proven to miss it; none if the method has no lower ends.
        too_little: Option<f64>,
    },
    /// Every number that can be there does, as far as can be seen.
    EveryValue {
        /// The least private of those that were looked at: proven to meet the target.
        value: f64,
    },
    /// No number that can be there does, as far as can be seen.
    Impossible {
        /// The most private of those that were looked at: proven to miss the target, or not proven to meet it.
        closest: f64,
    },
}

/// An outcome, and what is known about its value.
pub(super) struct Proposal {
    pub(super) outcome: Outcome,
    /// Is the value proven to meet the target for every direction of the relation?
    pub(super) is_proven: bool,
}
