//! Training runs on the contour: ε at δ = 10⁻⁵, both directions, and what adding a step to an account costs.

use divan::{Bencher, black_box};
use hockeystick::{Query, mechanism::Mechanism, query::Accountant};

fn main() {
    divan::main();
}

fn step() -> Mechanism {
    "poisson(gaussian(sigma=1), rate=0.01)".parse().expect("a mechanism")
}

#[divan::bench(args = [1_000, 10_000, 1_000_000])]
fn epsilon_of_training(bencher: Bencher<'_, '_>, steps: u64) {
    let training: Mechanism = format!("{} * {steps}", step()).parse().expect("a mechanism");
    bencher.bench(|| Query::new(black_box(&training)).epsilon(1e-5).expect("an answer").upper());
}

#[divan::bench]
fn add_a_step(bencher: Bencher<'_, '_>) {
    let (step, mut accountant) = (step(), Accountant::default());
    bencher.bench_local(|| accountant.add(black_box(&step)));
}
