//! What may be spent.

use hockeystick_numerics::rounding::sub_down;

/// The most that may be spent, in one of three currencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpendingLimit {
    /// (ε, δ)-differential privacy.
    EpsilonDelta {
        /// The largest ε.
        epsilon: f64,
        /// At this δ; 0 is pure differential privacy.
        delta: f64,
    },
    /// μ-GDP.
    Gaussian {
        /// The largest μ.
        mu: f64,
    },
    /// ρ-zCDP.
    Concentrated {
        /// The largest ρ.
        rho: f64,
    },
}

impl SpendingLimit {
    /// The number that is not to be exceeded: ε, μ or ρ.
    pub fn value(self) -> f64 {
        match self {
            Self::EpsilonDelta { epsilon, .. } => epsilon,
            Self::Gaussian { mu } => mu,
            Self::Concentrated { rho } => rho,
        }
    }

    /// How far `spent` is from it; 0 if it is beyond.
    ///
    /// # Guarantee
    /// At most the truth.
    pub fn left(self, spent: f64) -> f64 {
        sub_down(self.value(), spent).max(0.0)
    }
}
