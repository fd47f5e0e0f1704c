//! How much work exact sums may take.

/// How much work a composition may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// No more than the other engines are expected to take.
    Planned,
    /// What is bearable: a second or less.
    Any,
}

impl Effort {
    /// The number of multiplications, for a law whose moment generating function decays on a line, or does not.
    pub(super) fn multiplications(self, decays: bool) -> f64 {
        match (self, decays) {
            (Self::Planned, true) => 4e6,
            (Self::Planned, false) => 1.2e8,
            (Self::Any, _) => 4e8,
        }
    }
}
