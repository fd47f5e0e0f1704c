//! A real number, as close to the target as enclosures tell.

use super::{CalibrationError, Outcome, Point, Problem, target::Verdict};
use hockeystick_numerics::roots::{Tolerance, bracketed_root};

/// The search stops when the bracket is this narrow, relative to the number, if enclosures are that narrow.
const FINEST: f64 = 2e-14;
/// How often an end is moved outward, each time twice as far.
const MOVES: i32 = 60;

/// Searches between two numbers on midpoints, then moves to either side until the target is proven to be met and missed.
pub(super) fn refine(
    problem: &Problem<'_>,
    meets: Point,
    misses: Point,
) -> Result<Outcome, CalibrationError> {
    let (private, wasteful) = (meets.at, misses.at);
    let search = problem.in_direction_of(&meets);
    // A number that cannot be read counts as one that misses.
    let mut nearest = [meets, misses];
    let excess = |at: f64| match search.read(at) {
        Ok(point) => {
            nearest = [nearest[1], point];
            point.reading.excess
        }
        Err(_) => misses.reading.excess.abs().max(1.0),
    };
    let tolerance = FINEST.max(0.1 * offset(meets, misses, meets.reading.uncertainty));
    let (low, high) = if private < wasteful { (private, wasteful) } else { (wasteful, private) };
    let root = bracketed_root(excess, low, high, Tolerance::relative(tolerance));
    let Ok(root) = root else {
        return Ok(Outcome::Found { value: private, too_little: proven_miss(problem, misses) });
    };
    let (towards_private, towards_wasteful) =
        if private < wasteful { (root.lower, root.upper) } else { (root.upper, root.lower) };
    // How far apart numbers must be for enclosures to tell them apart, from the last two that were read.
    let [a, b] = nearest;
    let apart = offset(a, b, a.reading.uncertainty.max(b.reading.uncertainty)).clamp(f64::EPSILON, 0.1);
    let value = outward(problem, towards_private, private, apart, Verdict::Meets).unwrap_or(private);
    let too_little = outward(problem, towards_wasteful, wasteful, apart, Verdict::Misses)
        .or_else(|| proven_miss(problem, misses));
    Ok(Outcome::Found { value, too_little })
}

/// The relative distance at which the excess changes by `uncertainty`, from the slope between two points.
fn offset(a: Point, b: Point, uncertainty: f64) -> f64 {
    let slope =
        (a.reading.excess - b.reading.excess).abs() / (a.at - b.at).abs() * a.at.abs().max(b.at.abs());
    let offset = uncertainty / slope;
    if offset.is_finite() { offset } else { 0.0 }
}

/// The first number from `start` towards `limit`, in steps that double, at which the verdict is proven.
fn outward(problem: &Problem<'_>, start: f64, limit: f64, step: f64, verdict: Verdict) -> Option<f64> {
    let toward = (limit - start).signum();
    let scale = start.abs().max(f64::MIN_POSITIVE);
    (0..MOVES)
        .map(|i| start + toward * scale * step * if i == 0 { 0.0 } else { 1.2 * 2f64.powi(i - 1) })
        .take_while(|at| (limit - at) * toward >= 0.0)
        .find(|&at| problem.read(at).is_ok_and(|point| point.reading.verdict == verdict))
}

/// A number that was read in one direction, if all directions together prove it to miss.
fn proven_miss(problem: &Problem<'_>, misses: Point) -> Option<f64> {
    problem.read(misses.at).is_ok_and(|point| point.reading.verdict == Verdict::Misses).then_some(misses.at)
}
