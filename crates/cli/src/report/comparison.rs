//! Every method's answer, ready to be written in any format.

use super::{Asked, Fact, Page, Report, Table, cell, csv, milliseconds, shortest, shown};
use crate::{excerpt::clipped, visible::visible};
use hockeystick::{
    Answer,
    mechanism::{Mechanism, Relation},
    query::{Compared, Comparison, Guarantee, Unknown},
};
use hockeystick_digits::{Notation, few_digits_up};
use hockeystick_plot::{Axis, Chart, Look, Series};
use std::time::Duration;

/// A longer reason loses its middle in a table.
const LONGEST_REASON: usize = 300;

/// A comparison and its question. The names and the order of the fields are those of the JSON form.
#[derive(Debug, serde::Serialize)]
pub(crate) struct ComparisonReport {
    #[serde(flatten)]
    asked: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    truth: Row,
    methods: Vec<Row>,
    /// In characters.
    #[serde(skip)]
    pub(crate) drawing: Option<String>,
}

/// One method's answer.
#[derive(Debug, serde::Serialize)]
struct Row {
    method: &'static str,
    /// Null for a method that answers without a lower end, left out if there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<Guarantee>,
    /// The upper end divided by the truth: between these.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<[f64; 2]>,
    elapsed_ms: f64,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Row {
    fn of_answer(answer: &Answer, elapsed: Duration) -> Self {
        Self {
            method: answer.method().name(),
            lower: Some(answer.lower()),
            upper: Some(answer.upper()),
            guarantee: Some(answer.guarantee()),
            gap: None,
            elapsed_ms: milliseconds(elapsed),
            why: answer.method().explanation().to_owned(),
            error: None,
        }
    }

    fn new(compared: &Compared) -> Self {
        let (method, elapsed) = (compared.method, compared.elapsed);
        match &compared.outcome {
            Ok(answer) => Self {
                method: method.name(),
                gap: compared.factor.map(|factor| [factor.lower(), factor.upper()]),
                why: compared.explanation(),
                ..Self::of_answer(answer, elapsed)
            },
            Err(error) => Self {
                method: method.name(),
                lower: None,
                upper: None,
                guarantee: None,
                gap: None,
                elapsed_ms: milliseconds(elapsed),
                why: compared.explanation(),
                error: Some(error.to_string()),
            },
        }
    }

    /// The value as an interval, and what it promises.
    fn value(&self, notation: Notation) -> (String, &'static str) {
        match (self.guarantee, self.upper) {
            (Some(guarantee), Some(upper)) => {
                (cell(&shown(guarantee, self.lower.flatten(), upper, notation)), guarantee.name())
            }
            (None, _) | (_, None) => ("–".to_owned(), "–"),
        }
    }

    /// `method  value  guarantee  gap  time  why`.
    fn cells(&self, notation: Notation) -> Vec<String> {
        let (value, guarantee) = self.value(notation);
        let gap = self.gap.map_or("–".to_owned(), |[lower, upper]| gap(lower, upper));
        let time = format!("{} ms", self.elapsed_ms);
        let method = self.method.to_owned();
        vec![method, value, guarantee.to_owned(), gap, time, clipped(&self.why, LONGEST_REASON)]
    }
}

/// A factor, rounded up to five digits; `1` for what cannot be told from the truth.
fn gap(lower: f64, upper: f64) -> String {
    if lower <= 1.0 && upper >= 1.0 { "1".to_owned() } else { few_digits_up(upper, 5, Notation::Plain) }
}

impl ComparisonReport {
    pub(crate) fn new(mechanism: &Mechanism, relation: Relation, comparison: &Comparison) -> Self {
        let (delta, epsilon) = match comparison.best.unknown() {
            Unknown::Delta { epsilon } => (None, Some(epsilon)),
            Unknown::Epsilon { delta } => (Some(delta), None),
            // Comparisons ask for δ or ε.
            Unknown::TruePositives { .. } => (None, None),
        };
        Self {
            asked: Asked::new("compare", mechanism, relation),
            delta,
            epsilon,
            truth: Row::of_answer(&comparison.best, comparison.elapsed),
            methods: comparison.methods.iter().map(Row::new).collect(),
            drawing: None,
        }
    }

