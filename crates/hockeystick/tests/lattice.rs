//! The lattice engine against references and against closed forms.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Algebra, ApproximateDp, Gaussian, Mechanism},
    query::Method,
};
use hockeystick_golden::{Row, rows};

fn check(mechanism: &Mechanism, row: &Row, method: Method) -> f64 {
    let epsilon: f64 = row.number("epsilon");
    let answer = Query::new(mechanism).method(method).tolerance(0.5).delta(epsilon).unwrap();
    let (lower, upper) = (answer.lower().unwrap(), answer.upper());
    let truth = row.reference("delta");
    assert!(
        truth.is_at_least(lower) && truth.is_at_most(upper),
        "{mechanism} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
        row.text("delta")
    );
    (upper - lower) / upper
}

/// Losses of moderate size: a lattice for losses of 10⁵ has no room for their shape.
fn is_moderate(row: &Row, loss: f64) -> bool {
    let delta: f64 = row.number("delta");
    row.number::<f64>("epsilon") < 100.0 && loss < 100.0 && delta > 1e-200 && delta < 0.99
}

#[test]
fn composed_gaussians_are_enclosed() {
    let mut widths = Vec::new();
    for row in rows("closed_form/gaussian").iter().step_by(7) {
        let (sigma, sensitivity, count): (f64, f64, u64) =
            (row.number("sigma"), row.number("sensitivity"), row.number("count"));
        let mu = sensitivity / sigma * (count as f64).sqrt();
        if is_moderate(row, mu) && mu > 1e-2 {
            let gaussian = Gaussian::new(sigma).unwrap().with_sensitivity(sensitivity).unwrap();
            widths.push(check(&gaussian.repeat(count), row, Method::Lattice));
        }
    }
    widths.sort_by(f64::total_cmp);
    println!("{} compositions, median relative width of δ {:.1e}", widths.len(), widths[widths.len() / 2]);
    assert!(widths.len() > 60);
}

#[test]
fn composed_responses_are_enclosed() {
    let mut seen = 0;
    for row in rows("closed_form/randomized_response").iter().step_by(11) {
        let (epsilon, delta, count): (f64, f64, u64) =
            (row.number("epsilon0"), row.number("delta0"), row.number("count"));
        if is_moderate(row, epsilon * count as f64) && count < 2_000 {
            let method = if seen % 4 == 0 { Method::Buckets } else { Method::Lattice };
            check(&ApproximateDp::new(epsilon, delta).unwrap().repeat(count), row, method);
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

/// A peer's "pessimistic" δ is below the truth at ε = 7 (4.99e-12 against 5.17e-12) and negative at ε = 8.
#[test]
fn far_tails_are_not_lost_to_round_off() {
    let mechanism: Mechanism = "gaussian(sigma=100) * 10000".parse().unwrap();
    for epsilon in [7.0, 8.0] {
        let exact = hockeystick::delta(&mechanism, epsilon).unwrap();
        let lattice = Query::new(&mechanism).method(Method::Lattice).delta(epsilon).unwrap();
        assert!(lattice.lower().unwrap() > 0.0);
        assert!(lattice.lower().unwrap() <= exact.upper() && exact.lower().unwrap() <= lattice.upper());
    }
}
