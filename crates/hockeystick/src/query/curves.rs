//! The curves `ε ↦ δ(ε)` of a question in both directions, to be read at many points.

use super::{
    Method, Query,
    question::{Composed, Question},
};
use crate::{
    curve::{HockeyStick, LossSupport, Support},
    engine::Goal,
    error::Error,
    mechanism::Relation,
    pair::Releases,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, limits::check, probability::Probability};
use std::{cell::RefCell, collections::HashMap};

/// Lattices are made for one ε and wide elsewhere: so many of them are made at most.
const MOST_LATTICES: usize = 6;
/// So many values are remembered: a sweep asks for new ones at every place.
const MOST_REMEMBERED: usize = 1 << 16;
/// A δ at which every engine is at ease.
const ORDINARY: f64 = 1e-6;
/// A lattice wider than this, relative to δ, is worth another one.
const WIDE: f64 = 1e-3;

/// `δ(ε)` of every direction that a relation asks for, and of the opposite ones.
///
/// The latest values are remembered, so asking again costs nothing.
#[derive(Debug)]
pub struct Curves<'a> {
    /// The direction that is asked for; with both, the first.
    forward: Side<'a>,
    /// The opposite direction; nothing if it has the same curve.
    backward: Option<Side<'a>>,
    pub(super) relation: Relation,
}

impl<'a> Query<'a> {
    /// The privacy profile in both directions, composed once to be read at many points.
    pub fn curves(&self) -> Result<Curves<'a>, Error> {
        let question = self.question()?;
        if let Some(part) = question.releases().known_by_moments() {
            return Err(Error::NoCurve { mechanism: part.name() });
        }
        let (first, second) = match self.relation {
            Relation::AddRemove | Relation::Remove => (Relation::Remove, Some(Relation::Add)),
            Relation::Add => (Relation::Add, Some(Relation::Remove)),
            Relation::Replace => (Relation::Replace, None),
        };
        let is_self_dual = match self.relation {
            // Composing both tells whether one is enough.
            Relation::AddRemove | Relation::Add | Relation::Remove => {
                first_profiles(&question.under(Relation::AddRemove))?.len() == 1
            }
            Relation::Replace => true,
        };
        let backward = match second {
            Some(relation) if !is_self_dual => Some(Side::new(question.under(relation))?),
            Some(_) | None => None,
        };
        Ok(Curves { forward: Side::new(question.under(first))?, backward, relation: self.relation })
    }
}

/// Profiles for an ordinary ε, or where that is too far out for an engine, for an ordinary δ.
fn first_profiles(question: &Question<'_>) -> Result<Vec<Composed>, Error> {
    let ordinary = Goal::Epsilon { delta: ORDINARY };
    let profiles = question.profiles(Goal::Delta { epsilon: 1.0 });
    profiles.or_else(|error| question.profiles(ordinary).map_err(|_| error))
}

impl Curves<'_> {
    /// `δ` at `ε ≥ 0`: the larger of the directions that the relation asks for.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn delta(&self, epsilon: f64) -> Probability {
        let part = match self.relation {
            Relation::AddRemove => Part::Larger,
            Relation::Add | Relation::Remove | Relation::Replace => Part::Forward,
        };
        self.at(part, epsilon)
    }

    /// The curve at all real ε of the pair `(P, Q)` that dominates the direction asked for. With both directions, the larger
    /// of their curves on either side: that of the smallest symmetric pair that dominates both.
    pub(super) fn asked(&self) -> TwoSided<'_> {
        let (right, left) = match self.relation {
            Relation::AddRemove => (Part::Larger, Part::Larger),
            Relation::Add | Relation::Remove | Relation::Replace => (Part::Forward, Part::Backward),
        };
        TwoSided { curves: self, right, left }
    }

    /// The curve of `(P, Q)` with `P` the output with the record and `Q` the one without; with one record in place of another
    /// under replace-one.
    pub(super) fn presence(&self) -> TwoSided<'_> {
        let (right, left) = match self.relation {
            Relation::AddRemove | Relation::Remove | Relation::Replace => (Part::Forward, Part::Backward),
            Relation::Add => (Part::Backward, Part::Forward),
        };
        TwoSided { curves: self, right, left }
    }

    fn at(&self, part: Part, epsilon: f64) -> Probability {
        match part {
            Part::Forward => self.forward.at(epsilon),
            Part::Backward => self.backward().at(epsilon),
            Part::Larger => larger(self.forward.at(epsilon), self.backward().at(epsilon)),
        }
    }

    /// The largest finite loss and the mass beyond it.
    fn end(&self, part: Part) -> (f64, Probability) {
        let (ahead, behind) = (self.forward.end(), self.backward().end());
        match part {
            Part::Forward => ahead,
            Part::Backward => behind,
            Part::Larger => (ahead.0.max(behind.0), larger(ahead.1, behind.1)),
        }
    }

    /// What is asked about.
    pub(super) fn releases(&self) -> &Releases<'_> {
        self.forward.question.releases()
    }

    /// The relation that was asked about.
    pub(super) fn relation(&self) -> Relation {
        self.relation
    }

    /// How the curves were computed.
    pub fn method(&self) -> Method {
        self.forward.method()
    }

    /// What the reader should know about how the question was taken.
    pub fn notes(&self) -> Vec<String> {
        self.forward.composed.borrow()[0].notes.clone()
    }

    fn backward(&self) -> &Side<'_> {
        self.backward.as_ref().unwrap_or(&self.forward)
    }
}

