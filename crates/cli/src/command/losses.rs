//! `hockeystick losses EXPR`: the distribution of the privacy loss.

use super::{Outcome, common::Common};
use crate::{
    decimal::Notation,
    excerpt::clipped,
    failure::Failure,
    plot::PlotFile,
    progress::Progress,
    report::{Fact, Format, Page, Table, cell, csv, expression, milliseconds, shortest, shown},
    style::Style,
};
use hockeystick::{
    mechanism::Relation,
    query::{Guarantee, LossTail},
};
use hockeystick_plot::{Axis, Chart, Look, Series};
use std::time::Instant;

/// The distribution of the privacy loss, with the record and without it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Losses {
    /// How many points of the distribution; 21, or 101 for a chart
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    points: Option<u16>,

    #[command(flatten)]
    plot: PlotFile,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = r#"Examples:

  How likely are losses above some numbers:
  $ hockeystick losses "gaussian(sigma=2)" --points 7

  As a chart of densities:
  $ hockeystick losses "randomized_response(p=0.6) * 10" --plot losses.svg

The loss is log dP/dQ, P with the record and Q without it. Large losses are likely with the record only."#;

#[derive(serde::Serialize)]
struct Report {
    query: &'static str,
    expression: String,
    relation: Relation,
    points: Vec<Sample>,
    guarantee: Guarantee,
    method: &'static str,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(serde::Serialize)]
struct Sample {
    loss: f64,
    with: Between,
    without: Between,
}

#[derive(serde::Serialize)]
struct Between {
    lower: f64,
    upper: f64,
}

impl Between {
    fn shown(&self) -> String {
        cell(&shown(Guarantee::Certified, Some(self.lower), self.upper, Notation::Scientific))
    }
}

impl Losses {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let subject = self.common.subject()?;
        let started = Instant::now();
        let curves = self.common.accounting.query(&subject).curves()?;
        let losses = curves.interesting_losses(self.plot.points(self.points));
        let progress = Progress::new(losses.len());
        let tails: Vec<LossTail> = losses
            .into_iter()
            .map(|loss| {
                let tail = curves.loss_tail(loss);
                progress.step();
                tail
            })
            .collect();
        progress.finish();
        let title = clipped(&subject.mechanism.to_string(), 70);
        let drawing = self.plot.draw(|| Ok(chart(&tails).title(title)))?;
        let sample = |tail: &LossTail| Sample {
            loss: tail.loss,
            with: Between { lower: tail.with.lower(), upper: tail.with.upper() },
            without: Between { lower: tail.without.lower(), upper: tail.without.upper() },
        };
        let report = Report {
            query: "losses",
            expression: subject.mechanism.to_string(),
            relation: subject.relation,
            points: tails.iter().map(sample).collect(),
            guarantee: Guarantee::Certified,
            method: curves.method().name(),
            elapsed_ms: milliseconds(started.elapsed()),
            notes: curves.notes(),
        };
        let text = match self.common.format {
            Format::Text => page(&report, drawing).text(Style::of_output()),
            Format::Markdown => page(&report, None).markdown(),
            Format::Json => serde_json::to_string(&report).expect("a report has string keys only"),
            Format::Csv => table(&report),
        };
        Ok(Outcome { text, shortfall: None })
    }
}

fn page(report: &Report, drawing: Option<String>) -> Page {
    let mut facts = vec![
        Fact::value("guarantee", report.guarantee.name()),
        Fact::value("method", report.method),
        Fact::value("relation", report.relation.to_string()),
        expression(&report.expression),
    ];
    facts.extend(report.notes.iter().map(|note| Fact::words("note", note)));
    let rows = report
        .points
        .iter()
        .map(|sample| vec![shortest(sample.loss), sample.with.shown(), sample.without.shown()]);
    Page {
        headline: "chances of a privacy loss above x".to_owned(),
        drawing,
        facts,
        tables: vec![Table::new(&["x", "with the record", "without it"], rows.collect())],
        ..Page::default()
    }
}

fn table(report: &Report) -> String {
    let row = |sample: &Sample| {
        let numbers =
            [sample.loss, sample.with.lower, sample.with.upper, sample.without.lower, sample.without.upper];
        numbers.map(|x| csv::number(Some(x))).to_vec()
    };
    let header = ["loss", "with_lower", "with_upper", "without_lower", "without_upper"];
    csv::lines(&header, &report.points.iter().map(row).collect::<Vec<_>>())
}

/// Average densities between neighbouring points.
fn chart(tails: &[LossTail]) -> Chart {
    let density = |pick: fn(&LossTail) -> f64| -> Vec<(f64, f64)> {
        let between = tails.windows(2).map(|pair| {
            let mass = pick(&pair[0]) - pick(&pair[1]);
            (pair[0].loss, (mass / (pair[1].loss - pair[0].loss)).max(0.0))
        });
        between.chain(tails.last().map(|tail| (tail.loss, 0.0))).collect()
    };
    Chart::new(Axis::linear("privacy loss"), Axis::linear("density"))
        .series(Series::new("with the record", density(|tail| tail.with.midpoint())).look(Look::Steps))
        .series(Series::new("without it", density(|tail| tail.without.midpoint())).look(Look::Steps))
}
