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

/// Mixtures of two Gaussians, by sums over a grid: δ of two uses of `(1−q)N(0) + qN(a)` against `(1−q)N(0) + qN(b)`.
fn twice_by_sums(rate: f64, a: f64, b: f64, epsilon: f64) -> f64 {
    let step = 0.02;
    let density = |x: f64, mean: f64| {
        (-0.5 * (x - mean) * (x - mean)).exp() * step / (2.0 * std::f64::consts::PI).sqrt()
    };
    let mixed = |x: f64, mean: f64| (1.0 - rate) * density(x, 0.0) + rate * density(x, mean);
    let points: Vec<(f64, f64)> =
        (-450..=450).map(|i| step * f64::from(i)).map(|x| (mixed(x, a), mixed(x, b))).collect();
    let excess =
        |(p, q): (f64, f64)| points.iter().map(|x| (p * x.0 - epsilon.exp() * q * x.1).max(0.0)).sum::<f64>();
    points.iter().map(|&x| excess(x)).sum()
}

/// Under replace-one: what is attained by one pair of datasets is a lower end, what is proven an upper one, and no pair of datasets spends more.
#[test]
fn poisson_samples_under_replace_one() {
    let text = "poisson(gaussian(sigma=1), rate=0.1)";
    for epsilon in [0.0, 0.25, 1.0] {
        let (one, removed) =
            (delta(text, Relation::Replace, epsilon), delta(text, Relation::Remove, epsilon));
        assert!(overlap(one, removed) && one.1 - one.0 < 1e-9, "{one:?} {removed:?}");
        let two = delta(&format!("{text} * 2"), Relation::Replace, epsilon);
        assert!(two.0 < two.1);
        for (a, b) in [(1.0, 0.0), (0.0, 1.0), (0.5, -0.5), (1.0, 0.25), (-0.25, 0.75)] {
            let real = twice_by_sums(0.1, a, b, epsilon);
            assert!(real <= two.1 * (1.0 + 1e-9), "{real} against {two:?} for {a} and {b} at ε = {epsilon}");
        }
        let attained = twice_by_sums(0.1, 1.0, 0.0, epsilon);
        // (The sums have five digits.)
        assert!((two.0 / attained - 1.0).abs() < 1e-5, "{attained} is not the lower end of {two:?}");
    }
    // No wider than what is proven for samples of fixed size, and not narrower than one direction.
    let (many, fixed) =
        ("poisson(gaussian(sigma=1), rate=0.01) * 100", "subset(gaussian(sigma=1), rate=0.01) * 100");
    let (found, other) = (delta(many, Relation::Replace, 0.5), delta(fixed, Relation::Replace, 0.5));
    assert!(
        overlap((found.1, found.1), (other.0 * (1.0 - 1e-9), other.1 * (1.0 + 1e-9))),
        "{found:?} {other:?}"
    );
    assert!(overlap((found.0, found.0), delta(many, Relation::Remove, 0.5)), "{found:?}");
    let all = delta("poisson(gaussian(sigma=3), rate=1) * 4", Relation::Replace, 0.5);
    assert!(overlap(all, delta("gaussian(sigma=3) * 4", Relation::Replace, 0.5)));
    // The gap is the theory's, and the answer says so, for samples of compositions too.
    for text in [many, "poisson(gaussian(sigma=2) + laplace(scale=3), rate=0.05) * 10"] {
        let mechanism = parsed(text);
        let answer = Query::new(&mechanism).relation(Relation::Replace).delta(0.5).unwrap();
        assert!(
            answer.notes().iter().any(|note| note.contains("not decided by theory")),
            "{:?}",
            answer.notes()
        );
        assert!(answer.lower().unwrap() < answer.upper());
    }
    let skew = parsed("poisson(gaussian_variance(sigma1=1, sigma2=1.1), rate=0.01)");
    assert!(Query::new(&skew).relation(Relation::Replace).delta(0.5).is_err());
}
