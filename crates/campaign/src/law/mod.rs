//! What must be true of answers, whatever the numbers are. A law asks questions and compares *proven* bounds; where a question is
//! refused, there is nothing to compare.

mod agreement;
mod calibrated;
mod monotone;
mod regrouped;
mod written;

pub use agreement::{BOUNDING, ENCLOSING, PUBLISHED};

use crate::{
    Case,
    oracle::{Asked, Bounds, Oracle, Refusal},
};
use hockeystick::{mechanism::Mechanism, query::Method};
use hockeystick_chance::Random;

/// A law, and how often it is worth its price: one case in so many.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Its name in ledgers and regression tests.
    pub name: &'static str,
    /// Asked of one case in so many.
    pub one_in: u64,
    check: fn(&Subject<'_>, &mut Random, &mut Findings),
}

/// Every law.
pub const LAWS: &[Law] = &[
    Law { name: "inverse", one_in: 2, check: agreement::inverse },
    Law { name: "smaller-delta", one_in: 4, check: monotone::smaller_delta },
    Law { name: "more-uses", one_in: 4, check: monotone::more_uses },
    Law { name: "less-noise", one_in: 3, check: monotone::less_noise },
    Law { name: "regrouped", one_in: 4, check: regrouped::regrouped },
    Law { name: "written", one_in: 4, check: written::written },
    Law { name: "directions", one_in: 3, check: agreement::directions },
    Law { name: "engines", one_in: 6, check: agreement::engines },
    Law { name: "upper-bounds", one_in: 15, check: agreement::upper_bounds },
    Law { name: "lattice", one_in: 200, check: agreement::lattice },
    Law { name: "published", one_in: 1500, check: agreement::published },
    Law { name: "calibrated", one_in: 500, check: calibrated::calibrated },
];

/// The law of this name.
pub fn named(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

/// A case with the answer to its question.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Who is asked.
    pub oracle: &'a dyn Oracle,
    /// What about.
    pub case: &'a Case,
    /// ε at the δ of the case.
    pub epsilon: Bounds,
}

impl<'a> Subject<'a> {
    /// Asks for ε.
    pub fn new(oracle: &'a dyn Oracle, case: &'a Case) -> Result<Self, Refusal> {
        let epsilon = oracle.ask(&case.mechanism, case.relation, Method::Auto, Asked::Epsilon(case.delta))?;
        Ok(Self { oracle, case, epsilon })
    }

    /// Between the bounds of ε, if they are finite.
    fn middle(&self) -> Option<f64> {
        let Bounds { lower, upper } = self.epsilon;
        upper.is_finite().then_some(lower + (upper - lower) / 2.0)
    }
}

/// What a law found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How many comparisons there were that could have failed.
    pub checks: u64,
    /// Those that did.
    pub broken: Vec<String>,
}

impl Findings {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.broken.push(what());
        }
    }

    /// Asks about a mechanism under the relation of the case. A panic or an answer that is no interval breaks every law.
    fn ask(
        &mut self,
        subject: &Subject<'_>,
        mechanism: &Mechanism,
        method: Method,
        asked: Asked,
    ) -> Option<Bounds> {
        match subject.oracle.ask(mechanism, subject.case.relation, method, asked) {
            Ok(bounds) => Some(bounds),
            Err(Refusal::Refused(_)) => None,
            Err(Refusal::Panicked(text)) => {
                self.broken.push(format!("{asked:?} of {mechanism} by {method} panics: {text}"));
                None
            }
            Err(Refusal::Malformed(text)) => {
                self.broken.push(format!("{mechanism}: {text}"));
                None
            }
        }
    }
}

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
