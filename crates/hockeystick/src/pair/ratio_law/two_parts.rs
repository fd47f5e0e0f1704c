//! A portion of a law in two parts: losses turn the faster the larger outcomes are, and below them far fewer nodes will do.

use super::{Cut, Line, Portion, RatioLaw, integrand::Integrand, portion::WholeLine};
use num_complex::Complex;

/// How far below the largest outcomes that matter a portion is cut, in units of the length on which the ratio grows by e.
const FOLDS: f64 = 5.5;
/// What is this much less than the most does not matter, as a logarithm.
const NEGLIGIBLE: f64 = -45.0;
/// How smooth the cut of a whole law is, in the same units, and as a part of the deviation of the outcomes at most.
const SMOOTH: f64 = 0.3;
const PARTS_OF_DEVIATION: f64 = 0.35;
/// If losses turn by less than this there, one part will do.
const LEAST_TURN: f64 = 150.0;
/// How far outcomes are looked at, in deviations from where they are likeliest under the tilt, and how closely, in units as above.
const FARTHEST: f64 = 12.0;
const LOOK_STEP: f64 = 0.25;
const MOST_LOOKS: usize = 2000;

/// What two parts leave: `erfc(8) < 1.13 · 10⁻²⁹`.
pub const LEFT_BY_PARTS: f64 = 1.2e-29;
const ENDING: f64 = 8.0;

impl Cut {
    /// The same with an end.
    fn ending(self) -> Self {
        Self { end: (ENDING * (1.0 + 1e-12)).mul_add(self.spread, self.at), ..self }
    }
}

impl RatioLaw {
    /// Two parts of a portion, the upper one no longer than what matters of it under a tilt needs; `None` if the law or the portion cannot be
    /// cut, or nothing that matters is below.
    ///
    /// # Guarantee
    /// At every z they add up to the `M(z)` of the portion but for [`LEFT_BY_PARTS`] of its `M(Re z)`: the lower part ends eight spreads beyond its cut, where its
    /// weight is below `erfc(8)/2` and that of the portion above a half. Their ratio falls farther on, for so does `erfc(u + d)/erfc(u)` for d > 0.
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
