//! How many points on which line: from what is asked, in plain floats.

use super::{
    chernoff::log_kappa, cumulants::Sketch, decay::Envelope, factors::Factors, line::LinePlan, saddle::Saddle,
};
use hockeystick_numerics::special::{exp, ln};
use std::f64::consts::TAU;

/// Errors are aimed at this part of δ.
pub(super) const LOG_ACCURACY: f64 = -29.0;
/// Where δ falls faster than this, in proportion to ε, fewer digits are aimed at, but not fewer than these, as a logarithm.
const STEEP: f64 = 1e3;
const LEAST_ACCURATE: f64 = -6.0;
/// Terms are rounded to less than this, as a logarithm relative to what errors are aimed at.
const LOG_ROUNDOFF: f64 = -4.0;
/// No line has more points.
const MOST_POINTS: usize = 1 << 13;
/// With a tilt of fewer standard deviations the wrap-around would need a long period.
const LEAST_DEVIATIONS: f64 = 2.5;
/// From so many times the lowest height on, bounds that take longer are worth it.
const FAR: f64 = 64.0;

/// How often a line is made longer if it turns out to be too short, and by how much.
const CORRECTIONS: usize = 8;
const HIGHER: f64 = 1.08;

/// A line, and what bounds `|M|` beyond its end.
#[derive(Clone)]
pub(super) struct Planned {
    pub(super) line: LinePlan,
    pub(super) envelope: Envelope,
}

/// Tilts that are tried, as parts of the saddle: left of it the period may be shorter, for the law wraps around from both
/// sides.
const TILTS: [f64; 5] = [1.0, 0.85, 0.7, 0.55, 0.42];
/// Tilts near the saddle are tried as well if the largest is not.
const SMALLER: f64 = 0.7;
/// By how much terms may be larger than their sum, as a logarithm, if another tilt does not lose as many digits.
const MOST_EXCESS: f64 = 6.5;
/// Distances of λ from the saddle, in units of the width that a normal law would want.
pub(super) const DISTANCES: [f64; 7] = [2.0, 1.4, 1.0, 0.7, 0.45, 0.25, 0.0];

/// Errors are aimed at this part of what is allowed, as a logarithm.
const BELOW_ALLOWED: f64 = 4.0;

/// How small errors are to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// `log δ`, as far as it is known: of what is far smaller no more digits are aimed at than that has.
    pub(super) log_delta: f64,
    /// The part of δ that errors are aimed at, as a logarithm.
    pub(super) log_accuracy: f64,
    /// Nothing is looked for beyond this tilt.
    pub(super) most_tilt: f64,
}

impl Aim {
    /// For a line that stands for all of δ.
    pub(super) const WHOLE: Self =
        Self { log_delta: f64::NEG_INFINITY, log_accuracy: LOG_ACCURACY, most_tilt: f64::INFINITY };
    /// The same where δ is hardly below its value at ε = 0.
    pub(super) const ALL_DIGITS: Self = Self { log_accuracy: LOG_ACCURACY - 5.0, ..Self::WHOLE };
    /// The same where δ falls by so many times more than ε grows, in proportion: then fewer digits of it are enough.
    pub(super) fn of_fall(fall: f64) -> Self {
        let fewer = ln((fall / STEEP).max(1.0));
        Self { log_accuracy: (LOG_ACCURACY + fewer).min(LEAST_ACCURATE), ..Self::WHOLE }
    }

    /// The same for errors below `e^{log_part}` of δ.
    pub(super) fn down_to(self, log_part: f64) -> Self {
        Self { log_accuracy: log_part - BELOW_ALLOWED, ..self }
    }
}

