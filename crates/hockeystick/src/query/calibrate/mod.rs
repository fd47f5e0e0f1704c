//! The one number of an expression, or of a function, that meets a target.
//!
//! In: an expression with one `?` or a function that gives mechanisms, and a target. Out: a number that meets it, and the nearest one found that misses it.
//!
//! The search runs on midpoints and assumes nothing: where the number must be large and where small, it finds out. What it
//! returns is proven by two questions at the end, one at a value that meets the target and one at a value that misses it.
//! It begins where a bound by moments meets the target.
//!
//! # Guarantee
//! The number is proven to meet the target, in both directions; the other one to miss it.

mod bracket;
mod domain;
mod family;
mod guess;
mod real;
mod target;
mod whole;

pub use family::{Family, Function};
pub use target::{Target, Verdict};

use super::{Answer, Method, Query};
use crate::{
    error::Error,
    mechanism::{Hole, Mechanism, ParseError, Relation},
};
use bracket::Found;
use domain::Domain;
use hockeystick_numerics::limits::check;
use target::Reading;

/// What calibration found.
#[derive(Clone, Debug)]
pub struct Calibration {
    hole: Hole,
    target: Target,
    outcome: Outcome,
    mechanism: Mechanism,
    answer: Answer,
}

/// Whether there is a number that meets the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// There is, and not every number does.
    Found {
        /// Proven to meet the target.
        value: f64,
        /// The nearest number proven to miss it; none if the method has no lower ends.
        too_little: Option<f64>,
    },
    /// Every number that can be there does, as far as can be seen.
    EveryValue {
        /// The least private of those that were looked at: proven to meet the target.
        value: f64,
    },
    /// No number that can be there does, as far as can be seen.
    Impossible {
        /// The most private of those that were looked at: proven to miss the target, or not proven to meet it.
        closest: f64,
    },
}

/// Why nothing could be calibrated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// The expression cannot be filled, whatever the number.
    #[error(transparent)]
    Expression(#[from] ParseError),
    /// A question about it has no answer.
    #[error(transparent)]
    Question(#[from] Error),
}

impl Calibration {
    /// What the `?` stands for.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// The target that was asked for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The number, or why there is none.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The number to use, if there is one.
    ///
    /// # Guarantee
    /// The mechanism with this number meets the target.
    pub fn value(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Found { value, .. } | Outcome::EveryValue { value } => Some(value),
            Outcome::Impossible { .. } => None,
        }
    }

    /// The nearest number proven to miss the target.
    pub fn too_little(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Found { too_little, .. } => too_little,
            Outcome::EveryValue { .. } | Outcome::Impossible { .. } => None,
        }
    }

    /// The mechanism with the number, or with the closest there is.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// What that mechanism spends, in the terms of the target.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}

/// The number in place of the `?` of a [`Template`](crate::mechanism::Template), or the one to give to a [`Function`], that just meets
/// `target`.
///
/// # Guarantee
/// The value meets the target and `too_little` misses it; both are proven, by whatever the method proves.
pub fn calibrate(
    family: &dyn Family,
    target: Target,
    relation: Relation,
    method: Method,
    tolerance: Option<f64>,
) -> Result<Calibration, CalibrationError> {
    target.check()?;
    if method.only_estimates() {
        let reason = "it only estimates, and cannot prove that a value meets the target";
        return Err(Error::not_applicable(method, reason).into());
    }
    let problem = Problem { family, target, relation, method, tolerance, is_cautious: false };
    let domain = guess::near(&problem, Domain::of(family)?);
    let outcome = match search(&problem, &domain)? {
        Some(proven) => proven,
        // Another direction spends more than the one that was searched in: both are asked everywhere.
        None => {
            let cautious = Problem { is_cautious: true, ..problem };
            search(&cautious, &domain)?.unwrap_or(Outcome::Impossible { closest: domain.start })
        }
    };
    let at = match outcome {
        Outcome::Found { value, .. } | Outcome::EveryValue { value } => value,
        Outcome::Impossible { closest } => closest,
    };
    let mechanism = family.fill(at)?;
    let is_met = !matches!(outcome, Outcome::Impossible { .. });
    let answer = target.answer(&problem.query(&mechanism), is_met)?;
    Ok(Calibration { hole: family.hole(), target, outcome, mechanism, answer })
}

