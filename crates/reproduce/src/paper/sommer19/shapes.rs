//! Figs. 1 and 3: what losses look like.

use crate::{
    Failure, Figure,
    asked::{mechanism, removal},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{Query, engine::limit::ComposedClass, query::even_grid};
use hockeystick_plot::{Axis, Look};

pub(super) fn fig1() -> Result<Figure, Failure> {
    let pair = removal("laplace(scale=1)")?;
    let mut figure = Figure::new(2)
        .chosen("λ", "1, sensitivity 1")
        .chosen("n", "1, 2, 5, 20")
        .says("Under composition the privacy loss distribution converges to a Gauss distribution of the same mean and variance.")
        .differs("The noise and the numbers of compositions are not in the text. Heights are masses of cells, as the law has atoms at its ends.");
    for count in [1u64, 2, 5, 20] {
        let composed = mechanism(&format!("laplace(scale=1) * {count}"))?;
        let class = ComposedClass::compose(&[(pair.clone(), count)]).ok_or(Failure::Missing("the class"))?;
        let (mean, variance) = (class.mean.midpoint(), class.variance.midpoint());
        let reach = (count as f64 + 0.1).min(4.5 * variance.sqrt() + mean);
        // An odd number of cells, so that no edge is at an atom.
        let edges = even_grid(-reach, reach, 42);
        let cells = Query::new(&composed).curves()?.loss_cells(&edges);
        let masses: Vec<Sample> =
            cells.iter().map(|cell| Sample::between(0.5 * (cell.from + cell.to), cell.with)).collect();
        let width = edges[1] - edges[0];
        let normal = |x: f64| {
            width * (-(x - mean).powi(2) / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance).sqrt()
        };
        let limit = even_grid(-reach, reach, 121).into_iter().map(|x| Sample::plain(x, normal(x))).collect();
        figure = figure
            .found(format!("n = {count}: mean {}, variance {}.", digits(mean, 4), digits(variance, 4)))
            .panel(
                Panel::new(
                    format!("n = {count}"),
                    Axis::linear("privacy loss"),
                    Axis::linear("mass of a cell").including(0.0),
                )
                .curve(Curve::new("loss", masses).look(Look::Bars).pen(5, 0))
                .curve(Curve::new("Gauss of the class", limit).pen(1, 0)),
            );
    }
    Ok(figure)
}

pub(super) fn fig3() -> Result<Figure, Failure> {
    let noise = |first: i32| -> Vec<Sample> {
        (-5..=5)
            .map(|o| {
                Sample::plain(f64::from(o), if (first..first + 9).contains(&o) { 1.0 / 9.0 } else { 0.0 })
            })
            .collect()
    };
    let mut figure = Figure::new(3)
        .given("loss of one use", "0 with probability 8/9, ∞ with 1/9")
        .given("n", "1, 4")
        .panel(
            Panel::new(
                "noise on the two inputs",
                Axis::linear("outcome"),
                Axis::linear("probability").between(0.0, 0.16),
            )
            .curve(Curve::new("x₀", noise(-5)).look(Look::Bars).pen(0, 0))
            .curve(Curve::new("x₁", noise(-4)).look(Look::Bars).pen(4, 0)),
        );
    for count in [1u64, 4] {
        // At no finite ε is anything left but the infinite losses.
        let infinite = Query::new(&mechanism(&format!("uniform(width=9) * {count}"))?).curves()?.delta(1.0);
        let samples =
            vec![Sample::between(0.0, infinite.complement()), Sample::between(1.0, infinite.value())];
        figure = figure
            .found(format!(
                "n = {count}: mass {} at 0 and {} at ∞.",
                digits(infinite.complement().midpoint(), 6),
                digits(infinite.value().midpoint(), 6)
            ))
            .panel(
                Panel::new(
                    format!("n = {count}"),
                    Axis::named("privacy loss", ["0", "∞"].map(str::to_owned).to_vec()),
                    Axis::linear("probability").between(0.0, 1.0),
                )
                .curve(Curve::new("", samples).look(Look::Bars).pen(0, 0)),
            );
    }
    Ok(figure
        .says("ω_n(0) = (8/9)^n and ω_n(∞) = 1 − (8/9)^n.")
        .differs(
            "Example 2 prints probabilities of 1/9 on ten outcomes each, which add up to 10/9. Its loss distribution, 8/9 and 1/9, belongs to \
             nine outcomes, moved by one; those are drawn.",
        ))
}
