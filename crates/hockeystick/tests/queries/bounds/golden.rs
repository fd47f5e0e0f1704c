//! Against 36-digit references of δ(ε) of compositions.

use crate::bounds::support::{UPPER, delta_in};
use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_golden::rows;

/// One row in this many, and of those one in this many for the methods that take up to a second.
const STRIDE: usize = 2;
const STRIDE_OF_SLOW: usize = 12;

#[test]
fn bounds_are_on_the_right_side_of_every_reference() {
    let mut seen = 0;
    for file in ["sampled_gaussian", "heterogeneous", "discrete", "laplace", "others", "peers"] {
        for (index, row) in rows(&format!("composition/{file}")).iter().step_by(STRIDE).enumerate() {
            let mechanism: Mechanism = row.text("expression").parse().unwrap();
            let relation: Relation = row.text("direction").parse().unwrap();
            let epsilon: f64 = row.number("epsilon");
            if epsilon < 0.0 {
                continue;
            }
            let truth = row.reference("delta");
            let mut uppers = Vec::new();
            for method in UPPER {
                let is_slow = matches!(method, Method::Kov | Method::Basic | Method::Advanced);
                if is_slow && index % STRIDE_OF_SLOW != 0 {
                    continue;
                }
                let answer = delta_in(&mechanism, relation, epsilon, method);
                let what = format!("{mechanism} {relation} at {epsilon} by {method}: {answer:?}");
                // A reference of 36 digits may be off by half of the last: exact answers are doubles with more digits.
                assert!(truth.is_at_most(answer.upper().next_up()), "{what}");
                if let Some(lower) = answer.lower() {
                    assert!(truth.is_at_least(lower.next_down()), "{what}");
                }
                uppers.push(answer.upper());
                seen += 1;
            }
            let [classic, standard, optimal, markov, ..] = uppers[..] else { unreachable!() };
            assert!(
                optimal <= standard && standard <= classic,
                "{mechanism} {relation} {epsilon}: {uppers:?}"
            );
            assert!(markov <= classic * (1.0 + 1e-9), "{mechanism} {relation} {epsilon}: {uppers:?}");
        }
    }
    assert!(seen > 3_500, "{seen}");
}
