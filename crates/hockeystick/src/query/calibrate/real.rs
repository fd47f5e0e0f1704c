//! A real number, as close to the target as enclosures tell.

use super::{
    error::CalibrationError,
    outcome::{Outcome, Proposal},
    problem::{Point, Problem},
    target::Verdict,
};

/// The search ends here at the latest; about five rounds are usual.
const MOST_ROUNDS: u32 = 120;
/// Between readings that say too little to search with, the bracket is narrowed to this part of itself and no further.
const BLIND: f64 = 1e-4;
/// How often an end is moved outward, each time twice as far.
const MOVES: i32 = 60;
/// The same for a number that meets the target and whose ε at the target's δ comes out a rounding above it: `2¹²` steps are far
/// more than lines that aim at nine digits of ε need.
const MOVES_FOR_THE_INVERSE: i32 = 12;

/// Searches between two numbers on midpoints, then moves to either side until the target is proven to be met and missed.
pub(super) fn refine(
    problem: &Problem<'_>,
    meets: Point,
    misses: Point,
) -> Result<Proposal, CalibrationError> {
    let search = problem.in_direction_of(&meets);
    let Nearest { root, slope, uncertainty } = search_between(&search, meets, misses, 0.0);
    // How far apart numbers must be for enclosures to tell them apart.
    let step = (1.5 * uncertainty / slope).abs();
    let least = 2.0 * f64::EPSILON * root.abs();
    let step = if step.is_finite() { step.max(least) } else { least };
    let proven = outward(problem, root, meets.at, step, Verdict::Meets)
        .map(|met| also_when_inverted(problem, met, meets.at, step));
    // What misses the target in one direction misses it. An end that is not proven to miss may be the root itself: then what
    // is beyond it is looked at.
    let is_proven = misses.reading.verdict == Verdict::Misses;
    let limit = if is_proven { misses.at } else { misses.at + (misses.at - meets.at) };
    let too_little = outward(&search, root, limit, step, Verdict::Misses).or(is_proven.then_some(misses.at));
    let outcome = Outcome::Found { value: proven.unwrap_or(meets.at), too_little };
    Ok(Proposal { outcome, is_proven: proven.is_some() })
}

/// Where the search ended.
pub(super) struct Nearest {
    pub(super) root: f64,
    /// Excess per unit.
    slope: f64,
    uncertainty: f64,
}

/// Inverse quadratic interpolation through the last three points where it stays inside the bracket and narrows it, else
/// bisection. It ends where the excess is at most `close`, or cannot be told from 0.
pub(super) fn search_between(problem: &Problem<'_>, meets: Point, misses: Point, close: f64) -> Nearest {
    let (mut private, mut wasteful) = (meets, misses);
    let mut recent: Vec<Point> = [misses, meets].into_iter().filter(Point::is_informative).collect();
    let mut width = f64::INFINITY;
    for round in 0..MOST_ROUNDS {
        let (low, high) = (private.at.min(wasteful.at), private.at.max(wasteful.at));
        // Interpolation that does not halve the bracket in three rounds is not trusted in the next.
        let is_slow = round % 4 == 3 && high - low > 0.5 * width;
        if round % 4 == 3 {
            width = high - low;
        }
        let proposal = if is_slow { None } else { interpolated(&recent) };
        let at = proposal.filter(|at| low < *at && *at < high).unwrap_or_else(|| middle(low, high));
        if at <= low || at >= high {
            break;
        }
        // A number that cannot be read counts as one that misses.
        let point = problem.read_as_needed(at).unwrap_or(Point { at, reading: misses.reading });
        if !point.is_informative() {
            wasteful = point;
            if high - low < BLIND * high {
                break;
            }
            continue;
        }
        if point.reading.excess <= 0.0 {
            private = point
        } else {
            wasteful = point
        }
        recent.push(point);
        if point.reading.excess.abs() <= close.max(2.0 * point.reading.uncertainty.max(f64::EPSILON)) {
            break;
        }
    }
    let last = recent.last().copied().unwrap_or(private);
    // The slope from the point before that is far enough away to show one.
    let other = recent.iter().rev().skip(1).find(|point| {
        (point.reading.excess - last.reading.excess).abs() > 1e3 * last.reading.uncertainty
            && point.at != last.at
    });
    let slope =
        other.map_or(f64::NAN, |other| (last.reading.excess - other.reading.excess) / (last.at - other.at));
    let correction = last.reading.excess / slope;
    let root = if correction.is_finite() { last.at - correction } else { last.at };
    let (low, high) = (private.at.min(wasteful.at), private.at.max(wasteful.at));
    Nearest { root: root.clamp(low, high), slope, uncertainty: last.reading.uncertainty }
}

