//! A chart as shapes.

mod legend;

use crate::{
    axis::{Ruler, Tick},
    chart::{Chart, Look, Pen, Series},
    letters,
    palette::{FAINT, INK, colour, dashes},
    shape::{Anchor, Drawing, Point, Shape, Text},
};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LABEL_SIZE: f64 = 14.0;
const TICK_SIZE: f64 = 12.0;
const TITLE_SIZE: f64 = 14.0;
const MARGIN: f64 = 14.0;
const TICK_LENGTH: f64 = 5.0;
const LINE_WIDTH: f64 = 2.0;
const BAND_OPACITY: f64 = 0.22;
const BAR_OPACITY: f64 = 0.8;
const WIDEST_BAR: f64 = 90.0;
const DOT: f64 = 2.6;

/// The rectangle that the axes enclose.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

pub(crate) fn shapes(chart: &Chart) -> Drawing {
    let points = || chart.series.iter().flat_map(|series| series.points.iter().copied());
    let bands = || chart.series.iter().flat_map(|series| series.band.iter().copied());
    let across = points().map(|(x, _)| x).chain(bands().map(|(x, _, _)| x));
    let x = chart.x.fitted_around(across, bars_of(chart));
    let heights = points().map(|(_, y)| y).chain(bands().flat_map(|(_, low, high)| [low, high]));
    let y = chart.y.fitted_with_room(heights);
    let (x_ticks, y_ticks) = (chart.x.ticks(&x), chart.y.ticks(&y));
    let frame = frame(chart, &y_ticks);
    let mut shapes = grid(frame, &x_ticks, &y_ticks);
    let plane = Plane { frame, x, y };
    // Dots last: a line that goes through them would hide them.
    for has_dots in [false, true] {
        for (number, series) in chart.series.iter().enumerate() {
            let pen = series.pen.unwrap_or(Pen { colour: number, dashes: number });
            shapes.extend(match series.look {
                Look::Bars if !has_dots => plane.bars(chart, number, pen),
                Look::Line | Look::Steps if !has_dots => plane.series(series, pen),
                Look::Dots | Look::Spans if has_dots => plane.series(series, pen),
                Look::Bars | Look::Line | Look::Steps | Look::Dots | Look::Spans => vec![],
            });
        }
    }
    shapes.extend(axes(chart, frame, &x_ticks, &y_ticks));
    let legend = legend::shapes(chart, &plane);
    shapes.extend(legend.shapes);
    Drawing { width: WIDTH, height: HEIGHT + legend.below, shapes }
}

/// Where bars stand.
fn bars_of(chart: &Chart) -> impl Iterator<Item = f64> + Clone {
    let series = chart.series.iter().filter(|series| series.look == Look::Bars);
    series.flat_map(|series| series.points.iter().map(|(x, _)| *x))
}

fn frame(chart: &Chart, y_ticks: &[Tick]) -> Frame {
    let labels = y_ticks.iter().filter_map(|tick| tick.label.as_ref());
    let widest = labels
        .map(|label| letters::width(&text(label, TICK_SIZE, (0.0, 0.0), Anchor::End)))
        .fold(0.0, f64::max);
    let title = if chart.title.is_empty() { 0.0 } else { TITLE_SIZE + 8.0 };
    Frame {
        left: MARGIN + LABEL_SIZE + 10.0 + widest + TICK_LENGTH,
        right: WIDTH - MARGIN - 8.0,
        top: MARGIN + title,
        bottom: HEIGHT - MARGIN - LABEL_SIZE - TICK_SIZE - 14.0,
    }
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }
}

fn grid(frame: Frame, x_ticks: &[Tick], y_ticks: &[Tick]) -> Vec<Shape> {
    let line = |points| Shape::Line { points, colour: FAINT, width: 0.8, dashes: &[] };
    let labelled = |tick: &&Tick| tick.label.is_some();
    let vertical = x_ticks
        .iter()
        .filter(labelled)
        .map(|tick| line(vec![(frame.x(tick.at), frame.top), (frame.x(tick.at), frame.bottom)]));
    let horizontal = y_ticks
        .iter()
        .filter(labelled)
        .map(|tick| line(vec![(frame.left, frame.y(tick.at)), (frame.right, frame.y(tick.at))]));
    vertical.chain(horizontal).collect()
}

