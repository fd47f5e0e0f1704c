//! One chart of a figure.

use hockeystick::{Answer, query::Guarantee};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
use hockeystick_plot::{Axis, Chart, Look, Series};

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Along the horizontal axis.
    pub x: f64,
    /// What is drawn: the upper end, where there are two.
    pub y: f64,
    /// At most the truth, where the method has a lower end.
    pub lower: Option<f64>,
    /// At least the truth, where the method has an upper end.
    pub upper: Option<f64>,
}

impl Sample {
    /// A number without bounds: an estimate, or what a formula of the paper says.
    pub(crate) fn plain(x: f64, y: f64) -> Self {
        Self { x, y, lower: None, upper: None }
    }

    /// An upper bound.
    pub(crate) fn upper(x: f64, y: f64) -> Self {
        Self { upper: Some(y), ..Self::plain(x, y) }
    }

    /// A lower bound.
    pub(crate) fn lower(x: f64, y: f64) -> Self {
        Self { lower: Some(y), ..Self::plain(x, y) }
    }

    /// Both ends, drawn in their middle: they are closer than a line is wide.
    pub(crate) fn between(x: f64, bounds: Enclosure) -> Self {
        Self { x, y: bounds.midpoint(), lower: Some(bounds.lower()), upper: Some(bounds.upper()) }
    }

    /// A probability, enclosed.
    pub(crate) fn probability(x: f64, probability: Probability) -> Self {
        Self::between(x, probability.value())
    }

    /// What an answer says, the private end drawn.
    pub(crate) fn answer(x: f64, answer: &Answer) -> Self {
        match answer.guarantee() {
            Guarantee::Estimate => Self::plain(x, answer.upper()),
            Guarantee::UpperBound | Guarantee::Certified => {
                Self { x, y: answer.upper(), lower: answer.lower(), upper: Some(answer.upper()) }
            }
        }
    }
}

/// A named curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name in the legend and in the table.
    pub name: String,
    /// Its points.
    pub samples: Vec<Sample>,
    look: Look,
    pen: Option<(usize, usize)>,
}

impl Curve {
    pub(crate) fn new(name: impl Into<String>, samples: Vec<Sample>) -> Self {
        Self { name: name.into(), samples, look: Look::Line, pen: None }
    }

    pub(crate) fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    pub(crate) fn pen(self, colour: usize, dashes: usize) -> Self {
        Self { pen: Some((colour, dashes)), ..self }
    }

    fn series(&self) -> Series {
        let points = self.samples.iter().map(|sample| (sample.x, sample.y)).collect();
        let series = Series::new(self.name.clone(), points).look(self.look);
        self.pen.map_or(series.clone(), |(colour, dashes)| series.pen(colour, dashes))
    }
}

/// One chart of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// Its curves.
    pub curves: Vec<Curve>,
    x: Axis,
    y: Axis,
}

impl Panel {
    pub(crate) fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), curves: vec![], x, y }
    }

    pub(crate) fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    pub(crate) fn curves(mut self, curves: impl IntoIterator<Item = Curve>) -> Self {
        self.curves.extend(curves);
        self
    }

    /// As a chart.
    pub fn chart(&self) -> Chart {
        let chart = Chart::new(self.x.clone(), self.y.clone()).title(self.title.clone());
        self.curves.iter().fold(chart, |chart, curve| chart.series(curve.series()))
    }
}
