//! Where to put the line: near the saddle point of `K(c) − cε − log c(c + 1)`. A bad choice costs width, never soundness.

use super::{Cumulants, Sketch};
use crate::engine::{
    Goal,
    contour::{bound::log_kappa, factors::Factors},
};
use hockeystick_numerics::{
    roots::{Tolerance, bracketed_root},
    special::ln,
};
use std::f64::consts::TAU;

/// A tilt, and the sketch it was found with.
#[derive(Clone, Debug)]
pub(crate) struct Saddle {
    pub(crate) tilt: f64,
    /// ε at the saddle.
    pub(crate) epsilon: f64,
    /// The estimate of `log g(ε)`.
    pub(crate) log_delta: f64,
    pub(crate) cumulants: Cumulants,
    pub(crate) sketch: Sketch,
}

impl Saddle {
    /// The saddle, or the point at `tilt` if the saddle is beyond it.
    pub(crate) fn up_to(self, tilt: f64, epsilon: f64) -> Self {
        if self.tilt <= tilt {
            return self;
        }
        let cumulants = self.sketch.at(tilt);
        let log_delta = cumulants.value - tilt * epsilon - ln(tilt * (tilt + 1.0));
        Self { tilt, epsilon, log_delta, cumulants, ..self }
    }
}

/// Tilts that are looked at.
const SMALLEST: f64 = 1e-9;
const LARGEST: f64 = 1e18;
/// How far a sketch reaches beyond its tilt, and how much of that must be left.
const REACH: f64 = 4.0;
const ROOM: f64 = 1.5;
/// Sketches that are tried at most.
const SKETCHES: usize = 40;
/// How far from an expected one a saddle is looked for first, as a logarithm.
const NEAR: f64 = 0.2;

/// ε and the estimate of `log g(ε)` for a saddle at `c`.
fn estimate(c: f64, at: Cumulants) -> (f64, f64) {
    let epsilon = at.mean - 1.0 / c - 1.0 / (c + 1.0);
    let bend = at.variance + 1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0));
    (epsilon, at.value - c * epsilon - ln(c * (c + 1.0)) - 0.5 * ln(TAU * bend))
}

/// The saddle for a question about the finite losses; `None` if there is no sketch of some pair.
pub(crate) fn find(factors: &Factors, goal: Goal) -> Option<Saddle> {
    let highest = factors.strip_end().min(LARGEST);
    let reach = reach_of(1.0f64.min(0.5 * highest), highest);
    let sketch = Sketch::new(factors, reach)?;
    let spread = sketch.at(SMALLEST).variance.max(1e-300);
    let guess = match goal {
        Goal::Epsilon { delta } => (2.0 * ln(1.0 / delta).max(0.5) / spread).sqrt(),
        Goal::Delta { epsilon } => (epsilon / spread - 0.5).max(1.0 / spread.sqrt()),
    };
    if guess > reach {
        // Rare losses make the saddle come earlier than the variance says.
        let reach = reach_of(guess.sqrt().min(0.5 * highest), highest);
        return search(factors, goal, Sketch::new(factors, reach)?, None);
    }
    search(factors, goal, sketch, None)
}

/// The saddle for ε if its tilt is about the one given.
pub(crate) fn find_near(factors: &Factors, epsilon: f64, tilt: f64) -> Option<Saddle> {
    let goal = Goal::Delta { epsilon };
    let highest = factors.strip_end().min(LARGEST);
    if !(tilt > SMALLEST && tilt < 0.5 * highest) {
        return find(factors, goal);
    }
    search(factors, goal, Sketch::new(factors, reach_of(tilt, highest))?, Some(tilt))
}

/// How far a sketch reaches for a saddle at `c`.
fn reach_of(c: f64, highest: f64) -> f64 {
    (REACH * c).min(c + 0.9 * (highest - c))
}

/// Looks for a saddle, with sketches that reach farther if need be, first near the tilt given.
fn search(factors: &Factors, goal: Goal, mut sketch: Sketch, near: Option<f64>) -> Option<Saddle> {
    let highest = factors.strip_end().min(LARGEST);
    // Decreasing in c; positive if the saddle is at a larger tilt.
    let lacking = |c: f64, sketch: &Sketch| {
        let (epsilon, log_delta) = estimate(c, sketch.at(c));
        match goal {
            Goal::Delta { epsilon: wanted } => wanted - epsilon,
            Goal::Epsilon { delta } => log_delta - ln(delta),
        }
    };
    for _ in 0..SKETCHES {
        let reach = sketch.reach;
        let f = |log_c: f64| lacking(log_c.exp(), &sketch);
        let (mut low, mut high) = (ln(SMALLEST), ln(reach / ROOM));
        if f(high) > 0.0 && reach < 0.95 * highest && reach < LARGEST {
            sketch = Sketch::new(factors, reach_of(reach, highest))?;
            continue;
        }
        if let Some(tilt) = near {
            let [left, right] = [ln(tilt) - NEAR, (ln(tilt) + NEAR).min(high)];
            if f(left) > 0.0 {
                low = left;
            } else {
                high = left;
            }
            if right > low && f(right) <= 0.0 {
                high = high.min(right);
            }
        }
        let tilt = match bracketed_root(f, low, high, Tolerance::absolute(1e-6)) {
            Ok(root) => (0.5 * (root.lower + root.upper)).exp(),
            Err(_) => {
                if f(high) > 0.0 {
                    high.exp()
                } else {
                    low.exp()
                }
            }
        };
        return Some(saddle(tilt, sketch));
    }
    None
}

fn saddle(tilt: f64, sketch: Sketch) -> Saddle {
    let cumulants = sketch.at(tilt);
    let (epsilon, log_delta) = estimate(tilt, cumulants);
    Saddle { tilt, epsilon, log_delta, cumulants, sketch }
}

/// A tilt at which Chernoff's bound shows `log g(ε)` of a composition to be below `wanted`, as far as a sketch can tell.
pub(crate) fn negligible(factors: &Factors, epsilon: f64, wanted: f64) -> Option<f64> {
    let mut tilt = (-wanted / epsilon).min(LARGEST);
    for _ in 0..SKETCHES {
        let sketch = Sketch::new(factors, REACH * tilt)?;
        let candidates =
            (0..=CHERNOFF_STEPS).map(|i| tilt * REACH.powf(f64::from(i) / f64::from(CHERNOFF_STEPS)));
        let bounds = candidates.map(|c| (c, sketch.at(c).value - c * epsilon + log_kappa(c)));
        let (best, log) = bounds.min_by(|a, b| a.1.total_cmp(&b.1))?;
        if log < wanted {
            return Some(best);
        }
        if best < 0.9 * REACH * tilt {
            return None;
        }
        tilt *= REACH;
    }
    None
}

/// Tilts that are looked at between one and [`REACH`] times it.
const CHERNOFF_STEPS: u32 = 8;
