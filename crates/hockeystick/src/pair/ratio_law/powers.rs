//! Bounds of `(log r − c)^k e^{log_q} r^θ`, k = 0 … 3, together.

use super::{
    center::Center, cover::Bounds, integrand::Integrand, mgf::LOG_TOLERANCE, peak::Peak, portion::Portion,
    rectangle::Rectangle, side::Side, tail,
};
use hockeystick_numerics::special::{exp, ln, ln_1p};
use std::f64::consts::LN_2;

/// `(log r − c)^k e^{log_q} r^θ` for k = 0 … 3, each in units of its own tolerance: the largest of them.
pub(crate) struct Powers<'a> {
    integrand: &'a Integrand,
    center: f64,
    log_tolerances: [f64; 4],
    /// τ: how far the power is moved to bound tails, and the integrands with the powers θ + τ and θ − τ.
    shift: f64,
    shifted: [Integrand; 2],
}

impl<'a> Powers<'a> {
    /// About a center, for an integrand whose power may be moved by `margin` either way.
    ///
    /// The farther the power is moved, the smaller `τ^{−k}` and the later the tails fall: `τ · spread = 1` balances them,
    /// but where the loss is all but constant the terms of the ratio decide how far away the tails go.
    pub(crate) fn new(integrand: &'a Integrand, center: &Center, peak: Peak, margin: f64) -> Self {
        let around = Rectangle { middle: peak.at, reach: peak.width, height: 0.0 };
        let slopes = integrand.ratio.terms.iter().map(|term| term.exponent.steepest(around));
        let growth = slopes.fold(0.0, f64::max) * peak.width;
        let shift = (0.5 * margin).min(1.0 / center.spread()).min(1.0 / growth);
        Self {
            integrand,
            center: center.at,
            log_tolerances: center.sizes.map(|size| ln(size) + LOG_TOLERANCE),
            shift,
            shifted: [shift, -shift].map(|by| integrand.with_power(integrand.power.re + by)),
        }
    }
}

impl Powers<'_> {
    /// The same with tolerances for absolute moments of other sizes; infinite for those that do not matter.
    pub(crate) fn with_sizes(self, sizes: [f64; 4]) -> Self {
        Self { log_tolerances: sizes.map(|size| ln(size) + LOG_TOLERANCE), ..self }
    }
}

impl Bounds for Powers<'_> {
    fn inside(&self, rectangle: Rectangle) -> f64 {
        let log = self.integrand.log_bound(rectangle);
        if log == f64::INFINITY {
            return log;
        }
        let log_distance = ln(self.integrand.distance(self.center, rectangle)) + 1e-9;
        let powers = self.log_tolerances.iter().zip(0u8..);
        let excess = powers.map(|(tolerance, k)| f64::from(k) * log_distance - tolerance);
        log + excess.fold(f64::NEG_INFINITY, f64::max)
    }

    /// `|y|^k ≤ k! τ^{−k} e^{τ|y|}` and `e^{τ|y|} ≤ e^{τy} + e^{−τy}`, y = log r − c, leave two tails of other powers.
    fn beyond(&self, x: f64, side: Side) -> f64 {
        const LOG_FACTORIALS: [f64; 4] = [0.0, 0.0, LN_2, 1.791_759_470];
        let [above, below] = &self.shifted;
        let moved = self.shift * self.center;
        let (a, b) = (
            tail::log_bound(above, Portion::Whole, x, side) - moved,
            tail::log_bound(below, Portion::Whole, x, side) + moved,
        );
        let both = a.max(b) + ln_1p(exp(a.min(b) - a.max(b)));
        let log_shift = ln(self.shift);
        let powers = self.log_tolerances.iter().zip(LOG_FACTORIALS).zip(0u8..);
        let excess =
            powers.map(|((tolerance, factorial), k)| factorial - f64::from(k) * log_shift - tolerance);
        let log = both + excess.fold(f64::NEG_INFINITY, f64::max) + 1e-9;
        if log.is_nan() { f64::INFINITY } else { log }
    }
}
