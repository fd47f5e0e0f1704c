//! Fig. 5: strict bounds for the sampled Gaussian.

use crate::{
    Failure, Figure,
    asked::{How, deltas_of, removal, repeated, whole_ratios},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    curve::PrivacyProfile,
    engine::{
        Goal,
        lattice::{Discretisation, Lattice, Options},
        published::RIEMANN,
    },
    query::Method,
};
use hockeystick_numerics::enclosure::Enclosure;
use hockeystick_plot::{Axis, Look};

const TEXT: &str = "poisson(gaussian(sigma=2), rate=0.02)";
const EPSILON: f64 = 1.0;
/// Half the length of the grid.
const REACH: f64 = 8.0;
const GRID: Discretisation = RIEMANN;

pub(super) fn fig5() -> Result<Figure, Failure> {
    let counts = whole_ratios(50, 2000, 14);
    let pair = removal(TEXT)?;
    let certified = deltas_of(&repeated(TEXT, &counts)?, How::removing(Method::Auto), EPSILON)?;
    let moments = deltas_of(&repeated(TEXT, &counts)?, How::removing(Method::RdpClassic), EPSILON)?;
    let mut panel =
        Panel::new("", Axis::linear("compositions k"), Axis::logarithmic("δ at ε = 1").between(1e-10, 1.0));
    let mut finding = String::new();
    for (number, points) in [50_000u32, 200_000, 800_000].into_iter().enumerate() {
        let spacing = 2.0 * REACH / f64::from(points);
        let options = Options {
            discretisation: GRID,
            spacing: Some(spacing),
            most_points: 1 << 24,
            ..Options::default()
        };
        let at = |&count: &u64| -> Result<(f64, Enclosure), Failure> {
            let goal = Goal::Delta { epsilon: EPSILON };
            let lattice = Lattice::compose_with(&[(pair.clone(), count)], goal, options)?;
            Ok((count as f64, lattice.delta(EPSILON).delta.value()))
        };
        let values = counts.iter().map(at).collect::<Result<Vec<_>, _>>()?;
        let ends = |end: fn(&Enclosure) -> f64, sample: fn(f64, f64) -> Sample| -> Vec<Sample> {
            values.iter().map(|(x, bounds)| sample(*x, end(bounds))).collect()
        };
        let last = values.last().map_or(Enclosure::ZERO, |(_, bounds)| *bounds);
        finding += &format!(" n = {points}: [{}, {}].", digits(last.lower(), 3), digits(last.upper(), 3));
        panel = panel
            .curve(
                Curve::new(format!("upper, n = {points}"), ends(|b| b.upper(), Sample::upper)).pen(number, 0),
            )
            .curve(
                Curve::new(format!("lower, n = {points}"), ends(|b| b.lower(), Sample::lower)).pen(number, 1),
            );
    }
    let truth = certified.last().map_or(0.0, |sample| sample.y);
    Ok(Figure::new(1)
        .given("ε, q, σ, L", "1, 0.02, 2, 8")
        .chosen("n", "5·10⁴, 2·10⁵, 8·10⁵")
        .chosen("k", "50 … 2000")
        .panel(
            panel
                .curve(Curve::new("moments accountant", moments).pen(3, 2))
                .curve(Curve::new("certified", certified).look(Look::Dots).pen(6, 0)),
        )
        .found(format!("At k = 2000 the certified δ is {}.{finding}", digits(truth, 6)))
        .says("Upper and lower bounds converge as n grows with L fixed; the moments accountant is above.")
        .differs("The numbers of points and compositions are not in the text.")
        .differs(LAW)
        .differs("The paper evaluates removal only, and so does this figure."))
}

const LAW: &str = "The grid has the largest and the smallest density of each cell, as in the paper. Composition is tilted, so that errors are \
                   relative to δ, and certified, round-off included.";
