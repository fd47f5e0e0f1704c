//! What must be true of answers, whatever the numbers are. A law asks questions and compares *proven* bounds; where a question is
//! refused, there is nothing to compare.
//!
//! In: a law, a case, who answers, and the seed of the random choices of the law. Out: [`Findings`].
//!
//! # Guarantee
//! Only a contradiction between proven bounds, a panic, or an answer that is no interval breaks a law. The same seed asks the same questions.

mod agreement;
mod calibrated;
mod catalogue;
mod findings;
mod monotone;
mod regrouped;
mod subject;
mod written;

pub use agreement::{BOUNDING, ENCLOSING, PUBLISHED};
pub use catalogue::{LAWS, Law, named};
pub use findings::Findings;
pub use subject::Subject;

use crate::{
    Case,
    oracle::{Oracle, Refusal},
};
use hockeystick_chance::Random;

/// What a law finds about a case, `choices` being the seed of its random choices.
pub fn check(law: &Law, oracle: &dyn Oracle, case: &Case, choices: u64) -> Findings {
    match Subject::new(oracle, case) {
        Ok(subject) => check_answered(law, &subject, choices),
        Err(Refusal::Refused(_)) => Findings::default(),
        Err(Refusal::Panicked(text)) => Findings { checks: 0, broken: vec![format!("panics: {text}")] },
        Err(Refusal::Malformed(text)) => Findings { checks: 0, broken: vec![text] },
    }
}

/// The same of a case whose answer is known.
pub fn check_answered(law: &Law, subject: &Subject<'_>, choices: u64) -> Findings {
    let mut findings = Findings::default();
    (law.check)(subject, &mut Random::new(choices), &mut findings);
    findings
}
