//! The nodes of a rule to thirty digits, for a law of which the coefficients are known as well.
//!
//! Doubles know a node to some sixty units of roundoff. That leaves twelve digits of δ, and of an ε next to 0, which is what makes the
//! difference of δ and the total variation, far fewer.

use super::{Cut, Portion, RatioLaw, portion::LEAST_REST};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, rounding::UNIT_ROUNDOFF, special::exp};

/// A law over the whole line to thirty digits: under `Q` the outcome is standard normal, and the ratio is
/// `1 + w(e^{μx − μ²/2} − 1)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalRatio {
    /// `0 < w ≤ 1`.
    pub weight: Ball,
    /// `μ > 0`.
    pub mu: Ball,
}

/// Where the nodes of a rule are: at `from + j step`, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Places {
    /// The first.
    pub from: f64,
    /// How far the next is from it.
    pub step: f64,
    /// The number of nodes.
    pub count: usize,
}

/// A point mass that stands for a piece of the law of the loss under `P`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideNode {
    /// `L`.
    pub loss: Ball,
    /// What `e^{log_p}` is to be multiplied by for `p`.
    pub weight: Ball,
    /// The larger part of `log p`.
    pub log_p: Ball,
}

impl WideNode {
    /// `p e^{cL}`, of which neither factor may be a double.
    pub fn tilted(self, tilt: f64) -> Ball {
        self.weight * (self.log_p + Ball::from(tilt) * self.loss).exp()
    }
}

impl Places {
    /// The node with the number j, off by 2^-102 of the largest of its terms.
    fn at(self, j: usize) -> Ball {
        Ball::from(self.from) + Ball::product_of(self.step, j as f64)
    }
}

/// How far coefficients in doubles are from the truth at most, and these from them.
const COEFFICIENT_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

impl RatioLaw {
    /// The nodes at some of the places; `None` if the law is not known as well as that.
    ///
    /// # Guarantee
    /// Losses and masses are enclosed. With the sum over all nodes a rule at these places is off by no more than it says.
    pub fn wide_nodes(
        &self,
        places: Places,
        portion: Portion,
        numbers: std::ops::Range<usize>,
    ) -> Option<Vec<WideNode>> {
        let NormalRatio { weight, mu } = self.normal?;
        let log_constant = mu * mu / Ball::from(-2.0);
        let line = self.whole_line()?;
        let [_, (moving, exponent)] = self.still_and_moving();
        let is_same =
            |double: f64, ball: Ball| (double - ball.approximate()).abs() <= COEFFICIENT_ERROR * double.abs();
        let is_standard = line.bend == 0.5 && self.panels[0].log_q.linear == 0.0;
        let has_ratio =
            is_same(line.slope, mu) && is_same(moving, weight) && is_same(exponent.constant, log_constant);
        if !(is_standard && has_ratio) {
            return None;
        }
        let scale = Ball::from(places.step) / (Ball::from(2.0) * Ball::pi()).sqrt();
        let node = |j: usize| {
            let x = places.at(j);
            let share = portion.share(x);
            if share == Ball::ZERO {
                return None;
            }
            let log_q = x * x / Ball::from(-2.0);
            let loss = (weight * (mu * x + log_constant).exp_m1()).ln_1p();
            let weight = scale * share;
            Some(if self.swapped {
                WideNode { loss: -loss, weight, log_p: log_q }
            } else {
                WideNode { loss, weight, log_p: log_q + loss }
            })
        };
        Some(numbers.filter_map(node).collect())
    }
}

impl Portion {
    /// Its weight at x.
    ///
    /// # Guarantee
    /// Enclosed. Next to 1 it is what the other side of the cut leaves, of which the leading digits are enough.
    fn share(self, x: Ball) -> Ball {
        match self {
            Self::Whole => Ball::ONE,
            Self::Below(cut) => cut.share_below(x),
            Self::Above(cut) => cut.share_above(x),
            Self::Between(_, high) if x.approximate() > high.end => Ball::ZERO,
            Self::Between(low, high) => high.share_below(x) - low.share_below(x),
        }
    }
}

impl Cut {
    fn share_below(self, x: Ball) -> Ball {
        let at = x.approximate();
        if at > self.end {
            return Ball::ZERO;
        }
        if self.is_far_below(at) {
            return Ball::new(DoubleDouble::ONE, LEAST_REST);
        }
        if at < self.at {
            Ball::ONE - self.in_doubles(Portion::Above(self), at)
        } else {
            self.in_doubles(Portion::Below(self), at)
        }
    }

