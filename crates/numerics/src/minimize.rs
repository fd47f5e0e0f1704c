//! Minimisation of a function of one variable, keeping a bracket.

use crate::limits::check;
use crate::roots::Tolerance;
use thiserror::Error;

/// The lowest point found, between two points that are not lower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// The lower end of the bracket.
    pub lower: f64,
    /// The argument of the lowest value found.
    pub at: f64,
    /// The upper end of the bracket.
    pub upper: f64,
    /// The function's value at [`at`](Self::at).
    pub value: f64,
}

/// Why no minimum was found.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum MinimizeError {
    /// The function is not a number somewhere in the interval.
    #[error("the function is not a number at {at}")]
    NotANumber {
        /// The argument.
        at: f64,
    },
    /// The ends are not finite, or not in order.
    #[error("[{lower}, {upper}] is not a finite interval")]
    NotAnInterval {
        /// The lower end.
        lower: f64,
        /// The upper end.
        upper: f64,
    },
}

/// 2 − golden ratio: the larger part of a golden section is cut at this fraction of its length.
const GOLDEN: f64 = 0.381_966_011_250_105_151_8;
/// A golden section multiplies the bracket by 0.618, so this many reduce any of ratio 10³⁰ and more.
const MAX_EVALUATIONS: u32 = 300;

/// Searches [lower, upper] for a minimum of `f`, until the bracket around it is as narrow as `tolerance` says
/// (but not narrower than √ε relative: below that, values of f are equal to rounding).
///
/// # Guarantee
/// `lower ≤ at ≤ upper` inside the given interval, `value == f(at)` is the lowest of all values seen, and the
/// ends of the bracket are ends of the interval or points where f is not lower than `value`. For unimodal f
/// (as evaluated) the minimiser lies in the bracket. At most 300 evaluations. +∞ is an ordinary value.
///
/// Any argument gives a valid bound when bounds are minimised, so no certificate depends on convergence.
///
/// # Errors
/// [`MinimizeError`] if `f` is not a number where it is evaluated or the ends are no interval.
///
/// # Implementation
/// R. Brent, "Algorithms for minimization without derivatives" (1973), ch. 5: parabola through the three best
/// points, golden section where that is not trusted.
pub fn minimize(
    mut f: impl FnMut(f64) -> f64,
    lower: f64,
    upper: f64,
    tolerance: Tolerance,
) -> Result<Minimum, MinimizeError> {
    if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
        return Err(MinimizeError::NotAnInterval { lower, upper });
    }
    let mut evaluate = |at: f64| {
        check();
        let value = f(at);
        if value.is_nan() { Err(MinimizeError::NotANumber { at }) } else { Ok(Point { at, value }) }
    };
    let start = (lower + GOLDEN * (upper - lower)).clamp(lower, upper);
    let mut search = Search::new(lower, upper, evaluate(start)?);
    for _ in 1..MAX_EVALUATIONS {
        let margin = search.margin(tolerance);
        if search.is_narrow(margin) {
            break;
        }
        let at = search.proposal(margin);
        search.record(evaluate(at)?);
    }
    Ok(Minimum { lower: search.lower, at: search.best.at, upper: search.upper, value: search.best.value })
}

#[derive(Clone, Copy)]
struct Point {
    at: f64,
    value: f64,
}

struct Search {
    lower: f64,
    upper: f64,
    best: Point,
    second: Point,
    third: Point,
    step: f64,
    step_before: f64,
}

impl Search {
    fn new(lower: f64, upper: f64, start: Point) -> Self {
        Self { lower, upper, best: start, second: start, third: start, step: 0.0, step_before: 0.0 }
    }

    /// The smallest distance between two evaluations: a quarter of the width that was asked for.
    fn margin(&self, tolerance: Tolerance) -> f64 {
        let at = self.best.at;
        (0.25 * tolerance.width(at, at)).max(f64::EPSILON.sqrt() * at.abs()).max(f64::MIN_POSITIVE)
    }

    fn is_narrow(&self, margin: f64) -> bool {
        let middle = 0.5 * self.lower + 0.5 * self.upper;
        (self.best.at - middle).abs() <= 2.0 * margin - 0.5 * (self.upper - self.lower)
    }

    /// Where to look next, at least `margin` away from the best point.
    fn proposal(&mut self, margin: f64) -> f64 {
        let x = self.best.at;
        let step = self.parabola_step(margin).unwrap_or_else(|| {
            let end = if x + x >= self.lower + self.upper { self.lower } else { self.upper };
            self.step_before = end - x;
            GOLDEN * (end - x)
        });
        self.step = step;
        let step = if step.abs() >= margin { step } else { margin.copysign(step) };
        (x + step).clamp(self.lower, self.upper)
    }

    /// The step to the vertex of the parabola through the three best points, if it falls inside the bracket
    /// and is less than half the step before the last.
    fn parabola_step(&mut self, margin: f64) -> Option<f64> {
        let before = self.step_before;
        if before.abs() <= margin {
            return None;
        }
        let Self { best, second, third, .. } = *self;
        let r = (best.at - second.at) * (best.value - third.value);
        let q = (best.at - third.at) * (best.value - second.value);
        let numerator = (best.at - third.at) * q - (best.at - second.at) * r;
        let denominator = 2.0 * (r - q);
        let step = numerator / denominator;
        let target = best.at + step;
        let inside = target > self.lower + margin && target < self.upper - margin;
        (step.is_finite() && step.abs() < 0.5 * before.abs() && inside).then(|| {
            self.step_before = self.step;
            step
        })
    }

    /// Takes a new point in and cuts off the part of the bracket that it excludes.
    fn record(&mut self, new: Point) {
        let old = self.best;
        let (winner, loser) = if new.value <= old.value { (new, old) } else { (old, new) };
        if loser.at < winner.at {
            self.lower = loser.at;
        } else if loser.at > winner.at {
            self.upper = loser.at;
        }
        if new.value <= old.value {
            (self.third, self.second, self.best) = (self.second, old, new);
        } else if new.value <= self.second.value || self.second.at == old.at {
            (self.third, self.second) = (self.second, new);
        } else if new.value <= self.third.value || self.third.at == old.at || self.third.at == self.second.at
        {
            self.third = new;
        }
    }
}
