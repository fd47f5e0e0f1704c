//! Drawings that need no other package.

use crate::{Failure, guarded};
use hockeystick_plot::{Axis, Chart, Look, Series};
use pyo3::{Python, pyfunction};

/// What an axis is called, and whether it is logarithmic.
type AxisOf = (String, bool);

/// A name, points (x, lower and upper end; not a number where nothing is known), whether they are single numbers with a weight, and
/// whether they belong to the axis on the right.
type SeriesOf = (String, Vec<(f64, f64, f64)>, bool, bool);

/// Lines through upper ends, over bands down to the lower ones, as SVG.
#[pyfunction]
#[pyo3(signature = (title, x, y, right, series))]
pub(crate) fn chart(
    py: Python<'_>,
    title: &str,
    x: AxisOf,
    y: AxisOf,
    right: Option<AxisOf>,
    series: Vec<SeriesOf>,
) -> Result<String, Failure> {
    let axis = |(label, is_logarithmic): AxisOf| {
        if is_logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
    };
    guarded(py, || {
        let mut chart = Chart::new(axis(x), axis(y)).title(title);
        if let Some(right) = right {
            chart = chart.right(axis(right));
        }
        for (number, (name, points, is_single, is_right)) in series.into_iter().enumerate() {
            let line = points.iter().map(|&(x, _, upper)| (x, upper)).collect();
            let drawn = Series::new(name, line);
            let drawn = if is_single {
                // With and without the record come in turns, and keep their colours.
                drawn.look(Look::Stems).pen(number % 2, 0)
            } else {
                drawn.band(points)
            };
            chart = chart.series(if is_right { drawn.on_the_right() } else { drawn });
        }
        Ok(chart.svg())
    })
}
