//! The optimal conversion against 50-digit solutions of its convex problem, and its closed forms.

use hockeystick::engine::moments::{lemma_one, optimal, theorem_four};
use hockeystick_golden::rows;

#[test]
fn gamma_encloses_the_solution_of_theorem_3() {
    for row in rows("moments/optimal_conversion") {
        let (alpha, epsilon, delta): (f64, f64, f64) =
            (row.number("alpha"), row.number("epsilon"), row.number("delta"));
        let truth = row.reference("gamma");
        let gamma = optimal::gamma(alpha, epsilon, delta);
        let what = format!("α = {alpha}, ε = {epsilon}, δ = {delta}: {gamma:?}");
        assert!(truth.is_at_least(gamma.lower()) && truth.is_at_most(gamma.upper()), "{what}");
        assert!(gamma.width() <= 1e-12 * (epsilon + gamma.upper()), "{what}");
        // Theorem 4 is below, and exact where αδ ≥ 1.
        let closed = theorem_four(alpha, epsilon, delta);
        assert!(truth.is_at_least(closed), "{what} {closed}");
        if alpha * delta > 1.0 {
            assert!(gamma.upper() - closed <= 1e-15 * gamma.upper(), "{what} {closed}");
        }
    }
}

/// δ and ε from γ, and γ from them again.
#[test]
fn inverses_round_trip() {
    let mut narrow = 0;
    for row in rows("moments/optimal_conversion") {
        let (alpha, epsilon, delta): (f64, f64, f64) =
            (row.number("alpha"), row.number("epsilon"), row.number("delta"));
        let gamma = optimal::gamma(alpha, epsilon, delta);
        let what = format!("α = {alpha}, ε = {epsilon}, δ = {delta}");
        let back = optimal::delta(alpha, epsilon, gamma.lower());
        assert!(back.lower() <= delta, "{what}: {back:?}");
        let forth = optimal::delta(alpha, epsilon, gamma.upper());
        assert!(forth.upper() >= delta, "{what}: {forth:?}");
        let there = optimal::epsilon(alpha, delta, gamma.lower());
        assert!(there.lower() <= epsilon, "{what}: {there:?}");
        let and_back = optimal::epsilon(alpha, delta, gamma.upper());
        assert!(and_back.upper() >= epsilon, "{what}: {and_back:?}");
        // One digit of γ may be worth many of δ or ε, or none: where the slopes are moderate, all come back.
        let [few, more] =
            [0.5, 2.0].map(|factor| optimal::gamma(alpha, epsilon, (delta * factor).min(0.95)).midpoint());
        let slope = (more - few) / gamma.upper();
        if slope > 0.05 {
            // To 1e-12; a tiny δ to 1e-21, because it uses only the last digits of the distance of the tangents.
            let digits = (1e-21 / delta).max(1e-12);
            assert!((forth.midpoint() / delta - 1.0).abs() < digits / slope, "{what}: {forth:?}");
            narrow += 1;
        }
        if epsilon > 0.01 {
            assert!(
                (and_back.midpoint() - epsilon).abs() < 1e-12 * gamma.upper().max(epsilon),
                "{what}: {and_back:?}"
            );
        }
        // Lemma 1 is above the optimum.
        let lemma = lemma_one(alpha, delta, gamma.upper());
        assert!(lemma >= there.lower(), "{what}: {lemma}");
    }
    assert!(narrow > 100, "{narrow}");
}

/// [Asoodeh21, eq. (24)]: if `αδ ≥ 1`, then `ε = (γ + log(1 − δ))₊` exactly.
#[test]
fn large_delta_has_a_closed_form() {
    for (alpha, delta, gamma) in [(2.0, 0.5, 1.0), (4.0, 0.3, 2.5), (100.0, 0.01, 0.7), (10.0, 0.9, 1.0)] {
        let exact = (gamma + f64::ln_1p(-delta)).max(0.0);
        let epsilon = optimal::epsilon(alpha, delta, gamma);
        assert!(
            epsilon.lower() <= exact * (1.0 + 1e-15) && exact <= epsilon.upper() * (1.0 + 1e-15),
            "{epsilon:?} {exact}"
        );
        assert!(epsilon.width() <= 1e-13, "{epsilon:?}");
        assert!((lemma_one(alpha, delta, gamma) - exact).abs() < 1e-15);
    }
}

/// [Asoodeh21, Remark 1]: (α, γ)-RDP with `γ < log(α/(α−1))` is (0, δ)-DP for `ζ_α e^{(α−1)γ} ≤ δ ≤ 1/α`; Theorem 1 never says so.
#[test]
fn small_divergences_give_total_variation() {
    for (alpha, gamma) in [(2.0f64, 0.3f64), (5.0, 0.1), (1.5, 1.0)] {
        assert!(gamma < (alpha / (alpha - 1.0)).ln());
        let zeta = (1.0 - 1.0 / alpha).powf(alpha - 1.0) / alpha;
        let smallest = zeta * ((alpha - 1.0) * gamma).exp();
        assert!(smallest < 1.0 / alpha);
        for delta in [smallest * (1.0 + 1e-9), 0.5 * (smallest + 1.0 / alpha), 1.0 / alpha] {
            assert_eq!(lemma_one(alpha, delta, gamma), 0.0);
            assert_eq!(optimal::epsilon(alpha, delta, gamma).upper(), 0.0);
        }
        // And the optimal conversion needs even less.
        assert!(optimal::delta(alpha, 0.0, gamma).upper() < smallest);
    }
}
