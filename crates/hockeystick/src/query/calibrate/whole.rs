//! A whole number next to one that is not enough.

use super::{
    error::CalibrationError,
    outcome::{Outcome, Proposal},
    problem::{Point, Problem},
    target::Verdict,
};

/// How often the next number may be undecided, each time twice as far, before none is named.
const MOVES: u32 = 50;

/// Narrows two whole numbers to neighbours: one proven to meet the target, one not.
pub(super) fn refine(
    problem: &Problem<'_>,
    meets: Point,
    misses: Point,
) -> Result<Proposal, CalibrationError> {
    let (mut private, mut wasteful) = (meets, misses);
    let mut round = 0;
    while (private.at - wasteful.at).abs() > 1.0 {
        let middle = read(problem, between(private, wasteful, round), wasteful)?;
        if middle.is_met() {
            private = middle
        } else {
            wasteful = middle
        }
        round += 1;
    }
    let away = (wasteful.at - private.at).signum();
    let further = (0..MOVES).map(|i| wasteful.at + away * (2f64.powi(i as i32) - 1.0));
    let too_little = further
        .take_while(|&at| problem.family.fill(at).is_ok())
        .find(|&at| problem.read(at).is_ok_and(|point| point.reading.verdict == Verdict::Misses));
    // What was read here was read in every direction.
    let is_proven = private.at != meets.at;
    Ok(Proposal { outcome: Outcome::Found { value: private.at, too_little }, is_proven })
}

/// A whole number strictly between: where a straight line crosses, or in the middle, in turns.
fn between(a: Point, b: Point, round: u32) -> f64 {
    let (low, high) = if a.at < b.at { (a, b) } else { (b, a) };
    let (log_low, log_high) = (low.at.max(0.5).ln(), high.at.ln());
    let share = low.reading.excess / (low.reading.excess - high.reading.excess);
    let guess = match round % 3 {
        0 => (log_low + share * (log_high - log_low)).exp(),
        1 => low.at + share * (high.at - low.at),
        _ => (0.5 * (log_low + log_high)).exp(),
    };
    let guess = if guess.is_finite() { guess.round() } else { (0.5 * (low.at + high.at)).floor() };
    guess.clamp(low.at + 1.0, high.at - 1.0)
}

/// What cannot be computed counts as missing the target, as its neighbour `like` does.
fn read(problem: &Problem<'_>, at: f64, like: Point) -> Result<Point, CalibrationError> {
    match problem.read_as_needed(at) {
        Ok(point) => Ok(point),
        Err(CalibrationError::Question(_)) => Ok(Point { at, reading: like.reading }),
        Err(error @ CalibrationError::Expression(_)) => Err(error),
    }
}
