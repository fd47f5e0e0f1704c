//! Numbers of \[Asoodeh21\].

use crate::bounds::support::epsilon;
use hockeystick::engine::{
    classic::zcdp_epsilon,
    moments::{gaussian_epsilon, gaussian_sigma, gaussian_sigma_at_fixed_order, gaussian_sigma_expansion},
};
use hockeystick::query::Method;

/// Figure 3: σ = 20, δ = 10⁻⁵. "A smaller privacy parameter by up to 0.75" for T ≤ 1000.
#[test]
fn lemma_2_saves_three_quarters() {
    let gaps: Vec<f64> = (1..=1000u32)
        .map(|count| {
            zcdp_epsilon(f64::from(count) / 800.0, 1e-5) - gaussian_epsilon(20.0, count.into(), 1e-5)
        })
        .collect();
    let largest = gaps.iter().copied().fold(0.0, f64::max);
    assert!((largest - 0.75).abs() <= 0.01, "{largest}");
    assert!(gaps.iter().all(|gap| *gap > 0.0));
}

/// Lemma 2 is Lemma 1 at the best order, so between the truth, the optimal conversion and the classic one.
#[test]
fn lemma_2_is_between_the_truth_and_the_classic() {
    for count in [1, 10, 100, 1000] {
        let text = format!("gaussian(sigma=20) * {count}");
        let lemma = gaussian_epsilon(20.0, count, 1e-5);
        assert!(lemma >= epsilon(&text, 1e-5, Method::Auto).upper());
        assert!(lemma >= epsilon(&text, 1e-5, Method::RdpOptimal).upper() * (1.0 - 1e-6));
        assert!(lemma <= epsilon(&text, 1e-5, Method::Rdp).upper() * (1.0 + 1e-6));
        assert!(lemma <= epsilon(&text, 1e-5, Method::RdpClassic).upper());
    }
}

/// Theorem 5: the noise that suffices, at every order, at one order, and to leading terms.
#[test]
fn theorem_5_gives_enough_noise() {
    for (budget, delta, count) in [(1.0, 1e-5, 1u64), (2.0, 1e-6, 1000), (0.5, 1e-8, 50), (8.0, 1e-5, 10)] {
        let best = gaussian_sigma(budget, delta, count).unwrap();
        let fixed = gaussian_sigma_at_fixed_order(budget, delta, count).unwrap();
        let expansion = gaussian_sigma_expansion(budget, delta, count);
        assert!(best <= fixed * (1.0 + 1e-9), "{best} {fixed}");
        let text = format!("gaussian(sigma={best}) * {count}");
        assert!(epsilon(&text, delta, Method::Auto).upper() <= budget, "{best}");
        // It is what the standard conversion proves.
        let proven = epsilon(&text, delta, Method::Rdp).upper();
        assert!((proven / budget - 1.0).abs() < 1e-6, "{proven}");
        assert!((expansion / fixed - 1.0).abs() < 0.1, "{expansion} {fixed}");
    }
    // The classic conversion asks for more (eq. 35): T/(2σ²) = ε + 2l − 2√((ε + l)l), l = log 1/δ.
    let (budget, delta): (f64, f64) = (1.0, 1e-5);
    let log = -delta.ln();
    let classic = (1.0 / (2.0 * (budget + 2.0 * log - 2.0 * ((budget + log) * log).sqrt()))).sqrt();
    assert!(gaussian_sigma(budget, delta, 1).unwrap() < classic);
    assert_eq!(gaussian_sigma(-1.0, 1e-5, 1), None);
    assert_eq!(gaussian_sigma_at_fixed_order(1e-6, 1e-5, 1), None);
}
