//! Tails → trade-off.

use crate::curve::{LossSupport, LossTails, Support, TradeOff};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// The Neyman–Pearson test rejects `P` where the loss is at most a threshold `ε`: `f(P(L ≤ ε)) = Q(L > ε)`, and between two
/// such points, at an atom, it is randomised and `f` is linear ([Zhu22, Lemma 22], where `F` and `G` are those of `−L`).
///
/// # Guarantee
/// Encloses the truth. The threshold comes from a bisection; whatever it is, the line of slope `−e^{−ε}` through its point
/// supports `f`, and by convexity the chord between two thresholds around `x` lies above.
#[derive(Clone, Copy, Debug)]
pub struct TailsToTradeOff<'a, T: ?Sized>(pub &'a T);

/// Losses beyond are out of the range of `e^ε`.
const FARTHEST: f64 = 740.0;

/// The test with threshold `at`: a point of the graph of `f`.
struct Test {
    at: f64,
    type_one: Enclosure,
    type_two: Enclosure,
}

impl Test {
    /// The supporting line at `x`.
    fn support_at(&self, x: f64) -> f64 {
        let slope = Enclosure::point(-self.at).exp();
        (self.type_two + slope * (self.type_one - x)).lower()
    }

    /// The chord to `other` at `x`, which lies between them; `f` itself where the points cannot be told apart.
    fn chord_to(&self, other: &Self, x: f64) -> f64 {
        let gap = other.type_one - self.type_one;
        let share = ((Enclosure::point(x) - self.type_one) / gap).clamp(0.0, 1.0);
        // f decreases: its value on the left bounds the chord.
        (self.type_two + share * (other.type_two - self.type_two)).upper().min(self.type_two.upper())
    }
}

impl<T: LossTails + ?Sized> LossSupport for TailsToTradeOff<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: LossTails + ?Sized> TradeOff for TailsToTradeOff<'_, T> {
    fn trade_off(&self, type_one_error: f64) -> Probability {
        let x = type_one_error.clamp(0.0, 1.0);
        let test = |at: f64| {
            let tails = self.0.loss_tails(Ball::from(at));
            Test { at, type_one: tails.p.complement(), type_two: tails.q.value() }
        };
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        for _ in 0..70 {
            let middle = 0.5 * (low + high);
            if test(middle).type_one.midpoint() <= x { low = middle } else { high = middle }
        }
        // Outward, until the points are known to lie on either side of x.
        let left = outward(low, -1.0).map(test).find(|test| test.type_one.upper() <= x);
        let right = outward(high, 1.0).map(test).find(|test| test.type_one.lower() >= x);
        let supports = left
            .iter()
            .chain(&right)
            .chain([&test(low), &test(high)])
            .map(|t| t.support_at(x))
            .fold(0.0, f64::max);
        let upper = match (&left, &right) {
            (Some(left), Some(right)) => left.chord_to(right, x),
            (Some(left), None) => left.type_two.upper(),
            _ => self.0.support().vanishing_mass.complement().upper(),
        };
        let upper = upper.min(Enclosure::point(x).one_minus().upper());
        Probability::from_value(Enclosure::new(supports.min(upper), upper))
    }
}

/// `start`, then thresholds ever farther to one side.
fn outward(start: f64, direction: f64) -> impl Iterator<Item = f64> {
    let first = f64::EPSILON * (1.0 + start.abs());
    std::iter::once(start)
        .chain((0..64).map(move |k| start + direction * first * 2f64.powi(k)))
        .take_while(|at| at.abs() <= FARTHEST)
}
