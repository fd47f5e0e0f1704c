//! Who answers the questions: the library, or a liar in the tests of the laws.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::{Guarantee, Method},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// δ at this ε.
    Delta(f64),
    /// ε at this δ.
    Epsilon(f64),
}

/// What is proven about a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
}

impl Bounds {
    /// Can both be true of the same number?
    pub fn meets(self, other: Self) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// The same two doubles?
    pub fn is_same(self, other: Self) -> bool {
        self.lower.to_bits() == other.lower.to_bits() && self.upper.to_bits() == other.upper.to_bits()
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The library says why.
    Refused(String),
    /// It panicked: always a bug.
    Panicked(String),
    /// The answer is no interval: always a bug.
    Malformed(String),
}

/// Answers questions with proven bounds.
pub trait Oracle {
    /// The bounds that `method` proves; those of an estimate are 0 and ∞.
    fn ask(
        &self,
        mechanism: &Mechanism,
        relation: Relation,
        method: Method,
        asked: Asked,
    ) -> Result<Bounds, Refusal>;
}

/// The library itself.
#[derive(Clone, Copy, Debug)]
pub struct Library;

/// Wide intervals are allowed: this is about soundness, and cases should be cheap.
pub const TOLERANCE: f64 = 0.05;

impl Oracle for Library {
    fn ask(
        &self,
        mechanism: &Mechanism,
        relation: Relation,
        method: Method,
        asked: Asked,
    ) -> Result<Bounds, Refusal> {
        let query = Query::new(mechanism).relation(relation).method(method).tolerance(TOLERANCE);
        let answer = guarded(|| match asked {
            Asked::Delta(epsilon) => query.delta(epsilon),
            Asked::Epsilon(delta) => query.epsilon(delta),
        })?
        .map_err(|error| Refusal::Refused(error.to_string()))?;
        let (lower, upper) = match answer.guarantee() {
            Guarantee::Certified => (answer.lower().unwrap_or(f64::NAN), answer.upper()),
            Guarantee::UpperBound => (0.0, answer.upper()),
            Guarantee::Estimate => (0.0, f64::INFINITY),
        };
        // False for NaN, too. Both ends may be infinite: it may be proven that no finite ε will do.
        if 0.0 <= lower && lower <= upper {
            Ok(Bounds { lower, upper })
        } else {
            Err(Refusal::Malformed(format!("{asked:?} by {method} in [{lower}, {upper}]")))
        }
    }
}

/// What `work` makes, or that it panicked.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Refusal::Panicked(text.unwrap_or_default())
    })
}
