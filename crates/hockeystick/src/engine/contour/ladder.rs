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
use hockeystick_numerics::special::{exp, ln, ln_1p};

/// No line has more points than this.
const LONGEST: usize = 6000;
/// From so many points on it is faster to cut a law again, if that can be done.
const LONG: usize = 2500;
/// Rules of lines are exact to this part of `M(c)`, as a logarithm.
const LOG_TOLERANCE: f64 = -32.0;
/// A width this small against δ is fine; one this small is better than none, as logarithms.
const LOG_FINE: f64 = -20.0;
const LOG_POOR: f64 = -15.0;
/// A line that leaves more than this part of its share where δ is reached is drawn again there.
const PART_OF_ONE: f64 = 0.5;
/// How much larger an estimate for several scales of losses at once may be than those of each, as a logarithm: that is lost in digits.
const LOSS: f64 = 3.0;
/// The same for all that is not too rare to matter, of which one line was tried already.
const LOSS_OF_ALL: f64 = 1.5;
/// Slices that are this much smaller than δ may lose as many digits, as a logarithm.
const NEGLIGIBLE: f64 = -10.0;
/// How many of the cuts that were looked at a slice spans at most: long ones need long lines.
const SPAN: usize = 6;
/// A cut is so smooth that `e^{cL}` does not outgrow it: at [`CUT_SPREADS`] spreads, where `e^{−100}` is left, it has gained no more than this.
const LARGEST_GAIN: f64 = 60.0;
const CUT_SPREADS: f64 = 10.0;
/// How sharp and how smooth cuts are, as parts of the length on which the ratio grows by e.
const SHARPEST: f64 = 0.03;
const SMOOTHEST: f64 = 0.15;

/// Lines, and what each of them is of.
pub(super) struct Climbed {
    pub(super) course: Course,
    slices: Vec<Factors>,
}

/// A line for each scale of losses, from the largest on, until what is left can be bounded or needs one line only.
///
/// δ is to be known to the part of it that is needed.
pub(super) fn climb(
    factors: &Factors,
    rough: &Rough,
    epsilon: f64,
    log_delta: f64,
    needed: f64,
) -> Option<Climbed> {
    let wanted = log_delta + LOG_ACCURACY + MARGIN;
    let exponent = rough.largest_exponent(epsilon, wanted);
    let sharpness = (ln_1p(LARGEST_GAIN / exponent) / CUT_SPREADS).clamp(SHARPEST, SMOOTHEST);
    let share = PART_OF_ONE * needed;
    let ladder = Ladder { rough, epsilon, log_delta, wanted, sharpness, share };
    ladder.steps(factors.without_rare(wanted, sharpness)?)
}

impl Climbed {
    fn with(mut self, line: ComposedLine, slice: Factors) -> Self {
        self.course.lines.push(line);
        self.slices.push(slice);
        self
    }

    /// Draws the lines again that leave too much of δ in doubt at another ε, of what is allowed for all of them. What they are of stays
    /// what it was: cuts may be anywhere.
    pub(super) fn moved_to(mut self, epsilon: f64, log_delta: f64, allowed: f64) -> Course {
        let most = PART_OF_ONE * allowed / self.slices.len() as f64 * exp(log_delta);
        for (line, slice) in self.course.lines.iter_mut().zip(&self.slices) {
            if line.integral(epsilon).bounds.width() > most
                && let Some(other) =
                    drawn(slice, epsilon, log_delta, line.plan.tilt, (LONGEST, PART_OF_ONE * allowed))
                && other.integral(epsilon).bounds.width() < line.integral(epsilon).bounds.width()
            {
                *line = other;
            }
        }
        self.course
    }
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
    /// What part of δ a line may leave in doubt.
    share: f64,
}

impl Ladder<'_> {
    /// Cuts slice after slice.
    fn steps(self, mut left: Factors) -> Option<Climbed> {
        let Self { rough, epsilon, wanted, .. } = self;
        let course =
            Course { lines: vec![], rest: vec![Rest { tilt: 0.0, log_moment: left.log_cut_off()? }] };
        let mut climbed = Climbed { course, slices: vec![] };
        let last = rough.cuts().len() - 1;
        let mut at = 0;
        loop {
            let ((together, tilt), apart) = (rough.below(at, epsilon), rough.apart(at, usize::MAX, epsilon));
            if together < wanted
                && at > 0
                && let Some(tilt) = saddle::negligible(&left, epsilon, wanted)
            {
                climbed.course.rest.push(Rest { tilt, log_moment: line::log_moment(&left, tilt)? });
                return Some(climbed);
            }
            let loss = if at == 0 { LOSS_OF_ALL } else { LOSS };
            if (together < apart + loss || at == last)
                && let Some(line) = self.line(&left, tilt, LOG_FINE, if at == last { LONGEST } else { LONG })
            {
                return Some(climbed.with(line, left));
            }
            let Some(Sliced { bulk, hits, to, line }) = self.slice(&left, at) else {
                // What cannot be cut may do as it is.
                let log_least = if at == 0 { LOG_POOR } else { LOG_FINE };
                let line = self.line(&left, tilt, log_least, LONGEST)?;
                return Some(climbed.with(line, left));
            };
            climbed = climbed.with(line, hits);
            (left, at) = (bulk, to);
            climbed.course.rest.push(Rest { tilt: 0.0, log_moment: left.log_beyond_ends()? });
        }
    }

    /// Cuts one slice off: as much as one line can take, but the cuts of a slice are some spreads apart. `None` if no line will do.
    fn slice(self, left: &Factors, at: usize) -> Option<Sliced> {
        let Self { rough, epsilon, log_delta, wanted, sharpness, .. } = self;
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
            if let Some(line) = self.line(&hits, tilt, log_least, LONGEST) {
                return Some(Sliced { bulk, hits, to, line });
            }
            if to == nearest {
                return None;
            }
            to = nearest.max(at + (to - at) / 2);
        }
    }

    /// A line for a composition, at about the tilt given, if its width at ε is as small against δ as it must be, and it is not too long.
    fn line(self, factors: &Factors, tilt: f64, log_least: f64, longest: usize) -> Option<ComposedLine> {
        let Self { epsilon, log_delta, share, .. } = self;
        let line = drawn(factors, epsilon, log_delta, tilt, (longest, share))?;
        line.integral(epsilon).is_within(log_delta, log_least.max(ln(share))).then_some(line)
    }
}

/// A line for a composition, if it is expected to leave little of δ in doubt.
///
/// It is not longer than said, and not expected to leave more in doubt than a tenth of the share.
fn drawn(
    factors: &Factors,
    epsilon: f64,
    log_delta: f64,
    tilt: f64,
    (longest, share): (usize, f64),
) -> Option<ComposedLine> {
    let saddle = saddle::find_near(factors, epsilon, tilt)?;
    let planned = plan::plan(factors, &saddle, Aim { log_delta, log_accuracy: LOG_ACCURACY });
    if planned.line.expected_width > FINE.max(0.1 * share) || planned.line.points > longest {
        return None;
    }
    ComposedLine::new(factors, planned.envelope, planned.line, LOG_TOLERANCE)
}

/// What is left below a slice, the slice, the cut between, and the line of the slice.
struct Sliced {
    bulk: Factors,
    hits: Factors,
    to: usize,
    line: ComposedLine,
}
