//! What is above a cut of a law that is known to thirty digits, in closed form, and how little of it has a small loss.

use super::{Cut, NormalRatio, RatioLaw, wide_delta::normal_tail};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{LOG_ERFC_ERROR_UNITS, erfc, exp, expm1, ln, ln_1p, log_erfc},
};
use std::f64::consts::{FRAC_1_SQRT_2, LN_2};

/// What a law has above a cut that has no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbovePart {
    /// What `Q` has.
    pub q: Ball,
    /// How much more `P` has.
    pub surplus: Ball,
}

impl RatioLaw {
    /// What is above a cut, whatever its end; `None` if the law is swapped, or not known to thirty digits.
    ///
    /// # Guarantee
    /// Enclosed. Under `Q` the outcome is standard normal, and under `P` it is so with a share `1 − w`, and moved by μ with a share w. The weight above the cut
    /// is the probability that a normal number of variance `s²/2` exceeds `a − x`, so that a normal law around m has `Φ̄((a − m)/√(1 + s²/2))` there.
    pub fn above_part(&self, cut: Cut) -> Option<AbovePart> {
        let NormalRatio { weight, mu } = self.checked_normal().filter(|_| !self.swapped)?;
        let spread = Ball::from(cut.spread);
        let deviation = (Ball::ONE + spread * spread / Ball::from(2.0)).sqrt();
        let at = Ball::from(cut.at);
        let [here, there] = [at, at - mu].map(|place| normal_tail(place / deviation));
        let (q, moved) = (here?, there?);
        Some(AbovePart { q, surplus: weight * (moved - q) })
    }

    /// The total variation of a law that is known to thirty digits, in plain floats: `w(2Φ(μ/2) − 1)`.
    pub fn total_variation(&self) -> Option<f64> {
        let NormalRatio { weight, mu } = self.checked_normal()?;
        Some(weight.approximate() * (1.0 - erfc(mu.approximate() * FRAC_1_SQRT_2 / 2.0)))
    }

    /// The smallest loss of a law that is known to thirty digits: `log(1 − w)`. `None` if it is swapped.
    pub fn smallest_loss(&self) -> Option<Enclosure> {
        let NormalRatio { weight, .. } = self.checked_normal().filter(|_| !self.swapped)?;
        Some((-weight).ln_1p().enclosure())
    }

    /// A bound of what `Q` has above a cut at losses below `loss`.
    ///
    /// # Guarantee
    /// The weight above a cut grows with the outcome, and so does the loss: where that is smaller, the weight is at most `erfc((a − x)/s)/2` for the
    /// outcome x at which it is `loss`, and all of `Q` is 1.
    pub fn above_with_loss_below(&self, cut: Cut, loss: f64) -> Option<f64> {
        let NormalRatio { weight, mu } = self.checked_normal().filter(|_| !self.swapped)?;
        let growth = Ball::from(loss).exp_m1() / weight;
        if growth.enclosure().lower() <= -1.0 {
            return Some(0.0).filter(|_| growth.enclosure().upper() <= -1.0);
        }
        let place = growth.ln_1p() / mu + mu / Ball::from(2.0);
        let spreads = ((Ball::from(cut.at) - place) / Ball::from(cut.spread)).enclosure();
        let log = log_erfc(spreads.lower());
        let rounding = LOG_ERFC_ERROR_UNITS * UNIT_ROUNDOFF * log.abs();
        let bound = 0.5 * exp(log + rounding + 1e-9) + f64::MIN_POSITIVE;
        Some(if bound < 1.0 { bound } else { 1.0 })
    }

