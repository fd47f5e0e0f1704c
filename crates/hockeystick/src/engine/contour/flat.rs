//! Questions next to the total variation: all outcomes along a hyperbola, or what is certain in closed form and one short line for the rest.
//!
//! There δ hardly depends on ε, and nine digits of ε take up to twenty of δ. How many they take is estimated first. Where all losses together can take little away, a hyperbola has as many at once, of both
//! directions, for δ of one is that of the other a little below ε = 0. Many uses hardly ever take away as much as they can, and what their common losses leave has a short line.

use super::{
    bent::{AtZero, Bent, Unfit},
    certain::Certain,
    chernoff::Rest,
    course::{BELOW_ALLOWED, Course, NOT_FAR_OFF, SETTLED, Settling, allowed},
    factors::Factors,
    ladder::{LARGEST_GAIN, MOST_GAIN},
    line::{ComposedLine, Exactness},
    plan::{self, Aim},
    saddle,
};
use crate::{engine::Goal, pair::RiseLaw};
use hockeystick_numerics::special::ln;

/// What all losses together can take away at most for a hyperbola.
const LITTLE: f64 = 0.8;
/// Where the total variation is above δ by less than this part of it, or below δ but not by more than the second, a hyperbola is tried: below, it is to show that ε is 0, which takes few digits.
const NEXT_TO_MOST: f64 = 0.12;
const MUCH_ABOVE: f64 = -4.0;
const PART_TO_SHOW: f64 = 0.05;
/// Estimates of it are hardly ever off by more than this part; where they are, a hyperbola is drawn again.
const ESTIMATE_ERROR: f64 = 1e-6;
/// How much larger than where the slope at 0 leads ε may be.
const BENT: f64 = 1.3;
/// The part of δ that is allowed where it is next to nothing below the total variation; errors are aimed at this much less, as a logarithm.
const MOST_DIGITS: f64 = 1e-20;
const LOG_SPARE: f64 = 2.0;
/// Hyperbolas are drawn so often, each for the digits that the last one showed to be needed.
const DRAWN: usize = 3;
/// A line with more digits that has more points takes longer than a hyperbola.
const LONG: usize = 100;
/// How far rises are turned at most, for every σ there is and in any case, and as which parts of that: where much can be taken away they have to be turned less.
const TURN_OF_SIGMA: f64 = 1.6;
const LARGEST_TURN: f64 = 1.0;
const LESS_TURNED: [f64; 4] = [1.0, 0.8, 0.65, 0.5];
/// With more noise than the inverse of this losses are of one scale, and lines are short.
const LEAST_MU: f64 = 0.3;
/// How smooth cuts are for lines of many uses, as a part of the length on which the ratio grows by e.
const SHARPNESS_OF_MANY: f64 = 0.13;
/// How far from 0 a hyperbola is to be good for, as parts of the most that all losses take away, and of the ε that is expected: where that is above 0, and in the other direction.
const ROOM: f64 = 0.02;
const MOST_ROOM: f64 = 0.3;
const FARTHER: f64 = 2.0;
const FARTHER_BELOW: f64 = 1.5;

/// How far δ is from the total variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearness {
    /// About the ε at which it is reached, or a little more.
    pub(super) epsilon: f64,
    /// To which part of it δ should be known there.
    pub(super) allowed: f64,
}

impl Nearness {
    /// Of a single pair whose losses rise and together cannot take away more than so much, in plain floats; `None` if δ is not next to the total variation.
    pub(super) fn new(factors: &Factors, delta: f64, little: f64) -> Option<Self> {
        let may_be = factors.may_be_next_to_most(delta, little);
        let (law, count) = factors.rises().filter(|(law, _)| may_be && law.mu() > LEAST_MU)?;
        let most = AtZero::new(&law, count, largest_turn(&law))?;
        let part = 1.0 - delta / most.delta;
        let allowed = match part {
            // δ falls by the same part of it as it is below.
            ESTIMATE_ERROR..NEXT_TO_MOST => SETTLED * part,
            _ if !(MUCH_ABOVE..NEXT_TO_MOST).contains(&part) => return None,
            _ if part > -ESTIMATE_ERROR => MOST_DIGITS,
            _ => PART_TO_SHOW * -part,
        };
        let epsilon = BENT * part.max(ESTIMATE_ERROR) * most.delta / most.fall;
        Some(Self { epsilon, allowed })
    }
}

/// A hyperbola for the ε at which the finite losses of a single pair reach δ, in either direction, and that ε; `None` if there is a better way.
pub(super) fn first(factors: &Factors, delta: f64) -> Option<(Course, f64)> {
    let nearness = match factors.rises() {
        Some(_) => Nearness::new(factors, delta, LITTLE)?,
        None => Nearness::new(&factors.mirrored()?, delta, LITTLE)?,
    };
    let log_part = ln(nearness.allowed) - LOG_SPARE;
    course(factors, Goal::Epsilon { delta }, None, (nearness.epsilon, ln(delta), log_part))
}

