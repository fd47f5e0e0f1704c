//! `hockeystick explain EXPR --delta X`: the plan, the budget, the theorems.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{
    failure::Failure,
    progress::watched,
    report::{Answered, Asked, Fact, Page, Report, Table, causes, csv, shown},
};
use hockeystick::{Answer, plan::Plan, query::Guarantee};
use hockeystick_digits::{Notation, few_digits_up};
use std::time::Instant;

/// How an answer comes about: which engine with which parameters, where its width comes from, which theorems it rests on
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[group(id = "asked", required = true, multiple = false)]
pub(super) struct Explain {
    /// Explains ε at this δ
    #[arg(long, short = 'd', value_name = "X", value_parser = number, allow_hyphen_values = true, group = "asked")]
    delta: Option<f64>,

    /// Explains δ at this ε
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true, group = "asked")]
    epsilon: Option<f64>,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = include_str!("examples/explain.txt");

#[derive(serde::Serialize)]
struct Explanation {
    #[serde(flatten)]
    asked: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    plans: Vec<Step>,
    /// Why the interval is wider than a millionth of its upper end, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_wide: Option<String>,
    theorems: Vec<&'static str>,
    #[serde(flatten)]
    answered: Answered,
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
        let explanation = Explanation {
            asked: Asked::new("explain", &subject.mechanism, subject.relation),
            delta: self.delta,
            epsilon: self.epsilon,
            plans: answer.plans().iter().map(Step::from).collect(),
            why_wide: answer.why_wide(),
            theorems: theorems(&answer),
            answered: Answered::new(&answer, started.elapsed()),
        };
        let shortfall = explanation.answered.shortfall.clone();
        Ok(Outcome { text: explanation.written(self.common.format), shortfall })
    }
}

/// Each theorem once.
fn theorems(answer: &Answer) -> Vec<&'static str> {
    let mut theorems: Vec<&'static str> = Vec::new();
    for theorem in answer.plans().iter().flat_map(|plan| plan.engine.theorems()) {
        if !theorems.contains(theorem) {
            theorems.push(theorem);
        }
    }
    theorems
}

impl Report for Explanation {
    fn page(&self) -> Page {
        let (name, notation) =
            if self.delta.is_some() { ("ε", Notation::Plain) } else { ("δ", Notation::Scientific) };
        let answered = &self.answered;
        let shown = shown(answered.guarantee, answered.lower, answered.upper, notation);
        let mut facts = answered.facts().to_vec();
        facts.extend(self.asked.facts());
        for step in &self.plans {
            facts.push(Fact::words("plan", format!("{}: {}", step.direction, step.engine)));
            facts.push(Fact::words("because", step.reason));
        }
        facts.extend(self.why_wide.iter().map(|why| Fact::words("width", why)));
        facts.extend(self.theorems.iter().map(|theorem| Fact::words("theorem", *theorem)));
        facts.extend(answered.remarks());
        let row =
            |(cause, part): (&str, f64)| vec![cause.to_owned(), few_digits_up(part, 2, Notation::Scientific)];
        let header = match answered.guarantee {
            Guarantee::Certified | Guarantee::UpperBound => ["half-width from", "at most"],
            Guarantee::Estimate => ["own error from", "perhaps"],
        };
        Page {
            headline: format!("{name} {}", shown.relation),
            facts,
            tables: vec![Table::new(&header, causes(answered.budget).map(row).to_vec())],
            ..Page::default()
        }
    }

    /// One row per direction.
    fn csv(&self) -> String {
        let row = |step: &Step| {
            let mut fields = self.asked.fields();
            fields.extend([
                ("direction", step.direction.clone()),
                ("method", step.method.to_owned()),
                ("engine", step.engine.clone()),
                ("reason", step.reason.to_owned()),
                ("lower", csv::number(self.answered.lower)),
                ("upper", csv::number(Some(self.answered.upper))),
                ("guarantee", self.answered.guarantee.name().to_owned()),
            ]);
            fields
        };
        csv::rows(self.plans.iter().map(row))
    }
}
