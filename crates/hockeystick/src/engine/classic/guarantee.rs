//! What the classic theorems know of a mechanism.

/// An (ε, δ) guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    /// ε, rounded up.
    pub epsilon: f64,
    /// δ, rounded up.
    pub delta: f64,
}

/// A guarantee of one use, in both directions, and the number of uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DpPart {
    /// Of one use.
    pub guarantee: Guarantee,
    /// The number of uses.
    pub count: u64,
}
