//! Which lines a composition is integrated on: one for all of it, or others for what has a large loss and what has not.
//!
//! A line serves one scale of losses. Where rare large losses and many tiny ones both matter, or where rare losses make `K` jump
//! before the tiny ones are tilted far enough, the outcomes are cut in two. What is too small to matter is only bounded.

use super::{
    bent::Bent,
    calm::{self, Calm},
    certain::Certain,
    chernoff::Rest,
    factors::{Factors, LITTLE},
    flat::{self, Nearness},
    ladder::{self, Climbed},
    line::{ComposedLine, Exactness, Integral, LinePlan},
    plan::{self, Aim},
    rough::Rough,
    saddle::{self, Saddle},
};
use crate::{curve::Budget, engine::Goal};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    special::{exp, ln, ln_1p},
};
use std::{cell::OnceCell, ops::RangeInclusive};

/// What is known when a question is asked again at the ε that an answer was near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settling {
    /// About the logarithm of what the finite losses have.
    pub(super) log_delta: f64,
    /// To which part of it that should be known.
    pub(super) allowed: f64,
}

/// Lines that add up, and what is left out.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) lines: Vec<ComposedLine>,
    pub(super) rest: Vec<Rest>,
    /// What is next to the largest loss in every use, if that is not among the lines.
    pub(super) calm: Option<Calm>,
    /// What has a loss that is large enough by itself, if that is not among the lines.
    pub(super) certain: Option<Certain>,
    /// All of it, if that is integrated along a hyperbola.
    pub(super) bent: Option<Bent>,
    /// Are the lines of the pair with P and Q swapped?
    pub(super) is_mirrored: bool,
}

/// A line that is expected to leave no more than this part of δ needs no help.
pub(super) const FINE: f64 = 1e-10;
/// The same where fewer digits are aimed at: what may be expected besides, as a logarithm.
const LITTLE_MORE: f64 = 3.0;
/// Where what is asked for was found there is no less than this part of it.
const NOT_LESS: f64 = 0.5;
/// A line that is expected to leave all of δ in doubt is not drawn.
const HOPELESS: f64 = 0.5;
/// A line that leaves no more than this part of δ is as good as others would be.
const GOOD_ENOUGH: f64 = 1e-9;
/// Lines that leave no more than this part of what is asked for lie well enough.
pub(super) const SETTLED: f64 = 3e-10;
/// The part of δ that is in doubt for every power of e that it falls while ε grows by itself: a loss of that size is rounded.
const ROUNDED: f64 = 1e-14;
/// A δ that falls more slowly than this is as good as constant; down to the other, digits make up for it.
const LEAST_FALL: f64 = 1e-3;
const SLOW_FALL: f64 = 0.01;
/// A line that leaves so many times what is allowed is not worth another.
pub(super) const NOT_FAR_OFF: f64 = 2.4;
/// ε may be so much wider where that takes digits of a δ that hardly falls.
const MORE: f64 = 1.15;
/// There are not enough digits to make up for less than this, in doubles and with 106 bits; and doubles do not tell how much less than the third it is.
const SLOWEST_FALL: f64 = 1e-6;
const SLOWEST_WIDE_FALL: f64 = 1e-17;
const SLOWEST_KNOWN_FALL: f64 = 1e-13;
/// How far a δ is looked at that falls so slowly, as a part of the inverse of the tilt.
const PART_OF_TILT: f64 = 0.05;
/// Where rough estimates say so, it may be next to its value at 0; a δ that is asked of the swapped pair is asked so often.
const ROUGHLY_FLAT: f64 = 0.08;
const MIRRORED_LINES: usize = 3;
/// A δ that is a smaller part of ε is lost in the roundings of `e^ε − 1`, of which the swapped pair has the rest.
const LEAST_OF_MIRROR: f64 = 1e-11;
/// If δ falls faster than this after all, slices take no longer, unless the line has no more points than these.
const VERY_FLAT: f64 = 0.01;
const VERY_SHORT_MIRROR: usize = 200;
/// Where δ falls more slowly than this, an ε may be a small part of its estimate: lines are drawn for this part of it.
const POOR_ESTIMATE: f64 = 0.1;
const SMALLER: f64 = 0.2;
/// And for this part of what is needed there.
const FLATTER: f64 = 0.2;
/// Where it is known how many digits of δ it takes, lines are drawn for so many times what is needed: there are some to spare.
const FEW_MORE: f64 = 8.0;
/// Estimates of ε that are no farther apart, in proportion, are of one kind; where an answer is farther from them, lines are drawn there before others are tried.
const CLOSE: f64 = 0.06;
const MOVED: f64 = 0.005;
/// Another line that leaves more than this part of what the last one left is no better.
const HALF: f64 = 0.5;
/// If the line of that is expected to be no longer than this, it is asked first.
const SHORT_MIRROR: usize = 600;
/// The same where a hyperbola may do as well.
const NOT_LONG_MIRROR: usize = 200;
/// Less than this part of δ is hardly ever left by a line in doubles.
const LEAST_IN_DOUBLES: f64 = 1.5e-12;
/// Of a line that leaves this part of δ more digits are not missing.
const HARDLY_KNOWN: f64 = 1e-7;
/// From so many points on lines for several scales of losses may be faster.
const LONG: usize = 1000;
/// From so many points on what is next to the largest loss may be left to a closed form.
const LONG_NEXT_TO_LARGEST: usize = 600;
/// Rules of lines with more digits are made exact to this part of what errors may be, as a logarithm.
pub(super) const BELOW_ALLOWED: f64 = 10.0;
/// Shorter lines are not tried.
const FEWEST_POINTS: usize = 8;
/// Errors of lines for slices are aimed at this part of δ, as a logarithm.
pub(super) const LOG_ACCURACY: f64 = -27.0;
/// What is left out may be larger than what errors are aimed at, by this much of a logarithm.
pub(super) const MARGIN: f64 = 1.0;

