//! Theorems of others that the papers compare with.

use hockeystick::{
    curve::conversion::trade_off_to_area,
    engine::{
        classic::{BinomialNoise, bounded_range_delta},
        moments::{PrivacyRegion, concentrated_epsilon, gaussian_epsilon},
    },
    query::Query,
};
use hockeystick_golden::rows;

/// Dong, Durfee and Rogers (2020, Thm 2) against a search for the worst range, in every row.
#[test]
fn bounded_ranges_compose_as_the_worst_that_a_search_finds() {
    for row in rows("closed_form/bounded_range") {
        let (range, epsilon): (f64, f64) = (row.number("range"), row.number("epsilon"));
        let truth = row.reference("delta");
        let found = bounded_range_delta(range, row.number("count"), epsilon).value();
        assert!(truth.is_at_least(found.lower()) && truth.is_at_most(found.upper()), "{row:?}: {found:?}");
        assert!(found.width() <= 1e-11 * found.upper(), "{row:?}: {found:?}");
    }
}

/// Adaptive choices spend at least as much, and one choice just as much.
#[test]
fn adaptive_choices_spend_more() {
    for (range, count, epsilon) in [(0.5, 1, 0.2), (0.5, 12, 1.0), (0.1, 80, 0.7)] {
        let fixed = bounded_range_delta(range, count, epsilon).value();
        let mechanism = format!("exponential(epsilon={range}) * {count}").parse().unwrap();
        let adaptive = Query::new(&mechanism).delta(epsilon).unwrap();
        assert!(fixed.lower() <= adaptive.upper(), "{range} {count} {epsilon}");
        if count == 1 {
            assert!((fixed.upper() / adaptive.upper() - 1.0).abs() < 1e-9);
        } else {
            assert!(adaptive.lower().unwrap() > 1.05 * fixed.upper(), "{range} {count} {epsilon}");
        }
    }
}

/// Agarwal et al. (2018, Thm 1), evaluated with 30 digits by mpmath.
#[test]
fn binomial_noise_of_cpsgd() {
    let noise =
        |n, p, scale, dimension| BinomialNoise { n, p, scale, dimension, sensitivities: [10.0, 1.0, 0.1] };
    for (noise, delta, expected) in [
        (noise(10_000, 0.5, 0.1, 100), 1e-4, CPSGD[0]),
        (noise(50_000, 0.5, 0.05, 100), 1e-4, CPSGD[1]),
        (noise(20_000, 0.3, 0.1, 100), 1e-6, CPSGD[2]),
    ] {
        let epsilon = noise.epsilon(delta).unwrap();
        assert!(epsilon >= expected && epsilon < expected * (1.0 + 1e-12), "{noise:?}: {epsilon}");
    }
    // np(1 − p) = 370 < 23 log 10⁷ = 370.7…
    assert_eq!(noise(1480, 0.5, 0.1, 100).epsilon(1e-4), None);
}

const CPSGD: [f64; 3] = [0.96977396329753021, 0.81742959136088047, 0.93282720177258232];

/// [Asoodeh21, Lemma 2] knows nothing of a Gaussian but ρ.
#[test]
fn lemma_two_needs_rho_only() {
    for (sigma, count) in [(20.0, 1), (20.0, 1000), (3.0, 7)] {
        let rho = count as f64 / (2.0 * sigma * sigma);
        let (one, other) = (gaussian_epsilon(sigma, count, 1e-5), concentrated_epsilon(rho, 1e-5));
        assert!((one / other - 1.0).abs() < 1e-12, "{one} {other}");
    }
}

/// More orders allow less, so the region becomes smaller and what is below its curve larger.
#[test]
fn regions_of_more_orders_are_smaller() {
    let few = trade_off_to_area(&PrivacyRegion::of_orders([(2.0, 0.2)]), 100);
    let many = trade_off_to_area(&PrivacyRegion::of_orders([(2.0, 0.2), (8.0, 0.8)]), 100);
    assert!(few.upper() < many.lower() && many.upper() < 0.5, "{few:?} {many:?}");
}
