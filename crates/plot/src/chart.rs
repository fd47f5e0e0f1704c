//! What a chart shows.

use crate::{Axis, NotDrawn, layout, png, svg, terminal};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Look {
    /// A line through the points.
    #[default]
    Line,
    /// A dot at every point.
    Dots,
    /// A level line to the next point, then a jump; shaded below.
    Steps,
    /// A line with dots at its ends for every two points.
    Spans,
    /// A bar from the lower end of the axis to every point. Bars of several series stand side by side.
    Bars,
}

/// How a line is told from others: numbers of a colour and of a kind of dashes. Without one, both are the series' place in the
/// chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pen {
    /// Which colour.
    pub colour: usize,
    /// Which dashes: 0 is a full line.
    pub dashes: usize,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) band: Vec<(f64, f64, f64)>,
    pub(crate) look: Look,
    pub(crate) pen: Option<Pen>,
}

impl Series {
    /// A line through `points`, named in the legend.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, band: vec![], look: Look::Line, pen: None }
    }

    /// A shaded band `(x, low, high)` behind the line.
    pub fn band(self, band: Vec<(f64, f64, f64)>) -> Self {
        Self { band, ..self }
    }

    /// Drawn in another way.
    pub fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// In this colour and with these dashes, so that lines that belong together look so.
    pub fn pen(self, colour: usize, dashes: usize) -> Self {
        Self { pen: Some(Pen { colour, dashes }), ..self }
    }
}

/// A chart: a title, two axes and some series.
///
/// ```
/// use hockeystick_plot::{Axis, Chart, Series};
///
/// let parabola = (0..=20).map(|x| (f64::from(x), f64::from(x * x))).collect();
/// let chart = Chart::new(Axis::linear("x"), Axis::linear("y")).series(Series::new("x²", parabola));
/// assert!(chart.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

impl Chart {
    /// An empty chart.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), x, y, series: vec![] }
    }

    /// A line of text above it.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// One series more. Names of more than one are shown in a legend.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// As a vector drawing.
    pub fn svg(&self) -> String {
        svg::write(&layout::shapes(self))
    }

    /// As pixels, at twice the resolution of a screen.
    pub fn png(&self) -> Result<Vec<u8>, NotDrawn> {
        png::write(&layout::shapes(self))
    }

    /// As characters, `columns` wide and `rows` high, labels included.
    pub fn terminal(&self, columns: usize, rows: usize) -> String {
        terminal::write(self, columns, rows)
    }
}
