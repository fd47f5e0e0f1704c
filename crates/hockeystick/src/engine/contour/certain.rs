//! What has a loss so large that all of them together exceed ε whatever the others are: in closed form.
//!
//! Removing a record, no loss is below `log(1 − γ)`. If one use has a loss above ε by more than all uses together can take away, nothing is left to be
//! integrated: `E[1 − e^{ε−L}]` is a difference of two masses. Lines are drawn for smaller losses only, and next to ε = 0 these are of one scale. Many uses hardly ever take away as much as they
//! can: there a moment bounds what they undo, and what is certain begins at smaller losses.

use super::{
    chernoff::log_kappa,
    factors::Factors,
    line::{self, Integral},
    rough::Rough,
};
use crate::{
    curve::Budget,
    pair::{AboveCell, AbovePart},
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    special::{exp, ln},
};

/// Outcomes with at least one loss above the cut of its pair.
#[derive(Clone, Debug)]
pub(super) struct Certain {
    /// What is below the cuts.
    below: Factors,
    part: AbovePart,
    /// All losses together take away no more than this.
    most_taken: f64,
    /// What bounds how much they take away, if that is less than they can.
    together: Option<Together>,
}

/// A bound of outcomes with a loss above its cut that all others together undo.
#[derive(Clone, Debug)]
struct Together {
    /// `θ > 1`, and an upper bound of `K(−θ)` of all uses.
    order: f64,
    log_moment: f64,
    /// What is above the cuts, in pieces.
    cells: Vec<AboveCell>,
}

impl Together {
    /// `None` unless the order exceeds 1: up to that no moment is a bound.
    fn new(order: f64, log_moment: f64, cells: Vec<AboveCell>) -> Option<Self> {
        (order > 1.0 && order.is_finite()).then_some(Self { order, log_moment, cells })
    }

    /// A bound of `E[(e^{ε−L} − 1)₊]`.
    ///
    /// # Guarantee
    /// At most the sum over all uses, of which each may be the one with a loss ℓ above its cut. In every piece, `(e^u − 1)₊ ≤ e^u` bounds it by `e^ε Q`; and `(e^u − 1)₊ ≤ κ e^{θu}` with
    /// `κ = (θ−1)^{θ−1}/θ^θ` by `κ e^{θε} e^{(1−θ)ℓ} Q M(−θ)`, for M of the other uses is not larger than that of all: it bends upwards, and is 1 at 0 and at −1.
    fn not_above(&self, epsilon: f64) -> f64 {
        let Self { order, log_moment, ref cells } = *self;
        let by_moment = order * epsilon + log_moment + log_kappa(order - 1.0);
        let rounding = 1e-9 + 1e-14 * ((order * epsilon).abs() + log_moment.abs());
        let of_cell = |cell: &AboveCell| {
            let power = (1.0 - order) * cell.loss;
            exp(cell.log_q + (by_moment + power + rounding + 1e-14 * power.abs()).min(epsilon))
        };
        cells.iter().map(of_cell).sum::<f64>() * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }
}

/// An ε may turn out to be this much larger than it is estimated, in proportion.
const ROOM: f64 = 1.1;
/// How many orders of moments are looked at, each so many times the last, from that on at which all that can be taken away is, but not from less than the third.
const ORDERS: i32 = 24;
const FARTHER: f64 = 1.4;
const LEAST_ORDER: f64 = 1.5;
/// A smooth cut is at a larger loss than a sharp one would be, at most by this factor, and is found by so many halvings.
const LARGEST_CUT: f64 = 6.0;
const HALVINGS: usize = 5;

impl Certain {
    /// Above the smallest of some cuts for which no more than `e^{wanted}` is in doubt at about ε, and the number of that cut.
    pub(super) fn find(
        factors: &Factors,
        rough: &Rough,
        epsilon: f64,
        wanted: f64,
        sharpness: f64,
    ) -> Option<(Self, usize)> {
        let most_taken = -factors.smallest_loss()?.lower();
        let uses: f64 = factors.others.iter().map(|factor| factor.count).sum();
        let least = ROOM * epsilon + most_taken;
        // `erfc(u) ≤ e^{−u²}`.
        let spreads = (ln(uses) + epsilon - wanted).max(1.0).sqrt();
        let is_above = |loss: f64| factors.spreads_below_cut(loss, sharpness, least) >= Some(spreads);
        let number = rough.cuts().iter().rposition(|loss| is_above(*loss))?;
        let below = factors.below_cut(rough.cuts()[number], sharpness)?;
        let part = below.above_cuts()?;
        Some((Self { below, part, most_taken, together: None }, number))
    }

