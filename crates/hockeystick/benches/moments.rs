//! How long bounds from moments and limits take.

use divan::{Bencher, black_box};
use hockeystick::{Query, mechanism::Mechanism, query::Method};

fn main() {
    divan::main();
}

const TRAINING: &str = "poisson(gaussian(sigma=1), rate=0.01) * 1000";
const LONG_TRAINING: &str = "poisson(gaussian(sigma=4), rate=0.01) * 65536";
const MIXED: &str =
    "poisson(gaussian(sigma=2), rate=0.02) * 500 + laplace(scale=5) * 12 + gaussian(sigma=20)";
const METHODS: [&str; 7] = ["rdp", "rdp-classic", "rdp-optimal", "markov", "clt", "berry-esseen", "nagaev"];

fn epsilon(bencher: Bencher<'_, '_>, text: &str, method: &str) {
    let mechanism: Mechanism = text.parse().expect("a valid expression");
    let method: Method = method.parse().expect("a method");
    bencher.bench(|| Query::new(black_box(&mechanism)).method(method).epsilon(black_box(1e-5)));
}

#[divan::bench(args = METHODS)]
fn training(bencher: Bencher<'_, '_>, method: &str) {
    epsilon(bencher, TRAINING, method);
}

#[divan::bench(args = METHODS)]
fn long_training(bencher: Bencher<'_, '_>, method: &str) {
    epsilon(bencher, LONG_TRAINING, method);
}

#[divan::bench(args = METHODS)]
fn mixed(bencher: Bencher<'_, '_>, method: &str) {
    epsilon(bencher, MIXED, method);
}
