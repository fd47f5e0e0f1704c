//! `ε(δ)`: the smallest ε ≥ 0 for which the composition is (ε, δ)-DP, as the certified inverse of `δ(ε)`.
//!
//! The search is done on plain midpoints. Then the ends are moved outward until `δ` is *proven* to be at most the target
//! at the upper end, and above it at the lower: the search may be as sloppy as it likes, the answer is right.

use super::{
    Answer, Guarantee, Query, Shortfall, Unknown,
    answer::half_width,
    arguments::check_delta,
    known::Known,
    question::{Composed, Question},
};
use crate::{
    curve::{Budget, PrivacyProfile},
    engine::Goal,
    error::Error,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    roots::{Tolerance, bracketed_root},
    special::{ln, ln_1p},
};

/// The search stops when the bracket is this narrow, relative to the root.
const SEARCH_WIDTH: f64 = 1e-15;
/// How often an end is moved outward, each time twice as far, before it is given up: downward that ends at half the start,
/// from where only 0 is left.
const MOVES: i32 = 60;
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
const SECANT_STEPS: usize = 30;
/// How often the last step is halved.
const HALVINGS: u32 = 12;
/// From one scale to the next that is asked, where nothing is known: 64 of them reach all doubles.
const STRIDE: f64 = 4294967296.0;

impl Query<'_> {
    /// `ε` at a given `0 ≤ δ < 1`: the larger of the directions asked for. `δ = 0` asks for pure differential privacy.
    ///
    /// # Guarantee
    /// `0 ≤ lower ≤ truth ≤ upper`. The upper end is infinite, and the shortfall says why, if no finite ε will do.
    pub fn epsilon(&self, delta: f64) -> Result<Answer, Error> {
        check_delta(delta)?;
        if delta == 0.0 {
            return self.pure();
        }
        let question = self.question()?;
        question.limited(
            Goal::Epsilon { delta },
            |known| question.epsilon_whatever_it_takes(delta, known),
            |answer| answer,
        )
    }
}

impl Question<'_> {
    fn epsilon_whatever_it_takes(&self, delta: f64, known: &Known) -> Result<Answer, Error> {
        if let Some(answer) = self.bound(Goal::Epsilon { delta })? {
            return Ok(answer);
        }
        if let Some(answer) = self.nothing(delta)? {
            return Ok(answer);
        }
        self.worst(Goal::Epsilon { delta }, known, |composed| {
            let Composed { direction, ref profile, method, ref plan, ref notes } = *composed;
            let (bounds, shortfall) = smallest_epsilon(profile.as_ref(), delta);
            Answer {
                unknown: Unknown::Epsilon { delta },
                bounds,
                guarantee: Guarantee::Certified,
                method,
                direction,
                budget: budget(profile.as_ref(), bounds),
                shortfall,
                plans: vec![plan.clone()],
                notes: notes.clone(),
            }
        })
    }

    /// `ε = 0`, if that is seen without a composition.
    fn nothing(&self, delta: f64) -> Result<Option<Answer>, Error> {
        let plan = self.request(Goal::Epsilon { delta })?.spends_nothing(delta);
        Ok(plan.map(|plan| Answer {
            unknown: Unknown::Epsilon { delta },
            bounds: Enclosure::ZERO,
            guarantee: Guarantee::Certified,
            method: plan.engine.method(),
            direction: plan.direction,
            budget: Budget::default(),
            shortfall: None,
            notes: self.query.notes(),
            plans: vec![plan],
        }))
    }
}

/// What widens δ widens ε in proportion.
fn budget(profile: &dyn PrivacyProfile, bounds: Enclosure) -> Budget {
    let half = half_width(bounds);
    if !half.is_finite() || half == 0.0 {
        return Budget::default();
    }
    profile.delta(bounds.upper()).budget.scaled_to(half)
}

/// The smallest `ε ≥ 0` with `δ(ε) ≤ target`, for any profile: that of a pair of your own, say, or of a composition of pairs.
///
/// Returns its enclosure, and why it is not what was asked for, if it is not.
///
/// # Guarantee
/// `δ(upper) ≤ target` is proven, or `upper = ∞`; `δ(lower) > target` is proven, or `lower = 0`.
pub fn smallest_epsilon(profile: &dyn PrivacyProfile, target: f64) -> (Enclosure, Option<Shortfall>) {
    smallest_epsilon_near(profile, target, profile.near(target))
}

