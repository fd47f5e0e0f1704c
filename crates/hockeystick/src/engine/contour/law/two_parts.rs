//! A portion of a law in two parts: losses turn the faster the larger outcomes are, and below them far fewer nodes will do.

use super::{Line, cuttable::WholeLine};
use crate::pair::{Cut, Portion, RatioLaw, ratio_law::integrand::Integrand};
use num_complex::Complex;

/// How far below the largest outcomes that matter a portion is cut, in units of the length on which the ratio grows by e.
const FOLDS: f64 = 5.0;
/// What is this much less than the most does not matter, as a logarithm.
const NEGLIGIBLE: f64 = -45.0;
/// How smooth the cut of a whole law is, in the same units, and as a part of the deviation of the outcomes at most.
const SMOOTH: f64 = 0.15;
const PARTS_OF_DEVIATION: f64 = 0.35;
/// If losses turn by less than this there, one part will do.
const LEAST_TURN: f64 = 150.0;
/// How far outcomes are looked at, in deviations from where they are likeliest under the tilt, and how closely, in units as above.
const FARTHEST: f64 = 12.0;
const LOOK_STEP: f64 = 0.25;
const MOST_LOOKS: usize = 2000;

/// Where the lower part ends, in spreads beyond the cut, and what two parts leave: `erfc(8) < 1.13 · 10⁻²⁹`.
const END: f64 = 8.0;
pub(crate) const LEFT_BY_PARTS: f64 = 1.2e-29;

impl Cut {
    /// The same with an end.
    fn ending(self) -> Self {
        Self { end: (END * (1.0 + 1e-12)).mul_add(self.spread, self.at), ..self }
    }
}

impl RatioLaw {
    /// Two parts of a portion, the upper one no longer than what matters of it under a tilt needs; `None` if the law or the portion cannot be
    /// cut, or nothing that matters is below.
    ///
    /// # Guarantee
    /// At every z they add up to the `M(z)` of the portion but for [a part](LEFT_BY_PARTS) of its `M(Re z)`: the lower part ends u = 8 spreads beyond its cut, where its
    /// weight is below `erfc(u)/2` and that of the portion above a half. Their ratio falls farther on, for so does `erfc(u + d)/erfc(u)` for d > 0.
    pub fn two_parts(&self, portion: Portion, line: Line) -> Option<[Portion; 2]> {
        let WholeLine { slope, bend } = self.whole_line()?;
        let deviation = 1.0 / (2.0 * bend).sqrt();
        let top = self.largest_that_matters(portion, line)?;
        let at = top - FOLDS / slope;
        match portion {
            Portion::Whole => {
                let spread = (SMOOTH / slope).min(PARTS_OF_DEVIATION * deviation);
                let cut = Cut { at, spread, end: f64::INFINITY };
                Some([Portion::Below(cut.ending()), Portion::Above(cut)])
            }
            Portion::Below(high) => {
                let low = Cut { at, end: f64::INFINITY, ..high };
                let is_below = low.ending().end < high.at;
                is_below.then_some([Portion::Below(low.ending()), Portion::Between(low, high)])
            }
            Portion::Above(_) | Portion::Between(..) => None,
        }
    }

