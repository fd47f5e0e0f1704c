//! `hockeystick explain EXPR --delta X`: the plan, the budget, the theorems.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{
    decimal::Notation,
    failure::Failure,
    progress::watched,
    report::{Fact, Format, Page, Table, csv, expression, milliseconds, shown},
    style::Style,
};
use hockeystick::{
    Answer,
    mechanism::Relation,
    plan::Plan,
    query::{Guarantee, Unknown},
};
use std::time::Instant;

/// How an answer comes about: which engine with which parameters, where its width comes from, which theorems it rests on
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(id = "asked", required = true, multiple = false)]
pub(super) struct Explain {
    /// Explains ε at this δ
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true, group = "asked")]
    delta: Option<f64>,

    /// Explains δ at this ε
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true, group = "asked")]
    epsilon: Option<f64>,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = r#"Examples:

  Why is this answer so certain:
  $ hockeystick explain "poisson(gaussian(sigma=1), rate=0.01) * 1000" --delta 1e-5

  The budget is the half-width of the answer by cause: losses rounded to a lattice (discretisation), sums that wrap around
  (aliasing), tails left out (truncation), integrals replaced by sums (quadrature), floating-point arithmetic (roundoff)."#;

#[derive(serde::Serialize)]
struct Report {
    query: &'static str,
    expression: String,
    relation: Relation,
    delta: Option<f64>,
    epsilon: Option<f64>,
    lower: Option<f64>,
    upper: f64,
    guarantee: Guarantee,
    direction: hockeystick::pair::Direction,
    plans: Vec<Step>,
    theorems: Vec<&'static str>,
    budget: hockeystick::engine::Budget,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(serde::Serialize)]
struct Step {
    direction: String,
    method: &'static str,
    engine: String,
    reason: &'static str,
}

impl From<&Plan> for Step {
    fn from(plan: &Plan) -> Self {
        Self {
            direction: plan.direction.to_string(),
            method: plan.engine.method().name(),
            engine: plan.engine.to_string(),
            reason: plan.reason,
        }
    }
}

impl Explain {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let subject = self.common.subject()?;
        let started = Instant::now();
        let query = self.common.accounting.query(&subject);
        let answer = watched(|| match (self.delta, self.epsilon) {
            (Some(delta), _) => query.epsilon(delta),
            (None, epsilon) => query.delta(epsilon.unwrap_or(f64::NAN)),
        })?;
        let report = report(
            &subject.mechanism.to_string(),
            subject.relation,
            &answer,
            milliseconds(started.elapsed()),
        );
        let text = match self.common.format {
            Format::Text => page(&report).text(Style::of_output()),
            Format::Markdown => page(&report).markdown(),
            Format::Json => serde_json::to_string(&report).expect("a report has string keys only"),
            Format::Csv => table(&report),
        };
        Ok(Outcome { text, shortfall: answer.shortfall().map(|shortfall| shortfall.to_string()) })
    }
}

fn report(expression: &str, relation: Relation, answer: &Answer, elapsed_ms: f64) -> Report {
    let (delta, epsilon) = match answer.unknown() {
        Unknown::Epsilon { delta } => (Some(delta), None),
        Unknown::Delta { epsilon } => (None, Some(epsilon)),
        Unknown::TruePositives { .. } => (None, None),
    };
    let mut theorems: Vec<&'static str> = Vec::new();
    for theorem in answer.plans().iter().flat_map(|plan| plan.engine.theorems()) {
        if !theorems.contains(theorem) {
            theorems.push(theorem);
        }
    }
    Report {
        query: "explain",
        expression: expression.to_owned(),
        relation,
        delta,
        epsilon,
        lower: answer.lower(),
        upper: answer.upper(),
        guarantee: answer.guarantee(),
        direction: answer.direction(),
        plans: answer.plans().iter().map(Step::from).collect(),
        theorems,
        budget: answer.budget(),
        elapsed_ms,
        notes: answer.notes().to_vec(),
    }
}

fn page(report: &Report) -> Page {
    let (name, notation) =
        if report.delta.is_some() { ("ε", Notation::Plain) } else { ("δ", Notation::Scientific) };
    let answer = shown(report.guarantee, report.lower, report.upper, notation);
    let mut facts = vec![
        Fact::value("guarantee", report.guarantee.name()),
        Fact::value("relation", report.relation.to_string()),
        Fact::value("worse direction", report.direction.to_string()),
        expression(&report.expression),
    ];
    for step in &report.plans {
        facts.push(Fact::words("plan", format!("{}: {}", step.direction, step.engine)));
        facts.push(Fact::words("because", step.reason));
    }
    facts.extend(report.theorems.iter().map(|theorem| Fact::words("theorem", *theorem)));
    facts.extend(report.notes.iter().map(|note| Fact::words("note", note)));
    let budget = report.budget;
    let rows = [
        ("discretisation", budget.discretisation),
        ("aliasing", budget.aliasing),
        ("truncation", budget.truncation),
        ("quadrature", budget.quadrature),
        ("roundoff", budget.roundoff),
    ];
    let header: &[&str] = match report.guarantee {
        Guarantee::Certified | Guarantee::UpperBound => &["half-width from", "at most"],
        Guarantee::Estimate => &["own error from", "perhaps"],
    };
    let rows = rows.iter().map(|(cause, part)| vec![(*cause).to_owned(), format!("{part:.1e}")]).collect();
    Page {
        headline: format!("{name} {}", answer.relation),
        facts,
        tables: vec![Table::new(header, rows)],
        ..Page::default()
    }
}

/// One row per direction.
fn table(report: &Report) -> String {
    let header = [
        "query",
        "expression",
        "relation",
        "direction",
        "method",
        "engine",
        "reason",
        "lower",
        "upper",
        "guarantee",
    ];
    let row = |step: &Step| {
        vec![
            report.query.to_owned(),
            report.expression.clone(),
            report.relation.to_string(),
            step.direction.clone(),
            step.method.to_owned(),
            step.engine.clone(),
            step.reason.to_owned(),
            csv::number(report.lower),
            csv::number(Some(report.upper)),
            report.guarantee.name().to_owned(),
        ]
    };
    csv::lines(&header, &report.plans.iter().map(row).collect::<Vec<_>>())
}
