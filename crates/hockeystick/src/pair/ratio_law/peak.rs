//! Where the integrand is large. Nothing rigorous rests on it: a peak that is missed only widens the answer.

use super::{integrand::Integrand, portion::Portion};

/// The largest value found of the modulus on the real line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peak {
    /// Where.
    pub(crate) at: f64,
    /// Its logarithm.
    pub(crate) log_height: f64,
    /// Over which length it stays within a factor e or so.
    pub(crate) width: f64,
}

/// Points at which the modulus is looked at between the outermost candidates: so many for each width of a peak, and at most.
const DENSITY: f64 = 2.0;
const GRID: usize = 24;
/// Halvings of the interval around the best of them, at most; and the part of the narrowest peak's width that is narrow enough.
const HALVINGS: f64 = 80.0;
const NARROW: f64 = 0.04;

/// The peak on an interval, which may be infinite.
///
/// The slope of `log g` is a mean of the slopes of `log_q + Re w · lⱼ`, so that its zeros lie between the outermost of
/// theirs if these are concave: those, and the ends, are the candidates. If not, what is around them is searched as well.
pub(crate) fn find(integrand: &Integrand, from: f64, to: f64) -> Peak {
    let height = |x: f64| integrand.plain_slope(x)[0];
    let mut candidates: Vec<f64> = [from, to].into_iter().filter(|x| x.is_finite()).collect();
    let (mut scale, mut concave) = (0.0f64, true);
    for term in &integrand.ratio.terms {
        let sum = integrand.log_q.plus(integrand.power.re, term.exponent);
        let vertex = -0.5 * sum.linear / sum.square;
        if vertex.is_finite() {
            candidates.push(vertex.clamp(from, to));
            scale = scale.max(1.0 / sum.square.abs().sqrt());
        }
        concave &= sum.square <= 0.0;
    }
    if candidates.is_empty() {
        candidates.push(0.0);
    }
    let around = if concave { 0.0 } else { 4.0 * scale };
    let low = (candidates.iter().copied().fold(f64::INFINITY, f64::min) - around).max(from);
    let high = (candidates.iter().copied().fold(f64::NEG_INFINITY, f64::max) + around).min(to);
    let grid = (DENSITY * (high - low) / scale).clamp(1.0, GRID as f64).ceil();
    let grid = if grid.is_nan() { GRID } else { grid as usize };
    let step = (high - low) / grid as f64;
    if step > 0.0 && integrand.ratio.terms.len() > 1 {
        candidates.extend((1..grid).map(|i| step.mul_add(i as f64, low)));
    }
    let better = |a: (f64, f64), b: (f64, f64)| if b.1 > a.1 { b } else { a };
    let best = candidates.iter().map(|&x| (x, height(x))).fold((low, f64::NEG_INFINITY), better);
    // Between the neighbours of the best, on the side where the slope points upwards.
    let (mut left, mut right) = ((best.0 - step).max(from).max(low), (best.0 + step).min(to).min(high));
    for _ in 0..halvings(integrand, right - left) {
        let middle = 0.5 * (left + right);
        if integrand.plain_slope(middle)[1] > 0.0 { left = middle } else { right = middle }
    }
    let polished = 0.5 * (left + right);
    let (at, log_height) = better(best, (polished, height(polished)));
    let [_, slope, bend] = integrand.log_modulus(at);
    let width = (1.0 / slope.abs()).min(1.0 / bend.abs().sqrt()).min(to - from);
    Peak { at, log_height, width: if width > 0.0 && width.is_finite() { width } else { 1.0 } }
}

/// How often an interval around a peak is halved: a peak bends no more than its terms and the variance of their slopes say.
fn halvings(integrand: &Integrand, length: f64) -> usize {
    let slopes = integrand.ratio.terms.iter().map(|term| term.exponent.linear);
    let (low, high) =
        slopes.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
    let [least, most] = integrand.squares.map(f64::abs);
    let (range, theta) = (high - low, integrand.power.re.abs());
    let bend = 2.0 * integrand.log_q.square.abs() + theta * (0.25 * range * range + 2.0 * least.max(most));
    let halvings = (length * bend.sqrt() / NARROW).log2().ceil();
    if length > 0.0 { halvings.clamp(0.0, HALVINGS) as usize } else { 0 }
}

/// The peak of a portion of a law.
pub(crate) fn of_portion(integrand: &Integrand, portion: Portion, from: f64, to: f64) -> Peak {
    let (low_cut, high_cut) = match portion {
        Portion::Whole => return find(integrand, from, to),
        Portion::Below(cut) => (None, Some(cut)),
        Portion::Above(cut) => (Some(cut), None),
        Portion::Between(low, high) => (Some(low), Some(high)),
    };
    let height = |x: f64| integrand.plain_slope(x)[0] + portion.log_weight_roughly(x);
    let vertices = integrand.ratio.terms.iter().map(|term| {
        let sum = integrand.log_q.plus(integrand.power.re, term.exponent);
        -0.5 * sum.linear / sum.square
    });
    let least = low_cut.map_or(f64::NEG_INFINITY, |cut| REACH.mul_add(-cut.spread, cut.at));
    let most = high_cut.map_or(f64::INFINITY, |cut| REACH.mul_add(cut.spread, cut.at).min(cut.end));
    let spread = high_cut.or(low_cut).map_or(1.0, |cut| cut.spread);
    let cuts = [low_cut, high_cut].into_iter().flatten().map(|cut| cut.at);
    let candidates: Vec<f64> = vertices.map(|x| x.clamp(least, most)).chain(cuts).collect();
    let low = candidates.iter().copied().fold(f64::INFINITY, f64::min);
    let high = candidates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let step = ((high - low) / PART_GRID as f64).max(1e-300);
    let grid = (0..=PART_GRID).map(|i| step.mul_add(i as f64, low));
    let better = |a: (f64, f64), b: (f64, f64)| if b.1 > a.1 { b } else { a };
    let mut best =
        candidates.iter().copied().chain(grid).map(|x| (x, height(x))).fold((low, f64::NEG_INFINITY), better);
    let mut reach = step;
    for _ in 0..PART_HALVINGS {
        let around = [best.0 - 0.5 * reach, best.0 + 0.5 * reach];
        best = around.into_iter().map(|x| (x, height(x))).fold(best, better);
        reach *= 0.5;
    }
    let [_, slope, bend] = integrand.log_modulus(best.0);
    let fall = (height(best.0 - 1e-3 * spread) - best.1) / (1e-3 * spread);
    let width = (1.0 / slope.abs().min(fall.abs())).min(1.0 / bend.abs().sqrt()).min(spread);
    Peak { at: best.0, log_height: best.1, width: if width > 0.0 && width.is_finite() { width } else { 1.0 } }
}

/// How many spreads beyond a cut a peak is looked for, at how many points, and how often their distance is halved.
const REACH: f64 = 12.0;
const PART_GRID: usize = 48;
const PART_HALVINGS: usize = 12;
