//! The laws of the loss that cells have: the smaller or the larger loss of each, under either distribution.

use super::cells::Cells;

/// One of the four laws: which loss, and whose mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// `L⁻` under `P`.
    LowP,
    /// `L⁺` under `P`.
    HighP,
    /// `L⁻` under `Q`.
    LowQ,
    /// `L⁺` under `Q`.
    HighQ,
}

impl Law {
    pub(super) const ALL: [Self; 4] = [Self::LowP, Self::HighP, Self::LowQ, Self::HighQ];

    pub(super) fn is_high(self) -> bool {
        match self {
            Self::LowP | Self::LowQ => false,
            Self::HighP | Self::HighQ => true,
        }
    }

    pub(super) fn is_p(self) -> bool {
        match self {
            Self::LowP | Self::HighP => true,
            Self::LowQ | Self::HighQ => false,
        }
    }

    /// Losses and masses.
    pub(super) fn of(self, cells: &Cells) -> (&[f64], &[f64]) {
        let losses = if self.is_high() { &cells.high } else { &cells.low };
        (losses, if self.is_p() { &cells.p } else { &cells.q })
    }
}

/// The angle of a loss, rounded to the safe side.
pub(super) fn angle(spacing: f64, loss: f64, is_high: bool) -> f64 {
    let angle = spacing * loss;
    if is_high { angle.next_up() } else { angle.next_down() }
}
