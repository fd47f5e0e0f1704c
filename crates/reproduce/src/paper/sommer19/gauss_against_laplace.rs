//! Fig. 9: how little is lost by Gauss noise in place of Laplace noise.

use crate::{
    Claim, Failure, Figure,
    asked::{mechanism, whole_ratios},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{Query, engine::closed_form::probabilistic};
use hockeystick_numerics::probability::Probability;
use hockeystick_plot::Axis;

/// δ of n Gauss mechanisms with σ = λ at ε = n/λ, where n Laplace mechanisms have 0: approximate, probabilistic.
fn deltas(scale: u64, count: u64) -> Result<[Probability; 2], Failure> {
    let epsilon = count as f64 / scale as f64;
    let gauss = mechanism(&format!("gaussian(sigma={scale}) * {count}"))?;
    let approximate = Query::new(&gauss).curves()?.delta(epsilon);
    Ok([approximate, probabilistic::delta(scale as f64, 1.0, count, epsilon)])
}

pub(super) fn fig9() -> Result<Figure, Failure> {
    let counts = whole_ratios(1, 512, 40);
    let mut panel = Panel::new(
        "",
        Axis::logarithmic("compositions n"),
        Axis::logarithmic("δ at ε = n/λ").between(1e-80, 1.0),
    );
    for (number, scale) in [10u64, 40, 160].into_iter().enumerate() {
        let values: Result<Vec<(f64, [Probability; 2])>, Failure> =
            counts.iter().map(|&count| Ok((count as f64, deltas(scale, count)?))).collect();
        let values = values?;
        let curve = |which: usize| -> Vec<Sample> {
            values.iter().map(|(x, both)| Sample::probability(*x, both[which])).collect()
        };
        panel = panel
            .curve(Curve::new(format!("ADP, λ = σ = {scale}"), curve(0)).pen(number, 0))
            .curve(Curve::new(format!("PDP, λ = σ = {scale}"), curve(1)).pen(number, 1));
    }
    // The larger of both, and as powers of two.
    let log_two = |count: u64| -> Result<f64, Failure> {
        Ok(deltas(40, count)?
            .map(|delta| delta.value().upper().log2())
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max))
    };
    let (at_128, at_256) = (log_two(128)?, log_two(256)?);
    let power = |log: f64| format!("2^{}", digits(log, 4));
    Ok(Figure::new(1)
        .given("λ = σ", "40 in the text; 10 and 160 chosen here")
        .chosen("n", "1 … 512")
        .panel(panel)
        .found(format!("For σ = 40, δ (the larger of ADP and PDP) is {} after 128 compositions and {} after 256.", power(at_128), power(at_256)))
        .says("At ε = n/λ, where n Laplace mechanisms have δ = 0, δ of Gauss falls below 2^-80 after 128 compositions and below 2^-150 after 256.")
        .differs(
            "The paper's comparison of the two loss classes (App. A.4) points the wrong way: a Laplace mechanism of scale λ has the smaller mean \
             and variance of loss. The figure does not depend on it.",
        )
        .claim(Claim::within("log₂ δ after 128 compositions, σ = 40", "< −80", at_128, (f64::NEG_INFINITY, -80.0), "it is larger"))
        .claim(Claim::within("log₂ δ after 256 compositions, σ = 40", "< −150", at_256, (f64::NEG_INFINITY, -150.0), "it is larger")))
}
