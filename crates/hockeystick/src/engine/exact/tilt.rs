//! How far to tilt: in plain floats, since any tilt leads to an enclosure.

use crate::engine::Goal;

/// δ above this need no tilt: then the complement is summed as well.
const LARGE_DELTA: f64 = 0.1;
/// Halvings of the logarithm of the tilt.
const HALVINGS: usize = 24;
/// Bits of a tilt, so that its products with an index are exact.
const TILT_BITS: i32 = 12;

/// `K(θ)` and `K′(θ)`.
pub(super) type Cumulant = (f64, f64);

/// About the θ ≥ 0, at most `largest`, under which what is asked for is the likeliest: `K′(θ) = ε`, or where Chernoff's bound
/// `e^{K(θ) − θK′(θ)}` is δ.
pub(super) fn saddle(goal: Goal, largest: f64, cumulant: impl Fn(f64) -> Cumulant) -> f64 {
    let is_too_far = |tilt: f64| {
        let (value, slope) = cumulant(tilt);
        match goal {
            Goal::Delta { epsilon } => slope >= epsilon,
            Goal::Epsilon { delta } => value - tilt * slope <= delta.ln(),
        }
    };
    match goal {
        Goal::Epsilon { delta } if delta >= LARGE_DELTA => return 0.0,
        Goal::Delta { .. } if is_too_far(0.0) => return 0.0,
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
