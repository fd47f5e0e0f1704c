//! The nodes of a rule to thirty digits, for a law of which the coefficients are known as well.
//!
//! Doubles know a node to some sixty units of roundoff. That leaves twelve digits of δ, and of an ε next to 0, which is what makes the
//! difference of δ and the total variation, far fewer.

use super::{Portion, Quadratic, RatioLaw};
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln_1p},
    wide_array::WideArray,
    wide_excess::LawPieces,
    wide_sums::Uncertain,
};
use std::f64::consts::TAU;

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

/// Point masses that stand for pieces of the law of the loss under `P`, tilted.
#[derive(Clone, Debug, Default)]
pub struct WideNodes {
    /// `L`.
    pub losses: Uncertain,
    /// `p e^{cL}`.
    pub weights: Uncertain,
    /// What those have together that are left out.
    pub left_out: f64,
}

/// `log r` at outcomes x, and `r − 1`.
struct WideLogs {
    outcomes: WideArray,
    excesses: Uncertain,
    logs: Uncertain,
}

impl Places {
    /// What densities are multiplied by: `η/√(2π)` with the step η, off by 16U of itself.
    fn scale(self) -> DoubleDouble {
        (Ball::from(self.step) / (Ball::from(2.0) * Ball::pi()).sqrt()).midpoint()
    }

    /// The node with the number j, off by 2^-102 of itself.
    fn at(self, j: usize) -> DoubleDouble {
        DoubleDouble::from(self.from) + DoubleDouble::from_product(self.step, j as f64)
    }
}

/// How far coefficients in doubles are from the truth at most: what a rule is good for.
const COEFFICIENT_ERROR: f64 = 4.0 * UNIT_ROUNDOFF;

/// The errors of sums, products and quotients, and of functions, relative to themselves.
const U: f64 = DoubleDouble::ARITHMETIC_ERROR;
const F: f64 = DoubleDouble::FUNCTION_ERROR;
/// Exponents beyond these are not looked at, or are taken for the first.
const LEAST_EXPONENT: f64 = -700.0;
const LARGEST_EXPONENT: f64 = 700.0;
/// Nodes of which the logarithm of the weight is below this are left out.
const LOG_NEGLIGIBLE: f64 = -150.0;
/// The weight of the moving term is not smaller than this, nor is the ratio than the second.
const LEAST_WEIGHT: f64 = 1e-100;
const LEAST_RATIO: f64 = 1e-8;
/// More than all underflows.
const UNDERFLOW: f64 = 1e-280;

impl RatioLaw {
    /// The law to thirty digits, if it is known to as many and is what the panel says.
    pub(super) fn checked_normal(&self) -> Option<NormalRatio> {
        let NormalRatio { weight, mu } = self.normal?;
        let line = self.whole_line()?;
        let [(still, level), (moving, exponent)] = self.still_and_moving();
        let is_same =
            |double: f64, ball: Ball| (double - ball.approximate()).abs() <= COEFFICIENT_ERROR * double.abs();
        let log_q = self.panels[0].log_q;
        let is_standard = line.bend == 0.5 && log_q.linear == 0.0 && log_q.constant == -0.5 * TAU.ln();
        let has_ratio = is_same(line.slope, mu)
            && is_same(moving, weight)
            && is_same(exponent.constant, mu * mu / Ball::from(-2.0))
            && level == Quadratic::default()
            && is_same(still, Ball::ONE - weight);
        let is_exact = |ball: Ball| ball.radius() <= 4.0 * U * ball.approximate().abs();
        // The ratio is at least 1 − w, and its excess does not underflow.
        let is_usual = weight.approximate() > LEAST_WEIGHT && 1.0 - weight.approximate() > LEAST_RATIO;
        let is_known = is_exact(mu) && is_exact(weight) && is_usual;
        (is_standard && has_ratio && is_known).then_some(NormalRatio { weight, mu })
    }

    /// Is `log p + cL` of a node next to x, without the step, far below [`LOG_NEGLIGIBLE`]? Rules reach as far as `M(λ)` does.
    fn is_negligible(&self, x: f64, tilt: f64) -> bool {
        let log = self.normal.map_or(0.0, |NormalRatio { weight, mu }| {
            let mu = mu.approximate();
            ln_1p(weight.approximate() * expm1(mu * x - 0.5 * mu * mu))
        });
        let tilted = log * if self.swapped { -tilt } else { 1.0 + tilt };
        tilted - 0.5 * x * x < LOG_NEGLIGIBLE - 1e-9 * (tilted.abs() + x * x)
    }

