//! The classic composition theorems against their formulas and against each other.

use crate::bounds::support::{delta, epsilon};
use hockeystick::{
    curve::PrivacyProfile,
    engine::{
        classic::{
            DpPart, Guarantee, advanced, advanced_delta, basic, heterogeneous, heterogeneous_delta, optimal,
            zcdp_delta, zcdp_epsilon,
        },
        closed_form::kov,
    },
    query::Method,
};

fn parts(list: &[(f64, f64, u64)]) -> Vec<DpPart> {
    list.iter()
        .map(|&(epsilon, delta, count)| DpPart { guarantee: Guarantee { epsilon, delta }, count })
        .collect()
}

#[test]
fn basic_adds() {
    let sum = basic(&parts(&[(0.5, 1e-6, 10), (0.25, 0.0, 4)]));
    assert!((sum.epsilon - 6.0).abs() < 1e-14 && (sum.delta - 1e-5).abs() < 1e-20);
    assert_eq!(epsilon("dp(epsilon=0.5, delta=1e-6) * 10", 1e-4, Method::Basic).upper(), 5.0);
    assert_eq!(delta("dp(epsilon=0.5) * 10", 5.0, Method::Basic).upper(), 0.0);
    assert_eq!(delta("dp(epsilon=0.5) * 10", 4.9, Method::Basic).upper(), 1.0);
}

/// ε = √(2k log(1/δ′))ε₀ + kε₀(e^{ε₀} − 1).
#[test]
fn advanced_is_the_printed_formula() {
    let list = parts(&[(0.1, 0.0, 100)]);
    let printed = (200.0 * 1e5f64.ln()).sqrt() * 0.1 + 10.0 * 0.1f64.exp_m1();
    let found = advanced(&list, 1e-5).epsilon;
    assert!((found - printed).abs() < 1e-12 && found >= printed * (1.0 - 1e-15), "{found} {printed}");
    assert!((advanced_delta(&list, found) - 1e-5).abs() < 1e-16);
    assert!((epsilon("dp(epsilon=0.1) * 100", 1e-5, Method::Advanced).upper() - printed).abs() < 1e-9);
}

/// The optimal composition of equal guarantees is the sum of [KOV15, Thm 3.3], term by term.
#[test]
fn kov_is_the_printed_sum() {
    let profile = optimal(&parts(&[(0.3, 1e-7, 40)])).unwrap();
    for i in [0, 1, 7, 20] {
        let at = (40.0 - 2.0 * i as f64) * 0.3;
        let printed = kov::delta(0.3, 1e-7, 40, i).unwrap().value();
        let found = profile.delta(at).delta.value();
        assert!((found.midpoint() - printed.midpoint()).abs() < 1e-12 * (1e-7 + printed.midpoint()), "{i}");
    }
    // For (ε, δ)-DP mechanisms it is the truth.
    let text = "dp(epsilon=0.3, delta=1e-7) * 40";
    assert_eq!(epsilon(text, 1e-5, Method::Kov).upper(), epsilon(text, 1e-5, Method::Auto).upper());
}

/// The bound for different guarantees is above the exact composition, and below basic and advanced ones.
#[test]
fn the_bound_for_different_guarantees_is_in_between() {
    let list = parts(&[(0.1, 0.0, 200), (0.05, 1e-9, 300)]);
    let bound = heterogeneous(&list, 1e-6);
    let exact = optimal(&list).unwrap();
    assert!(exact.delta(bound.epsilon).delta.value().upper() <= bound.delta);
    assert!(bound.epsilon < advanced(&list, 1e-6).epsilon && bound.epsilon < basic(&list).epsilon);
    let back = heterogeneous_delta(&list, bound.epsilon);
    assert!((back / bound.delta - 1.0).abs() < 1e-6, "{back} {bound:?}");
}

/// Dozens of different guarantees have too many sums for the exact way: the bound takes over and is still above the truth.
#[test]
fn many_different_guarantees_fall_back_to_the_bound() {
    let text: Vec<String> = (1..30).map(|i| format!("randomized_response(epsilon=0.0{i:02}3) * 7")).collect();
    let text = text.join(" + ");
    let bound = epsilon(&text, 1e-6, Method::Kov).upper();
    assert!(bound.is_finite() && bound < epsilon(&text, 1e-6, Method::Basic).upper());
    assert!(bound >= epsilon(&text, 1e-6, Method::Nagaev).lower().unwrap());
    assert!(bound < epsilon(&text, 1e-6, Method::Advanced).upper());
}

/// ρ + 2√(ρ log 1/δ) is the classic conversion at its best order.
/// The search for the share of δ used to leave `kov` 10⁻⁵ above `basic` where nearly all of δ belongs to the shares.
#[test]
fn optimal_composition_is_never_above_basic_composition() {
    for text in
        ["gaussian(sigma=4) * 52", "gaussian(sigma=40) * 3 + laplace(scale=9) * 2", "zcdp(rho=0.1) * 2"]
    {
        for exponent in [-12, -9, -7, -6, -5, -4, -3, -2, -1] {
            let at = 10f64.powi(exponent);
            let (kov, plain) = (epsilon(text, at, Method::Kov), epsilon(text, at, Method::Basic));
            assert!(kov.upper() <= plain.upper(), "{text} at δ = {at}: {} > {}", kov.upper(), plain.upper());
        }
        for at in [0.1, 0.5, 1.0, 3.0, 10.0, 40.0, 100.0] {
            let (kov, plain) = (delta(text, at, Method::Kov), delta(text, at, Method::Basic));
            assert!(kov.upper() <= plain.upper(), "{text} at ε = {at}: {} > {}", kov.upper(), plain.upper());
        }
    }
}

#[test]
fn zcdp_has_a_closed_form() {
    for (rho, target) in [(0.01, 1e-5), (0.5, 1e-8), (3.0, 1e-3)] {
        let closed = zcdp_epsilon(rho, target);
        let searched = epsilon(&format!("zcdp(rho={rho})"), target, Method::RdpClassic).upper();
        assert!(
            searched >= closed * (1.0 - 1e-12) && searched <= closed * (1.0 + 1e-7),
            "{searched} {closed}"
        );
        assert!((zcdp_delta(rho, closed) / target - 1.0).abs() < 1e-11);
    }
}
