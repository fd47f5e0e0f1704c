//! The frame, its grid, and what is written around it.

use super::frame::{Frame, HEIGHT, LABEL_SIZE, LABELS, MARGIN, TICK_SIZE, TITLE_SIZE, WIDTH, fitted};
use crate::{
    axis::Tick,
    chart::Chart,
    letters,
    palette::{FAINT, INK},
    scene::Scene,
    shape::{Anchor, Point, Shape, Text},
};

const TICK_LENGTH: f64 = 5.0;
/// Labels beside the frame take no more than this.
const WIDEST_LABEL: f64 = 0.3 * WIDTH;
/// Neighbouring labels below the frame keep this distance.
const APART: f64 = 8.0;

/// What is written along the axes.
pub(super) struct Sides {
    below: Vec<Tick>,
    left: Vec<Tick>,
    right: Option<Vec<Tick>>,
}

impl Sides {
    pub(super) fn of(chart: &Chart, scene: &Scene<'_>) -> Self {
        let right = chart.right.as_ref().zip(scene.right.as_ref());
        Self {
            below: chart.x.ticks(&scene.x, LABELS),
            left: chart.y.ticks(&scene.y, LABELS),
            right: right.map(|(axis, ruler)| axis.ticks(ruler, LABELS)),
        }
    }

    /// The frame with room for all of it.
    pub(super) fn frame(&self, chart: &Chart) -> Frame {
        let title = if chart.title.is_empty() { 0.0 } else { TITLE_SIZE + 8.0 };
        let beside = |ticks: &[Tick]| MARGIN + LABEL_SIZE + 10.0 + widest(ticks) + TICK_LENGTH;
        Frame {
            left: beside(&self.left),
            // Half of the last label below may stand beyond the frame.
            right: WIDTH
                - self.right.as_deref().map_or(MARGIN + 8.0, beside).max(0.5 * widest(&self.below) + 4.0),
            top: MARGIN + title,
            bottom: HEIGHT - MARGIN - LABEL_SIZE - TICK_SIZE - 14.0,
        }
    }

    pub(super) fn grid(&self, frame: Frame) -> Vec<Shape> {
        let line = |points| Shape::Line { points, colour: FAINT, width: 0.8, dashes: &[] };
        let labelled = |tick: &&Tick| tick.label.is_some();
        let vertical = self
            .below
            .iter()
            .filter(labelled)
            .map(|tick| line(vec![(frame.x(tick.at), frame.top), (frame.x(tick.at), frame.bottom)]));
        let horizontal = self
            .left
            .iter()
            .filter(labelled)
            .map(|tick| line(vec![(frame.left, frame.y(tick.at)), (frame.right, frame.y(tick.at))]));
        vertical.chain(horizontal).collect()
    }

    pub(super) fn shapes(&self, chart: &Chart, frame: Frame) -> Vec<Shape> {
        let Frame { left, right, top, bottom } = frame;
        let mut shapes =
            vec![ink(vec![(left, top), (left, bottom), (right, bottom), (right, top), (left, top)])];
        shapes.extend(below(&self.below, frame));
        shapes.extend(beside(&self.left, frame, left, -1.0));
        shapes.extend(self.right.iter().flat_map(|ticks| beside(ticks, frame, right, 1.0)));
        let (across, upright) = (right - left, bottom - top);
        let middle = (0.5 * (left + right), 0.5 * (top + bottom));
        let mut write = |words: &str, size, at, anchor, room, upward| {
            if !words.is_empty() {
                shapes.push(Shape::Text(Text { upward, ..fitted(words, size, at, anchor, room) }));
            }
        };
        write(&chart.x.label, LABEL_SIZE, (middle.0, HEIGHT - MARGIN), Anchor::Middle, across, false);
        let at: Point = (MARGIN + 0.8 * LABEL_SIZE, middle.1);
        write(&chart.y.label, LABEL_SIZE, at, Anchor::Middle, upright, true);
        if let Some(axis) = &chart.right {
            write(&axis.label, LABEL_SIZE, (WIDTH - MARGIN, middle.1), Anchor::Middle, upright, true);
        }
        // The middle of the frame is not that of the sheet: a long title has room on the nearer side twice.
        let room = 2.0 * middle.0.min(WIDTH - middle.0) - MARGIN;
        let at = (middle.0, MARGIN + 0.8 * TITLE_SIZE);
        write(&chart.title, TITLE_SIZE, at, Anchor::Middle, room, false);
        shapes
    }
}

fn ink(points: Vec<Point>) -> Shape {
    Shape::Line { points, colour: INK, width: 1.0, dashes: &[] }
}

fn length(tick: &Tick) -> f64 {
    if tick.label.is_some() { TICK_LENGTH } else { 0.6 * TICK_LENGTH }
}

/// The widest label of an axis.
fn widest(ticks: &[Tick]) -> f64 {
    let labels = ticks.iter().filter_map(|tick| tick.label.as_deref());
    labels.map(|label| letters::width_of(label, TICK_SIZE)).fold(0.0, f64::max).min(WIDEST_LABEL)
}

/// Marks below the frame, and those of the labels that do not run into each other or off the sheet.
fn below(ticks: &[Tick], frame: Frame) -> Vec<Shape> {
    let mut shapes = vec![];
    let mut free = 0.0;
    for tick in ticks {
        let x = frame.x(tick.at);
        shapes.push(ink(vec![(x, frame.bottom), (x, frame.bottom + length(tick))]));
        let Some(label) = &tick.label else { continue };
        let half = 0.5 * letters::width_of(label, TICK_SIZE);
        if x - half < free || x + half > WIDTH {
            continue;
        }
        free = x + half + APART;
        let place = (x, frame.bottom + TICK_LENGTH + TICK_SIZE + 1.0);
        shapes.push(Shape::Text(fitted(label, TICK_SIZE, place, Anchor::Middle, WIDTH)));
    }
    shapes
}

/// Marks and labels beside the frame, at `x`, to the left or to the right.
fn beside(ticks: &[Tick], frame: Frame, x: f64, side: f64) -> Vec<Shape> {
    let anchor = if side < 0.0 { Anchor::End } else { Anchor::Start };
    let mut shapes = vec![];
    for tick in ticks {
        let y = frame.y(tick.at);
        shapes.push(ink(vec![(x + side * length(tick), y), (x, y)]));
        let place = (x + side * (TICK_LENGTH + 4.0), y + 0.35 * TICK_SIZE);
        let label = tick.label.iter();
        shapes.extend(label.map(|label| Shape::Text(fitted(label, TICK_SIZE, place, anchor, WIDEST_LABEL))));
    }
    shapes
}