    /// Losses at outcomes; `None` if an exponent is too large, or the law is not known as well as that.
    ///
    /// # Guarantee
    /// The errors are bounds. With the errors U and F of sums and of functions, relative to themselves, and μ and w known to 4U:
    /// - x is off by `U|x|`, and `l = μx − μ²/2` by `16U(|μx| + μ²/2)`: of the first term by 6U, of the second by 10U, of the sum by U.
    /// - `e^l − 1` is off by `e^l` times that and 2F of itself; times w it is off by 5U more, and the logarithm by that over the ratio, and by itself.
    fn wide_logs(&self, outcomes: WideArray) -> Option<WideLogs> {
        let NormalRatio { weight, mu } = self.checked_normal()?;
        let constant = (mu * mu / Ball::from(-2.0)).midpoint();
        let (mu, weight) = (mu.midpoint(), weight.midpoint());
        let exponents = outcomes.clone().map(
            #[inline(always)]
            |x| x * mu + constant,
        );
        let is_moderate = |x: &f64| (LEAST_EXPONENT..LARGEST_EXPONENT).contains(x);
        if !exponents.leading().iter().all(is_moderate) {
            return None;
        }
        let growths = exponents.exp_m1();
        let excesses = growths.clone().map(
            #[inline(always)]
            |growth| growth * weight,
        );
        let logs = excesses.clone().ln_1p();
        let (mut of_excesses, mut of_logs) = (vec![], vec![]);
        for (i, excess) in excesses.leading().iter().enumerate() {
            let (x, growth, ratio) = (outcomes.leading()[i], growths.leading()[i], 1.0 + excess);
            if ratio.is_nan() || ratio <= LEAST_RATIO {
                return None;
            }
            let of_exponent = 16.0 * U * ((mu.hi() * x).abs() + constant.hi().abs());
            let of_growth = 1.01 * (1.0 + growth + 1e-15) * of_exponent + 2.0 * F * growth.abs();
            let of_excess = weight.hi() * of_growth + 8.0 * U * excess.abs();
            of_excesses.push(of_excess);
            of_logs.push(1.01 * of_excess / ratio + WideArray::log_error(logs.leading()[i]));
        }
        let excesses = Uncertain { values: excesses, errors: of_excesses };
        Some(WideLogs { outcomes, excesses, logs: Uncertain { values: logs, errors: of_logs } })
    }

    /// The nodes at some of the places, tilted by c; `None` if the law is not known as well as that.
    ///
    /// # Guarantee
    /// The errors are bounds, and the sum over all nodes is as far from the integral as a rule at these places says. With what is said of
    /// losses (`wide_logs`):
    /// - `cL + log p = (1 + c)L − x²/2`, without the 1 if P and Q are swapped, is off by `|1 + c|` times what L is, and by 4U of either term.
    /// - Its exponential is off by F, the constant by 16U, and the share as it says.
    pub fn wide_nodes(
        &self,
        places: Places,
        portion: Portion,
        tilt: f64,
        numbers: impl Iterator<Item = usize>,
    ) -> Option<WideNodes> {
        let mut xs = WideArray::default();
        let mut left_out = 0.0;
        for x in numbers.map(|j| places.at(j)) {
            if self.is_negligible(x.hi(), tilt) {
                left_out += places.step;
                continue;
            }
            if x.hi() <= portion.end() {
                xs.push(x);
            }
        }
        let Uncertain { values: shares, errors: of_shares } = portion.wide_shares(&xs);
        let WideLogs { outcomes: xs, logs: Uncertain { values: logs, errors: of_logs }, .. } =
            self.wide_logs(xs)?;
        let power = if self.swapped { DoubleDouble::from(-tilt) } else { DoubleDouble::from_sum(1.0, tilt) };
        let exponents = logs.clone().zip(
            &xs,
            #[inline(always)]
            |log, x| {
                let sum = log * power - (x * x).halved();
                if sum.hi() < LEAST_EXPONENT { DoubleDouble::from(LEAST_EXPONENT) } else { sum }
            },
        );
        if !exponents.leading().iter().all(|x| *x < LARGEST_EXPONENT) {
            return None;
        }
        let scale = places.scale();
        let masses = exponents.exp().map(
            #[inline(always)]
            |mass| mass * scale,
        );
        let weights = masses.clone().zip(
            &shares,
            #[inline(always)]
            |mass, share| mass * share,
        );
        let mut nodes = WideNodes { left_out: left_out * exp(LOG_NEGLIGIBLE), ..WideNodes::default() };
        for (i, of_share) in of_shares.into_iter().enumerate() {
            let (x, log, mass) = (xs.leading()[i], logs.leading()[i], masses.leading()[i]);
            let of_power =
                1.01 * power.hi().abs() * of_logs[i] + 4.0 * U * (x * x + (power.hi() * log).abs());
            if of_power.is_nan() || of_power >= 1e-3 {
                return None;
            }
            let relative = 1.01 * of_power + F + 32.0 * U;
            nodes.weights.errors.push(1.01 * (weights.leading()[i] * relative + mass * of_share) + UNDERFLOW);
        }
        nodes.losses = Uncertain { values: if self.swapped { negated(logs) } else { logs }, errors: of_logs };
        nodes.weights.values = weights;
        Some(nodes)
    }

