//! `hockeystick run workload.toml`: all targets of a file.

use super::{
    Outcome,
    common::{Accounting, FileAccess, Subject},
};
use crate::{
    excerpt::clipped,
    failure::Failure,
    progress::Progress,
    report::{Fact, Format, Page, Table, cell, csv, json, milliseconds, shortest, shown},
    style::Style,
    workload::{Ask, Goal, Workload},
};
use hockeystick::{
    Answer, Query,
    mechanism::Relation,
    query::{Guarantee, Verdict},
};
use hockeystick_digits::Notation;
use std::{path::PathBuf, time::Instant};

/// Answers all targets of a workload file (TOML or JSON)
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Run {
    /// The workload file; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    access: FileAccess,

    /// How the answer is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: Format,

    #[command(flatten)]
    accounting: Accounting,
}

const NO_TARGETS: &str = "there are no targets, so nothing is asked; add [[targets]] with delta = 1e-6, say, or ask one question with \
     hockeystick epsilon --file";

const EXAMPLES: &str = include_str!("examples/run.txt");

#[derive(serde::Serialize)]
struct Report<'a> {
    query: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    relation: Relation,
    groups: Vec<GroupReport<'a>>,
    targets: Vec<TargetReport<'a>>,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(serde::Serialize)]
struct GroupReport<'a> {
    name: &'a str,
    expression: String,
}

#[derive(serde::Serialize)]
struct TargetReport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    groups: Vec<&'a str>,
    query: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fpr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<f64>,
    lower: Option<f64>,
    upper: f64,
    guarantee: Guarantee,
    method: &'static str,
    /// Left out if nothing was demanded, null if neither is proven: no reader takes that for yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    met: Option<Option<bool>>,
    #[serde(skip)]
    is_missed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortfall: Option<String>,
}

impl Run {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let workload = Workload::read(&self.file, &self.access.of_workload(&self.file))?;
        if workload.targets.is_empty() {
            return Err(Failure::File {
                name: self.file.display().to_string(),
                message: NO_TARGETS.to_owned(),
            });
        }
        let relation = self.accounting.relation.or(workload.relation).unwrap_or_default();
        let started = Instant::now();
        let progress = Progress::new(workload.targets.len());
        let targets = workload.targets.iter().map(|goal| {
            let report = self.answered(&workload, goal, relation);
            progress.step();
            report
        });
        let targets = targets.collect::<Result<Vec<_>, Failure>>()?;
        drop(progress);
        let mut notes: Vec<String> = vec![];
        for group in &workload.groups {
            notes.extend(group.assumptions.iter().map(|line| format!("{}: {line}", group.name)));
        }
        let report = Report {
            query: "run",
            title: workload.title.as_deref(),
            relation,
            groups: workload
                .groups
                .iter()
                .map(|group| GroupReport { name: &group.name, expression: group.mechanism.to_string() })
                .collect(),
            targets,
            elapsed_ms: milliseconds(started.elapsed()),
            notes,
        };
        let text = match self.format {
            Format::Text => page(&report).text(Style::of_output()),
            Format::Markdown => page(&report).markdown(),
            Format::Json => json::document(&report),
            Format::Csv => table(&report),
        };
        let missed = report.targets.iter().filter(|target| target.is_missed).count();
        let shortfall =
            (missed > 0).then(|| format!("{missed} of {} targets are not met", report.targets.len()));
        Ok(Outcome { text, shortfall })
    }

    fn answered<'a>(
        &self,
        workload: &'a Workload,
        goal: &'a Goal,
        relation: Relation,
    ) -> Result<TargetReport<'a>, Failure> {
        let subject = Subject { mechanism: workload.composed(&goal.groups), relation };
        let query = self.accounting.query(&subject);
        let asked = Asked::of(goal.ask, &query)?;
        let met = asked.verdict.map(Verdict::is_met);
        Ok(TargetReport {
            name: goal.name.as_deref(),
            groups: goal.groups.iter().map(|&position| workload.groups[position].name.as_str()).collect(),
            query: asked.query,
            epsilon: asked.epsilon,
            delta: asked.delta,
            fpr: asked.fpr,
            at_most: asked.at_most,
            lower: asked.answer.lower(),
            upper: asked.answer.upper(),
            guarantee: asked.answer.guarantee(),
            method: asked.answer.method().name(),
            met,
            // What cannot be proven to be met is not met.
            is_missed: met.is_some_and(|met| met != Some(true)),
            shortfall: asked.answer.shortfall().map(|shortfall| shortfall.to_string()),
        })
    }
}

