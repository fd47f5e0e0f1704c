//! `1 − δ` of a composition, where it is the smaller number: the lines between the poles that are at hand, another one, or a bound.
//!
//! In: factors, and an ε. Out: `1 − δ(ε)`.
//!
//! # Guarantee
//! Encloses it.

mod line;

use super::{Accuracy, factors::Factors, line::Integral, search::Sketch, tuning::TUNING};
use crate::curve::Budget;
use hockeystick_numerics::{enclosure::Enclosure, special::exp};
use line::Between;
use std::sync::{Arc, Mutex, OnceLock};

/// No double below 1 is this close to 1, so that a bound of `1 − δ` serves as well as its value.
const BEYOND_DOUBLES: f64 = 1e-17;

/// What was found out about `1 − δ` so far.
#[derive(Debug, Default)]
pub(super) struct Complement {
    /// Each with the relative width up to which it is good at another ε.
    lines: Mutex<Vec<(Arc<Between>, f64)>>,
    /// What lines are planned with.
    sketch: OnceLock<Option<Sketch>>,
    /// An upper bound of `log M(−1/2)`.
    log_affinity: OnceLock<f64>,
}

impl Complement {
    /// `1 − δ(ε)` by the line built last, if it is accurate enough there.
    pub(super) fn at_hand(&self, epsilon: f64) -> Option<Integral> {
        let (line, _) = self.lines.lock().ok()?.last().cloned()?;
        Some(line.missing(epsilon)).filter(|found| found.relative_width() < Accuracy::NARROW.aimed_at())
    }

    /// `1 − δ(ε)`. If no kept line is narrow enough, a new one is built, provided that `may_draw` is set or there is none yet.
    ///
    /// # Guarantee
    /// Encloses it: every line does, and so does the interval from 0 to Chernoff's bound.
    pub(super) fn at(&self, factors: &Factors, epsilon: f64, may_draw: bool) -> Integral {
        let most = self.bound(factors, epsilon);
        let budget = Budget { truncation: 0.5 * most, ..Budget::default() };
        let mut best = Integral { bounds: Enclosure::new(0.0, most), budget };
        if most < BEYOND_DOUBLES {
            return best;
        }
        let known = self.lines.lock().map(|lines| lines.clone()).unwrap_or_default();
        for (line, good) in known.iter().rev() {
            best = best.narrower(line.missing(epsilon));
            if best.relative_width() < *good {
                return best;
            }
        }
        if (may_draw || known.is_empty())
            && let Some(line) =
                self.sketch(factors).and_then(|sketch| Between::find(factors, sketch, epsilon))
            && let Ok(mut lines) = self.lines.lock()
        {
            let found = line.missing(epsilon);
            best = best.narrower(found);
            if lines.len() >= TUNING.kept_lines {
                lines.remove(0);
            }
            lines.push((Arc::new(line), TUNING.good.max(TUNING.worse * found.relative_width())));
        }
        best
    }

    /// A bound of `1 − δ(ε) = E[min(1, e^{ε−L}); L < ∞] ≤ E[e^{(ε−L)/2}] = e^{ε/2} M(−1/2)`.
    ///
    /// Far below the mean of the loss, this proves without a line that δ rounds to 1.
    pub(super) fn bound(&self, factors: &Factors, epsilon: f64) -> f64 {
        let log_affinity = *self.log_affinity.get_or_init(|| factors.log_affinity());
        // Never 0, however little it is.
        exp((0.5 * epsilon + log_affinity + 1e-15 * epsilon.abs()).min(0.0) + 1e-9)
            .clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// About the ε at which `1 − δ` is `missing`, and by how much its logarithm grows with ε there.
    pub(super) fn epsilon_of(&self, factors: &Factors, missing: f64) -> Option<(f64, f64)> {
        Some(line::epsilon_of(self.sketch(factors)?, missing)).filter(|(epsilon, _)| epsilon.is_finite())
    }

    fn sketch(&self, factors: &Factors) -> Option<&Sketch> {
        self.sketch.get_or_init(|| line::sketch(factors)).as_ref()
    }
}
