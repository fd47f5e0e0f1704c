//! Questions and their answers.

mod answer;
mod bound;
mod compare;
mod delta;
mod epsilon;
mod method;

pub use answer::{Answer, Guarantee, Shortfall, Unknown};
pub use compare::{Compared, Comparison};
pub use epsilon::smallest_epsilon;
pub use method::{Method, UnknownMethod};

use crate::{
    composition,
    curve::{PairProfile, PrivacyProfile},
    engine::{
        closed_form::ClosedForm,
        lattice::{Discretisation, Goal, Lattice},
    },
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::{self, Direction},
};

/// The relative width that numerical methods aim at when nothing is asked for.
const DEFAULT_TOLERANCE: f64 = 1e-4;

/// A mechanism, and how to account for it.
///
/// ```
/// use hockeystick::{Query, mechanism::Mechanism};
///
/// let mechanism: Mechanism = "gaussian(sigma=2) * 10".parse()?;
/// let answer = Query::new(&mechanism).epsilon(1e-5)?;
/// assert!(answer.lower().unwrap() <= answer.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    mechanism: &'a Mechanism,
    relation: Relation,
    method: Method,
    tolerance: Option<f64>,
}

impl<'a> Query<'a> {
    /// Asks about `mechanism` with the default relation (add or remove one record) and method (automatic).
    pub fn new(mechanism: &'a Mechanism) -> Self {
        Self { mechanism, relation: Relation::default(), method: Method::Auto, tolerance: None }
    }

    /// Which datasets are neighbours.
    pub fn relation(self, relation: Relation) -> Self {
        Self { relation, ..self }
    }

    /// Which method computes the answer.
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The relative width wanted, `(upper − lower)/upper`. An answer that is wider says so in its shortfall.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// The composed profile of each direction that has to be looked at. Self-dual compositions need one only.
    fn profiles(&self, goal: Goal) -> Result<Vec<Composed>, Error> {
        if let Some(tolerance) = self.tolerance {
            check(
                tolerance > 0.0 && tolerance < 1.0,
                "tolerance",
                tolerance,
                "above 0 and below 1",
                "try 1e-6",
            )?;
        }
        let discretisation = match self.method {
            Method::Auto | Method::ClosedForm | Method::Lattice => Discretisation::ConnectTheDots,
            Method::Buckets => Discretisation::Buckets,
            method => return Err(Error::Method { method }),
        };
        let wants_lattice = matches!(self.method, Method::Lattice | Method::Buckets);
        let parts = composition::parts(self.mechanism)?;
        let directions = Direction::of(self.relation);
        if !wants_lattice && let Some(laws) = pair::loss_laws(&parts) {
            match ClosedForm::compose(laws) {
                // Every law is self-dual, so all directions of a relation share the profile of the first.
                Ok(profile) => {
                    let (direction, method, notes) = (directions[0], Method::ClosedForm, self.notes());
                    return Ok(vec![Composed { direction, method, profile: Box::new(profile), notes }]);
                }
                Err(error) if self.method == Method::ClosedForm => return Err(error.into()),
                Err(_) => {}
            }
        }
        let mut profiles = Vec::new();
        for &direction in directions {
            let composed =
                if wants_lattice { None } else { pair::composed_pair(self.mechanism, direction).ok() };
            let (composed, is_self_dual) = match composed {
                Some(pair) => {
                    let (is_self_dual, notes) = (pair.is_self_dual(), [self.notes(), pair.notes()].concat());
                    let profile = Box::new(PairProfile::new(pair));
                    (Composed { direction, method: Method::ClosedForm, profile, notes }, is_self_dual)
                }
                None if self.method == Method::ClosedForm => {
                    return Err(Error::Method { method: self.method });
                }
                None => {
                    let pairs = (parts.iter())
                        .map(|part| Ok((pair::dominating_pair(part.mechanism, direction)?, part.count)))
                        .collect::<Result<Vec<_>, Error>>()?;
                    let notes =
                        pairs.iter().fold(self.notes(), |notes, (pair, _)| [notes, pair.notes()].concat());
                    let is_self_dual = pairs.iter().all(|(pair, _)| pair.is_self_dual());
                    let tolerance = self.tolerance.unwrap_or(DEFAULT_TOLERANCE);
                    let lattice = Lattice::compose(&pairs, goal, tolerance, discretisation)?;
                    let method = if discretisation == Discretisation::Buckets {
                        Method::Buckets
                    } else {
                        Method::Lattice
                    };
                    (Composed { direction, method, profile: Box::new(lattice), notes }, is_self_dual)
                }
            };
            profiles.push(composed);
            if is_self_dual {
                break;
            }
        }
        Ok(profiles)
    }

    /// What the reader of an answer should know about how the question was taken.
    fn notes(&self) -> Vec<String> {
        match self.relation {
            Relation::Replace => vec![
                "sensitivity is taken as the largest change when one record is replaced, \
                 often twice that of adding or removing one"
                    .to_owned(),
            ],
            Relation::AddRemove | Relation::Add | Relation::Remove => vec![],
        }
    }
}

/// A composition in one direction.
struct Composed {
    direction: Direction,
    method: Method,
    profile: Box<dyn PrivacyProfile>,
    notes: Vec<String>,
}

/// Refuses an argument of a question unless it is in range.
fn check(
    in_range: bool,
    argument: &'static str,
    value: f64,
    allowed: &'static str,
    cure: &'static str,
) -> Result<(), Error> {
    if in_range { Ok(()) } else { Err(Error::Argument { argument, value, allowed, cure }) }
}
