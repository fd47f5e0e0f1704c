//! The two ends of the line.

/// An end of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) fn sign(self) -> f64 {
        if self == Self::Right { 1.0 } else { -1.0 }
    }
}
