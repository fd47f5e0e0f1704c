//! Figs. 1 and 2: the exponential mechanism with a counting query.

use crate::{
    Failure, Figure,
    asked::{How, deltas_of, removal, repeated, whole_ratios},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    engine::{
        Goal,
        classic::bounded_range_delta,
        lattice::{Lattice, Options},
        published::BUCKETS,
    },
    query::Method,
};
use hockeystick_plot::{Axis, Look};

const EPSILON: f64 = 1.0;
const SPACING: f64 = 1e-4;

fn query(epsilon: f64) -> String {
    format!("exponential(epsilon_tilde={epsilon}, n=100, m=50)")
}

fn counts(epsilon: f64) -> Vec<u64> {
    // Fewer have no loss of 1 at all.
    whole_ratios((2.2 / epsilon) as u64, 2000, 24)
}

pub(super) fn fig1() -> Result<Figure, Failure> {
    let mut figure = Figure::new(2)
        .given("ε", "1")
        .given("ε̃", "0.1 in the caption, 0.05 in the text; both are drawn")
        .given("m", "50")
        .chosen("n", "100")
        .chosen("k", "up to 2000")
        .says("Algorithm 1 gives a tighter δ than the optimal bound for all mechanisms of that range (Dong et al. 2020, Thm 2).")
        .differs("n is not in the text, and ε̃ is 0.05 in the text and 0.1 in the caption.")
        .differs(
            "The bound of Dong et al. is for choices made beforehand; `exponential(epsilon=ε̃) * k`, which is drawn too, covers adaptive ones.",
        );
    for epsilon in [0.1, 0.05] {
        let counts = counts(epsilon);
        let exact = deltas_of(&repeated(&query(epsilon), &counts)?, How::removing(Method::Auto), EPSILON)?;
        let swapped = How { relation: hockeystick::mechanism::Relation::Add, ..How::BEST };
        let other = deltas_of(&repeated(&query(epsilon), &counts)?, swapped, EPSILON)?;
        let optimal: Vec<Sample> = (counts.iter())
            .map(|&count| Sample::probability(count as f64, bounded_range_delta(epsilon, count, EPSILON)))
            .collect();
        let adaptive = repeated(&format!("exponential(epsilon={epsilon})"), &counts)?;
        let adaptive = deltas_of(&adaptive, How::BEST, EPSILON)?;
        let at = counts.iter().position(|&count| count >= 500).unwrap_or(0);
        figure = figure.found(format!(
            "ε̃ = {epsilon}, k = {}: exact δ {}, optimal bound {}, adaptive choices {}.",
            counts[at],
            digits(exact[at].y, 4),
            digits(optimal[at].y, 4),
            digits(adaptive[at].y, 4)
        ));
        figure = figure.panel(
            Panel::new(
                format!("ε̃ = {epsilon}"),
                Axis::logarithmic("compositions k"),
                Axis::logarithmic("δ at ε = 1").between(1e-10, 1.0),
            )
            .curve(Curve::new("M(X) against M(Y)", exact).pen(0, 0))
            .curve(Curve::new("M(Y) against M(X)", other).look(Look::Dots).pen(2, 0))
            .curve(Curve::new("Dong et al., Thm 2", optimal).pen(1, 1))
            .curve(Curve::new("bounded range, adaptive", adaptive).pen(3, 2)),
        );
    }
    Ok(figure)
}

pub(super) fn fig2() -> Result<Figure, Failure> {
    let counts = counts(0.1);
    let pair = removal(&query(0.1))?;
    let options = Options {
        discretisation: BUCKETS,
        spacing: Some(SPACING),
        most_points: 1 << 24,
        ..Options::default()
    };
    let mut points = vec![];
    for &count in &counts {
        let goal = Goal::Delta { epsilon: EPSILON };
        let lattice = Lattice::compose_with(&[(pair.clone(), count)], goal, options)?;
        points.push(Sample::plain(count as f64, lattice.plan().length as f64));
    }
    // The theorem is a maximum over k candidates, each a sum of up to k + 1 terms.
    let terms: Vec<Sample> =
        counts.iter().map(|&count| Sample::plain(count as f64, (count * (count + 1)) as f64)).collect();
    let growth = |samples: &[Sample]| {
        samples.first().zip(samples.last()).map_or(0.0, |(first, last)| last.y / first.y)
    };
    let finding = format!(
        "From k = {} to 2000 the points of the transform become {} times as many, the terms of the theorem {} times.",
        counts[0],
        digits(growth(&points), 2),
        digits(growth(&terms), 2)
    );
    Ok(Figure::new(1)
        .given("ε, m", "1, 50")
        .chosen("ε̃, n, spacing", "0.1, 100, 1e-4")
        .panel(
            Panel::new("", Axis::logarithmic("compositions k"), Axis::logarithmic("operations, about"))
                .curve(Curve::new("Fourier: points of the transform", points))
                .curve(Curve::new("Dong et al., Thm 2: terms", terms)),
        )
        .found(finding)
        .says("The compute times of Algorithm 1 hardly depend on k, those of the expression of Dong et al. grow quickly.")
        .differs("Seconds depend on the machine; the numbers of points and terms, to which they are proportional, do not.")
        .differs(
            "The transform of the paper has as many points for all k. Here the window is as long as the composed law needs, so it is short for few \
             compositions and grows with k.",
        ))
}
