//! Trade-off functions and what follows from them, against closed forms in ball arithmetic.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};
use hockeystick_golden::rows;
use hockeystick_numerics::special::erfc;

#[test]
fn trade_offs_and_accuracies_enclose_closed_forms() {
    let (mut widest, mut widest_accuracy): (f64, f64) = (0.0, 0.0);
    for row in rows("risk/trade_off") {
        let mechanism: Mechanism = row.text("expression").parse().unwrap();
        let relation: Relation = row.text("relation").parse().unwrap();
        let curves = Query::new(&mechanism).relation(relation).curves().unwrap();
        let x: f64 = row.number("x");
        let found = curves.trade_off(x).unwrap().value();
        let truth = row.reference("f");
        assert!(
            truth.is_at_least(found.lower()) && truth.is_at_most(found.upper()),
            "{mechanism} {relation} at {x}: {found:?} misses {}",
            row.text("f")
        );
        widest = widest.max(found.width());
        let detected = curves.true_positive_rate(x).unwrap().value();
        assert!(detected.lower() <= 1.0 - found.lower() && 1.0 - found.upper() <= detected.upper());

        let prior: f64 = row.number("prior");
        let accuracy = curves.accuracy(prior).unwrap();
        let truth = row.reference("accuracy");
        assert!(
            truth.is_at_least(accuracy.lower()) && truth.is_at_most(accuracy.upper()),
            "{mechanism} {relation}, prior {prior}: {accuracy:?} misses {}",
            row.text("accuracy")
        );
        widest_accuracy = widest_accuracy.max(accuracy.width());

        // The belief follows from the true positive rate by Bayes' rule. When a record is added, the attack looks for absent ones.
        let belief = curves.belief(prior, x).unwrap();
        let prior = if relation == Relation::Add { 1.0 - prior } else { prior };
        let bayes = |tpr: f64| prior * tpr / (prior * tpr + (1.0 - prior) * x);
        assert!(belief.lower() <= bayes(detected.upper()) && bayes(detected.lower()) <= belief.upper());
        assert!(belief.width() < 1e-6, "{mechanism} {relation} {x} {detected:?} {belief:?}");
    }
    println!("widest trade-off {widest:.1e}, widest accuracy {widest_accuracy:.1e}");
    assert!(widest < 1e-12 && widest_accuracy < 1e-14, "{widest:e} {widest_accuracy:e}");
}

/// One step of a sampled Gaussian from its definition: with the record (1 − q)·N(0, 1) + q·N(1, 1), without it N(0, 1). At a
/// prior of 0.9 that the record is in the data, an attack that looks for absent records begins with a belief of 0.1.
#[test]
fn a_belief_is_in_what_the_attack_looks_for() {
    let mechanism: Mechanism = "poisson(gaussian(sigma=1), rate=0.5)".parse().unwrap();
    let upper_tail = |x: f64| 0.5 * erfc(x / std::f64::consts::SQRT_2);
    for (relation, belief_before) in [(Relation::Remove, 0.9), (Relation::Add, 0.1)] {
        let curves = Query::new(&mechanism).relation(relation).curves().unwrap();
        // Members are sought above 1.5, absent records below −0.5: the likelihood ratio increases.
        let with_above = |x: f64| 0.5 * upper_tail(x) + 0.5 * upper_tail(x - 1.0);
        let (false_positives, true_positives) = match relation {
            Relation::Add => (1.0 - with_above(-0.5), 1.0 - upper_tail(-0.5)),
            _ => (upper_tail(1.5), with_above(1.5)),
        };
        let (right, wrong) = (belief_before * true_positives, (1.0 - belief_before) * false_positives);
        let found = curves.belief(0.9, false_positives).unwrap();
        let truth = right / (right + wrong);
        assert!((found.midpoint() - truth).abs() < 1e-9, "{relation}: {found:?}, {truth}");
    }
}

/// 2Φ(μ/2) − 1 with μ = 1, and (e^ε − 1)/(e^ε + 1) with ε = ln 3.
#[test]
fn advantage_is_the_total_variation_distance() {
    let advantage = |text: &str| {
        let mechanism: Mechanism = text.parse().unwrap();
        Query::new(&mechanism).curves().unwrap().advantage().value()
    };
    assert!(advantage("gaussian(sigma=1)").contains(0.382_924_922_548_026_2));
    assert!(advantage("randomized_response(p=0.75)").contains(0.5));
}

#[test]
fn a_guess_is_all_that_is_left_at_the_ends() {
    let mechanism: Mechanism = "poisson(gaussian(sigma=1), rate=0.1)".parse().unwrap();
    let curves = Query::new(&mechanism).curves().unwrap();
    assert!(curves.trade_off(1.0).unwrap().value().upper() <= 1e-15);
    assert!(curves.trade_off(0.0).unwrap().value().contains(1.0));
    // Nobody is accused, so nothing is learnt.
    assert!(curves.belief(0.3, 0.0).unwrap().contains(0.3));
    assert!(curves.trade_off(1.5).is_err() && curves.accuracy(0.0).is_err());
}
