//! The rectangle that the axes enclose, sizes, and what is drawn in it.

use crate::{
    chart::{Look, Pen},
    letters,
    palette::{colour, dashes},
    scene::{Drawn, Mark, Place, Rectangle},
    shape::{Anchor, Point, Shape, Text},
};

pub(super) const WIDTH: f64 = 640.0;
pub(super) const HEIGHT: f64 = 420.0;
pub(super) const LABEL_SIZE: f64 = 14.0;
pub(super) const TICK_SIZE: f64 = 12.0;
pub(super) const TITLE_SIZE: f64 = 14.0;
pub(super) const MARGIN: f64 = 14.0;
pub(super) const LINE_WIDTH: f64 = 2.0;
pub(super) const STEM_WIDTH: f64 = 1.4;
pub(super) const BAND_OPACITY: f64 = 0.22;
pub(super) const BAR_OPACITY: f64 = 0.8;
pub(super) const DOT: f64 = 2.6;
/// How far apart stems at the same place stand.
pub(super) const LANE: f64 = 5.0;
/// About so many numbers are written along an axis.
pub(super) const LABELS: f64 = 6.0;

/// The rectangle that the axes enclose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    pub(super) fn at(&self, (x, y): Place) -> Point {
        (self.x(x), self.y(y))
    }

    /// What is seen of a mark.
    pub(super) fn shapes(&self, mark: &Mark, pen: Pen) -> Vec<Shape> {
        let all = |places: &[Place]| places.iter().map(|&place| self.at(place)).collect();
        let area = |points, opacity| Shape::Area { points, colour: colour(pen.colour), opacity };
        match mark {
            Mark::Line(places) => vec![line(all(places), pen)],
            Mark::Dot(place) => vec![dot(self.at(*place), pen)],
            Mark::Band(corners) => vec![area(all(corners), BAND_OPACITY)],
            Mark::Shade(corners) => vec![area(all(corners), 0.5 * BAND_OPACITY)],
            Mark::Bar(Rectangle { left, right, bottom, top }) => {
                let corners = [(*left, *bottom), (*left, *top), (*right, *top), (*right, *bottom)];
                vec![area(all(&corners), BAR_OPACITY)]
            }
            &Mark::Stem { foot, head, lane: (lane, lanes) } => {
                let aside = LANE * (lane as f64 - 0.5 * (lanes as f64 - 1.0));
                let moved = |place| {
                    let (x, y) = self.at(place);
                    ((x + aside).clamp(self.left, self.right), y)
                };
                stem(moved(foot), moved(head), pen)
            }
        }
    }
}

fn line(points: Vec<Point>, pen: Pen) -> Shape {
    Shape::Line { points, colour: colour(pen.colour), width: LINE_WIDTH, dashes: dashes(pen.dashes) }
}

fn dot(at: Point, pen: Pen) -> Shape {
    Shape::Dot { at, radius: DOT, colour: colour(pen.colour) }
}

fn stem(foot: Point, head: Point, pen: Pen) -> Vec<Shape> {
    let body =
        Shape::Line { points: vec![foot, head], colour: colour(pen.colour), width: STEM_WIDTH, dashes: &[] };
    vec![body, dot(head, pen)]
}

/// How a series looks in a legend.
pub(super) fn sample(drawn: &Drawn<'_>, (left, y): Point, width: f64) -> Vec<Shape> {
    let (right, middle) = (left + width, left + 0.5 * width);
    match drawn.series.look {
        Look::Dots => vec![dot((middle, y), drawn.pen)],
        Look::Bars => vec![Shape::Area {
            points: vec![
                (left + 6.0, y - 5.0),
                (right - 6.0, y - 5.0),
                (right - 6.0, y + 5.0),
                (left + 6.0, y + 5.0),
            ],
            colour: colour(drawn.pen.colour),
            opacity: BAR_OPACITY,
        }],
        Look::Stems => stem((middle, y + 6.0), (middle, y - 4.0), drawn.pen),
        Look::Line | Look::Steps | Look::Spans => vec![line(vec![(left, y), (right, y)], drawn.pen)],
    }
}

/// A text that is no wider than `room`.
pub(super) fn fitted(words: &str, size: f64, at: Point, anchor: Anchor, room: f64) -> Text {
    text(&letters::fitted(words, size, room), size, at, anchor)
}

pub(super) fn text(text: &str, size: f64, at: Point, anchor: Anchor) -> Text {
    Text { at, text: text.to_owned(), size, anchor, upward: false }
}
