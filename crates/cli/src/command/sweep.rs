//! `hockeystick sweep`: a question over a grid of parameters, in parallel.

use super::{
    Outcome,
    common::{Accounting, Subject, number},
    named,
};
use crate::{
    decimal::Notation,
    excerpt::clipped,
    failure::Failure,
    input,
    plot::PlotFile,
    progress::Progress,
    report::{Format, Page, Table, cell, csv, shortest, shown},
    style::Style,
};
use hockeystick::{
    Answer,
    query::{Method, even_grid, geometric_grid},
};
use hockeystick_plot::{Axis, Chart, Series};
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

    /// How the answers are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "csv")]
    format: Format,

    #[command(flatten)]
    accounting: Accounting,
}

const EXAMPLES: &str = r#"Examples:

  ε for some noises and counts:
  $ hockeystick sweep "gaussian(sigma={s}) * {k}" --grid s=1,2,4 --grid k=10,100 --delta 1e-6

  δ from ε = 0 to 4, and a chart:
  $ hockeystick sweep "gaussian(sigma=2)" --grid epsilon=0:4:9 --plot sweep.svg

  Methods side by side over the number of uses:
  $ hockeystick sweep "gdp(mu=0.1) * {k}" --grid k=10:99:4:whole --delta 1e-6 --methods auto,rdp

  The first grid is along the chart, the others make its curves:
  $ hockeystick sweep "gdp(mu={m}) * {k}" --grid m=0.1:5:9 --grid k=1,2 --delta 0.1 --plot k.png"#;

/// The most rows.
const MOST_POINTS: usize = 100_000;
const QUESTIONS: [&str; 2] = ["epsilon", "delta"];

/// A name and its values.
#[derive(Clone, Debug, PartialEq)]
struct Grid {
    name: String,
    values: Vec<f64>,
    is_logarithmic: bool,
}

fn grid(text: &str) -> Result<Grid, String> {
    const CURE: &str =
        "write for example sigma=1,2,4 or sigma=1:10:5 or sigma=1:100:5:log or k=1:100:9:whole";
    let (name, values) = text.split_once('=').ok_or(CURE)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("{name:?} is no name; {CURE}"));
    }
    let read =
        |text: &str| text.trim().parse::<f64>().map_err(|_| format!("{text:?} is not a number; {CURE}"));
    let parts: Vec<&str> = values.split(':').collect();
    let count = |text: &str| match text.trim().parse::<usize>() {
        Ok(count) if (2..=MOST_POINTS).contains(&count) => Ok(count),
        Ok(_) | Err(_) => Err(format!("{text:?} is not a number of points from 2 to {MOST_POINTS}; {CURE}")),
    };
    let (values, is_logarithmic) = match parts[..] {
        [list] => (list.split(',').map(read).collect::<Result<Vec<_>, _>>()?, false),
        [from, to, points] => (even_grid(read(from)?, read(to)?, count(points)?), false),
        [from, to, points, "whole"] => {
            let mut values: Vec<f64> =
                even_grid(read(from)?, read(to)?, count(points)?).into_iter().map(f64::round).collect();
            values.dedup();
            (values, false)
        }
        [from, to, points, "log"] => {
            let (from, to) = (read(from)?, read(to)?);
            if !(from > 0.0 && to > 0.0) {
                return Err(format!("a grid with equal ratios must be above 0; {CURE}"));
            }
            (geometric_grid(from, to, count(points)?), true)
        }
        _ => return Err(CURE.to_owned()),
    };
    Ok(Grid { name: name.to_owned(), values, is_logarithmic })
}

/// One point of the grid and what was answered.
struct Row {
    values: Vec<f64>,
    method: Method,
    answer: Result<Answer, String>,
}

impl Sweep {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
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
        let text = match self.format {
            Format::Csv => self.table(&rows),
            Format::Json => self.objects(&rows),
            Format::Text => Page { drawing, ..self.page(&rows) }.text(Style::of_output()),
            Format::Markdown => self.page(&rows).markdown(),
        };
        let shortfall = (failures > 0).then(|| format!("{failures} of {total} points have no answer"));
        Ok(Outcome { text, shortfall })
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

    fn table(&self, rows: &[Row]) -> String {
        let header: Vec<&str> =
            self.names().chain(["lower", "upper", "guarantee", "method", "error"]).collect();
        let line = |row: &Row| {
            let mut cells: Vec<String> = row.values.iter().map(|&value| csv::number(Some(value))).collect();
            match &row.answer {
                Ok(answer) => cells.extend([
                    csv::number(answer.lower()),
                    csv::number(Some(answer.upper())),
                    answer.guarantee().name().to_owned(),
                    answer.method().name().to_owned(),
                    String::new(),
                ]),
                Err(reason) => {
                    cells.extend(vec![String::new(); 4]);
                    cells.push(reason.lines().next().unwrap_or_default().to_owned());
                }
            }
            cells
        };
        csv::lines(&header, &rows.iter().map(line).collect::<Vec<_>>())
    }

