//! Closed forms against 50-digit references: every answer must enclose, and be narrow.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::mechanism::{Algebra, ApproximateDp, Compose, Gaussian, Laplace, Mechanism};
use hockeystick_golden::{Decimal, Row, rows};

/// What a sweep over a file saw.
#[derive(Default)]
struct Sweep {
    rows: usize,
    worst: f64,
    worst_large_count: f64,
}

/// The relative width allowed by count: counting more than 10⁴ uses may cost two digits.
fn allowed_width(count: u64) -> f64 {
    if count > 10_000 { 1e-9 } else { 1e-11 }
}

fn check(sweep: &mut Sweep, mechanism: &Mechanism, row: &Row, count: u64) {
    let epsilon: f64 = row.number("epsilon");
    let answer = hockeystick::delta(mechanism, epsilon).unwrap();
    let (lower, upper) = (answer.lower().unwrap(), answer.upper());
    let truth = row.reference("delta");
    assert!((0.0..=1.0).contains(&lower) && (0.0..=1.0).contains(&upper), "{mechanism} at {epsilon}");
    assert!(
        truth.is_at_least(lower) && truth.is_at_most(upper),
        "{mechanism} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
        row.text("delta")
    );
    let width = Decimal::exactly(upper - lower).ratio(&truth);
    let width = if truth.is_zero() { if upper == 0.0 { 0.0 } else { f64::INFINITY } } else { width };
    assert!(
        width <= allowed_width(count),
        "{mechanism} at ε = {epsilon}: relative width {width:e} at δ = {lower:e}"
    );
    sweep.rows += 1;
    let worst = if count > 10_000 { &mut sweep.worst_large_count } else { &mut sweep.worst };
    *worst = worst.max(width);
}

fn report(name: &str, sweep: Sweep) -> usize {
    println!(
        "{name}: {} rows, widest relative width {:.1e} (count ≤ 10⁴), {:.1e} (larger counts)",
        sweep.rows, sweep.worst, sweep.worst_large_count
    );
    sweep.rows
}

fn gaussian(sigma: f64, sensitivity: f64) -> Gaussian {
    Gaussian::new(sigma).unwrap().with_sensitivity(sensitivity).unwrap()
}

/// `a:b:count;a:b:count;…`
fn terms(text: &str) -> impl Iterator<Item = (f64, f64, u64)> {
    text.split(';').map(|term| {
        let cells: Vec<&str> = term.split(':').collect();
        (cells[0].parse().unwrap(), cells[1].parse().unwrap(), cells[2].parse().unwrap())
    })
}

#[test]
fn deltas_enclose_the_references_and_are_narrow() {
    let mut total = 0;

    let mut sweep = Sweep::default();
    for row in rows("closed_form/gaussian") {
        let count = row.number("count");
        check(
            &mut sweep,
            &gaussian(row.number("sigma"), row.number("sensitivity")).repeat(count),
            &row,
            count,
        );
    }
    total += report("gaussian", sweep);

    let mut sweep = Sweep::default();
    for row in rows("closed_form/gaussian_sum") {
        let parts = terms(row.text("terms"))
            .map(|(sigma, sensitivity, count)| gaussian(sigma, sensitivity).repeat(count));
        let largest = terms(row.text("terms")).map(|term| term.2).max().unwrap();
        check(&mut sweep, &Compose::new(parts).unwrap(), &row, largest);
    }
    total += report("gaussian_sum", sweep);

    let mut sweep = Sweep::default();
    for row in rows("closed_form/randomized_response") {
        let count = row.number("count");
        let dp = ApproximateDp::new(row.number("epsilon0"), row.number("delta0")).unwrap();
        check(&mut sweep, &dp.repeat(count), &row, count);
    }
    total += report("randomized_response", sweep);

    let mut sweep = Sweep::default();
    for row in rows("closed_form/response_sum") {
        let parts = terms(row.text("terms"))
            .map(|(epsilon, delta, count)| ApproximateDp::new(epsilon, delta).unwrap().repeat(count));
        check(&mut sweep, &Compose::new(parts).unwrap(), &row, 1);
    }
    total += report("response_sum", sweep);

    let mut sweep = Sweep::default();
    for row in rows("closed_form/gaussian_plus_response") {
        let dp = ApproximateDp::new(row.number("epsilon0"), row.number("delta0")).unwrap();
        let normal = gaussian(row.number("sigma"), 1.0).repeat(row.number("gaussian_count"));
        let mechanism = normal + dp.repeat(row.number("response_count"));
        check(&mut sweep, &mechanism, &row, row.number("gaussian_count"));
    }
    total += report("gaussian_plus_response", sweep);

    let mut sweep = Sweep::default();
    for row in rows("closed_form/laplace") {
        let laplace =
            Laplace::new(row.number("scale")).unwrap().with_sensitivity(row.number("sensitivity")).unwrap();
        check(&mut sweep, &laplace.into(), &row, 1);
    }
    total += report("laplace", sweep);

    assert!(total >= 5_000, "only {total} references");
}
