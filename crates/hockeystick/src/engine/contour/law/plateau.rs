//! Where the tilted law of the loss is spread out: uniform pieces that lie below its density.
//!
//! The characteristic function of a law decays because its mass is spread. A density that is at least `m` on an interval of
//! width `W` contains a uniform law of mass `mW`, whose characteristic function is at most `mW · |sin(tW/2)/(tW/2)|`;
//! the rest of the mass is no larger than itself. Stacked plateaus give a bound that holds for *all* large `t`.

use crate::pair::{
    Panel, Portion, RatioLaw,
    ratio_law::{integrand::Integrand, peak, side::Side, tail},
};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};
use num_complex::Complex;

/// A uniform piece below the density of the tilted loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plateau {
    /// The length of its interval of losses.
    pub width: f64,
    /// Its mass, divided by `e^{log_scale}`.
    pub mass: f64,
}

/// Cells of a panel.
const CELLS: usize = 96;
/// Densities below this are left out of the cells, as a logarithm relative to the peak.
const LOG_TRIM: f64 = -36.0;
/// The ends of a cell must be this many times farther apart than they may be off, and its mass is lowered accordingly.
const CERTAIN: f64 = 1e8;

impl RatioLaw {
    /// Uniform pieces below the density of `L` under `P` weighted with `e^{cL − log_scale}`.
    ///
    /// # Guarantee
    /// The pieces, stacked upon each other, lie below the density.
    pub fn plateaus(&self, tilt: f64, log_scale: f64, portion: Portion) -> Vec<Plateau> {
        let theta = if self.swapped { -tilt } else { 1.0 + tilt };
        let mut plateaus = Vec::new();
        for panel in self.wide_panels() {
            of_panel(panel, theta, log_scale, portion, &mut plateaus);
        }
        plateaus
    }
}

/// A point of the grid.
struct Point {
    log_density: f64,
    loss: f64,
    slope: f64,
    uncertain: f64,
}

fn of_panel(panel: &Panel, theta: f64, log_scale: f64, portion: Portion, plateaus: &mut Vec<Plateau>) {
    let integrand = Integrand::new(panel, Complex::new(theta, 0.0));
    let peak = peak::of_portion(&integrand, portion, panel.from, panel.to);
    // Any interval will do: what is outside has no plateau.
    let height = |x: f64| integrand.plain_slope(x)[0] + portion.log_weight_roughly(x) - peak.log_height;
    let end = |end: f64, side: Side| {
        if end.is_finite() { end } else { tail::cut(peak, side, |x| height(x) - LOG_TRIM).0 }
    };
    let (from, to) = (end(panel.from, Side::Left), end(panel.to, Side::Right).min(portion.end()));
    let step = (to - from) / CELLS as f64;
    if !(step > 0.0 && step.is_finite()) {
        return;
    }
    let radius = from.abs().max(to.abs());
    let point = |i: usize| {
        let x = step.mul_add(i as f64, from).clamp(from, to);
        let ratio = integrand.ratio.at(x, radius);
        let [_, slope, _] = integrand.ratio.derivatives(x);
        let log_q = integrand.log_q.at(x);
        let sizes = log_q.abs() + 2.0 * (theta * ratio.log).abs() + log_scale.abs();
        let weight = portion.weighed(x, radius);
        let sizes = sizes + weight.log.abs();
        let units = integrand.density_error(radius) + theta.abs() * ratio.error + 2.0 * sizes + weight.error;
        Point {
            // The least that it may be.
            log_density: theta.mul_add(ratio.log, log_q) + weight.log - log_scale - UNIT_ROUNDOFF * units,
            loss: ratio.log,
            slope: slope.abs(),
            uncertain: UNIT_ROUNDOFF * ratio.error,
        }
    };
    let Some(bend) = Bend::of(&integrand, theta) else { return };
    let mut heights = Vec::with_capacity(CELLS);
    let mut widths = Vec::with_capacity(CELLS);
    let mut left = point(0);
    for i in 1..=CELLS {
        let right = point(i);
        let width = (right.loss - left.loss).abs();
        let certain = width > CERTAIN * (left.uncertain + right.uncertain);
        // log f lies above its chord less κ step²/8, if (log f)″ ≤ κ.
        let lowest = left.log_density.min(right.log_density) - bend.density * step * step / 8.0;
        let steepest = left.slope.max(right.slope) * exp(bend.slope * step / 2.0);
        let height = exp(lowest - 1e-9) / steepest * (1.0 - 4.0 / CERTAIN);
        heights.push(if certain && height.is_finite() { height } else { 0.0 });
        widths.push(width);
        left = right;
    }
    stack(&widths, &heights, plateaus);
}

