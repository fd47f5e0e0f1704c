//! Fig. 4: tangents, where they meet the neighbouring points, and the hull.

use super::one_use::PUBLISHED;
use crate::{
    Failure, Figure,
    asked::removal,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{engine::published::OneUse, pair::SharedPair, query::even_grid};
use hockeystick_numerics::ball::Ball;
use hockeystick_plot::{Axis, Look};

const SPACING: f64 = 0.4;

/// A point of the curve and the slope there.
#[derive(Clone, Copy)]
struct Tangent {
    alpha: f64,
    height: f64,
    slope: f64,
}

impl Tangent {
    fn at(pair: &SharedPair, epsilon: f64) -> Self {
        let at = Ball::from(epsilon);
        // The derivative of h is −Q(L > log α).
        let slope = -pair.tails(at).q.value().midpoint();
        Self { alpha: epsilon.exp(), height: pair.delta(at).value().midpoint(), slope }
    }

    fn meets(self, alpha: f64) -> Sample {
        Sample::plain(alpha, self.height + self.slope * (alpha - self.alpha))
    }
}

pub(super) fn fig4() -> Result<Figure, Failure> {
    let pair = removal("laplace(scale=1)")?;
    let tangents: Vec<Tangent> = (-3..=3).map(|i| Tangent::at(&pair, f64::from(i) * SPACING)).collect();
    let exact: Vec<Sample> = even_grid(0.2, 3.6, 120)
        .into_iter()
        .map(|alpha| Sample::probability(alpha, pair.delta(Ball::from(alpha).ln())))
        .collect();
    let on_curve: Vec<Sample> = tangents.iter().map(|at| Sample::plain(at.alpha, at.height)).collect();
    let panel = |title: &str| {
        Panel::new(title, Axis::linear("α"), Axis::linear("h(α)").between(-0.02, 0.85))
            .curve(Curve::new("exact", exact.clone()).pen(6, 0))
            .curve(Curve::new("points of the lattice", on_curve.clone()).look(Look::Dots).pen(6, 0))
    };
    // From the left up to the point at α = 1, from the right down to it.
    let rightward: Vec<(Tangent, Sample)> =
        (0..3).map(|i| (tangents[i], tangents[i].meets(tangents[i + 1].alpha))).collect();
    let leftward: Vec<(Tangent, Sample)> =
        (4..7).map(|i| (tangents[i], tangents[i].meets(tangents[i - 1].alpha))).collect();
    let drawn = |panel: Panel, steps: &[(Tangent, Sample)]| {
        let candidates = steps.iter().map(|(_, meeting)| *meeting).collect();
        let lines = steps.iter().enumerate().map(|(i, (from, meeting))| {
            let name = if i == 0 { "tangents" } else { "" };
            Curve::new(name, vec![Sample::plain(from.alpha, from.height), *meeting]).pen(0, 1)
        });
        panel.curves(lines).curve(Curve::new("candidates", candidates).look(Look::Dots).pen(1, 0))
    };
    let law = OneUse::new(&pair, PUBLISHED, SPACING, (-4.0, 4.0)).ok_or(Failure::Missing("the lattice"))?;
    let hull: Vec<Sample> = even_grid(0.2, 3.6, 120)
        .into_iter()
        .map(|alpha| Sample::lower(alpha, law.delta(Ball::from(alpha).ln().approximate()).lower()))
        .collect();
    let all = rightward.iter().chain(&leftward).map(|(_, meeting)| *meeting).collect();
    Ok(Figure::new(3)
        .given("noise multiplier", "1 (Laplace)")
        .chosen("points of the lattice", "multiples of 0.4 in ε")
        .panel(drawn(panel("(a) tangents meet the next point"), &rightward))
        .panel(drawn(panel("(b) tangents meet the point before"), &leftward))
        .panel(
            panel("(c) candidates and the optimistic estimate")
                .curve(Curve::new("candidates", all).look(Look::Dots).pen(1, 0))
                .curve(Curve::new("optimistic estimate", hull).pen(0, 0)),
        )
        .found("All candidates lie on or below the curve, and so does the estimate.")
        .says("A tangent at each point meets the next point (left of the pivot) or the one before (right of it); the estimate is the convex hull.")
        .differs("The number of points is not in the text. The pivot is α = 1."))
}