    /// What is unknown, how it is written, and what is given.
    fn question(&self) -> (&'static str, Notation, String) {
        match (self.delta, self.epsilon) {
            (Some(delta), _) => ("ε", Notation::Plain, format!("δ = {}", shortest(delta))),
            (None, epsilon) => {
                ("δ", Notation::Scientific, format!("ε = {}", shortest(epsilon.unwrap_or_default())))
            }
        }
    }
}

impl Report for ComparisonReport {
    fn page(&self) -> Page {
        let (unknown, notation, given) = self.question();
        let truth = &self.truth;
        let (value, guarantee) = truth.value(notation);
        let sign = if value.starts_with(['≤', '≈', 'b']) { "" } else { "= " };
        let header = ["method", unknown, "guarantee", "gap", "time", "why it is not the truth"];
        let rows = self.methods.iter().map(|row| row.cells(notation)).collect();
        Page {
            headline: format!("{unknown} {sign}{value}"),
            drawing: self.drawing.clone(),
            facts: [
                Fact::value("question", format!("{unknown} at {given}")),
                Fact::value("guarantee", guarantee),
                Fact::value("method", truth.method),
            ]
            .into_iter()
            .chain(self.asked.facts())
            .collect(),
            tables: vec![Table::new(&header, rows)],
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let given = if self.delta.is_some() { "delta" } else { "epsilon" };
        let header = [
            "expression",
            "relation",
            given,
            "method",
            "lower",
            "upper",
            "guarantee",
            "gap_lower",
            "gap_upper",
            "elapsed_ms",
            "why",
            "error",
        ];
        let line = |row: &Row| {
            let end = |index: usize| csv::number(row.gap.map(|gap| gap[index]));
            vec![
                self.asked.expression.clone(),
                self.asked.relation.to_string(),
                csv::number(self.delta.or(self.epsilon)),
                row.method.to_owned(),
                csv::number(row.lower.flatten()),
                csv::number(row.upper),
                row.guarantee.map(Guarantee::name).unwrap_or_default().to_owned(),
                end(0),
                end(1),
                csv::number(Some(row.elapsed_ms)),
                row.why.clone(),
                row.error.clone().unwrap_or_default(),
            ]
        };
        csv::lines(&header, &self.methods.iter().map(line).collect::<Vec<_>>())
    }
}

/// What the methods say, one row each, on a scale of equal ratios: the truth is a line from top to bottom.
impl ComparisonReport {
    pub(crate) fn chart(&self) -> Chart {
        let (unknown, _, given) = self.question();
        let rows: Vec<&Row> = self.methods.iter().filter(|row| row.upper.is_some()).rev().collect();
        let is_shown = |end: &f64| *end > 0.0 && end.is_finite();
        let uppers =
            || rows.iter().copied().chain([&self.truth]).filter_map(|row| row.upper).filter(is_shown);
        let least = uppers().fold(f64::INFINITY, f64::min);
        // A lower end far below all that any method says tells no more than 0 does, and would hide what they say.
        let lowers = rows.iter().copied().chain([&self.truth]).filter_map(|row| row.lower.flatten());
        let lowers = lowers.filter(is_shown).filter(|lower| *lower >= least / FARTHEST);
        let (least, most) = uppers()
            .chain(lowers)
            .fold((f64::INFINITY, 0.0f64), |(least, most), end| (least.min(end), most.max(end)));
        // A third of room on either side. An end that is 0 or infinite lies beyond the frame: a line leads there, but no dot.
        let (from, to) = if least <= most { (least / ROOM, most * ROOM) } else { (0.1, 10.0) };
        let mut chart = Chart::new(
            Axis::logarithmic(format!("{unknown} at {given}")).between(from, to),
            Axis::named("", rows.iter().map(|row| row.method.to_owned()).collect()),
        )
        .title(clipped(&visible(&self.asked.expression), 70));
        for guarantee in [Guarantee::Certified, Guarantee::UpperBound, Guarantee::Estimate] {
            let of_kind = || rows.iter().enumerate().filter(|(_, row)| row.guarantee == Some(guarantee));
            let upper = |row: &Row| row.upper.unwrap_or(f64::MAX).min(to * BEYOND);
            let (points, look) = match guarantee {
                Guarantee::Certified => {
                    let span = |(height, row): (usize, &&Row)| {
                        let lower = row.lower.flatten().unwrap_or_default().max(from / BEYOND);
                        [(lower, height as f64), (upper(row), height as f64)]
                    };
                    (of_kind().flat_map(span).collect(), Look::Spans)
                }
                Guarantee::UpperBound | Guarantee::Estimate => {
                    (of_kind().map(|(height, row)| (upper(row), height as f64)).collect(), Look::Dots)
                }
            };
            chart = chart.series(Series::new(guarantee.name(), points).look(look));
        }
        let line = self.truth.upper.filter(|_| self.truth.lower.flatten().is_some());
        let ends = |truth: f64| vec![(truth, -0.5), (truth, rows.len() as f64 - 0.5)];
        chart.series(Series::new("the truth", line.map_or(vec![], ends)))
    }
}

/// The room beside the smallest and the largest number of a chart, as a factor.
const ROOM: f64 = 1.5;
/// Lower ends further below everything than this factor are beyond the frame.
const FARTHEST: f64 = 1e3;
/// How far from the frame something is drawn that must not be seen, as a factor.
const BEYOND: f64 = 10.0;
