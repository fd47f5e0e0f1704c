//! How narrow an answer is to be.

use super::tuning::TUNING;

/// A width that is narrow: at most `relative` of the value, or at most `absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The width allowed, as a part of the value.
    pub relative: f64,
    /// The width of ε that is allowed whatever ε is. δ has no such width: a small δ is asked for because it is small.
    pub absolute: f64,
}

impl Accuracy {
    /// What is wanted unless something narrower is asked for: nine digits, or eleven places.
    pub const NARROW: Self = Self { relative: 1e-9, absolute: 1e-11 };

    /// For a question with a tolerance. Nine digits cost hardly more than four, so a tolerance above 10⁻⁹ is not passed on.
    pub fn within(tolerance: f64) -> Self {
        let finer = (tolerance / Self::NARROW.relative).min(1.0);
        Self { relative: Self::NARROW.relative * finer, absolute: Self::NARROW.absolute * finer }
    }

    /// The relative width at which errors are aimed: a part of what is allowed.
    pub(super) fn aimed_at(self) -> f64 {
        TUNING.part_aimed_at * self.relative
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
