//! How long the axes are: as long as the numbers that were given, and no longer.

use crate::{
    axis::{Axis, Ruler, Scale},
    chart::{Chart, Look, Series},
};

/// On a logarithmic axis the ends of bands count if they are not below this part of the smallest point: what is far below says only that
/// it is small, and an axis of hundreds of powers of ten says nothing of the points.
const FARTHEST: f64 = 1e-3;

/// The axes below, on the left and, if there is one, on the right.
pub(super) fn rulers(chart: &Chart) -> (Ruler, Ruler, Option<Ruler>) {
    let points = chart.series.iter().flat_map(|series| series.points.iter().map(|(x, _)| *x));
    let bands = chart.series.iter().flat_map(|series| series.band.iter().map(|(x, _, _)| *x));
    let around = bars_of(chart);
    let mut x = chart.x.fitted_around(points.chain(bands), around);
    if chart.x.range.is_none() && chart.series.iter().any(|series| series.look == Look::Stems) {
        x = x.with_room();
    }
    let on = |is_right: bool| -> Vec<&Series> {
        let is_there = |series: &&Series| (series.is_right && chart.right.is_some()) == is_right;
        chart.series.iter().filter(is_there).collect()
    };
    let right = chart.right.as_ref().map(|axis| upright(axis, &on(true)));
    (x, upright(&chart.y, &on(false)), right)
}

/// Where bars stand.
pub(super) fn bars_of(chart: &Chart) -> impl Iterator<Item = f64> + Clone {
    let series = chart.series.iter().filter(|series| series.look == Look::Bars);
    series.flat_map(|series| series.points.iter().map(|(x, _)| *x))
}

fn upright(axis: &Axis, series: &[&Series]) -> Ruler {
    let ruler = match axis.scale {
        Scale::Linear => {
            let points = series.iter().flat_map(|series| series.points.iter().map(|(_, y)| *y));
            let bands = series.iter().flat_map(|series| &series.band).flat_map(|&(_, low, high)| [low, high]);
            // What stands on the axis stands on 0.
            let stands = |look| matches!(look, Look::Bars | Look::Stems | Look::Steps);
            let foot = series.iter().any(|series| stands(series.look) && !series.points.is_empty());
            axis.fitted(points.chain(bands).chain(foot.then_some(0.0)))
        }
        Scale::Logarithmic => axis.fitted(positive(series).into_iter()),
    };
    if axis.range.is_some() { ruler } else { ruler.with_room() }
}

/// The numbers that a logarithmic axis has to show. A point whose band goes down to 0 is known to be small, not how small: it counts only
/// if it is above others, or if there are no others.
fn positive(series: &[&Series]) -> Vec<f64> {
    let shows = |value: &f64| Scale::Logarithmic.shows(*value);
    let (mut known, mut open) = (vec![], vec![]);
    for series in series {
        for (at, &(x, y)) in series.points.iter().enumerate() {
            let band = series.band.get(at).filter(|(beside, _, _)| *beside == x);
            let is_open = band.is_some_and(|(_, low, _)| *low <= 0.0);
            (if is_open { &mut open } else { &mut known }).push(y);
        }
    }
    known.retain(shows);
    open.retain(shows);
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let least = least(if known.is_empty() { &open } else { &known });
    open.retain(|&y| y >= least);
    // Without points there is nothing that ends could be far below of.
    let farthest = if least.is_finite() { FARTHEST * least } else { 0.0 };
    let ends = series.iter().flat_map(|series| &series.band).flat_map(|&(_, low, high)| [low, high]);
    let ends: Vec<f64> = ends.filter(|end| shows(end) && *end >= farthest).collect();
    [known, open, ends].concat()
}