/// The line for a saddle.
pub(super) fn plan(factors: &Factors, saddle: &Saddle, aim: Aim) -> Planned {
    let Aim { log_accuracy, most_tilt, .. } = aim;
    // A slice of a law, or what is left of it, is not normal: it may be resolved only where its least losses are.
    let is_part = aim.log_delta.is_finite();
    let highest = factors.strip_end();
    let deviation = saddle.cumulants.variance.sqrt().max(1e-300);
    let aim = saddle.log_delta.min(0.0).max(aim.log_delta);
    let (epsilon, wanted) = (saddle.epsilon, aim + log_accuracy);
    let reach = saddle.sketch.reach.min(highest).min(most_tilt).max(1.01 * saddle.tilt);
    // g is nowhere larger.
    let log_most = if factors.hits.is_some() { saddle.sketch.at(1e-9).value.min(0.0) } else { 0.0 };
    // The law wraps around from the right no more than κ(λ) M(λ) e^{−λε} / (e^{(λ−c)B} − 1) says, for any λ.
    let lambdas = DISTANCES.map(|distance| {
        let wide = distance * (-2.0 * log_accuracy).sqrt() / deviation;
        let lambda = saddle.tilt + wide.min(0.95 * (reach - saddle.tilt));
        (lambda, saddle.sketch.at(lambda).value - lambda * epsilon + log_kappa(lambda))
    });
    let line = |tilt: f64| {
        let at = saddle.sketch.at(tilt);
        let periods = lambdas.iter().filter(|(lambda, _)| *lambda > tilt);
        let (beyond, above) = periods
            .map(|&(lambda, log)| (lambda, (log - wanted) / (lambda - tilt)))
            .filter(|(_, period)| !period.is_nan())
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((1.01 * tilt, f64::INFINITY));
        let period = ((log_most - wanted) / tilt).max(above).max(8.0 * at.variance.sqrt().min(deviation));
        // How far up the line |M| matters, were it normal.
        let excess = (at.value - tilt * epsilon - aim).max(0.0);
        let variance = if is_part { at.variance.min(saddle.cumulants.variance) } else { at.variance };
        let height = (2.0 * (excess - log_accuracy) / variance.max(1e-300)).sqrt();
        // Left of a jump of K the terms may be far larger than their sum, and a peak of |M| is as wide as it is there.
        let spread = at.variance.min(saddle.cumulants.variance).sqrt().max(1e-300);
        let terms = at.value - tilt * epsilon - ln(tilt * (tilt + 1.0)) - ln(spread);
        Candidate { cost: period * height, tilt, beyond, period, log_excess: terms - aim }
    };
    let largest = saddle.tilt.max((LEAST_DEVIATIONS / deviation).min(0.5 * reach));
    let mut tilts = TILTS.map(|part| part * largest).to_vec();
    if is_part && saddle.tilt < SMALLER * largest {
        tilts.extend(TILTS.map(|part| part * saddle.tilt));
        tilts.push((saddle.tilt * largest).sqrt());
    }
    let candidates: Vec<Candidate> = tilts.into_iter().map(line).collect();
    let exact = candidates.iter().filter(|candidate| candidate.log_excess < MOST_EXCESS);
    let best = exact.min_by(|a, b| a.cost.total_cmp(&b.cost));
    let exactest = || candidates.iter().min_by(|a, b| a.log_excess.total_cmp(&b.log_excess));
    let &Candidate { tilt, beyond, period, log_excess, .. } =
        best.or_else(exactest).expect("there are several tilts");
    let step = TAU / period;
    let End { points, log_left, envelope } =
        end(factors, &saddle.sketch, tilt, step, deviation, wanted + tilt * epsilon);
    // Below the mean of the loss there is none, and δ is not what a saddle says.
    let log_excess = if saddle.tilt * deviation > 0.1 { log_excess } else { 0.0 };
    let expected_width = expected_width(log_accuracy, log_left, log_excess);
    Planned { line: LinePlan { tilt, step, points, beyond, expected_width }, envelope }
}

/// The same line up to twice the height.
pub(super) fn longer(factors: &Factors, line: LinePlan) -> Option<Planned> {
    let sketch = Sketch::new(factors, line.beyond)?;
    let mut envelope = Envelope::new(factors, line.tilt, sketch.values(line.tilt));
    envelope.look_farther(factors, line.tilt);
    Some(Planned { line: LinePlan { points: 2 * line.points, ..line }, envelope })
}

/// A line that may be taken.
struct Candidate {
    /// About the number of its points.
    cost: f64,
    tilt: f64,
    beyond: f64,
    period: f64,
    /// How much larger its terms are than their sum, as a logarithm: digits that are lost.
    log_excess: f64,
}

/// Up to where a line goes.
pub(super) struct End {
    pub(super) points: usize,
    /// What is left beyond, relative to what is allowed.
    pub(super) log_left: f64,
    pub(super) envelope: Envelope,
}

/// The end of the line at `tilt` with points `step` apart, beyond which no more than `e^{log_allowed}` may be left of the integral
/// of `|M|/t²`; as far as there may be points.
pub(super) fn end(
    factors: &Factors,
    sketch: &Sketch,
    tilt: f64,
    step: f64,
    deviation: f64,
    log_allowed: f64,
) -> End {
    let mut envelope = Envelope::new(factors, tilt, sketch.values(tilt));
    // Relative to M(c).
    let normal = 0.5 * factors.normal * tilt * (tilt + 1.0);
    let allowed = log_allowed - normal - envelope.log_unit();
    let start = (1.0 / deviation).max(step);
    let limit = step * (MOST_POINTS - 2) as f64;
    let mut height = lowest(start, limit, |t| envelope.is_tail_about(t, allowed));
    if height > FAR * start {
        envelope.look_farther(factors, tilt);
        height = lowest(start, limit, |t| envelope.is_tail_about(t, allowed));
    }
    let mut log_left = envelope.log_tail(height) - allowed;
    for _ in 0..CORRECTIONS {
        if log_left <= 0.0 || height >= limit {
            break;
        }
        height = (HIGHER * height).min(limit);
        log_left = envelope.log_tail(height) - allowed;
    }
    let points = (height / step).ceil() as usize + 2;
    End { points, log_left, envelope }
}

/// What part of the integral is in doubt if `log_left` is beyond the end, relative to what is aimed at, and terms are `e^{log_excess}` times
/// as large as the integral.
pub(super) fn expected_width(log_accuracy: f64, log_left: f64, log_excess: f64) -> f64 {
    exp(log_accuracy + log_left.max(log_excess + LOG_ROUNDOFF).max(0.0)).min(1.0)
}

/// The lowest height that is enough, within some percent, or the limit.
fn lowest(start: f64, limit: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (start, start);
    while high < limit && !is_enough(high) {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..if high > low { 4 } else { 0 } {
        let middle = (low * high).sqrt();
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high.min(limit)
}
