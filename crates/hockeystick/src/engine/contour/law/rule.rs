//! One quadrature rule for `M(z)` on a whole vertical line.
//!
//! In: a law, the line `Re z = c`, and how far up it will be used. Out: nodes `(L, log p)` such that
//! `M(z) ≈ Σ p e^{zL}` with a certified error, at every `z` of the line, and at `z = 0` and `z = −1`, where `M` is known
//! beforehand and serves to remove the leading digits.

use hockeystick_numerics::{
    enclosure::Enclosure,
    special::{exp, ln},
};

/// A point mass that stands for a piece of the law of the loss under `P`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossNode {
    /// `L`.
    pub loss: f64,
    /// How far `L` may be off.
    pub loss_error: f64,
    /// `log p`.
    pub log_p: f64,
    /// The relative error of `p = e^{log_p}`, and of `q = e^{log_p − L}`.
    pub relative_error: f64,
}

/// Which line a rule is made for, and how exact it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleSpec {
    /// `c = Re z`.
    pub tilt: f64,
    /// The largest `|Im z|`.
    pub height: f64,
    /// `λ`: a point right of `c` where `M(λ)` is wanted to a few digits.
    pub beyond: f64,
    /// The logarithm of the error allowed, relative to `max(M(c), 1)`.
    pub log_tolerance: f64,
    /// The same for `M(λ)`, relative to itself.
    pub log_tolerance_beyond: f64,
    /// Is `M` taken as it is, with nothing said of 0 and −1?
    pub direct: bool,
}

/// A rule for a line.
#[derive(Clone, Debug)]
pub struct LossRule {
    /// The nodes.
    pub nodes: Vec<LossNode>,
    /// `log` of a bound of `|Σ p e^{zL} − M(z)|` on the line.
    pub log_error: f64,
    /// A bound of `|Σ p − M(0)|`.
    pub p_error: f64,
    /// A bound of `|Σ p e^{−L} − M(−1)|`; infinite for what is above a cut.
    pub q_error: f64,
    /// `log` of a bound of `|Σ p e^{λL} − M(λ)|`.
    pub log_error_beyond: f64,
    /// The mass above the cut, for a rule of what is below it.
    pub outside: Outside,
}

/// The masses of a law outside of a portion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// `P`'s mass.
    pub p: Enclosure,
    /// `Q`'s mass minus `P`'s. Where losses are small it is known better than either.
    pub surplus: Enclosure,
}

impl Outside {
    /// Nothing.
    pub const NOTHING: Self = Self { p: Enclosure::ZERO, surplus: Enclosure::ZERO };

    /// All that it may be.
    pub(super) fn anything() -> Self {
        Self { p: Enclosure::new(0.0, 1.0), surplus: Enclosure::new(-1.0, 1.0) }
    }
}

impl LossRule {
    /// The rule for the sum of two laws.
    pub fn and(mut self, other: Self) -> Self {
        let sum = |a: f64, b: f64| {
            let largest = a.max(b);
            if largest == f64::NEG_INFINITY {
                largest
            } else {
                largest + ln(exp(a - largest) + exp(b - largest)) + 1e-9
            }
        };
        self.nodes.extend(other.nodes);
        Self {
            log_error: sum(self.log_error, other.log_error),
            p_error: self.p_error + other.p_error,
            q_error: self.q_error + other.q_error,
            log_error_beyond: sum(self.log_error_beyond, other.log_error_beyond),
            outside: Outside {
                p: self.outside.p + other.outside.p,
                surplus: self.outside.surplus + other.outside.surplus,
            },
            ..self
        }
    }
}

impl Outside {
    /// The same, if each may be off by so much more; no mass is negative.
    pub(super) fn widened(self, p_error: f64, surplus_error: f64) -> Self {
        let p = self.p + Enclosure::new(-p_error, p_error);
        Self {
            p: Enclosure::new(p.lower().max(0.0), p.upper().max(0.0)),
            surplus: self.surplus + Enclosure::new(-surplus_error, surplus_error),
        }
    }
}
