//! What a theorem says of an account.

/// What one theorem says of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The theorem.
    pub theorem: String,
    /// Its share of the budget's δ; `None` where none is needed.
    pub delta: Option<f64>,
    /// What the account has come to by it, in ε, μ or ρ; infinite where it says nothing about what was charged.
    pub value: f64,
}
