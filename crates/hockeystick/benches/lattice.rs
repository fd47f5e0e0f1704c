//! How long compositions on a lattice take, with the transforms alone beside them.

use divan::{AllocProfiler, Bencher, black_box};
use hockeystick::{
    Query,
    composition::parts,
    engine::{
        Goal,
        lattice::{Discretisation, Lattice, Options},
    },
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
    query::Method,
};
use hockeystick_numerics::fft::RealFft;

/// Shows the largest memory in use beside the times.
#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const TRAINING: &str = "poisson(gaussian(sigma=1), rate=0.01)";
const COUNTS: [u64; 4] = [100, 10_000, 1_000_000, 100_000_000];

fn training(count: u64) -> Vec<(SharedPair, u64)> {
    let mechanism: Mechanism = TRAINING.parse().expect("a valid expression");
    vec![(dominating_pair(&mechanism, Direction::Remove).expect("a pair"), count)]
}

fn lattice(count: u64) -> Lattice {
    let options = Options { spacing: Some(1e-3), ..Options::default() };
    Lattice::compose_with(&training(count), Goal::Epsilon { delta: 1e-5 }, options).expect("it fits")
}

/// ε to 10⁻⁴, both directions.
#[divan::bench]
fn epsilon_of_ten_thousand_steps(bencher: Bencher<'_, '_>) {
    let mechanism: Mechanism = format!("{TRAINING} * 10000").parse().expect("a valid expression");
    let query = Query::new(&mechanism).method(Method::Lattice).tolerance(1e-4);
    bencher.bench(|| black_box(query).epsilon(1e-5));
}

/// Upper and lower law of one direction, on a fixed lattice: two transforms each, and the cells.
#[divan::bench(args = COUNTS)]
fn composing(bencher: Bencher<'_, '_>, count: u64) {
    bencher.bench(|| lattice(black_box(count)));
}

/// As many transforms of the same length, alone.
#[divan::bench(args = COUNTS)]
fn four_transforms_alone(bencher: Bencher<'_, '_>, count: u64) {
    let length = lattice(count).plan().length;
    let fft = RealFft::of_length(length).expect("a power of two");
    let spectrum = fft.forward(vec![1.0; length]).expect("finite").values;
    bencher.bench(|| {
        for _ in 0..2 {
            black_box(fft.forward(vec![1.0; length]).expect("finite"));
            black_box(fft.inverse(spectrum.clone()).expect("finite"));
        }
    });
}

#[divan::bench]
fn a_thousand_different_mechanisms(bencher: Bencher<'_, '_>) {
    let terms: Vec<String> = (0..1000)
        .map(|i| format!("poisson(gaussian(sigma={}), rate=0.01)", 1.0 + f64::from(i) / 1000.0))
        .collect();
    let mechanism: Mechanism = terms.join(" + ").parse().expect("a valid expression");
    let pairs: Vec<(SharedPair, u64)> = (parts(&mechanism).expect("countable").iter())
        .map(|part| (dominating_pair(part.mechanism, Direction::Remove).expect("a pair"), part.count))
        .collect();
    let goal = Goal::Epsilon { delta: 1e-5 };
    bencher.bench(|| Lattice::compose(black_box(&pairs), goal, 1e-4, Discretisation::ConnectTheDots));
}
