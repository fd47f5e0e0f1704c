//! Questions next to the total variation: what is certain in closed form, and all else along a hyperbola.
//!
//! There δ hardly depends on ε, and nine digits of ε take up to twenty of δ. Where all losses together can take little away, that is to be had at once, whatever ε turns
//! out to be; and for the swapped pair as well, whose δ is that of this one a little below ε = 0.

use super::{
    bent::{Bent, Unfit},
    certain::Certain,
    course::{Course, LOG_ACCURACY, MARGIN, NOT_FAR_OFF, Settling, allowed},
    factors::Factors,
    rough::Rough,
};
use crate::engine::Goal;
use hockeystick_numerics::special::{expm1, ln};

/// Where δ is estimated to be below the total variation by less than this part of it, a hyperbola is tried: the first, unless there are many uses that together can
/// take more than little away. Estimates of how fast δ falls are of no use there.
const NEXT_TO_MOST: f64 = 0.03;
const NEXT_TO_MOST_OF_MORE: f64 = 0.003;
const LITTLE: f64 = 0.02;
const MANY_USES: f64 = 500.0;
/// Estimates of the total variation are too small by less than this part of it, for few uses and for many: beyond, δ is clearly above.
const CLEARLY_ABOVE: f64 = 0.3;
const CLEARLY_ABOVE_MANY: f64 = 0.01;
/// To which part of δ, as a logarithm; and if what is allowed is known, to this much less.
const LOG_PART: f64 = -41.5;
const LOG_SPARE: f64 = 2.5;
/// How smooth cuts are, as a part of the length on which the ratio grows by e, and at which part of where it should a hyperbola may cross the real line then.
const SMOOTH: [(f64, f64); 6] = [(0.25, 0.5), (0.2, 0.5), (0.16, 0.5), (0.13, 0.5), (0.11, 0.5), (0.09, 0.3)];
/// A cut that is sharper than it should be, by more than this part, is that of a law whose outcomes are far from each other.
const AS_SMOOTH: f64 = 0.99;
/// How far below 0 it is to be good for, as parts of the most that all losses take away.
const ROOM: f64 = 0.02;
const MOST_ROOM: f64 = 0.3;

/// A course for a question about the finite losses of a single pair, and the ε it is best at; `None` if there is a better way.
pub(super) fn course(
    factors: &Factors,
    (goal, known): (Goal, Option<Settling>),
    rough: &Rough,
    (epsilon, log_delta): (f64, f64),
) -> Option<(Course, f64)> {
    let log_part = match goal {
        Goal::Epsilon { .. } => {
            below_most(factors, rough, log_delta)?;
            LOG_PART
        }
        Goal::Delta { .. } => ln(known?.allowed) - LOG_SPARE,
    };
    let course = integrated(factors, epsilon, 2.0 * epsilon, log_delta + log_part)?;
    let at = course.center(goal, epsilon);
    let is_known = course.width(goal, at) < NOT_FAR_OFF * allowed(&course, goal, known, at);
    is_known.then_some((course, at))
}

/// A course for the ε at which the pair that is swapped from this one reaches δ, and that ε; `None` if there is a better way.
pub(super) fn of_swapped(factors: &Factors, delta: f64) -> Option<(Course, f64)> {
    let rough = Rough::new(factors, ln(delta) + LOG_ACCURACY + MARGIN)?;
    // Where δ is this much below its largest value, ε is about twice that.
    let below = 4.0 * delta * below_most(factors, &rough, ln(delta))?.max(0.0);
    let course = integrated(factors, 0.0, below, ln(delta) + LOG_PART)?;
    let course = Course { is_mirrored: true, ..course };
    let goal = Goal::Epsilon { delta };
    let guess = 2.0 * course.above(0.0, delta).midpoint();
    let at = course.center(goal, guess.max(f64::MIN_POSITIVE));
    let is_known = course.width(goal, at) < NOT_FAR_OFF * course.allowed(goal, at);
    is_known.then_some((course, at))
}

/// By about which part of itself the total variation is above δ; `None` if that is too much for a hyperbola, or if δ is clearly above.
fn below_most(factors: &Factors, rough: &Rough, log_delta: f64) -> Option<f64> {
    let taken = -factors.smallest_loss()?.lower();
    let is_easy = taken < LITTLE || factors.others.iter().all(|factor| factor.count < MANY_USES);
    let (above, most) =
        if is_easy { (CLEARLY_ABOVE, NEXT_TO_MOST) } else { (CLEARLY_ABOVE_MANY, NEXT_TO_MOST_OF_MORE) };
    let part = -expm1(log_delta - rough.log_delta(0.0));
    (-above..most).contains(&part).then_some(part)
}

/// All outcomes, from about as far below ε = 0 as said, to about `e^{wanted}`.
fn integrated(factors: &Factors, epsilon: f64, below: f64, wanted: f64) -> Option<Course> {
    for (sharpness, least_part) in SMOOTH {
        let certain = Certain::nearest(factors, epsilon, wanted, sharpness)?;
        let (law, count) = certain.below().rises()?;
        if law.unit() < AS_SMOOTH * sharpness {
            continue;
        }
        let taken = certain.most_taken();
        let least = -below.max(ROOM * taken).min(MOST_ROOM * taken);
        match Bent::new(law, count, least, wanted, least_part) {
            Ok(bent) => {
                return Some(Course { certain: Some(certain), bent: Some(bent), ..Course::of(vec![]) });
            }
            Err(Unfit::TooSmooth) => {}
            Err(Unfit::InAnyCase) => return None,
        }
    }
    None
}
