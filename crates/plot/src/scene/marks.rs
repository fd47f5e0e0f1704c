//! A series as marks.

use super::{
    Mark, Place,
    clip::{FRAME, Rectangle},
    range::bars_of,
};
use crate::{
    axis::Ruler,
    chart::{Chart, Look, Series},
};

/// No bar is wider than this.
const WIDEST_BAR: f64 = 0.16;
/// What bars leave between them.
const BAR_GAP: f64 = 0.2;
/// Bars nearer to each other than this are at the same place.
const SAME: f64 = 1e-9;

/// The marks of one series of a chart.
pub(super) fn of(chart: &Chart, number: usize, x: &Ruler, y: &Ruler) -> Vec<Mark> {
    let series = &chart.series[number];
    let places: Vec<Option<Place>> = series.points.iter().map(|&point| place(x, y, point)).collect();
    let mut marks = bands(series, x, y);
    match series.look {
        Look::Line => runs(&places).for_each(|run| marks.extend(line(run))),
        Look::Dots => marks.extend(dots(places.iter().flatten())),
        Look::Steps => marks.extend(steps(series, x, y)),
        Look::Spans => {
            for ends in places.chunks_exact(2) {
                if let &[Some(from), Some(to)] = ends {
                    marks.extend(FRAME.clipped(from, to).map(|(from, to)| Mark::Line(vec![from, to])));
                }
                marks.extend(dots(ends.iter().flatten()));
            }
        }
        Look::Bars => marks.extend(bars(chart, number, x, y)),
        Look::Stems => {
            let lane = lane(chart, number, Look::Stems);
            let inside = |&(at, top): &Place| (FRAME.left..=FRAME.right).contains(&at) && top >= 0.0;
            marks.extend(places.into_iter().flatten().filter(inside).map(|(at, top)| Mark::Stem {
                foot: (at, y.floor()),
                head: (at, top.min(1.0)),
                lane,
            }));
        }
    }
    marks
}

/// Where a point is; nothing where an axis cannot show it.
fn place(x: &Ruler, y: &Ruler, (at, height): (f64, f64)) -> Option<Place> {
    let place = (x.shows(at) && y.shows(height)).then(|| (x.share(at), y.share(height)));
    place.filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// Neighbours that are all there: between two of these is a gap.
fn runs(places: &[Option<Place>]) -> impl Iterator<Item = Vec<Place>> {
    places
        .split(Option::is_none)
        .filter(|run| !run.is_empty())
        .map(|run| run.iter().flatten().copied().collect())
}

/// The line through a run, or a dot if there is nothing to connect.
fn line(run: Vec<Place>) -> Vec<Mark> {
    match run[..] {
        [_] => dots(run.iter()).collect(),
        _ => FRAME.lines(&run).into_iter().map(Mark::Line).collect(),
    }
}

fn dots<'a>(places: impl Iterator<Item = &'a Place>) -> impl Iterator<Item = Mark> {
    places.filter(|&&place| FRAME.contains(place)).map(|&place| Mark::Dot(place))
}

/// Level lines to the next point, and what is below them. A gap at the next point ends the line there, and does not hide the level before.
fn steps(series: &Series, x: &Ruler, y: &Ruler) -> Vec<Mark> {
    let mut runs: Vec<Vec<Place>> = vec![];
    let mut is_open = false;
    for pair in series.points.windows(2) {
        let level = pair[0].1;
        let ends = place(x, y, pair[0]).zip(place(x, y, (pair[1].0, level)));
        match (ends, runs.last_mut()) {
            (Some((from, to)), Some(run)) if is_open => run.extend([from, to]),
            (Some((from, to)), _) => runs.push(vec![from, to]),
            (None, _) => {}
        }
        is_open = ends.is_some();
    }
    let last = series.points.last().and_then(|&point| place(x, y, point));
    match (last, runs.last_mut()) {
        (Some(last), Some(run)) if is_open => run.push(last),
        (Some(last), _) => runs.push(vec![last]),
        (None, _) => {}
    }
    runs.into_iter().flat_map(|run| flight(run, y.floor())).collect()
}

/// Stairs without a gap.
fn flight(stairs: Vec<Place>, floor: f64) -> Vec<Mark> {
    let (first, last) = (stairs[0].0, stairs[stairs.len() - 1].0);
    let below = [vec![(first, floor)], stairs.clone(), vec![(last, floor)]].concat();
    let shade = Some(FRAME.area(below)).filter(|corners| first < last && corners.len() > 2).map(Mark::Shade);
    shade.into_iter().chain(line(stairs)).collect()
}

/// What is between the ends of a band, a piece for every run without a gap. An end that a logarithmic axis cannot show because it is 0 is
/// below all of the axis.
fn bands(series: &Series, x: &Ruler, y: &Ruler) -> Vec<Mark> {
    let ends = |&(at, low, high): &(f64, f64, f64)| {
        let (x, top) = place(x, y, (at, high))?;
        let bottom = if y.shows(low) { y.share(low) } else { 0.0 };
        (!low.is_nan() && bottom.is_finite()).then_some((x, bottom.min(top), top))
    };
    let ends: Vec<Option<(f64, f64, f64)>> = series.band.iter().map(ends).collect();
    let pieces = ends.split(Option::is_none).filter_map(|run| {
        let run: Vec<_> = run.iter().flatten().copied().collect();
        if let &[(x, bottom, top)] = run.as_slice() {
            // One point has no area, but its ends may be apart.
            return FRAME.clipped((x, bottom), (x, top)).map(|(from, to)| Mark::Line(vec![from, to]));
        }
        let low = run.iter().map(|&(x, bottom, _)| (x, bottom));
        let high = run.iter().rev().map(|&(x, _, top)| (x, top));
        Some(FRAME.area(low.chain(high).collect())).filter(|corners| corners.len() > 2).map(Mark::Band)
    });
    pieces.collect()
}

/// Which of how many series with this look a series is.
fn lane(chart: &Chart, number: usize, look: Look) -> (usize, usize) {
    let alike = |series: &&Series| series.look == look;
    (chart.series[..number].iter().filter(alike).count(), chart.series.iter().filter(alike).count())
}

/// The parts of the bars that are inside the frame. Bars of several series stand side by side.
fn bars(chart: &Chart, number: usize, x: &Ruler, y: &Ruler) -> Vec<Mark> {
    let mut centres: Vec<f64> = bars_of(chart).filter(|at| x.shows(*at)).map(|at| x.share(at)).collect();
    centres.sort_by(f64::total_cmp);
    let gaps = centres.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > SAME);
    let room = gaps.fold(WIDEST_BAR, f64::min);
    let (lane, lanes) = lane(chart, number, Look::Bars);
    let width = (1.0 - BAR_GAP) * room / lanes as f64;
    let start = -0.5 * (1.0 - BAR_GAP) * room + lane as f64 * width;
    let bar = |&point: &(f64, f64)| {
        let (at, height) = place(x, y, point)?;
        let within = |share: f64| share.clamp(0.0, 1.0);
        let bar = Rectangle {
            left: within(at + start),
            right: within(at + start + width),
            bottom: y.floor().min(within(height)),
            top: within(height).max(y.floor()),
        };
        (bar.left < bar.right).then_some(Mark::Bar(bar))
    };
    chart.series[number].points.iter().filter_map(bar).collect()
}