impl Course {
    /// Lines that leave nothing out.
    pub(super) fn of(lines: Vec<ComposedLine>) -> Self {
        Self { lines, rest: vec![], calm: None, certain: None, bent: None, is_mirrored: false }
    }

    /// g(ε) of the finite losses.
    ///
    /// # Guarantee
    /// Enclosed. If P and Q are swapped, it is `1 − e^ε + e^ε g(−ε)` of the other pair, provided that no loss of either is infinite.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        if self.is_mirrored { self.as_drawn(-epsilon).mirrored(epsilon) } else { self.as_drawn(epsilon) }
    }

    /// g(ε) of what lines were drawn for.
    fn as_drawn(&self, epsilon: f64) -> Integral {
        let mut integrals = self.lines.iter().map(|line| line.integral(epsilon));
        let nothing = Integral { bounds: Enclosure::ZERO, budget: Budget::default() };
        let first = integrals.next().unwrap_or(nothing);
        let first = self.calm.as_ref().map_or(first, |calm| first.plus(calm.integral(epsilon)));
        let first = self.certain.as_ref().map_or(first, |certain| first.plus(certain.integral(epsilon)));
        let first = self.bent.as_ref().map_or(first, |bent| first.plus(bent.integral(epsilon)));
        let lines = integrals.fold(first, Integral::plus);
        self.rest.iter().fold(lines, |sum, rest| {
            let most = rest.at(epsilon);
            Integral {
                bounds: Enclosure::new(sum.bounds.lower(), (sum.bounds + most).upper()).clamp(0.0, 1.0),
                budget: Budget { truncation: sum.budget.truncation + 0.5 * most, ..sum.budget },
            }
        })
    }

    /// Is some of it summed to more digits than doubles have?
    pub(super) fn is_wide(&self) -> bool {
        self.bent.is_some() || self.lines.iter().any(ComposedLine::is_wide)
    }

    /// `g(ε) − delta`, with as many digits as there are.
    pub(super) fn above(&self, epsilon: f64, delta: f64) -> Enclosure {
        let at = if self.is_mirrored { -epsilon } else { epsilon };
        let lines = self.lines.iter().map(|line| line.ball(at));
        let calm = self.calm.iter().map(|calm| Ball::from(calm.integral(at).bounds));
        let certain = self.certain.iter().map(|certain| certain.ball(at));
        let rest = self.rest.iter().map(|rest| Ball::from(Enclosure::new(0.0, rest.at(at))));
        let bent = self.bent.iter().map(|bent| bent.ball(at));
        let sum =
            lines.chain(calm).chain(certain).chain(bent).chain(rest).fold(Ball::ZERO, |sum, part| sum + part);
        let (whole, mirrored) = (Ball::from(delta), Ball::from(epsilon));
        if self.is_mirrored {
            (mirrored.exp() * sum - mirrored.exp_m1() - whole).enclosure()
        } else {
            (sum - whole).enclosure()
        }
    }

    /// `log(g(ε)/delta)`, in plain floats.
    fn log_ratio(&self, epsilon: f64, delta: f64) -> f64 {
        if self.is_wide() {
            ln_1p(self.above(epsilon, delta).midpoint() / delta)
        } else {
            ln(self.integral(epsilon).bounds.midpoint()) - ln(delta)
        }
    }

    /// What the errors of its lines leave in doubt at least.
    pub(super) fn least_width(&self, epsilon: f64) -> f64 {
        let at = if self.is_mirrored { -epsilon } else { epsilon };
        self.lines.iter().map(|line| line.least_width(at)).sum()
    }

    /// To which part of it g should be known for the answer to a question. ε is as narrow in proportion as g, divided by how much
    /// faster g falls.
    pub(super) fn allowed(&self, goal: Goal, epsilon: f64) -> f64 {
        match goal {
            // What ε is rounded to shows in δ.
            Goal::Delta { .. } => SETTLED.max(ROUNDED * self.plan().tilt * epsilon),
            Goal::Epsilon { .. } => {
                let fall = self.log_fall(epsilon);
                let fall = match fall {
                    // Where nothing is left there is no slope.
                    _ if fall.is_nan() => 1.0,
                    // Doubles do not tell such values apart.
                    _ if fall < SLOWEST_FALL && !self.is_wide() => {
                        self.fall_from_zero(epsilon).clamp(SLOWEST_KNOWN_FALL, SLOWEST_FALL)
                    }
                    _ => fall,
                };
                SETTLED * if fall < 1.0 { (MORE * fall).clamp(SLOWEST_WIDE_FALL, 1.0) } else { fall }
            }
        }
    }

    /// Is g hardly below its value at 0, so that more than the usual digits of it show in ε?
    fn lacks_digits(&self, goal: Goal, epsilon: f64) -> bool {
        let width = self.width(goal, epsilon);
        let is_short = matches!(goal, Goal::Epsilon { .. })
            && epsilon > 0.0
            && (SETTLED * SLOWEST_FALL..HARDLY_KNOWN).contains(&width);
        is_short && {
            let fall = self.log_fall(epsilon);
            fall < 1.0 && width > SETTLED * fall.max(SLOWEST_FALL)
        }
    }

    /// `−d log g/d log ε`, roughly.
    pub(super) fn log_fall(&self, epsilon: f64) -> f64 {
        let delta = if self.is_wide() { self.integral(epsilon).bounds.midpoint() } else { 1.0 };
        let log = |part: f64| self.log_ratio(part * epsilon, delta);
        // Next to the largest loss there may be nothing left a little farther on.
        let step = FALL_STEP.min(PART_OF_FALL / (self.plan().tilt * epsilon).max(f64::MIN_POSITIVE));
        (log(1.0 - step) - log(1.0 + step)) / (2.0 * step)
    }

    /// The same from how far g falls up to where a line takes it, for an ε far below that.
    fn fall_from_zero(&self, epsilon: f64) -> f64 {
        let far = PART_OF_TILT / self.plan().tilt.abs();
        let fall = (self.log_ratio(0.0, 1.0) - self.log_ratio(far, 1.0)) * epsilon / far;
        // Not a number where there is no line.
        fall.max(0.0)
    }

    /// The ε that a question is about; 0 if there g is no more than what is asked for.
    pub(super) fn center(&self, goal: Goal, guess: f64) -> f64 {
        match goal {
            Goal::Delta { epsilon } => epsilon,
            Goal::Epsilon { delta } if self.is_at_most(0.0, delta) => 0.0,
            Goal::Epsilon { delta } => self.root_near(guess, delta).unwrap_or(guess),
        }
    }

    /// To which part of it g is known there, of what is asked for: not at all if there is far less, for far off next to nothing is left.
    pub(super) fn width(&self, goal: Goal, epsilon: f64) -> f64 {
        let g = self.integral(epsilon);
        match goal {
            Goal::Epsilon { delta } if epsilon == 0.0 && self.is_at_most(0.0, delta) => 0.0,
            Goal::Epsilon { delta } if g.bounds.upper() < NOT_LESS * delta => 1.0,
            Goal::Epsilon { .. } | Goal::Delta { .. } if self.is_wide() => {
                let size = g.bounds.midpoint();
                self.above(epsilon, size).width() / size.max(f64::MIN_POSITIVE)
            }
            Goal::Epsilon { .. } | Goal::Delta { .. } => g.relative_width(),
        }
    }

    /// Is `g(ε) ≤ delta` proven?
    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        if self.is_wide() {
            self.above(epsilon, delta).upper() <= 0.0
        } else {
            self.integral(epsilon).bounds.upper() <= delta
        }
    }

    /// The first of its lines.
    pub(super) fn plan(&self) -> LinePlan {
        match (self.lines.first(), &self.bent) {
            (Some(line), _) => line.plan,
            (None, Some(bent)) => bent.as_line(),
            (None, None) => LinePlan::default(),
        }
    }

    /// An ε near `guess` at which g is about `delta`, by the secant rule on `log g`; in plain floats.
    fn root_near(&self, guess: f64, delta: f64) -> Option<f64> {
        let tilt = self.plan().tilt;
        let excess = |epsilon: f64| self.log_ratio(epsilon, delta);
        let mut at = guess.max(f64::MIN_POSITIVE);
        let mut value = excess(at);
        // One tilt says how fast one line falls.
        let reach = if self.lines.len() == 1 { 0.5 * at + 1.0 / tilt } else { SHORT * at };
        let mut next = at + (value / tilt).clamp(-0.5 * at, reach).max(-reach);
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

/// The first step of a search for a sum of lines, in proportion.
const SHORT: f64 = 0.1;
/// Steps of a search.
const ROOT_STEPS: usize = 40;
/// How far apart a slope is taken, in proportion, and by what part of a logarithm δ may have fallen meanwhile.
const FALL_STEP: f64 = 1e-3;
const PART_OF_FALL: f64 = 0.2;

/// A course for a question about the finite losses, and the ε it is best at.
pub(super) fn find(factors: &Factors, goal: Goal, known: Option<Settling>) -> Option<(Course, f64)> {
    find_at(factors, goal, known, saddle::find(factors, goal)?)
}

/// The same with the saddle at hand.
pub(super) fn find_at(
    factors: &Factors,
    goal: Goal,
    known: Option<Settling>,
    saddle: Saddle,
) -> Option<(Course, f64)> {
    // δ falls by about `e^{−c}` for every ε.
    let fall = match (goal, known) {
        (Goal::Epsilon { .. }, _) => saddle.tilt * saddle.epsilon,
        (Goal::Delta { .. }, Some(known)) => known.allowed / SETTLED,
        (Goal::Delta { epsilon }, None) => (ROUNDED / SETTLED * saddle.tilt * epsilon).max(1.0),
    };
    let aim = Aim::of_fall(fall);
    let whole = plan::plan(factors, &saddle, aim);
    let is_fine = whole.line.expected_width <= FINE.max(exp(aim.log_accuracy + LITTLE_MORE));
    let drawn = |planned: plan::Planned, exactness: Exactness| {
        let line = ComposedLine::new(factors, planned.envelope, planned.line, exactness)?;
        let course = Course::of(vec![line]);
        let at = course.center(goal, saddle.epsilon);
        Some((course, at))
    };
    let with_all_digits = || drawn(plan::plan(factors, &saddle, Aim::ALL_DIGITS), Exactness::ALL);
    let with_more_digits = |epsilon: f64, allowed: f64| {
        if !factors.is_wide() {
            return None;
        }
        let log_part = ln(allowed);
        let planned = plan::plan(factors, &saddle, Aim::WHOLE.down_to(log_part));
        let shorter =
            flat::with_more_digits(factors, epsilon, (saddle.log_delta, allowed), planned.line.points);
        if let Some(course) = shorter {
            let at = course.center(goal, epsilon);
            return Some((course, at));
        }
        // What is beyond the line, and what bounds it, takes no more digits than usual.
        let (Course { lines, .. }, _) = drawn(planned, Exactness::DIRECT)?;
        let log_tolerance = log_part - BELOW_ALLOWED;
        let course = Course::of(lines.into_iter().map(|line| line.widened(factors, log_tolerance)).collect());
        let at = course.center(goal, saddle.epsilon);
        Some((course, at))
    };
    let lacks_digits = |(course, at): &(Course, f64)| match known {
        Some(Settling { allowed, .. }) => {
            allowed < SETTLED && (allowed..HARDLY_KNOWN).contains(&course.width(goal, *at))
        }
        None => course.lacks_digits(goal, *at),
    };
    let is_far_off = |(course, at): &(Course, f64)| {
        course.width(goal, *at) > NOT_FAR_OFF * allowed(course, goal, known, *at)
    };
    let one_line = || {
        if let Some(Settling { allowed, .. }) = known
            && allowed < LEAST_IN_DOUBLES
            && let Some(course) = with_more_digits(saddle.epsilon, allowed).or_else(with_all_digits)
        {
            return Some(course);
        }
        let is_rough = known.is_some_and(|known| known.allowed >= SETTLED);
        let exactness = if is_rough { Exactness::ROUGH } else { Exactness::USUAL };
        let usual = drawn(whole.clone(), exactness.of(aim))?;
        if !lacks_digits(&usual) {
            return Some(usual);
        }
        // How many digits it takes is known where these lines say that ε is.
        let allowed = allowed(&usual.0, goal, known, usual.1);
        if allowed >= LEAST_IN_DOUBLES
            && let Some(all) = with_all_digits().filter(|all| !is_far_off(all))
        {
            return Some(all);
        }
        with_more_digits(usual.1, allowed).or_else(with_all_digits).or(Some(usual))
    };
    let scales = OnceCell::new();
    let by_scales = |sharper: RangeInclusive<i32>| {
        scales.get_or_init(|| Scales::new(factors, goal, known, saddle.epsilon)).as_ref()?.course(sharper)
    };
    let is_short = whole.line.points <= LONG;
    let may_be_one = is_fine && is_short;
    let flat = match (goal, known) {
        (Goal::Epsilon { delta }, _) => (!may_be_one && factors.may_be_next_to_most(delta, LITTLE))
            .then(|| {
                scales.get_or_init(|| Scales::new(factors, goal, known, saddle.epsilon)).as_ref()?.flat()
            })
            .flatten(),
        (Goal::Delta { epsilon }, Some(known)) if known.allowed < LEAST_IN_DOUBLES => {
            flat::at(factors, epsilon, known)
        }
        (Goal::Delta { .. }, _) => None,
    };
    if flat.is_some() {
        return flat;
    }
    let several_lines = || by_scales(0..=0);
    let is_good = |(course, at): &(Course, f64)| {
        course.width(goal, *at) < GOOD_ENOUGH.max(allowed(course, goal, known, *at))
    };
    let is_long = whole.line.points > LONG_NEXT_TO_LARGEST || !is_fine;
    if is_long && let Some(course) = calm::course(factors, goal, &saddle, (aim, fall)) {
        let at = course.center(goal, saddle.epsilon);
        let found = (course, at);
        if !is_far_off(&found) {
            return Some(found);
        }
    }
    let first = if may_be_one { one_line() } else { several_lines() };
    if first.as_ref().is_some_and(is_good) {
        return first;
    }
    let second = match (is_fine, is_short) {
        (true, true) => several_lines(),
        (true, false) => one_line(),
        (false, _) => None,
    };
    let width = |(course, at): &(Course, f64)| course.width(goal, *at);
    let narrower = |a: Option<(Course, f64)>, b: Option<(Course, f64)>| {
        [a, b].into_iter().flatten().min_by(|a, b| width(a).total_cmp(&width(b)))
    };
    let narrowest = narrower(first, second);
    // What is left out of lines for another ε may be too much here, and sharper cuts do not help.
    let is_moved = |at: f64| {
        let expected = scales.get().and_then(Option::as_ref).map_or(at, |scales| scales.epsilon);
        matches!(goal, Goal::Epsilon { .. }) && (at - expected).abs() > MOVED * at
    };
    let is_enough = |found: &(Course, f64)| {
        let has_many_digits = allowed(&found.0, goal, known, found.1) < SETTLED;
        is_good(found) || !is_far_off(found) || has_many_digits || is_moved(found.1)
    };
    let narrowest = if narrowest.as_ref().is_some_and(is_enough) {
        narrowest
    } else {
        narrower(narrowest, by_scales(1..=ladder::SHARPER_CUTS))
    };
    if narrowest.is_some() {
        return narrowest;
    }
    let course = Course::of(vec![shortened(factors, whole, is_fine)?]);
    let at = course.center(goal, saddle.epsilon);
    Some((course, at))
}

/// To which part of it what the finite losses have should be known.
pub(super) fn allowed(course: &Course, goal: Goal, known: Option<Settling>, epsilon: f64) -> f64 {
    known.map_or_else(|| course.allowed(goal, epsilon), |known| known.allowed)
}

/// The line as planned, unless that was tried already, or a shorter one if that takes too many nodes.
fn shortened(factors: &Factors, planned: plan::Planned, was_tried: bool) -> Option<ComposedLine> {
    let plan::Planned { mut line, envelope } = planned;
    if line.expected_width >= HOPELESS {
        return None;
    }
    if was_tried {
        line.points /= 2;
    }
    while line.points > FEWEST_POINTS {
        if let Some(line) = ComposedLine::new(factors, envelope.clone(), line, Exactness::USUAL) {
            return Some(line);
        }
        line.points /= 2;
    }
    None
}

/// What rough estimates say of a question about several scales of losses.
struct Scales<'a> {
    factors: &'a Factors,
    goal: Goal,
    known: Option<Settling>,
    rough: Rough,
    /// About the ε that it is about, and the logarithm of what the finite losses have there.
    epsilon: f64,
    log_delta: f64,
    nearness: OnceCell<Option<Nearness>>,
}

