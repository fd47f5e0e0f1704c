//! Several charts on one sheet.

use crate::{
    Chart, NotDrawn, layout, png,
    shape::{Anchor, Drawing, Point, Shape, Text},
    svg,
};

const TITLE_SIZE: f64 = 17.0;
const TITLE_ROOM: f64 = 34.0;

/// Charts side by side, some to a row.
///
/// ```
/// use hockeystick_plot::{Axis, Chart, Series, Sheet};
///
/// let chart = || Chart::new(Axis::linear("x"), Axis::linear("y")).series(Series::new("", vec![(0.0, 1.0), (1.0, 0.0)]));
/// let sheet = Sheet::new("Twice the same", 2).chart(chart()).chart(chart());
/// assert!(sheet.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    title: String,
    columns: usize,
    charts: Vec<Chart>,
}

impl Sheet {
    /// An empty sheet with this many charts to a row.
    pub fn new(title: impl Into<String>, columns: usize) -> Self {
        Self { title: title.into(), columns: columns.max(1), charts: vec![] }
    }

    /// One chart more.
    pub fn chart(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// As a vector drawing.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// As pixels, at twice the resolution of a screen.
    pub fn png(&self) -> Result<Vec<u8>, NotDrawn> {
        png::write(&self.drawing())
    }

    fn drawing(&self) -> Drawing {
        let mut whole = Drawing { width: 0.0, height: 0.0, shapes: vec![] };
        if !self.title.is_empty() {
            whole.height = TITLE_ROOM;
        }
        for row in self.charts.chunks(self.columns) {
            let (mut left, top) = (0.0, whole.height);
            for drawing in row.iter().map(layout::shapes) {
                whole.shapes.extend(drawing.shapes.into_iter().map(|shape| shape.moved((left, top))));
                left += drawing.width;
                whole.height = whole.height.max(top + drawing.height);
            }
            whole.width = whole.width.max(left);
        }
        if !self.title.is_empty() {
            let at = (0.5 * whole.width, 0.7 * TITLE_ROOM);
            let (text, size) = (self.title.clone(), TITLE_SIZE);
            whole.shapes.push(Shape::Text(Text { at, text, size, anchor: Anchor::Middle, upward: false }));
        }
        whole
    }
}

impl Shape {
    /// The same shape somewhere else.
    fn moved(self, (right, down): Point) -> Self {
        let moved = |(x, y): Point| (x + right, y + down);
        let all = |points: Vec<Point>| points.into_iter().map(moved).collect();
        match self {
            Self::Line { points, colour, width, dashes } => {
                Self::Line { points: all(points), colour, width, dashes }
            }
            Self::Area { points, colour, opacity } => Self::Area { points: all(points), colour, opacity },
            Self::Dot { at, radius, colour } => Self::Dot { at: moved(at), radius, colour },
            Self::Text(text) => Self::Text(Text { at: moved(text.at), ..text }),
        }
    }
}
