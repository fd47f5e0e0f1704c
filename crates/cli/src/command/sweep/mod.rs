//! `hockeystick sweep`: a question over a grid of parameters, in parallel.
//!
//! Rows are handed on in the order of the grid as soon as they are known: as CSV to standard output, or to a file beside that of
//! `--out`, from which an interrupted sweep is taken up again.

mod grid;
mod kept;
mod ordered;
mod row;
mod shown;

use super::{
    Outcome,
    common::{Accounting, FileAccess, Subject, number},
    named,
};
use crate::{
    failure::Failure,
    input, output,
    plot::PlotFile,
    progress::Progress,
    report::{Format, Page, shortest},
    style::Style,
    visible::visible,
    whole_file::write_whole,
};
use grid::{Grid, MOST_POINTS, grid};
use hockeystick::{Answer, query::Method};
use kept::Kept;
use ordered::{Ordered, Stop};
use row::{Reading, Row};
use sha2::{Digest, Sha256};
use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// One question over a grid of parameters, in parallel, as CSV
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Sweep {
    /// The mechanisms with names in braces, for example "gaussian(sigma={sigma}) * {k}"
    #[arg(value_name = "EXPR")]
    expression: String,

    /// Values of a name: sigma=1,2,4 or sigma=1:10:5 (evenly spaced), also with :whole or :log at the end (whole numbers, equal
    /// ratios); may be repeated. The names epsilon and delta set the question
    #[arg(long, value_name = "NAME=VALUES", value_parser = grid, required = true)]
    grid: Vec<Grid>,

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
        let text = input::text(&self.expression)?;
        self.check(&text)?;
        let points = self.grid.iter().map(|grid| grid.values.len());
        let total: usize = points.chain([self.methods().len()]).product();
        if total > MOST_POINTS {
            return Err(Failure::Request(format!(
                "the grid has {total} points, but at most {MOST_POINTS} are answered; make it coarser"
            )));
        }
        let (mut kept, known) = match &self.out {
            Some(out) => {
                let (kept, known) = Kept::open(out, &self.digest(&text), self.resume)?;
                (Some(kept), known)
            }
            None => (None, vec![]),
        };
        let known: Vec<Row> =
            known.into_iter().take(total).enumerate().map(|(at, answer)| self.row(at, answer)).collect();
        let is_streamed = self.out.is_none() && self.format() == Format::Csv;
        let mut stream = Stream { is_begun: false, held_back: vec![self.header()] };
        let mut handed_on = 0;
        let first_new = known.len();
        let rows = self.answers(&text, total, known, |row| {
            handed_on += 1;
            if let Some(kept) = kept.as_mut().filter(|_| handed_on > first_new) {
                kept.keep(&row.answer).map_err(Stop::Failed)?;
            }
            if is_streamed { stream.push(self.line(row), row.answer.is_ok()) } else { Ok(()) }
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
            return Err(Failure::Request(format!("no point of the grid has an answer; the first: {reason}")));
        }
        let drawing = self.plot.draw(|| Ok(self.chart(&rows)))?;
        let text = match self.format() {
            Format::Csv if is_streamed => String::new(),
            Format::Csv => self.table(&rows),
            Format::Json => self.objects(&rows),
            Format::Text => {
                let style = if self.out.is_some() { Style::default() } else { Style::of_output() };
                Page { drawing, ..self.page(&rows) }.text(style)
            }
            Format::Markdown => self.page(&rows).markdown(),
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
    fn digest(&self, text: &str) -> String {
        let Accounting { tolerance, relation, allowed, .. } = &self.accounting;
        let all = format!(
            "{}\n{text:?}\n{:?}\n{:?} {:?}\n{:?}\n{tolerance:?} {relation:?} {allowed:?}\n{:?}",
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

    /// Every name is used, and every brace is a name.
    fn check(&self, text: &str) -> Result<(), Failure> {
        let complaint = |message: String| Err(Failure::Request(message));
        for (position, grid) in self.grid.iter().enumerate() {
            let name = &grid.name;
            if self.grid[..position].iter().any(|earlier| earlier.name == *name) {
                return complaint(format!("there are two grids for {name}; remove one"));
            }
            if QUESTIONS.contains(&name.as_str()) && (self.epsilon.is_some() || self.delta.is_some()) {
                return complaint(format!(
                    "a grid for {name} is the question; leave out --epsilon and --delta"
                ));
            }
            if !QUESTIONS.contains(&name.as_str()) && !text.contains(&format!("{{{name}}}")) {
                return complaint(format!(
                    "{{{name}}} is not in the expression; write it where its values go"
                ));
            }
        }
        let asked = self.grid.iter().filter(|grid| QUESTIONS.contains(&grid.name.as_str())).count();
        if asked > 1 {
            return complaint("there are grids for epsilon and delta; ask for one of them".to_owned());
        }
        if asked == 0 && self.epsilon.is_none() && self.delta.is_none() {
            return complaint(
                "there is no question; give --delta, --epsilon, or a grid for one of them".to_owned(),
            );
        }
        Ok(())
    }

    /// All answers in the order of the grid, the last name changing fastest; each is handed on when all before it are known.
    fn answers(
        &self,
        text: &str,
        total: usize,
        known: Vec<Row>,
        hand_on: impl FnMut(&Row) -> Result<(), Stop> + Send,
    ) -> Result<Vec<Row>, Stop> {
        let next = AtomicUsize::new(known.len());
        let progress = Progress::new(total);
        known.iter().for_each(|_| progress.step());
        let workers = thread::available_parallelism().map_or(1, usize::from).min(total);
        let rows = Mutex::new(Ordered::after(known, hand_on));
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let position = next.fetch_add(1, Ordering::Relaxed);
                        if position >= total || rows.lock().expect("no worker panics").is_ended() {
                            break;
                        }
                        let row = self.row(position, Err(String::new()));
                        let answer = self.answer(text, &row.values, row.method);
                        let answer = answer
                            .map(|answer| Reading::from(&answer))
                            .map_err(|failure| failure.to_string());
                        rows.lock().expect("no worker panics").add(position, Row { answer, ..row });
                        progress.step();
                    }
                });
            }
        });
        drop(progress);
        rows.into_inner().expect("no worker panics").finish()
    }

    /// The row of a point of the grid.
    fn row(&self, position: usize, answer: Result<Reading, String>) -> Row {
        let methods = self.methods();
        let (values, method) = (self.point(position / methods.len()), methods[position % methods.len()]);
        Row { values, method, answer }
    }

    /// The methods that are asked for by name, or the one.
    fn methods(&self) -> &[Method] {
        if self.methods.is_empty() { std::slice::from_ref(&self.accounting.method) } else { &self.methods }
    }

    fn point(&self, position: usize) -> Vec<f64> {
        let mut rest = position;
        let mut values: Vec<f64> = self
            .grid
            .iter()
            .rev()
            .map(|grid| {
                let value = grid.values[rest % grid.values.len()];
                rest /= grid.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    fn answer(&self, text: &str, values: &[f64], method: Method) -> Result<Answer, Failure> {
        let mut text = text.to_owned();
        let (mut epsilon, mut delta) = (self.epsilon, self.delta);
        for (grid, &value) in self.grid.iter().zip(values) {
            match grid.name.as_str() {
                "epsilon" => epsilon = Some(value),
                "delta" => delta = Some(value),
                name => text = text.replace(&format!("{{{name}}}"), &shortest(value)),
            }
        }
        let files = self.access.of_arguments();
        let mechanism = files.mechanism(&text).map_err(|error| Failure::Expression { text, error })?;
        let subject = Subject { mechanism, relation: self.accounting.relation.unwrap_or_default() };
        let query = self.accounting.query(&subject).method(method);
        match (epsilon, delta) {
            (Some(epsilon), _) => Ok(query.delta(epsilon)?),
            (None, Some(delta)) => Ok(query.epsilon(delta)?),
            (None, None) => Err(Failure::Request("there is no question".to_owned())),
        }
    }

    /// Is δ what is asked for?
    fn asks_delta(&self) -> bool {
        self.epsilon.is_some() || self.grid.iter().any(|grid| grid.name == "epsilon")
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.grid.iter().map(|grid| grid.name.as_str())
    }
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
