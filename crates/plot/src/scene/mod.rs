//! What a chart shows, before it is known whether pixels or characters show it.
//!
//! In: a [`Chart`]. Out: the length of its axes, and marks in the unit square, x to the right and y upwards.
//!
//! # Guarantee
//! Every mark is inside the unit square and made of points that were given: a point that an axis cannot show (not a number, infinite, or
//! not positive on a logarithmic axis) is a gap, which no line and no area crosses. A point between two gaps is a dot. Axes are as long as
//! finite numbers that were given.

mod clip;
mod mark;
mod marks;
mod range;

use crate::{
    axis::Ruler,
    chart::{Chart, Pen, Series},
};
pub(crate) use clip::{Place, Rectangle};
pub(crate) use mark::Mark;

/// The axes with their lengths, and what is drawn of every series.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) x: Ruler,
    pub(crate) y: Ruler,
    /// The axis on the right, if there is one.
    pub(crate) right: Option<Ruler>,
    pub(crate) series: Vec<Drawn<'a>>,
}

/// A series and its marks.
#[derive(Debug)]
pub(crate) struct Drawn<'a> {
    pub(crate) series: &'a Series,
    pub(crate) pen: Pen,
    pub(crate) marks: Vec<Mark>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(chart: &'a Chart) -> Self {
        let (x, y, right) = range::rulers(chart);
        let mut scene = Self { x, y, right, series: vec![] };
        scene.series = chart.series.iter().enumerate().map(|(at, _)| scene.drawn(chart, at)).collect();
        scene
    }

    /// The series that have a name, and points even if none of them can be shown.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Drawn<'a>> {
        self.series.iter().filter(|drawn| !drawn.series.name.is_empty() && !drawn.series.points.is_empty())
    }

    /// Can nothing be shown?
    pub(crate) fn is_empty(&self) -> bool {
        self.series.iter().all(|drawn| drawn.marks.is_empty())
    }

    fn drawn(&self, chart: &'a Chart, number: usize) -> Drawn<'a> {
        let series = &chart.series[number];
        let y = self.right.as_ref().filter(|_| series.is_right).unwrap_or(&self.y);
        Drawn {
            series,
            pen: series.pen.unwrap_or(Pen { colour: number, dashes: number }),
            marks: marks::of(chart, number, &self.x, y),
        }
    }
}
