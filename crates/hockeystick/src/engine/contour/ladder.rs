//! Lines for one scale of losses after the other, from the largest on.

use super::{
    beside::{Tasks, beside},
    certain::Certain,
    chernoff::Rest,
    course::{BELOW_ALLOWED, Course, FINE, LOG_ACCURACY, MARGIN, NOT_FAR_OFF, SETTLED},
    factors::Factors,
    line::{self, ComposedLine, Exactness},
    plan::{self, Aim, Planned},
    rough::Rough,
    saddle,
};
use crate::{pair::Portion, two_threads::mapped};
use hockeystick_numerics::limits::check;
use hockeystick_numerics::special::{exp, ln};
use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// From so many cuts on, next to which something matters, a second thread is worth it.
const MANY_SLICES: usize = 3;
/// No line has more points than this.
const LONGEST: usize = 6000;
/// From so many points on it is faster to cut a law again, if that can be done.
const LONG: usize = 2500;
/// From so many on, for a slice that can be shorter.
const LONG_SLICE: usize = 1500;
/// Lines of slices have about so many.
const USUAL_POINTS: usize = 600;
/// Rules of lines are exact to this part of what errors are aimed at, as a logarithm.
const LOG_OF_RULES: f64 = -5.0;
/// Up to so many uses of a pair its `M` is summed as it is below the last cut: there it is next to 1, and every use takes from the digits of δ.
const FEW: f64 = 60.0;
/// Where fewer than the usual digits are needed, errors may be larger by this power of how much.
const FEWER_DIGITS: f64 = 0.8;
/// A width this small against δ is fine; one this small is better than none, as logarithms.
const LOG_FINE: f64 = -20.0;
const LOG_POOR: f64 = -15.0;
/// The part of what is needed that a line may leave: there are several.
const PART_OF_A_LINE: f64 = 0.35;
/// The part of its share that it may be expected to leave.
const PART_EXPECTED: f64 = 0.2;
/// A line that leaves more than this part of its share where δ is reached is drawn again there.
const PART_OF_ONE: f64 = 0.5;
/// How much larger an estimate for several scales of losses at once may be than those of each, as a logarithm: that is lost in digits.
const LOSS: f64 = 3.0;
/// The same for all that is not too rare to matter, of which one line was tried already.
const LOSS_OF_ALL: f64 = 1.5;
/// How much larger than a sketch says a rest may be, as a logarithm.
const LITTLE_MORE: f64 = 0.1;
/// Slices that are this much smaller than δ may lose as many digits, as a logarithm.
const NEGLIGIBLE: f64 = -10.0;
/// With so many losses resolved `|M|` has decayed; a line that has to go up to so many tilts for that has thousands of points.
const DECAYED: f64 = 10.0;
const HOPELESS: f64 = 100.0;
/// How many of the cuts that were looked at a slice spans at most: long ones need long lines.
const SPAN: usize = 6;
/// A cut is so smooth that `e^{cL}` does not outgrow it: at its end, where `e^{−100}` is left, it has gained no more than this.
pub(super) const LARGEST_GAIN: f64 = 60.0;
/// It must not have gained more than this where λ is, nor this where the tilt of a slice is.
pub(super) const MOST_GAIN: f64 = 85.0;
const MUCH_GAIN: f64 = 65.0;
/// How sharp and how smooth cuts are, as parts of the length on which the ratio grows by e.
const SHARPEST: f64 = 0.03;
/// How often cuts are made sharper if no lines will do, by what factor, and up to where.
pub(super) const SHARPER_CUTS: i32 = 2;
const SHARPER: f64 = 0.45;
const LAST_SHARPEST: f64 = 0.007;
const SMOOTHEST: f64 = 0.15;

/// Lines, and what each of them is of.
pub(super) struct Climbed {
    pub(super) course: Course,
    /// What errors are aimed at.
    log_accuracy: f64,
    /// Each with the tilt beyond which `e^{cL}` outgrows its cut.
    slices: Vec<(Factors, f64)>,
    /// What the last rest is of, if it is all that is below the last cut.
    below: Option<Factors>,
}

