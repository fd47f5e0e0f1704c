//! Normal losses on equally spaced values: normal next to the real axis, and again and again farther up.

use crate::pair::{LOG_ERROR, LatticeNormal};
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;
use num_complex::Complex;
use std::sync::Arc;

/// Such laws, each with its number of uses. Up to a height their variances are part of that of all normal losses.
#[derive(Clone, Debug)]
pub(crate) struct Combs {
    laws: Arc<[(LatticeNormal, f64)]>,
    /// Up to here all of them are normal; ∞ if there are none.
    pub(crate) height: f64,
    /// What they may be off there, and on the real axis, as a logarithm.
    pub(crate) log_error: f64,
}

/// What is less than `e^{this}` of `M(c)` need not be known any better.
const LOG_QUIET: f64 = -120.0;
/// So many deviations of all normal losses have to fit below the height of a law.
const LEAST_DEVIATIONS: f64 = 12.0;

/// What several of them are farther up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FartherUp {
    /// `Σ k log M(z)`, and what it may be off: infinite where only the bound is known.
    pub(crate) value: Complex<f64>,
    pub(crate) error: f64,
    /// An upper bound of `Σ k (log |M(z)| − μ²c(c + 1)/2)`.
    pub(crate) fallen: f64,
}

impl Combs {
    /// Of none.
    pub(crate) fn none() -> Self {
        Self::of(Vec::new())
    }

    pub(super) fn of(laws: Vec<(LatticeNormal, f64)>) -> Self {
        let height = laws.iter().map(|(law, _)| law.height()).fold(f64::INFINITY, f64::min);
        let log_error = laws.iter().map(|(_, count)| 2.0 * count * LOG_ERROR).sum();
        Self { laws: laws.into(), height, log_error }
    }

    /// Does so much variance in all fall below the height of a law, so that nothing is lost if it is taken for a normal one there?
    pub(super) fn is_one(law: &LatticeNormal, variance: f64) -> bool {
        law.height() * variance.sqrt() >= LEAST_DEVIATIONS
    }

    pub(super) fn times(&self, many: f64) -> Self {
        Self::of(self.laws.iter().map(|(law, count)| (*law, count * many)).collect())
    }

    /// At `c + it`, beside other losses that have fallen so far there.
    ///
    /// # Guarantee
    /// Every law that is not asked, since the others have fallen enough, has fallen to 0 or farther.
    pub(crate) fn farther_up(&self, tilt: f64, t: f64, fallen: f64) -> FartherUp {
        let mut sum = FartherUp { value: Complex::new(0.0, 0.0), error: 0.0, fallen: 0.0 };
        for (law, count) in self.laws.iter() {
            let at = law.at(tilt, t);
            let least = count * at.fallen.min(0.0);
            sum.fallen += least + 4.0 * UNIT_ROUNDOFF * (least.abs() + sum.fallen.abs());
            if fallen + sum.fallen < LOG_QUIET {
                return FartherUp { error: f64::INFINITY, ..sum };
            }
            let value = at.value * *count;
            sum.value += value;
            sum.error += count * at.error * (1.0 + 1e-12)
                + 2.0 * UNIT_ROUNDOFF * (value.l1_norm() + sum.value.l1_norm());
        }
        sum
    }
}
