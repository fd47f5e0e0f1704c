//! Questions and their answers.
//!
//! In: a mechanism, a relation, a method, a tolerance, and what is asked. Out: an [`Answer`], a curve, a risk, a calibrated number.
//!
//! # Guarantee
//! The truth is within the ends of every answer that is not labelled an estimate, and a tolerance that was not met is said.

mod accountant;
mod answer;
mod bound;
mod calibrate;
mod compare;
mod curves;
mod delta;
mod epsilon;
mod folded;
mod grid;
mod losses;
mod prepared;
mod pure;
mod renyi;
mod risk;
mod width;

pub use crate::plan::{Method, UnknownMethod};
pub use accountant::Accountant;
pub use answer::{Answer, Guarantee, Shortfall, Unknown};
pub use calibrate::{Calibration, CalibrationError, Family, Function, Outcome, Target, Verdict, calibrate};
pub use compare::{Compared, Comparison};
pub use curves::Curves;
pub use epsilon::smallest_epsilon;
pub use folded::FoldedParts;
pub use grid::{even_grid, geometric_grid, whole_grid};
pub use losses::{LossAtom, LossCell, LossKind, LossShape, LossTail};
pub use prepared::{Prepared, Reading};
pub use risk::odds_factor;

use crate::{
    curve::PrivacyProfile,
    engine::Goal,
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::Direction,
    plan::{self, Plan, Request},
};

/// The relative width that numerical methods aim at when nothing is asked for.
const DEFAULT_TOLERANCE: f64 = 1e-4;

/// From this relative width on, an upper bound from moments may be better.
const WIDE: f64 = 1e-2;

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
        let composed = self.request(goal)?.compose()?;
        Ok(composed.into_iter().map(|composed| self.composed(composed)).collect())
    }

    /// The worst of the answers for each direction. Directions that cannot be the worst are not composed.
    fn worst(&self, goal: Goal, answer: impl Fn(&Composed) -> Answer) -> Result<Answer, Error> {
        let mut worst: Option<Answer> = None;
        let no_worse = self.request(goal)?.for_each_direction(|composed| {
            let composed = self.composed(composed);
            let answer = answer(&composed);
            let known = match worst.take() {
                Some(known) => known.worse(answer),
                None => answer,
            };
            let reached = known.reached(composed.profile.as_ref());
            worst = Some(known);
            reached
        })?;
        let worst = worst.expect("every relation has a direction");
        let plans = [worst.plans.clone(), no_worse].concat();
        let answer = self.no_worse_than_moments(goal, Answer { plans, ..worst });
        Ok(answer.checked_against(self.tolerance))
    }

    /// Where no engine gets to the digits of the question, moments may still be the better upper bound.
    fn no_worse_than_moments(&self, goal: Goal, answer: Answer) -> Answer {
        let is_wide =
            answer.relative_width().is_none_or(|width| width > WIDE) && !answer.is_narrow_for_an_epsilon();
        if self.method != Method::Auto || !is_wide {
            return answer;
        }
        match self.method(Method::RdpOptimal).bound(goal) {
            Ok(Some(moments)) => answer.with_upper_end_of(moments),
            Ok(None) | Err(_) => answer,
        }
    }

    /// Refuses a tolerance that is out of range, before anything is asked.
    pub fn check_tolerance(&self) -> Result<(), Error> {
        let is_in_range = self.tolerance.is_none_or(|tolerance| tolerance > 0.0 && tolerance < 1.0);
        check(
            is_in_range,
            "tolerance",
            self.tolerance.unwrap_or(DEFAULT_TOLERANCE),
            "above 0 and below 1",
            "try 1e-6",
        )
    }

    fn request(&self, goal: Goal) -> Result<Request<'_>, Error> {
        self.check_tolerance()?;
        Ok(Request {
            mechanism: self.mechanism,
            relation: self.relation,
            method: self.method,
            tolerance: self.tolerance.unwrap_or(DEFAULT_TOLERANCE),
            goal,
        })
    }

    fn composed(&self, plan::Composed { plan, profile, notes }: plan::Composed) -> Composed {
        Composed {
            direction: plan.direction,
            method: plan.engine.method(),
            plan,
            profile,
            notes: [self.notes(), notes].concat(),
        }
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
    plan: Plan,
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

fn check_epsilon(epsilon: f64) -> Result<(), Error> {
    check(
        epsilon >= 0.0 && epsilon.is_finite(),
        "epsilon",
        epsilon,
        "a finite number, 0 or above",
        "ask for ε = 0 to get the total variation distance",
    )
}

fn check_delta(delta: f64) -> Result<(), Error> {
    check(
        (0.0..1.0).contains(&delta),
        "delta",
        delta,
        "0 or above and below 1",
        "use a δ well below 1/n for n people, say 1e-6; 0 asks for pure differential privacy",
    )
}
