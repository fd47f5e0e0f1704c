//! The root next to a guess.

use super::{
    outward::{far_below, stepped},
    root::{Found, Root},
    sides::{is_enough, is_too_little, level},
};
use crate::curve::PrivacyProfile;
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// The secant rule stops at steps this small: the next would be below the digits.
const NEAR_WIDTH: f64 = 1e-10;
/// Its first step, in proportion, where `ln δ` is off by more than this and where it is not, and as a part of the way to the largest loss.
const FIRST_STEP: f64 = 1e-4;
const NEXT_TO_ROOT: f64 = 1e-6;
const SMALL_STEP: f64 = 1e-6;
const PART_OF_ROOM: f64 = 0.01;
/// The part of the largest loss that a guess may be below it to be as good as the root.
const NEXT_TO_LARGEST: f64 = 5e-10;
/// Steps of the secant rule from a guess.
const SECANT_STEPS: usize = 40;
/// A slope is taken from a difference of so many times the round-off of δ; a shorter step shows nothing else, and the next is longer by a
/// factor. Midpoints that are closer to the target than this part of the round-off are at it.
const ABOVE_ROUNDOFF: f64 = 8.0;
const LONGER: f64 = 16.0;
const PART_OF_ROUNDOFF: f64 = 0.1;

/// The root near a guess by the secant rule on `ln δ`, if its upper end can be proven.
pub(super) fn near_guess(profile: &dyn PrivacyProfile, target: f64, guess: f64) -> Option<Found> {
    let mut at = Some(guess).filter(|guess| *guess > 0.0)?;
    if let Some(bounds) = below_largest(profile, target, guess) {
        return Some(Found { bounds, root: None });
    }
    let mut here = level(profile, at, target);
    // Next to the largest loss, δ is 0 a small part of ε farther on.
    let room = profile.largest_finite_loss().upper() - at;
    // Of millions of uses, δ may fall by powers of ten on a way that is short against ε.
    let part = if here.excess.abs() < NEXT_TO_ROOT { SMALL_STEP } else { FIRST_STEP };
    let step = (part * at).min(if room > 0.0 { PART_OF_ROOM * room } else { f64::INFINITY });
    let mut next = at + step * here.excess.signum();
    let mut slope = None;
    for _ in 0..SECANT_STEPS {
        let there = level(profile, next, target);
        let difference = there.excess - here.excess;
        if difference.abs() > ABOVE_ROUNDOFF * there.roundoff {
            slope = Some(difference / (next - at));
        } else if slope.is_none() {
            let farther = at + LONGER * (next - at);
            next = if farther > 0.0 { farther } else { at * (1.0 + LONGER) };
            continue;
        }
        (at, here) = (next, there);
        next -= here.excess / slope?;
        if !next.is_finite() {
            return None;
        }
        if next <= 0.0 {
            next = at / LONGER;
        }
        if (next - at).abs() <= NEAR_WIDTH * at || here.excess.abs() <= PART_OF_ROUNDOFF * here.roundoff {
            break;
        }
    }
    let slope = slope?;
    let width = level(profile, next, target).width;
    // The first step is a little more than the width of δ there, carried over by the slope.
    let first = (0.6 * width / slope.abs() / next).max(f64::EPSILON);
    let upper = stepped(next, first, |epsilon| is_enough(profile, epsilon, target))?;
    let too_little = |epsilon| is_too_little(profile, epsilon, target);
    let lower = stepped(next, -first, too_little).or_else(|| far_below(next, too_little)).unwrap_or(0.0);
    if lower == 0.0 && is_enough(profile, 0.0, target) {
        return Some(Found { bounds: Enclosure::ZERO, root: None });
    }
    // Next to 1, `ln δ` has no digits left to go on from.
    let root = (target <= 0.5 && slope < 0.0).then(|| Root {
        log_delta: ln(target),
        epsilon: next,
        slope,
        half_width: 0.5 * width,
    });
    Some(Found { bounds: Enclosure::new(lower, upper), root })
}

/// From the guess to the largest finite loss, if that is next to it and the root is proven to be in between.
fn below_largest(profile: &dyn PrivacyProfile, target: f64, guess: f64) -> Option<Enclosure> {
    let largest = profile.largest_finite_loss().upper();
    let is_next_to_it = guess < largest && guess >= (1.0 - NEXT_TO_LARGEST) * largest;
    let is_between = is_next_to_it
        && profile.mass_at_infinity().is_certainly_at_most(target)
        && profile.delta(guess).delta.is_certainly_above(target);
    is_between.then(|| Enclosure::new(guess, largest))
}
