//! `hockeystick losses EXPR`: the distribution of the privacy loss.

use super::{Outcome, common::Common};
use crate::{
    excerpt::clipped,
    failure::Failure,
    plot::PlotFile,
    progress::{Progress, watched},
    report::{Asked, Between, Page, Report, Table, Traced, csv, shortest},
    visible::visible,
};
use hockeystick::{
    mechanism::Relation,
    query::{LossAtom, LossCell, LossKind, LossShape, LossTail},
};
use hockeystick_digits::Notation;
use hockeystick_plot::{Axis, Chart, Look, Series};
use std::time::Instant;

/// The distribution of the privacy loss, with the record and without it
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Losses {
    /// How many points of the distribution; 21, or 101 for a chart
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    points: Option<u16>,

    #[command(flatten)]
    plot: PlotFile,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = include_str!("examples/losses.txt");

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
        self.plot.check(self.common.format)?;
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
        let title = clipped(&visible(&subject.mechanism.to_string()), 70);
        let shape = || curves.loss_shape(self.plot.points(self.points));
        let drawing = self.plot.draw(|| Ok(chart(&shape(), other(subject.relation)).title(title)))?;
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

/// The law that the loss compares with.
fn other(relation: Relation) -> &'static str {
    match relation {
        Relation::AddRemove | Relation::Add | Relation::Remove => "without it",
        Relation::Replace => "with another in its place",
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
            tables: vec![Table::new(&["x", "with the record", other(self.asked.relation)], rows)],
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

/// Losses that have a probability of their own as stems, the others in bins: by their density if they have one.
fn chart(shape: &LossShape, other: &str) -> Chart {
    let chart = Chart::new(Axis::linear("privacy loss"), Axis::linear(shape.measure()));
    // An infinite loss cannot be drawn; its mass must not go unsaid.
    let unseen = |mass: f64, place: &str| {
        if mass < UNSEEN { String::new() } else { format!(", {mass:.3} of it at {place} losses") }
    };
    let sides = [
        (true, format!("with the record{}", unseen(shape.larger.midpoint(), "larger"))),
        (false, format!("{other}{}", unseen(shape.smaller.midpoint(), "smaller"))),
    ];
    if shape.kind == LossKind::Atoms {
        let stems = |(number, (is_with, name))| stems(shape, is_with, name).pen(number, 0);
        return sides.into_iter().enumerate().map(stems).fold(chart, Chart::series);
    }
    let levels =
        |(is_with, name): &(bool, String)| Series::new(name, levels(shape, *is_with)).look(Look::Steps);
    let chart = sides.iter().map(levels).fold(chart, Chart::series);
    if shape.kind != LossKind::Mixed {
        return chart;
    }
    let single =
        [(true, "with the record: single losses".to_owned()), (false, format!("{other}: single losses"))];
    let stems = single
        .into_iter()
        .enumerate()
        .map(|(number, (is_with, name))| stems(shape, is_with, name).pen(number, 0).on_the_right());
    stems.fold(chart.right(Axis::linear("probability of a single loss")), Chart::series)
}

fn stems(shape: &LossShape, is_with: bool, name: String) -> Series {
    let of =
        |atom: &LossAtom| (atom.loss.midpoint(), (if is_with { atom.with } else { atom.without }).midpoint());
    Series::new(name, shape.atoms.iter().map(of).collect()).look(Look::Stems)
}

/// The level of every bin, with a gap where no bin follows.
fn levels(shape: &LossShape, is_with: bool) -> Vec<(f64, f64)> {
    let level = |bin: &LossCell| {
        let (with, without) = shape.heights(bin);
        (if is_with { with } else { without }).midpoint()
    };
    let mut points = vec![];
    for (at, bin) in shape.bins.iter().enumerate() {
        points.push((bin.from, level(bin)));
        if shape.bins.get(at + 1).is_none_or(|next| next.from > bin.to) {
            points.push((bin.to, f64::NAN));
        }
    }
    points
}