/// A line for each scale of losses, from the largest on, until what is left can be bounded or needs one line only.
///
/// δ is to be known to the part of it that is needed. Cuts are as smooth as they may be, or so many times sharper; `None` if that is too sharp,
/// or if no lines will do.
pub(super) fn climb(
    factors: &Factors,
    rough: &Rough,
    epsilon: f64,
    (log_delta, needed): (f64, f64),
    times_sharper: i32,
) -> Option<Climbed> {
    let log_more = ln(needed / SETTLED);
    let log_accuracy = LOG_ACCURACY + if log_more < 0.0 { log_more } else { FEWER_DIGITS * log_more };
    let wanted = log_delta + log_accuracy + MARGIN;
    let sharpness = (rough.tilted_cuts(epsilon, wanted, log_delta + NEGLIGIBLE))
        .map(|(loss, tilt)| factors.sharpness_for(loss, LARGEST_GAIN / tilt))
        .fold(SMOOTHEST, f64::min)
        .max(SHARPEST);
    let sharpness = sharpness * SHARPER.powi(times_sharper);
    if sharpness <= LAST_SHARPEST * SHARPER {
        return None;
    }
    let sharpness = sharpness.max(LAST_SHARPEST);
    let share = PART_OF_A_LINE * needed;
    let ladder = Ladder { factors, rough, epsilon, log_delta, log_accuracy, wanted, sharpness, share };
    let found = Certain::find(factors, rough, epsilon, wanted, sharpness);
    let start = match &found {
        Some((certain, number)) => Start::below(certain, *number)?,
        None => Start::without_rare(factors.without_rare(wanted, sharpness)?)?,
    };
    let steps = ladder.drawn_steps(&start)?;
    if steps.lines.is_empty() {
        return None;
    }
    let (lines, slices) =
        steps.lines.into_iter().map(|(line, slice, most_tilt)| (line, (slice, most_tilt))).unzip();
    let certain = found.map(|(certain, _)| certain);
    let course = Course { rest: steps.rest, certain, ..Course::of(lines) };
    Some(Climbed { course, log_accuracy, slices, below: steps.below })
}

/// What a composition was cut into, each with its line, or something that stands for it, and the tilt beyond which `e^{cL}` outgrows its cut.
#[derive(Clone)]
struct Steps<Line> {
    lines: Vec<(Line, Factors, f64)>,
    /// What is only bounded.
    rest: Vec<Rest>,
    /// What the last rest is of, if it is all that is below the last cut.
    below: Option<Factors>,
}

impl<Line> Steps<Line> {
    /// With all that is left only bounded.
    fn over(mut self, below: Factors, rest: Rest) -> Self {
        self.rest.push(rest);
        Self { below: Some(below), ..self }
    }
}

/// What is left below a cut, and the steps down to it.
#[derive(Clone)]
struct Position<Line> {
    left: Factors,
    /// The number of the cut.
    at: usize,
    steps: Steps<Line>,
}

impl<Line> Position<Line> {
    fn at(start: &Start) -> Self {
        let Start { left, at, rest } = start.clone();
        Self { left, at, steps: Steps { lines: vec![], rest: vec![rest], below: None } }
    }
}

/// What is left when slices begin to be cut off.
#[derive(Clone)]
struct Start {
    left: Factors,
    /// The number of the cut.
    at: usize,
    rest: Rest,
}

impl Start {
    /// All losses that are not too rare to matter.
    fn without_rare(left: Factors) -> Option<Self> {
        let rest = Rest { tilt: 0.0, log_moment: left.log_cut_off()? };
        Some(Self { left, at: 0, rest })
    }

    /// All that is below a cut above which nothing has to be drawn.
    fn below(certain: &Certain, at: usize) -> Option<Self> {
        let left = certain.below().clone();
        let rest = Rest { tilt: 0.0, log_moment: left.log_beyond_ends()? };
        Some(Self { left, at, rest })
    }
}

/// Where a slice leads to.
enum Step<Line> {
    Next(Position<Line>),
    Last(Steps<Line>),
}

/// A slice, and the task of drawing its line.
struct Link {
    /// Where it was cut off.
    position: Position<usize>,
    /// How many of the lines that are tried first there will not do.
    failures: usize,
    /// The number of the task, if there is a line.
    number: Option<usize>,
    /// Is its line still wanted?
    is_wanted: Arc<AtomicBool>,
}

/// A line that is to be drawn as long as it is wanted.
struct Task {
    attempt: Attempt,
    is_wanted: Arc<AtomicBool>,
    has_begun: Arc<AtomicBool>,
}

/// A slice for which a line is drawn, or was.
struct Known {
    portions: Vec<Portion>,
    number: usize,
    has_begun: Arc<AtomicBool>,
}