    fn objects(&self, rows: &[Row]) -> String {
        let object = |row: &Row| {
            let values: serde_json::Map<String, serde_json::Value> =
                self.names().zip(&row.values).map(|(name, &value)| (name.to_owned(), value.into())).collect();
            match &row.answer {
                Ok(answer) => serde_json::json!({
                    "values": values, "lower": answer.lower(), "upper": answer.upper(),
                    "guarantee": answer.guarantee().name(), "method": answer.method().name(),
                }),
                Err(reason) => serde_json::json!({"values": values, "error": reason}),
            }
        };
        let query = if self.asks_delta() { "delta" } else { "epsilon" };
        let rows: Vec<serde_json::Value> = rows.iter().map(object).collect();
        serde_json::json!({"query": "sweep", "asked": query, "rows": rows}).to_string()
    }

    fn page(&self, rows: &[Row]) -> Page {
        let (symbol, notation) =
            if self.asks_delta() { ("δ", Notation::Scientific) } else { ("ε", Notation::Plain) };
        let line = |row: &Row| {
            let mut cells: Vec<String> = row.values.iter().map(|&value| shortest(value)).collect();
            cells.push(row.method.name().to_owned());
            cells.push(match &row.answer {
                Ok(answer) => cell(&shown(answer.guarantee(), answer.lower(), answer.upper(), notation)),
                Err(reason) => reason.lines().next().unwrap_or_default().to_owned(),
            });
            cells
        };
        Page {
            headline: format!("{symbol} of {}", self.expression),
            tables: vec![Table {
                header: self.names().chain(["method", symbol]).map(str::to_owned).collect(),
                rows: rows.iter().map(line).collect(),
            }],
            ..Page::default()
        }
    }

    /// The first grid along the chart, a curve for every combination of the others.
    fn chart(&self, rows: &[Row]) -> Chart {
        let (first, others) = self.grid.split_first().expect("a grid is required");
        let x = if first.is_logarithmic { Axis::logarithmic(&first.name) } else { Axis::linear(&first.name) };
        let y = if self.asks_delta() { Axis::logarithmic("δ") } else { Axis::linear("ε") };
        let given = match (self.epsilon, self.delta) {
            (Some(epsilon), _) => format!(", ε = {}", shortest(epsilon)),
            (None, Some(delta)) => format!(", δ = {}", shortest(delta)),
            (None, None) => String::new(),
        };
        let mut chart = Chart::new(x, y).title(clipped(&self.expression, 60) + &given);
        let methods = self.methods().len();
        let curves: usize = others.iter().map(|grid| grid.values.len()).chain([methods]).product();
        for curve in 0..curves {
            let of_curve: Vec<&Row> = rows.iter().skip(curve).step_by(curves).collect();
            let name = of_curve.first().map_or(String::new(), |row| {
                let pairs = others.iter().zip(&row.values[1..]);
                let values = pairs.map(|(grid, value)| format!("{} = {}", grid.name, shortest(*value)));
                let method = (methods > 1).then(|| row.method.name().to_owned());
                values.chain(method).collect::<Vec<_>>().join(", ")
            });
            let upper = |row: &&Row| row.answer.as_ref().ok().map(|answer| (row.values[0], answer.upper()));
            let band = |row: &&Row| {
                let answer = row.answer.as_ref().ok()?;
                Some((row.values[0], answer.lower()?, answer.upper()))
            };
            let points = of_curve.iter().filter_map(upper).collect();
            chart = chart.series(Series::new(name, points).band(of_curve.iter().filter_map(band).collect()));
        }
        chart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_lists_or_ranges() {
        assert_eq!(grid("a=1, 2,4").unwrap().values, [1.0, 2.0, 4.0]);
        assert_eq!(grid("a=1:2:3").unwrap().values, [1.0, 1.5, 2.0]);
        assert_eq!(grid("a=1:10:3:whole").unwrap().values, [1.0, 6.0, 10.0]);
        let log = grid("a=1:100:3:log").unwrap();
        assert!(log.is_logarithmic && (log.values[1] - 10.0).abs() < 1e-12);
        for bad in ["a", "=1", "a=", "a=1:2", "a=1:2:1", "a=0:1:3:log", "a=1:2:3:4:5", "a b=1", "a=1:2:3:lin"]
        {
            assert!(grid(bad).is_err(), "{bad}");
        }
    }
}
