//! What an event contributes to δ, enclosed, and where the width comes from.

use crate::curve::Budget;
use hockeystick_numerics::enclosure::Enclosure;

/// A sum, and what it may be off.
pub(crate) struct Sum {
    pub(crate) value: Enclosure,
    pub(super) roundoff: f64,
    pub(super) quadrature: f64,
    pub(super) truncation: f64,
}

impl Sum {
    /// Encloses a number between 0 and 1 that the exact sum exceeds by at most `aliasing`.
    pub(crate) fn above_by(self, aliasing: f64) -> Integral {
        let Self { value, roundoff, quadrature, truncation } = self;
        let off = (roundoff + quadrature + truncation) * (1.0 + 1e-12);
        if !(off + aliasing).is_finite() {
            let budget = Budget { truncation: 0.5, ..Budget::default() };
            return Integral { bounds: Enclosure::new(0.0, 1.0), budget };
        }
        let low = Enclosure::point(value.lower()) - off - aliasing;
        let high = Enclosure::point(value.upper()) + off;
        let bounds = Enclosure::new(low.lower().min(high.upper()), high.upper()).clamp(0.0, 1.0);
        let budget =
            Budget { aliasing: 0.5 * aliasing, truncation, quadrature, roundoff, ..Budget::default() };
        Integral { bounds, budget }
    }
}

/// δ of the finite losses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integral {
    pub(crate) bounds: Enclosure,
    pub(crate) budget: Budget,
}

impl Integral {
    pub(crate) fn relative_width(&self) -> f64 {
        self.bounds.width() / self.bounds.upper().max(f64::MIN_POSITIVE)
    }

    /// The one of two enclosures of the same that is narrower.
    pub(crate) fn narrower(self, other: Self) -> Self {
        if other.bounds.width() < self.bounds.width() { other } else { self }
    }

    /// Of two disjoint sets of outcomes.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { bounds: self.bounds + other.bounds, budget: self.budget + other.budget }
    }
}

impl Default for Integral {
    /// Of nothing.
    fn default() -> Self {
        Self { bounds: Enclosure::ZERO, budget: Budget::default() }
    }
}