fn axes(chart: &Chart, frame: Frame, x_ticks: &[Tick], y_ticks: &[Tick]) -> Vec<Shape> {
    let Frame { left, right, top, bottom } = frame;
    let line = |points, width| Shape::Line { points, colour: INK, width, dashes: &[] };
    let mut shapes =
        vec![line(vec![(left, top), (left, bottom), (right, bottom), (right, top), (left, top)], 1.0)];
    let length = |tick: &Tick| if tick.label.is_some() { TICK_LENGTH } else { 0.6 * TICK_LENGTH };
    for tick in x_ticks {
        let x = frame.x(tick.at);
        shapes.push(line(vec![(x, bottom), (x, bottom + length(tick))], 1.0));
        let place = (x, bottom + TICK_LENGTH + TICK_SIZE + 1.0);
        shapes.extend(
            tick.label.iter().map(|label| Shape::Text(text(label, TICK_SIZE, place, Anchor::Middle))),
        );
    }
    for tick in y_ticks {
        let y = frame.y(tick.at);
        shapes.push(line(vec![(left - length(tick), y), (left, y)], 1.0));
        let place = (left - TICK_LENGTH - 4.0, y + 0.35 * TICK_SIZE);
        shapes.extend(tick.label.iter().map(|label| Shape::Text(text(label, TICK_SIZE, place, Anchor::End))));
    }
    let middle = 0.5 * (left + right);
    shapes.push(Shape::Text(text(&chart.x.label, LABEL_SIZE, (middle, HEIGHT - MARGIN), Anchor::Middle)));
    let beside = (MARGIN + 0.8 * LABEL_SIZE, 0.5 * (top + bottom));
    shapes
        .push(Shape::Text(Text { upward: true, ..text(&chart.y.label, LABEL_SIZE, beside, Anchor::Middle) }));
    if !chart.title.is_empty() {
        shapes.push(Shape::Text(text(
            &chart.title,
            TITLE_SIZE,
            (middle, MARGIN + 0.8 * TITLE_SIZE),
            Anchor::Middle,
        )));
    }
    shapes
}

/// A frame and what its sides measure.
struct Plane {
    frame: Frame,
    x: Ruler,
    y: Ruler,
}

impl Plane {
    /// Where a point is; nothing where an axis cannot show it.
    fn place(&self, x: f64, y: f64) -> Option<Point> {
        (self.x.shows(x) && self.y.shows(y))
            .then(|| (self.frame.x(self.x.share(x)), self.frame.y(self.y.share(y))))
    }

    fn series(&self, series: &Series, pen: Pen) -> Vec<Shape> {
        let mut shapes = vec![];
        let clamp = |(x, y): Point| {
            (x.clamp(self.frame.left, self.frame.right), y.clamp(self.frame.top, self.frame.bottom))
        };
        let floor = self.y.ends().0;
        let low = series
            .band
            .iter()
            .filter_map(|&(x, low, _)| self.place(x, if self.y.shows(low) { low } else { floor }));
        let high = series.band.iter().rev().filter_map(|&(x, _, high)| self.place(x, high));
        let outline: Vec<Point> = low.chain(high).map(clamp).collect();
        if outline.len() > 2 {
            shapes.push(Shape::Area { points: outline, colour: colour(pen.colour), opacity: BAND_OPACITY });
        }
        let places: Vec<Option<Point>> = series.points.iter().map(|&(x, y)| self.place(x, y)).collect();
        match series.look {
            Look::Dots => {
                let inside = places.into_iter().flatten().filter(|&place| clamp(place) == place);
                shapes.extend(inside.map(|at| Shape::Dot { at, radius: DOT, colour: colour(pen.colour) }));
            }
            Look::Line | Look::Bars => shapes.extend(self.lines(&places, pen)),
            Look::Steps => {
                let mut stairs = vec![];
                for pair in places.windows(2) {
                    stairs.push(pair[0]);
                    stairs.push(pair[0].zip(pair[1]).map(|((_, y), (x, _))| (x, y)));
                }
                stairs.extend(places.last().copied());
                shapes.extend(self.shade(stairs.iter().flatten().copied(), pen));
                shapes.extend(self.lines(&stairs, pen));
            }
            Look::Spans => {
                for ends in places.chunks_exact(2) {
                    let inside = ends.iter().flatten().copied().filter(|&place| clamp(place) == place);
                    shapes.extend(self.lines(ends, pen));
                    shapes.extend(inside.map(|at| Shape::Dot {
                        at,
                        radius: DOT,
                        colour: colour(pen.colour),
                    }));
                }
            }
        }
        shapes
    }

