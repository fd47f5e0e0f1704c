//! Exponential sums against references of 50 digits, and against direct sums of discs.

#![allow(missing_docs)]

use hockeystick_golden::{Decimal, cell, rows};
use hockeystick_numerics::{
    ball::Ball,
    disc::Disc,
    enclosure::Enclosure,
    exponential_sums::{ExponentialSums, is_worth_it},
};
use num_complex::Complex;
use proptest::prelude::*;

/// The nodes of a reference, as `testdata/special/exponential_sums.csv` describes them.
fn nodes(text: &str) -> (Vec<f64>, Vec<f64>) {
    if let Some(count) = text.strip_prefix("residues ") {
        let weight = |i: u64| ((i * i * 31 + 7) % 127) as f64 / 128.0;
        let loss = |i: u64| (i * 7919 % 8191) as f64 / 1024.0 - 3.0;
        return (0..cell(count)).map(|i| (weight(i), loss(i))).unzip();
    }
    (text.split(';').filter(|node| !node.is_empty()))
        .map(|node| node.split_once(':').expect("weight:loss"))
        .map(|(weight, loss)| (cell::<f64>(weight), cell::<f64>(loss)))
        .unzip()
}

#[test]
fn errors_hold_against_references() {
    let distance = |computed: f64, exact: &Decimal| {
        Decimal::exactly(computed).minus(exact).ratio(&Decimal::exactly(1.0))
    };
    let mut worst: f64 = 0.0;
    for row in rows("special/exponential_sums") {
        let (weights, losses) = nodes(row.text("nodes"));
        let (step, count, n): (f64, usize, usize) =
            (row.number("step"), row.number("count"), row.number("n"));
        let sums = ExponentialSums::new(&weights, &losses, step, count);
        assert_eq!((sums.values.len(), sums.errors.len()), (count, count));
        let off = distance(sums.values[n].re, &row.reference("re"))
            .hypot(distance(sums.values[n].im, &row.reference("im")));
        assert!(off <= sums.errors[n], "{} of {count}: off by {off:e}, said {:e}", n, sums.errors[n]);
        let mass: f64 = weights.iter().sum();
        assert!(sums.errors[n] <= 1.5e-13 * mass + 1e-304, "{:e}", sums.errors[n] / mass);
        if mass > 0.0 {
            worst = worst.max(off / mass);
        }
    }
    // The bounds are of worst cases, but they are not bounds of nothing.
    assert!(worst > 1e-16, "{worst:e}");
}

/// The sum turn by turn, enclosed.
fn direct(weights: &[f64], losses: &[f64], step: f64, n: usize) -> Disc {
    let angle = |loss: f64| Ball::product_of(step, loss) * Ball::from(n as u64);
    (weights.iter().zip(losses))
        .map(|(&weight, &loss)| Disc::polar(Enclosure::point(weight), angle(loss)))
        .fold(Disc::ZERO, |sum, term| sum + term)
}

fn check(weights: &[f64], losses: &[f64], step: f64, count: usize) -> Result<ExponentialSums, TestCaseError> {
    let sums = ExponentialSums::new(weights, losses, step, count);
    let mass: f64 = weights.iter().sum();
    for n in [0, 1, count / 2, count.saturating_sub(2), count - 1] {
        let Some((value, error)) = sums.values.get(n).zip(sums.errors.get(n)) else { continue };
        let truth = direct(weights, losses, step, n);
        prop_assert!((value - truth.center()).norm() <= error + truth.radius(), "{n}: {value} {truth:?}");
        prop_assert!(*error <= 1e-12 * mass + 1e-304, "{n}: {error:e}");
    }
    Ok(sums)
}

fn node() -> impl Strategy<Value = (f64, f64)> {
    let weight = prop_oneof![0.0..1.0f64, (-300.0..0.0f64).prop_map(|x| 10f64.powf(x)), Just(0.0)];
    let loss = prop_oneof![-20.0..20.0f64, -1e-6..1e-6f64, -1e5..1e5f64];
    (weight, loss)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn errors_hold_against_direct_sums(
        nodes in prop::collection::vec(node(), 1..60),
        step in prop_oneof![1e-3..2.0f64, Just(1.0), (-30.0..2.0f64).prop_map(|x| 10f64.powf(x))],
        count in 1usize..900,
    ) {
        let (weights, losses): (Vec<f64>, Vec<f64>) = nodes.into_iter().unzip();
        check(&weights, &losses, step, count)?;
    }

    /// Where all meet in few cells, many additions do.
    #[test]
    fn errors_hold_where_nodes_meet(count in 1usize..300, nodes in 500usize..6000, place in -7.0..7.0f64) {
        let losses: Vec<f64> = (0..nodes).map(|i| place + 1e-7 * i as f64).collect();
        let weights: Vec<f64> = (0..nodes).map(|i| 1.0 / (1.0 + i as f64)).collect();
        check(&weights, &losses, 0.9, count)?;
    }
}

