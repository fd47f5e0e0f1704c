//! `hockeystick mechanisms [NAME]`: what can be written in an expression.

use super::Outcome;
use crate::{
    failure::Failure,
    report::{Fact, Format, Page, Report, Table, csv, shortest},
};
use hockeystick::{
    Error,
    mechanism::{Entry, Kind, Mechanism, Parameter, Presence, catalogue},
};

/// What can be written in an expression
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Mechanisms {
    /// One mechanism, in detail
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// How the list is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = include_str!("examples/mechanisms.txt");

/// Marks what can be written but not answered.
const LATER: &str = "(not yet)";

impl Mechanisms {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let text = match &self.name {
            None => {
                let mechanisms = catalogue().iter().map(Listed::of).collect();
                List { query: "mechanisms", mechanisms }.written(self.format)
            }
            Some(name) => Details::of(found(name)?).written(self.format),
        };
        Ok(Outcome { text, shortfall: None })
    }
}

fn found(name: &str) -> Result<&'static Entry, Failure> {
    catalogue().iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
        Failure::Request(format!("there is no mechanism {name:?}; the mechanisms are {}", names.join(", ")))
    })
}

/// What the list says of a mechanism.
#[derive(serde::Serialize)]
struct Listed {
    name: &'static str,
    parameters: String,
    meaning: &'static str,
    pair: &'static str,
    example: &'static str,
    answered: bool,
}

/// All mechanisms.
#[derive(serde::Serialize)]
struct List {
    query: &'static str,
    mechanisms: Vec<Listed>,
}

impl Listed {
    fn of(entry: &Entry) -> Self {
        Self {
            name: entry.name,
            parameters: parameters(entry),
            meaning: entry.meaning,
            pair: entry.pair,
            example: entry.example,
            answered: is_answered(entry),
        }
    }

    fn meaning(&self) -> String {
        if self.answered { self.meaning.to_owned() } else { format!("{} {LATER}", self.meaning) }
    }
}

impl Report for List {
    fn page(&self) -> Page {
        let row = |listed: &Listed| vec![listed.name.to_owned(), listed.meaning()];
        let later = if self.mechanisms.iter().all(|listed| listed.answered) {
            String::new()
        } else {
            format!(" {LATER} is read, but not accounted for yet.")
        };
        let closing = format!(
            "A + B composes, A * k repeats, parentheses group.{later} hockeystick mechanisms NAME has the \
             parameters of one."
        );
        Page {
            tables: vec![Table::new(&["name", "what it does"], self.mechanisms.iter().map(row).collect())],
            prose: vec![closing],
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let row = |listed: &Listed| {
            vec![
                ("name", listed.name.to_owned()),
                ("parameters", listed.parameters.clone()),
                ("meaning", listed.meaning()),
                ("pair", listed.pair.to_owned()),
                ("example", listed.example.to_owned()),
            ]
        };
        csv::rows(self.mechanisms.iter().map(row))
    }
}

/// Everything about one mechanism.
#[derive(serde::Serialize)]
struct Details {
    query: &'static str,
    #[serde(flatten)]
    listed: Listed,
    details: Vec<ParameterDetails>,
}

#[derive(serde::Serialize)]
struct ParameterDetails {
    name: &'static str,
    meaning: &'static str,
    allowed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<f64>,
    alternative: bool,
}

impl Details {
    fn of(entry: &Entry) -> Self {
        let details = entry.parameters.iter().map(|parameter| ParameterDetails {
            name: parameter.name,
            meaning: parameter.meaning,
            allowed: entry.allowed(parameter).unwrap_or_else(|| kind(parameter.kind)),
            default: match parameter.presence {
                Presence::Default(value) => Some(value),
                Presence::Required | Presence::Alternative => None,
            },
            alternative: parameter.presence == Presence::Alternative,
        });
        Self { query: "mechanism", details: details.collect(), listed: Listed::of(entry) }
    }
}

impl ParameterDetails {
    /// What it is, what it may be, and whether it must be given.
    fn words(&self) -> String {
        let presence = match self.default {
            Some(value) => format!("; {} if it is left out", shortest(value)),
            None if self.alternative => "; one of several ways to say it".to_owned(),
            None => String::new(),
        };
        format!("{}: {}{presence}", self.meaning, self.allowed)
    }
}

impl Report for Details {
    fn page(&self) -> Page {
        let listed = &self.listed;
        let mut facts =
            vec![Fact::value("example", listed.example), Fact::words("worst-case pair", listed.pair)];
        facts.extend(self.details.iter().map(|parameter| Fact::words(parameter.name, parameter.words())));
        Page { headline: format!("{}: {}", listed.name, listed.meaning()), facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        let row = |parameter: &ParameterDetails| {
            vec![
                ("parameter", parameter.name.to_owned()),
                ("meaning", parameter.meaning.to_owned()),
                ("allowed", parameter.allowed.clone()),
                ("default", csv::number(parameter.default)),
            ]
        };
        csv::rows(self.details.iter().map(row))
    }
}

fn kind(kind: Kind) -> String {
    kind.words().to_owned()
}

/// Whether the library accounts for the mechanism: it is asked, so that the list cannot fall behind.
fn is_answered(entry: &Entry) -> bool {
    let example: Result<Mechanism, _> = entry.example.parse();
    example
        .is_ok_and(|mechanism| !matches!(hockeystick::delta(&mechanism, 1.0), Err(Error::NotSampled { .. })))
}

/// `sigma, sensitivity=1`; parameters of which only some are given together come first.
fn parameters(entry: &Entry) -> String {
    let (alternatives, others): (Vec<&Parameter>, Vec<&Parameter>) =
        entry.parameters.iter().partition(|parameter| parameter.presence == Presence::Alternative);
    let names: Vec<&str> = alternatives.iter().map(|parameter| parameter.name).collect();
    let choice = (!names.is_empty()).then(|| format!("some of {}", names.join(", ")));
    let others = others.iter().map(|parameter| match parameter.presence {
        Presence::Default(value) => format!("{}={value}", parameter.name),
        Presence::Required | Presence::Alternative => parameter.name.to_owned(),
    });
    choice.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}