    /// The largest outcome that matters for `M` on a line, in plain floats; `None` if nothing below it does, or hardly anything turns.
    fn largest_that_matters(&self, portion: Portion, line: Line) -> Option<f64> {
        let WholeLine { slope, bend } = self.whole_line()?;
        let power = if self.swapped { -line.tilt } else { 1.0 + line.tilt };
        let integrand = Integrand::new(&self.panels[0], Complex::new(power, 0.0));
        let deviation = 1.0 / (2.0 * bend).sqrt();
        let middle = 0.5 * self.panels[0].log_q.linear / bend;
        // Powers of the moving term move the peak no farther than this.
        let (from, to) = (
            middle - FARTHEST * deviation,
            middle + FARTHEST * deviation + power.max(0.0) * slope * deviation * deviation,
        );
        let to = to.min(portion.end());
        let step = (LOOK_STEP / slope).max((to - from) / MOST_LOOKS as f64);
        let count = ((to - from) / step).max(0.0) as usize;
        let at = |i: usize| step.mul_add(-(i as f64), to);
        let log = |x: f64| integrand.log_modulus(x)[0] + portion.log_weight_roughly(x);
        let logs: Vec<f64> = (0..=count).map(|i| log(at(i))).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = logs.iter().position(|log| *log > most + NEGLIGIBLE)?;
        let (top, lower) = (at(first), at(first) - (FOLDS + 1.0) / slope);
        let turn = line.height * (integrand.ratio.plain(top) - integrand.ratio.plain(lower));
        (log(lower) > most + NEGLIGIBLE && turn > LEAST_TURN).then_some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::law::LossRule,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::special::exp;
    use proptest::prelude::*;

    /// A sum divided by `e^{log_scale}`, and what it may be off.
    fn sum(rule: &LossRule, z: Complex<f64>, log_scale: f64) -> (Complex<f64>, f64) {
        let mut off = exp(rule.log_error - log_scale);
        let mut sum = Complex::new(0.0, 0.0);
        for node in &rule.nodes {
            let term = (z * node.loss + node.log_p - log_scale).exp();
            sum += term;
            off += term.norm()
                * (node.relative_error + z.norm() * node.loss_error + 1e-14 * (1.0 + (z * node.loss).norm()));
        }
        (sum, off)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// What two rules say of both parts is what one says of the whole, all along a line.
        #[test]
        fn two_parts_add_up(
            (log_sigma, log_rate) in (-0.52f64..0.3, -6f64..-0.5),
            (scale, height, part) in (0.5f64..30.0, 20f64..120.0, 0f64..=1.0),
            (swapped, cut_at) in (any::<bool>(), prop::option::of(1.5f64..5.0)),
        ) {
            let (sigma, rate) = (10f64.powf(log_sigma), 10f64.powf(log_rate));
            let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
            let direction = if swapped { Direction::Add } else { Direction::Remove };
            let law = dominating_pair(&text.parse().unwrap(), direction).unwrap().ratio_laws().remove(0);
            let portion = match cut_at.filter(|_| !swapped) {
                Some(at) => Portion::Below(Cut { at, spread: 0.12 * sigma, end: at + 1.2 * sigma }),
                None => Portion::Whole,
            };
            // Where losses next to the cut, or next to where the ratio is 2, are turned.
            let loss = match portion {
                Portion::Below(cut) => exp(cut.at / sigma - 0.5 / (sigma * sigma)).mul_add(rate, 1.0).ln().max(1e-3 * rate),
                Portion::Whole | Portion::Above(_) | Portion::Between(..) => rate,
            };
            let tilt = scale / loss;
            let line = Line {
                tilt, height: height * tilt, beyond: tilt, log_tolerance: -30.0, log_tolerance_beyond: -30.0, direct: true,
            };
            let parts = law.two_parts(portion, line);
            prop_assume!(parts.is_some());
            let rules = parts.unwrap().map(|part| law.rule(line, part));
            let whole = law.rule(line, portion);
            prop_assume!(rules.iter().all(Option::is_some) && whole.is_some());
            let ([Some(below), Some(above)], Some(whole)) = (rules, whole) else { return Ok(()) };
            let logs = whole.nodes.iter().map(|node| node.log_p + tilt * node.loss);
            let log_scale = logs.fold(f64::NEG_INFINITY, f64::max);
            let scale = sum(&whole, Complex::new(tilt, 0.0), log_scale).0.re;
            let z = Complex::new(tilt, part * line.height);
            let [(below, below_off), (above, above_off), (whole, whole_off)] = [&below, &above, &whole].map(|rule| sum(rule, z, log_scale));
            let off = (below + above - whole).norm();
            let allowed = below_off + above_off + whole_off + LEFT_BY_PARTS * scale + 1e-300;
            prop_assert!(off <= allowed, "{portion:?}: {off:e} {allowed:e}");
        }
    }

    /// There are far fewer nodes.
    #[test]
    fn the_lower_part_takes_few_nodes() {
        let law =
            dominating_pair(&"poisson(gaussian(sigma=0.33), rate=1e-6)".parse().unwrap(), Direction::Add)
                .unwrap()
                .ratio_laws()
                .remove(0);
        let line = Line {
            tilt: 1778.0,
            height: 1.1e5,
            beyond: 1778.0,
            log_tolerance: -34.0,
            log_tolerance_beyond: -34.0,
            direct: true,
        };
        let count = |portion: Portion| law.rule(line, portion).unwrap().nodes.len();
        let parts = law.two_parts(Portion::Whole, line).unwrap();
        assert!(5 * parts.map(count).iter().sum::<usize>() < count(Portion::Whole));
    }
}