/// Thousands of nodes over a turn, as smooth laws have them, in order and not.
#[test]
fn errors_are_small_for_laws() {
    for (nodes, count, largest) in
        [(1000, 100, 1e-13), (13_000, 260, 1e-13), (1500, 2300, 1e-13), (2000, 8000, 1.3e-13)]
    {
        let losses: Vec<f64> = (0..nodes).map(|i| (i as f64 + 0.5) / nodes as f64 * 5.0 - 2.0).collect();
        let weights: Vec<f64> = losses.iter().map(|loss| (-2.0 * loss * loss).exp()).collect();
        let mass: f64 = weights.iter().sum();
        for stride in [1, 7] {
            let order = |values: &[f64]| (0..nodes).map(|i| values[i * stride % nodes]).collect::<Vec<f64>>();
            let sums = check(&order(&weights), &order(&losses), 1.1, count).expect("within its errors");
            let worst = sums.errors.iter().fold(0.0_f64, |worst, &error| worst.max(error)) / mass;
            assert!(worst <= largest, "{nodes} {count}: {worst:e}");
            assert!(sums.errors[0] <= 5e-14 * mass, "{nodes} {count}: {:e}", sums.errors[0] / mass);
        }
    }
}

#[test]
fn few_turns_are_not_worth_a_transform() {
    for (nodes, count) in [(0, 1000), (1000, 1), (10, 50), (10, 100_000), (100_000, 10)] {
        assert!(!is_worth_it(nodes, count), "{nodes} {count}");
    }
    for (nodes, count) in [(100, 50), (1000, 100), (30_000, 60), (50, 8000), (usize::MAX, usize::MAX)] {
        assert!(is_worth_it(nodes, count), "{nodes} {count}");
    }
}

#[test]
fn nothing_sums_to_nothing() {
    let sums = ExponentialSums::new(&[], &[], 1.0, 3);
    assert_eq!(sums.values, [Complex::ZERO; 3]);
    assert!(sums.errors.iter().all(|&error| error <= 1e-304));
    let sums = ExponentialSums::new(&[1.0], &[1.0], 1.0, 0);
    assert!(sums.values.is_empty() && sums.errors.is_empty());
}

/// Never a wrong number, never a panic.
#[test]
fn what_cannot_be_summed_is_off_by_anything() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (weights, losses, step) in [
        ([1.0, nan], [1.0, 2.0], 1.0),
        ([1.0, inf], [1.0, 2.0], 1.0),
        ([1.0, -1.0], [1.0, 2.0], 1.0),
        ([1e308, 1e308], [1.0, 2.0], 1.0),
        ([1.0, 1.0], [nan, 2.0], 1.0),
        ([1.0, 0.0], [1.0, inf], 1.0),
        ([1.0, 1.0], [1.0, 1e200], 1.0),
        ([1.0, 1.0], [1.0, 2.0], nan),
        ([1.0, 1.0], [1.0, 2.0], inf),
        ([1.0, 1.0], [1.0, 2.0], 1e200),
    ] {
        let sums = ExponentialSums::new(&weights, &losses, step, 5);
        assert_eq!(sums.errors, [inf; 5], "{weights:?} {losses:?} {step}");
        assert!(sums.values.iter().all(|value| value.is_finite()));
    }
    assert_eq!(ExponentialSums::new(&[1.0], &[1.0, 2.0], 1.0, 2).errors, [inf; 2]);
    // Large, but a number: as good as any.
    let sums = ExponentialSums::new(&[1e300], &[1.0], 1.0, 5);
    assert!((sums.values[1].re / 1e300 - 1f64.cos()).abs() < 1e-13 && sums.errors[1] < 1e287);
}
