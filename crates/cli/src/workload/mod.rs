//! Workload files: named groups of mechanisms, and the targets they must meet.
//!
//! ```toml
//! title = "Quarterly release"       # all but groups may be left out
//! relation = "add-remove"
//!
//! [[groups]]
//! name = "histograms"
//! mechanism = "discrete_gaussian(sigma=20)"
//! count = 48
//!
//! [[groups]]
//! name = "model"
//! training = { examples = 60000, batch = 600, epochs = 10, noise = 1.1 }
//!
//! [[targets]]                       # delta: how large is ε; epsilon: how large is δ; both: is it met
//! name = "policy"
//! epsilon = 3
//! delta = 1e-6
//! groups = ["histograms"]           # all, if left out
//! ```
//!
//! The same keys make a JSON file.

mod from_json;
mod from_toml;
mod node;
mod schema;

#[cfg(test)]
mod fuzz;

use crate::failure::Failure;
use hockeystick::mechanism::{Mechanism, Relation, excerpt};
use node::Misplaced;
use std::{fs, io::Read, path::Path};

/// Longer files are refused.
const MOST_BYTES: u64 = 1 << 20;

/// A workload.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload {
    pub(crate) title: Option<String>,
    pub(crate) relation: Option<Relation>,
    pub(crate) groups: Vec<Group>,
    pub(crate) targets: Vec<Goal>,
}

/// Mechanisms that belong together.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) mechanism: Mechanism,
    /// What must be true of it for the answer to hold.
    pub(crate) assumptions: Vec<String>,
}

/// What is asked of some of the groups.
#[derive(Debug, PartialEq)]
pub(crate) struct Goal {
    pub(crate) name: Option<String>,
    /// Positions of groups.
    pub(crate) groups: Vec<usize>,
    pub(crate) ask: Ask,
}

/// A question, and the largest answer that is acceptable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ask {
    Epsilon { delta: f64, at_most: Option<f64> },
    Delta { epsilon: f64 },
    Advantage { at_most: f64 },
    TruePositives { false_positives: f64, at_most: Option<f64> },
}

impl Workload {
    /// Reads a file; whether it is TOML or JSON, its name says.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failure = |message: String| Failure::File { name: name.clone(), message };
        let mut bytes = Vec::new();
        fs::File::open(path)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| failure(format!("cannot be read: {error}; give the name of a workload file")))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(failure(format!(
                "has more than {MOST_BYTES} bytes; use counts for repeated mechanisms"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            failure(format!("is not UTF-8 text after {} bytes", error.utf8_error().valid_up_to()))
        })?;
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        Self::of_text(&name, &text, is_json)
    }

    /// Reads the text of a file called `name`.
    fn of_text(name: &str, text: &str, is_json: bool) -> Result<Self, Failure> {
        Self::parse(text, is_json).map_err(|Misplaced { span, message }| {
            let line = text[..span.start].matches('\n').count() + 1;
            let excerpt = excerpt(text, span);
            let excerpt = if excerpt.is_empty() { excerpt } else { format!("\n\n{excerpt}") };
            Failure::File { name: format!("{name}, line {line}"), message: format!("{message}{excerpt}") }
        })
    }

    fn parse(text: &str, is_json: bool) -> Result<Self, Misplaced> {
        schema::workload(&if is_json { from_json::read(text)? } else { from_toml::read(text)? })
    }

    /// Some of the groups together.
    pub(crate) fn composed(&self, groups: &[usize]) -> Mechanism {
        let mut chosen = groups.iter().map(|&position| self.groups[position].mechanism.clone());
        let first = chosen.next().expect("a target has at least one group");
        chosen.fold(first, |sum, next| sum + next)
    }

    /// All groups together.
    pub(crate) fn whole(&self) -> Mechanism {
        self.composed(&(0..self.groups.len()).collect::<Vec<_>>())
    }
}