/// How fast density and slope change within a cell.
struct Bend {
    /// A bound of `(log f)″` from above, `f = e^{log_q} r^θ`; 0 if it is negative.
    density: f64,
    /// A bound of `|(log |L′|)′|`; 0 where `L′` is monotone, for then its ends bound it.
    slope: f64,
}

impl Bend {
    /// `None` where there is no bound.
    ///
    /// The slope of `log r` is the mean of those of its terms, weighted with their shares, and its derivative is their
    /// variance, at most a quarter of their squared range (plus twice the mean of the squares, which are 0 unless there is
    /// one term only). If all slopes are constant and ≥ 0, `L′ = Σ wⱼ sⱼ e^{lⱼ}/Σ wⱼ e^{lⱼ}`, and both sums grow at rates between
    /// 0 and the largest slope, the numerator at no less than the smallest positive one; with a single positive slope `L′` is a
    /// multiple of the share of its terms, which is monotone.
    fn of(integrand: &Integrand, theta: f64) -> Option<Self> {
        let terms = &integrand.ratio.terms;
        if let [term] = terms.as_slice() {
            let square = integrand.log_q.plus(theta, term.exponent).square;
            return Some(Self { density: (2.0 * square).max(0.0), slope: 0.0 });
        }
        if terms.iter().any(|term| term.exponent.square != 0.0) {
            return None;
        }
        let slopes = terms.iter().map(|term| term.exponent.linear);
        let (low, high) = slopes
            .clone()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
        if low < 0.0 && high > 0.0 {
            return None;
        }
        let range = high - low;
        let density = (2.0 * integrand.log_q.square + theta.max(0.0) * range * range / 4.0).max(0.0);
        let mut other = slopes.filter(|slope| *slope != 0.0);
        let first = other.next();
        let single = other.all(|slope| Some(slope) == first);
        Some(Self { density, slope: if single { 0.0 } else { low.abs().max(high.abs()) } })
    }
}

/// Cuts a bar chart into plateaus: each bar, as far as it rises above its lower neighbours, together with all bars next to
/// it that are at least as high.
fn stack(widths: &[f64], heights: &[f64], plateaus: &mut Vec<Plateau>) {
    // Open plateaus: where they start, and how high they reach.
    let mut open: Vec<(f64, f64)> = Vec::new();
    let mut position = 0.0;
    for (i, &height) in heights.iter().chain([&0.0]).enumerate() {
        let mut start = position;
        while let Some(&(from, top)) = open.last()
            && top > height
        {
            open.pop();
            let below = open.last().map_or(0.0, |&(_, top)| top).max(height);
            let width = position - from;
            plateaus.push(Plateau { width, mass: width * (top - below) * (1.0 - 1e-9) });
            start = from;
        }
        if height > open.last().map_or(0.0, |&(_, top)| top) {
            open.push((start, height));
        }
        position += widths.get(i).copied().unwrap_or(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_chart_is_cut_into_its_levels() {
        let mut plateaus = Vec::new();
        stack(&[1.0, 2.0, 1.0, 1.0], &[1.0, 3.0, 2.0, 0.5], &mut plateaus);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let total: f64 = plateaus.iter().map(|plateau| plateau.mass).sum();
        assert!(close(total, 1.0 + 6.0 + 2.0 + 0.5));
        let expected = [(2.0, 2.0), (3.0, 3.0), (4.0, 2.0), (5.0, 2.5)];
        assert_eq!(plateaus.len(), expected.len());
        for (plateau, (width, mass)) in plateaus.iter().zip(expected) {
            assert!(close(plateau.width, width) && close(plateau.mass, mass), "{plateaus:?}");
        }
    }
}
