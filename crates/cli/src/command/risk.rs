//! `hockeystick risk EXPR`: what an attacker can do.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{
    decimal::Notation,
    failure::Failure,
    progress::watched,
    report::{Fact, Format, Page, Table, cell, csv, expression, milliseconds, shortest, shown},
    style::Style,
};
use hockeystick::{mechanism::Relation, query::Guarantee};
use std::time::Instant;

/// What an attacker can do: advantage, accuracy, true positive rate, belief
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Risk {
    /// The false positive rate of the attack; may be given more than once
    #[arg(long, value_name = "F", value_parser = number, default_values_t = [0.001, 0.01, 0.1])]
    fpr: Vec<f64>,

    /// The attacker's belief that the record is in the data, before the attack
    #[arg(long, value_name = "P", value_parser = number, default_value_t = 0.5)]
    prior: f64,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = r#"Examples:

  How well can membership be guessed:
  $ hockeystick risk "gaussian(sigma=4) * 10"

  An attack with one false alarm in ten thousand, on somebody who is unlikely to be in the data:
  $ hockeystick risk "gaussian(sigma=4) * 10" --fpr 1e-4 --prior 0.01

  advantage   the largest TPR − FPR of any attack
  accuracy    the largest chance to guess right whether a record is in the data, from the prior belief
  TPR         the largest share of members found with that false positive rate
  belief      that an accused record is in the data"#;

/// Bounds of a number.
#[derive(Clone, Copy, serde::Serialize)]
struct Between {
    lower: f64,
    upper: f64,
}

impl Between {
    fn shown(self) -> String {
        cell(&shown(Guarantee::Certified, Some(self.lower), self.upper, Notation::Plain))
    }
}

#[derive(serde::Serialize)]
struct Report {
    query: &'static str,
    expression: String,
    relation: Relation,
    prior: f64,
    advantage: Between,
    accuracy: Between,
    attacks: Vec<Attack>,
    guarantee: Guarantee,
    method: &'static str,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(serde::Serialize)]
struct Attack {
    fpr: f64,
    tpr: Between,
    belief: Between,
}

impl Risk {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let subject = self.common.subject()?;
        let started = Instant::now();
        let report = watched(|| -> Result<Report, Failure> {
            let curves = self.common.accounting.query(&subject).curves()?;
            let accuracy = curves.accuracy(self.prior)?;
            let advantage = curves.advantage().value();
            let attacks = self.fpr.iter().map(|&fpr| {
                let (tpr, belief) =
                    (curves.true_positive_rate(fpr)?.value(), curves.belief(self.prior, fpr)?);
                Ok(Attack {
                    fpr,
                    tpr: Between { lower: tpr.lower(), upper: tpr.upper() },
                    belief: Between { lower: belief.lower(), upper: belief.upper() },
                })
            });
            Ok(Report {
                query: "risk",
                expression: subject.mechanism.to_string(),
                relation: subject.relation,
                prior: self.prior,
                advantage: Between { lower: advantage.lower(), upper: advantage.upper() },
                accuracy: Between { lower: accuracy.lower(), upper: accuracy.upper() },
                attacks: attacks.collect::<Result<_, Failure>>()?,
                guarantee: Guarantee::Certified,
                method: curves.method().name(),
                elapsed_ms: milliseconds(started.elapsed()),
                notes: curves.notes(),
            })
        })?;
        let text = match self.common.format {
            Format::Text => page(&report).text(Style::of_output()),
            Format::Markdown => page(&report).markdown(),
            Format::Json => serde_json::to_string(&report).expect("a report has string keys only"),
            Format::Csv => table(&report),
        };
        Ok(Outcome { text, shortfall: None })
    }
}

fn page(report: &Report) -> Page {
    let mut facts = vec![
        Fact::value(
            "accuracy",
            format!("{} from a prior of {}", report.accuracy.shown(), shortest(report.prior)),
        ),
        Fact::value("guarantee", report.guarantee.name()),
        Fact::value("method", report.method),
        Fact::value("relation", report.relation.to_string()),
        expression(&report.expression),
    ];
    facts.extend(report.notes.iter().map(|note| Fact::words("note", note)));
    let row = |attack: &Attack| vec![shortest(attack.fpr), attack.tpr.shown(), attack.belief.shown()];
    Page {
        headline: format!("advantage = {}", report.advantage.shown()),
        facts,
        tables: vec![Table::new(&["FPR", "TPR", "belief"], report.attacks.iter().map(row).collect())],
        ..Page::default()
    }
}

/// One row per attack; what does not depend on it is repeated.
fn table(report: &Report) -> String {
    let header = [
        "query",
        "expression",
        "relation",
        "prior",
        "advantage_lower",
        "advantage_upper",
        "accuracy_lower",
        "accuracy_upper",
        "fpr",
        "tpr_lower",
        "tpr_upper",
        "belief_lower",
        "belief_upper",
        "guarantee",
        "method",
    ];
    let number = |x: f64| csv::number(Some(x));
    let row = |attack: &Attack| {
        vec![
            report.query.to_owned(),
            report.expression.clone(),
            report.relation.to_string(),
            number(report.prior),
            number(report.advantage.lower),
            number(report.advantage.upper),
            number(report.accuracy.lower),
            number(report.accuracy.upper),
            number(attack.fpr),
            number(attack.tpr.lower),
            number(attack.tpr.upper),
            number(attack.belief.lower),
            number(attack.belief.upper),
            report.guarantee.name().to_owned(),
            report.method.to_owned(),
        ]
    };
    csv::lines(&header, &report.attacks.iter().map(row).collect::<Vec<_>>())
}
