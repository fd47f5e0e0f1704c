//! Outcomes as losses with masses: atoms, and the nodes of a rule.

/// Outcomes, and nodes that stand for a density.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcomes {
    /// Losses with their masses.
    pub(super) atoms: Vec<Node>,
    /// The same for the nodes of a rule.
    pub(super) nodes: Vec<Node>,
    /// `φ(0)`.
    pub(super) finite: f64,
    /// The error of the rule, if known.
    pub(super) error: f64,
    /// `E|L|`, the scale of round-off.
    pub(super) size: f64,
}

/// A loss and its mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) loss: f64,
    pub(super) mass: f64,
}

impl Outcomes {
    /// With `size` computed.
    pub(super) fn measured(mut self) -> Self {
        self.size = self.atoms.iter().chain(&self.nodes).map(|node| node.mass * node.loss.abs()).sum();
        self
    }
}
