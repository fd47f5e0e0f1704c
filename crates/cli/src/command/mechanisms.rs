//! `hockeystick mechanisms`: what can be written in an expression.

use super::Outcome;
use crate::report::{Format, Page, Table, csv};
use hockeystick::{
    Error,
    mechanism::{Entry, Mechanism, Parameter, Presence, catalogue},
};

/// What can be written in an expression
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Mechanisms {
    /// How the list is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,
}

const EXAMPLES: &str = r#"Examples:

  All mechanisms, with their parameters and defaults:
  $ hockeystick mechanisms

  A + B composes two mechanisms, A * k composes one with itself k times, parentheses group:
  $ hockeystick epsilon "(gaussian(sigma=40) + randomized_response(epsilon=0.1)) * 20" --delta 1e-6
  ε = 1.88996455545621 ± 3e-15"#;

/// Marks what can be written but not answered.
const LATER: &str = "(not yet)";
const HEADER: [&str; 5] = ["name", "parameters", "meaning", "pair", "example"];

/// What the list says of a mechanism, under the names of [`HEADER`].
#[derive(serde::Serialize)]
struct Listed {
    name: &'static str,
    parameters: String,
    meaning: &'static str,
    pair: &'static str,
    example: &'static str,
    answered: bool,
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

    fn cells(&self) -> Vec<String> {
        vec![
            self.name.to_owned(),
            self.parameters.clone(),
            self.meaning(),
            self.pair.to_owned(),
            self.example.to_owned(),
        ]
    }
}

impl Mechanisms {
    pub(super) fn run(&self) -> Outcome {
        let list: Vec<Listed> = catalogue().iter().map(Listed::of).collect();
        let cells = || list.iter().map(Listed::cells).collect::<Vec<_>>();
        let text = match self.format {
            Format::Text => text(&list),
            Format::Json => serde_json::to_string(&list).expect("a list has string keys only"),
            Format::Csv => csv::lines(&HEADER, &cells()),
            Format::Markdown => {
                Page { tables: vec![Table::new(&HEADER, cells())], ..Page::default() }.markdown()
            }
        };
        Outcome { text, shortfall: None }
    }
}

/// Three short lines for each, so that none is long.
fn text(list: &[Listed]) -> String {
    let entry = |listed: &Listed| {
        format!("{}: {}\n    {}\n    {}", listed.name, listed.meaning(), listed.parameters, listed.example)
    };
    let later = if list.iter().all(|listed| listed.answered) {
        String::new()
    } else {
        format!(" {LATER} is read, but not accounted for yet.")
    };
    let composition = format!("A + B composes, A * k repeats, parentheses group.{later}");
    list.iter().map(entry).chain([composition]).collect::<Vec<_>>().join("\n\n")
}

/// Whether the library accounts for the mechanism: it is asked, so that the list cannot fall behind.
fn is_answered(entry: &Entry) -> bool {
    let example: Result<Mechanism, _> = entry.example.parse();
    example.is_ok_and(|mechanism| {
        !matches!(hockeystick::delta(&mechanism, 1.0), Err(Error::NotSupportedYet { .. }))
    })
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
