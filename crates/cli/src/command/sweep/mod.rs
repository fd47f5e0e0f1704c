//! `hockeystick sweep`: a question over a grid of parameters, or over the rows of a file, in parallel.
//!
//! Rows are handed on in their order as soon as they are known: as CSV to standard output, or to a file beside that of
//! `--out`, from which an interrupted sweep is taken up again.

mod grid;
mod kept;
mod points;
mod row;
mod shown;
mod table;

use super::{
    Outcome,
    common::{Accounting, FileAccess, number},
    named,
};
use crate::{
    failure::Failure,
    input, output,
    plot::PlotFile,
    report::{Format, Page},
    style::Style,
    visible::visible,
    whole_file::write_whole,
};
use grid::{Grid, MOST_POINTS, grid};
use hockeystick::{mechanism::Pattern, query::Method};
use kept::Kept;
use points::Points;
use row::Row;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use table::Table;

/// One question over a grid of parameters or the rows of a file, in parallel, as CSV
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Sweep {
    /// The mechanisms with names in braces, for example "gaussian(sigma={sigma}) * {k}"; without it the column expression of --rows
    #[arg(value_name = "EXPR", required_unless_present = "rows")]
    expression: Option<String>,

    /// Values of a name: sigma=1,2,4 or sigma=1:10:5 (evenly spaced), also with :whole or :log at the end (whole numbers, equal
    /// ratios); may be repeated. The names epsilon and delta set the question
    #[arg(long, value_name = "NAME=VALUES", value_parser = grid, required_unless_present = "rows")]
    grid: Vec<Grid>,

    /// A question for each row of a CSV file, whose first line has the names, or of a file with a JSON object on each line; - reads
    /// standard input. The columns epsilon and delta set the question; columns that EXPR does not name go along
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grid", "plot"])]
    rows: Option<PathBuf>,

    /// Ask for δ at this ε
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<f64>,

    /// Ask for ε at this δ
    #[arg(long, short = 'd', value_name = "X", value_parser = number, allow_hyphen_values = true, conflicts_with = "epsilon")]
    delta: Option<f64>,

    /// Methods to compare, such as closed-form,rdp,advanced: each makes a row and a curve of its own
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "method",
          value_parser = named::method(), hide_possible_values = true)]
    methods: Vec<Method>,

    #[command(flatten)]
    access: FileAccess,

    #[command(flatten)]
    plot: PlotFile,

    /// Write the answers into this file, whole at the end; until then they are kept in FILE.part
    #[arg(long, short = 'o', value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,

    /// Go on with a sweep that was interrupted, from the rows in FILE.part
    #[arg(long, requires = "out", help_heading = "Output")]
    resume: bool,

    /// How the answers are written; csv, or text around a chart in characters
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<Format>,

    #[command(flatten)]
    accounting: Accounting,
}

const EXAMPLES: &str = include_str!("../examples/sweep.txt");

const QUESTIONS: [&str; 2] = ["epsilon", "delta"];
/// The column that holds whole expressions.
const EXPRESSION: &str = "expression";