impl<'a> Scales<'a> {
    /// With the ε that a saddle of all losses expects; `None` if no pair can be cut.
    fn new(factors: &'a Factors, goal: Goal, known: Option<Settling>, expected: f64) -> Option<Self> {
        let known_log = known.map(|known| known.log_delta);
        let log_delta = match goal {
            Goal::Epsilon { delta } => ln(delta),
            Goal::Delta { epsilon } => known_log.unwrap_or_else(|| factors.log_single(epsilon)).min(0.0),
        };
        let rough = Rough::new(factors, log_delta + LOG_ACCURACY + MARGIN)?;
        let (epsilon, log_delta) = match goal {
            Goal::Epsilon { .. } => {
                // Where both estimates are of one kind, the saddle is the better one.
                let epsilon = rough.epsilon(log_delta)?;
                let is_close = (expected - epsilon).abs() <= CLOSE * epsilon;
                (if is_close { expected } else { epsilon }, log_delta)
            }
            Goal::Delta { epsilon } => (epsilon, known_log.unwrap_or_else(|| rough.log_delta(epsilon))),
        };
        Some(Self { factors, goal, known, rough, epsilon, log_delta, nearness: OnceCell::new() })
    }

    /// Lines for several scales of losses, of which the cuts are so many times sharper than they need be.
    ///
    /// Losses that are too rare to matter are left out, and with them the jumps that they make in `K`. What has a large loss gets a
    /// line of its own, then what has a smaller one, until a single line will do for what is left, or too little is left to matter.
    fn course(&self, sharper: RangeInclusive<i32>) -> Option<(Course, f64)> {
        let &Self { factors, goal, known, ref rough, epsilon, log_delta, .. } = self;
        // Of what falls fast, fewer digits are needed, and more of what does not. What does not fall at all is asked for at ε = 0.
        let needed = match goal {
            Goal::Epsilon { .. } => {
                let fall = rough.log_fall(epsilon);
                SETTLED * if fall > LEAST_FALL { fall.max(SLOW_FALL) } else { 1.0 }
            }
            Goal::Delta { .. } => known.map_or(SETTLED, |known| known.allowed),
        };
        if *sharper.start() == 0
            && let Some(found) = self.of_mirror(SHORT_MIRROR)
        {
            return Some(found);
        }
        // Where δ hardly falls estimates of ε are poor, and lines for a smaller one serve a larger one as well.
        let is_flat = matches!(goal, Goal::Epsilon { .. }) && needed < POOR_ESTIMATE * SETTLED;
        let (epsilon, needed) = match self.nearness() {
            // There it is known how many digits it takes, and lines need not have many more.
            Some(Nearness { epsilon, allowed }) => (epsilon, FEW_MORE * allowed),
            None if is_flat => (SMALLER * epsilon, FLATTER * needed),
            None => (epsilon, needed),
        };
        let mut narrowest: Option<(Course, f64)> = None;
        // What is next to nothing can be bounded only by a tilt that a sharper cut stands, and so can what one loss has as well as two.
        for times_sharper in sharper {
            let Some(climbed) = ladder::climb(factors, rough, epsilon, (log_delta, needed), times_sharper)
            else {
                continue;
            };
            let (course, at) = climbed_to(climbed, goal, known, (epsilon, log_delta));
            let width = course.width(goal, at);
            let allowed = allowed(&course, goal, known, at);
            if narrowest.as_ref().is_none_or(|(other, at)| width < other.width(goal, *at)) {
                narrowest = Some((course, at));
            }
            if width <= NOT_FAR_OFF * allowed || allowed < SETTLED {
                break;
            }
        }
        narrowest
    }