/// Which curve is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Forward,
    Backward,
    Larger,
}

/// The larger of two probabilities.
fn larger(a: Probability, b: Probability) -> Probability {
    // The complement of the larger is the smaller of the complements.
    let smaller = -(-a.complement()).max(-b.complement());
    Probability::from_both(a.value().max(b.value()), smaller)
}

/// One direction.
struct Side<'a> {
    question: Question<'a>,
    composed: RefCell<Vec<Composed>>,
    known: RefCell<HashMap<u64, Probability>>,
}

impl<'a> Side<'a> {
    fn new(question: Question<'a>) -> Result<Self, Error> {
        let composed = first_profiles(&question)?;
        Ok(Self { question, composed: RefCell::new(composed), known: RefCell::default() })
    }

    fn method(&self) -> Method {
        self.composed.borrow()[0].method
    }

    fn at(&self, epsilon: f64) -> Probability {
        check();
        if let Some(&known) = self.known.borrow().get(&epsilon.to_bits()) {
            return known;
        }
        let mut delta = self.evaluate(epsilon);
        let is_lattice =
            matches!(self.method(), Method::Lattice | Method::Tangents | Method::Buckets | Method::Riemann);
        let is_wide = delta.value().width() > WIDE * delta.value().upper();
        if is_lattice && is_wide && self.composed.borrow().len() < MOST_LATTICES {
            // What cannot be composed for this ε is only wide here.
            if let Ok(more) = self.question.profiles(Goal::Delta { epsilon }) {
                self.composed.borrow_mut().extend(more);
                delta = self.evaluate(epsilon);
            }
        }
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(epsilon.to_bits(), delta);
        delta
    }

    /// Every enclosure holds, so what they have in common does.
    fn evaluate(&self, epsilon: f64) -> Probability {
        let composed = self.composed.borrow();
        let values = composed.iter().map(|composed| composed.profile.delta(epsilon).delta);
        values
            .reduce(|a, b| {
                Probability::from_both(
                    a.value().intersection(b.value()),
                    a.complement().intersection(b.complement()),
                )
            })
            .unwrap_or(Probability::UNKNOWN)
    }

    fn end(&self) -> (f64, Probability) {
        let profile = &self.composed.borrow()[0].profile;
        (profile.largest_finite_loss().upper(), profile.mass_at_infinity())
    }
}

impl std::fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Side").field("question", &self.question).finish_non_exhaustive()
    }
}

/// The hockey-stick curve of a pair at all real ε, from two curves at `ε ≥ 0`: its own on the right, and on the left that of
/// the swapped pair, `1 − H_{e^ε}(P‖Q) = e^ε(1 − H_{e^{−ε}}(Q‖P))` ([Zhu22, Lemma 46]).
#[derive(Clone, Copy)]
pub(super) struct TwoSided<'a> {
    curves: &'a Curves<'a>,
    right: Part,
    left: Part,
}

impl TwoSided<'_> {
    /// The curve of `(Q, P)`.
    pub(super) fn reversed(self) -> Self {
        Self { right: self.left, left: self.right, ..self }
    }

    /// The largest finite loss.
    pub(super) fn largest(self) -> f64 {
        self.curves.end(self.right).0
    }

    pub(super) fn at(&self, epsilon: f64) -> Probability {
        if epsilon >= 0.0 {
            return self.curves.at(self.right, epsilon);
        }
        let swapped = self.curves.at(self.left, -epsilon);
        let at = Enclosure::point(epsilon);
        Probability::from_both(at.exp() * swapped.value() - at.exp_m1(), at.exp() * swapped.complement())
    }
}

impl LossSupport for TwoSided<'_> {
    fn support(&self) -> Support {
        let (largest, infinite_mass) = self.curves.end(self.right);
        let (smallest, vanishing_mass) = self.curves.end(self.left);
        Support { smallest: -smallest, largest, infinite_mass, vanishing_mass }
    }
}

impl HockeyStick for TwoSided<'_> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        // δ decreases: its values at the ends enclose those between.
        let ends = epsilon.enclosure();
        let largest = self.at(ends.lower());
        if ends.lower() == ends.upper() {
            return largest;
        }
        let smallest = self.at(ends.upper());
        Probability::from_both(
            smallest.value().hull(largest.value()),
            smallest.complement().hull(largest.complement()),
        )
    }
}
