//! `hockeystick profile` and `hockeystick tradeoff`: curves as tables and charts.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{
    failure::Failure,
    plot::PlotFile,
    progress::{Progress, watched},
    report::{Asked, Between, Page, Report, Table, Traced, csv, shortest},
    visible::visible,
};
use hockeystick::curve::conversion::NearbyTests;
use hockeystick::query::{Curves, even_grid, geometric_grid};
use hockeystick_digits::Notation;
use hockeystick_plot::{Axis, Chart, Series};
use std::time::{Duration, Instant};

/// The curve of δ over ε: the whole privacy guarantee
#[derive(Debug, clap::Args)]
#[command(after_long_help = PROFILE_EXAMPLES)]
pub(super) struct Profile {
    /// How many points of the curve; 21, or 101 for a chart
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(2..=10000))]
    points: Option<u16>,

    /// The largest ε; without it, as far as δ is above 1e-10
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    to: Option<f64>,

    #[command(flatten)]
    plot: PlotFile,

    #[command(flatten)]
    common: Common,
}

const PROFILE_EXAMPLES: &str = include_str!("examples/profile.txt");

/// The trade-off between the errors of an attack: the curve of f-DP
#[derive(Debug, clap::Args)]
#[command(after_long_help = TRADEOFF_EXAMPLES)]
pub(super) struct Tradeoff {
    /// How many points of the curve; 21, or 101 for a chart
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u16).range(2..=10000))]
    points: Option<u16>,

    /// The smallest false positive rate, above 0: the points have equal ratios, and a chart shows the true positive rate on
    /// logarithmic axes. Without it they are evenly spaced
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    from: Option<f64>,

    #[command(flatten)]
    plot: PlotFile,

    #[command(flatten)]
    common: Common,
}

const TRADEOFF_EXAMPLES: &str = include_str!("examples/tradeoff.txt");

/// A curve, enclosed at some points.
#[derive(serde::Serialize)]
struct CurveReport<'a> {
    #[serde(flatten)]
    asked: Asked,
    points: Vec<Sample>,
    #[serde(flatten)]
    traced: Traced,
    #[serde(skip)]
    names: &'a Names,
    #[serde(skip)]
    drawing: Option<String>,
}

/// A point of a curve.
#[derive(serde::Serialize)]
struct Sample {
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fpr: Option<f64>,
    #[serde(flatten)]
    value: Between,
}

impl Sample {
    fn at(&self) -> f64 {
        self.epsilon.or(self.fpr).unwrap_or_default()
    }
}

/// The names of a kind of curve.
struct Names {
    query: &'static str,
    headline: &'static str,
    argument: &'static str,
    columns: [&'static str; 2],
    notation: Notation,
    traced: fn(&Curves<'_>, Duration) -> Traced,
}

impl Profile {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let names = Names {
            query: "profile",
            headline: "δ over ε",
            argument: "epsilon",
            columns: ["ε", "δ"],
            notation: Notation::Scientific,
            traced: Traced::new,
        };
        if self.to.is_some_and(|to| !(to > 0.0 && to.is_finite())) {
            return Err(Failure::Request(
                "--to must be a finite number above 0; give the largest ε".to_owned(),
            ));
        }
        let count = self.plot.points(self.points);
        let read = |curves: &Curves<'_>| {
            let epsilons = match self.to {
                Some(to) => even_grid(0.0, to, count),
                None => curves.interesting_epsilons(count),
            };
            let progress = Progress::new(epsilons.len());
            let samples = epsilons.into_iter().map(|epsilon| {
                let delta = curves.delta(epsilon).value();
                progress.step();
                Sample { epsilon: Some(epsilon), fpr: None, value: Between::of(delta) }
            });
            let samples = samples.collect();
            drop(progress);
            Ok(samples)
        };
        let chart = |samples: &[Sample], _: &Curves<'_>| {
            let chart = Chart::new(Axis::linear("ε"), Axis::logarithmic("δ(ε)"));
            // A logarithmic axis has no place for 0, and a line that ends must not look like one that was not computed.
            let end =
                samples.iter().find(|sample| sample.value.upper == 0.0).and_then(|sample| sample.epsilon);
            let name =
                end.map_or(String::new(), |end| format!("δ, which is 0 from ε = {} on", shortest(end)));
            Ok(chart.series(enclosed(samples, &name, |value| value.upper)))
        };
        curve(&self.common, &self.plot, &names, read, chart)
    }
}

