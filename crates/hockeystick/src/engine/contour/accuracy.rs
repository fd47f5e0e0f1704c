//! How narrow an answer is to be.

use super::tuning::TUNING;

/// The width allowed for an answer: `relative` times the value, or `absolute` for ε, whichever is larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The allowed relative width.
    pub relative: f64,
    /// The width always allowed for ε. It does not apply to δ, which may be tiny.
    pub absolute: f64,
    /// The allowed relative width where `|M|` does not decay: there a tenth of it takes three times as many points.
    pub without_decay: f64,
    /// The largest relative width that serves.
    pub asked: f64,
}

/// So many different mechanisms without decay are as narrow as one; more of them share its time, as far as what is asked for allows.
const FEW_PARTS: f64 = 4.0;

impl Accuracy {
    /// The default: nine significant digits, or eleven decimal places of ε; seven where `|M|` does not decay.
    pub const NARROW: Self = Self { relative: 1e-9, absolute: 1e-11, without_decay: 1e-7, asked: 1e-4 };

    /// The accuracy for a tolerance, never coarser than [`Self::NARROW`]: nine digits cost hardly more than four.
    pub fn within(tolerance: f64) -> Self {
        let finer = (tolerance / Self::NARROW.relative).min(1.0);
        Self {
            relative: Self::NARROW.relative * finer,
            absolute: Self::NARROW.absolute * finer,
            without_decay: Self::NARROW.without_decay.min(tolerance),
            asked: tolerance,
        }
    }

    /// The relative width at which errors are aimed: a part of what is allowed.
    pub(super) fn aimed_at(self) -> f64 {
        TUNING.part_aimed_at * self.relative
    }

    /// The same for so many parts: where `|M|` does not decay, each takes a number of points that goes with the root of the width.
    pub(super) fn of_parts(self, parts: f64) -> Self {
        let more = (parts / FEW_PARTS).max(1.0).powi(2);
        Self { without_decay: (more * self.without_decay).min(self.asked), ..self }
    }

    /// The same where `|M|` does not decay.
    pub(super) fn without_decay(self) -> Self {
        // Small ε are no harder there.
        Self { relative: self.without_decay.max(self.relative), absolute: 1e-3 * self.absolute, ..self }
    }

    /// The width of ε that is allowed.
    pub fn of_epsilon(self, epsilon: f64) -> f64 {
        (self.relative * epsilon).max(self.absolute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_only_make_answers_narrower() {
        assert_eq!(Accuracy::within(1e-4), Accuracy::NARROW);
        let narrower = Accuracy::within(1e-11);
        assert_eq!(narrower.relative, 1e-11);
        assert!((narrower.absolute - 1e-13).abs() < 1e-28);
        assert_eq!(Accuracy::NARROW.of_epsilon(2.0), 2e-9);
        assert_eq!(Accuracy::NARROW.of_epsilon(1e-6), 1e-11);
    }
}
