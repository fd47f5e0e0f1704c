//! Figs. 6 and 7: privacy regions of Gaussian mechanisms.

use crate::{
    Failure, Figure,
    asked::mechanism,
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    Query,
    curve::{TradeOff, conversion::trade_off_to_area},
    engine::moments::PrivacyRegion,
    mechanism::Mechanism,
    query::{even_grid, geometric_grid},
};
use hockeystick_plot::Axis;

/// The false positive rates at which regions are drawn: close together where they are steep.
pub(super) fn rates() -> Vec<f64> {
    even_grid(0.0, 1.0, 61).into_iter().map(|t| t * t * (3.0 - 2.0 * t)).collect()
}

/// The trade-off curve of a mechanism.
pub(super) fn trade_off(mechanism: &Mechanism) -> Result<Vec<Sample>, Failure> {
    trade_off_at(mechanism, rates())
}

fn trade_off_at(mechanism: &Mechanism, rates: Vec<f64>) -> Result<Vec<Sample>, Failure> {
    let curves = Query::new(mechanism).curves()?;
    rates.into_iter().map(|rate| Ok(Sample::probability(rate, curves.trade_off(rate)?))).collect()
}

/// The lower boundary of a region.
pub(super) fn boundary(region: &PrivacyRegion) -> Vec<Sample> {
    rates().into_iter().map(|rate| Sample::lower(rate, region.trade_off(rate).value().lower())).collect()
}

pub(super) fn panel(title: impl Into<String>) -> Panel {
    let axis = |label: &str| Axis::linear(label).between(0.0, 1.0);
    Panel::new(title, axis("type I error τ"), axis("type II error β"))
}

pub(super) fn fig6() -> Result<Figure, Failure> {
    let gaussian = mechanism("gaussian(sigma=1)")?;
    let delta = Query::new(&gaussian).delta(1.0)?.upper();
    let guarantee = mechanism(&format!("dp(epsilon=1, delta={delta})"))?;
    // The corners of the region, so that no line cuts them off.
    let corners = [(1.0 - delta) / (1.0 + std::f64::consts::E), 1.0 - delta];
    let mut rates: Vec<f64> = rates().into_iter().chain(corners).collect();
    rates.sort_by(f64::total_cmp);
    let panel = panel("")
        .curve(Curve::new("Gaussian mechanism", trade_off(&gaussian)?).pen(1, 0))
        .curve(Curve::new("(1, δ)-DP", trade_off_at(&guarantee, rates)?).pen(0, 0))
        .curve(Curve::new("τ + β = 1", vec![Sample::plain(0.0, 1.0), Sample::plain(1.0, 0.0)]).pen(6, 1));
    Ok(Figure::new(1)
        .given("σ, ε", "1, 1")
        .panel(panel)
        .found(format!(
            "δ at ε = 1 is {}. The line of slope −e touches the curve from below.",
            digits(delta, 6)
        ))
        .says("The two curves are the lower boundary of the exact region and that of C(ε, δ_ε) for ε = 1."))
}

pub(super) fn fig7() -> Result<Figure, Failure> {
    let mut figure = Figure::new(3)
        .chosen("σ", "5")
        .chosen("T", "5, 25, 100")
        .chosen("orders α of Bound 1", "240 from 1.002 to 400, in equal ratios of α − 1")
        .says("Bound 1, eq. (52), is between the exact region and Bound 2, eq. (53), which is explicit but weaker.")
        .differs("σ and T are not in the text.");
    for count in [5u64, 25, 100] {
        let rho = count as f64 / 50.0;
        let orders = geometric_grid(0.002, 399.0, 240).into_iter().map(|lambda| 1.0 + lambda);
        let first = PrivacyRegion::of_orders(orders.map(|alpha| (alpha, rho * alpha)));
        let second = PrivacyRegion::of_order(1.0, rho);
        let exact = trade_off(&mechanism(&format!("gaussian(sigma=5) * {count}"))?)?;
        let [one, two] =
            [&first, &second].map(|region| digits(0.5 - trade_off_to_area(region, 120).midpoint(), 3));
        figure = figure
            .found(format!("T = {count}: the region of Bound 1 has the area {one}, that of Bound 2 {two}."));
        figure = figure.panel(
            panel(format!("T = {count}"))
                .curve(Curve::new("Exact (51)", exact))
                .curve(Curve::new("Bound 1 (52)", boundary(&first)))
                .curve(Curve::new("Bound 2 (53)", boundary(&second))),
        );
    }
    Ok(figure)
}
