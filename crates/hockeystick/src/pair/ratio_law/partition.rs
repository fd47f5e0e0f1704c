//! Cutting an interval into pieces on which a Gauss–Legendre rule is certified.

use super::rectangle::Rectangle;
use hockeystick_numerics::limits::check;
use hockeystick_numerics::quadrature::{bernstein::BernsteinEllipse, gauss_legendre::GaussLegendre};
use hockeystick_numerics::special::{exp, ln};
use std::sync::LazyLock;

/// Points of the rule on each piece.
const POINTS: usize = 32;
/// No more intervals are looked at than this: beyond, the answer gets wide instead of late.
const MOST_INTERVALS: usize = 1 << 14;
/// A polynomial rule is off by less the larger ρ, the integrand on the ellipse larger: the best of these is sought.
const RHOS: [f64; 12] = [1.15, 1.3, 1.55, 1.9, 2.3, 2.8, 3.4, 4.2, 5.2, 6.8, 9.0, 14.0];

static RULE: LazyLock<GaussLegendre> =
    LazyLock::new(|| GaussLegendre::new(POINTS).expect("the rule is among those offered"));
/// The ellipses of the ρ above and the logarithms of their errors.
static ELLIPSES: LazyLock<[(BernsteinEllipse, f64); RHOS.len()]> = LazyLock::new(|| {
    RHOS.map(|rho| {
        let ellipse = BernsteinEllipse::new(rho);
        (ellipse, ellipse.log_error(POINTS))
    })
});

/// Pieces of an interval, and what the rule on them leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    /// The pieces to put the rule on, left to right. Pieces without weight are not among them.
    pub(crate) pieces: Vec<(f64, f64)>,
    /// The integral over everything is within this of the sum of the rules, in units of the tolerance.
    pub(crate) error: f64,
    /// How many intervals may still be looked at.
    intervals: usize,
}

/// So many intervals take some hundredths of a millisecond.
const MANY: usize = 16;

impl Partition {
    /// No pieces yet, and what was left out before.
    pub(crate) fn with_error(error: f64) -> Self {
        Self { error, intervals: MOST_INTERVALS, ..Self::default() }
    }

    /// The same with no more than so many intervals to look at.
    pub(crate) fn limited_to(self, intervals: usize) -> Self {
        Self { intervals, ..self }
    }

    /// These pieces, about which nothing is claimed.
    pub(crate) fn unproven(pieces: Vec<(f64, f64)>) -> Self {
        Self { pieces, error: f64::INFINITY, intervals: 0 }
    }

    /// Bisects `[from, to]` until each piece is certified to one tolerance.
    ///
    /// `log_bound` is the logarithm of a bound of the integrand on a rectangle, in units of the tolerance; infinite where the
    /// integrand is not known to be analytic.
    pub(crate) fn add(&mut self, from: f64, to: f64, log_bound: &impl Fn(Rectangle) -> f64) {
        let mut stack = vec![(from, to)];
        let mut guess = RHOS.len() / 2;
        while let Some((a, b)) = stack.pop() {
            if self.intervals.is_multiple_of(MANY) {
                check();
            }
            self.intervals = self.intervals.saturating_sub(1);
            let (middle, half) = (0.5 * a + 0.5 * b, (0.5 * b - 0.5 * a).next_up());
            // The piece as a whole, in case it does not matter.
            let whole = log_bound(Rectangle { middle, reach: half, height: 0.0 }) + ln(2.0 * half) + 1e-9;
            if whole <= 0.0 {
                self.error += exp(whole);
                continue;
            }
            if self.exhausted() {
                self.error += exp(whole);
                continue;
            }
            let rule = best_ellipse(middle, half, &mut guess, log_bound);
            if rule > 0.0 && a < middle && middle < b {
                stack.push((middle, b));
                stack.push((a, middle));
            } else if rule < whole {
                self.error += exp(rule);
                self.pieces.push((a, b));
            } else {
                self.error += exp(whole);
            }
        }
    }

    /// Would more work have made the error smaller?
    pub(crate) fn exhausted(&self) -> bool {
        self.intervals == 0
    }

    /// Calls `visit(x, weight, radius)` for every node, where |x| ≤ radius on its piece.
    pub(crate) fn nodes(&self, mut visit: impl FnMut(f64, f64, f64)) {
        for &(a, b) in &self.pieces {
            let (middle, half) = (0.5 * a + 0.5 * b, 0.5 * b - 0.5 * a);
            let radius = a.abs().max(b.abs());
            for (node, weight) in RULE.nodes().iter().zip(RULE.weights()) {
                visit(half.mul_add(*node, middle), half * weight, radius);
            }
        }
    }
}

/// The logarithm of the smallest error that an ellipse certifies, or of one below 0, starting from that of the last guess.
fn best_ellipse(middle: f64, half: f64, guess: &mut usize, log_bound: &impl Fn(Rectangle) -> f64) -> f64 {
    let log_half = ln(half) + 1e-9;
    let error = |index: usize| {
        let (ellipse, log_error) = ELLIPSES[index];
        let (reach, height) = (half * ellipse.semi_major(), half * ellipse.semi_minor());
        let rectangle = Rectangle { middle, reach: reach.next_up(), height: height.next_up() };
        log_bound(rectangle) + log_error + log_half
    };
    let mut best = error(*guess);
    for step in [-1isize, 1] {
        while best > 0.0 {
            let Some(next) = guess.checked_add_signed(step).filter(|&next| next < RHOS.len()) else { break };
            let candidate = error(next);
            // Past the best one the error only grows; an infinite one says nothing yet.
            if candidate > best || (candidate == best && best.is_finite()) || (step > 0 && best.is_infinite())
            {
                break;
            }
            (*guess, best) = (next, candidate);
        }
    }
    best
}