    /// Pieces of both laws at some of the places, for what exceeds 1; `None` if they are not known as well as that, or what is above a cut is meant.
    ///
    /// # Guarantee
    /// The errors are bounds, and the sums are as far from the integrals as a rule at these places says, and what was left out, which has no more than
    /// the second in any of them. With what is said of losses (`wide_logs`): the density is off by F of itself, by 4U of `x²` and by 32U, and its product
    /// with the ratio by what that is off, which has room for the rounding of a product with the excess, and 2U; `e^{−L} − 1` is the excess r − 1 of the ratio or `−(r − 1)/r`.
    pub fn wide_pieces(
        &self,
        places: Places,
        portion: Portion,
        tilt: f64,
        numbers: impl Iterator<Item = usize>,
    ) -> Option<(LawPieces, f64)> {
        let mut xs = WideArray::default();
        let mut left_out = 0.0;
        for x in numbers.map(|j| places.at(j)) {
            // Of P and Q, and of P as it is tilted.
            let is_needed = |tilt: f64| !self.is_negligible(x.hi(), tilt);
            let is_inside = x.hi() <= portion.end();
            if is_needed(0.0) || is_needed(-1.0) || is_inside && is_needed(tilt) {
                xs.push(x);
            } else {
                left_out += places.step;
            }
        }
        let [shares, rests] = portion.wide_sides(&xs)?;
        let WideLogs { outcomes: xs, excesses, logs } = self.wide_logs(xs)?;
        let exponents = xs.clone().map(
            #[inline(always)]
            |x| -(x * x).halved(),
        );
        if !exponents.leading().iter().all(|x| *x > LEAST_EXPONENT) {
            return None;
        }
        let scale = places.scale();
        let normal = exponents.exp().map(
            #[inline(always)]
            |mass| mass * scale,
        );
        let is_swapped = self.swapped;
        let masses = normal.zip(
            &excesses.values,
            #[inline(always)]
            |mass, excess| if is_swapped { mass } else { mass + mass * excess },
        );
        let surpluses = excesses.values.clone().map(
            #[inline(always)]
            |excess| if is_swapped { excess } else { -(excess / (DoubleDouble::ONE + excess)) },
        );
        let times = |sides: &Uncertain| {
            let values = masses.clone().zip(
                &sides.values,
                #[inline(always)]
                |mass, side| mass * side,
            );
            Uncertain { values, errors: Vec::with_capacity(xs.len()) }
        };
        let (mut inside, mut outside) = (times(&shares), times(&rests));
        let mut of_surpluses = Vec::with_capacity(xs.len());
        for i in 0..xs.len() {
            let (x, mass, ratio) = (xs.leading()[i], masses.leading()[i], 1.0 + excesses.values.leading()[i]);
            let of_ratio = 1.01 * excesses.errors[i] / ratio;
            let relative = F + U * (4.0 * x * x + 36.0) + if is_swapped { 0.0 } else { of_ratio };
            for (part, sides) in [(&mut inside, &shares), (&mut outside, &rests)] {
                let error = 1.01 * (part.values.leading()[i] * relative + mass * sides.errors[i]);
                let is_nothing = sides.values.leading()[i] == 0.0 && sides.errors[i] == 0.0;
                part.errors.push(if is_nothing { 0.0 } else { error + UNDERFLOW });
            }
            let of_surplus = if is_swapped { excesses.errors[i] } else { 1.01 * of_ratio / ratio };
            of_surpluses.push(of_surplus + 8.0 * U * surpluses.leading()[i].abs());
        }
        let surpluses = Uncertain { values: surpluses, errors: of_surpluses };
        let losses = if is_swapped { Uncertain { values: negated(logs.values), ..logs } } else { logs };
        Some((LawPieces { losses, inside, outside, surpluses }, left_out * exp(LOG_NEGLIGIBLE)))
    }
}