/// The same from a guess.
pub(super) fn smallest_epsilon_near(
    profile: &dyn PrivacyProfile,
    target: f64,
    guess: Option<f64>,
) -> (Enclosure, Option<Shortfall>) {
    if let Some(epsilon) = guess.and_then(|guess| near_guess(profile, target, guess)) {
        return (epsilon, None);
    }
    if profile.is_at_most(0.0, target) {
        return (Enclosure::ZERO, None);
    }
    let at_infinity = profile.mass_at_infinity();
    if at_infinity.is_certainly_above(target) {
        let at_least = at_infinity.value().lower();
        let nowhere = Enclosure::point(f64::INFINITY);
        return (nowhere, Some(Shortfall::Unreachable { delta: target, at_least }));
    }
    // Where midpoints show nothing, proofs alone find the root, from the scale next to 0 on.
    let (below, above) = search(profile, target).unwrap_or((0.0, f64::MIN_POSITIVE));
    let is_enough = |epsilon: f64| is_enough(profile, epsilon, target);
    let is_too_little = |epsilon: f64| is_too_little(profile, epsilon, target);
    let upper = outward(above, 1.0, is_enough)
        .or_else(|| far_above(above, profile.largest_finite_loss().upper(), is_enough));
    let start = upper.filter(|_| below == 0.0).unwrap_or(below);
    let lower =
        outward(start, -1.0, is_too_little).or_else(|| far_below(start, is_too_little)).unwrap_or(0.0);
    match upper {
        Some(upper) => (Enclosure::new(lower, upper), None),
        None => undecided(profile, lower, target),
    }
}

