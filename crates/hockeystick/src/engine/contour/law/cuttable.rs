//! Laws that can be cut in two, and where: a single panel over the whole line whose ratio grows.

use crate::pair::{Cut, Listing, Quadratic, RatioLaw, ratio_law::integrand::Integrand};
use hockeystick_numerics::special::{exp, expm1, ln, log_erfc};
use num_complex::Complex;
use std::f64::consts::{LN_2, PI};

/// A loss, and about how likely it and its neighbours are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossAt {
    /// `L`.
    pub loss: f64,
    /// `log p`.
    pub log_p: f64,
}

/// Where a list of losses begins and ends, how dense it is, and how long at most.
const LISTED_DEVIATIONS: f64 = 8.0;
const LISTED_BEYOND: f64 = 1.0;
const LISTED_STEP: f64 = 0.1;
const MOST_LISTED: f64 = 1500.0;

/// What makes a law one that can be cut: a single panel over the whole line, `log q = −bx² + …` and the ratio
/// `w₀ + w₁ e^{l}` with `l` linear and growing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WholeLine {
    /// The slope of `l`.
    pub(crate) slope: f64,
    /// `b`.
    pub(crate) bend: f64,
}

impl RatioLaw {
    /// The outcome `x` at which the loss is about `loss`, and the scales of the outcomes: by how much `x` grows for the
    /// ratio's moving term to grow by e, and the deviation of `Q`. `None` if the law cannot be cut.
    pub fn place_of(&self, loss: f64) -> Option<(f64, f64, f64)> {
        let WholeLine { slope, bend } = self.whole_line()?;
        if self.swapped {
            return None;
        }
        let [still, moving] = self.still_and_moving();
        // e^L − w₀e^{l₀} = (e^L − 1) + (1 − w₀), for l₀ = 0; in plain floats.
        let rest = expm1(loss) + (1.0 - still.0);
        let exponent = ln(rest / moving.0);
        exponent.is_finite().then_some((
            (exponent - moving.1.constant) / slope,
            1.0 / slope,
            1.0 / (2.0 * bend).sqrt(),
        ))
    }

    /// By how much a loss of this size grows while the ratio's moving term grows by e, if it went on like that; in plain floats. `None` if
    /// the law cannot be cut.
    pub fn growth_of(&self, loss: f64) -> Option<f64> {
        self.whole_line().filter(|_| !self.swapped)?;
        let [still, _] = self.still_and_moving();
        Some(1.0 - still.0 * exp(-loss))
    }

    /// The two terms of the ratio of a law that can be cut.
    pub(crate) fn still_and_moving(&self) -> [(f64, Quadratic); 2] {
        let terms = &self.panels[0].ratio;
        if terms[0].1.linear == 0.0 { [terms[0], terms[1]] } else { [terms[1], terms[0]] }
    }

    /// An upper bound of what `P` has above a cut that has no end; `None` if the law cannot be cut.
    ///
    /// # Guarantee
    /// P is a sum of normal laws: one with the log-density `A + Cx − Bx²` has the mass `√(π/B) e^{A + C²/4B}`, and of that the part
    /// `erfc((a − C/2B)/√(s² + 1/B))/2`, for `1 − w(x)` is the probability that a normal number of variance `s²/2` exceeds `a − x`.
    pub fn mass_above(&self, cut: Cut) -> Option<f64> {
        let WholeLine { bend, .. } = self.whole_line()?;
        if self.swapped {
            return None;
        }
        let panel = &self.panels[0];
        let spread = (cut.spread * cut.spread + 1.0 / bend).sqrt();
        let of_term = |(weight, exponent): &(f64, Quadratic)| {
            let linear = panel.log_q.linear + exponent.linear;
            let square = linear * linear / (4.0 * bend);
            let place = (cut.at - linear / (2.0 * bend)) / spread;
            let above = log_erfc(place) - LN_2;
            let log = panel.log_q.constant + exponent.constant + square + 0.5 * ln(PI / bend);
            // Coefficients are within 4 u, and so is what the place is made of.
            let sizes = panel.log_q.constant.abs() + exponent.constant.abs() + square + above.abs() + 10.0;
            let moved = (2.0 * place.abs() + 2.0) * (cut.at.abs() + linear.abs() / bend) / spread;
            weight * exp(log + above + 1e-13 * (sizes + moved))
        };
        Some(panel.ratio.iter().map(of_term).sum::<f64>() * (1.0 + 1e-9) + f64::MIN_POSITIVE)
    }

    /// Losses at equal distances of the outcome, from the smallest to somewhat above the one given, in plain floats. `None` if the law
    /// cannot be cut.
    pub fn losses_up_to(&self, largest: f64) -> Option<Vec<LossAt>> {
        let (highest, growth, deviation) = self.place_of(largest)?;
        let integrand = Integrand::new(&self.panels[0], Complex::new(0.0, 0.0));
        let from =
            LISTED_DEVIATIONS.mul_add(-deviation, -0.5 * integrand.log_q.linear / integrand.log_q.square);
        let to = LISTED_BEYOND.mul_add(growth, highest);
        let step = LISTED_STEP * growth.min(deviation);
        let count = ((to - from) / step).ceil().clamp(8.0, MOST_LISTED);
        let step = (to - from) / count;
        let log_step = ln(step);
        let at = |i: usize| {
            let x = step.mul_add(i as f64, from);
            let loss = integrand.ratio.plain(x);
            LossAt { loss, log_p: integrand.log_q.at(x) + loss + log_step }
        };
        Some((0..=count as usize).map(at).collect())
    }

    /// See [`WholeLine`].
    pub(crate) fn whole_line(&self) -> Option<WholeLine> {
        let [panel] = self.panels.as_slice() else { return None };
        if self.listing != Listing::Everything
            || !self.atoms.is_empty()
            || panel.from.is_finite()
            || panel.to.is_finite()
        {
            return None;
        }
        let [(_, first), (_, second)] = panel.ratio.as_slice() else { return None };
        let (still, moving) = if first.linear == 0.0 { (first, second) } else { (second, first) };
        let linear = still.linear == 0.0 && still.square == 0.0 && moving.square == 0.0;
        let (slope, bend) = (moving.linear, -panel.log_q.square);
        (linear && slope > 0.0 && bend > 0.0).then_some(WholeLine { slope, bend })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, Portion, dominating_pair};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Against a plain sum over the outcomes.
        #[test]
        fn what_is_above_a_cut_is_known_in_closed_form(
            (sigma, log_rate) in (0.3f64..3.0, -12f64..-0.1),
            (at, spread) in (0f64..6.0, 0.02f64..1.0),
        ) {
            let text = format!("poisson(gaussian(sigma={sigma}), rate={})", exp(log_rate));
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let laws = pair.ratio_laws();
            let cut = Cut { at, spread, end: f64::INFINITY };
            let bound = laws[0].mass_above(cut).unwrap();
            let integrand = Integrand::new(&laws[0].panels[0], Complex::new(1.0, 0.0));
            let step = 0.2 * spread.min(0.5 * sigma.min(1.0));
            let steps = (40.0 * (1.0 + sigma) / step) as i32;
            let sum: f64 = (-steps..steps)
                .map(|i| step * f64::from(i))
                .map(|x| exp(integrand.log_modulus(x)[0] + Portion::Above(cut).log_weight(x)) * step)
                .sum();
            prop_assert!(sum <= bound * (1.0 + 1e-9) && bound <= sum * (1.0 + 1e-6) + 1e-300, "{sum:e} {bound:e}");
        }
    }
}
