//! A normal loss restricted to equally spaced values.

use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln_1p},
};
use num_complex::Complex;
use std::f64::consts::{PI, TAU};

/// The loss of `P ∝ e^{−(x−s)²/2σ²}` against `Q ∝ e^{−x²/2σ²}` on the integers, s one of them: `L = s(2x − s)/2σ²`.
///
/// With `μ² = s²/σ²`, Poisson's summation formula gives
///
/// ```text
/// M(z) = e^{μ²z(z+1)/2} (1 + η(z))/(1 + η(−1)),   η(z) = Σ_{m≠0} e^{−2π²σ²m² − 2πims(1+z)},
/// M(z + iτ) = (−1)^s M(z),   τ = 2πσ²/s,
/// ```
///
/// so that next to the real axis, and next to every multiple of τ, `M` is that of a normal loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeNormal {
    /// `μ²`.
    pub(crate) mu_squared: f64,
    /// `τ`.
    pub(crate) period: f64,
    /// What either may be off, relative to itself.
    pub(crate) relative_error: f64,
    /// Is s odd?
    pub(crate) is_odd: bool,
}

/// This far from the middle between two multiples of τ, and farther, `|η|` is below 10⁻³¹.
const FROM_MIDDLE: f64 = 11.6;
/// `|log(1 + η(z)) − log(1 + η(−1))|` there is at most this.
pub(crate) const LOG_ERROR: f64 = 1e-30;

/// `M` at a point, relative to what it is for a normal loss on the real axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AtHeight {
    /// `log M(c + it)`, on some branch.
    pub(crate) value: Complex<f64>,
    /// What that may be off; infinite where only the bound is known.
    pub(crate) error: f64,
    /// An upper bound of `log |M(c + it)| − μ²c(c + 1)/2`.
    pub(crate) fallen: f64,
}

impl LatticeNormal {
    /// Up to this height `M` is that of a normal loss, but for [`LOG_ERROR`] in its logarithm. It may be negative.
    pub(crate) fn height(&self) -> f64 {
        0.5 * self.period * (1.0 - 4.0 * self.relative_error) - FROM_MIDDLE
    }

    /// `M(c + it)`.
    ///
    /// # Guarantee
    /// With `x = τ/2 − |t′|`, t′ = t − kτ the rest of t, `|η| ≤ 2e^{−2πx}/(1 − e^{−2πτ})` for s ≥ 1, and `1 + η(−1) ≥ 1` at z = −1, where all terms
    /// are positive. `t + iτ` multiplies every `e^{zL}` by `e^{iτL} = e^{2πix} e^{−πis}`.
    pub(crate) fn at(&self, tilt: f64, t: f64) -> AtHeight {
        let Self { mu_squared, period, relative_error, is_odd } = *self;
        let turns = (t / period).round();
        let rest = (-turns).mul_add(period, t);
        let off = turns.abs() * period * relative_error + UNIT_ROUNDOFF * rest.abs() * 2.0;
        let least = (rest.abs() - off).max(0.0);
        let from_middle = (0.5 * period * (1.0 - relative_error) - rest.abs() - off).max(0.0);
        let eta = 2.01 * exp(-TAU * from_middle);
        let square = mu_squared * (1.0 - relative_error - 4.0 * UNIT_ROUNDOFF);
        let fallen = -0.5 * square * least * least + ln_1p(eta) * (1.0 + 1e-12) + 1e-300;
        let z = Complex::new(tilt, rest);
        let size = (tilt.abs() + rest.abs()) * (tilt.abs() + rest.abs() + 1.0);
        let moved = mu_squared * (tilt.abs() + rest.abs() + off + 1.0) * off;
        let is_normal = from_middle >= FROM_MIDDLE;
        let rounding = 0.5 * mu_squared * size * (relative_error + 16.0 * UNIT_ROUNDOFF);
        // (−1)^{ks}; −πi s k has no other value than 0 or π on some branch.
        let turned = if is_odd && turns.rem_euclid(2.0) == 1.0 { PI } else { 0.0 };
        let error = 1.01 * moved + rounding + LOG_ERROR + 4.0 * UNIT_ROUNDOFF;
        AtHeight {
            value: z * (z + 1.0) * (0.5 * mu_squared) + Complex::new(0.0, turned),
            error: if is_normal { error } else { f64::INFINITY },
            fallen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::{DiscreteGaussian, Mechanism},
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::special::ln;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Against the sum over all outcomes: next to the real axis, next to multiples of the period, and between them.
        #[test]
        fn moments_are_those_of_the_listed_law(
            sigma in 2.5f64..30.0,
            shift in 1u64..5,
            deviations in 0.0f64..8.0,
            turns in 0u32..4,
            place in prop_oneof![-0.5f64..0.5, -0.05f64..0.05],
        ) {
            let mechanism: Mechanism =
                DiscreteGaussian::new(sigma).unwrap().with_sensitivity(shift).unwrap().into();
            let pair = dominating_pair(&mechanism, Direction::Remove).unwrap();
            let law = pair.lattice_normal().unwrap();
            let tilt = deviations / law.mu_squared.sqrt();
            let t = ((f64::from(turns) + place) * law.period).abs();
            let Some(truth) = pair.mgf(Complex::new(tilt, t)) else { return Ok(()) };
            let found = law.at(tilt, t);
            let most = found.fallen + 0.5 * law.mu_squared * tilt * (tilt + 1.0);
            let least = truth.center().norm() - truth.radius();
            prop_assert!(least <= 0.0 || ln(least) <= most + 1e-12 * (1.0 + most.abs()), "{} above {most}", ln(least));
            if found.error.is_finite() && truth.radius() < 0.1 * truth.center().norm() {
                let log = truth.center().ln();
                let turn = (found.value.im - log.im).rem_euclid(TAU);
                let off = (found.value.re - log.re).hypot(turn.min(TAU - turn));
                let allowed = found.error + 1.2 * truth.radius() / truth.center().norm() + 1e-12;
                prop_assert!(off <= allowed, "{off:e} above {allowed:e} at {t}");
            }
        }
    }

    /// Up to the height there is nothing but the normal law.
    #[test]
    fn low_down_it_is_normal() {
        let mechanism: Mechanism = "discrete_gaussian(sigma=5, sensitivity=3)".parse().unwrap();
        let law = dominating_pair(&mechanism, Direction::Remove).unwrap().lattice_normal().unwrap();
        assert!(law.is_odd && law.height() > 14.0 && law.height() < 15.0, "{}", law.height());
        let z = Complex::new(2.0, 14.0);
        let found = law.at(z.re, z.im);
        assert!((found.value - z * (z + 1.0) * 0.18).norm() <= found.error && found.error < 1e-12);
        assert_eq!(law.at(2.0, 15.0).error, f64::INFINITY);
    }
}
