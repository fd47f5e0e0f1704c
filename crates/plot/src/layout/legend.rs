//! Names of the series: in a corner where they hide nothing, or else below the chart.

use super::{DOT, Frame, HEIGHT, LINE_WIDTH, MARGIN, Plane, TICK_SIZE, text};
use crate::{
    chart::{Chart, Look, Pen, Series},
    letters,
    palette::{FAINT, PAPER, colour, dashes},
    shape::{Anchor, Point, Shape},
};

const SAMPLE: f64 = 30.0;
const ROW: f64 = TICK_SIZE + 7.0;
/// Curves keep this distance from a legend.
const CLEARANCE: f64 = 5.0;

/// What a legend is made of, and how much higher it makes the drawing.
pub(super) struct Legend {
    pub(super) shapes: Vec<Shape>,
    pub(super) below: f64,
}

pub(super) fn shapes(chart: &Chart, plane: &Plane) -> Legend {
    let named: Vec<(Pen, &Series)> = (chart.series.iter().enumerate())
        .filter(|(_, series)| !series.name.is_empty())
        .map(|(number, series)| (series.pen.unwrap_or(Pen { colour: number, dashes: number }), series))
        .collect();
    if named.is_empty() {
        return Legend { shapes: vec![], below: 0.0 };
    }
    let name = |series: &Series| text(&series.name, TICK_SIZE, (0.0, 0.0), Anchor::Start);
    let widest = named.iter().map(|(_, series)| letters::width(&name(series))).fold(0.0, f64::max);
    let width = widest + SAMPLE + 24.0;
    match free_corner(chart, plane, width, ROW * named.len() as f64 + 8.0) {
        Some((left, top)) => {
            let (right, bottom) = (left + width, top + ROW * named.len() as f64 + 8.0);
            let paper = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
            let edge = paper.iter().chain(paper.first()).copied().collect();
            let mut shapes = vec![
                Shape::Area { points: paper, colour: PAPER, opacity: 0.85 },
                Shape::Line { points: edge, colour: FAINT, width: 1.0, dashes: &[] },
            ];
            for (row, (pen, series)) in named.into_iter().enumerate() {
                shapes.extend(entry(series, pen, (left, top + 4.0 + ROW * (row as f64 + 0.5))));
            }
            Legend { shapes, below: 0.0 }
        }
        None => {
            let frame = plane.frame;
            let columns = (((frame.right - frame.left) / width) as usize).clamp(1, named.len());
            let rows = named.len().div_ceil(columns);
            let mut shapes = vec![];
            for (i, (pen, series)) in named.into_iter().enumerate() {
                let (column, row) = (i / rows, i % rows);
                let left = frame.left + width * column as f64;
                shapes.extend(entry(series, pen, (left, HEIGHT + ROW * (row as f64 + 0.5) - 4.0)));
            }
            Legend { shapes, below: ROW * rows as f64 + 0.5 * MARGIN - 4.0 }
        }
    }
}

/// A sample of the line, and its name.
fn entry(series: &Series, pen: Pen, (left, y): Point) -> [Shape; 2] {
    let (from, to) = (left + 8.0, left + 8.0 + SAMPLE);
    let sample = match series.look {
        Look::Dots => Shape::Dot { at: (0.5 * (from + to), y), radius: DOT, colour: colour(pen.colour) },
        Look::Bars => Shape::Area {
            points: vec![
                (from + 6.0, y - 5.0),
                (to - 6.0, y - 5.0),
                (to - 6.0, y + 5.0),
                (from + 6.0, y + 5.0),
            ],
            colour: colour(pen.colour),
            opacity: super::BAR_OPACITY,
        },
        Look::Line | Look::Steps | Look::Spans => Shape::Line {
            points: vec![(from, y), (to, y)],
            colour: colour(pen.colour),
            width: LINE_WIDTH,
            dashes: dashes(pen.dashes),
        },
    };
    [sample, Shape::Text(text(&series.name, TICK_SIZE, (to + 8.0, y + 0.35 * TICK_SIZE), Anchor::Start))]
}

/// The upper left corner of a place inside the frame that no curve crosses.
fn free_corner(chart: &Chart, plane: &Plane, width: f64, height: f64) -> Option<Point> {
    let frame = plane.frame;
    let corners = [
        (frame.right - width - 8.0, frame.top + 8.0),
        (frame.left + 8.0, frame.bottom - height - 8.0),
        (frame.right - width - 8.0, frame.bottom - height - 8.0),
        (frame.left + 8.0, frame.top + 8.0),
    ];
    let fits = width + 16.0 < frame.right - frame.left && height + 16.0 < frame.bottom - frame.top;
    corners.into_iter().filter(|_| fits).find(|&(left, top)| {
        let place = Frame {
            left: left - CLEARANCE,
            right: left + width + CLEARANCE,
            top: top - CLEARANCE,
            bottom: top + height + CLEARANCE,
        };
        let bars = (0..chart.series.len())
            .filter(|&number| chart.series[number].look == Look::Bars)
            .flat_map(|number| plane.bar_frames(chart, number));
        bars.into_iter().all(|bar| !place.meets(bar))
            && chart.series.iter().all(|series| !is_crossed(place, plane, series))
    })
}

/// Does a line or dot of a series leave ink in this place?
fn is_crossed(place: Frame, plane: &Plane, series: &Series) -> bool {
    let places: Vec<Option<Point>> = series.points.iter().map(|&(x, y)| plane.place(x, y)).collect();
    let crosses = |a: Point, b: Point| place.clipped(a, b).is_some();
    let by_points = match series.look {
        Look::Dots => places.iter().flatten().any(|&at| crosses(at, at)),
        Look::Bars => false,
        Look::Line => places.windows(2).filter_map(|pair| pair[0].zip(pair[1])).any(|(a, b)| crosses(a, b)),
        Look::Spans => {
            places.chunks_exact(2).filter_map(|pair| pair[0].zip(pair[1])).any(|(a, b)| crosses(a, b))
        }
        Look::Steps => (places.windows(2).filter_map(|pair| pair[0].zip(pair[1])))
            .any(|(a, b)| crosses(a, (b.0, a.1)) || crosses((b.0, a.1), b)),
    };
    let edges = |pick: fn(&(f64, f64, f64)) -> (f64, f64)| {
        let edge: Vec<Point> = series.band.iter().map(pick).filter_map(|(x, y)| plane.place(x, y)).collect();
        edge.windows(2).any(|pair| crosses(pair[0], pair[1]))
    };
    by_points || edges(|&(x, low, _)| (x, low)) || edges(|&(x, _, high)| (x, high))
}

impl Frame {
    fn meets(&self, other: Frame) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}