/// How many points are not answered, or not as asked.
fn shortfall(rows: &[Row]) -> Option<String> {
    let total = rows.len();
    let unanswered = rows.iter().filter(|row| row.answer.is_err()).count();
    let reasons: Vec<&String> =
        rows.iter().filter_map(|row| row.answer.as_ref().ok()?.shortfall.as_ref()).collect();
    let unanswered = (unanswered > 0).then(|| format!("{unanswered} of {total} points have no answer"));
    let not_as_asked = reasons.first().map(|first| {
        format!("{} of {total} points are not answered as asked; the first: {first}", reasons.len())
    });
    let all: Vec<String> = [unanswered, not_as_asked].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

impl Sweep {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.plot.check(self.format())?;
        let (table, rows) = match &self.rows {
            Some(path) => Table::of(path).map(|(table, text)| (Some(table), text))?,
            None => (None, String::new()),
        };
        let text = match (&self.expression, &table) {
            (Some(expression), _) => input::text(expression)?,
            (None, Some(table)) if table.names.iter().any(|name| name == EXPRESSION) => {
                format!("{{{EXPRESSION}}}")
            }
            (None, _) => {
                return Err(Failure::Request(format!(
                    "there is no expression; give one with names in braces, or a column called {EXPRESSION}"
                )));
            }
        };
        let points = Points { sweep: self, table, pattern: Pattern::read(&text) };
        points.check()?;
        let total = points.count();
        if self.rows.is_none() && total > MOST_POINTS {
            return Err(Failure::Request(format!(
                "the grid has {total} points, but at most {MOST_POINTS} are answered; make it coarser"
            )));
        }
        let (mut kept, known) = match &self.out {
            Some(out) => {
                let (kept, known) = Kept::open(out, &self.digest(&text, &rows), self.resume)?;
                (Some(kept), known)
            }
            None => (None, vec![]),
        };
        let known: Vec<Row> =
            known.into_iter().take(total).enumerate().map(|(at, answer)| points.row(at, answer)).collect();
        let is_streamed = self.out.is_none() && self.format() == Format::Csv;
        let mut stream = Stream { is_begun: false, held_back: vec![points.header()] };
        let mut handed_on = 0;
        let first_new = known.len();
        let rows = points.answers(known, |row| {
            handed_on += 1;
            if let Some(kept) = kept.as_mut().filter(|_| handed_on > first_new) {
                kept.keep(&row.answer).map_err(Stop::Failed)?;
            }
            if is_streamed { stream.push(points.line(row), row.answer.is_ok()) } else { Ok(()) }
        });
        let rows = match rows {
            Ok(rows) => rows,
            Err(Stop::NobodyReads) => return Ok(Outcome { text: String::new(), shortfall: None }),
            Err(Stop::Failed(failure)) => return Err(failure),
        };
        let failures = rows.iter().filter(|row| row.answer.is_err()).count();
        if failures == total
            && let Some(Row { answer: Err(reason), .. }) = rows.first()
        {
            let none = if self.rows.is_some() { "no row" } else { "no point of the grid" };
            return Err(Failure::Request(format!("{none} has an answer; the first: {reason}")));
        }
        let drawing = self.plot.draw(|| Ok(points.chart(&rows)))?;
        let text = match self.format() {
            Format::Csv if is_streamed => String::new(),
            Format::Csv => points.table(&rows),
            Format::Json => points.objects(&rows),
            Format::Text => {
                let style = if self.out.is_some() { Style::default() } else { Style::of_output() };
                Page { drawing, ..points.page(&rows) }.text(style)
            }
            Format::Markdown => points.page(&rows).markdown(),
        };
        let text = match (&self.out, kept) {
            (Some(out), Some(kept)) => {
                write_whole(out, (text + "\n").as_bytes()).map_err(|error| Failure::File {
                    name: out.display().to_string(),
                    message: format!("cannot be written: {error}"),
                })?;
                kept.remove()?;
                format!("{}: {total} rows", visible(&out.display().to_string()))
            }
            _ => text,
        };
        Ok(Outcome { text, shortfall: shortfall(&rows) })
    }

    /// What makes this sweep another one than another: all that its answers depend on, and the version.
    fn digest(&self, text: &str, rows: &str) -> String {
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

    fn format(&self) -> Format {
        let usual = if self.plot.is_in_text() { Format::Text } else { Format::Csv };
        self.format.unwrap_or(usual)
    }

    /// The methods that are asked for by name, or the one.
    fn methods(&self) -> &[Method] {
        if self.methods.is_empty() { std::slice::from_ref(&self.accounting.method) } else { &self.methods }
    }
}

/// Why no more rows are wanted.
enum Stop {
    /// The reader has gone away.
    NobodyReads,
    Failed(Failure),
}

/// Lines on their way to standard output. Nothing is written before there is an answer: a sweep without any is a complaint.
struct Stream {
    is_begun: bool,
    held_back: Vec<String>,
}

impl Stream {
    fn push(&mut self, line: String, is_answer: bool) -> Result<(), Stop> {
        self.is_begun |= is_answer;
        self.held_back.push(line);
        if !self.is_begun {
            return Ok(());
        }
        for line in self.held_back.drain(..) {
            match output::line(&line) {
                Ok(true) => {}
                Ok(false) => return Err(Stop::NobodyReads),
                Err(failure) => return Err(Stop::Failed(failure)),
            }
        }
        Ok(())
    }
}