impl Climbed {
    /// Draws the lines again that leave too much of δ in doubt at another ε, of what is allowed for all of them, and bounds the rest
    /// again. What they are of stays what it was: cuts may be anywhere. If that is for lack of digits, more are summed where they are missing.
    pub(super) fn moved_to(
        mut self,
        epsilon: f64,
        log_delta: f64,
        allowed: f64,
        lacks_digits: bool,
    ) -> Course {
        let most = PART_OF_ONE * allowed / self.slices.len() as f64 * exp(log_delta);
        let share = PART_OF_ONE * allowed;
        // With no more than this of each, none is far off.
        let enough = 0.8 * NOT_FAR_OFF / PART_OF_ONE * most;
        let width = |line: &ComposedLine| line.width(epsilon);
        let is_doubtful = |index: &usize, lines: &[ComposedLine]| width(&lines[*index]) > most;
        let all = 0..self.slices.len();
        let widened = |line: &ComposedLine, slice: &Factors| {
            let is_short = lacks_digits && line.lacks_digits(epsilon, most, enough);
            is_short.then(|| line.clone().widened(slice, ln(allowed) - BELOW_ALLOWED))
        };
        // One after the other, for each takes both threads.
        for index in all.clone().filter(|index| is_doubtful(index, &self.course.lines)).collect::<Vec<_>>() {
            if let Some(line) = widened(&self.course.lines[index], &self.slices[index].0) {
                self.course.lines[index] = line;
            }
        }
        let is_left = |index: &usize| {
            let width = width(&self.course.lines[*index]);
            width > if self.course.lines[*index].is_wide() { enough } else { most }
        };
        let doubtful: Vec<usize> = all.filter(is_left).collect();
        let others = mapped(&doubtful, 2, |&index| {
            let (slice, most_tilt) = &self.slices[index];
            let aim = Aim { log_delta, log_accuracy: self.log_accuracy, most_tilt: *most_tilt };
            let line = &self.course.lines[index];
            let anew = planned(slice, epsilon, line.plan.tilt, aim, (LONGEST, share));
            let longer = || plan::longer(slice, line.plan).filter(|longer| longer.line.points <= LONGEST);
            let draw = |planned| drawn(slice, planned, self.log_accuracy);
            let other = anew.and_then(draw).or_else(|| longer().and_then(draw))?;
            Some(widened(&other, slice).unwrap_or(other))
        });
        for (index, other) in doubtful.into_iter().zip(others) {
            let line = &mut self.course.lines[index];
            if let Some(other) = other.filter(|other| width(other) < width(line)) {
                *line = other;
            }
        }
        if let (Some(below), Some(rest)) = (&self.below, self.course.rest.last_mut())
            && rest.at(epsilon) > most
            && let Some(other) = bounded(below, epsilon, ln(most))
        {
            *rest = other;
        }
        self.course
    }
}

/// What a slice is to be like.
#[derive(Clone, Copy)]
struct Ladder<'a> {
    factors: &'a Factors,
    rough: &'a Rough,
    epsilon: f64,
    log_delta: f64,
    /// The part of δ that errors are aimed at, as a logarithm.
    log_accuracy: f64,
    /// What may be left out, as a logarithm.
    wanted: f64,
    sharpness: f64,
    /// What part of δ a line may leave in doubt.
    share: f64,
}

