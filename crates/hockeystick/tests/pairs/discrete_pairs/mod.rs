//! Discrete pairs: against sums of the definition in plain doubles, against closed forms, and by the laws that every
//! pair obeys.

mod files;

use hockeystick::{
    mechanism::{ApproximateDp, Mechanism},
    pair::{Atom, Direction, DiscretePair, DominatingPair, NoPair, SharedPair, dominating_pair},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use proptest::prelude::*;

fn expression(text: &str) -> SharedPair {
    let mechanism: Mechanism = text.parse().unwrap();
    dominating_pair(&mechanism, Direction::Remove).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A few pairs of every kind.
fn examples() -> Vec<(&'static str, SharedPair)> {
    [
        "randomized_response(epsilon=1)",
        "randomized_response(p=0.3)",
        "randomized_response(p=0.5)",
        "dp(epsilon=0.7, delta=0.01)",
        "dp(epsilon=0, delta=0)",
        "k_randomized_response(categories=2, epsilon=1.5)",
        "k_randomized_response(categories=10, epsilon=0.5)",
        "staircase(epsilon=0.8, gamma=0.3)",
        "staircase(epsilon=2, gamma=0.9)",
        "staircase(epsilon=1.5, gamma=0.5)",
        "staircase(epsilon=1e300, gamma=0)",
        "staircase(epsilon=1e300, gamma=1e-300)",
        "staircase(epsilon=5e-324, gamma=1)",
        "uniform(width=3)",
        "uniform(width=1)",
        "exponential(epsilon_tilde=0.05, n=100, m=50)",
        "exponential(epsilon_tilde=700, n=3, m=1)",
        "discrete_laplace(scale=2, sensitivity=3)",
        "discrete_laplace(scale=0.02)",
        "skellam(variance=1e-40)",
        "skellam(variance=0.3, sensitivity=2)",
        "skellam(variance=40, sensitivity=5)",
        "skellam(variance=5000)",
        "binomial(n=50, p=0.3, sensitivity=2)",
        "binomial(n=40, sensitivity=11)",
        "binomial(n=12, dimension=3)",
        "binomial(n=3, sensitivity=5)",
        "discrete_gaussian(sigma=0.05)",
        "discrete_gaussian(sigma=1.5, sensitivity=4)",
        "discrete_gaussian(sigma=60)",
    ]
    .map(|text| (text, expression(text)))
    .to_vec()
}

fn at(epsilon: f64) -> Ball {
    Ball::from(epsilon)
}

const EPSILONS: [f64; 14] =
    [-40.0, -5.0, -1.5, -1.0, -0.3, -1e-3, 0.0, 1e-3, 0.1, 0.7, 1.0, 2.5, 10.0, 300.0];

/// Are both enclosures of the same number, as far as they tell?
fn agree(a: Enclosure, b: Enclosure) -> bool {
    a.overlaps(b)
}

#[test]
fn profiles_fall_from_one_and_are_convex() {
    for (name, pair) in examples() {
        for pair in [pair.clone(), pair.dual()] {
            let mut last: Option<(f64, Probability, f64)> = None;
            for epsilon in EPSILONS {
                let here = pair.delta(at(epsilon));
                let alpha = epsilon.exp();
                assert!(
                    here.value().upper() >= (1.0 - alpha).max(0.0) * (1.0 - 1e-12),
                    "{name} at {epsilon}"
                );
                assert!(here.value().lower() >= 0.0 && here.value().upper() <= 1.0);
                assert!(
                    here.value().width() <= 1e-12 * here.value().upper().max(1e-300),
                    "{name} at {epsilon}: {here:?}"
                );
                if let Some((before, delta, slope)) = last {
                    assert!(here.value().lower() <= delta.value().upper(), "{name} grows at {epsilon}");
                    assert!(
                        here.complement().upper() >= delta.complement().lower(),
                        "{name} grows at {epsilon}"
                    );
                    let rise = (here.value().midpoint() - delta.value().midpoint()) / (alpha - before);
                    assert!(rise >= slope - 1e-9, "{name} is not convex at {epsilon}: {rise} after {slope}");
                    last = Some((alpha, here, rise));
                } else {
                    last = Some((alpha, here, f64::NEG_INFINITY));
                }
            }
            assert!(pair.delta(at(-700.0)).value().upper() >= 1.0 - 1e-300, "{name}");
        }
    }
}

#[test]
fn tails_make_the_profile() {
    for (name, pair) in examples() {
        for epsilon in EPSILONS {
            let (delta, tails) = (pair.delta(at(epsilon)).value(), pair.tails(at(epsilon)));
            let from_tails = tails.p.value() - at(epsilon).exp_enclosure() * tails.q.value();
            assert!(agree(delta, from_tails), "{name} at {epsilon}: {delta:?} {from_tails:?}");
            for tail in [tails.p, tails.q] {
                assert!(agree(tail.value(), tail.complement().one_minus()), "{name} at {epsilon}");
            }
        }
    }
}

/// `H_α(Q‖P) = αH_{1/α}(P‖Q) − α + 1` ([Zhu22, Lemma 21]).
#[test]
fn swapped_pairs_are_dual() {
    for (name, pair) in examples() {
        let dual = pair.dual();
        for epsilon in EPSILONS {
            let alpha = at(epsilon).exp_enclosure();
            let direct = dual.delta(at(epsilon)).value();
            let mirrored = alpha * pair.delta(at(-epsilon)).value() - at(epsilon).exp_m1_enclosure();
            assert!(agree(direct, mirrored), "{name} at {epsilon}: {direct:?} {mirrored:?}");
            let back = dual.dual().delta(at(epsilon));
            assert!(agree(back.value(), pair.delta(at(epsilon)).value()), "{name} at {epsilon}");
            if pair.is_self_dual() {
                assert!(
                    agree(direct, pair.delta(at(epsilon)).value()),
                    "{name} is not self-dual at {epsilon}"
                );
            }
        }
        assert!(agree(dual.infinite_mass().value(), pair.vanishing_mass().value()), "{name}");
        let (ends, mirrored) = (dual.finite_losses(), pair.finite_losses());
        assert!(agree(*ends.start(), -*mirrored.end()), "{name}");
    }
}

/// Only pairs that look the same from both sides say so.
#[test]
fn self_duality_is_honest() {
    for (name, is_self_dual) in [
        ("binomial(n=50)", true),
        ("binomial(n=50, p=0.3)", false),
        ("exponential(epsilon_tilde=0.5, n=4, m=1)", false),
        ("k_randomized_response(categories=7, epsilon=1)", true),
        ("staircase(epsilon=1, gamma=0.2)", true),
        ("discrete_gaussian(sigma=2)", true),
        ("skellam(variance=2, sensitivity=3)", true),
    ] {
        assert_eq!(expression(name).is_self_dual(), is_self_dual, "{name}");
    }
    let skewed = expression("binomial(n=50, p=0.3)");
    let (here, there) = (skewed.delta(at(0.2)).value(), skewed.dual().delta(at(0.2)).value());
    assert!(!agree(here, there), "{here:?} {there:?}");
}

#[test]
fn responses_agree_with_their_closed_forms() {
    for text in [
        "randomized_response(epsilon=0.4)",
        "randomized_response(p=0.9)",
        "randomized_response(p=0.1)",
        "dp(epsilon=1.2, delta=1e-5)",
    ] {
        let (mechanism, pair) = (text.parse::<Mechanism>().unwrap(), expression(text));
        for epsilon in [0.0, 0.1, 0.4, 1.0, 1.2, 2.0, 3.0] {
            let answer = hockeystick::delta(&mechanism, epsilon).unwrap();
            let closed = Enclosure::new(answer.lower().unwrap(), answer.upper());
            assert!(agree(closed, pair.delta(at(epsilon)).value()), "{text} at {epsilon}");
        }
        assert!(pair.loss_law().is_some() && pair.is_self_dual());
    }
}

fn discrete(pair: &SharedPair) -> DiscretePair {
    DiscretePair::new(pair.ratio_law().atoms, pair.infinite_mass().value(), pair.vanishing_mass().value())
        .unwrap()
}

/// Products of pairs against the optimal composition theorem ([KOV15, Thm 3.3]), and the trap of [Sommer19, Example 1],
/// whose printed sum gives 0.02138.
#[test]
fn products_compose() {
    let one = discrete(&expression("dp(epsilon=0.3, delta=1e-6)"));
    let ten = (1..10).fold(one.clone(), |product, _| product.product(&one, 1000).unwrap());
    assert_eq!(ten.atoms().len(), 11);
    let delta = ten.delta(at(1.0)).value();
    assert!(delta.lower() > 0.113035 && delta.upper() < 0.113045, "{delta:?}");
    let composed = hockeystick::mechanism::Algebra::repeat(ApproximateDp::new(0.3, 1e-6).unwrap(), 10);
    for epsilon in [0.0, 0.5, 1.0, 1.7, 2.9, 3.5] {
        let answer = hockeystick::delta(&composed, epsilon).unwrap();
        let closed = Enclosure::new(answer.lower().unwrap(), answer.upper());
        let found = ten.delta(at(epsilon)).value();
        assert!(agree(closed, found), "at {epsilon}: {closed:?} {found:?}");
        assert!(found.width() <= 1e-13 * found.upper());
    }
    let large = discrete(&expression("binomial(n=1000, p=0.3)"));
    assert!(matches!(large.product(&large, 10_000), Err(NoPair::TooManyOutcomes { .. })));
}

/// [Koskela21, 6.2] prints the loss with the wrong sign and the mass with mixed indices.
#[test]
fn binomial_is_not_as_printed() {
    let (n, chance) = (4, 0.25f64);
    let ways = [1.0, 4.0, 6.0, 4.0, 1.0f64];
    let mass = |k: i32| {
        if (0..=n).contains(&k) {
            ways[k as usize] * chance.powi(k) * (1.0 - chance).powi(n - k)
        } else {
            0.0
        }
    };
    let outcomes: Vec<_> = (0..=n + 1).map(|x| (mass(x - 1), mass(x))).collect();
    let pair = expression("binomial(n=4, p=0.25)");
    for epsilon in [-3.0, -1.0, 0.0, 0.2, 0.5, 1.0, 1.38, 2.0, 3.0] {
        let (found, truth) = (pair.delta(at(epsilon)).value(), definition(&outcomes, epsilon));
        assert!((found.midpoint() - truth).abs() < 1e-15 && found.width() < 1e-14, "at {epsilon}: {found:?}");
    }
    // As printed: a_i = C(4,i)·p^{i−1}(1−p)^{5−i} at s_i = log(C(4,i)/C(4,i−1)·(1−p)/p), i = 1 … 3.
    let printed = |epsilon: f64| {
        let finite = (1..=3usize).map(|i| {
            let mass = ways[i] * chance.powi(i as i32 - 1) * (1.0 - chance).powi(5 - i as i32);
            let ratio = ways[i] / ways[i - 1] * (1.0 - chance) / chance;
            mass * (1.0 - epsilon.exp() / ratio).max(0.0)
        });
        finite.sum::<f64>() + mass(4)
    };
    assert!(printed(0.5) > 1.2 * pair.delta(at(0.5)).value().upper());
    assert!(pair.infinite_mass().value().contains(mass(4)));
    assert!((pair.vanishing_mass().value().midpoint() - mass(0)).abs() < 1e-16);
}

/// With m of n records counted, removing one changes the odds by e^ε̃; without one there is nothing to remove.
#[test]
fn counting_queries_need_a_record_to_remove() {
    let mechanism: Mechanism = "exponential(epsilon_tilde=0.5, n=4, m=0)".parse().unwrap();
    let error = dominating_pair(&mechanism, Direction::Remove).unwrap_err().to_string();
    assert!(error.contains("m is 0, but must be a whole number from 1 to 4"), "{error}");
    // [Koskela21, 6.1] with ε̃ = 0.05, m = 50 and n = 100, none of which the paper gives together.
    let pair = expression("exponential(epsilon_tilde=0.05, n=100, m=50)");
    let (p, q) = (0.5, 1.0 / (1.0 + 0.05f64.exp()));
    let found = pair.delta(at(0.01)).value();
    assert!((found.midpoint() - (p - 0.01f64.exp() * q)).abs() < 1e-16, "{found:?}");
}

#[test]
fn unbounded_noise_is_refused_with_a_reason() {
    for (text, reason) in [
        ("binomial(n=1000, dimension=5)", "outcomes"),
        (
            "discrete_gaussian(sigma=1e7, sensitivity=1000000000000000)",
            "sensitivity is 1e15, but the worst-case pair is only known from 1e0 to",
        ),
        ("discrete_gaussian(sigma=1e19)", "sigma is 1e19"),
        ("skellam(variance=1e21)", "variance is 1e21"),
        ("discrete_gaussian(sigma=1e-60)", "sigma is 1e-60"),
    ] {
        let mechanism: Mechanism = text.parse().unwrap();
        let error = dominating_pair(&mechanism, Direction::Remove).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// Sums, sampled and not, down to 10⁻³⁰⁰ are relative; beyond doubles they stay enclosures.
#[test]
fn far_tails_keep_their_digits() {
    let gaussian = expression("discrete_gaussian(sigma=1)");
    // At ε between L(37) and L(38) the tail is P(38)(1 − e^{ε − 37.5}) to thirty digits: x = 38 is 37 σ from s = 1.
    let delta = gaussian.delta(at(37.0)).value();
    let normaliser = 2.5066282880429055;
    let truth = (-37f64 * 37.0 / 2.0).exp() / normaliser * -(-0.5f64).exp_m1();
    assert!(
        (delta.midpoint() / truth - 1.0).abs() < 1e-13 && delta.width() < 1e-13 * truth,
        "{delta:?} {truth:e}"
    );
    assert!(gaussian.delta(at(1e6)).value().upper() < 1e-300);
    assert!(gaussian.delta(at(1e300)).value().upper() < 1e-300);
    assert_eq!(gaussian.delta(at(-1e300)).value().upper(), 1.0);
    assert!(gaussian.delta(at(-1e300)).complement().upper() < 1e-300);
    let wide = Ball::new(hockeystick_numerics::double_double::DoubleDouble::from(5e9), 5e9);
    let spread = gaussian.delta(wide).value();
    assert!(spread.upper() >= 0.38 && spread.lower() <= 1e-300, "{spread:?}");
    let tails = gaussian.tails(wide).p.value();
    assert!(tails.upper() >= 0.69 && tails.lower() <= 1e-300, "{tails:?}");
}

/// A wide noise is a long sum: it must agree with the table of its atoms, which is summed another way.
#[test]
fn lattice_sums_agree_with_their_atoms() {
    for text in ["discrete_gaussian(sigma=300, sensitivity=7)", "discrete_gaussian(sigma=2, sensitivity=50)"]
    {
        let pair = expression(text);
        let table = discrete(&pair);
        for epsilon in [-2.0, -0.01, 0.0, 0.005, 0.05, 0.3, 1.0, 300.0] {
            let (sum, known) = (pair.delta(at(epsilon)), table.delta(at(epsilon)));
            assert!(agree(sum.value(), known.value()), "{text} at {epsilon}: {sum:?} {known:?}");
            assert!(agree(sum.complement(), known.complement()), "{text} at {epsilon}: {sum:?} {known:?}");
            let (sum, known) = (pair.tails(at(epsilon)), table.tails(at(epsilon)));
            assert!(agree(sum.p.value(), known.p.value()), "{text} at {epsilon}");
            assert!(agree(sum.q.value(), known.q.value()), "{text} at {epsilon}");
        }
    }
}

/// An atom at ε exactly is not above it; one that may be on either side leaves both open.
#[test]
fn atoms_at_the_threshold() {
    let response = expression("randomized_response(epsilon=1)");
    assert_eq!(response.tails(at(1.0)).p.value(), Enclosure::ZERO);
    assert!(response.tails(at(1f64.next_down())).p.value().lower() > 0.73);
    let blurred = Ball::new(hockeystick_numerics::double_double::DoubleDouble::from(1.0), 1e-20);
    let tail = response.tails(blurred).p.value();
    assert!(tail.lower() == 0.0 && tail.upper() > 0.73, "{tail:?}");
    let beside = response.delta(at(1f64.next_down())).value();
    // 1 − e^{−2^−53}, to relative accuracy.
    let truth = 1f64.exp() / (1.0 + 1f64.exp()) * f64::EPSILON / 2.0;
    assert!((beside.midpoint() / truth - 1.0).abs() < 1e-14 && beside.width() < 1e-14 * truth, "{beside:?}");
}

/// Masses that add up to 1, some of them 0 on one side.
fn masses(n: usize) -> impl Strategy<Value = Vec<(f64, f64)>> {
    let mass = prop_oneof![1 => Just(0.0), 6 => 0f64..1.0, 2 => (-30f64..0.0).prop_map(f64::exp)];
    prop::collection::vec((mass.clone(), mass), 2..n).prop_filter_map("nothing", |raw| {
        let (p, q): (f64, f64) = (raw.iter().map(|m| m.0).sum(), raw.iter().map(|m| m.1).sum());
        (p > 0.0 && q > 0.0).then(|| raw.into_iter().map(|(a, b)| (a / p, b / q)).collect())
    })
}

fn from_masses(masses: &[(f64, f64)]) -> DiscretePair {
    let both = masses.iter().filter(|(p, q)| *p > 0.0 && *q > 0.0);
    let atoms = both.map(|&(p, q)| Atom { loss: (at(p) / at(q)).ln(), p: p.into(), q: q.into() }).collect();
    let only = |sum: f64| Enclosure::relative(sum, 1e-9).clamp(0.0, 1.0);
    let infinite = masses.iter().filter(|m| m.1 == 0.0).map(|m| m.0).sum();
    let vanishing = masses.iter().filter(|m| m.0 == 0.0).map(|m| m.1).sum();
    DiscretePair::new(atoms, only(infinite), only(vanishing)).unwrap()
}

/// `Σ(p − e^ε q)₊` as it stands.
fn definition(masses: &[(f64, f64)], epsilon: f64) -> f64 {
    masses.iter().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

fn is_close(found: Probability, expected: f64) -> bool {
    found.value().lower() - 1e-9 <= expected && expected <= found.value().upper() + 1e-9
}

proptest! {
    #[test]
    fn any_pair_matches_its_definition(masses in masses(60), epsilon in -4f64..4.0, rate in 0.0001f64..1.0) {
        let pair = from_masses(&masses);
        prop_assert!(is_close(pair.delta(at(epsilon)), definition(&masses, epsilon)));
        let swapped: Vec<_> = masses.iter().map(|&(p, q)| (q, p)).collect();
        prop_assert!(is_close(pair.dual().delta(at(epsilon)), definition(&swapped, epsilon)));
        let mixed: Vec<_> = masses.iter().map(|&(p, q)| ((1.0 - rate) * q + rate * p, q)).collect();
        let sampled = pair.sampled(rate);
        prop_assert!(is_close(sampled.delta(at(epsilon)), definition(&mixed, epsilon)));
        // δ_γ(log(1 + γ(e^ε − 1))) = γδ(ε).
        let threshold = (at(rate) * at(epsilon).exp_m1()).ln_1p();
        let amplified = sampled.delta(threshold).value();
        let scaled = Enclosure::point(rate) * pair.delta(at(epsilon)).value();
        prop_assert!(amplified.lower() <= scaled.upper() + 1e-9 && scaled.lower() <= amplified.upper() + 1e-9);
    }

    #[test]
    fn any_product_matches_its_definition(a in masses(12), b in masses(12), epsilon in -4f64..4.0) {
        let product = from_masses(&a).product(&from_masses(&b), 1000).unwrap();
        let joint: Vec<_> =
            a.iter().flat_map(|x| b.iter().map(move |y| (x.0 * y.0, x.1 * y.1))).collect();
        prop_assert!(is_close(product.delta(at(epsilon)), definition(&joint, epsilon)));
    }
}

/// 10⁵ outcomes: narrow and right.
#[test]
fn many_outcomes() {
    let n = 100_000u32;
    let raw: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let x = f64::from(i) / f64::from(n);
            let hole = |k: u32| if i % 97 == k { 0.0 } else { 1.0 };
            (hole(3) * (1.0 + (37.0 * x).sin()), hole(5) * (0.01 + x * x))
        })
        .collect();
    let (p, q): (f64, f64) = (raw.iter().map(|m| m.0).sum(), raw.iter().map(|m| m.1).sum());
    let masses: Vec<_> = raw.iter().map(|m| (m.0 / p, m.1 / q)).collect();
    let pair = from_masses(&masses);
    for epsilon in [-5.0, -1.0, 0.0, 0.5, 2.0, 4.0] {
        let found = pair.delta(at(epsilon));
        assert!(is_close(found, definition(&masses, epsilon)), "at {epsilon}: {found:?}");
    }

    let binomial = expression("binomial(n=100000, p=0.3)");
    for epsilon in [-0.01, 0.0, 0.003, 0.02, 0.1, 0.2] {
        let (delta, tails) = (binomial.delta(at(epsilon)).value(), binomial.tails(at(epsilon)));
        assert!(delta.width() <= 1e-13 * delta.upper(), "at {epsilon}: {delta:?}");
        let from_tails = tails.p.value() - at(epsilon).exp_enclosure() * tails.q.value();
        assert!(agree(delta, from_tails), "at {epsilon}");
    }
}

/// Up to 10⁵ random outcomes, with zeros on either side, against the definition.
#[test]
fn random_pairs_match_the_direct_sum() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        // A linear congruential generator; the high bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for outcomes in [1, 2, 10, 1000, 31_623, 100_000] {
        let raw: Vec<(f64, f64)> = (0..outcomes)
            .map(|_| {
                let (p, q) = (random(), random() * random());
                match random() {
                    x if x < 0.05 && outcomes > 2 => (0.0, q),
                    x if x < 0.1 && outcomes > 2 => (p, 0.0),
                    _ => (p, q),
                }
            })
            .collect();
        let (p, q): (f64, f64) = (raw.iter().map(|m| m.0).sum(), raw.iter().map(|m| m.1).sum());
        let masses: Vec<_> = raw.iter().map(|m| (m.0 / p, m.1 / q)).collect();
        let pair = from_masses(&masses);
        for epsilon in [-20.0, -3.0, -0.5, 0.0, 0.1, 1.0, 3.0, 8.0] {
            let (found, expected) = (pair.delta(at(epsilon)).value(), definition(&masses, epsilon));
            // The direct sum is off by some hundred roundings; masses of one side alone are given to 10⁻⁹ of themselves.
            assert!(
                found.lower() - 1e-13 <= expected
                    && expected <= found.upper() + 1e-13
                    && found.width() < 1e-9,
                "{outcomes} at {epsilon}: {found:?} {expected}"
            );
        }
    }
}