    /// What is below a line, down to the floor.
    fn shade(&self, line: impl Iterator<Item = Point> + Clone, pen: Pen) -> Option<Shape> {
        let Frame { top, bottom, .. } = self.frame;
        let (first, last) = (line.clone().next()?, line.clone().last()?);
        let edge = line.map(|(x, y)| (x, y.clamp(top, bottom)));
        let points = [(first.0, bottom)].into_iter().chain(edge).chain([(last.0, bottom)]).collect();
        Some(Shape::Area { points, colour: colour(pen.colour), opacity: 0.5 * BAND_OPACITY })
    }

    /// The parts of a line that are inside the frame.
    fn lines(&self, places: &[Option<Point>], pen: Pen) -> Vec<Shape> {
        let mut lines: Vec<Vec<Point>> = vec![];
        for pair in places.windows(2) {
            let Some((a, b)) = pair[0].zip(pair[1]).and_then(|(a, b)| self.frame.clipped(a, b)) else {
                continue;
            };
            match lines.last_mut() {
                Some(line) if line.last() == Some(&a) => line.push(b),
                Some(_) | None => lines.push(vec![a, b]),
            }
        }
        lines
            .into_iter()
            .map(|points| Shape::Line {
                points,
                colour: colour(pen.colour),
                width: LINE_WIDTH,
                dashes: dashes(pen.dashes),
            })
            .collect()
    }

    /// The bars of one series of a chart.
    fn bars(&self, chart: &Chart, number: usize, pen: Pen) -> Vec<Shape> {
        let area = |Frame { left, right, top, bottom }: Frame| Shape::Area {
            points: vec![(left, bottom), (left, top), (right, top), (right, bottom)],
            colour: colour(pen.colour),
            opacity: BAR_OPACITY,
        };
        self.bar_frames(chart, number).into_iter().map(area).collect()
    }

    /// The parts of the bars of one series that are inside the frame.
    fn bar_frames(&self, chart: &Chart, number: usize) -> Vec<Frame> {
        let kinds: Vec<usize> =
            (0..chart.series.len()).filter(|&i| chart.series[i].look == Look::Bars).collect();
        let mut centres: Vec<f64> =
            bars_of(chart).filter(|x| self.x.shows(*x)).map(|x| self.frame.x(self.x.share(x))).collect();
        centres.sort_by(f64::total_cmp);
        let gaps = centres.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1e-6);
        let room = gaps.fold(WIDEST_BAR, f64::min);
        let width = 0.8 * room / kinds.len() as f64;
        let place = kinds.iter().position(|&i| i == number).unwrap_or(0) as f64;
        let start = -0.4 * room + place * width;
        let bar = |&(x, y): &(f64, f64)| {
            let (x, y) = self.place(x, y)?;
            let within = |x: f64| x.clamp(self.frame.left, self.frame.right);
            let (left, right) = (within(x + start), within(x + start + width));
            let top = y.clamp(self.frame.top, self.frame.bottom);
            (left < right).then_some(Frame { left, right, top, bottom: self.frame.bottom })
        };
        chart.series[number].points.iter().filter_map(bar).collect()
    }
}

impl Frame {
    /// The part of a segment inside the frame (Liang and Barsky, ACM TOG 3, 1984).
    fn clipped(&self, a: Point, b: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        let sides =
            [(-dx, a.0 - self.left), (dx, self.right - a.0), (-dy, a.1 - self.top), (dy, self.bottom - a.1)];
        // A hair's breadth of tolerance: the ends of an axis are often points of the line.
        for (speed, room) in sides.map(|(speed, room)| (speed, room + 1e-6)) {
            if speed == 0.0 && room < 0.0 {
                return None;
            }
            if speed < 0.0 {
                enters = enters.max(room / speed);
            } else if speed > 0.0 {
                leaves = leaves.min(room / speed);
            }
        }
        let at = |share: f64| (a.0 + share * dx, a.1 + share * dy);
        (enters <= leaves)
            .then(|| (if enters > 0.0 { at(enters) } else { a }, if leaves < 1.0 { at(leaves) } else { b }))
    }
}

fn text(text: &str, size: f64, at: Point, anchor: Anchor) -> Text {
    Text { at, text: text.to_owned(), size, anchor, upward: false }
}
