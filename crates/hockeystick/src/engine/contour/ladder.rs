//! Lines for one scale of losses after the other, from the largest on.

use super::{
    chernoff::Rest,
    course::{Course, FINE, LOG_ACCURACY, MARGIN},
    factors::Factors,
    line::{self, ComposedLine},
    plan::{self, Aim},
    rough::Rough,
    saddle,
};
use hockeystick_numerics::special::ln_1p;

/// From so many points on it is faster to cut a law again.
const LONG: usize = 6000;
/// Rules of lines are exact to this part of `M(c)`, as a logarithm.
const LOG_TOLERANCE: f64 = -32.0;
/// A width this small against δ is fine; one this small is better than none, as logarithms.
const LOG_FINE: f64 = -20.0;
const LOG_POOR: f64 = -15.0;
/// How much larger an estimate for several scales of losses at once may be than those of each, as a logarithm: that is lost in digits.
const LOSS: f64 = 3.0;
/// The same for all that is not too rare to matter, of which one line was tried already.
const LOSS_OF_ALL: f64 = 1.5;
/// Slices that are this much smaller than δ may lose as many digits, as a logarithm.
const NEGLIGIBLE: f64 = -10.0;
/// How many of the cuts that were looked at a slice spans at most: long ones need long lines.
const SPAN: usize = 3;
/// A cut is so smooth that `e^{cL}` does not outgrow it: at [`CUT_SPREADS`] spreads, where `e^{−100}` is left, it has gained no more than this.
const LARGEST_GAIN: f64 = 60.0;
const CUT_SPREADS: f64 = 10.0;
/// How sharp and how smooth cuts are, as parts of the length on which the ratio grows by e.
const SHARPEST: f64 = 0.03;
const SMOOTHEST: f64 = 0.15;

/// A line for each scale of losses, from the largest on, until what is left can be bounded or needs one line only.
pub(super) fn climb(factors: &Factors, rough: &Rough, epsilon: f64, log_delta: f64) -> Option<Course> {
    let wanted = log_delta + LOG_ACCURACY + MARGIN;
    let exponent = rough.largest_exponent(epsilon, wanted);
    let sharpness = (ln_1p(LARGEST_GAIN / exponent) / CUT_SPREADS).clamp(SHARPEST, SMOOTHEST);
    let ladder = Ladder { rough, epsilon, log_delta, wanted, sharpness };
    ladder.steps(factors.without_rare(wanted, sharpness)?)
}

/// What a slice is to be like.
#[derive(Clone, Copy)]
struct Ladder<'a> {
    rough: &'a Rough,
    epsilon: f64,
    log_delta: f64,
    /// What may be left out, as a logarithm.
    wanted: f64,
    sharpness: f64,
}

impl Ladder<'_> {
    /// Cuts slice after slice.
    fn steps(self, mut left: Factors) -> Option<Course> {
        let Self { rough, epsilon, wanted, .. } = self;
        let mut course =
            Course { lines: vec![], rest: vec![Rest { tilt: 0.0, log_moment: left.log_cut_off()? }] };
        let last = rough.cuts().len() - 1;
        let mut at = 0;
        loop {
            let ((together, tilt), apart) = (rough.below(at, epsilon), rough.apart(at, usize::MAX, epsilon));
            if together < wanted
                && at > 0
                && let Some(tilt) = saddle::negligible(&left, epsilon, wanted)
            {
                course.rest.push(Rest { tilt, log_moment: line::log_moment(&left, tilt)? });
                return Some(course);
            }
            let loss = if at == 0 { LOSS_OF_ALL } else { LOSS };
            if (together < apart + loss || at == last)
                && let Some(line) = self.line(&left, tilt, LOG_FINE)
            {
                course.lines.push(line);
                return Some(course);
            }
            let sliced = self.slice(&left, at);
            if sliced.is_none() && at == 0 {
                // What cannot be cut may do as it is.
                course.lines.push(self.line(&left, tilt, LOG_POOR)?);
                return Some(course);
            }
            let Sliced { bulk, to, line } = sliced?;
            course.lines.push(line);
            (left, at) = (bulk, to);
            course.rest.push(Rest { tilt: 0.0, log_moment: left.log_beyond_ends()? });
        }
    }

    /// Cuts one slice off: as much as one line can take, but the cuts of a slice are some spreads apart. `None` if no line will do.
    fn slice(self, left: &Factors, at: usize) -> Option<Sliced> {
        let Self { rough, epsilon, log_delta, wanted, sharpness } = self;
        let last = rough.cuts().len() - 1;
        let nearest = (at + 1..=last).find(|&to| left.can_be_split(rough.cuts()[to], sharpness))?;
        let is_one_scale = |to: usize| {
            let least = log_delta + NEGLIGIBLE;
            rough.between(at, to, epsilon).0.max(least) < rough.apart(at, to, epsilon).max(least) + LOSS
        };
        let farthest = last.min(at + SPAN);
        let mut to = (nearest..farthest).find(|&to| !is_one_scale(to + 1)).unwrap_or(farthest).max(nearest);
        loop {
            let (bulk, hits) = left.split(rough.cuts()[to], wanted, sharpness)?;
            let log_least = if to == nearest { LOG_POOR } else { LOG_FINE };
            let (_, tilt) = rough.between(at, to, epsilon);
            if let Some(line) = self.line(&hits, tilt, log_least) {
                return Some(Sliced { bulk, to, line });
            }
            if to == nearest {
                return None;
            }
            to = nearest.max(at + (to - at) / 2);
        }
    }

    /// A line for a composition, at about the tilt given, if its width at ε is as small against δ as it must be.
    fn line(self, factors: &Factors, tilt: f64, log_least: f64) -> Option<ComposedLine> {
        let Self { epsilon, log_delta, .. } = self;
        let saddle = saddle::find_near(factors, epsilon, tilt)?;
        let planned = plan::plan(factors, &saddle, Aim { log_delta, log_accuracy: LOG_ACCURACY });
        if planned.line.expected_width > FINE || planned.line.points > LONG {
            return None;
        }
        let line = ComposedLine::new(factors, planned.envelope, planned.line, LOG_TOLERANCE)?;
        line.integral(epsilon).is_within(log_delta, log_least).then_some(line)
    }
}

/// What is left below a slice, the cut between, and the line of the slice.
struct Sliced {
    bulk: Factors,
    to: usize,
    line: ComposedLine,
}
