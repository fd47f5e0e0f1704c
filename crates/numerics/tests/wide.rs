//! Turns and functions of many 106-bit numbers against reference values: the stated bounds hold.

#![allow(clippy::print_stdout, reason = "measured errors are part of what a sweep shows")]

use hockeystick_golden::{Decimal, Row, rows};
use hockeystick_numerics::{double_double::DoubleDouble, wide_array::WideArray, wide_complex::WideComplex};

fn argument(row: &Row) -> DoubleDouble {
    DoubleDouble::from_sum(row.number("x_hi"), row.number("x_lo"))
}

fn arguments(rows: &[Row]) -> WideArray {
    let mut array = WideArray::default();
    rows.iter().for_each(|row| array.push(argument(row)));
    array
}

/// |value − reference|.
fn distance(value: DoubleDouble, reference: &Decimal) -> f64 {
    let rest = reference.minus(&Decimal::exactly(value.hi()));
    rest.minus(&Decimal::exactly(value.lo())).ratio(&Decimal::exactly(1.0))
}

/// |value − reference| as a fraction of the reference.
fn error(value: DoubleDouble, reference: &Decimal) -> f64 {
    let rest = reference.minus(&Decimal::exactly(value.hi()));
    rest.minus(&Decimal::exactly(value.lo())).ratio(reference)
}

#[test]
fn turns_keep_their_bound() {
    let rows: Vec<Row> = rows("special/wide_turn").into_iter().collect();
    let many = arguments(&rows).cis().expect("no angle is large");
    let mut worst: f64 = 0.0;
    for (i, row) in rows.iter().enumerate() {
        let one = WideComplex::cis(argument(row)).expect("no angle is large");
        for turn in [one, WideComplex { re: many.re.at(i), im: many.im.at(i) }] {
            let off =
                distance(turn.re, &row.reference("cos")).hypot(distance(turn.im, &row.reference("sin")));
            worst = worst.max(off);
        }
    }
    println!("worst error {worst:.2e} over {} references", rows.len());
    assert!(rows.len() > 500);
    assert!(worst <= WideComplex::CIS_ERROR, "{worst:e}");
}

#[test]
fn half_erfc_keeps_its_bound() {
    let rows: Vec<Row> = rows("special/wide_erfc").into_iter().collect();
    let values = arguments(&rows).half_erfc();
    let mut worst: f64 = 0.0;
    for (i, row) in rows.iter().enumerate() {
        let off = error(values.at(i), &row.reference("value"));
        let x: f64 = row.number("x_hi");
        let stated = WideArray::half_erfc_error(x);
        assert!(off <= stated, "{x}: {off:e} {stated:e}");
        worst = worst.max(off / stated);
    }
    println!("worst error {worst:.2} of what is stated over {} references", rows.len());
    assert!(rows.len() > 500);
}

#[test]
fn functions_of_many_keep_their_bounds() {
    let all: Vec<Row> = rows("special/double_double").into_iter().collect();
    let stated = |x: f64| (1e-120..=1e120).contains(&x.abs());
    let exponents: Vec<Row> =
        all.iter().filter(|row| !row.text("exp").is_empty() && stated(row.number("x_hi"))).cloned().collect();
    let (values, mut worst) = (arguments(&exponents).exp(), 0f64);
    for (i, row) in exponents.iter().enumerate().filter(|(i, _)| stated(values.leading()[*i])) {
        worst = worst.max(error(values.at(i), &row.reference("exp")));
    }
    assert!(exponents.len() > 500 && worst <= DoubleDouble::FUNCTION_ERROR, "{worst:e}");

    // ln(1 + (x − 1)), where the difference is exact.
    let is_exact = |row: &&Row| {
        let x = argument(row);
        let less = x - DoubleDouble::ONE;
        !row.text("log").is_empty() && stated(x.hi()) && less + DoubleDouble::ONE == x && less.hi() != 0.0
    };
    let logarithms: Vec<Row> = all.iter().filter(is_exact).cloned().collect();
    let mut less_one = WideArray::default();
    logarithms.iter().for_each(|row| less_one.push(argument(row) - DoubleDouble::ONE));
    let values = less_one.ln_1p();
    let mut share: f64 = 0.0;
    for (i, row) in logarithms.iter().enumerate() {
        let log = values.leading()[i];
        // Near x = 0 the sum with −1 has lost digits of x, and of nothing else.
        if argument(row).hi() > 1e-3 {
            share = share.max(distance(values.at(i), &row.reference("log")) / WideArray::log_error(log));
        }
    }
    println!("exp: worst {worst:.2e}; ln_1p: {share:.2} of its bound, {} references", logarithms.len());
    assert!(logarithms.len() > 300 && share <= 1.0, "{share}");
}