    /// How far δ is from its value at 0, if it is next to it.
    fn nearness(&self) -> Option<Nearness> {
        let Goal::Epsilon { delta } = self.goal else { return None };
        *self.nearness.get_or_init(|| Nearness::new(self.factors, delta, LITTLE))
    }

    /// The same where δ is next to its value at 0 and a hyperbola will not do: lines of the swapped pair if these are not long.
    fn flat(&self) -> Option<(Course, f64)> {
        self.nearness().and_then(|_| self.of_mirror(NOT_LONG_MIRROR))
    }

    /// Lines of the swapped pair, where δ seems to be next to its value at 0 and one of them is expected to have no more than so many points.
    fn of_mirror(&self, most_points: usize) -> Option<(Course, f64)> {
        let Goal::Epsilon { delta } = self.goal else { return None };
        let near = self.nearness();
        let may_be_flat = self.factors.has_large_losses()
            && (near.is_some() || self.rough.log_fall(self.epsilon) < ROUGHLY_FLAT);
        let mirror =
            self.factors.mirrored().filter(|mirror| may_be_flat && is_at_ease(mirror, most_points))?;
        let expected = near.map_or((self.epsilon, SETTLED), |near| (near.epsilon, near.allowed));
        let found = of_mirror(&mirror, delta, expected, VERY_FLAT);
        let (course, at) = found?;
        let is_known = course.width(self.goal, at) < NOT_FAR_OFF * course.allowed(self.goal, at);
        is_known.then_some((course, at))
    }
}