fn negated(numbers: WideArray) -> WideArray {
    numbers.map(
        #[inline(always)]
        |x| -x,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::Mechanism,
        pair::{Cut, Direction, Line, LossNode, dominating_pair},
    };
    use proptest::prelude::*;

    /// A rule is proven for coefficients within four units of its own, and for no other density.
    #[test]
    fn a_law_that_is_not_what_its_panel_says_has_no_wide_nodes() {
        let mechanism: Mechanism = "poisson(gaussian(sigma=0.7), rate=0.3)".parse().unwrap();
        let law = dominating_pair(&mechanism, Direction::Remove).unwrap().ratio_laws().remove(0);
        let places = Places { from: -6.0, step: 0.25, count: 49 };
        let has_nodes =
            |law: &RatioLaw| law.wide_nodes(places, Portion::Whole, 1.0, 0..places.count).is_some();
        assert!(has_nodes(&law));
        for term in 0..2 {
            let mut other = law.clone();
            other.panels[0].ratio[term].0 *= 1.0 + 12.0 * UNIT_ROUNDOFF;
            assert!(!has_nodes(&other), "{term}");
        }
        let mut halved = law;
        halved.panels[0].log_q.constant -= std::f64::consts::LN_2;
        assert!(!has_nodes(&halved));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// They are where the nodes of the rule are, and what those know of them is true.
        #[test]
        fn wide_nodes_are_within_what_nodes_know(
            log_sigma in -0.5f64..2.0,
            log_rate in -6f64..-0.01,
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
            let nodes = law.wide_nodes(places, portion, tilt, 0..places.count).unwrap();
            let listed = (0..rule.nodes.len()).filter(|j| !law.is_negligible(places.at(*j).hi(), tilt));
            let listed: Vec<LossNode> = listed.map(|j| rule.nodes[j]).collect();
            prop_assert_eq!(nodes.losses.values.len(), listed.len());
            for (i, node) in listed.into_iter().enumerate() {
                let loss = nodes.losses.values.at(i);
                let off = (loss - DoubleDouble::from(node.loss)).hi().abs();
                prop_assert!(off <= node.loss_error + nodes.losses.errors[i], "{i}: {node:?} {off:e}");
                prop_assert!(nodes.losses.errors[i] <= 1e-27 * loss.hi().abs().max(rate));
                let weight = nodes.weights.values.at(i).hi();
                let log = weight.ln() - node.log_p - tilt * node.loss;
                let allowed = 1.01 * node.relative_error + 1e-15 * (node.log_p.abs() + tilt * node.loss.abs() + 1.0);
                prop_assert!(log.abs() <= allowed || weight < 1e-270, "{i}: {node:?} {log:e} {allowed:e}");
            }
        }

        /// Against balls, in which nothing is bounded beforehand.
        #[test]
        fn wide_nodes_are_as_exact_as_stated(
            log_sigma in -0.5f64..2.0,
            log_rate in -6f64..-0.01,
            log_tilt in -1f64..5.0,
            swapped in any::<bool>(),
            from in -12f64..-3.0,
            step in 0.003f64..0.4,
        ) {
            let (sigma, rate, tilt) = (10f64.powf(log_sigma), 10f64.powf(log_rate), 10f64.powf(log_tilt));
            let mechanism: Mechanism = format!("poisson(gaussian(sigma={sigma}), rate={rate})").parse().unwrap();
            let direction = if swapped { Direction::Add } else { Direction::Remove };
            let law = dominating_pair(&mechanism, direction).unwrap().ratio_laws().remove(0);
            let places = Places { from, step, count: (2.0 * -from / step) as usize };
            let Some(nodes) = law.wide_nodes(places, Portion::Whole, tilt, 0..places.count) else { return Ok(()) };
            let NormalRatio { weight, mu } = law.normal.unwrap();
            let scale = Ball::from(step) / (Ball::from(2.0) * Ball::pi()).sqrt();
            prop_assert!(nodes.left_out < 1e-60);
            let listed = (0..places.count).filter(|j| !law.is_negligible(places.at(*j).hi(), tilt));
            for (i, j) in listed.enumerate() {
                let x = Ball::from(from) + Ball::product_of(step, j as f64);
                let log = (weight * (mu * x - mu * mu / Ball::from(2.0)).exp_m1()).ln_1p();
                let loss = if swapped { -log } else { log };
                let log_p = if swapped { Ball::ZERO } else { loss } - x * x / Ball::from(2.0);
                let mass = scale * (log_p + Ball::from(tilt) * loss).exp();
                for (found, truth) in [(&nodes.losses, loss), (&nodes.weights, mass)] {
                    let off = (Ball::new(found.values.at(i), 0.0) - truth).approximate().abs();
                    prop_assert!(off <= found.errors[i] + truth.radius(), "{j}: {off:e} {:e}", found.errors[i]);
                }
                prop_assert!(nodes.weights.errors[i] <= 1e-25 * mass.approximate().abs() * (1.0 + tilt * rate) + 1e-270);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Pieces of both laws against balls, on both sides of a cut.
        #[test]
        fn pieces_are_as_exact_as_stated(
            log_sigma in -0.5f64..2.0,
            log_rate in -6f64..-0.01,
            (tilt, swapped) in (0.1f64..4.0, any::<bool>()),
            (from, step) in (-12f64..-3.0, 0.003f64..0.4),
            below in prop::option::of((-2f64..4.0, 0.1f64..0.4, 2f64..12.0)),
        ) {
            let (sigma, rate) = (10f64.powf(log_sigma), 10f64.powf(log_rate));
            let mechanism: Mechanism = format!("poisson(gaussian(sigma={sigma}), rate={rate})").parse().unwrap();
            let direction = if swapped { Direction::Add } else { Direction::Remove };
            let law = dominating_pair(&mechanism, direction).unwrap().ratio_laws().remove(0);
            let places = Places { from, step, count: (2.0 * -from / step) as usize };
            let cut = below.map(|(at, spread, reach)| Cut { at, spread, end: at + reach * spread });
            let portion = cut.map_or(Portion::Whole, Portion::Below);
            let Some((pieces, left_out)) = law.wide_pieces(places, portion, tilt, 0..places.count) else { return Ok(()) };
            prop_assert!(left_out < 1e-60);
            let NormalRatio { weight, mu } = law.normal.unwrap();
            let scale = Ball::from(step) / (Ball::from(2.0) * Ball::pi()).sqrt();
            let is_needed = |x: f64| {
                let is_inside = x <= portion.end() && !law.is_negligible(x, tilt);
                is_inside || !law.is_negligible(x, 0.0) || !law.is_negligible(x, -1.0)
            };
            let listed = (0..places.count).filter(|j| is_needed(places.at(*j).hi()));
            for (i, j) in listed.enumerate() {
                let x = Ball::from(from) + Ball::product_of(step, j as f64);
                let log = (weight * (mu * x - mu * mu / Ball::from(2.0)).exp_m1()).ln_1p();
                let loss = if swapped { -log } else { log };
                let log_p = if swapped { Ball::ZERO } else { loss } - x * x / Ball::from(2.0);
                let mass = scale * log_p.exp();
                for (found, truth) in [(&pieces.losses, loss), (&pieces.surpluses, (-loss).exp_m1())] {
                    let off = (Ball::new(found.values.at(i), 0.0) - truth).approximate().abs();
                    prop_assert!(off <= found.errors[i] + truth.radius(), "{j}: {off:e} {:e}", found.errors[i]);
                    let size = truth.approximate().abs().max(rate);
                    prop_assert!(found.errors[i] <= 1e-26 * size * (-loss).exp().approximate().max(1.0));
                }
                let (inside, outside) = (&pieces.inside, &pieces.outside);
                let both = Ball::new(inside.values.at(i), 0.0) + Ball::new(outside.values.at(i), 0.0);
                let off = (both - mass).approximate().abs();
                prop_assert!(off <= inside.errors[i] + outside.errors[i] + mass.radius(), "{j}: {off:e}");
                // Either is known to a part of itself, however small it is.
                let is_known = |part: &Uncertain| part.errors[i] <= 1e-25 * part.values.leading()[i] + 1e-265;
                prop_assert!(is_known(inside) && is_known(outside), "{j}: {:e} {:e}", inside.errors[i], outside.errors[i]);
                let share = portion.wide_shares(&WideArray::from_leading(vec![x.approximate()])).values.at(0).hi();
                let part = inside.values.leading()[i] / mass.approximate();
                prop_assert!((part - share).abs() <= 1e-13 * share.max(1e-200) || (part - share).abs() < 1e-14);
            }
        }
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
