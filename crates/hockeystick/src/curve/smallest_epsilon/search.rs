//! The whole search: from a guess, by midpoints, and by proofs alone where midpoints show nothing.

use super::{
    guess::near_guess,
    outward::{far_above, far_below, outward},
    root::Found,
    sides::{is_enough, is_too_little, level},
};
use crate::curve::PrivacyProfile;
use hockeystick_numerics::{
    enclosure::Enclosure,
    roots::{Tolerance, bracketed_root},
};

/// The search stops when the bracket is this narrow, relative to the root.
const SEARCH_WIDTH: f64 = 1e-15;

/// Why no finite ε is proven to reach a δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoEpsilon {
    /// There is none: losses are infinite with at least this probability.
    Unreachable {
        /// A lower bound of `P(L = ∞)`.
        at_least: f64,
    },
    /// No smaller δ is proven, however large ε.
    Undecided {
        /// The δ that is.
        proven: f64,
    },
}

/// The smallest `ε ≥ 0` with `δ(ε) ≤ target`, for any profile: that of an engine, or of a single pair.
///
/// Returns its enclosure, and why its upper end is infinite, if it is.
///
/// # Guarantee
/// `δ(upper) ≤ target` is proven, or `upper = ∞`; `δ(lower) > target` is proven, or `lower = 0`.
pub fn smallest_epsilon(profile: &dyn PrivacyProfile, target: f64) -> (Enclosure, Option<NoEpsilon>) {
    let (Found { bounds, .. }, why) = smallest_epsilon_near(profile, target, profile.near(target));
    (bounds, why)
}

/// The same from a guess.
pub(crate) fn smallest_epsilon_near(
    profile: &dyn PrivacyProfile,
    target: f64,
    guess: Option<f64>,
) -> (Found, Option<NoEpsilon>) {
    if let Some(found) = guess.and_then(|guess| near_guess(profile, target, guess)) {
        return (found, None);
    }
    let (bounds, why) = by_midpoints(profile, target);
    (Found { bounds, root: None }, why)
}

fn by_midpoints(profile: &dyn PrivacyProfile, target: f64) -> (Enclosure, Option<NoEpsilon>) {
    if profile.is_at_most(0.0, target) {
        return (Enclosure::ZERO, None);
    }
    let at_infinity = profile.mass_at_infinity();
    if at_infinity.is_certainly_above(target) {
        let why = NoEpsilon::Unreachable { at_least: at_infinity.value().lower() };
        return (Enclosure::point(f64::INFINITY), Some(why));
    }
    // Where midpoints show nothing, proofs alone find the root, from the scale next to 0 on.
    let (below, above) = bracket(profile, target).unwrap_or((0.0, f64::MIN_POSITIVE));
    let is_enough = |epsilon: f64| is_enough(profile, epsilon, target);
    let is_too_little = |epsilon: f64| is_too_little(profile, epsilon, target);
    let largest = profile.largest_finite_loss().upper();
    let upper = outward(above, 1.0, is_enough).or_else(|| far_above(above, largest, is_enough));
    let near = if below > 0.0 { Some(below) } else { upper };
    let lower = near
        .and_then(|start| outward(start, -1.0, is_too_little))
        .or_else(|| far_below(near.unwrap_or(largest.min(f64::MAX)), is_too_little))
        .unwrap_or(0.0);
    match upper {
        Some(upper) => (Enclosure::new(lower, upper), None),
        None => undecided(profile, lower, target),
    }
}

/// The search failed: only the far end of the losses is left to ask.
fn undecided(profile: &dyn PrivacyProfile, lower: f64, target: f64) -> (Enclosure, Option<NoEpsilon>) {
    let largest = profile.largest_finite_loss().upper().min(f64::MAX);
    let there = profile.delta(largest).delta;
    if there.is_certainly_at_most(target) {
        // Where losses are so large that δ falls from 1 to 0 between two doubles, the other one is close.
        let below = outward(largest, -1.0, |epsilon| profile.delta(epsilon).delta.is_certainly_above(target));
        return (Enclosure::new(below.unwrap_or(lower).max(lower), largest), None);
    }
    let why = NoEpsilon::Undecided { proven: there.value().upper() };
    (Enclosure::new(lower, f64::INFINITY), Some(why))
}

/// Two numbers close to the root, below and above it as far as midpoints can tell.
fn bracket(profile: &dyn PrivacyProfile, target: f64) -> Option<(f64, f64)> {
    let f = |epsilon: f64| level(profile, epsilon, target).excess;
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
