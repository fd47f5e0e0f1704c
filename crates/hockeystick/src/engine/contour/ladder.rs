//! Lines for one scale of losses after the other, from the largest on.
//!
//! While the line of one slice is computed, the next slice is looked for: which cuts and which lines will do is told by searches.

use super::{
    chernoff::Rest,
    course::{Course, FINE, LOG_ACCURACY, MARGIN},
    factors::Factors,
    line::{self, ComposedLine},
    plan::{self, Aim, Planned},
    rough::Rough,
    saddle,
};
use hockeystick_numerics::special::ln_1p;
use std::{sync::mpsc, thread};

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
    let left = factors.without_rare(wanted, sharpness)?;
    let found = if thread::available_parallelism().is_ok_and(|threads| threads.get() > 1) {
        ladder.beside(left.clone())
    } else {
        Err(Failure::Line(Vec::new()))
    };
    match found {
        Ok(course) => Some(course),
        Err(Failure::Line(known)) => {
            // The same slices are asked for once more, up to the one of which the line did not do.
            let mut known = known.into_iter();
            let compute = |slice: Slice| match known.next() {
                Some(line) => Computed::Line(line),
                None => slice.line().map_or(Computed::Failed, Computed::Line),
            };
            ladder.steps(left, compute).ok()
        }
        Err(Failure::NoWay) => None,
    }
}

/// Why there is no course.
enum Failure {
    /// A line that was counted on turned out not to do. Those of the slices before are known.
    Line(Vec<ComposedLine>),
    /// There is none, whatever is tried.
    NoWay,
}

/// What has become of a line.
enum Computed {
    Line(ComposedLine),
    /// It will be seen.
    Later,
    Failed,
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

/// A line that is planned, but not computed yet.
struct Slice {
    factors: Factors,
    planned: Planned,
    /// How narrow its integral must be.
    log_least: f64,
    /// Where.
    epsilon: f64,
    log_delta: f64,
}

impl Slice {
    /// The line, if it is as narrow as it must be.
    fn line(self) -> Option<ComposedLine> {
        let line = ComposedLine::new(&self.factors, self.planned.envelope, self.planned.line, LOG_TOLERANCE)?;
        line.integral(self.epsilon).is_within(self.log_delta, self.log_least).then_some(line)
    }
}

impl Ladder<'_> {
    /// The steps, with the lines of slices computed by another thread.
    fn beside(self, left: Factors) -> Result<Course, Failure> {
        let (jobs, inbox) = mpsc::channel::<Slice>();
        thread::scope(|scope| {
            let mut worker = None;
            let mut inbox = Some(inbox);
            let course = self.steps(left, |slice| {
                if let Some(inbox) = inbox.take() {
                    worker = Some(scope.spawn(|| inbox.into_iter().map(Slice::line).collect::<Vec<_>>()));
                }
                match jobs.send(slice) {
                    Ok(()) => Computed::Later,
                    Err(_) => Computed::Failed,
                }
            });
            drop(jobs);
            let lines = match worker.map(thread::ScopedJoinHandle::join) {
                None => Vec::new(),
                Some(Ok(lines)) => lines,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
            };
            let count = lines.len();
            let mut lines: Vec<ComposedLine> = lines.into_iter().map_while(|line| line).collect();
            if lines.len() < count {
                return Err(Failure::Line(lines));
            }
            let mut course = course?;
            lines.append(&mut course.lines);
            Ok(Course { lines, ..course })
        })
    }

