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
mod parts;
mod schema;

#[cfg(test)]
mod fuzz;

pub(crate) use parts::{Ask, Goal, Workload, Written};

use crate::{failure::Failure, input::STANDARD_INPUT};
use hockeystick::mechanism::{Files, excerpt};
use node::Misplaced;
use std::{
    fs,
    io::{self, Read},
    path::Path,
};

/// Longer files are refused.
const MOST_BYTES: u64 = 1 << 20;

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
}
