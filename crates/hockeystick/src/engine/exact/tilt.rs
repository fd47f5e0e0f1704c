//! How far to tilt: in plain floats, since any tilt leads to an enclosure.

use crate::engine::Goal;
use std::f64::consts::TAU;

/// δ above this need no tilt: then the complement is summed as well.
const LARGE_DELTA: f64 = 0.1;
/// Halvings of the logarithm of the tilt.
const HALVINGS: usize = 24;
/// Bits of a tilt, so that its products with an index are exact.
const TILT_BITS: i32 = 12;

/// `K(θ)` and `K′(θ)`.
pub(super) type Cumulant = (f64, f64);

/// About the θ ≥ 0, at most `largest`, under which what is asked for is the likeliest.
///
/// It is where `e^{K(θ) − θε}/(θ(1 + θ))` is smallest, at `ε = K′(θ) − 1/θ − 1/(1 + θ)`. For a given δ, the Gaussian integral
/// across that point is the estimate of δ, with the curvature that `θ(1 + θ)` alone has: it decides where `K` is nearly a line.
pub(super) fn saddle(goal: Goal, largest: f64, cumulant: impl Fn(f64) -> Cumulant) -> f64 {
    let is_too_far = |tilt: f64| {
        let (value, slope) = cumulant(tilt);
        let next = 1.0 + tilt;
        let epsilon = slope - 1.0 / tilt - 1.0 / next;
        match goal {
            Goal::Delta { epsilon: wanted } => epsilon >= wanted,
            Goal::Epsilon { delta } => {
                let curvature = tilt.powi(-2) + next.powi(-2);
                let log_delta = value - tilt * epsilon - (tilt * next).ln() - 0.5 * (TAU * curvature).ln();
                log_delta <= delta.ln()
            }
        }
    };
    match goal {
        Goal::Epsilon { delta } if delta >= LARGE_DELTA => return 0.0,
        Goal::Delta { epsilon } if cumulant(0.0).1 >= epsilon => return 0.0,
        Goal::Epsilon { .. } | Goal::Delta { .. } => {}
    }
    if !is_too_far(largest) {
        return largest;
    }
    let (mut low, mut high) = ((1e-9 * largest).ln(), largest.ln());
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if is_too_far(middle.exp()) { high = middle } else { low = middle }
    }
    low.exp()
}

/// The number cut to so few bits that its product with any index below 2⁴⁰ is a double.
pub(super) fn few_bits(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 0.0;
    }
    let unit = 2f64.powi(x.abs().log2().floor() as i32 - TILT_BITS);
    (x / unit).round() * unit
}
