//! Names of the series: in a corner where they hide nothing, or else below the chart.

use super::frame::{DOT, Frame, HEIGHT, LANE, MARGIN, TICK_SIZE, WIDTH, fitted, sample};
use crate::{
    letters,
    palette::{FAINT, PAPER},
    scene::{Drawn, Mark, Place, Rectangle, Scene},
    shape::{Anchor, Point, Shape},
};

const SAMPLE: f64 = 30.0;
const ROW: f64 = TICK_SIZE + 7.0;
/// What an entry is wider than its name.
const BESIDE: f64 = SAMPLE + 24.0;
/// Curves keep this distance from a legend, and it from the frame.
const CLEARANCE: f64 = 5.0 + DOT;
const ROOM: f64 = 8.0;
/// A legend in a corner has at most so many rows and this part of the frame's width: a higher or wider one stands below.
const MOST_ROWS: usize = 12;
const WIDEST: f64 = 0.6;

/// What a legend is made of, and how much higher it makes the drawing.
pub(super) struct Legend {
    pub(super) shapes: Vec<Shape>,
    pub(super) below: f64,
}

pub(super) fn shapes(scene: &Scene<'_>, frame: Frame) -> Legend {
    let named: Vec<&Drawn<'_>> = scene.named().collect();
    if named.is_empty() {
        return Legend { shapes: vec![], below: 0.0 };
    }
    let widest = named.iter().map(|drawn| letters::width_of(&drawn.series.name, TICK_SIZE));
    let width = widest.fold(0.0, f64::max) + BESIDE;
    match corner(scene, frame, width, named.len()) {
        Some(place) => inside(&named, place, width),
        None => below(&named, frame, width),
    }
}

fn inside(named: &[&Drawn<'_>], (left, top): Point, width: f64) -> Legend {
    let (right, bottom) = (left + width, top + height(named.len()));
    let paper = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
    let edge = paper.iter().chain(paper.first()).copied().collect();
    let mut shapes = vec![
        Shape::Area { points: paper, colour: PAPER, opacity: 0.85 },
        Shape::Line { points: edge, colour: FAINT, width: 1.0, dashes: &[] },
    ];
    for (row, drawn) in named.iter().enumerate() {
        shapes.extend(entry(drawn, (left, top + 4.0 + ROW * (row as f64 + 0.5)), width));
    }
    Legend { shapes, below: 0.0 }
}

/// As many columns as fit, from the left end of the frame; one name alone may take the whole width of the sheet.
fn below(named: &[&Drawn<'_>], frame: Frame, width: f64) -> Legend {
    let across = frame.right - frame.left;
    let left = if width <= across { frame.left } else { 0.5 * MARGIN };
    let width = width.min(WIDTH - MARGIN);
    let columns = ((across / width) as usize).clamp(1, named.len());
    let rows = named.len().div_ceil(columns);
    let mut shapes = vec![];
    for (i, drawn) in named.iter().enumerate() {
        let (column, row) = (i / rows, i % rows);
        let at = (left + width * column as f64, HEIGHT + ROW * (row as f64 + 0.5) - 4.0);
        shapes.extend(entry(drawn, at, width));
    }
    Legend { shapes, below: ROW * rows as f64 + 0.5 * MARGIN - 4.0 }
}

fn height(rows: usize) -> f64 {
    ROW * rows as f64 + 8.0
}

/// A sample of the series, and its name.
fn entry(drawn: &Drawn<'_>, (left, y): Point, width: f64) -> Vec<Shape> {
    let mut shapes = sample(drawn, (left + 8.0, y), SAMPLE);
    let place = (left + SAMPLE + 16.0, y + 0.35 * TICK_SIZE);
    let name = fitted(&drawn.series.name, TICK_SIZE, place, Anchor::Start, width - BESIDE);
    shapes.push(Shape::Text(name));
    shapes
}

/// The upper left corner of a place inside the frame where nothing is drawn.
fn corner(scene: &Scene<'_>, frame: Frame, width: f64, rows: usize) -> Option<Point> {
    let height = height(rows);
    let (across, upright) = (frame.right - frame.left, frame.bottom - frame.top);
    let fits = rows <= MOST_ROWS && width < WIDEST * across && height + 2.0 * ROOM < upright;
    let (left, right) = (frame.left + ROOM, frame.right - width - ROOM);
    let (top, bottom) = (frame.top + ROOM, frame.bottom - height - ROOM);
    let corners = [(right, top), (left, bottom), (right, bottom), (left, top)];
    corners.into_iter().filter(|_| fits).find(|&(left, top)| {
        let place = Rectangle {
            left: (left - CLEARANCE - frame.left) / across,
            right: (left + width + CLEARANCE - frame.left) / across,
            bottom: (frame.bottom - top - height - CLEARANCE) / upright,
            top: (frame.bottom - top + CLEARANCE) / upright,
        };
        let mut marks = scene.series.iter().flat_map(|drawn| &drawn.marks);
        !marks.any(|mark| is_crossed(place, mark, LANE / across))
    })
}

/// Does the line or the edge of a mark leave ink in this place? Stems are up to so many lanes aside.
fn is_crossed(place: Rectangle, mark: &Mark, lane: f64) -> bool {
    let crosses = |a: Place, b: Place| place.clipped(a, b).is_some();
    match mark {
        Mark::Line(places) | Mark::Band(places) => places.windows(2).any(|pair| crosses(pair[0], pair[1])),
        Mark::Dot(at) => crosses(*at, *at),
        // The line above it is a mark of its own.
        Mark::Shade(_) => false,
        Mark::Bar(bar) => place.meets(*bar),
        Mark::Stem { foot, head, lane: (_, lanes) } => {
            let aside = 0.5 * lane * *lanes as f64;
            let wide = Rectangle { left: place.left - aside, right: place.right + aside, ..place };
            wide.clipped(*foot, *head).is_some()
        }
    }
}
