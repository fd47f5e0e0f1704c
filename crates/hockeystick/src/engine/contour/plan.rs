//! How many points on which line: from what is asked, in plain floats.

use super::{decay::Envelope, factors::Factors, line::LinePlan, saddle::Saddle};
use hockeystick_numerics::special::ln;
use std::f64::consts::TAU;

/// Errors are aimed at this part of δ.
const LOG_ACCURACY: f64 = -31.0;
/// No line has more points.
const MOST_POINTS: usize = 1 << 13;
/// With a tilt of fewer standard deviations the wrap-around would need a long period.
const LEAST_DEVIATIONS: f64 = 2.5;
/// From so many times the lowest height on, bounds that take longer are worth it.
const FAR: f64 = 64.0;

/// A line, and what bounds `|M|` beyond its end.
pub(super) struct Planned {
    pub(super) line: LinePlan,
    pub(super) envelope: Envelope,
}

/// The line for a saddle.
pub(super) fn plan(factors: &Factors, saddle: &Saddle) -> Planned {
    let highest = factors.strip_end();
    let deviation = saddle.cumulants.variance.sqrt().max(1e-300);
    let tilt = saddle.tilt.max(LEAST_DEVIATIONS / deviation).min(0.5 * saddle.sketch.reach).max(saddle.tilt);
    let at = saddle.sketch.at(tilt);
    let (epsilon, wanted) = (saddle.epsilon, saddle.log_delta.min(0.0) + LOG_ACCURACY);
    let (beyond, period_above) = (0..12)
        .map(|i| {
            let wide = 2.0 * 0.7f64.powi(i) * (-2.0 * LOG_ACCURACY / at.variance.max(1e-300)).sqrt();
            let room = (saddle.sketch.reach.min(highest) - tilt) * 0.95;
            let by = wide.min(room);
            let lambda = tilt + by;
            let log = saddle.sketch.at(lambda).value - lambda * epsilon + log_kappa(lambda);
            (lambda, (log - wanted) / by)
        })
        .filter(|(_, period)| !period.is_nan())
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((1.01 * tilt, f64::INFINITY));
    let period = (-wanted / tilt).max(period_above).max(8.0 * deviation);
    let step = TAU / period;
    let mut envelope = Envelope::new(factors, tilt, saddle.sketch.values(tilt));
    // What may be left beyond the end, relative to M(c).
    let normal = 0.5 * factors.normal * tilt * (tilt + 1.0);
    let allowed = wanted + tilt * epsilon - normal - envelope.log_unit();
    let start = (1.0 / deviation).max(step);
    let limit = step * (MOST_POINTS - 2) as f64;
    let mut height = lowest(start, limit, |t| envelope.log_tail(t) <= allowed);
    if height > FAR * start {
        envelope.look_farther(factors, tilt);
        height = lowest(start, limit, |t| envelope.log_tail(t) <= allowed);
    }
    let points = (height / step).ceil() as usize + 2;
    Planned { line: LinePlan { tilt, step, points, beyond }, envelope }
}

/// The lowest height that is enough, within some percent, or the limit.
fn lowest(start: f64, limit: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (start, start);
    while high < limit && !is_enough(high) {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..if high > low { 4 } else { 0 } {
        let middle = (low * high).sqrt();
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high.min(limit)
}

fn log_kappa(lambda: f64) -> f64 {
    lambda * ln(lambda) - (1.0 + lambda) * ln(1.0 + lambda)
}
