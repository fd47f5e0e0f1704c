//! What a chart shows.

use crate::Axis;

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
    /// A bar from 0, or from the lower end of the axis, to every point. Bars of several series stand side by side.
    Bars,
    /// A thin line from there to every point, with a head: the weights of single numbers. Stems of several series stand side by side.
    Stems,
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
///
/// A point that an axis cannot show is a gap: where `y` is not a number, nothing is drawn, and no line crosses the place.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) band: Vec<(f64, f64, f64)>,
    pub(crate) look: Look,
    pub(crate) pen: Option<Pen>,
    pub(crate) is_right: bool,
}

impl Series {
    /// A line through `points`, named in the legend.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, band: vec![], look: Look::Line, pen: None, is_right: false }
    }

    /// A shaded band `(x, low, high)` behind the line, one for each point or none. Ends that are not numbers leave a gap; a lower end of 0 is
    /// beyond the lower end of a logarithmic axis.
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

    /// Measured along the axis on the right, if the chart has one.
    pub fn on_the_right(self) -> Self {
        Self { is_right: true, ..self }
    }

    /// Has it no points?
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
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
    pub(crate) right: Option<Axis>,
    pub(crate) series: Vec<Series>,
}

impl Chart {
    /// An empty chart.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), x, y, right: None, series: vec![] }
    }

    /// A line of text above it.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// A second vertical axis, on the right, for series that are something else.
    pub fn right(self, axis: Axis) -> Self {
        Self { right: Some(axis), ..self }
    }

    /// One series more. Series with a name are in a legend.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }
}
