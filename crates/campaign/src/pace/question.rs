//! What is asked and timed, and where its expression comes from.

use hockeystick::{mechanism::Relation, query::Method};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where an expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Share {
    /// From the grammar, with improper, extreme and ordinary values.
    Grammar,
    /// The cases of the campaign, and examples of the catalogue with numbers of every size in them.
    Extreme,
}

/// What is asked, and of what.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Where the expression comes from.
    pub share: Share,
    /// The expression, with a `?` if a number is to be found.
    pub text: String,
    /// Which datasets are neighbours.
    pub relation: Relation,
    /// The method.
    pub method: Method,
    /// What is asked.
    pub question: Question,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// ε at this δ.
    Epsilon(f64),
    /// δ at this ε.
    Delta(f64),
    /// Advantage, a true positive rate, and some points of each curve.
    Curves,
    /// By every method: ε at this δ.
    Compare(f64),
    /// The number for which ε and δ are met.
    Calibrate(f64, f64),
}

impl fmt::Display for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {} | {:?}", self.text, self.relation, self.method, self.question)
    }
}
