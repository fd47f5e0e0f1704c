//! What the attack brought to light: counts, a file of scores, or guesses.

use crate::command::{
    common::whole,
    sweep::{Cell, Table},
};
use crate::failure::Failure;
use hockeystick_audit::{Counts, Evidence, Guesses, Scores};
use std::path::{Path, PathBuf};

/// One kind of evidence.
#[derive(Debug, clap::Args)]
#[group(id = "evidence", multiple = true)]
#[command(next_help_heading = "Evidence, one of: four counts, a file of scores, guesses in one run")]
pub(super) struct EvidenceFlags {
    /// Trials with the record that the attack called members
    #[arg(long, value_name = "N", value_parser = whole, requires_all = ["positives", "false_positives", "negatives"])]
    true_positives: Option<u64>,

    /// Trials with the record
    #[arg(long, value_name = "N", value_parser = whole, requires = "true_positives")]
    positives: Option<u64>,

    /// Trials without the record that the attack called members
    #[arg(long, value_name = "N", value_parser = whole, requires = "true_positives")]
    false_positives: Option<u64>,

    /// Trials without the record
    #[arg(long, value_name = "N", value_parser = whole, requires = "true_positives")]
    negatives: Option<u64>,

    /// The mechanism is known to be μ-GDP for some μ: more is proven, for such mechanisms only
    #[arg(long, requires = "true_positives")]
    gaussian: bool,

    /// CSV with the columns score and member (1 or 0), a row for each trial; the best threshold is found, and paid for
    #[arg(long, value_name = "FILE", conflicts_with_all = ["true_positives", "guesses"])]
    scores: Option<PathBuf>,

    /// Guesses at canaries of one run, a number that was fixed before the run
    #[arg(long, value_name = "N", value_parser = whole, requires = "correct", conflicts_with = "true_positives")]
    guesses: Option<u64>,

    /// Guesses that are right
    #[arg(long, value_name = "N", value_parser = whole, requires = "guesses")]
    correct: Option<u64>,

    /// Canaries, each in the data with probability ½; without it as many as guesses
    #[arg(long, value_name = "N", value_parser = whole, requires = "guesses")]
    canaries: Option<u64>,
}

impl EvidenceFlags {
    pub(super) fn read(&self) -> Result<Evidence, Failure> {
        let Self { true_positives, positives, false_positives, negatives, guesses, correct, .. } = *self;
        let evidence = match (
            true_positives,
            positives,
            false_positives,
            negatives,
            guesses,
            correct,
            &self.scores,
        ) {
            (Some(hits), Some(positives), Some(alarms), Some(negatives), ..) => {
                let counts = Counts::new(hits, positives, alarms, negatives)?;
                if self.gaussian { Evidence::GaussianCounts(counts) } else { Evidence::Counts(counts) }
            }
            (.., Some(guesses), Some(correct), _) => {
                Evidence::Guesses(Guesses::new(self.canaries.unwrap_or(guesses), guesses, correct)?)
            }
            (.., Some(path)) => Evidence::Scores(scores(path)?),
            _ => {
                return Err(Failure::Request(
                    "there is no evidence; give --true-positives, --positives, --false-positives and --negatives, or --scores FILE, or \
                     --guesses and --correct"
                        .to_owned(),
                ));
            }
        };
        Ok(evidence)
    }
}

fn scores(path: &Path) -> Result<Scores, Failure> {
    let (table, _) = Table::of(path)?;
    let failure = |message: String| Failure::File { name: path.display().to_string(), message };
    let column = |name: &str| {
        let found = table.names.iter().position(|known| known == name);
        found.ok_or_else(|| {
            failure(format!("has no column {name}; the columns are score and member (1 or 0)"))
        })
    };
    let (score, member) = (column("score")?, column("member")?);
    let (mut members, mut others) = (Vec::new(), Vec::new());
    for (number, (cells, problem)) in table.rows.iter().enumerate() {
        let wrong = |message: &str| failure(format!("row {}: {message}", number + 1));
        if let Some(problem) = problem {
            return Err(wrong(problem));
        }
        let score = value(&cells[score]).ok_or_else(|| wrong("the score is no number"))?;
        match value(&cells[member]) {
            Some(1.0) => members.push(score),
            Some(0.0) => others.push(score),
            _ => return Err(wrong("member is neither 1 nor 0")),
        }
    }
    Ok(Scores::new(members, others)?)
}

fn value(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(number) => Some(*number),
        Cell::Text(text) => text.parse().ok(),
        Cell::Missing => None,
    }
}