/// Where the curve through the last points, taken as a function of the excess, has excess 0.
fn interpolated(points: &[Point]) -> Option<f64> {
    let point = |back: usize| {
        points.get(points.len().checked_sub(back)?).map(|point| (point.reading.excess, point.at))
    };
    let ((fa, a), (fb, b)) = (point(1)?, point(2)?);
    let line = a - fa * (a - b) / (fa - fb);
    let Some((fc, c)) = point(3) else { return Some(line) };
    let curve = a * fb * fc / ((fa - fb) * (fa - fc))
        + b * fa * fc / ((fb - fa) * (fb - fc))
        + c * fa * fb / ((fc - fa) * (fc - fb));
    if curve.is_finite() { Some(curve) } else { Some(line) }.filter(|at| at.is_finite())
}

/// Between numbers of different size the one of a size between, else the middle.
fn middle(low: f64, high: f64) -> f64 {
    if low > 0.0 && high > 4.0 * low { (low * high).sqrt() } else { 0.5 * low + 0.5 * high }
}

/// The first number from `start` towards `limit`, in steps that double, at which the verdict is proven.
fn outward(problem: &Problem<'_>, start: f64, limit: f64, step: f64, verdict: Verdict) -> Option<f64> {
    let toward = (limit - start).signum();
    let mut last = f64::NAN;
    (0..MOVES)
        .map(|i| start + toward * step * 2f64.powi(i))
        // Next to 0 the first steps are lost in roundings.
        .filter(|&at| std::mem::replace(&mut last, at) != at)
        .take_while(|at| (limit - at) * toward >= 0.0)
        .find(|&at| problem.read(at).is_ok_and(|point| point.reading.verdict == verdict))
}

/// A number a little more private than `met` whose own answer, in the terms of the target, does not exceed it either: ε at the target's δ is known
/// to fewer digits than δ at its ε, and people ask for it next. If there is none nearby, `met` itself, which is proven.
fn also_when_inverted(problem: &Problem<'_>, met: f64, limit: f64, step: f64) -> f64 {
    let toward = (limit - met).signum();
    std::iter::once(met)
        .chain((0..MOVES_FOR_THE_INVERSE).map(|i| met + toward * step * 2f64.powi(i)))
        .take_while(|at| (limit - at) * toward >= 0.0)
        .find(|&at| problem.is_answered_within(at))
        .unwrap_or(met)
}

#[cfg(test)]
mod tests {
    use crate::{
        mechanism::{Hole, Mechanism, Relation, Template},
        query::{CalibrationError, Family, Method, Outcome, Target, calibrate},
    };
    use std::sync::Mutex;

    /// Notes which numbers it is asked for.
    struct Noted(Template, Mutex<Vec<f64>>);

    impl Family for Noted {
        fn hole(&self) -> Hole {
            self.0.hole()
        }

        fn fill(&self, value: f64) -> Result<Mechanism, CalibrationError> {
            self.1.lock().unwrap().push(value);
            Ok(self.0.fill(value)?)
        }
    }

    /// Steps from the smallest double are lost in roundings: the same question was asked sixty times.
    #[test]
    fn no_number_is_read_again_and_again() {
        let template = Template::parse("poisson(gaussian(sigma=1), rate=?)").unwrap();
        let noted = Noted(template, Mutex::default());
        let target = Target::Guarantee { epsilon: 1e-300, delta: 1e-323 };
        let found = calibrate(&noted, target, Relation::AddRemove, Method::Auto, None).unwrap();
        assert!(matches!(found.outcome(), Outcome::Found { .. }), "{:?}", found.outcome());
        let asked = noted.1.into_inner().unwrap();
        let value = found.value().unwrap();
        let times = asked.iter().filter(|&&at| at == value).count();
        assert!(times < 12, "{value:e} was asked for {times} times");
    }
}
