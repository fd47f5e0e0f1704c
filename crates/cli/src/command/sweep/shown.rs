//! The rows of a sweep in every format, and as a chart.

use super::{points::Points, row::Row, table::Cell};
use crate::{
    excerpt::clipped,
    report::{Page, Table, cell, csv, json, shortest, shown},
    visible::visible,
};
use hockeystick::query::Guarantee;
use hockeystick_digits::Notation;
use hockeystick_plot::{Axis, Chart, Series};
use std::collections::BTreeMap;

/// The JSON form.
#[derive(serde::Serialize)]
struct Objects<'a> {
    query: &'static str,
    asked: &'static str,
    rows: Vec<Object<'a>>,
}

#[derive(serde::Serialize)]
struct Object<'a> {
    values: BTreeMap<&'a str, Cell>,
    #[serde(flatten)]
    outcome: Outcome<'a>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Answer { lower: Option<f64>, upper: f64, guarantee: Guarantee, method: &'a str },
    Refusal { method: &'static str, error: &'a str },
}

/// A value in a CSV file, where numbers are written as everywhere.
fn written(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => csv::number(Some(*number)),
        Cell::Text(_) | Cell::Missing => cell.to_string(),
    }
}

/// Where a point of a grid is along the chart.
fn place(row: &Row) -> f64 {
    match row.values[0] {
        Cell::Number(number) => number,
        Cell::Text(_) | Cell::Missing => f64::NAN,
    }
}

impl Points<'_> {
    /// All rows as CSV.
    pub(super) fn table(&self, rows: &[Row]) -> String {
        std::iter::once(self.header())
            .chain(rows.iter().map(|row| self.line(row)))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The header of the CSV form.
    pub(super) fn header(&self) -> String {
        let names = self.names().chain(["lower", "upper", "guarantee", "method", "error"]);
        csv::line(&names.map(str::to_owned).collect::<Vec<_>>())
    }

    /// A row of the CSV form.
    pub(super) fn line(&self, row: &Row) -> String {
        let mut cells: Vec<String> = row.values.iter().map(written).collect();
        match &row.answer {
            Ok(answer) => cells.extend([
                csv::number(answer.lower),
                csv::number(Some(answer.upper)),
                answer.guarantee.name().to_owned(),
                answer.method.clone(),
                String::new(),
            ]),
            Err(reason) => {
                cells.extend(vec![String::new(); 4]);
                cells.push(reason.lines().next().unwrap_or_default().to_owned());
            }
        }
        csv::line(&cells)
    }

    pub(super) fn objects(&self, rows: &[Row]) -> String {
        let asked = if self.asks_delta() { "delta" } else { "epsilon" };
        let rows = rows.iter().map(|row| self.object(row)).collect();
        json::document(&Objects { query: "sweep", asked, rows })
    }

    fn object<'a>(&'a self, row: &'a Row) -> Object<'a> {
        let outcome = match &row.answer {
            Ok(answer) => Outcome::Answer {
                lower: answer.lower,
                upper: answer.upper,
                guarantee: answer.guarantee,
                method: &answer.method,
            },
            Err(error) => Outcome::Refusal { method: row.method.name(), error },
        };
        Object { values: self.names().zip(row.values.iter().cloned()).collect(), outcome }
    }

    pub(super) fn page(&self, rows: &[Row]) -> Page {
        let (symbol, notation) =
            if self.asks_delta() { ("δ", Notation::Scientific) } else { ("ε", Notation::Plain) };
        let line = |row: &Row| {
            let mut cells: Vec<String> = row.values.iter().map(Cell::to_string).collect();
            cells.push(row.method.name().to_owned());
            cells.push(match &row.answer {
                Ok(answer) => cell(&shown(answer.guarantee, answer.lower, answer.upper, notation)),
                Err(reason) => reason.lines().next().unwrap_or_default().to_owned(),
            });
            cells
        };
        Page {
            headline: format!("{symbol} of {}", self.pattern),
            tables: vec![Table {
                header: self.names().chain(["method", symbol]).map(str::to_owned).collect(),
                rows: rows.iter().map(line).collect(),
            }],
            ..Page::default()
        }
    }

    /// The first grid along the chart, a curve for every combination of the others.
    pub(super) fn chart(&self, rows: &[Row]) -> Chart {
        let (first, others) = self.sweep.grid.split_first().expect("a grid is required");
        let x = if first.is_logarithmic { Axis::logarithmic(&first.name) } else { Axis::linear(&first.name) };
        let y = if self.asks_delta() { Axis::logarithmic("δ") } else { Axis::linear("ε") };
        let given = match (self.sweep.epsilon, self.sweep.delta) {
            (Some(epsilon), _) => format!(", ε = {}", shortest(epsilon)),
            (None, Some(delta)) => format!(", δ = {}", shortest(delta)),
            (None, None) => String::new(),
        };
        let mut chart = Chart::new(x, y).title(clipped(&visible(&self.pattern.to_string()), 60) + &given);
        let methods = self.sweep.methods().len();
        let curves: usize = others.iter().map(|grid| grid.values.len()).chain([methods]).product();
        for curve in 0..curves {
            let mut of_curve: Vec<&Row> = rows.iter().skip(curve).step_by(curves).collect();
            of_curve.sort_by(|a, b| place(a).total_cmp(&place(b)));
            let name = of_curve.first().map_or(String::new(), |row| {
                let pairs = others.iter().zip(&row.values[1..]);
                let values = pairs.map(|(grid, value)| format!("{} = {value}", grid.name));
                let method = (methods > 1).then(|| row.method.name().to_owned());
                values.chain(method).collect::<Vec<_>>().join(", ")
            });
            let is_empty = of_curve.iter().all(|row| row.answer.is_err());
            let name = if is_empty { format!("{name}: no answer") } else { name };
            // What has no answer is a gap, and what has no lower end has no band.
            let ends = |row: &Row| match &row.answer {
                Ok(answer) => (answer.lower.unwrap_or(f64::NAN), answer.upper),
                Err(_) => (f64::NAN, f64::NAN),
            };
            let points = of_curve.iter().map(|row| (place(row), ends(row).1));
            let band = of_curve.iter().map(|row| (place(row), ends(row).0, ends(row).1));
            chart = chart.series(Series::new(name, points.collect()).band(band.collect()));
        }
        chart
    }
}
