//! `hockeystick calibrate EXPR-with-one-? --epsilon X --delta Y`.

mod flags;
mod question;

pub(super) use flags::Calibrate;

use super::{Outcome, common::Accounting};
use crate::{
    failure::Failure,
    progress::watched,
    report::{Answered, Asked, Fact, Format, Page, Report, csv, shortest, shown},
};
use hockeystick::{
    mechanism::{Relation, Template},
    query::{Calibration, CalibrationError, Outcome as Found, Target, calibrate},
};
use hockeystick_digits::Notation;
use question::Question;
use std::time::{Duration, Instant};

impl Calibrate {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let Question { text, files, target, relation } = self.question()?;
        let template = files.template(&text).map_err(|error| Failure::Expression { text, error })?;
        let started = Instant::now();
        let Accounting { method, tolerance, allowed, .. } = self.accounting;
        let found = watched(|| {
            allowed.within(|| {
                calibrate(&template, target, relation, method, tolerance)
                    .map_err(|error| refused(&template, error))
            })
        })?;
        Ok(outcome(&template, &found, relation, self.format, started.elapsed()))
    }
}

pub(super) fn refused(template: &Template, error: CalibrationError) -> Failure {
    match error {
        CalibrationError::Expression(error) => {
            Failure::Expression { text: template.text().to_owned(), error }
        }
        CalibrationError::Question(error) => Failure::Question(error),
    }
}

/// A calibration and its target.
#[derive(serde::Serialize)]
struct Calibrated<'a> {
    #[serde(flatten)]
    asked: Asked,
    template: &'a str,
    #[serde(flatten)]
    target: Wanted,
    parameter: &'static str,
    #[serde(serialize_with = "number_or_none")]
    value: Option<f64>,
    #[serde(serialize_with = "number_or_none")]
    too_little: Option<f64>,
    #[serde(flatten)]
    answered: Answered,
}

/// That there is no such value is said in a word: nothing is below every number.
fn number_or_none<S: serde::Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_f64(*value),
        None => serializer.serialize_str("none"),
    }
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Wanted {
    Guarantee { epsilon: f64, delta: f64 },
    Advantage { advantage: f64 },
    TruePositives { tpr: f64, fpr: f64 },
}

impl Wanted {
    fn of(target: Target) -> Self {
        match target {
            Target::Guarantee { epsilon, delta } => Self::Guarantee { epsilon, delta },
            Target::Advantage { at_most } => Self::Advantage { advantage: at_most },
            Target::TruePositives { at_most, false_positives } => {
                Self::TruePositives { tpr: at_most, fpr: false_positives }
            }
        }
    }

    /// The names of its numbers, and the numbers.
    fn fields(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Guarantee { epsilon, delta } => vec![("epsilon", epsilon), ("delta", delta)],
            Self::Advantage { advantage } => vec![("advantage", advantage)],
            Self::TruePositives { tpr, fpr } => vec![("tpr", tpr), ("fpr", fpr)],
        }
    }

    /// What is bounded, as a symbol, and where.
    fn symbols(&self) -> (&'static str, f64, String) {
        match *self {
            Self::Guarantee { epsilon, delta } => ("ε", epsilon, format!(" at δ = {}", shortest(delta))),
            Self::Advantage { advantage } => ("advantage", advantage, String::new()),
            Self::TruePositives { tpr, fpr } => ("TPR", tpr, format!(" at FPR = {}", shortest(fpr))),
        }
    }
}

fn outcome(
    template: &Template,
    found: &Calibration,
    relation: Relation,
    format: Format,
    elapsed: Duration,
) -> Outcome {
    let wanted = Wanted::of(found.target());
    let (hole, answer) = (found.hole(), found.answer());
    let (symbol, _, place) = wanted.symbols();
    let spent = shown(answer.guarantee(), answer.lower(), answer.upper(), Notation::Plain).relation;
    let (shortfall, remark) = match found.outcome() {
        Found::Found { .. } => (None, None),
        Found::EveryValue { value } => {
            let seen = format!(
                "every {} that was tried meets the target, down to the least private",
                hole.parameter
            );
            (None, Some(format!("{seen}, {}", shortest(value))))
        }
        Found::Impossible { closest } => {
            let closest = format!("even with {} = {}", hole.parameter, shortest(closest));
            (
                Some(format!(
                    "no {} was found that meets the target: {closest}, {symbol} {spent}{place}",
                    hole.parameter
                )),
                None,
            )
        }
    };
    let mut answered = Answered::new(answer, elapsed);
    answered.notes.extend(remark);
    answered.shortfall.clone_from(&shortfall);
    let report = Calibrated {
        asked: Asked::new("calibrate", found.mechanism(), relation),
        template: template.text(),
        target: wanted,
        parameter: hole.parameter,
        value: found.value(),
        too_little: found.too_little(),
        answered,
    };
    Outcome { text: report.written(format), shortfall }
}

impl Calibrated<'_> {
    /// Noise can be too little, and a count too much.
    fn missed_by(&self) -> &'static str {
        let is_more = self.value.zip(self.too_little).is_some_and(|(value, missing)| missing > value);
        if is_more { "too much" } else { "too little" }
    }
}

impl Report for Calibrated<'_> {
    fn page(&self) -> Page {
        let (symbol, bound, place) = self.target.symbols();
        let answered = &self.answered;
        let spent = shown(answered.guarantee, answered.lower, answered.upper, Notation::Plain).relation;
        let headline = match self.value {
            Some(value) => format!("{} = {}", self.parameter, shortest(value)),
            None => format!("{}: no value meets the target", self.parameter),
        };
        let mut facts = vec![];
        if let Some(too_little) = self.too_little {
            facts.push(Fact::value(self.missed_by(), format!("{} misses the target", shortest(too_little))));
        }
        facts.push(Fact::value("target", format!("{symbol} ≤ {}{place}", shortest(bound))));
        facts.push(Fact::value("spends", format!("{symbol} {spent}{place}")));
        facts.extend(answered.facts());
        facts.extend(self.asked.facts());
        facts.extend(answered.remarks());
        Page { headline, facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        let mut fields = self.asked.fields();
        fields.push(("template", self.template.to_owned()));
        fields.extend(self.target.fields().into_iter().map(|(name, value)| (name, csv::number(Some(value)))));
        fields.extend([
            ("parameter", self.parameter.to_owned()),
            ("value", csv::number(self.value)),
            ("too_little", csv::number(self.too_little)),
        ]);
        fields.extend(self.answered.fields());
        csv::row(fields)
    }
}
