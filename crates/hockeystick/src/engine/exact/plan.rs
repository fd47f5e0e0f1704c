//! What an exact sum consists of.

use std::fmt;

/// What is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactKind {
    /// Losses on a progression.
    Progression,
    /// Atoms at equally spaced knots and polynomials of degree below this between them.
    Splines {
        /// The points by which each polynomial is known.
        points: usize,
    },
}

/// What was composed, and for what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactPlan {
    /// What is summed.
    pub kind: ExactKind,
    /// The distance of neighbouring losses, or knots.
    pub step: f64,
    /// The number of losses, or knots.
    pub terms: usize,
    /// The tilt, in the unit of moments of the loss.
    pub tilt: f64,
}

impl fmt::Display for ExactPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, step, terms, tilt } = self;
        match kind {
            ExactKind::Progression => {
                write!(f, "{terms} losses a step of {step:.4} apart, convolved with a tilt of {tilt:.3}")
            }
            ExactKind::Splines { points } => write!(
                f,
                "{terms} atoms a step of {step:.4} apart and polynomials between them, by {points} points each, \
                 with a tilt of {tilt:.3}"
            ),
        }
    }
}
