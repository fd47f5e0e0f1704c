//! Fig. 4: the two directions of a Poisson-sampled Gaussian.

use crate::{
    Claim, Failure, Figure,
    asked::mechanism,
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    pair::{Direction, dominating_pair},
    query::even_grid,
};
use hockeystick_numerics::ball::Ball;
use hockeystick_plot::Axis;

pub(super) fn fig4() -> Result<Figure, Failure> {
    let sampled = mechanism("poisson(gaussian(sigma=1), rate=0.5)")?;
    let alphas = even_grid(0.02, 3.0, 150);
    let curve = |direction: Direction| -> Result<Vec<Sample>, Failure> {
        let pair = dominating_pair(&sampled, direction)?;
        Ok(alphas
            .iter()
            .map(|&alpha| Sample::probability(alpha, pair.delta(Ball::from(alpha).ln())))
            .collect())
    };
    let (remove, add) = (curve(Direction::Remove)?, curve(Direction::Add)?);
    let larger: Vec<Sample> = remove.iter().zip(&add).map(|(a, b)| if a.y > b.y { *a } else { *b }).collect();
    let above = |from: f64, to: f64| {
        let within = remove.iter().zip(&add).filter(|(a, _)| (from..to).contains(&a.x));
        within
            .map(|(a, b)| a.y - b.y)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gap| (low.min(gap), high.max(gap)))
    };
    let ((least, _), (_, most)) = (above(1.000_001, 4.0), above(0.0, 0.999_999));
    let panel = Panel::new("", Axis::linear("α"), Axis::linear("hockey-stick divergence").between(0.0, 1.0))
        .curve(Curve::new("remove: (1−γ)Q + γP against Q", remove))
        .curve(Curve::new("add: P against (1−γ)P + γQ", add))
        .curve(Curve::new("the larger", larger).pen(6, 2));
    Ok(Figure::new(1)
        .given("σ, γ", "1, 0.5")
        .chosen("α", "0.02 … 3")
        .panel(panel)
        .found(format!(
            "Remove minus add is at least {} for α > 1 and at most {} for α < 1; at α = 1 both are the same.",
            digits(least, 2),
            digits(most, 2)
        ))
        .says("Remove dominates for α ≥ 1, add for α < 1.")
        .claim(Claim::within(
            "remove minus add for α > 1 is not below",
            "0",
            least,
            (0.0, 1.0),
            "it is negative somewhere",
        ))
        .claim(Claim::within(
            "remove minus add for α < 1 is not above",
            "0",
            most,
            (-1.0, 0.0),
            "it is positive somewhere",
        )))
}
