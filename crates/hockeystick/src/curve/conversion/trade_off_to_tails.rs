//! Trade-off → tails.

use crate::curve::{LossSupport, LossTails, Support, TradeOff};
use crate::pair::Tails;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `P(L ≤ ε)` is the largest `x` at which the slope of `f` is still as steep as `−e^{−ε}`, and `Q(L > ε) = f(x)` there
/// ([Zhu22, Lemma 23]: `1 − F(x) = (f*)′(−e^x)`, with `F` that of `−L`).
///
/// Steepness is proven by secants: `f` is convex, so a secant as steep as `e^{−ε}` puts `P(L ≤ ε)` to the right of its left
/// end, one less steep to the left of its right end.
///
/// # Guarantee
/// Encloses the truth. Where round-off hides an atom both possibilities are enclosed; elsewhere the width is about 10⁻⁸ (absolute), the square
/// root of the accuracy of `f`, times `1/f″` at worst.
#[derive(Clone, Copy, Debug)]
pub struct TradeOffToTails<'a, T: ?Sized>(pub &'a T);

impl<T: TradeOff + ?Sized> LossSupport for TradeOffToTails<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: TradeOff + ?Sized> LossTails for TradeOffToTails<'_, T> {
    fn loss_tails(&self, epsilon: Ball) -> Tails {
        let slope = (-epsilon).exp_enclosure();
        let steepness = |from: f64, to: f64| {
            let drop = self.0.trade_off(from).value() - self.0.trade_off(to).value();
            drop / (Enclosure::point(to) - from)
        };
        let (mut lower, mut upper) = (0.0f64, 1.0f64);
        for k in (3..=30).step_by(3) {
            let step = 2f64.powi(-k);
            // The largest left end of a secant of this length that is steep, the smallest right end of one that is not.
            let is_steep = |x: f64| steepness(x, (x + step).min(1.0)).lower() >= slope.upper();
            let is_flat = |x: f64| steepness((x - step).max(0.0), x).upper() < slope.lower();
            lower = last_true(lower, upper, is_steep);
            upper = -last_true(-upper, -lower, |x| is_flat(-x));
        }
        let x = Enclosure::new(lower, upper);
        let at_ends = (self.0.trade_off(lower).value(), self.0.trade_off(upper).value());
        let q = Enclosure::new(at_ends.1.lower(), at_ends.0.upper());
        Tails { p: Probability::from_complement(x), q: Probability::from_value(q) }
    }
}

/// A point of `[from, to)` where `holds`, about the last one if it holds up to some point only; `from` if none is found.
fn last_true(from: f64, to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut yes, mut no) = (from, to);
    // Proven at some point near `from`? The bisection finds it by shrinking towards `from`.
    for _ in 0..24 {
        let middle = 0.5 * (yes + no);
        if middle < to && holds(middle) { yes = middle } else { no = middle }
    }
    yes
}