    /// What is above a cut, in pieces: the logarithm of a bound of what `Q` has there, and a lower bound of the losses.
    ///
    /// # Guarantee
    /// The weight above a cut grows with the outcome and so does the loss: on every one of some cells below the cut `Q` has at most the weight at its upper end times the largest
    /// density, and losses are at least that at its lower end. Above the cut the weight is at most 1; below all cells losses are at least `log(1 − w)`.
    pub fn cells_above(&self, cut: Cut) -> Option<Vec<AboveCell>> {
        let NormalRatio { weight, mu } = self.checked_normal().filter(|_| !self.swapped)?;
        let (weight, mu) = (weight.approximate(), mu.approximate());
        let length = cut.spread / CELLS_OF_SPREAD;
        // It grows with the exponent and with the weight, as far as that is positive.
        let loss = |x: f64| {
            let exponent = mu * (x - 0.5 * mu) - 1e-14 * mu * (x.abs() + mu);
            let growth = weight * expm1(exponent);
            let loss = ln_1p(growth - 1e-14 * growth.abs());
            loss - 1e-14 * loss.abs()
        };
        let cell = |j: usize| {
            let lower = cut.at - (j as f64 + 1.0) * length;
            // The density is largest where the outcome is nearest to 0.
            let nearest = lower.max(-(lower + length)).max(0.0);
            let log_weight = log_erfc(j as f64 / CELLS_OF_SPREAD) - LN_2;
            AboveCell { log_q: log_weight - 0.5 * nearest * nearest + ln(length) + 1e-6, loss: loss(lower) }
        };
        let smallest = ln_1p(-weight * (1.0 + 1e-14)) * (1.0 + 1e-14);
        let below = AboveCell { log_q: log_erfc(SPREADS_OF_CELLS as f64) - LN_2 + 1e-6, loss: smallest };
        let above = AboveCell { log_q: 0.0, loss: loss(cut.at) };
        let cells = (0..SPREADS_OF_CELLS * CELLS_OF_SPREAD as usize).map(cell).chain([below, above]);
        let cells: Vec<AboveCell> = cells.collect();
        let is_known = |cell: &AboveCell| cell.log_q.is_finite() && cell.loss.is_finite();
        cells.iter().all(is_known).then_some(cells)
    }
}

/// Some of what is above a cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AboveCell {
    /// The logarithm of what `Q` has, at most.
    pub log_q: f64,
    /// No loss is smaller.
    pub loss: f64,
}

