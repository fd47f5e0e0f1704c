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
mod calibration;
mod domain;
mod error;
mod family;
mod function;
mod guess;
mod outcome;
mod problem;
mod real;
mod target;
mod whole;

pub use calibration::Calibration;
pub use error::CalibrationError;
pub use family::Family;
pub use function::Function;
pub use outcome::Outcome;
pub use target::{Target, Verdict};

use super::Method;
use crate::{error::Error, mechanism::Relation};
use bracket::Found;
use domain::Domain;
use outcome::Proposal;
use problem::Problem;

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
