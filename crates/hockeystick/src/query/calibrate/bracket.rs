//! Two numbers with the target between them.

use super::{
    domain::Domain,
    error::CalibrationError,
    problem::{Point, Problem},
};

/// What lies on the way through the domain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// The target is proven to be met at one number and not at the other, in the direction that is searched in.
    Bracket { meets: Point, misses: Point },
    /// The target is met to the end of the domain, or as far as questions are answered.
    EveryValue { value: f64 },
    /// The target is not met to the end of the domain, or as far as questions are answered.
    Impossible { closest: f64 },
}

/// Differences of the excess below this do not tell a direction.
const LEVEL: f64 = 1e-9;

/// Walks from the start towards more privacy if it is lacking, towards less if there is enough, in growing steps.
pub(super) fn between(problem: &Problem<'_>, domain: &Domain) -> Result<Found, CalibrationError> {
    let start = problem.read_as_needed(domain.start)?;
    let problem = problem.in_direction_of(&start);
    let mut walks = domain.ends().map(|end| Walk::new(end, start));
    let mut seen = vec![start];
    let mut step = 0;
    while walks.iter().any(|walk| !walk.ended) {
        let falling = direction(start, &walks);
        for (walk, is_falling) in walks.iter_mut().zip(falling) {
            // Where the excess falls the target may come to be met; away from what is looked for there is nothing to find.
            let is_hopeful = is_falling.is_none_or(|is_falling| is_falling != start.is_met());
            let next = domain.towards(walk.end, walk.last.at, step).filter(|_| is_hopeful && !walk.ended);
            // Beyond what can be computed: what was seen before remains.
            let next = next.and_then(|next| problem.allowed(walk.last.at, next));
            let Some(point) = next.and_then(|next| problem.read_as_needed(next).ok()) else {
                walk.ended = true;
                continue;
            };
            let before = std::mem::replace(&mut walk.last, point);
            seen.push(point);
            match (before.is_met(), point.is_met()) {
                (true, false) => return Ok(Found::Bracket { meets: before, misses: point }),
                (false, true) => return Ok(Found::Bracket { meets: point, misses: before }),
                (true, true) | (false, false) => {}
            }
        }
        step += 1;
    }
    if start.is_met() {
        // Of those that tie, the one that went furthest.
        let worst = |a: Point, b: Point| if most(&b) >= most(&a) { b } else { a };
        return Ok(Found::EveryValue { value: seen.into_iter().reduce(worst).unwrap_or(start).at });
    }
    Ok(valley(&problem, seen))
}

/// The largest excess that a reading allows.
fn most(point: &Point) -> f64 {
    point.reading.excess + point.reading.uncertainty
}

/// Steps taken into a valley.
const VALLEY_STEPS: u32 = 24;

/// Not everything is monotone: noise that is truncated must be neither small nor large. Where the excess first falls and
/// then rises, the target may be met between.
fn valley(problem: &Problem<'_>, mut seen: Vec<Point>) -> Found {
    seen.sort_by(|a, b| a.at.total_cmp(&b.at));
    seen.dedup_by(|a, b| a.at == b.at);
    for _ in 0..VALLEY_STEPS {
        let deepest = (0..seen.len()).min_by(|&a, &b| most(&seen[a]).total_cmp(&most(&seen[b]))).unwrap_or(0);
        let sides = [deepest.checked_sub(1), Some(deepest + 1).filter(|&next| next < seen.len())];
        // Into the wider of the gaps beside the deepest point.
        let gap = |side: usize| (seen[side].at.max(f64::MIN_POSITIVE) / seen[deepest].at).ln().abs();
        let Some(side) = sides.into_iter().flatten().max_by(|&a, &b| gap(a).total_cmp(&gap(b))) else {
            break;
        };
        let (from, to) = (seen[deepest].at, seen[side].at);
        let between = if from > 0.0 && to > 0.0 { (from * to).sqrt() } else { 0.5 * (from + to) };
        let between = if problem.family.hole().whole { between.round() } else { between };
        if between == from || between == to {
            break;
        }
        let Ok(point) = problem.read_as_needed(between) else { break };
        if point.is_met() {
            // The smaller neighbour: of two numbers that will do, less is usually cheaper.
            let below = seen.iter().rev().find(|other| other.at < point.at);
            let misses = below.or_else(|| seen.first()).copied().unwrap_or(point);
            return Found::Bracket { meets: point, misses };
        }
        seen.insert(deepest.max(side), point);
    }
    let closest = seen.iter().min_by(|a, b| most(a).total_cmp(&most(b)));
    Found::Impossible { closest: closest.map_or(f64::NAN, |point| point.at) }
}

/// A walk to one end of the domain.
#[derive(Clone, Copy)]
struct Walk {
    end: f64,
    last: Point,
    ended: bool,
}

impl Walk {
    fn new(end: f64, start: Point) -> Self {
        Self { end, last: start, ended: false }
    }
}

/// Whether the excess falls along each walk, once that can be told.
fn direction(start: Point, walks: &[Walk; 2]) -> [Option<bool>; 2] {
    let [one, other] = walks.map(|walk| walk.last.reading.excess - start.reading.excess);
    let rise = one - other;
    let doubt = walks.iter().map(|walk| walk.last.reading.uncertainty).fold(LEVEL, |sum, next| sum + next);
    if rise.abs() <= doubt || rise.is_nan() { [None, None] } else { [Some(rise < 0.0), Some(rise > 0.0)] }
}
