//! Compositions that run on one sample: composed by the engines, and read as a curve.

use super::Request;
use crate::{
    curve::PrivacyProfile,
    engine::{
        Goal,
        masses::{largest_finite_loss, smallest_finite_loss},
    },
    error::Error,
    mechanism::Relation,
    pair::{CertifiedCurve, Composer, CurvePair, Direction, PairsOf, Releases, SharedPair},
    plan::Method,
};
use hockeystick_numerics::{enclosure::Enclosure, limits::check, probability::Probability};
use std::{
    fmt,
    ops::RangeInclusive,
    sync::{Arc, Mutex},
};

/// The relative width that the inner composition is asked for.
const TOLERANCE: f64 = 1e-7;
/// A profile that was made for another ε serves up to this relative width.
const GOOD: f64 = 1e-6;
/// So many profiles are made for one curve, each for the ε where the others were wide.
const MOST_PROFILES: usize = 8;
/// Where δ is below this, nobody asks for digits.
const NOTHING: f64 = 1e-60;

/// All engines.
#[derive(Debug)]
pub(crate) struct Engines;

impl Composer for Engines {
    fn compose(
        &self,
        name: String,
        pairs_of: PairsOf<'_>,
        direction: Direction,
    ) -> Result<SharedPair, Error> {
        let curve = |direction| Composition::new(name.clone(), pairs_of(direction)?);
        let pairs = pairs_of(direction)?;
        let is_self_dual = pairs.iter().all(|(pair, _)| pair.is_self_dual());
        let (removed, added) = match direction {
            Direction::Add => {
                return Ok(self.compose(name, pairs_of, Direction::Remove)?.dual());
            }
            _ if is_self_dual => (curve(direction)?, None),
            Direction::Remove => (curve(direction)?, Some(curve(Direction::Add)?)),
            // Ends of one order need not come from the pair of datasets that those of the other come from.
            Direction::Replace => {
                return Err(Error::NotProven {
                    what: "sampling a composition under replace-one if the worst case of a part depends on the direction",
                    reason: "the theorem needs one pair that dominates replacing a record in both orders",
                    instead: "use the relation add-remove",
                });
            }
        };
        Ok(CurvePair::shared(ComposedCurve {
            removed,
            added,
            losses: (smallest_finite_loss(&pairs), largest_finite_loss(&pairs)),
            notes: notes(&pairs),
        }))
    }
}

fn notes(pairs: &[(SharedPair, u64)]) -> Vec<String> {
    pairs.iter().flat_map(|(pair, _)| pair.notes()).collect()
}

/// The curve of a composition, in both directions.
#[derive(Debug)]
struct ComposedCurve {
    removed: Composition,
    /// `None` if it is the same.
    added: Option<Composition>,
    losses: (Enclosure, Enclosure),
    notes: Vec<String>,
}

impl CertifiedCurve for ComposedCurve {
    fn removed(&self, epsilon: f64) -> Probability {
        self.removed.delta(epsilon)
    }

    fn added(&self, epsilon: f64) -> Probability {
        self.added.as_ref().unwrap_or(&self.removed).delta(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        self.removed.infinite
    }

    fn vanishing_mass(&self) -> Probability {
        self.added.as_ref().unwrap_or(&self.removed).infinite
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        self.losses.0..=self.losses.1
    }

    fn is_self_dual(&self) -> bool {
        self.added.is_none()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// A composition in one direction, with the profiles that were made of it. The last one is asked first.
struct Composition {
    name: String,
    pairs: Vec<(SharedPair, u64)>,
    infinite: Probability,
    kept: Mutex<Vec<Arc<dyn PrivacyProfile>>>,
}

impl fmt::Debug for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Composition").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Composition {
    /// What no engine can compose is refused here.
    fn new(name: String, pairs: Vec<(SharedPair, u64)>) -> Result<Self, Error> {
        let first = profile(&pairs, Goal::Delta { epsilon: 0.0 })?;
        let infinite = first.mass_at_infinity();
        Ok(Self { name, pairs, infinite, kept: Mutex::new(vec![first]) })
    }

    fn delta(&self, epsilon: f64) -> Probability {
        check();
        let kept: Vec<_> = self.kept.lock().map(|kept| kept.clone()).unwrap_or_default();
        let mut best = Enclosure::UNIT_INTERVAL;
        for (since, profile) in kept.iter().rev().enumerate() {
            let found = profile.delta(epsilon).delta;
            if is_narrow(found.value()) {
                self.prefer(kept.len() - 1 - since);
                return found;
            }
            best = best.intersection(found.value());
        }
        if kept.len() < MOST_PROFILES
            && let Ok(profile) = profile(&self.pairs, Goal::Delta { epsilon })
        {
            best = best.intersection(profile.delta(epsilon).delta.value());
            if let Ok(mut kept) = self.kept.lock() {
                kept.push(profile);
            }
        }
        Probability::from_value(best)
    }

    /// Puts a profile where the next question looks first.
    fn prefer(&self, at: usize) {
        if let Ok(mut kept) = self.kept.lock()
            && at < kept.len()
        {
            kept[at..].rotate_left(1);
        }
    }
}

fn is_narrow(found: Enclosure) -> bool {
    found.width() <= GOOD * found.upper() || found.upper() <= NOTHING
}

/// The composition as the engines answer for this goal.
fn profile(pairs: &[(SharedPair, u64)], goal: Goal) -> Result<Arc<dyn PrivacyProfile>, Error> {
    let releases = Releases::of_pairs(pairs);
    let request = Request {
        releases: &releases,
        relation: Relation::Remove,
        method: Method::Auto,
        tolerance: TOLERANCE,
        goal,
    };
    let composed = request.compose()?.pop().expect("one direction");
    Ok(Arc::from(composed.profile))
}
