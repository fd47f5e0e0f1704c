//! A chart as shapes.
//!
//! In: a [`Chart`]. Out: a [`Drawing`] in pixels, which SVG and PNG draw alike.
//!
//! # Guarantee
//! All shapes lie on the sheet: text that is too long loses its middle, and legends that find no room in the frame stand below it.

mod axes;
mod legend;
#[cfg(test)]
mod tests;

use crate::{
    chart::{Chart, Look, Pen},
    letters,
    palette::{colour, dashes},
    scene::{Drawn, Mark, Place, Rectangle, Scene},
    shape::{Anchor, Drawing, Point, Shape, Text},
};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LABEL_SIZE: f64 = 14.0;
const TICK_SIZE: f64 = 12.0;
const TITLE_SIZE: f64 = 14.0;
const MARGIN: f64 = 14.0;
const LINE_WIDTH: f64 = 2.0;
const STEM_WIDTH: f64 = 1.4;
const BAND_OPACITY: f64 = 0.22;
const BAR_OPACITY: f64 = 0.8;
const DOT: f64 = 2.6;
/// How far apart stems at the same place stand.
const LANE: f64 = 5.0;
/// About so many numbers are written along an axis.
const LABELS: f64 = 6.0;

/// The rectangle that the axes enclose.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

pub(crate) fn shapes(chart: &Chart) -> Drawing {
    let scene = Scene::of(chart);
    let sides = axes::Sides::of(chart, &scene);
    let frame = sides.frame(chart);
    let mut shapes = sides.grid(frame);
    // Dots and heads last: a line that goes through them would hide them.
    for is_on_top in [false, true] {
        for drawn in &scene.series {
            let marks = drawn.marks.iter().filter(|mark| is_dot(mark) == is_on_top);
            shapes.extend(marks.flat_map(|mark| frame.shapes(mark, drawn.pen)));
        }
    }
    shapes.extend(sides.shapes(chart, frame));
    if scene.is_empty() {
        let middle = (0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
        shapes.push(Shape::Text(text(NOTHING, LABEL_SIZE, middle, Anchor::Middle)));
    }
    let legend = legend::shapes(&scene, frame);
    shapes.extend(legend.shapes);
    Drawing { width: WIDTH, height: HEIGHT + legend.below, shapes }
}

/// What an empty chart says.
pub(crate) const NOTHING: &str = "there is no point to be shown";

fn is_dot(mark: &Mark) -> bool {
    match mark {
        Mark::Dot(_) | Mark::Stem { .. } => true,
        Mark::Line(_) | Mark::Band(_) | Mark::Shade(_) | Mark::Bar(_) => false,
    }
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    fn at(&self, (x, y): Place) -> Point {
        (self.x(x), self.y(y))
    }

    /// What is seen of a mark.
    fn shapes(&self, mark: &Mark, pen: Pen) -> Vec<Shape> {
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
fn sample(drawn: &Drawn<'_>, (left, y): Point, width: f64) -> Vec<Shape> {
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
fn fitted(words: &str, size: f64, at: Point, anchor: Anchor, room: f64) -> Text {
    text(&letters::fitted(words, size, room), size, at, anchor)
}

fn text(text: &str, size: f64, at: Point, anchor: Anchor) -> Text {
    Text { at, text: text.to_owned(), size, anchor, upward: false }
}
