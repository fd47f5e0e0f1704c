//! How many points on which line: from what is asked, in plain floats.

use super::{Saddle, Sketch};
use crate::engine::contour::{
    bound::{Envelope, log_kappa},
    factors::Factors,
    line_plan::LinePlan,
    tuning::TUNING,
};
use hockeystick_numerics::special::{exp, ln};
use std::f64::consts::TAU;

/// A line, and what bounds `|M|` beyond its end.
#[derive(Clone)]
pub(crate) struct Planned {
    pub(crate) line: LinePlan,
    pub(crate) envelope: Envelope,
}

/// Tilts tried, as fractions of the largest. A smaller tilt may allow a shorter period, since aliases come from both sides.
const TILTS: [f64; 5] = [1.0, 0.85, 0.7, 0.55, 0.42];
/// Distances of λ from the saddle, in units of the width that a normal law would want.
pub(crate) const DISTANCES: [f64; 7] = [2.0, 1.4, 1.0, 0.7, 0.45, 0.25, 0.0];
/// How often a line is made longer if it turns out to be too short, and by how much.
const CORRECTIONS: usize = 8;
const HIGHER: f64 = 1.08;

/// How small errors are to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The part of δ that errors are aimed at, as a logarithm.
    pub(crate) log_accuracy: f64,
    /// Set if the line is for a piece of δ. Its error is then aimed at relative to δ, not to the piece.
    part: Option<Part>,
}

/// What is known of a part.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// `log δ`.
    log_delta: f64,
    /// Nothing is looked for beyond this tilt.
    most_tilt: f64,
}

impl Aim {
    /// For a line that stands for all of δ, of which so much may be in doubt.
    pub(crate) fn whole(needed: f64) -> Self {
        Self::of(needed, None)
    }

    /// For outcomes that are a part of δ, whose moments may be looked at up to a tilt.
    pub(crate) fn part(needed: f64, log_delta: f64, most_tilt: f64) -> Self {
        Self::of(needed, Some(Part { log_delta, most_tilt }))
    }

    fn of(needed: f64, part: Option<Part>) -> Self {
        Self { log_accuracy: ln(needed) - TUNING.log_below_needed, part }
    }
}

/// The line for a saddle.
pub(crate) fn plan(factors: &Factors, saddle: &Saddle, aim: Aim) -> Planned {
    let Aim { log_accuracy, part } = aim;
    // A piece is far from normal: its line may have to be as high as its smallest losses require.
    let is_part = part.is_some();
    let Part { log_delta, most_tilt } =
        part.unwrap_or(Part { log_delta: f64::NEG_INFINITY, most_tilt: f64::INFINITY });
    let highest = factors.strip_end();
    let deviation = saddle.cumulants.variance.sqrt().max(1e-300);
    let aim = saddle.log_delta.min(0.0).max(log_delta);
    let (epsilon, wanted) = (saddle.epsilon, aim + log_accuracy);
    let reach = saddle.sketch.reach.min(highest).min(most_tilt).max(1.01 * saddle.tilt);
    // An upper bound of log g at every ε.
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
        // Left of a jump of K, cancellation may be large. The peak of |M| is as wide as at the candidate or at the saddle, whichever is wider.
        let spread = at.variance.min(saddle.cumulants.variance).sqrt().max(1e-300);
        let terms = at.value - tilt * epsilon - ln(tilt * (tilt + 1.0)) - ln(spread);
        Candidate { cost: period * height, tilt, beyond, period, log_excess: terms - aim }
    };
    let largest = saddle.tilt.max((TUNING.least_deviations / deviation).min(0.5 * reach));
    let mut tilts = TILTS.map(|part| part * largest).to_vec();
    if is_part && saddle.tilt < TUNING.near_saddle * largest {
        tilts.extend(TILTS.map(|part| part * saddle.tilt));
        tilts.push((saddle.tilt * largest).sqrt());
    }
    let candidates: Vec<Candidate> = tilts.into_iter().map(line).collect();
    let exact = candidates.iter().filter(|candidate| candidate.log_excess < TUNING.most_excess);
    let best = exact.min_by(|a, b| a.cost.total_cmp(&b.cost));
    let exactest = || candidates.iter().min_by(|a, b| a.log_excess.total_cmp(&b.log_excess));
    let &Candidate { tilt, beyond, period, log_excess, .. } =
        best.or_else(exactest).expect("there are several tilts");
    let step = TAU / period;
    let End { points, log_left, envelope } =
        end(factors, &saddle.sketch, tilt, step, deviation, wanted + tilt * epsilon);
    // Below the mean of the loss there is no saddle right of 0, and its estimate of δ is wrong.
    let log_excess = if saddle.tilt * deviation > 0.1 { log_excess } else { 0.0 };
    let expected_width = expected_width(log_accuracy, log_left, log_excess);
    Planned { line: LinePlan { tilt, step, points, beyond, expected_width }, envelope }
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
pub(crate) struct End {
    pub(crate) points: usize,
    /// What is left beyond, relative to what is allowed.
    pub(crate) log_left: f64,
    pub(crate) envelope: Envelope,
}

/// The end of the line at `tilt` with points `step` apart, beyond which no more than `e^{log_allowed}` may be left of the integral
/// of `|M|/t²`; as far as there may be points.
pub(crate) fn end(
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
    let limit = step * (TUNING.most_points - 2) as f64;
    let mut height = lowest(start, limit, |t| envelope.is_tail_about(t, allowed));
    if height > TUNING.far_up * start {
        envelope.add_moved_paths(factors, tilt);
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
pub(crate) fn expected_width(log_accuracy: f64, log_left: f64, log_excess: f64) -> f64 {
    exp(log_accuracy + log_left.max(log_excess + TUNING.log_roundoff).max(0.0)).min(1.0)
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
