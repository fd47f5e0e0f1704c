//! `hockeystick losses EXPR`: the distribution of the privacy loss.

use super::{Outcome, common::Common};
use crate::{
    decimal::Notation,
    excerpt::clipped,
    failure::Failure,
    plot::PlotFile,
    progress::{Progress, watched},
    report::{Asked, Between, Page, Report, Table, Traced, csv, shortest},
};
use hockeystick::query::LossTail;
use hockeystick_numerics::enclosure::Enclosure;
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

The loss is log dP/dQ, P with the record and Q without it. Large losses are likely with
the record only."#;

#[derive(serde::Serialize)]
struct LossReport {
    #[serde(flatten)]
    asked: Asked,
    points: Vec<Sample>,
    #[serde(flatten)]
    traced: Traced,
    #[serde(skip)]
    drawing: Option<String>,
}

#[derive(serde::Serialize)]
struct Sample {
    loss: f64,
    with: Between,
    without: Between,
}

impl Losses {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let subject = self.common.subject()?;
        let started = Instant::now();
        let (curves, tails) = self.common.accounting.allowed.within(|| {
            let curves = watched(|| self.common.accounting.query(&subject).curves())?;
            let losses = curves.interesting_losses(self.plot.points(self.points));
            let progress = Progress::new(losses.len());
            let tails = losses.into_iter().map(|loss| {
                let tail = curves.loss_tail(loss);
                progress.step();
                tail
            });
            let tails: Vec<LossTail> = tails.collect();
            Ok((curves, tails))
        })?;
        let title = clipped(&subject.mechanism.to_string(), 70);
        let drawing = self.plot.draw(|| Ok(chart(&tails).title(title)))?;
        let sample = |tail: &LossTail| Sample {
            loss: tail.loss,
            with: Between::of(tail.with),
            without: Between::of(tail.without),
        };
        let report = LossReport {
            asked: Asked::new("losses", &subject.mechanism, subject.relation),
            points: tails.iter().map(sample).collect(),
            traced: Traced::new(&curves, started.elapsed()),
            drawing,
        };
        Ok(Outcome { text: report.written(self.common.format), shortfall: None })
    }
}

impl Report for LossReport {
    fn page(&self) -> Page {
        let row = |sample: &Sample| {
            let chances = [sample.with, sample.without].map(|chance| chance.shown(Notation::Scientific));
            [vec![shortest(sample.loss)], chances.to_vec()].concat()
        };
        let rows = self.points.iter().map(row).collect();
        Page {
            headline: "chances of a privacy loss above x".to_owned(),
            drawing: self.drawing.clone(),
            facts: self.traced.facts(&self.asked),
            tables: vec![Table::new(&["x", "with the record", "without it"], rows)],
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let row = |sample: &Sample| {
            let (with, without) = (sample.with, sample.without);
            let numbers = [sample.loss, with.lower, with.upper, without.lower, without.upper];
            numbers.map(|x| csv::number(Some(x))).to_vec()
        };
        let header = ["loss", "with_lower", "with_upper", "without_lower", "without_upper"];
        csv::lines(&header, &self.points.iter().map(row).collect::<Vec<_>>())
    }
}

/// Less mass than this beyond the ends of a chart is not worth a word.
const UNSEEN: f64 = 1e-3;

/// Average densities between neighbouring points.
fn chart(tails: &[LossTail]) -> Chart {
    let density = |pick: fn(&LossTail) -> f64| -> Vec<(f64, f64)> {
        let between = tails.windows(2).map(|pair| {
            let mass = pick(&pair[0]) - pick(&pair[1]);
            (pair[0].loss, (mass / (pair[1].loss - pair[0].loss)).max(0.0))
        });
        between.chain(tails.last().map(|tail| (tail.loss, 0.0))).collect()
    };
    // An infinite loss cannot be drawn; its mass must not go unsaid.
    let unseen = |mass: f64, place: &str| {
        if mass < UNSEEN { String::new() } else { format!(", {mass:.3} of it at {place} losses") }
    };
    let above = tails.last().map_or(0.0, |tail| tail.with.midpoint());
    let below = tails.first().map_or(0.0, |tail| (Enclosure::ONE - tail.without).midpoint());
    let with = format!("with the record{}", unseen(above, "larger"));
    let without = format!("without it{}", unseen(below, "smaller"));
    Chart::new(Axis::linear("privacy loss"), Axis::linear("density"))
        .series(Series::new(with, density(|tail| tail.with.midpoint())).look(Look::Steps))
        .series(Series::new(without, density(|tail| tail.without.midpoint())).look(Look::Steps))
}
