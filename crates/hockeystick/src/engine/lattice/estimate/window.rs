//! The window: the period of the transform, and the tilt for which its aliasing is negligible.

use super::{
    super::tuning::TUNING,
    cumulants::Interpolated,
    saddle::{Estimate, Saddle},
};
use hockeystick_numerics::{minimize::minimize, roots::Tolerance};

/// A window, and the orders with which its aliasing is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    /// The tilt c of the composition.
    pub(crate) tilt: f64,
    /// The period T.
    pub(crate) period: f64,
    pub(crate) order_above: f64,
    pub(crate) order_below: f64,
    /// Is it aliasing from above that makes it long?
    is_long_above: bool,
}

impl Window {
    /// For tables of tests.
    #[cfg(test)]
    pub(crate) fn plain(tilt: f64, period: f64) -> Self {
        Self { tilt, period, order_above: 2.0 * tilt, order_below: 0.5 * tilt, is_long_above: false }
    }

    /// The points of a transform with this spacing: a power of two. `None` if they cannot be counted.
    pub(crate) fn points(&self, spacing: f64) -> Option<usize> {
        let points = (self.period / spacing).ceil() + 1.0;
        (points < 1e15).then(|| (points as usize).max(TUNING.shortest_window).next_power_of_two())
    }
}

impl Estimate {
    /// The shortest window: a tilt at the saddle point or below for which aliasing is small on either side of a short period. Round-off is
    /// relative to `M(c)e^{−cε}`, which is the smallest at the saddle point.
    pub(crate) fn window(&self, saddle: Saddle, allowed: f64) -> Window {
        let cumulants = Interpolated::new(&self.cumulants);
        let at_saddle = cumulants.at(saddle.tilt) - saddle.tilt * saddle.epsilon;
        let mut best = window_at(&cumulants, saddle.tilt, saddle, allowed);
        // A smaller tilt reduces aliasing from above. (A larger one would reduce that from below, but gains little and moves small losses out
        // of the window.)
        for i in 1..=if best.is_long_above { TUNING.tilts } else { 0 } {
            let tilt = TUNING.tilt_ratio.powi(i) * saddle.tilt;
            let growth = cumulants.at(tilt) - tilt * saddle.epsilon - at_saddle;
            let other = window_at(&cumulants, tilt, saddle, allowed);
            if other.period >= best.period || growth > TUNING.round_off_growth.ln() {
                break;
            }
            best = other;
        }
        best
    }
}

/// The period T and the orders for which aliasing is small: `κ(λ)M(λ)e^{−λε−|λ−c|T}` for the best λ above the tilt and the best below.
fn window_at(cumulants: &Interpolated<'_>, c: f64, saddle: Saddle, allowed: f64) -> Window {
    let wanted = (TUNING.negligible * allowed * saddle.delta).ln();
    let period = |order: f64| {
        let log_kappa = order * order.ln() - (1.0 + order) * (1.0 + order).ln();
        (cumulants.at(order) - order * saddle.epsilon + log_kappa - wanted) / (order - c).abs()
    };
    let natural = (-2.0 * (TUNING.negligible * allowed).ln()).sqrt() / saddle.deviation.max(1e-9);
    let best = |order: &dyn Fn(f64) -> f64, low: f64, high: f64| {
        let found = minimize(|x| period(order(x)), low, high, Tolerance::absolute(0.2));
        found.map_or((f64::INFINITY, order(0.5 * (low + high))), |best| (best.value, order(best.at)))
    };
    let (above, order_above) = best(&|x| c + x.exp(), (0.1 * natural).ln(), (10.0 * natural).ln());
    // Below, the order is a part of the tilt; 0 stands for the trivial bound δ ≤ 1.
    let (below, order_below) = best(&|x| c / (1.0 + x.exp()), -5.0, 5.0);
    let trivial = -wanted / c;
    let (below, order_below) = if below < trivial { (below, order_below) } else { (trivial, 0.0) };
    let is_long_above = above > below;
    Window { tilt: c, period: above.max(below).max(0.0), order_above, order_below, is_long_above }
}
