//! How long exact sums take: one question, and many about one composition.

use divan::{Bencher, black_box};
use hockeystick::{Query, mechanism::Mechanism};

fn main() {
    divan::main();
}

const FEW: &str = "laplace(scale=1) * 5";
const SOME: &str = "laplace(scale=2) * 12";
const MANY: &str = "laplace(scale=5) * 100";
const MOST: &str = "laplace(scale=10) * 250";
const DISCRETE: &str = "discrete_gaussian(sigma=1) * 3";
const DISCRETE_MANY: &str = "discrete_gaussian(sigma=10) * 100";

fn mechanism(text: &str) -> Mechanism {
    text.parse().expect("a valid expression")
}

#[divan::bench(args = [FEW, SOME, MANY, MOST, DISCRETE, DISCRETE_MANY])]
fn epsilon(bencher: Bencher<'_, '_>, text: &str) {
    let mechanism = mechanism(text);
    bencher.bench(|| hockeystick::epsilon(black_box(&mechanism), black_box(1e-6)));
}

/// Ten thousand δ from 10⁻¹² to 0.1.
#[divan::bench(args = [SOME, MANY, DISCRETE])]
fn ten_thousand_epsilons(bencher: Bencher<'_, '_>, text: &str) {
    let mechanism = mechanism(text);
    bencher.bench(|| {
        let mut prepared = Query::new(&mechanism).prepare();
        let deltas = (0..10_000).map(|i| 10f64.powf(-12.0 + 11.0 * f64::from(i) / 1e4));
        deltas.map(|delta| prepared.epsilon(delta).expect("an answer").upper).sum::<f64>()
    });
}
