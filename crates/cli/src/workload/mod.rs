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
//! The same keys make a JSON file. One number may be a `?` to be found, in a mechanism, or as `count = "?"` or `noise = "?"`.

mod from_json;
mod from_toml;
mod node;
mod schema;

#[cfg(test)]
mod fuzz;

use crate::{failure::Failure, input::STANDARD_INPUT};
use hockeystick::mechanism::{Files, Mechanism, Relation, excerpt};
use hockeystick::query::Target;
use node::Misplaced;
use std::{
    fs,
    io::{self, Read},
    path::Path,
};

/// Longer files are refused.
const MOST_BYTES: u64 = 1 << 20;

/// A workload, of mechanisms unless some of it is still to be found.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload<M = Mechanism> {
    pub(crate) title: Option<String>,
    pub(crate) relation: Option<Relation>,
    pub(crate) groups: Vec<Group<M>>,
    pub(crate) targets: Vec<Goal>,
}

/// What is written of a group, before it is known whether a number is to be found.
#[derive(Debug, PartialEq)]
pub(crate) struct Written {
    /// The expression, count included.
    pub(crate) text: String,
    /// The mechanism; with a `?` in it, what is to be said where all numbers must be known.
    mechanism: Result<Mechanism, Misplaced>,
}

impl Written {
    pub(crate) fn is_open(&self) -> bool {
        self.mechanism.is_err()
    }
}

/// Mechanisms that belong together.
#[derive(Debug, PartialEq)]
pub(crate) struct Group<M = Mechanism> {
    pub(crate) name: String,
    pub(crate) mechanism: M,
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

impl Ask {
    /// What must be met, if there is a bound.
    pub(crate) fn target(self) -> Option<Target> {
        match self {
            Self::Epsilon { delta, at_most } => at_most.map(|epsilon| Target::Guarantee { epsilon, delta }),
            Self::Delta { .. } => None,
            Self::Advantage { at_most } => Some(Target::Advantage { at_most }),
            Self::TruePositives { false_positives, at_most } => {
                at_most.map(|at_most| Target::TruePositives { at_most, false_positives })
            }
        }
    }
}

/// The text of a workload, what it is called in messages, and in which of the two languages it is written.
struct Source {
    name: String,
    text: String,
    is_json: bool,
}

impl Source {
    /// Reads a file, or standard input; whether it is TOML or JSON, the name of the file says, or else the first character.
    fn read(path: &Path) -> Result<Self, Failure> {
        let is_input = path == Path::new(STANDARD_INPUT);
        let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
        let failure = |message: String| Failure::File { name: name.clone(), message };
        let mut bytes = Vec::new();
        let read = if is_input {
            io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
        } else {
            fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        };
        read.map_err(|error| failure(format!("cannot be read: {error}; give the name of a workload file")))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(failure(format!(
                "has more than {MOST_BYTES} bytes; use counts for repeated mechanisms"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            failure(format!("is not UTF-8 text after {} bytes", error.utf8_error().valid_up_to()))
        })?;
        let is_json = if is_input {
            text.trim_start().starts_with('{')
        } else {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        };
        Ok(Self { name, text, is_json })
    }

    /// What the text says, or its problem with its place.
    fn parse<T>(
        &self,
        files: &Files,
        meaning: impl FnOnce(Workload<Written>) -> Result<T, Misplaced>,
    ) -> Result<T, Failure> {
        let text = &self.text;
        let node = if self.is_json { from_json::read(text) } else { from_toml::read(text) };
        node.and_then(|node| schema::workload(&node, files)).and_then(meaning).map_err(|problem| {
            let Misplaced { span, message } = problem;
            let line = text[..span.start].matches('\n').count() + 1;
            let excerpt = excerpt(text, span);
            let excerpt = if excerpt.is_empty() { excerpt } else { format!("\n\n{excerpt}") };
            let name = format!("{}, line {line}", self.name);
            Failure::File { name, message: format!("{message}{excerpt}") }
        })
    }
}

impl Workload<Written> {
    /// Reads a file, or standard input, in which one number may be to be found.
    pub(crate) fn read_open(path: &Path, files: &Files) -> Result<Self, Failure> {
        Source::read(path)?.parse(files, Ok)
    }

    /// The expression of some of the groups together.
    pub(crate) fn text(&self, groups: &[usize]) -> String {
        let texts = groups.iter().map(|&position| format!("({})", self.groups[position].mechanism.text));
        texts.collect::<Vec<_>>().join(" + ")
    }

    /// All numbers are known, or the first that is not is complained about.
    fn closed(self) -> Result<Workload, Misplaced> {
        let Self { title, relation, groups, targets } = self;
        let close = |Group { name, mechanism, assumptions }: Group<Written>| {
            Ok(Group { name, mechanism: mechanism.mechanism?, assumptions })
        };
        let groups = groups.into_iter().map(close).collect::<Result<_, Misplaced>>()?;
        Ok(Workload { title, relation, groups, targets })
    }
}

impl Workload {
    /// Reads a file, or standard input.
    pub(crate) fn read(path: &Path, files: &Files) -> Result<Self, Failure> {
        Source::read(path)?.parse(files, Workload::closed)
    }

    /// Reads the text of a file called `name`.
    #[cfg(test)]
    fn of_text(name: &str, text: &str, is_json: bool) -> Result<Self, Failure> {
        let source = Source { name: name.to_owned(), text: text.to_owned(), is_json };
        source.parse(&Files::default(), Workload::closed)
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