/// The number that is looked for; nothing if it is not proven to meet the target in every direction.
fn search(problem: &Problem<'_>, domain: &Domain) -> Result<Option<Outcome>, CalibrationError> {
    let found = match bracket::between(problem, domain)? {
        Found::Bracket { meets, misses } if domain.whole => whole::refine(problem, meets, misses)?,
        Found::Bracket { meets, misses } => real::refine(problem, meets, misses)?,
        Found::EveryValue { value } => Proposal { outcome: Outcome::EveryValue { value }, is_proven: false },
        Found::Impossible { closest } => return Ok(Some(Outcome::Impossible { closest })),
    };
    let is_met = match found.outcome {
        Outcome::Found { value, .. } | Outcome::EveryValue { value } => {
            found.is_proven || problem.read(value)?.is_met()
        }
        Outcome::Impossible { .. } => true,
    };
    Ok(is_met.then_some(found.outcome))
}

/// An outcome, and whether its value is proven to meet the target for every direction of the relation.
struct Proposal {
    outcome: Outcome,
    is_proven: bool,
}

/// The relative width that is enough far from the target.
const ROUGH: f64 = 0.1;
/// An uncertainty below this will not become smaller by asking for it.
const SHARP: f64 = 1e-9;
/// Nor one above this: no engine came near to what was asked for. Such a reading says nothing but that the target is not proven to be met.
const VAGUE: f64 = 1.0;

/// What is asked, without the number.
#[derive(Clone, Copy)]
struct Problem<'a> {
    family: &'a dyn Family,
    target: Target,
    relation: Relation,
    method: Method,
    tolerance: Option<f64>,
    /// Are all directions asked on the way, and not only the one that spends most where the search begins?
    is_cautious: bool,
}

/// A number and what was read off there.
#[derive(Clone, Copy, Debug)]
struct Point {
    at: f64,
    reading: Reading,
}

impl Point {
    /// Is the target proven to be met?
    fn is_met(&self) -> bool {
        self.reading.verdict == Verdict::Meets
    }
}

impl Problem<'_> {
    fn query<'m>(&self, mechanism: &'m Mechanism) -> Query<'m> {
        let query = Query::new(mechanism).relation(self.relation).method(self.method);
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
    }

    /// A number on the way to the next one, or that one; nothing if none is allowed there.
    fn allowed(&self, from: f64, next: f64) -> Option<f64> {
        let fits = |value: f64| self.family.is_quick() || self.family.fill(value).is_ok();
        let reached = domain::end(from, next, self.family.hole().whole, fits);
        (reached != from).then_some(reached)
    }

    /// How far from the target the mechanism is with this number.
    fn read(&self, at: f64) -> Result<Point, CalibrationError> {
        check();
        let mechanism = self.family.fill(at)?;
        Ok(Point { at, reading: self.target.read(&self.query(&mechanism))? })
    }

    /// The same, roughly if that is enough to tell on which side of the target the number is.
    fn read_as_needed(&self, at: f64) -> Result<Point, CalibrationError> {
        let rough = Self { tolerance: Some(self.tolerance.unwrap_or(0.0).max(ROUGH)), ..*self }.read(at)?;
        let Reading { excess, uncertainty, .. } = rough.reading;
        let is_enough = !(SHARP..VAGUE).contains(&uncertainty) || excess.abs() > 3.0 * uncertainty;
        if is_enough { Ok(rough) } else { self.read(at) }
    }

    /// The same question for the direction that spends most at `point`: enough for a search, and half the work. What it finds is
    /// proven for that direction only.
    fn in_direction_of(&self, point: &Point) -> Self {
        if self.is_cautious { *self } else { Self { relation: point.reading.binding, ..*self } }
    }
}
