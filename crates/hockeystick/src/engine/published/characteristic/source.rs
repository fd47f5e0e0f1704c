//! The two sources of a characteristic function: symbols, or quadrature.

/// Where the characteristic function of a mechanism comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In closed form where there is one, else from a certified rule for the moment generating function ([Zhu22, Alg. 1]).
    Symbols,
    /// By Gaussian quadrature over the outcomes of everything that has a density ([Zhu22, App. E, "double quadrature"]).
    Quadrature {
        /// The points for each interval of outcomes.
        points: usize,
    },
}

impl Source {
    /// As many points as in [Zhu22, Exp. 3].
    pub const DOUBLE_QUADRATURE: Self = Self::Quadrature { points: 700 };
}
