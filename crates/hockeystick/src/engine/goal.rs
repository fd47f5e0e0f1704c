//! What a composition is made for: δ at an ε, or ε at a δ.

/// What will be asked of the composition, so that the tilt can be chosen for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// δ at this ε.
    Delta {
        /// The ε.
        epsilon: f64,
    },
    /// ε at this δ.
    Epsilon {
        /// The δ.
        delta: f64,
    },
}