/// The root near a guess by the secant rule on `log δ`, if both of its ends can be proven.
fn near_guess(profile: &dyn PrivacyProfile, target: f64, guess: f64) -> Option<Enclosure> {
    let mut at = Some(guess).filter(|guess| *guess > 0.0)?;
    if let Some(bounds) = below_largest(profile, target, guess) {
        return Some(bounds);
    }
    let mut value = excess(profile, at, target);
    // Next to the largest loss, δ is 0 a small part of ε farther on.
    let room = profile.largest_finite_loss().upper() - at;
    // Of millions of uses, δ may fall by powers of ten on a way that is short against ε.
    let part = if value.abs() < NEXT_TO_ROOT { SMALL_STEP } else { FIRST_STEP };
    let step = (part * at).min(if room > 0.0 { PART_OF_ROOM * room } else { f64::INFINITY });
    let mut next = at + step * value.signum();
    let mut slope = 1.0;
    for _ in 0..SECANT_STEPS {
        let after = excess(profile, next, target);
        slope = if next == at { slope } else { (after - value) / (next - at) };
        (at, value) = (next, after);
        next -= after / slope;
        if !(next > 0.0 && next.is_finite()) {
            return None;
        }
        if (next - at).abs() <= NEAR_WIDTH * at {
            break;
        }
    }
    let width = if target > 0.5 {
        let missing = profile.delta(next).delta.complement();
        missing.width() / missing.upper()
    } else {
        profile.above(next, target).width() / target
    };
    // The first step is a little more than the width of δ there, carried over by the slope.
    let first = (0.6 * width / slope.abs() / next).clamp(f64::EPSILON, 1e-3);
    let upper = stepped(next, first, |epsilon| is_enough(profile, epsilon, target))?;
    let lower = stepped(next, -first, |epsilon| is_too_little(profile, epsilon, target))?;
    Some(Enclosure::new(lower, upper))
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

/// The first number, from `start` in relative steps that double, at which `holds` is proven.
fn stepped(start: f64, first: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    (0..MOVES)
        .map(|i| start + start * first * 2f64.powi(i))
        .take_while(|&epsilon| epsilon > 0.0 && epsilon.is_finite())
        .find(|&epsilon| holds(epsilon))
}

/// The search failed: only the far end of the losses is left to ask.
fn undecided(profile: &dyn PrivacyProfile, lower: f64, target: f64) -> (Enclosure, Option<Shortfall>) {
    let largest = profile.largest_finite_loss().upper().min(f64::MAX);
    let there = profile.delta(largest).delta;
    if there.is_certainly_at_most(target) {
        // Where losses are so large that δ falls from 1 to 0 between two doubles, the other one is close.
        let below = outward(largest, -1.0, |epsilon| profile.delta(epsilon).delta.is_certainly_above(target));
        return (Enclosure::new(below.unwrap_or(lower).max(lower), largest), None);
    }
    let shortfall = Shortfall::Undecided { delta: target, proven: there.value().upper() };
    (Enclosure::new(lower, f64::INFINITY), Some(shortfall))
}

/// How far `ln δ(ε)` is above `ln target`; on the complement where that is the smaller of the two.
fn excess(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> f64 {
    if target > 0.5 {
        let delta = profile.delta(epsilon).delta;
        // The midpoint of what is hardly known says nothing; what is not proven then counts as too little.
        let complement = delta.complement();
        let is_known = complement.upper() <= 2.0 * complement.lower();
        ln(1.0 - target) - ln(if is_known { complement.midpoint() } else { complement.lower() })
    } else {
        ln_1p(profile.above(epsilon, target).midpoint() / target)
    }
}

/// Is `δ(ε) ≤ target` proven?
fn is_enough(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> bool {
    if target > 0.5 {
        profile.delta(epsilon).delta.is_certainly_at_most(target)
    } else {
        profile.above(epsilon, target).upper() <= 0.0
    }
}

/// Is `δ(ε) > target` proven?
fn is_too_little(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> bool {
    if target > 0.5 {
        profile.delta(epsilon).delta.is_certainly_above(target)
    } else {
        profile.above(epsilon, target).lower() > 0.0
    }
}

/// Two numbers close to the root, below and above it as far as midpoints can tell.
fn search(profile: &dyn PrivacyProfile, target: f64) -> Option<(f64, f64)> {
    let f = |epsilon: f64| excess(profile, epsilon, target);
    let largest = profile.largest_finite_loss().upper();
    // A bracket within a factor of 16, from above or from below.
    let mut high = largest.min(1.0);
    if f(high) <= 0.0 {
        while f(high / 16.0) <= 0.0 {
            high /= 16.0;
            if high < f64::MIN_POSITIVE {
                // Midpoints say that ε = 0 will do, the enclosure there does not prove it.
                return Some((0.0, high));
            }
        }
    } else {
        while f(high) > 0.0 {
            if high >= largest || high > 1e300 {
                return None;
            }
            high = (high * 16.0).min(largest);
        }
    }
    // A δ of exactly 0 or 1 has no logarithm: any number of that sign will do for a bracket that ends there.
    let finite = |epsilon: f64| f(epsilon).clamp(-1e6, 1e6);
    let root = bracketed_root(finite, high / 16.0, high, Tolerance::relative(SEARCH_WIDTH)).ok()?;
    Some((root.lower, root.upper))
}

/// A number above `start`, up to `largest`, at which `holds` is proven, where the profile is so wide that it is far: next to the total
/// variation, some (width of δ)/slope.
///
/// The way is made in long strides, so that a start next to 0 gets anywhere, and gone back by scales.
fn far_above(start: f64, largest: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let most = largest.min(f64::MAX);
    let mut too_near = start.max(f64::MIN_POSITIVE);
    while too_near < most {
        let far = (too_near * STRIDE).min(most);
        if holds(far) {
            return Some(nearest(too_near, far, holds));
        }
        too_near = far;
    }
    None
}

/// A number below `start` at which `holds` is proven, where the profile is so wide that it is far.
fn far_below(start: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(0.0) {
        return None;
    }
    Some(nearest(start, 0.0, holds))
}

/// A number between one at which `holds` is not proven and one at which it is: there it is, about as near to the first as can be.
fn nearest(too_near: f64, far: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let halved = |(too_near, far): (f64, f64), middle: f64| {
        if holds(middle) { (too_near, middle) } else { (middle, far) }
    };
    let mut ends = (too_near, far);
    // By scales first: six steps from one stride to a factor of two.
    while ends.0 > 0.0 && ends.1 > 4.0 * ends.0 {
        ends = halved(ends, ends.0.sqrt() * ends.1.sqrt());
    }
    for _ in 0..HALVINGS {
        ends = halved(ends, 0.5 * (ends.0 + ends.1));
    }
    ends.1
}

/// A number not far beyond `start` at which `holds` is proven: the first in steps that double, and from there back again by halves.
fn outward(start: f64, sign: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(start) {
        return Some(start);
    }
    let step = |i: i32| start + sign * start * f64::EPSILON * 2f64.powi(i);
    let found = (0..MOVES).take_while(|&i| step(i) > 0.0).find(|&i| holds(step(i)))?;
    Some(nearest(if found == 0 { start } else { step(found - 1) }, step(found), holds))
}
