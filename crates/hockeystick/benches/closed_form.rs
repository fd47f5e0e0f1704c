//! How long closed-form answers take.

use divan::{Bencher, black_box};
use hockeystick::mechanism::Mechanism;

fn main() {
    divan::main();
}

fn mechanism(text: &str) -> Mechanism {
    text.parse().expect("a valid expression")
}

const GAUSSIAN: &str = "gaussian(sigma=2)";
const RESPONSES: &str = "randomized_response(epsilon=0.1) * 1000";
const MIXED: &str = "gaussian(sigma=5) * 10 + dp(epsilon=0.1, delta=1e-9) * 20";

#[divan::bench(args = [GAUSSIAN, RESPONSES, MIXED])]
fn delta(bencher: Bencher<'_, '_>, text: &str) {
    let mechanism = mechanism(text);
    bencher.bench(|| hockeystick::delta(black_box(&mechanism), black_box(1.0)));
}

#[divan::bench(args = [GAUSSIAN, RESPONSES, MIXED])]
fn epsilon(bencher: Bencher<'_, '_>, text: &str) {
    let mechanism = mechanism(text);
    bencher.bench(|| hockeystick::epsilon(black_box(&mechanism), black_box(1e-5)));
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    bencher.bench(|| mechanism(black_box(MIXED)));
}