impl Ladder<'_> {
    /// Cuts slice after slice; if there are many, on two threads.
    fn drawn_steps(self, start: &Start) -> Option<Steps<ComposedLine>> {
        let slices = self.rough.tilted_cuts(self.epsilon, self.wanted, self.log_delta + NEGLIGIBLE).count();
        if slices < MANY_SLICES {
            let mut position = Position::at(start);
            loop {
                match self.step(position, &|attempt| self.line(attempt))? {
                    Step::Next(next) => position = next,
                    Step::Last(steps) => return Some(steps),
                }
            }
        }
        let start = Position::at(start);
        let (found, drawn) = beside(
            |Task { attempt, is_wanted, has_begun }| {
                if !is_wanted.load(Ordering::Relaxed) {
                    return None;
                }
                has_begun.store(true, Ordering::Relaxed);
                self.line(attempt)
            },
            |tasks| self.found_steps(start, tasks),
        );
        let Steps { lines, rest, below } = found?;
        let mut drawn: Vec<Option<ComposedLine>> = drawn;
        let lines = lines
            .into_iter()
            .map(|(number, slice, most_tilt)| Some((drawn[number].take()?, slice, most_tilt)));
        Some(Steps { lines: lines.collect::<Option<_>>()?, rest, below })
    }

    /// Cuts slice after slice as if all lines would do, which are planned and drawn meanwhile. Where one will not do, another is tried, and
    /// all that comes after it is cut anew; slices that are the same then keep the line that was begun for them. The number of a task stands for its line.
    fn found_steps(
        self,
        start: Position<usize>,
        tasks: Tasks<'_, Task, Option<ComposedLine>>,
    ) -> Option<Steps<usize>> {
        let mut chain: Vec<Link> = Vec::new();
        let known: RefCell<Vec<Known>> = RefCell::default();
        let (mut position, mut failures) = (start, 0);
        loop {
            let tried = Cell::new(0);
            let number = Cell::new(None);
            let is_wanted = Arc::new(AtomicBool::new(true));
            let step = self.step(position.clone(), &|attempt| {
                tried.set(tried.get() + 1);
                (tried.get() > failures).then(|| {
                    let portions = attempt.portions();
                    let mut known = known.borrow_mut();
                    let is_same = |other: &&Known| {
                        other.has_begun.load(Ordering::Relaxed) && portions.as_ref() == Some(&other.portions)
                    };
                    if let Some(same) = known.iter().find(is_same) {
                        number.set(Some(same.number));
                        return same.number;
                    }
                    let cost = attempt.points().unwrap_or(USUAL_POINTS);
                    let has_begun = Arc::new(AtomicBool::new(false));
                    let task = Task { attempt, is_wanted: is_wanted.clone(), has_begun: has_begun.clone() };
                    let added = tasks.add(task, cost);
                    if let Some(portions) = portions {
                        known.push(Known { portions, number: added, has_begun });
                    }
                    number.set(Some(added));
                    added
                })
            });
            chain.push(Link { position, failures, number: number.get(), is_wanted });
            // After the last one all lines have to be there.
            let is_last = !matches!(step, Some(Step::Next(_)));
            let numbers = chain.iter().map(|link| link.number);
            if let Some(first) = tasks.first_failed(numbers, is_last) {
                let mut dropped = chain.drain(first..);
                let Link { position: at, failures: before, .. } = dropped.next()?;
                dropped.for_each(|link| link.is_wanted.store(false, Ordering::Relaxed));
                (position, failures) = (at, before + 1);
                continue;
            }
            match step? {
                Step::Next(next) => (position, failures) = (next, 0),
                Step::Last(steps) => return Some(steps),
            }
        }
    }

    /// Cuts the next slice, for the line that `draw` makes of it if it can.
    fn step<Line>(
        self,
        position: Position<Line>,
        draw: &dyn Fn(Attempt) -> Option<Line>,
    ) -> Option<Step<Line>> {
        check();
        let Self { rough, epsilon, wanted, .. } = self;
        let Position { left, at, mut steps } = position;
        let last = rough.cuts().len() - 1;
        let (together, tilt) = rough.below(at, epsilon, f64::INFINITY);
        let apart = rough.apart(at, usize::MAX, epsilon);
        if (together < wanted || rough.is_last(tilt)) && at > 0 {
            // Of what a smooth cut leaves a little more may be left: the next of its lines would be the last one anyway.
            let enough = [wanted, self.log_delta + ln(PART_OF_ONE * self.share)];
            if let Some(rest) = enough.into_iter().find_map(|log| bounded(&left, epsilon, log)) {
                return Some(Step::Last(steps.over(left, rest)));
            }
        }
        let loss = if at == 0 { LOSS_OF_ALL } else { LOSS };
        let most_tilt = self.most_tilt(at);
        let much = LARGEST_GAIN / MOST_GAIN * most_tilt;
        let is_one_scale = if tilt < much {
            together < apart + loss
        } else {
            rough.below(at, epsilon, much).0 < self.log_delta + NEGLIGIBLE
        };
        let may_do = is_one_scale && rough.resolution(at, tilt.min(much), DECAYED) < HOPELESS;
        if (may_do || at == last)
            && let Some(planned) = self.planned(&left, at, tilt, if at == last { LONGEST } else { LONG })
            && let Some(line) = draw(Attempt::planned(&left, planned, LOG_FINE))
        {
            steps.lines.push((line, left, most_tilt));
            return Some(Step::Last(steps));
        }
        let Some(Sliced { bulk, hits, to, line }) = self.slice(&left, at, draw) else {
            // What cannot be cut may do as it is, or be little.
            if let Some(rest) = bounded(&left, epsilon, self.log_delta + LOG_FINE).filter(|_| at > 0) {
                return Some(Step::Last(steps.over(left, rest)));
            }
            let log_least = if at == 0 { LOG_POOR } else { LOG_FINE };
            let planned = self.planned(&left, at, tilt, LONGEST)?;
            let line = draw(Attempt::planned(&left, planned, log_least))?;
            steps.lines.push((line, left, most_tilt));
            return Some(Step::Last(steps));
        };
        steps.lines.push((line, hits, most_tilt));
        steps.rest.push(Rest { tilt: 0.0, log_moment: bulk.log_beyond_ends()? });
        Some(Step::Next(Position { left: bulk, at: to, steps }))
    }

    /// Cuts one slice off: as much as one line can take, but the cuts of a slice are some spreads apart. `None` if no line will do.
    fn slice<Line>(
        self,
        left: &Factors,
        at: usize,
        draw: &dyn Fn(Attempt) -> Option<Line>,
    ) -> Option<Sliced<Line>> {
        let Self { rough, epsilon, log_delta, wanted, sharpness, .. } = self;
        let last = rough.cuts().len() - 1;
        let nearest = (at + 1..=last).find(|&to| left.can_be_split(rough.cuts()[to], sharpness))?;
        let least = log_delta + NEGLIGIBLE;
        let is_one_scale = |to: usize| {
            let much = self.much_tilt(at);
            let (together, tilt) = rough.between(at, to, epsilon, f64::INFINITY);
            if tilt < much {
                together.max(least) < rough.apart(at, to, epsilon).max(least) + LOSS
            } else {
                rough.between(at, to, epsilon, much).0 < least
            }
        };
        let farthest = last.min(at + SPAN);
        let mut to = (nearest..farthest).find(|&to| !is_one_scale(to + 1)).unwrap_or(farthest).max(nearest);
        loop {
            let (bulk, hits) = left.split(rough.cuts()[to], wanted, sharpness)?;
            let nearer = nearest.max(at + (to - at) / 2);
            let is_nearest = to == nearest;
            let attempt = Attempt {
                factors: hits.clone(),
                line: AttemptedLine::Slice { at, to, half: (!is_nearest).then(|| (nearer, left.clone())) },
                log_least: if is_nearest { LOG_POOR } else { LOG_FINE },
            };
            if let Some(line) = draw(attempt) {
                return Some(Sliced { bulk, hits, to, line });
            }
            if is_nearest {
                return None;
            }
            to = nearer;
        }
    }

    /// Where the line for a slice between two cuts would be.
    fn planned_slice(self, hits: &Factors, at: usize, to: usize) -> Option<Planned> {
        let (_, tilt) = self.rough.between(at, to, self.epsilon, self.much_tilt(at));
        self.planned(hits, at, tilt, LONGEST)
    }

    /// Has half of a slice a line that is far shorter than one of so many points? Then so will the other half.
    fn is_half_shorter(self, at: usize, (nearer, left): (usize, Factors), points: usize) -> bool {
        let half = left.split(self.rough.cuts()[nearer], self.wanted, self.sharpness);
        let planned = half.and_then(|(_, half)| self.planned_slice(&half, at, nearer));
        planned.is_some_and(|half| 2 * half.line.points < points)
    }

    /// Where a line for what is below a cut would be, at about the tilt given, if it is not longer than said.
    fn planned(self, factors: &Factors, cut: usize, tilt: f64, longest: usize) -> Option<Planned> {
        let Self { epsilon, log_delta, log_accuracy, share, .. } = self;
        let aim = Aim { log_delta, log_accuracy, most_tilt: self.most_tilt(cut) };
        planned(factors, epsilon, tilt, aim, (longest, share))
    }

    /// The tilt beyond which `e^{cL}` outgrows the end of a cut.
    fn most_tilt(self, cut: usize) -> f64 {
        MOST_GAIN / self.factors.gain(self.rough.cuts()[cut], self.sharpness)
    }

    /// The tilt beyond which it comes close to that.
    fn much_tilt(self, cut: usize) -> f64 {
        MUCH_GAIN / MOST_GAIN * self.most_tilt(cut)
    }

    /// The line of an attempt, if its width at ε is as small against δ as it must be.
    fn line(self, attempt: Attempt) -> Option<ComposedLine> {
        let Self { epsilon, log_delta, share, .. } = self;
        let Attempt { factors, line, log_least } = attempt;
        let line = match line {
            AttemptedLine::Planned(planned) => drawn(&factors, planned, self.log_accuracy)?,
            AttemptedLine::Slice { at, to, half } => {
                let planned = self.planned_slice(&factors, at, to)?;
                let points = planned.line.points;
                if half.is_some_and(|half| points > LONG_SLICE && self.is_half_shorter(at, half, points)) {
                    return None;
                }
                drawn(&factors, planned, self.log_accuracy)?
            }
        };
        line.integral(epsilon).is_within(log_delta, log_least.max(ln(share))).then_some(line)
    }
}

