//! Questions next to the total variation: what is certain in closed form, and all else along a hyperbola or one short line.
//!
//! There δ hardly depends on ε, and nine digits of ε take up to twenty of δ. How many they take is estimated first. Where all losses together can take little away, a hyperbola has as many at once, whatever ε turns
//! out to be; and for the swapped pair as well, whose δ is that of this one a little below ε = 0. Many uses hardly ever take away as much as they can, and what their common losses leave has a short line.

use super::{
    bent::{AtZero, Bent, Unfit},
    certain::Certain,
    chernoff::Rest,
    course::{BELOW_ALLOWED, Course, LOG_ACCURACY, MARGIN, NOT_FAR_OFF, SETTLED, Settling, allowed},
    factors::Factors,
    ladder::{LARGEST_GAIN, MOST_GAIN},
    line::{ComposedLine, Exactness},
    plan::{self, Aim},
    rough::Rough,
    saddle,
};
use crate::engine::Goal;
use hockeystick_numerics::special::{expm1, ln};

/// Where a rough estimate of the total variation is not farther from δ than by these parts of it, another one is made.
const MUCH_ABOVE: f64 = -4.0;
const MUCH_BELOW: f64 = 0.5;
/// Where that is above δ by less than this part of it, or below δ, a hyperbola is tried: below, it is to show that ε is 0, which takes few digits.
const NEXT_TO_MOST: f64 = 0.12;
const PART_TO_SHOW: f64 = 0.05;
/// It is off by less than this part where losses are of many scales.
const ESTIMATE_ERROR: f64 = 1e-4;
/// How smooth the cut for it is, where all losses together take away less than this, and where they do not; and how much may be left, as a logarithm.
const ESTIMATE_SMOOTH: [f64; 2] = [0.2, 0.12];
const ESTIMATE_LITTLE: f64 = 0.12;
const LOG_ESTIMATE: f64 = -15.0;
/// How much larger than where the slope at 0 leads ε may be.
const BENT: f64 = 1.3;
/// The part of δ that is allowed where it is next to nothing below the total variation; errors are aimed at this much less, as a logarithm.
const MOST_DIGITS: f64 = 1e-17;
const LOG_SPARE: f64 = 2.0;
/// A line with more digits that has more points takes longer than a hyperbola.
const LONG: usize = 600;
/// How smooth cuts are, as a part of the length on which the ratio grows by e, and at which part of where it should a hyperbola may cross the real line then.
const SMOOTH: [(f64, f64); 6] = [(0.25, 0.5), (0.2, 0.5), (0.16, 0.5), (0.13, 0.5), (0.11, 0.5), (0.09, 0.3)];
/// A cut that is sharper than it should be, by more than this part, is that of a law whose outcomes are far from each other.
const AS_SMOOTH: f64 = 0.99;
/// The same for lines of many uses.
const SHARPNESS_OF_MANY: f64 = 0.13;
/// How far below 0 it is to be good for, as parts of the most that all losses take away.
const ROOM: f64 = 0.02;
const MOST_ROOM: f64 = 0.3;

/// How far δ is from the total variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearness {
    /// About the ε at which it is reached, or a little more.
    pub(super) epsilon: f64,
    /// To which part of it δ should be known there.
    pub(super) allowed: f64,
}

impl Nearness {
    /// Of a single pair, in plain floats; `None` if δ is not next to the total variation.
    pub(super) fn new(factors: &Factors, rough: &Rough, delta: f64) -> Option<Self> {
        let may_be = factors.may_be_next_to_most(delta)
            && (MUCH_ABOVE..MUCH_BELOW).contains(&-expm1(ln(delta) - rough.log_delta(0.0)));
        let taken = may_be.then(|| factors.smallest_loss().map(|loss| -loss.lower())).flatten()?;
        let sharpness = ESTIMATE_SMOOTH[usize::from(taken > ESTIMATE_LITTLE)];
        let certain = Certain::nearest(factors, 0.0, ln(delta) + LOG_ESTIMATE, sharpness)?;
        let most = AtZero::new(&certain)?;
        let part = 1.0 - delta / most.delta;
        let allowed = match part {
            // δ falls by the same part of it as it is below.
            ESTIMATE_ERROR..NEXT_TO_MOST => SETTLED * part,
            _ if part >= NEXT_TO_MOST || part.is_nan() => return None,
            _ if part > -ESTIMATE_ERROR => MOST_DIGITS,
            _ => PART_TO_SHOW * -part,
        };
        let epsilon = BENT * part.max(ESTIMATE_ERROR) * most.delta / most.fall;
        Some(Self { epsilon, allowed })
    }