    /// The same for many uses, that together hardly ever take away as much as they can: above a cut for which a moment shows that no more than `e^{wanted}` is in doubt.
    pub(super) fn of_many(factors: &Factors, epsilon: f64, wanted: f64, sharpness: f64) -> Option<Self> {
        let most_taken = -factors.smallest_loss()?.lower();
        let epsilon = ROOM * epsilon;
        let tail = factors.lower_tail()?;
        let uses: f64 = factors.others.iter().map(|factor| factor.count).sum();
        let log_all = |order: f64| tail.log_moment(order) + log_kappa(order - 1.0) + ln(uses);
        // What a loss has to be larger than for the others not to undo it.
        let enough = |order: f64| epsilon + (log_all(order) - wanted) / order;
        // Where much can be taken away orders are small, and what they bound is not of their kind below 1.
        let first = (-wanted / most_taken).max(LEAST_ORDER);
        let orders = (0..ORDERS).map(|i| first * FARTHER.powi(i));
        let (order, loss) = orders.map(|order| (order, enough(order))).min_by(|a, b| a.1.total_cmp(&b.1))?;
        let log_moment = tail.log_moment(order);
        let is_enough = |loss: f64| {
            let below = factors.below_cut(loss, sharpness)?;
            let together = Together::new(order, log_moment, below.cells_above()?)?;
            (ln(together.not_above(epsilon)) < wanted).then_some(below)
        };
        let (mut low, mut high) = (loss, LARGEST_CUT * loss);
        let mut below = is_enough(high)?;
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            match is_enough(middle) {
                Some(found) => (below, high) = (found, middle),
                None => low = middle,
            }
        }
        let part = below.above_cuts()?;
        let log_moment = line::log_moment(factors, -order)?;
        let together = Some(Together::new(order, log_moment, below.cells_above()?)?);
        Some(Self { below, part, most_taken, together })
    }

    /// The composition without these outcomes.
    pub(super) fn below(&self) -> &Factors {
        &self.below
    }

    /// `E[(1 − e^{ε−L})₊]` of these outcomes, with as many digits as there are.
    ///
    /// # Guarantee
    /// It is `E[1 − e^{ε−L}] = P − e^ε Q = (P − Q) − (e^ε − 1)Q`, and `E[(e^{ε−L} − 1)₊]` more; and it is no more than what P has.
    pub(super) fn ball(&self, epsilon: f64) -> Ball {
        let (more, most) = (self.not_above(epsilon), self.most());
        if more < most {
            self.surplus(epsilon) + Ball::from(Enclosure::new(0.0, more))
        } else {
            Ball::from(Enclosure::new(0.0, most))
        }
    }

    fn surplus(&self, epsilon: f64) -> Ball {
        self.part.surplus - Ball::from(epsilon).exp_m1() * self.part.q
    }

    /// What P has, at most.
    fn most(&self) -> f64 {
        let most = (self.part.surplus + self.part.q).enclosure().upper();
        if most < 1.0 { most } else { 1.0 }
    }

    /// The same in doubles.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        let (more, most) = (self.not_above(epsilon), self.most());
        if more.is_nan() || more >= most {
            let budget = Budget { truncation: 0.5 * most, ..Budget::default() };
            return Integral { bounds: Enclosure::new(0.0, most), budget };
        }
        let value = self.surplus(epsilon).enclosure();
        let bounds = (value + Enclosure::new(0.0, more)).clamp(0.0, 1.0);
        let budget = Budget { truncation: 0.5 * more, roundoff: 0.5 * value.width(), ..Budget::default() };
        Integral { bounds, budget }
    }

    /// A bound of `E[(e^{ε−L} − 1)₊]`, which may be as large as `e^ε`; not a number if there is none.
    ///
    /// # Guarantee
    /// All losses together are below ε only if the one above its cut is below ε by more than what all can take away; of these
    /// outcomes `e^ε Q` is a bound.
    fn not_above(&self, epsilon: f64) -> f64 {
        if let Some(together) = &self.together {
            return together.not_above(epsilon);
        }
        let loss = (Enclosure::point(epsilon) + Enclosure::point(self.most_taken)).upper();
        let mass = self.below.above_with_loss_below(loss).unwrap_or(1.0);
        mass * exp(epsilon) * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair};
    use hockeystick_numerics::special::erfc;
    use proptest::prelude::*;

    /// Outcomes with the weight above a cut, their loss and what Q has there, from the definition of the pair.
    fn outcomes(sigma: f64, rate: f64, (at, spread): (f64, f64)) -> Vec<(f64, f64, f64)> {
        let step = 0.2 * spread.min(0.3);
        let count = (24.0 / step) as i32;
        let at_outcome = |i: i32| {
            let x = step.mul_add(f64::from(i), -10.0);
            let q = step * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
            let loss = (rate * ((x / sigma - 0.5 / (sigma * sigma)).exp_m1())).ln_1p();
            (0.5 * erfc((at - x) / spread), loss, q)
        };
        (0..count).map(at_outcome).collect()
    }

    /// Where all losses together can take away more than there are digits, the first order looked at was below 1, where `(e^u − 1)₊ ≤ κ e^{θu}` is not true.
    #[test]
    fn orders_of_moments_exceed_1() {
        let text = "poisson(gaussian(sigma=0.5141257195326553), rate=0.9844553200896435)";
        let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
        let factors = Factors::new(&[(pair, 134)]);
        let cells = factors.below_cut(1.0, 0.13).unwrap().cells_above().unwrap();
        for order in [0.0, 0.1, 0.5, 1.0, f64::NAN, f64::INFINITY] {
            assert!(Together::new(order, 0.0, cells.clone()).is_none(), "{order}");
        }
        for (epsilon, wanted) in [(61.8, -54.0), (0.0, -54.0), (98.0, -36.0)] {
            let found = Certain::of_many(&factors, epsilon, wanted, 0.13);
            assert!(found.is_none_or(|certain| certain.together.unwrap().order > 1.0));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Against the sum over all outcomes of two uses, at any ε, also where cuts are too low for it.
        #[test]
        fn two_uses_are_enclosed(
            (sigma, log_rate) in (0.35f64..1.5, -4f64..-0.3),
            (at, sharpness, epsilon) in (-2f64..4.0, 0.2f64..0.6, prop_oneof![-0.2f64..0.5, 0f64..6.0]),
            log_order in prop::option::of(0.01f64..6.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let factors = Factors::new(&[(pair, 2)]);
            let loss = (rate * ((at / sigma - 0.5 / (sigma * sigma)).exp_m1())).ln_1p();
            let below = factors.below_cut(loss, sharpness).unwrap();
            let (place, spread) = below.cut_of_first().unwrap();
            let part = below.above_cuts().unwrap();
            let most_taken = -factors.smallest_loss().unwrap().lower();
            let together = log_order.map(|log| {
                let log_moment = line::log_moment(&factors, -exp(log)).unwrap();
                Together::new(exp(log), log_moment, below.cells_above().unwrap()).unwrap()
            });
            let certain = Certain { below, part, most_taken, together };
            let outcomes = outcomes(sigma, rate, (place, spread));
            let mut sum = 0.0;
            for (weight, loss, q) in &outcomes {
                for (other, other_loss, other_q) in &outcomes {
                    let hit = 1.0 - (1.0 - weight) * (1.0 - other);
                    let all = loss + other_loss;
                    sum += hit * q * other_q * (all.exp() - epsilon.exp()).max(0.0);
                }
            }
            let bounds = certain.integral(epsilon).bounds;
            // The kink of the sum is not resolved.
            let allowed = 1e-9 + 2e-3 * sum;
            prop_assert!(bounds.lower() <= sum + allowed && sum - allowed <= bounds.upper(), "{bounds:?} {sum:e}");
            let ball = certain.ball(epsilon).enclosure();
            prop_assert!(ball.lower() <= sum + allowed && sum - allowed <= ball.upper(), "{ball:?} {sum:e}");
        }
    }
}
