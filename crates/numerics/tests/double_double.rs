//! 106-bit functions against reference values: the stated bound holds, for the double-double and for the ball.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick_golden::{Decimal, Row, rows};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble};

fn argument(row: &Row) -> DoubleDouble {
    DoubleDouble::from_sum(row.number("x_hi"), row.number("x_lo"))
}

/// |value − reference| as a fraction of the reference.
fn error(value: DoubleDouble, reference: &Decimal) -> f64 {
    let rest = reference.minus(&Decimal::exactly(value.hi()));
    rest.minus(&Decimal::exactly(value.lo())).ratio(reference)
}

fn sweep(column: &str, f: impl Fn(DoubleDouble) -> DoubleDouble, ball: impl Fn(Ball) -> Ball) {
    let mut worst: f64 = 0.0;
    let mut count = 0;
    for row in rows("special/double_double") {
        if row.text(column).is_empty() {
            continue;
        }
        let reference = row.reference(column);
        let value = f(argument(&row));
        // Beyond this range a low half may underflow on the way; the ball says so, the double-double cannot.
        let stated = |x: f64| (1e-120..=1e120).contains(&x.abs());
        if stated(value.hi()) && stated(row.number("x_hi")) {
            worst = worst.max(error(value, &reference));
        }
        let enclosure = ball(Ball::new(argument(&row), 0.0)).enclosure();
        assert!(
            reference.is_at_least(enclosure.lower()) && reference.is_at_most(enclosure.upper()),
            "{row:?}"
        );
        count += 1;
    }
    println!("{column}: worst relative error {worst:.2e} over {count} references");
    assert!(count > 500);
    assert!(worst <= DoubleDouble::FUNCTION_ERROR, "{column}: {worst:e}");
}

#[test]
fn exponential_keeps_its_bound() {
    sweep("exp", DoubleDouble::exp, Ball::exp);
}

#[test]
fn logarithm_keeps_its_bound() {
    sweep("log", DoubleDouble::ln, Ball::ln);
}
