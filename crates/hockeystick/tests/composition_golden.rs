//! Compositions against references from contour integrals and exact sums: every answer must enclose, whatever engine gave it.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};
use hockeystick_golden::rows;

/// One row in this many.
const STRIDE: usize = 3;

#[test]
fn compositions_enclose_the_references() {
    let mut seen = 0;
    for file in ["sampled_gaussian", "heterogeneous", "discrete", "laplace", "others"] {
        for row in rows(&format!("composition/{file}")).iter().step_by(STRIDE) {
            let mechanism: Mechanism = row.text("expression").parse().unwrap();
            let relation: Relation = row.text("direction").parse().unwrap();
            let epsilon: f64 = row.number("epsilon");
            if epsilon < 0.0 {
                continue;
            }
            // Wide is allowed here: this is about soundness, and fast enough for every run.
            let answer = Query::new(&mechanism).relation(relation).tolerance(0.1).delta(epsilon).unwrap();
            let (lower, upper) = (answer.lower().unwrap(), answer.upper());
            let truth = row.reference("delta");
            assert!(
                truth.is_at_least(lower) && truth.is_at_most(upper),
                "{mechanism} {relation} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
                row.text("delta")
            );
            seen += 1;
        }
    }
    println!("{seen} compositions enclosed");
    assert!(seen > 400, "{seen}");
}
