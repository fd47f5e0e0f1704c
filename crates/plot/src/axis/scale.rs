//! How numbers are spread along an axis.

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; numbers that are not positive cannot be shown.
    Logarithmic,
}

impl Scale {
    /// Can this number be shown?
    pub(crate) fn shows(self, value: f64) -> bool {
        match self {
            Self::Linear => value.is_finite(),
            Self::Logarithmic => value.is_finite() && value > 0.0,
        }
    }

    pub(crate) fn position(self, value: f64) -> f64 {
        match self {
            Self::Linear => value.clamp(-LARGEST, LARGEST),
            Self::Logarithmic => value.log10(),
        }
    }
}

/// Numbers beyond are drawn at this one, so that lengths of axes are finite.
const LARGEST: f64 = f64::MAX / 8.0;