/// All of a composition as a rest, if it is no more than `e^{log_most}` or little more.
fn bounded(factors: &Factors, epsilon: f64, log_most: f64) -> Option<Rest> {
    let tilt = saddle::negligible(factors, epsilon, log_most)?;
    let rest = Rest { tilt, log_moment: line::log_moment(factors, tilt)? };
    // A sketch does not see where `e^{cL}` begins to outgrow the end of a cut.
    (ln(rest.at(epsilon)) <= log_most + LITTLE_MORE).then_some(rest)
}

/// Where a line for ε would be, at about the tilt given, if it is not longer than said, and not expected to leave more in doubt than a
/// part of the share.
pub(super) fn planned(
    factors: &Factors,
    epsilon: f64,
    tilt: f64,
    aim: Aim,
    (longest, share): (usize, f64),
) -> Option<Planned> {
    let most = if factors.hits.is_some() { MUCH_GAIN } else { LARGEST_GAIN } / MOST_GAIN * aim.most_tilt;
    let saddle = saddle::find_near(factors, epsilon, tilt)?.up_to(most, epsilon);
    let planned = plan::plan(factors, &saddle, aim);
    let is_fine = planned.line.expected_width <= FINE.max(PART_EXPECTED * share);
    (is_fine && planned.line.points <= longest).then_some(planned)
}

