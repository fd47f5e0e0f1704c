//! Which lines a composition is integrated on: one for all of it, or others for what has a large loss and what has not.
//!
//! A line serves one scale of losses. Where rare large losses and many tiny ones both matter, or where rare losses make `K` jump
//! before the tiny ones are tilted far enough, the outcomes are cut in two. What is too small to matter is only bounded.

use super::{
    chernoff::Rest,
    factors::Factors,
    line::{self, ComposedLine, Integral, LinePlan},
    plan::{self, Aim},
    rough::Rough,
    saddle,
};
use crate::{curve::Budget, engine::Goal};
use hockeystick_numerics::{
    enclosure::Enclosure,
    special::{ln, ln_1p},
};

/// Lines that add up, and what is left out.
#[derive(Clone, Debug)]
pub(super) struct Course {
    lines: Vec<ComposedLine>,
    rest: Vec<Rest>,
}

/// A line that is expected to leave no more than this part of δ needs no help.
const FINE: f64 = 1e-10;
/// A line that is expected to leave all of δ in doubt is not drawn.
const HOPELESS: f64 = 0.5;
/// A line that leaves no more than this part of δ is as good as others would be.
const GOOD_ENOUGH: f64 = 1e-9;
/// Shorter lines are not tried.
const FEWEST_POINTS: usize = 8;
/// From so many points on it is faster to cut a law again.
const LONG: usize = 6000;
/// Errors of lines for slices are aimed at this part of δ, as a logarithm, and their rules at that part of `M(c)`.
const LOG_ACCURACY: f64 = -27.0;
const LOG_TOLERANCE: f64 = -32.0;
/// A width this small against δ is fine; one this small is better than none, as logarithms.
const LOG_FINE: f64 = -20.0;
const LOG_POOR: f64 = -15.0;
/// What is left out may be larger than what errors are aimed at, by this much of a logarithm.
const MARGIN: f64 = 1.0;
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

impl Course {
    /// g(ε) of the finite losses.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        let mut integrals = self.lines.iter().map(|line| line.integral(epsilon));
        let nothing = Integral { bounds: Enclosure::ZERO, budget: Budget::default() };
        let first = integrals.next().unwrap_or(nothing);
        let lines = integrals.fold(first, |sum, line| Integral {
            bounds: sum.bounds + line.bounds,
            budget: sum.budget + line.budget,
        });
        self.rest.iter().fold(lines, |sum, rest| {
            let most = rest.at(epsilon);
            Integral {
                bounds: Enclosure::new(sum.bounds.lower(), (sum.bounds + most).upper()).clamp(0.0, 1.0),
                budget: Budget { truncation: sum.budget.truncation + 0.5 * most, ..sum.budget },
            }
        })
    }

    /// What the errors of its lines leave in doubt at least.
    pub(super) fn least_width(&self, epsilon: f64) -> f64 {
        self.lines.iter().map(|line| line.least_width(epsilon)).sum()
    }

    /// The ε that a question is about.
    fn center(&self, goal: Goal, guess: f64) -> f64 {
        match goal {
            Goal::Delta { epsilon } => epsilon,
            Goal::Epsilon { delta } => self.root_near(guess, delta).unwrap_or(guess),
        }
    }

    /// The first of its lines.
    pub(super) fn plan(&self) -> LinePlan {
        self.lines[0].plan
    }

    /// An ε near `guess` at which g is about `delta`, by the secant rule on `log g`; in plain floats.
    pub(super) fn root_near(&self, guess: f64, delta: f64) -> Option<f64> {
        let tilt = self.plan().tilt;
        let excess = |epsilon: f64| ln(self.integral(epsilon).bounds.midpoint()) - ln(delta);
        let mut at = guess.max(f64::MIN_POSITIVE);
        let mut value = excess(at);
        let mut next = at + (value / tilt).clamp(-0.5 * at, 0.5 * at + 1.0 / tilt);
        for _ in 0..ROOT_STEPS {
            let after = excess(next);
            let step = after * (next - at) / (after - value);
            (at, value) = (next, after);
            if !step.is_finite() {
                break;
            }
            // Not beyond half the way to 0.
            next -= step.min(0.5 * next);
            if step.abs() <= 1e-10 * next {
                return Some(next);
            }
        }
        (value.abs() < 0.1).then_some(at)
    }
}

/// Steps of a search.
const ROOT_STEPS: usize = 40;

/// A course for a question about the finite losses, and the ε it is best at.
///
/// If it is known already, `log_delta` is about the logarithm of what the finite losses have.
pub(super) fn find(factors: &Factors, goal: Goal, log_delta: Option<f64>) -> Option<(Course, f64)> {
    let saddle = saddle::find(factors, goal)?;
    let whole = plan::plan(factors, &saddle, Aim::WHOLE);
    let mut best = None;
    if whole.line.expected_width <= FINE
        && let Some(line) =
            ComposedLine::new(factors, whole.envelope.clone(), whole.line, line::LOG_TOLERANCE)
    {
        let course = Course { lines: vec![line], rest: vec![] };
        let at = course.center(goal, saddle.epsilon);
        let width = course.integral(at).relative_width();
        if width <= GOOD_ENOUGH {
            return Some((course, at));
        }
        best = Some((course, at, width));
    }
    if let Some((course, at)) = by_scales(factors, goal, log_delta) {
        let width = course.integral(at).relative_width();
        if best.as_ref().is_none_or(|(_, _, other)| width < *other) {
            return Some((course, at));
        }
    }
    if let Some((course, at, _)) = best {
        return Some((course, at));
    }
    let course = Course { lines: vec![shortened(factors, whole)?], rest: vec![] };
    let at = course.center(goal, saddle.epsilon);
    Some((course, at))
}

