//! Samples of compositions, which are known by their curve: against references, by laws, and next to pairs that are known by themselves.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    pair::{CertifiedCurve, CurvePair, Direction, Releases, SharedPair, dominating_pair},
};
use hockeystick_golden::rows;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use proptest::prelude::*;
use std::ops::RangeInclusive;

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Both ends of δ.
fn delta(text: &str, relation: Relation, epsilon: f64) -> (f64, f64) {
    let mechanism = parsed(text);
    let answer = Query::new(&mechanism).relation(relation).delta(epsilon).unwrap();
    let (lower, upper) = (answer.lower().unwrap(), answer.upper());
    assert!(0.0 <= lower && lower <= upper && upper <= 1.0, "{text}: [{lower:e}, {upper:e}]");
    (lower, upper)
}

fn overlap(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

#[test]
fn references_are_enclosed() {
    let (mut once, mut composed, mut count) = (0f64, 0f64, 0);
    for row in rows("composition/sampled_compositions") {
        let text = row.text("expression");
        let epsilon: f64 = row.number("epsilon");
        let (lower, upper) = delta(text, row.text("direction").parse().unwrap(), epsilon);
        let truth = row.reference("delta");
        assert!(
            truth.is_at_least(lower) && truth.is_at_most(upper),
            "{text} {} at ε = {epsilon}: [{lower:e}, {upper:e}] misses {}",
            row.text("direction"),
            row.text("delta")
        );
        let width = (upper - lower) / upper;
        let widest =
            if text.contains(") * 2") && text.contains("gaussian") { &mut composed } else { &mut once };
        *widest = widest.max(width);
        count += 1;
    }
    println!(
        "{count} references, relative widths of δ up to {once:.1e} for one use, {composed:.1e} composed"
    );
    assert!(count >= 75 && once < 1e-6 && composed < 1e-3, "{count} rows, {once:e}, {composed:e}");
}

/// A pair that is known by itself, as if nothing were known but its curve.
#[derive(Debug)]
struct Forgotten(SharedPair, SharedPair);

impl CertifiedCurve for Forgotten {
    fn removed(&self, epsilon: f64) -> Probability {
        self.0.delta(Ball::from(epsilon))
    }

    fn added(&self, epsilon: f64) -> Probability {
        self.1.delta(Ball::from(epsilon))
    }

    fn infinite_mass(&self) -> Probability {
        self.0.infinite_mass()
    }

    fn vanishing_mass(&self) -> Probability {
        self.0.vanishing_mass()
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        self.0.finite_losses()
    }

    fn is_self_dual(&self) -> bool {
        self.0.is_self_dual()
    }
}

/// What the curve alone says of a composition is little wider than what the pair itself does, and contains it.
#[test]
fn curves_are_nearly_as_good_as_pairs() {
    for (text, count, epsilon, widest) in [
        ("poisson(gaussian(sigma=1), rate=0.01)", 1000, 1.5, 1e-4),
        ("poisson(gaussian(sigma=1), rate=0.01)", 10, 1.5, 1e-3),
        ("poisson(gaussian(sigma=0.5), rate=0.001)", 100_000, 2.0, 1e-4),
        ("gaussian(sigma=1)", 4, 8.0, 1e-4),
        ("gaussian(sigma=20)", 10_000, 20.0, 1e-4),
        ("laplace(scale=1)", 4, 2.0, 1e-4),
        ("randomized_response(p=0.75)", 7, 1.0, 1e-4),
        ("truncated_gaussian(sigma=1, bound=3)", 3, 1.0, 1e-4),
        ("dp(epsilon=0.1, delta=1e-6)", 50, 2.0, 1e-4),
        ("stability(epsilon=1, delta=1e-6)", 3, 0.5, 1e-4),
        ("uniform(width=20)", 5, 0.1, 1e-4),
    ] {
        let pair = dominating_pair(&parsed(text), Direction::Remove).unwrap();
        let forgotten = CurvePair::shared(Forgotten(SharedPair::clone(&pair), pair.dual()));
        let (pair, curve) = (
            Releases::of_pair(text, pair, count).unwrap(),
            Releases::of_pair(text, forgotten, count).unwrap(),
        );
        for relation in [Relation::Remove, Relation::Add, Relation::AddRemove] {
            let ends = |releases| {
                let answer = Query::of(releases).relation(relation).delta(epsilon).unwrap();
                (answer.lower().unwrap(), answer.upper())
            };
            let (exact, found) = (ends(&pair), ends(&curve));
            let width = (found.1 - found.0) / found.1.max(f64::MIN_POSITIVE);
            println!("{text} * {count}, {relation:?}: {exact:?} in {found:?}, {width:.1e}");
            assert!(overlap(exact, found), "{text} * {count}, {relation:?}: {exact:?} and {found:?}");
            assert!(width <= widest, "{text} * {count}, {relation:?}: {found:?}, {width:.1e}");
        }
    }
}

/// ε is the inverse of δ, and both ends hold.
#[test]
fn epsilon_and_delta_agree() {
    let mechanism = parsed("poisson(gaussian(sigma=1) + laplace(scale=2), rate=0.01) * 100");
    let answer = Query::new(&mechanism).epsilon(1e-5).unwrap();
    let (lower, upper) = (answer.lower().unwrap(), answer.upper());
    assert!(upper - lower < 1e-4 * upper, "[{lower}, {upper}]");
    let text = mechanism.to_string();
    assert!(delta(&text, Relation::AddRemove, upper).0 <= 1e-5);
    assert!(delta(&text, Relation::AddRemove, lower).1 >= 1e-5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// A sample at rate 1 is the composition itself, a smaller rate spends no more, and sampling twice is sampling at the product of the rates.
    #[test]
    fn rates_obey_their_laws(
        sigma in 0.7f64..4.0,
        scale in 0.5f64..4.0,
        rate in 0.01f64..0.9,
        share in 0.1f64..1.0,
        uses in 1u32..40,
        epsilon in 0.0f64..2.0,
        relation in prop_oneof![Just(Relation::Remove), Just(Relation::Add)],
    ) {
        let inner = format!("gaussian(sigma={sigma}) + laplace(scale={scale})");
        let of = |rate: f64| delta(&format!("poisson({inner}, rate={rate}) * {uses}"), relation, epsilon);
        let (all, some, fewer) = (of(1.0), of(rate), of(rate * share));
        let itself = delta(&format!("({inner}) * {uses}"), relation, epsilon);
        prop_assert!(overlap(all, itself), "{all:?} {itself:?}");
        prop_assert!(fewer.0 <= some.1 && some.0 <= all.1, "{fewer:?} {some:?} {all:?}");
        let product = of(0.5 * rate);
        let twice = format!("poisson(poisson({inner}, rate={rate}), rate=0.5) * {uses}");
        let twice = delta(&twice, relation, epsilon);
        prop_assert!(overlap(twice, product), "{twice:?} {product:?}");
    }

    /// `repeat(M, k)` is M composed k times, for what runs on the sample and for the sample.
    #[test]
    fn repetitions_are_compositions(
        scale in 1.0f64..4.0,
        rate in 0.01f64..0.9,
        uses in 2u32..6,
        epsilon in 0.0f64..1.0,
    ) {
        let one = format!("gaussian(sigma=2) + laplace(scale={scale})");
        let inside = vec![one.clone(); uses as usize].join(" + ");
        let relation = Relation::AddRemove;
        let repeated = delta(&format!("poisson(({one}) * {uses}, rate={rate})"), relation, epsilon);
        let listed = delta(&format!("poisson({inside}, rate={rate})"), relation, epsilon);
        prop_assert!(overlap(repeated, listed), "{repeated:?} {listed:?}");
        let sample = format!("poisson({one}, rate={rate})");
        let outside = vec![sample.clone(); uses as usize].join(" + ");
        let repeated = delta(&format!("{sample} * {uses}"), relation, epsilon);
        let listed = delta(&outside, relation, epsilon);
        prop_assert!(overlap(repeated, listed), "{repeated:?} {listed:?}");
    }
}

/// A sample of fixed size of a symmetric composition, under every relation.
#[test]
fn subsets_of_compositions() {
    let text = "subset(gaussian(sigma=1) + laplace(scale=2), rate=0.01) * 100";
    let removing = delta(text, Relation::Remove, 1.0);
    let poisson = delta(&text.replace("subset", "poisson"), Relation::Remove, 1.0);
    assert!(overlap(removing, poisson));
    // Replacing a record is worse than either half of its curve.
    let replacing = delta(text, Relation::Replace, 1.0);
    assert!(replacing.0 > removing.1 && replacing.1 - replacing.0 < 1e-3 * replacing.1, "{replacing:?}");
    // What is not symmetric has no theorem.
    let skew = parsed("subset(gaussian(sigma=1) + exponential(epsilon=1), rate=0.01) * 100");
    let answer = Query::new(&skew).delta(1.0);
    assert_eq!(
        answer.is_ok(),
        dominating_pair(&parsed("exponential(epsilon=1)"), Direction::Replace).is_ok()
    );
}