    fn share_above(self, x: Ball) -> Ball {
        let at = x.approximate();
        if at > self.end || at >= self.at {
            return Ball::ONE - self.share_below(x);
        }
        self.in_doubles(Portion::Above(self), at)
    }

    /// A weight as doubles know it.
    fn in_doubles(self, portion: Portion, x: f64) -> Ball {
        let weight = portion.weighed(x, x.abs());
        let value = exp(weight.log);
        // The exponential is rounded to 2 u, its argument by half of one.
        let error = UNIT_ROUNDOFF * (weight.error + weight.log.abs() + 4.0);
        Ball::new(
            DoubleDouble::from(value),
            value * (error + error * error) * (1.0 + 1e-9) + f64::MIN_POSITIVE,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, Line, dominating_pair},
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// They are where the nodes of the rule are, and what those know of them is true.
        #[test]
        fn wide_nodes_are_within_what_nodes_know(
            log_sigma in -0.5f64..2.0,
            log_rate in -6f64..0.0,
            tilt in 0.1f64..4.0,
            swapped in any::<bool>(),
            below in prop::option::of(-2f64..4.0),
        ) {
            let (sigma, rate) = (10f64.powf(log_sigma), 10f64.powf(log_rate));
            let expression = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
            let mechanism: Mechanism = expression.parse().unwrap();
            let direction = if swapped { Direction::Add } else { Direction::Remove };
            let pair = dominating_pair(&mechanism, direction).unwrap();
            let law = &pair.ratio_laws()[0];
            let line = Line {
                tilt, height: 5.0, beyond: tilt + 1.0, log_tolerance: -36.0, log_tolerance_beyond: -5.0, direct: false,
            };
            let portion = match below.filter(|_| !swapped) {
                Some(at) => Portion::Below(Cut { at, spread: 0.2, end: at + 2.0 }),
                None => Portion::Whole,
            };
            let Some(rule) = law.rule(line, portion) else { return Ok(()) };
            let Some(places) = rule.places else { return Err(TestCaseError::fail("no places")) };
            let nodes = law.wide_nodes(places, portion, 0..places.count).unwrap();
            prop_assert_eq!(nodes.len(), rule.nodes.len());
            for (wide, node) in nodes.iter().zip(&rule.nodes) {
                let off = (wide.loss - Ball::from(node.loss)).enclosure();
                prop_assert!(off.upper().max(-off.lower()) <= node.loss_error, "{wide:?} {node:?}");
                let p = wide.tilted(0.0);
                let log = p.ln().approximate() - node.log_p;
                prop_assert!(log.abs() <= node.relative_error * 1.01 || p.approximate() < 1e-280, "{wide:?} {node:?}");
                prop_assert!(wide.loss.radius() <= 1e-27 * wide.loss.approximate().abs().max(1e-12));
            }
        }
    }

    /// Far from a cut a share is known to more digits than doubles have.
    #[test]
    fn shares_add_up() {
        let cut = Cut { at: 1.5, spread: 0.25, end: 4.0 };
        let high = Cut { at: 3.0, ..cut };
        for x in [-3.0, -0.4, 0.0, 0.7, 1.2, 1.5, 1.6, 2.9, 3.3, 3.9] {
            let x = Ball::from(x);
            let [below, above] = [Portion::Below(cut), Portion::Above(cut)].map(|portion| portion.share(x));
            assert_at(x, (below + above - Ball::ONE).enclosure().contains(0.0));
            let parts = below + Portion::Between(Cut { end: f64::INFINITY, ..cut }, high).share(x)
                - Portion::Below(high).share(x);
            assert_at(x, parts.enclosure().contains(0.0));
        }
        assert!(Portion::Below(cut).share(Ball::from(0.5)).radius() < 1e-20);
        assert!(Portion::Below(cut).share(Ball::from(-3.0)).radius() < 1e-28);
        assert_eq!(Portion::Below(cut).share(Ball::from(4.5)), Ball::ZERO);
    }

    fn assert_at(x: Ball, holds: bool) {
        assert!(holds, "{}", x.approximate());
    }

    /// A law that is only a half of a normal one is not taken for all of it.
    #[test]
    fn halves_are_not_known_as_well() {
        let mechanism: Mechanism = "poisson(gaussian(sigma=1), rate=0.1)".parse().unwrap();
        let law = dominating_pair(&mechanism, Direction::Remove).unwrap().ratio_laws().remove(0);
        assert!(law.normal.is_some());
        assert_eq!(law.half(std::cmp::Ordering::Greater).normal, None);
    }
}