fn drawn(factors: &Factors, planned: Planned, log_accuracy: f64) -> Option<ComposedLine> {
    // All digits show in what is below the last cut, where M is next to 1.
    let all = log_accuracy < LOG_ACCURACY && factors.hits.is_none();
    let usual = if all { Exactness::ALL } else { Exactness::USUAL };
    let most_direct = if factors.hits.is_none() { usual.most_direct.min(FEW) } else { usual.most_direct };
    // What is above a cut may be far less than what is below, of which the same rule has to have its digits.
    let log_tolerance = log_accuracy.min(LOG_ACCURACY) + LOG_OF_RULES;
    let exactness = Exactness { log_tolerance, most_direct, ..usual };
    ComposedLine::new(factors, planned.envelope, planned.line, exactness)
}

/// What is left below a slice, the slice, the cut and the line.
struct Sliced<Line> {
    bulk: Factors,
    hits: Factors,
    to: usize,
    line: Line,
}

/// A line that is to be drawn, if it will do.
struct Attempt {
    factors: Factors,
    line: AttemptedLine,
    /// How small its width has to be against δ, as a logarithm.
    log_least: f64,
}

enum AttemptedLine {
    Planned(Planned),
    /// Still to be planned, for what is between two cuts; with a cut nearer to the first that may be tried instead, and what it would cut.
    Slice {
        at: usize,
        to: usize,
        half: Option<(usize, Factors)>,
    },
}

impl Attempt {
    fn planned(factors: &Factors, planned: Planned, log_least: f64) -> Self {
        Self { factors: factors.clone(), line: AttemptedLine::Planned(planned), log_least }
    }

    /// What tells a slice from others, all of which are to be as narrow.
    fn portions(&self) -> Option<Vec<Portion>> {
        match self.line {
            AttemptedLine::Slice { half: Some(_), .. } => Some(self.factors.portions()),
            AttemptedLine::Slice { half: None, .. } | AttemptedLine::Planned(_) => None,
        }
    }

    /// How many points it takes, if that is known.
    fn points(&self) -> Option<usize> {
        match &self.line {
            AttemptedLine::Planned(planned) => Some(planned.line.points),
            AttemptedLine::Slice { .. } => None,
        }
    }
}