    /// To which part of δ errors are aimed at, as a logarithm.
    fn log_part(&self) -> f64 {
        ln(self.allowed) - LOG_SPARE
    }
}

/// A course for a question about the finite losses of a single pair, and the ε it is best at; `None` if there is a better way.
pub(super) fn course(
    factors: &Factors,
    (goal, known): (Goal, Option<Settling>),
    nearness: Option<Nearness>,
    (epsilon, log_delta): (f64, f64),
) -> Option<(Course, f64)> {
    let (epsilon, log_part) = match goal {
        Goal::Epsilon { .. } => (nearness?.epsilon, nearness?.log_part()),
        Goal::Delta { .. } => (epsilon, ln(known?.allowed) - LOG_SPARE),
    };
    let course = integrated(factors, epsilon, 2.0 * epsilon, log_delta + log_part)?;
    let at = course.center(goal, epsilon);
    let is_known = course.width(goal, at) < NOT_FAR_OFF * allowed(&course, goal, known, at);
    is_known.then_some((course, at))
}

/// A course for about an ε and to a part of δ, if that is faster than a line of so many points.
pub(super) fn with_more_digits(
    factors: &Factors,
    epsilon: f64,
    (log_delta, allowed): (f64, f64),
    points: usize,
) -> Option<Course> {
    let epsilon = epsilon.max(0.0);
    of_many(factors, epsilon, (log_delta, allowed), points / 2).or_else(|| {
        let may_be = points > LONG && factors.take_little();
        let wanted = log_delta + ln(allowed) - LOG_SPARE;
        may_be.then(|| integrated(factors, epsilon, 2.0 * epsilon, wanted)).flatten()
    })
}

/// A course of many uses, for about an ε and to a part of δ: what has a loss that the others do not undo in closed form, and one line for all else, with as many digits as that takes. `None` if
/// that would not be a line of at most so many points.
fn of_many(
    factors: &Factors,
    epsilon: f64,
    (log_delta, allowed): (f64, f64),
    longest: usize,
) -> Option<Course> {
    let log_part = ln(allowed);
    let certain = Certain::of_many(factors, epsilon, log_delta + log_part - LOG_SPARE, SHARPNESS_OF_MANY)?;
    let below = certain.below();
    let most_tilt = MOST_GAIN / below.loss_at_end()?;
    let saddle =
        saddle::find(below, Goal::Delta { epsilon })?.up_to(LARGEST_GAIN / MOST_GAIN * most_tilt, epsilon);
    let planned = plan::plan(below, &saddle, Aim { log_delta, most_tilt, ..Aim::WHOLE }.down_to(log_part));
    if planned.line.points > longest {
        return None;
    }
    let line = ComposedLine::new(below, planned.envelope, planned.line, Exactness::DIRECT)?;
    let line = line.widened(below, log_part - BELOW_ALLOWED);
    let rest = Rest { tilt: 0.0, log_moment: below.log_beyond_ends()? };
    Some(Course { rest: vec![rest], certain: Some(certain), ..Course::of(vec![line]) })
}