/// The line as planned, or a shorter one if that takes too many nodes.
fn shortened(factors: &Factors, planned: plan::Planned) -> Option<ComposedLine> {
    let plan::Planned { mut line, envelope } = planned;
    if line.expected_width >= HOPELESS {
        return None;
    }
    while line.points > FEWEST_POINTS {
        if let Some(line) = ComposedLine::new(factors, envelope.clone(), line, line::LOG_TOLERANCE) {
            return Some(line);
        }
        line.points /= 2;
    }
    None
}

/// Lines for several scales of losses.
///
/// Losses that are too rare to matter are left out, and with them the jumps that they make in `K`. What has a large loss gets a
/// line of its own, then what has a smaller one, until a single line will do for what is left, or too little is left to matter.
fn by_scales(factors: &Factors, goal: Goal, known: Option<f64>) -> Option<(Course, f64)> {
    let log_delta = match goal {
        Goal::Epsilon { delta } => ln(delta),
        Goal::Delta { epsilon } => known.unwrap_or_else(|| factors.log_single(epsilon)).min(0.0),
    };
    let rough = Rough::new(factors, log_delta + LOG_ACCURACY + MARGIN)?;
    let (epsilon, log_delta) = match goal {
        Goal::Epsilon { .. } => (rough.epsilon(log_delta)?, log_delta),
        Goal::Delta { epsilon } => (epsilon, known.unwrap_or_else(|| rough.apart(0, usize::MAX, epsilon))),
    };
    let course = ladder(factors, &rough, epsilon, log_delta)?;
    let at = course.center(goal, epsilon);
    Some((course, at))
}

/// A line for each scale of losses, from the largest on, until what is left can be bounded or needs one line only.
fn ladder(factors: &Factors, rough: &Rough, epsilon: f64, log_delta: f64) -> Option<Course> {
    let wanted = log_delta + LOG_ACCURACY + MARGIN;
    let exponent = rough.largest_exponent(epsilon, wanted);
    let sharpness = (ln_1p(LARGEST_GAIN / exponent) / CUT_SPREADS).clamp(SHARPEST, SMOOTHEST);
    let mut left = factors.without_rare(wanted, sharpness)?;
    let mut course =
        Course { lines: vec![], rest: vec![Rest { tilt: 0.0, log_moment: left.log_cut_off()? }] };
    let is_within = |line: &ComposedLine, log: f64| line.integral(epsilon).is_within(log_delta, log);
    let last = rough.cuts().len() - 1;
    let mut at = 0;
    loop {
        let ((together, tilt), apart) = (rough.below(at, epsilon), rough.apart(at, usize::MAX, epsilon));
        if together < wanted
            && at > 0
            && let Some(tilt) = saddle::negligible(&left, epsilon, wanted)
        {
            course.rest.push(Rest { tilt, log_moment: super::line::log_moment(&left, tilt)? });
            return Some(course);
        }
        let loss = if at == 0 { LOSS_OF_ALL } else { LOSS };
        if (together < apart + loss || at == last)
            && let Some(line) =
                drawn(&left, epsilon, log_delta, tilt).filter(|line| is_within(line, LOG_FINE))
        {
            course.lines.push(line);
            return Some(course);
        }
        // The cuts of a slice are some spreads apart.
        let nearest =
            (at + 1..=last).find(|&to| left.split(rough.cuts()[to], wanted, sharpness).is_some())?;
        let is_one_scale = |to: usize| {
            let least = log_delta + NEGLIGIBLE;
            rough.between(at, to, epsilon).0.max(least) < rough.apart(at, to, epsilon).max(least) + LOSS
        };
        let farthest = last.min(at + SPAN);
        let mut to = (nearest..farthest).find(|&to| !is_one_scale(to + 1)).unwrap_or(farthest).max(nearest);
        let (bulk, line) = loop {
            let (bulk, hits) = left.split(rough.cuts()[to], wanted, sharpness)?;
            let log_least = if to == nearest { LOG_POOR } else { LOG_FINE };
            let (_, tilt) = rough.between(at, to, epsilon);
            match drawn(&hits, epsilon, log_delta, tilt).filter(|line| is_within(line, log_least)) {
                Some(line) => break (bulk, line),
                None if to > nearest => to = nearest.max(at + (to - at) / 2),
                // What cannot be cut may do as it is.
                None if at == 0 => {
                    let (_, tilt) = rough.below(at, epsilon);
                    let line =
                        drawn(&left, epsilon, log_delta, tilt).filter(|line| is_within(line, LOG_POOR))?;
                    course.lines.push(line);
                    return Some(course);
                }
                None => return None,
            }
        };
        course.lines.push(line);
        (left, at) = (bulk, to);
        course.rest.push(Rest { tilt: 0.0, log_moment: left.log_beyond_ends()? });
    }
}

/// A line for a composition, with errors that are small against `e^{log_delta}` as far as can be foreseen, at about the tilt given.
fn drawn(factors: &Factors, epsilon: f64, log_delta: f64, tilt: f64) -> Option<ComposedLine> {
    let saddle = saddle::find_near(factors, epsilon, tilt)?;
    let planned = plan::plan(factors, &saddle, Aim { log_delta, log_accuracy: LOG_ACCURACY });
    if planned.line.expected_width > FINE || planned.line.points > LONG {
        return None;
    }
    ComposedLine::new(factors, planned.envelope, planned.line, LOG_TOLERANCE)
}
