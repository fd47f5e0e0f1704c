//! Figs. 8 and 9: privacy regions of noisy SGD.

use super::regions::{boundary, panel, trade_off};
use crate::{
    Claim, Failure, Figure,
    asked::mechanism,
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    curve::conversion::trade_off_to_area,
    engine::{
        limit::{gaussian_area, mu_of_noisy_sgd},
        moments::{NoisySgd, PrivacyRegion},
    },
    query::even_grid,
};
use hockeystick_plot::Axis;

const RATE: f64 = 256.0 / 60000.0;

/// The region of eq. (54): whole orders, approximate moments.
fn by_moments(sigma: f64, steps: u64) -> PrivacyRegion {
    let sgd = NoisySgd { rate: RATE, sigma };
    let rho = sgd.approximate_rho() * steps as f64;
    PrivacyRegion::of_orders(sgd.orders().into_iter().map(|alpha| (alpha, alpha * rho)))
}

/// The Gaussian of eq. (55).
fn by_limit(sigma: f64, steps: u64) -> String {
    format!("gdp(mu={})", mu_of_noisy_sgd(RATE, sigma, steps))
}

pub(super) fn fig8() -> Result<Figure, Failure> {
    let mut figure = Figure::new(3)
        .given("q", "256/60000")
        .given("orders α", "whole, up to 1 + σ² log(1/(qσ))")
        .chosen("σ", "0.6, 0.7, 0.9")
        .chosen("T", "1000, 5000 (4 and 21 epochs)")
        .says("The bound by moments is the tighter one for σ ≤ 0.7, whatever the number of iterations.")
        .differs("σ and T are not in the text, but for the threshold 0.7.")
        .differs(
            "Both curves are approximations. The certified trade-off curve of the Poisson-sampled Gaussian lies below the curve by moments \
             for small σ: there the blue curve claims more privacy than there is.",
        );
    for steps in [1000u64, 5000] {
        for sigma in [0.6, 0.7, 0.9] {
            let limit = trade_off(&mechanism(&by_limit(sigma, steps))?)?;
            let exact =
                trade_off(&mechanism(&format!("poisson(gaussian(sigma={sigma}), rate={RATE}) * {steps}"))?)?;
            figure = figure.panel(
                panel(format!("σ = {sigma}, T = {steps}"))
                    .curve(Curve::new("moments (54), approximate", boundary(&by_moments(sigma, steps))))
                    .curve(Curve::new("f-DP (55), estimate", limit))
                    .curve(Curve::new("certified", exact)),
            );
        }
    }
    Ok(figure)
}

/// How much larger the region of f-DP is than that of the moments.
fn difference(sigma: f64, steps: u64) -> f64 {
    let limit = gaussian_area(mu_of_noisy_sgd(RATE, sigma, steps));
    trade_off_to_area(&by_moments(sigma, steps), 80).midpoint() - limit.midpoint()
}

/// Where samples that fall cross 0.
fn crossing(samples: &[Sample]) -> Option<f64> {
    samples.windows(2).find(|pair| pair[0].y > 0.0 && pair[1].y <= 0.0).map(|pair| {
        let share = pair[0].y / (pair[0].y - pair[1].y);
        pair[0].x + share * (pair[1].x - pair[0].x)
    })
}

pub(super) fn fig9() -> Result<Figure, Failure> {
    let sigmas = even_grid(0.5, 1.2, 29);
    let mut panel = Panel::new("", Axis::linear("σ"), Axis::linear("area (55) − area (54)"));
    let mut crossings = vec![];
    for steps in [500u64, 1000, 2000, 5000] {
        let samples: Vec<Sample> =
            sigmas.iter().map(|&sigma| Sample::plain(sigma, difference(sigma, steps))).collect();
        crossings.push(crossing(&samples).ok_or(Failure::Missing("the crossing of the areas"))?);
        panel = panel.curve(Curve::new(format!("T = {steps}"), samples));
    }
    let zero = vec![Sample::plain(0.5, 0.0), Sample::plain(1.2, 0.0)];
    let (first, last) = (crossings[0], crossings[3]);
    Ok(Figure::new(1)
        .given("q", "256/60000")
        .chosen("σ", "0.5 … 1.2")
        .chosen("T", "500, 1000, 2000, 5000")
        .panel(panel.curve(Curve::new("", zero).pen(6, 2)))
        .found(format!(
            "The difference changes its sign at σ = {} for T = 500, and at {} for T = 5000.",
            digits(first, 3),
            digits(last, 3)
        ))
        .says("A positive difference means that (54) is the smaller region; it is positive for σ ≤ σ₀ ≈ 0.7.")
        .differs("For few steps the sign changes a little below 0.7. Both areas rest on approximations, see Fig. 8.")
        .claim(Claim::within("σ₀ below which (54) is the tighter bound, T = 500", "≈ 0.7", first, (0.65, 0.75), ELSEWHERE))
        .claim(Claim::within("σ₀ below which (54) is the tighter bound, T = 5000", "≈ 0.7", last, (0.65, 0.75), ELSEWHERE)))
}

const ELSEWHERE: &str = "the sign changes elsewhere";
