//! Which lines a composition is integrated on: one for all of it, or others for what has a large loss and what has not.
//!
//! A line serves one scale of losses. Where rare large losses and many tiny ones both matter, or where rare losses make `K` jump
//! before the tiny ones are tilted far enough, the outcomes are cut in two. What is too small to matter is only bounded.

use super::{
    chernoff::Rest,
    factors::Factors,
    line::{ComposedLine, Integral, LinePlan},
    plan::{self, LOG_ACCURACY},
    saddle::{self, Saddle},
};
use crate::{curve::Budget, engine::Goal};
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

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
/// Shorter lines are not tried.
const FEWEST_POINTS: usize = 8;
/// What is left out may be larger than what errors are aimed at, by this much of a logarithm.
const MARGIN: f64 = 3.0;
/// The ratio of neighbouring scales of losses, and how many there are at most.
const RUNG: f64 = 6.0;
const MOST_RUNGS: usize = 16;

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
pub(super) fn find(factors: &Factors, goal: Goal) -> Option<(Course, f64)> {
    let saddle = saddle::find(factors, goal)?;
    let whole = plan::plan(factors, &saddle);
    let one = |line: ComposedLine| (Course { lines: vec![line], rest: vec![] }, saddle.epsilon);
    if whole.line.expected_width <= FINE
        && let Some(line) = ComposedLine::new(factors, whole.envelope.clone(), whole.line)
    {
        return Some(one(line));
    }
    by_scales(factors, goal, &saddle).or_else(|| shortened(factors, whole).map(one))
}

/// The line as planned, or a shorter one if that takes too many nodes.
fn shortened(factors: &Factors, planned: plan::Planned) -> Option<ComposedLine> {
    let plan::Planned { mut line, envelope } = planned;
    if line.expected_width >= HOPELESS {
        return None;
    }
    while line.points > FEWEST_POINTS {
        if let Some(line) = ComposedLine::new(factors, envelope.clone(), line) {
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
fn by_scales(factors: &Factors, goal: Goal, whole: &Saddle) -> Option<(Course, f64)> {
    let log_delta = match goal {
        Goal::Epsilon { delta } => ln(delta),
        Goal::Delta { epsilon } => factors.log_single(epsilon).max(whole.log_delta).min(0.0),
    };
    let wanted = log_delta + LOG_ACCURACY + MARGIN;
    let left = factors.without_rare(wanted)?;
    let saddle = saddle::find(&left, goal)?;
    let first = plan::plan(&left, &saddle);
    let rare = Rest { tilt: 0.0, log_moment: left.log_cut_off()? };
    if first.line.expected_width <= FINE
        && let Some(line) = ComposedLine::new(&left, first.envelope, first.line)
    {
        return Some((Course { lines: vec![line], rest: vec![rare] }, saddle.epsilon));
    }
    // Where the saddle lies at a jump of K it says nothing of ε; a single loss may.
    let guesses = match goal {
        Goal::Delta { epsilon } => vec![epsilon],
        Goal::Epsilon { delta } => {
            let single = factors.epsilon_of_single(ln(delta));
            let larger = saddle.epsilon.max(single.unwrap_or(0.0));
            [larger].into_iter().chain(single.filter(|single| *single < larger)).collect()
        }
    };
    let largest = factors.loss_of_mass(wanted)?;
    guesses.into_iter().find_map(|epsilon| {
        let course = Course { lines: vec![], rest: vec![rare] };
        Some((ladder(course, left.clone(), largest, epsilon, wanted)?, epsilon))
    })
}

/// A line for each scale of losses, from the largest on, until what is left can be bounded or needs one line only.
fn ladder(mut course: Course, mut left: Factors, largest: f64, epsilon: f64, wanted: f64) -> Option<Course> {
    let goal = Goal::Delta { epsilon };
    let mut loss = largest;
    for _ in 0..MOST_RUNGS {
        loss /= RUNG;
        let Some((bulk, hits)) = left.split(loss, wanted) else { continue };
        let saddle = saddle::find(&hits, goal)?;
        let planned = plan::plan(&hits, &saddle);
        if planned.line.expected_width > FINE {
            return None;
        }
        course.lines.push(ComposedLine::new(&hits, planned.envelope, planned.line)?);
        left = bulk;
        course.rest.push(Rest { tilt: 0.0, log_moment: left.log_beyond_ends()? });
        if let Some(tilt) = saddle::negligible(&left, epsilon, wanted) {
            course.rest.push(Rest { tilt, log_moment: super::line::log_moment(&left, tilt)? });
            return Some(course);
        }
        let saddle = saddle::find(&left, goal)?;
        let planned = plan::plan(&left, &saddle);
        if planned.line.expected_width <= FINE {
            course.lines.push(ComposedLine::new(&left, planned.envelope, planned.line)?);
            return Some(course);
        }
    }
    None
}
