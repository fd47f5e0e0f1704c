//! Fig. 4, the privacy side: training with binomial noise on signs of gradients.

use crate::{
    Failure, Figure,
    asked::{How, epsilons, removal},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::{
    engine::{
        Goal,
        lattice::{Lattice, Options},
    },
    mechanism::{Algebra, Mechanism, ProfileFile},
    query::{Method, geometric_grid},
};
use hockeystick_plot::Axis;

const EXAMPLES: f64 = 60_000.0;
const COORDINATES: u64 = 221;
const DELTA: f64 = 1e-5;

/// All coordinates of one release, as the curve of its δ: connect the dots between so many points.
fn release(n: u64) -> Result<Mechanism, Failure> {
    let pair = removal(&format!("binomial(n={n})"))?;
    let mut points = vec![];
    let mut epsilons = vec![0.0];
    epsilons.extend(geometric_grid(0.02, 6.0, 120));
    // A lattice is sharp around the ε it is made for.
    for around in epsilons.chunks(41) {
        let goal = Goal::Delta { epsilon: around[around.len() / 2] };
        let options = Options { tolerance: 1e-4, ..Options::default() };
        let lattice = Lattice::compose_with(&[(pair.clone(), COORDINATES)], goal, options)?;
        let deltas = lattice.deltas(around);
        points.extend(
            around.iter().zip(deltas).map(|(&epsilon, delta)| (epsilon, delta.delta.value().upper())),
        );
    }
    let (epsilons, deltas): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    Ok(ProfileFile::from_points(epsilons, deltas)?.into())
}

pub(super) fn fig4() -> Result<Figure, Failure> {
    let mut figure = Figure::new(1)
        .given("coordinates, M", "221, 60000")
        .given("n, batch", "(2400, 500), (3000, 300)")
        .chosen("δ", "1e-5")
        .chosen("epochs", "1 … 30");
    let mut panel = Panel::new("", Axis::linear("epochs"), Axis::linear("ε at δ = 1e-5").including(0.0));
    for (number, (n, batch)) in [(2400u64, 500.0), (3000, 300.0)].into_iter().enumerate() {
        let rate = batch / EXAMPLES;
        let step = release(n)?.poisson(rate)?;
        let steps = |epochs: u64| (epochs as f64 / rate).round() as u64;
        let epochs: Vec<u64> = vec![1, 2, 4, 7, 10, 15, 20, 25, 30];
        let mechanisms: Vec<(f64, Mechanism)> =
            epochs.iter().map(|&count| (count as f64, step.clone().repeat(steps(count)))).collect();
        let samples: Vec<Sample> = epsilons(&mechanisms, How::by(Method::Contour), DELTA)?
            .into_iter()
            .map(|sample| Sample::upper(sample.x, sample.y))
            .collect();
        let last = samples.last().map_or(0.0, |sample| sample.y);
        figure =
            figure.found(format!("n = {n}, batches of {batch}: ε ≤ {} after 30 epochs.", digits(last, 4)));
        panel = panel.curve(Curve::new(format!("n = {n}, batches of {batch}"), samples).pen(number, number));
    }
    Ok(figure
        .panel(panel)
        .says("Test accuracies on MNIST at ε = 2 and 4, tight accounting with subsampling against cpSGD.")
        .differs(
            "The accuracies are not drawn: they take training the networks. δ and the numbers of epochs at the reported ε are not in the text.",
        )
        .differs(
            "The paper samples the composed loss, s → log(qe^s + 1 − q) (App. E prints 1 − p). Here the release of all coordinates is replaced by \
             the pessimistic pair that connects 121 dots of its curve, and that pair is sampled, in both directions: upper bounds.",
        ))
}