impl Tradeoff {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let names = Names {
            query: "tradeoff",
            headline: "least false negative rate over false positive rate",
            argument: "fpr",
            columns: ["FPR", "FNR"],
            notation: Notation::Plain,
            traced: Traced::of_attacks,
        };
        if self.from.is_some_and(|from| !(from > 0.0 && from < 1.0)) {
            return Err(Failure::Request(
                "--from must be above 0 and below 1; give the smallest FPR".to_owned(),
            ));
        }
        let count = self.plot.points(self.points);
        let rates = match self.from {
            Some(from) => geometric_grid(from, 1.0, count),
            None => even_grid(0.0, 1.0, count),
        };
        let read = |curves: &Curves<'_>| {
            let progress = Progress::new(rates.len());
            let mut nearby = NearbyTests::default();
            let samples = rates.iter().map(|&fpr| {
                let missed = match rates.len() {
                    0..MANY => curves.trade_off(fpr)?,
                    _ => curves.trade_off_near(fpr, &mut nearby)?,
                };
                let missed = missed.value();
                progress.step();
                Ok(Sample { epsilon: None, fpr: Some(fpr), value: Between::of(missed) })
            });
            let samples = samples.collect::<Result<Vec<_>, Failure>>()?;
            drop(progress);
            Ok(samples)
        };
        let chart = |samples: &[Sample], curves: &Curves<'_>| {
            if self.from.is_some() { successes(samples, curves) } else { Ok(misses(samples)) }
        };
        curve(&self.common, &self.plot, &names, read, chart)
    }
}

/// From so many points on a curve is read in order; fewer are found one by one, to the last digit.
const MANY: usize = 1000;

const FALSE_POSITIVES: &str = "false positive rate";

/// How many members an attack misses.
fn misses(samples: &[Sample]) -> Chart {
    let guess = samples.iter().map(|sample| (sample.at(), 1.0 - sample.at())).collect();
    Chart::new(Axis::linear(FALSE_POSITIVES), Axis::linear("false negative rate").between(0.0, 1.0))
        .series(enclosed(samples, "best attack", |value| value.lower))
        .series(Series::new("guessing", guess))
}

/// How many it finds: where there are few false alarms, it misses nearly all, and what it finds are powers of ten.
fn successes(samples: &[Sample], curves: &Curves<'_>) -> Result<Chart, Failure> {
    let found = samples.iter().map(|sample| {
        let value = Between::of(curves.true_positive_rate(sample.at())?.value());
        Ok(Sample { epsilon: None, fpr: Some(sample.at()), value })
    });
    let found = found.collect::<Result<Vec<Sample>, Failure>>()?;
    let guess = samples.iter().map(|sample| (sample.at(), sample.at())).collect();
    Ok(Chart::new(Axis::logarithmic(FALSE_POSITIVES), Axis::logarithmic("true positive rate"))
        .series(enclosed(&found, "best attack", |value| value.upper))
        .series(Series::new("guessing", guess)))
}

/// The end of the enclosures that may be quoted, with a band between both.
fn enclosed(samples: &[Sample], name: &str, end: fn(&Between) -> f64) -> Series {
    let ends = samples.iter().map(|sample| (sample.at(), end(&sample.value)));
    let band = samples.iter().map(|sample| (sample.at(), sample.value.lower, sample.value.upper));
    Series::new(name, ends.collect()).band(band.collect())
}

fn curve(
    common: &Common,
    plot: &PlotFile,
    names: &Names,
    read: impl FnOnce(&Curves<'_>) -> Result<Vec<Sample>, Failure>,
    chart: impl FnOnce(&[Sample], &Curves<'_>) -> Result<Chart, Failure>,
) -> Result<Outcome, Failure> {
    plot.check(common.format)?;
    let subject = common.subject()?;
    let started = Instant::now();
    let (curves, points) = common.accounting.allowed.within(|| {
        let curves = watched(|| common.accounting.query(&subject).curves())?;
        let points = read(&curves)?;
        Ok((curves, points))
    })?;
    let title = crate::excerpt::clipped(&visible(&subject.mechanism.to_string()), 70);
    let drawing = plot.draw(|| Ok(chart(&points, &curves)?.title(title)))?;
    let report = CurveReport {
        asked: Asked::new(names.query, &subject.mechanism, subject.relation),
        points,
        traced: (names.traced)(&curves, started.elapsed()),
        names,
        drawing,
    };
    Ok(Outcome { text: report.written(common.format), shortfall: None })
}

impl Report for CurveReport<'_> {
    fn page(&self) -> Page {
        let Names { headline, columns, notation, .. } = self.names;
        let row = |sample: &Sample| vec![shortest(sample.at()), sample.value.shown(*notation)];
        Page {
            headline: (*headline).to_owned(),
            drawing: self.drawing.clone(),
            facts: self.traced.facts(&self.asked),
            tables: vec![Table::new(columns, self.points.iter().map(row).collect())],
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let numbers = |sample: &Sample| {
            [sample.at(), sample.value.lower, sample.value.upper].map(|x| csv::number(Some(x))).to_vec()
        };
        let rows: Vec<Vec<String>> = self.points.iter().map(numbers).collect();
        csv::lines(&[self.names.argument, "lower", "upper"], &rows)
    }
}
