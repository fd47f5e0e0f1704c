//! What a piece is and what it costs, to be printed.

use crate::engine::contour::line_plan::LinePlan;
use std::fmt;

/// A piece, to be printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Everything, or all that is left below a cut: on a vertical line.
    Line(LinePlan),
    /// Outcomes with a loss between two sizes, and none above.
    Slice {
        /// The larger of both, about.
        largest_loss: f64,
        /// The line.
        line: LinePlan,
    },
    /// Bounded only: `κ(c) e^{K(c) − cε}` at the tilt c.
    Remainder {
        /// c.
        tilt: f64,
        /// `K(c)`.
        log_moment: f64,
    },
}

impl Outline {
    /// Its line, if it has one.
    pub fn line(&self) -> Option<LinePlan> {
        match *self {
            Self::Line(line) | Self::Slice { line, .. } => Some(line),
            Self::Remainder { .. } => None,
        }
    }
}

impl fmt::Display for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "smaller losses: {line}"),
            Self::Slice { largest_loss, line } => write!(f, "losses from {largest_loss:.3e} down: {line}"),
            Self::Remainder { tilt: 0.0, log_moment } => {
                write!(f, "left out: outcomes of a mass below e^{log_moment:.1}")
            }
            Self::Remainder { tilt, log_moment } => {
                write!(f, "bounded only: κ e^({log_moment:.2} − {tilt:.4} ε)")
            }
        }
    }
}
