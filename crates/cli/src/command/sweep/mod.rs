//! `hockeystick sweep`: a question over a grid of parameters, in parallel.

mod grid;
mod shown;

use super::{
    Outcome,
    common::{Accounting, Subject, number},
    named,
};
use crate::{
    failure::Failure,
    input,
    plot::PlotFile,
    progress::Progress,
    report::{Format, Page, shortest},
    style::Style,
};
use grid::{Grid, grid};
use hockeystick::{Answer, query::Method};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// One question over a grid of parameters, in parallel, as CSV
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Sweep {
    /// The mechanisms with names in braces, for example "gaussian(sigma={sigma}) * {k}"
    #[arg(value_name = "EXPR")]
    expression: String,

    /// Values of a name: sigma=1,2,4 or sigma=1:10:5 (evenly spaced), also with :whole or :log at the end (whole numbers, equal
    /// ratios); may be repeated. The names epsilon and delta set the question
    #[arg(long, value_name = "NAME=VALUES", value_parser = grid, required = true)]
    grid: Vec<Grid>,

    /// Ask for δ at this ε
    #[arg(long, value_name = "X", value_parser = number)]
    epsilon: Option<f64>,

    /// Ask for ε at this δ
    #[arg(long, value_name = "X", value_parser = number, conflicts_with = "epsilon")]
    delta: Option<f64>,

    /// Methods to compare, such as closed-form,rdp,advanced: each makes a row and a curve of its own
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "method",
          value_parser = named::method(), hide_possible_values = true)]
    methods: Vec<Method>,

    #[command(flatten)]
    plot: PlotFile,

    /// How the answers are written; csv, or text around a chart in characters
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    #[command(flatten)]
    accounting: Accounting,
}

const EXAMPLES: &str = include_str!("../examples/sweep.txt");

/// The most rows.
const MOST_POINTS: usize = 100_000;
const QUESTIONS: [&str; 2] = ["epsilon", "delta"];

/// One point of the grid and what was answered.
struct Row {
    values: Vec<f64>,
    method: Method,
    answer: Result<Answer, String>,
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
        let rows = self.answers(&text, total);
        let failures = rows.iter().filter(|row| row.answer.is_err()).count();
        if failures == total
            && let Some(Row { answer: Err(reason), .. }) = rows.first()
        {
            return Err(Failure::Request(format!("no point of the grid has an answer; the first: {reason}")));
        }
        let drawing = self.plot.draw(|| Ok(self.chart(&rows)))?;
        let text = match self.format() {
            Format::Csv => self.table(&rows),
            Format::Json => self.objects(&rows),
            Format::Text => Page { drawing, ..self.page(&rows) }.text(Style::of_output()),
            Format::Markdown => self.page(&rows).markdown(),
        };
        let shortfall = (failures > 0).then(|| format!("{failures} of {total} points have no answer"));
        Ok(Outcome { text, shortfall })
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

    /// All answers in the order of the grid, the last name changing fastest.
    fn answers(&self, text: &str, total: usize) -> Vec<Row> {
        let next = AtomicUsize::new(0);
        let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::with_capacity(total));
        let progress = Progress::new(total);
        let workers = thread::available_parallelism().map_or(1, usize::from).min(total);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let position = next.fetch_add(1, Ordering::Relaxed);
                        if position >= total {
                            break;
                        }
                        let methods = self.methods();
                        let (values, method) =
                            (self.point(position / methods.len()), methods[position % methods.len()]);
                        let answer =
                            self.answer(text, &values, method).map_err(|failure| failure.to_string());
                        let row = Row { values, method, answer };
                        rows.lock().expect("no worker panics").push((position, row));
                        progress.step();
                    }
                });
            }
        });
        drop(progress);
        let mut rows = rows.into_inner().expect("no worker panics");
        rows.sort_by_key(|(position, _)| *position);
        rows.into_iter().map(|(_, row)| row).collect()
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
        let mechanism = text.parse().map_err(|error| Failure::Expression { text, error })?;
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
