//! `hockeystick risk EXPR`: what an attacker can do.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{
    failure::Failure,
    progress::watched,
    report::{Asked, Between, Fact, Page, Report, Table, Traced, csv, shortest},
};
use hockeystick_digits::Notation;
use std::time::Instant;

/// What an attacker can do: advantage, accuracy, true positive rate, belief
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Risk {
    /// The false positive rate of the attack; may be given more than once
    #[arg(long, value_name = "F", value_parser = number, allow_hyphen_values = true, default_values_t = [0.001, 0.01, 0.1])]
    fpr: Vec<f64>,

    /// The attacker's belief that the record is in the data, before the attack
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true, default_value_t = 0.5)]
    prior: f64,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = include_str!("examples/risk.txt");

#[derive(serde::Serialize)]
struct RiskReport {
    #[serde(flatten)]
    asked: Asked,
    prior: f64,
    advantage: Between,
    accuracy: Between,
    attacks: Vec<Attack>,
    #[serde(flatten)]
    traced: Traced,
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
        let report = watched(|| -> Result<RiskReport, Failure> {
            let curves = self.common.accounting.query(&subject).curves()?;
            let attacks = self.fpr.iter().map(|&fpr| {
                let tpr = Between::of(curves.true_positive_rate(fpr)?.value());
                Ok(Attack { fpr, tpr, belief: Between::of(curves.belief(self.prior, fpr)?) })
            });
            let attacks = attacks.collect::<Result<_, Failure>>()?;
            Ok(RiskReport {
                asked: Asked::new("risk", &subject.mechanism, subject.relation),
                prior: self.prior,
                advantage: Between::of(curves.advantage().value()),
                accuracy: Between::of(curves.accuracy(self.prior)?),
                attacks,
                traced: Traced::of_attacks(&curves, started.elapsed()),
            })
        })?;
        Ok(Outcome { text: report.written(self.common.format), shortfall: None })
    }
}

impl Report for RiskReport {
    fn page(&self) -> Page {
        let shown = |bounds: Between| bounds.shown(Notation::Plain);
        let accuracy = format!("{} from a prior of {}", shown(self.accuracy), shortest(self.prior));
        let row = |attack: &Attack| vec![shortest(attack.fpr), shown(attack.tpr), shown(attack.belief)];
        Page {
            headline: format!("advantage = {}", shown(self.advantage)),
            facts: [vec![Fact::value("accuracy", accuracy)], self.traced.facts(&self.asked)]
                .into_iter()
                .flatten()
                .collect(),
            tables: vec![Table::new(&["FPR", "TPR", "belief"], self.attacks.iter().map(row).collect())],
            ..Page::default()
        }
    }

    /// One row per attack; what does not depend on it is repeated.
    fn csv(&self) -> String {
        let number = |x: f64| csv::number(Some(x));
        let row = |attack: &Attack| {
            let mut fields = self.asked.fields();
            fields.extend([
                ("prior", number(self.prior)),
                ("advantage_lower", number(self.advantage.lower)),
                ("advantage_upper", number(self.advantage.upper)),
                ("accuracy_lower", number(self.accuracy.lower)),
                ("accuracy_upper", number(self.accuracy.upper)),
                ("fpr", number(attack.fpr)),
                ("tpr_lower", number(attack.tpr.lower)),
                ("tpr_upper", number(attack.tpr.upper)),
                ("belief_lower", number(attack.belief.lower)),
                ("belief_upper", number(attack.belief.upper)),
                ("guarantee", self.traced.guarantee.name().to_owned()),
                ("method", self.traced.method.to_owned()),
            ]);
            fields
        };
        csv::rows(self.attacks.iter().map(row))
    }
}
