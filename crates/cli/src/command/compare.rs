//! `hockeystick compare EXPR --delta X | --epsilon X`.

use super::{
    Outcome,
    common::{Source, number},
    named,
};
use crate::{
    failure::Failure,
    plot::PlotFile,
    progress::watched,
    report::{ComparisonReport, Format, Report},
};
use hockeystick::{Query, mechanism::Relation};

/// Every method side by side: what it says, what that is worth, how far it is from the truth, and why
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES, group = clap::ArgGroup::new("given").required(true).args(["delta", "epsilon"]))]
pub(super) struct Compare {
    #[command(flatten)]
    source: Source,

    /// Compare ε at this δ, above 0 and below 1
    #[arg(long, short = 'd', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    delta: Option<f64>,

    /// Compare δ at this ε, 0 or above
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<f64>,

    #[command(flatten)]
    plot: PlotFile,

    /// How the answers are written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    format: Format,

    /// Which datasets are neighbours: add-remove (default), add, remove or replace (one record)
    #[arg(long, short = 'r', value_name = "R", value_parser = named::relation(), hide_possible_values = true, help_heading = "Accounting")]
    relation: Option<Relation>,
}

const EXAMPLES: &str = include_str!("examples/compare.txt");

impl Compare {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.plot.check(self.format)?;
        let subject = self.source.subject(self.relation)?;
        let query = Query::new(&subject.mechanism).relation(subject.relation);
        let comparison = watched(|| match (self.delta, self.epsilon) {
            (Some(delta), _) => query.compare_epsilon(delta),
            (None, epsilon) => query.compare_delta(epsilon.unwrap_or_default()),
        })?;
        let mut report = ComparisonReport::new(&subject.mechanism, subject.relation, &comparison);
        report.drawing = self.plot.draw(|| Ok(report.chart()))?;
        Ok(Outcome { text: report.written(self.format), shortfall: None })
    }
}
