//! Two numbers with the target between them.

use super::{CalibrationError, Point, Problem, domain::Domain};

/// What lies on the way through the domain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// The target is proven to be met at one number and not at the other.
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
    let mut walks = [Walk::new(domain.most, start), Walk::new(domain.least, start)];
    let mut step = 0;
    while walks.iter().any(|walk| !walk.ended) {
        let falling = direction(start, &walks);
        for (walk, is_falling) in walks.iter_mut().zip(falling) {
            // Where the excess falls the target may come to be met; away from what is looked for there is nothing to find.
            let is_hopeful = is_falling.is_none_or(|is_falling| is_falling != start.is_met());
            let next = domain.towards(walk.end, walk.last.at, step).filter(|_| is_hopeful && !walk.ended);
            // Beyond what can be computed: what was seen before remains.
            let Some(point) = next.and_then(|next| problem.read_as_needed(next).ok()) else {
                walk.ended = true;
                continue;
            };
            let before = std::mem::replace(&mut walk.last, point);
            match (before.is_met(), point.is_met()) {
                (true, false) => return Ok(Found::Bracket { meets: before, misses: point }),
                (false, true) => return Ok(Found::Bracket { meets: point, misses: before }),
                (true, true) | (false, false) => {}
            }
        }
        step += 1;
    }
    // Of those that tie, the one that went furthest.
    let ends = [start, walks[0].last, walks[1].last];
    let most = |point: &Point| point.reading.excess + point.reading.uncertainty;
    let pick = |is_better: fn(f64, f64) -> bool| {
        ends.into_iter().reduce(|a, b| if is_better(most(&b), most(&a)) { b } else { a }).unwrap_or(start).at
    };
    Ok(if start.is_met() {
        Found::EveryValue { value: pick(|new, old| new >= old) }
    } else {
        Found::Impossible { closest: pick(|new, old| new <= old) }
    })
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
    let [up, down] = walks.map(|walk| walk.last.reading.excess - start.reading.excess);
    let rise = up - down;
    let doubt = walks.iter().map(|walk| walk.last.reading.uncertainty).fold(LEVEL, |sum, next| sum + next);
    if rise.abs() <= doubt || rise.is_nan() { [None, None] } else { [Some(rise < 0.0), Some(rise > 0.0)] }
}