/// Cells below a cut: how many to a spread, and how many spreads of them.
const CELLS_OF_SPREAD: f64 = 8.0;
const SPREADS_OF_CELLS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, Portion, dominating_pair, ratio_law::integrand::Integrand};
    use num_complex::Complex;
    use proptest::prelude::*;

    fn law(sigma: f64, rate: f64, direction: Direction) -> RatioLaw {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), direction).unwrap().ratio_laws().remove(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Against sums over the outcomes, in doubles.
        #[test]
        fn what_is_above_is_known_in_closed_form(
            (sigma, log_rate) in (0.3f64..3.0, -12f64..-0.1),
            (at, spread, part) in (-2f64..6.0, 0.03f64..0.4, 0f64..1.0),
        ) {
            let law = law(sigma, exp(log_rate), Direction::Remove);
            let cut = Cut { at, spread, end: f64::INFINITY };
            let AbovePart { q, surplus } = law.above_part(cut).unwrap();
            let integrand = Integrand::new(&law.panels[0], Complex::new(0.0, 0.0));
            let step = 0.05 * spread.min(sigma);
            let count = ((40.0 + 2.0 / sigma) / step) as i32;
            // The loss at an outcome beside the cut.
            let limit = integrand.ratio.plain(at - 6.0 * spread * part);
            let (mut q_sum, mut more, mut below) = (0.0, 0.0, 0.0);
            for i in 0..count {
                let x = step.mul_add(f64::from(i), -14.0);
                let mass = step * exp(integrand.log_q.at(x) + Portion::Above(cut).log_weight(x));
                let loss = integrand.ratio.plain(x);
                q_sum += mass;
                more += mass * loss.exp_m1();
                below += if loss < limit { mass } else { 0.0 };
            }
            let is_close = |ball: Ball, sum: f64, size: f64| (ball.approximate() - sum).abs() <= 1e-10 * size + 1e-290;
            prop_assert!(is_close(q, q_sum, q_sum), "{q:?} {q_sum:e}");
            prop_assert!(is_close(surplus, more, q_sum * exp(log_rate) + more.abs()), "{surplus:?} {more:e}");
            prop_assert!(q.radius() <= 1e-24 * q.approximate(), "{q:?}");
            prop_assert!(surplus.radius() <= 1e-22 * exp(log_rate) * (q.approximate() + surplus.approximate().abs() / exp(log_rate)));
            let bound = law.above_with_loss_below(cut, limit);
            if let Some(bound) = bound {
                prop_assert!(below <= bound * (1.0 + 1e-9), "{below:e} {bound:e}");
            }
            let smallest = law.smallest_loss().unwrap();
            prop_assert!(smallest.upper() <= integrand.ratio.plain(-14.0) + 1e-15);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Pieces bound every moment that falls with the loss, against sums over the outcomes, and are not far off.
        #[test]
        fn pieces_bound_what_falls_with_the_loss(
            (sigma, log_rate) in (0.3f64..3.0, -12f64..-0.1),
            (at, spread, log_order) in (-2f64..6.0, 0.03f64..0.4, 0f64..8.0),
        ) {
            let law = law(sigma, exp(log_rate), Direction::Remove);
            let cut = Cut { at, spread, end: f64::INFINITY };
            // Powers of the smallest ratio are to be doubles.
            let order = exp(log_order).min(1.0 - 500.0 / ln_1p(-exp(log_rate)));
            let cells = law.cells_above(cut).unwrap();
            let bound = |fall: f64| -> f64 { cells.iter().map(|cell| exp(cell.log_q - fall * cell.loss)).sum() };
            let integrand = Integrand::new(&law.panels[0], Complex::new(0.0, 0.0));
            let step = 0.05 * spread.min(sigma);
            let count = ((40.0 + 2.0 / sigma) / step) as i32;
            let mut sums = [0.0; 2];
            for i in 0..count {
                let x = step.mul_add(f64::from(i), -14.0);
                let log = integrand.log_q.at(x) + Portion::Above(cut).log_weight(x);
                sums[0] += step * exp(log);
                sums[1] += step * exp(log + (1.0 - order) * integrand.ratio.plain(x));
            }
            for (sum, fall) in sums.into_iter().zip([0.0, order - 1.0]) {
                let bound = bound(fall);
                prop_assert!(sum <= bound * (1.0 + 1e-9), "{sum:e} {bound:e}");
            }
            // No loss of a piece is larger than that of the outcome where it begins.
            let largest = cells.iter().map(|cell| cell.loss).fold(f64::NEG_INFINITY, f64::max);
            let there = integrand.ratio.plain(at);
            prop_assert!(largest <= there + 1e-12 * there.abs(), "{largest:e}");
        }
    }

    /// Where no loss is as small there is nothing, and next to the smallest one next to nothing.
    #[test]
    fn below_the_smallest_loss_there_is_nothing() {
        let law = law(0.7, 0.01, Direction::Remove);
        let cut = Cut { at: 1.0, spread: 0.1, end: f64::INFINITY };
        assert_eq!(law.above_with_loss_below(cut, -0.02), Some(0.0));
        let smallest = law.smallest_loss().unwrap().midpoint();
        assert!(law.above_with_loss_below(cut, smallest).is_none_or(|bound| bound < 1e-300));
        assert_eq!(law.above_with_loss_below(cut, 50.0), Some(1.0));
        assert!(law.above_with_loss_below(cut, f64::NAN).is_none_or(|bound| bound == 1.0));
    }

    #[test]
    fn a_swapped_law_has_no_such_part() {
        let law = law(0.7, 0.01, Direction::Add);
        let cut = Cut { at: 1.0, spread: 0.1, end: f64::INFINITY };
        assert!(law.above_part(cut).is_none() && law.smallest_loss().is_none());
        assert!(law.above_with_loss_below(cut, 0.1).is_none() && law.cells_above(cut).is_none());
    }
}
