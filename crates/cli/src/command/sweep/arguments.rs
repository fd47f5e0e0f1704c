//! What a sweep is asked on the command line.

use super::grid::{Grid, grid};
use crate::{
    command::{
        common::{Accounting, FileAccess, number},
        named,
    },
    plot::PlotFile,
    report::Format,
};
use hockeystick::query::Method;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// One question over a grid of parameters or the rows of a file, in parallel, as CSV
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::command) struct Sweep {
    /// The mechanisms with names in braces, for example "gaussian(sigma={sigma}) * {k}"; without it the column expression of --rows
    #[arg(value_name = "EXPR", required_unless_present = "rows")]
    pub(super) expression: Option<String>,

    /// Values of a name: sigma=1,2,4 or sigma=1:10:5 (evenly spaced), also with :whole or :log at the end (whole numbers, equal
    /// ratios); may be repeated. The names epsilon and delta set the question
    #[arg(long, value_name = "NAME=VALUES", value_parser = grid, required_unless_present = "rows")]
    pub(super) grid: Vec<Grid>,

    /// A question for each row of a CSV file, whose first line has the names, or of a file with a JSON object on each line; - reads
    /// standard input. The columns epsilon and delta set the question; columns that EXPR does not name go along
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grid", "plot"])]
    pub(super) rows: Option<PathBuf>,

    /// Ask for δ at this ε
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    pub(super) epsilon: Option<f64>,

    /// Ask for ε at this δ
    #[arg(long, short = 'd', value_name = "X", value_parser = number, allow_hyphen_values = true, conflicts_with = "epsilon")]
    pub(super) delta: Option<f64>,

    /// Methods to compare, such as closed-form,rdp,advanced: each makes a row and a curve of its own
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "method",
          value_parser = named::method(), hide_possible_values = true)]
    pub(super) methods: Vec<Method>,

    #[command(flatten)]
    pub(super) access: FileAccess,

    #[command(flatten)]
    pub(super) plot: PlotFile,

    /// Write the answers into this file, whole at the end; until then they are kept in FILE.part
    #[arg(long, short = 'o', value_name = "FILE", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,

    /// Go on with a sweep that was interrupted, from the rows in FILE.part
    #[arg(long, requires = "out", help_heading = "Output")]
    pub(super) resume: bool,

    /// How the answers are written; csv, or text around a chart in characters
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub(super) format: Option<Format>,

    #[command(flatten)]
    pub(super) accounting: Accounting,
}

const EXAMPLES: &str = include_str!("../examples/sweep.txt");

/// The columns that set the question.
pub(super) const QUESTIONS: [&str; 2] = ["epsilon", "delta"];
/// The column that holds whole expressions.
pub(super) const EXPRESSION: &str = "expression";

impl Sweep {
    /// What makes this sweep another one than another: all that its answers depend on, and the version.
    pub(super) fn digest(&self, text: &str, rows: &str) -> String {
        let Accounting { tolerance, relation, allowed, .. } = &self.accounting;
        let all = format!(
            "{}\n{text:?}\n{:?}\n{:?} {:?}\n{:?}\n{tolerance:?} {relation:?} {allowed:?}\n{:?}\n{rows}",
            env!("CARGO_PKG_VERSION"),
            self.grid,
            self.epsilon,
            self.delta,
            self.methods(),
            self.access,
        );
        Sha256::digest(all).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn format(&self) -> Format {
        let usual = if self.plot.is_in_text() { Format::Text } else { Format::Csv };
        self.format.unwrap_or(usual)
    }

    /// The methods that are asked for by name, or the one.
    pub(super) fn methods(&self) -> &[Method] {
        if self.methods.is_empty() { std::slice::from_ref(&self.accounting.method) } else { &self.methods }
    }
}
