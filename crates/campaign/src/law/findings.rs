//! What a law found: how much was compared, and what contradicts what.

use super::subject::Subject;
use crate::oracle::{Asked, Bounds, Refusal};
use hockeystick::{mechanism::Mechanism, query::Method};

/// What a law found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How many comparisons there were that could have failed.
    pub checks: u64,
    /// Those that did.
    pub broken: Vec<String>,
}

impl Findings {
    pub(super) fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.broken.push(what());
        }
    }

    /// Asks about a mechanism under the relation of the case. A panic or an answer that is no interval breaks every law.
    pub(super) fn ask(
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