/// A question of a file and its answer.
struct Asked {
    query: &'static str,
    epsilon: Option<f64>,
    delta: Option<f64>,
    fpr: Option<f64>,
    at_most: Option<f64>,
    answer: Answer,
    verdict: Option<Verdict>,
}

impl Asked {
    fn of(ask: Ask, query: &Query<'_>) -> Result<Self, Failure> {
        let kind = match ask {
            Ask::Epsilon { .. } => "epsilon",
            Ask::Delta { .. } => "delta",
            Ask::Advantage { .. } => "advantage",
            Ask::TruePositives { .. } => "tpr",
        };
        let target = ask.target();
        let (answer, verdict) = match (target, ask) {
            (Some(target), _) => query.judge(target).map(|(answer, verdict)| (answer, Some(verdict)))?,
            (None, Ask::Epsilon { delta, .. }) => (query.epsilon(delta)?, None),
            (None, Ask::Delta { epsilon }) => (query.delta(epsilon)?, None),
            (None, Ask::Advantage { .. }) => (query.delta(0.0)?, None),
            (None, Ask::TruePositives { false_positives, .. }) => {
                (query.true_positives(false_positives)?, None)
            }
        };
        let (epsilon, delta, fpr, at_most) = match ask {
            Ask::Epsilon { delta, at_most } => (None, Some(delta), None, at_most),
            Ask::Delta { epsilon } => (Some(epsilon), None, None, None),
            Ask::Advantage { at_most } => (None, None, None, Some(at_most)),
            Ask::TruePositives { false_positives, at_most } => (None, None, Some(false_positives), at_most),
        };
        Ok(Self { query: kind, epsilon, delta, fpr, at_most, answer, verdict })
    }
}

/// The symbol of what was asked, where, and how it is written.
fn question(target: &TargetReport<'_>) -> (&'static str, String, Notation) {
    let at =
        |symbol: &str, value: Option<f64>| format!(" at {symbol} = {}", shortest(value.unwrap_or_default()));
    match target.query {
        "epsilon" => ("ε", at("δ", target.delta), Notation::Plain),
        "delta" => ("δ", at("ε", target.epsilon), Notation::Scientific),
        "tpr" => ("TPR", at("FPR", target.fpr), Notation::Plain),
        _ => ("advantage", String::new(), Notation::Plain),
    }
}

fn page(report: &Report<'_>) -> Page {
    let groups = report
        .groups
        .iter()
        .map(|group| vec![group.name.to_owned(), clipped(&group.expression, 90)])
        .collect();
    let row = |target: &TargetReport<'_>| {
        let (symbol, place, notation) = question(target);
        let answer = shown(target.guarantee, target.lower, target.upper, notation);
        let demand = target.at_most.map_or(String::new(), |most| format!("{symbol} ≤ {}", shortest(most)));
        let verdict = match target.met {
            Some(Some(true)) => "met",
            Some(Some(false)) => "missed",
            Some(None) => "not proven",
            None => "",
        };
        vec![
            target.name.unwrap_or_default().to_owned(),
            if target.groups.len() == report.groups.len() {
                "all".to_owned()
            } else {
                target.groups.join(", ")
            },
            format!("{symbol}{place}"),
            cell(&answer),
            demand,
            verdict.to_owned(),
        ]
    };
    Page {
        headline: report.title.unwrap_or("workload").to_owned(),
        facts: std::iter::once(Fact::value("relation", report.relation.to_string()))
            .chain(report.notes.iter().map(|note| Fact::words("holds if", note)))
            .collect(),
        tables: vec![
            Table::new(&["group", "expression"], groups),
            Table::new(
                &["target", "groups", "question", "answer", "demanded", "verdict"],
                report.targets.iter().map(row).collect(),
            ),
        ],
        ..Page::default()
    }
}

fn table(report: &Report<'_>) -> String {
    let header = [
        "name",
        "groups",
        "query",
        "epsilon",
        "delta",
        "fpr",
        "at_most",
        "lower",
        "upper",
        "guarantee",
        "method",
        "met",
    ];
    let row = |target: &TargetReport<'_>| {
        vec![
            target.name.unwrap_or_default().to_owned(),
            target.groups.join("; "),
            target.query.to_owned(),
            csv::number(target.epsilon),
            csv::number(target.delta),
            csv::number(target.fpr),
            csv::number(target.at_most),
            csv::number(target.lower),
            csv::number(Some(target.upper)),
            target.guarantee.name().to_owned(),
            target.method.to_owned(),
            target.met.flatten().map_or(String::new(), |met| met.to_string()),
        ]
    };
    csv::lines(&header, &report.targets.iter().map(row).collect::<Vec<_>>())
}
