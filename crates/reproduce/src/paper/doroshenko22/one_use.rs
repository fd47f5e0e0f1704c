//! Figs. 2 and 3: what discretisations do to the curve of one use.

use crate::{
    Failure, Figure,
    asked::removal,
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    engine::{
        lattice::Discretisation,
        published::{BUCKETS, OneUse, TANGENTS},
    },
    pair::SharedPair,
    query::even_grid,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use hockeystick_plot::{Axis, Look};

const SPACING: f64 = 0.5;
const RANGE: (f64, f64) = (-6.0, 6.0);
const MECHANISMS: [(&str, &str); 2] = [
    ("Gaussian, noise multiplier 1", "gaussian(sigma=1)"),
    ("Laplace, noise multiplier 2/3", "laplace(scale=0.6666666666666666)"),
];

/// The published optimistic law goes with connect-the-dots.
pub(super) const PUBLISHED: Discretisation = TANGENTS;

/// One end of the estimates.
type End = fn(Enclosure) -> f64;

fn curves(pair: &SharedPair, end: End, names: [&str; 2]) -> Result<(Panel, [f64; 2]), Failure> {
    // α is the axis of the paper; between the points the curves are straight lines in α.
    let alphas = even_grid(0.02, 4.5, 160);
    let log = |alpha: &f64| Ball::from(*alpha).ln().approximate();
    let exact: Vec<Sample> =
        alphas.iter().map(|alpha| Sample::probability(*alpha, pair.delta(Ball::from(*alpha).ln()))).collect();
    let mut panel = Panel::new("", Axis::linear("α = e^{ε}"), Axis::linear("h(α)").between(0.0, 1.0))
        .curve(Curve::new("exact", exact.clone()).pen(6, 0));
    let mut farthest = [0.0; 2];
    for (number, (discretisation, name)) in [PUBLISHED, BUCKETS].into_iter().zip(names).enumerate() {
        let law = OneUse::new(pair, discretisation, SPACING, RANGE).ok_or(Failure::Missing("the lattice"))?;
        let samples: Vec<Sample> =
            alphas.iter().map(|alpha| Sample::plain(*alpha, end(law.delta(log(alpha))))).collect();
        farthest[number] = samples.iter().zip(&exact).map(|(a, b)| (a.y - b.y).abs()).fold(0.0, f64::max);
        panel = panel.curve(Curve::new(name, samples).pen(number, number + 1));
    }
    // The points of the lattice, on the exact curve.
    let points: Vec<Sample> = (-8..=3)
        .map(|i| f64::from(i) * SPACING)
        .map(|epsilon| Sample::probability(epsilon.exp(), pair.delta(Ball::from(epsilon))))
        .collect();
    Ok((panel.curve(Curve::new("points of the lattice", points).look(Look::Dots).pen(6, 0)), farthest))
}

fn figure(end: End, names: [&str; 2]) -> Result<Figure, Failure> {
    let mut figure = Figure::new(2)
        .given("noise multipliers", "1 (Gaussian), 2/3 (Laplace)")
        .chosen("points of the lattice", "multiples of 0.5 in ε, from −6 to 6");
    for (title, text) in MECHANISMS {
        let (mut panel, [ours, peers]) = curves(&removal(text)?, end, names)?;
        panel.title = title.to_owned();
        figure = figure.panel(panel).found(format!(
            "{title}: largest distance from the exact curve {} ({}), {} ({}).",
            digits(ours, 3),
            names[0],
            digits(peers, 3),
            names[1]
        ));
    }
    Ok(figure.differs("The set of discretisation points is not in the text."))
}

pub(super) fn fig2() -> Result<Figure, Failure> {
    Ok(figure(Enclosure::upper, ["connect the dots", "privacy buckets"])?
        .says("The pessimistic estimate by connecting the dots is closer to the exact curve than that of privacy buckets, for all α."))
}

pub(super) fn fig3() -> Result<Figure, Failure> {
    Ok(figure(Enclosure::lower, ["optimistic", "privacy buckets, optimistic"])?
        .says("The optimistic estimate is closer to the exact curve than that of privacy buckets.")
        .differs(OPTIMISTIC)
        .differs(KINK))
}

const OPTIMISTIC: &str = "The estimate is Algorithm 2 with tangents and their hull. Of an infinite loss it keeps the mass, which the \
                          paper's does not; here there is none.";

const KINK: &str = "For the Laplace mechanism buckets are closer between the smallest loss and the next points: the curve has a kink at the smallest \
                    loss, which is a point of this lattice, and the tangent from its left reaches far below.";
