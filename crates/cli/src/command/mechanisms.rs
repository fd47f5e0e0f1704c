//! `hockeystick mechanisms`: what can be written in an expression.

use super::Outcome;
use crate::table::aligned;
use hockeystick::{
    Error,
    mechanism::{Entry, Mechanism, Parameter, Presence, catalogue},
};

/// What can be written in an expression
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Mechanisms {}

const EXAMPLES: &str = r#"Examples:

  All mechanisms, with their parameters and defaults:
  $ hockeystick mechanisms

  A + B composes two mechanisms, A * k composes one with itself k times, parentheses group:
  $ hockeystick epsilon "(gaussian(sigma=40) + randomized_response(epsilon=0.1)) * 20" --delta 1e-6
  ε = 1.88996455545621 ± 3e-15"#;

impl Mechanisms {
    pub(super) fn run(&self) -> Outcome {
        let header = ["name", "parameters", "meaning", "example"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(catalogue().iter().map(row));
        let composition = "A + B composes, A * k repeats, parentheses group.";
        let later = format!("{LATER} is read, but not accounted for yet.");
        Outcome { text: format!("{}\n\n{composition} {later}", aligned(&rows)), shortfall: None }
    }
}

/// Marks what can be written but not answered.
const LATER: &str = "(not yet)";

fn row(entry: &Entry) -> Vec<String> {
    let meaning =
        if is_answered(entry) { entry.meaning.to_owned() } else { format!("{} {LATER}", entry.meaning) };
    vec![entry.name.to_owned(), parameters(entry), meaning, entry.example.to_owned()]
}

/// Whether the library accounts for the mechanism: it is asked, so that the table cannot fall behind.
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