/// The same for δ at an ε next to 0, if it is known how many digits that takes.
pub(super) fn at(factors: &Factors, epsilon: f64, known: Settling) -> Option<(Course, f64)> {
    let log_part = ln(known.allowed) - LOG_SPARE;
    course(factors, Goal::Delta { epsilon }, Some(known), (epsilon, known.log_delta, log_part))
}

fn course(
    factors: &Factors,
    goal: Goal,
    known: Option<Settling>,
    (mut epsilon, log_delta, mut log_part): (f64, f64, f64),
) -> Option<(Course, f64)> {
    for _ in 0..DRAWN {
        let course = integrated(factors, epsilon, log_delta + log_part)?;
        let at = course.center(goal, epsilon);
        let allowed = allowed(&course, goal, known, at);
        if course.width(goal, at) < NOT_FAR_OFF * allowed {
            return Some((course, at));
        }
        let needed = ln(allowed) - LOG_SPARE;
        if at <= 0.0 || needed.is_nan() || needed >= log_part {
            return None;
        }
        (epsilon, log_part) = (at, needed);
    }
    None
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
        let may_be = points > LONG && factors.take_less_than(LITTLE);
        let wanted = log_delta + ln(allowed) - LOG_SPARE;
        may_be.then(|| integrated(factors, epsilon, wanted)).flatten()
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

fn largest_turn(law: &RiseLaw) -> f64 {
    (TURN_OF_SIGMA * law.mu()).min(LARGEST_TURN)
}

/// All outcomes, for about an ε and some on both sides, to about `e^{wanted}`.
fn integrated(factors: &Factors, epsilon: f64, wanted: f64) -> Option<Course> {
    // A hyperbola has δ of the pair that is swapped from that of which losses rise, at −ε.
    let (rises, is_mirrored) = match factors.rises() {
        Some(rises) => (rises, true),
        None => (factors.mirrored()?.rises()?, false),
    };
    let (law, count) = rises;
    if law.mu() < LEAST_MU {
        return None;
    }
    let taken = -(count * (-law.weight()).ln_1p().approximate());
    let most = (FARTHER * epsilon).max(ROOM * taken);
    let least = -(FARTHER_BELOW * epsilon).max(ROOM * taken);
    let range =
        if is_mirrored { [-most, -least] } else { [least, most] }.map(|end| end.min(MOST_ROOM * taken));
    for part in LESS_TURNED {
        match Bent::new(law, count, range, wanted, part * largest_turn(&law)) {
            Ok(bent) => return Some(Course { bent: Some(bent), is_mirrored, ..Course::of(vec![]) }),
            Err(Unfit::TurnedTooFar) => {}
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

    /// δ is 0.01 % below the total variation here, which estimates from saddles said to be off by a third of it.
    #[test]
    fn how_far_delta_is_from_the_total_variation_is_known() {
        let factors = factors(0.301_734_466_305_770_33, 4.582_331_312_461_017e-5, 1334);
        let near = |delta: f64| Nearness::new(&factors, delta, LITTLE);
        let found = near(0.019_557_708_808_933_604).unwrap();
        let part = found.allowed / SETTLED;
        assert!((1.019e-4..1.02e-4).contains(&part), "{part:e}");
        assert!((8.76e-6..1.5 * 8.76e-6).contains(&found.epsilon), "{:e}", found.epsilon);
        assert!(near(0.015).is_none());
        // Above it a few digits show that ε is 0.
        assert!(near(0.02).unwrap().allowed > 1e-4);
    }

    /// Questions that took 12 to 38 ms by lines of 500 to 2,000 points with 106 bits, in both directions.
    #[test]
    fn few_points_of_a_hyperbola_are_enough_next_to_the_total_variation() {
        for (sigma, rate, uses, delta) in [
            (0.373_632_981_275_671_3, 0.002_101_343_404_839_438, 92, 0.068_048_562_923_960_35),
            (0.666_982_107_722_595_6, 0.043_893_936_197_233_26, 7, 0.088_509_425_310_269_38),
            (0.317_671_000_717_332_4, 3.751_868_242_265_998_6e-6, 45_016, 0.015_599_144_039_872_686),
            (1.398_009_557_480_446, 1.558_745_285_564_193_7e-6, 4, 9.580_229_062_935_738e-7),
            (2.536_316_395_953_681_6, 6.073_631_665_892_009e-5, 22, 4.648_280_480_139_369e-5),
        ] {
            let factors = factors(sigma, rate, uses);
            let goal = Goal::Epsilon { delta };
            for factors in [factors.clone(), factors.mirrored().unwrap()] {
                let (course, at) = first(&factors, delta).unwrap();
                assert!(course.plan().points < 300, "{sigma}: {}", course.plan().points);
                assert!(course.width(goal, at) < NOT_FAR_OFF * course.allowed(goal, at), "{sigma}");
                assert!(course.above(1.000_001 * at, delta).upper() < 0.0);
                assert!(course.above(0.999_999 * at, delta).lower() > 0.0);
            }
        }
    }
}
