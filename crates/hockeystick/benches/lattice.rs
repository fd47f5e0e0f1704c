//! How long compositions on a lattice take, with the transforms alone beside them.

use divan::{AllocProfiler, Bencher, black_box};
use hockeystick::{
    Query,
    composition::parts,
    curve::PrivacyProfile,
    engine::{
        Goal,
        lattice::{Lattice, Options, Stages},
    },
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
    query::Method,
};
use realfft::RealFftPlanner;

/// Shows the largest memory in use beside the times.
#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const TRAINING: &str = "poisson(gaussian(sigma=1), rate=0.01)";
const QUERIES: &str = "laplace(scale=50)";
const GOAL: Goal = Goal::Epsilon { delta: 1e-5 };
/// What is composed, how often, and at which spacing.
const CASES: [(&str, u64, f64); 11] = [
    (TRAINING, 100, 1e-3),
    (TRAINING, 1_000, 1e-3),
    (TRAINING, 10_000, 1e-3),
    (TRAINING, 100_000, 1e-3),
    (TRAINING, 1_000_000, 1e-3),
    (TRAINING, 10_000, 1e-4),
    (TRAINING, 10_000, 1e-5),
    (TRAINING, 1_000_000, 1e-4),
    (QUERIES, 100, 1e-4),
    (QUERIES, 10_000, 1e-3),
    (QUERIES, 10_000, 1e-4),
];

fn parts_of((text, count, _): (&str, u64, f64)) -> &'static [(SharedPair, u64)] {
    let mechanism: Mechanism = text.parse().expect("a valid expression");
    vec![(dominating_pair(&mechanism, Direction::Remove).expect("a pair"), count)].leak()
}

/// A lattice that is planned, for the steps after.
fn planned(case: (&str, u64, f64)) -> Stages<'static> {
    let options = Options { spacing: Some(case.2), ..Options::default() };
    Stages::planned(parts_of(case), GOAL, options).expect("it fits")
}

/// ε to 10⁻⁴, both directions.
#[divan::bench]
fn epsilon_of_ten_thousand_steps(bencher: Bencher<'_, '_>) {
    let mechanism: Mechanism = format!("{TRAINING} * 10000").parse().expect("a valid expression");
    let query = Query::new(&mechanism).method(Method::Lattice).tolerance(1e-4);
    bencher.bench(|| black_box(query).epsilon(1e-5));
}

/// Losses put on the lattice, from above and from below.
#[divan::bench(args = CASES)]
fn building(bencher: Bencher<'_, '_>, case: (&str, u64, f64)) {
    let steps = planned(case);
    bencher.bench_local(|| black_box(&steps).discretised());
}

/// Both laws composed, and made ready to be asked: two transforms and a power each.
#[divan::bench(args = CASES)]
fn composing(bencher: Bencher<'_, '_>, case: (&str, u64, f64)) {
    let steps = planned(case);
    let laws = steps.discretised().expect("it fits");
    bencher.bench_local(|| steps.composed(black_box(&laws)));
}

/// Three transforms of the same length for each of both laws, alone.
#[divan::bench(args = CASES)]
fn six_transforms_alone(bencher: Bencher<'_, '_>, case: (&str, u64, f64)) {
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(planned(case).plan().length);
    let (mut signal, mut spectrum, mut scratch) =
        (plan.make_input_vec(), plan.make_output_vec(), plan.make_scratch_vec());
    bencher.bench_local(|| {
        for _ in 0..6 {
            plan.process_with_scratch(black_box(&mut signal), &mut spectrum, &mut scratch).expect("it fits");
        }
    });
}

/// δ at one ε, both ends.
#[divan::bench(args = CASES)]
fn answering(bencher: Bencher<'_, '_>, case: (&str, u64, f64)) {
    let steps = planned(case);
    let lattice = steps.composed(&steps.discretised().expect("it fits")).expect("it fits");
    bencher.bench_local(|| lattice.delta(black_box(steps.plan().epsilon)));
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
    bencher.bench(|| Lattice::compose(black_box(&pairs), GOAL, 1e-4));
}
