//! Compositions against references from contour integrals and exact sums: every answer must enclose, whatever engine gave it.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_golden::{Row, rows};

const FILES: [&str; 6] = ["sampled_gaussian", "heterogeneous", "discrete", "staircase", "laplace", "others"];

/// Asks for δ of one row in `stride`, wide intervals being allowed: this is about soundness, and fast enough for every run. Returns
/// how many rows there were.
fn sweep(method: Method, stride: usize, is_wanted: impl Fn(&Row) -> bool) -> usize {
    let mut seen = 0;
    for file in FILES {
        let mut widths = Vec::new();
        for row in rows(&format!("composition/{file}")).iter().step_by(stride).filter(|row| is_wanted(row)) {
            let mechanism: Mechanism = row.text("expression").parse().unwrap();
            let relation: Relation = row.text("direction").parse().unwrap();
            let epsilon: f64 = row.number("epsilon");
            if epsilon < 0.0 {
                continue;
            }
            let query = Query::new(&mechanism).relation(relation).method(method).tolerance(0.1);
            let answer = query.delta(epsilon).unwrap();
            let (lower, upper) = (answer.lower().unwrap(), answer.upper());
            let truth = row.reference("delta");
            assert!(
                truth.is_at_least(lower) && truth.is_at_most(upper),
                "{mechanism} {relation} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
                row.text("delta")
            );
            widths.push((upper - lower) / upper.max(f64::MIN_POSITIVE));
            seen += 1;
        }
        widths.sort_by(f64::total_cmp);
        let median = widths.get(widths.len() / 2).copied().unwrap_or_default();
        println!("{file}: {} compositions, median relative width of δ {median:.1e}", widths.len());
    }
    println!("{seen} compositions enclosed by {method}");
    seen
}

#[test]
fn compositions_enclose_the_references() {
    let seen = sweep(Method::Auto, 31, |_| true);
    assert!(seen > 30, "{seen}");
}

fn uses(row: &Row) -> f64 {
    row.text("expression").rsplit("* ").next().unwrap().parse().unwrap_or(1.0)
}

/// The lattice alone. Millions of uses need the largest windows, and seconds.
#[test]
fn lattices_enclose_the_references() {
    let seen = sweep(Method::Lattice, 2, |row| uses(row) < 3e5);
    assert!(seen >= 500, "{seen}");
}

/// The laws as published, which are wider.
#[test]
fn published_laws_enclose_the_references() {
    let is_quick = |row: &Row| uses(row) < 1e4 && row.number::<f64>("epsilon") < 20.0;
    for method in [Method::Tangents, Method::Buckets, Method::Riemann] {
        let seen = sweep(method, 41, is_quick);
        assert!(seen > 15, "{method}: {seen}");
    }
}

/// Every row.
#[test]
#[ignore = "takes a minute if compiled for release, and many if not"]
fn lattices_enclose_every_reference() {
    let seen = sweep(Method::Lattice, 1, |_| true);
    assert!(seen > 1000, "{seen}");
}
