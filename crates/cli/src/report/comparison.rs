//! Every method's answer, ready to be written in any format.

use super::{
    Format,
    csv::{number, quoted},
    text::{bounds, shortest},
};
use crate::{decimal::Notation, excerpt::clipped, table::aligned};
use hockeystick::{
    Answer,
    mechanism::{Mechanism, Relation},
    query::{Compared, Comparison, Guarantee, Unknown},
};
use std::time::Duration;

/// A longer expression loses its middle in the text form.
const LONGEST_EXPRESSION: usize = 300;

/// A comparison and its question. The names and the order of the fields are those of the JSON form.
#[derive(Debug, serde::Serialize)]
pub(crate) struct ComparisonReport {
    query: &'static str,
    expression: String,
    relation: Relation,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    truth: Row,
    methods: Vec<Row>,
}

/// One method's answer.
#[derive(Debug, serde::Serialize)]
struct Row {
    method: &'static str,
    lower: Option<f64>,
    upper: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<Guarantee>,
    /// The upper end divided by the truth: between these.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<[f64; 2]>,
    elapsed_ms: f64,
    why: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Row {
    fn of_answer(answer: &Answer, elapsed: Duration) -> Self {
        Self {
            method: answer.method().name(),
            lower: answer.lower(),
            upper: Some(answer.upper()),
            guarantee: Some(answer.guarantee()),
            gap: None,
            elapsed_ms: elapsed.as_micros() as f64 / 1e3,
            why: answer.method().explanation(),
            error: None,
        }
    }

    fn new(compared: &Compared) -> Self {
        let (method, elapsed) = (compared.method, compared.elapsed);
        match &compared.outcome {
            Ok(answer) => Self {
                method: method.name(),
                gap: compared.factor.map(|factor| [factor.lower(), factor.upper()]),
                why: method.explanation(),
                ..Self::of_answer(answer, elapsed)
            },
            Err(error) => Self {
                method: method.name(),
                lower: None,
                upper: None,
                guarantee: None,
                gap: None,
                elapsed_ms: elapsed.as_micros() as f64 / 1e3,
                why: method.explanation(),
                error: Some(error.to_string()),
            },
        }
    }

    /// `method  value  guarantee  gap  time  why`.
    fn cells(&self, notation: Notation) -> Vec<String> {
        let (value, guarantee) = match (self.guarantee, self.upper) {
            (Some(guarantee), Some(upper)) => {
                (bounds(guarantee, self.lower, upper).shown(notation).relation, guarantee.name())
            }
            (None, _) | (_, None) => ("–".to_owned(), "–"),
        };
        let gap = self.gap.map_or("–".to_owned(), |[lower, upper]| gap(lower, upper));
        let why = self.error.clone().unwrap_or_else(|| self.why.to_owned());
        vec![
            format!("  {}", self.method),
            value,
            guarantee.to_owned(),
            gap,
            format!("{} ms", self.elapsed_ms),
            clipped(&why, LONGEST_EXPRESSION),
        ]
    }
}

/// A factor, rounded up to four digits; `1` for what cannot be told from the truth.
fn gap(lower: f64, upper: f64) -> String {
    if lower <= 1.0 && upper >= 1.0 {
        return "1".to_owned();
    }
    match upper {
        upper if upper >= 1e4 => format!("{upper:.1e}"),
        upper if upper >= 10.0 => format!("{upper:.1}"),
        upper => format!("{upper:.4}"),
    }
}

impl ComparisonReport {
    pub(crate) fn new(mechanism: &Mechanism, relation: Relation, comparison: &Comparison) -> Self {
        let (delta, epsilon) = match comparison.best.unknown() {
            Unknown::Delta { epsilon } => (None, Some(epsilon)),
            Unknown::Epsilon { delta } => (Some(delta), None),
        };
        Self {
            query: "compare",
            expression: mechanism.to_string(),
            relation,
            delta,
            epsilon,
            truth: Row::of_answer(&comparison.best, comparison.elapsed),
            methods: comparison.methods.iter().map(Row::new).collect(),
        }
    }

    pub(crate) fn write(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Json => serde_json::to_string(self).expect("a report has string keys only"),
            Format::Csv => self.csv(),
        }
    }

    fn text(&self) -> String {
        let (unknown, notation, given) = match (self.delta, self.epsilon) {
            (Some(delta), _) => ("ε", Notation::Plain, format!("δ = {}", shortest(delta))),
            (None, epsilon) => {
                ("δ", Notation::Scientific, format!("ε = {}", shortest(epsilon.unwrap_or_default())))
            }
        };
        let truth = self.truth.cells(notation);
        let headline = format!("{unknown} {} at {given}, {} by {}", truth[1], truth[2], self.truth.method);
        let header = ["  method", unknown, "guarantee", "gap", "time", "why it is not the truth"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(self.methods.iter().map(|row| row.cells(notation)));
        let about = vec![
            vec!["  relation".to_owned(), self.relation.to_string()],
            vec!["  expression".to_owned(), clipped(&self.expression, LONGEST_EXPRESSION)],
        ];
        format!("{headline}\n\n{}\n\n{}", aligned(&rows), aligned(&about))
    }

    fn csv(&self) -> String {
        let given = if self.delta.is_some() { "delta" } else { "epsilon" };
        let header = format!(
            "expression,relation,{given},method,lower,upper,guarantee,gap_lower,gap_upper,elapsed_ms,why,error"
        );
        let line = |row: &Row| {
            let end = |index: usize| number(row.gap.map(|gap| gap[index]));
            [
                quoted(&self.expression),
                self.relation.to_string(),
                number(self.delta.or(self.epsilon)),
                row.method.to_owned(),
                number(row.lower),
                number(row.upper),
                row.guarantee.map(Guarantee::name).unwrap_or_default().to_owned(),
                end(0),
                end(1),
                number(Some(row.elapsed_ms)),
                quoted(row.why),
                quoted(&row.error.clone().unwrap_or_default()),
            ]
            .join(",")
        };
        std::iter::once(header).chain(self.methods.iter().map(line)).collect::<Vec<_>>().join("\n")
    }
}
