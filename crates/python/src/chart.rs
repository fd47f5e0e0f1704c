//! Drawings that need no other package.

use crate::{Failure, guarded};
use hockeystick_plot::{Axis, Chart, Series};
use pyo3::{Python, pyfunction};

/// What an axis is called, and whether it is logarithmic.
type AxisOf = (String, bool);

/// A name, and points: x, lower and upper end.
type SeriesOf = (String, Vec<(f64, f64, f64)>);

/// Lines through upper ends, over bands down to the lower ones, as SVG.
#[pyfunction]
pub(crate) fn chart(
    py: Python<'_>,
    title: &str,
    x: AxisOf,
    y: AxisOf,
    series: Vec<SeriesOf>,
) -> Result<String, Failure> {
    let axis = |(label, is_logarithmic): AxisOf| {
        if is_logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
    };
    guarded(py, || {
        let mut chart = Chart::new(axis(x), axis(y)).title(title);
        for (name, points) in series {
            let line = points.iter().map(|&(x, _, upper)| (x, upper)).collect();
            chart = chart.series(Series::new(name, line).band(points));
        }
        Ok(chart.svg())
    })
}