    /// Cuts slice after slice; lines that are computed later are not part of the course.
    fn steps(self, mut left: Factors, mut compute: impl FnMut(Slice) -> Computed) -> Result<Course, Failure> {
        let Self { rough, epsilon, wanted, .. } = self;
        let rest = |factors: &Factors| factors.log_cut_off().ok_or(Failure::NoWay);
        let mut course = Course { lines: vec![], rest: vec![Rest { tilt: 0.0, log_moment: rest(&left)? }] };
        let last = rough.cuts().len() - 1;
        let mut at = 0;
        loop {
            let ((together, tilt), apart) = (rough.below(at, epsilon), rough.apart(at, usize::MAX, epsilon));
            if together < wanted
                && at > 0
                && let Some(tilt) = saddle::negligible(&left, epsilon, wanted)
            {
                let log_moment = line::log_moment(&left, tilt).ok_or(Failure::NoWay)?;
                course.rest.push(Rest { tilt, log_moment });
                return Ok(course);
            }
            let loss = if at == 0 { LOSS_OF_ALL } else { LOSS };
            if (together < apart + loss || at == last)
                && let Some(line) = self.planned(&left, tilt, LOG_FINE).and_then(Slice::line)
            {
                course.lines.push(line);
                return Ok(course);
            }
            let bulk = match self.slice(&left, at, &mut compute)? {
                Some(Sliced { bulk, to, line }) => {
                    at = to;
                    course.lines.extend(line);
                    bulk
                }
                // What cannot be cut may do as it is.
                None if at == 0 => {
                    let line = self.planned(&left, tilt, LOG_POOR).and_then(Slice::line);
                    course.lines.push(line.ok_or(Failure::NoWay)?);
                    return Ok(course);
                }
                None => return Err(Failure::NoWay),
            };
            left = bulk;
            let log_moment = left.log_beyond_ends().ok_or(Failure::NoWay)?;
            course.rest.push(Rest { tilt: 0.0, log_moment });
        }
    }

    /// Cuts one slice off: as much as one line can take, but the cuts of a slice are some spreads apart. `None` if no line will do.
    fn slice(
        self,
        left: &Factors,
        at: usize,
        compute: &mut impl FnMut(Slice) -> Computed,
    ) -> Result<Option<Sliced>, Failure> {
        let Self { rough, epsilon, log_delta, wanted, sharpness } = self;
        let last = rough.cuts().len() - 1;
        let split = |to: usize| left.split(rough.cuts()[to], wanted, sharpness);
        let nearest = (at + 1..=last).find(|&to| left.can_be_split(rough.cuts()[to], sharpness));
        let nearest = nearest.ok_or(Failure::NoWay)?;
        let is_one_scale = |to: usize| {
            let least = log_delta + NEGLIGIBLE;
            rough.between(at, to, epsilon).0.max(least) < rough.apart(at, to, epsilon).max(least) + LOSS
        };
        let farthest = last.min(at + SPAN);
        let mut to = (nearest..farthest).find(|&to| !is_one_scale(to + 1)).unwrap_or(farthest).max(nearest);
        loop {
            let (bulk, hits) = split(to).ok_or(Failure::NoWay)?;
            let log_least = if to == nearest { LOG_POOR } else { LOG_FINE };
            let (_, tilt) = rough.between(at, to, epsilon);
            let line = match self.planned(&hits, tilt, log_least).map_or(Computed::Failed, &mut *compute) {
                Computed::Line(line) => Some(line),
                Computed::Later => None,
                Computed::Failed if to > nearest => {
                    to = nearest.max(at + (to - at) / 2);
                    continue;
                }
                Computed::Failed => return Ok(None),
            };
            return Ok(Some(Sliced { bulk, to, line }));
        }
    }

    /// A line for a composition, with errors that are small against δ as far as can be foreseen, at about the tilt given.
    fn planned(self, factors: &Factors, tilt: f64, log_least: f64) -> Option<Slice> {
        let Self { epsilon, log_delta, .. } = self;
        let saddle = saddle::find_near(factors, epsilon, tilt)?;
        let planned = plan::plan(factors, &saddle, Aim { log_delta, log_accuracy: LOG_ACCURACY });
        let is_good = planned.line.expected_width <= FINE && planned.line.points <= LONG;
        is_good.then(|| Slice { factors: factors.clone(), planned, log_least, epsilon, log_delta })
    }
}

/// What is left below a slice, the cut between, and the line of the slice unless it is computed later.
struct Sliced {
    bulk: Factors,
    to: usize,
    line: Option<ComposedLine>,
}