/// A course for the ε at which the pair that is swapped from this one reaches δ, and that ε; `None` if there is a better way.
pub(super) fn of_swapped(factors: &Factors, delta: f64) -> Option<(Course, f64)> {
    let rough = Rough::new(factors, ln(delta) + LOG_ACCURACY + MARGIN)?;
    let nearness = Nearness::new(factors, &rough, delta)?;
    let course = integrated(factors, 0.0, 2.0 * nearness.epsilon, ln(delta) + nearness.log_part())?;
    let course = Course { is_mirrored: true, ..course };
    let goal = Goal::Epsilon { delta };
    let at = course.center(goal, nearness.epsilon);
    let is_known = course.width(goal, at) < NOT_FAR_OFF * course.allowed(goal, at);
    is_known.then_some((course, at))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, SharedPair, dominating_pair};
    use hockeystick_numerics::special::exp;
    use proptest::prelude::*;

    fn pair(sigma: f64, rate: f64) -> SharedPair {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap()
    }

    fn factors(sigma: f64, rate: f64, uses: u64) -> Factors {
        Factors::new(&[(pair(sigma, rate), uses)])
    }

    /// All of it on one line with 106 bits.
    fn on_one_line(factors: &Factors, log_part: f64) -> Option<Course> {
        let saddle = saddle::find(factors, Goal::Delta { epsilon: 0.0 })?;
        let planned = plan::plan(factors, &saddle, Aim::WHOLE.down_to(log_part));
        let line = ComposedLine::new(factors, planned.envelope, planned.line, Exactness::DIRECT)?;
        Some(Course::of(vec![line.widened(factors, log_part - BELOW_ALLOWED)]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Wherever what is certain begins, and also far from the ε that this was made for, all of it has the δ of a line for everything.
        #[test]
        fn many_uses_have_the_delta_of_one_line(
            (sigma, log_rate, log_uses) in (0.5f64..3.0, -6f64..-1.5, 3f64..14.0),
            (log_part, deviations, part) in (-38f64..-24.0, 0f64..1.0, prop_oneof![-0.5f64..1.0, 0f64..40.0]),
            other in prop::option::weighted(0.3, (0.5f64..3.0, -6f64..-1.5, 0f64..14.0)),
        ) {
            let used = |(sigma, log_rate, log_uses): (f64, f64, f64)| {
                (pair(sigma, 10f64.powf(log_rate)), exp(log_uses) as u64)
            };
            let pairs: Vec<_> = [Some((sigma, log_rate, log_uses)), other].into_iter().flatten().map(used).collect();
            let factors = Factors::new(&pairs);
            let Some(line) = on_one_line(&factors, log_part) else { return Ok(()) };
            let delta = line.integral(0.0).bounds.midpoint();
            // Next to ε = 0, δ is a part of the deviation of all losses together.
            let epsilon = deviations * delta;
            let Some(course) = of_many(&factors, epsilon, (ln(delta), exp(log_part)), 2000) else { return Ok(()) };
            for at in [0.0, epsilon, part * delta] {
                let (one, other) = (course.above(at, delta), line.above(at, delta));
                prop_assert!(one.lower() <= other.upper() && other.lower() <= one.upper(), "{at:e}: {one:?} {other:?}");
            }
            let width = course.above(epsilon, delta).width();
            // What is below δ by a part of it is told in doubles.
            prop_assert!(width <= (3.0 * exp(log_part) + 1e-15) * delta, "{width:e} of {delta:e}");
        }
    }

    /// One line for all of it has 1,451 points, for rare losses are far larger than all others together.
    #[test]
    fn what_many_uses_do_not_undo_needs_no_points() {
        let factors = factors(1.343_852_324_672_022_2, 2.601_624_307_174_51e-5, 32_857);
        let course = of_many(&factors, 0.0, (ln(0.001_618), 1e-17), 725).unwrap();
        assert!(course.lines[0].plan.points < 150, "{}", course.lines[0].plan);
        assert!(course.is_wide() && course.lines.len() == 1);
    }

    /// δ is 0.016 % below the total variation here, which estimates from saddles said to be off by a third of it.
    #[test]
    fn how_far_delta_is_from_the_total_variation_is_known() {
        let factors = factors(0.301_734_466_305_770_33, 4.582_331_312_461_017e-5, 1334);
        let near = |delta: f64| {
            let rough = Rough::new(&factors, ln(delta) + LOG_ACCURACY + MARGIN).unwrap();
            Nearness::new(&factors, &rough, delta)
        };
        let found = near(0.019_557_708_808_933_604).unwrap();
        let part = found.allowed / SETTLED;
        assert!((1.00e-4..1.05e-4).contains(&part), "{part:e}");
        assert!((8.76e-6..1.5 * 8.76e-6).contains(&found.epsilon), "{:e}", found.epsilon);
        assert!(near(0.015).is_none());
        // Above it a few digits show that ε is 0.
        assert!(near(0.02).unwrap().allowed > 1e-4);
    }
}