/// Will a line that is not long do at ε = 0?
fn is_at_ease(factors: &Factors, most_points: usize) -> bool {
    saddle::find(factors, Goal::Delta { epsilon: 0.0 }).is_some_and(|saddle| {
        let line = plan::plan(factors, &saddle, Aim::WHOLE).line;
        line.expected_width <= FINE && line.points <= most_points
    })
}

/// Lines of the swapped pair for an ε next to 0, and the ε that they give: from a guess, and what part of δ may be in doubt there. `None` if that
/// takes more than one line, and δ falls faster than said.
pub(super) fn of_mirror(
    mirror: &Factors,
    delta: f64,
    (mut epsilon, mut allowed): (f64, f64),
    most_fall: f64,
) -> Option<(Course, f64)> {
    let goal = Goal::Epsilon { delta };
    if delta < LEAST_OF_MIRROR * epsilon {
        return None;
    }
    let mut found: Option<(Course, f64)> = None;
    for _ in 0..MIRRORED_LINES {
        let known = Settling { log_delta: ln(delta), allowed };
        let (course, _) = find(mirror, Goal::Delta { epsilon: 0.0 }, Some(known))?;
        // What is swapped twice is what it was.
        let course = Course { is_mirrored: !course.is_mirrored, ..course };
        epsilon = course.center(goal, epsilon);
        allowed = course.allowed(goal, epsilon);
        let width = course.width(goal, epsilon);
        let is_better = |(other, at): &(Course, f64)| width < HALF * other.width(goal, *at);
        let goes_on = width >= NOT_FAR_OFF * allowed && found.as_ref().is_none_or(is_better);
        if goes_on && course.plan().points > VERY_SHORT_MIRROR && course.log_fall(epsilon) > most_fall {
            return None;
        }
        found = Some((course, epsilon));
        if !goes_on {
            break;
        }
    }
    found
}

/// The course at the ε that its lines say, where those that lie elsewhere, or lack digits, are drawn again.
fn climbed_to(
    climbed: Climbed,
    goal: Goal,
    known: Option<Settling>,
    (epsilon, log_delta): (f64, f64),
) -> (Course, f64) {
    let at = climbed.course.center(goal, epsilon);
    let allowed = allowed(&climbed.course, goal, known, at);
    if climbed.course.width(goal, at) < allowed {
        return (climbed.course, at);
    }
    let Integral { bounds, budget: Budget { quadrature, roundoff, .. } } = climbed.course.integral(at);
    let lacks_digits =
        allowed < SETTLED && 2.0 * (quadrature + roundoff) > NOT_FAR_OFF * allowed * bounds.upper();
    let course = climbed.moved_to(at, log_delta, allowed, lacks_digits);
    let at = course.center(goal, at);
    (course, at)
}
