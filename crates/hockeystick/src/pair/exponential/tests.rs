//! The pair of bounded range against its defining profile.

use super::*;
use crate::pair::laws;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn obeys_the_laws_of_pairs(
        log_range in -20f64..4.0,
        mut at in proptest::collection::vec(-1.5f64..1.5, 20),
    ) {
        let range = log_range.exp();
        at.extend([-1.0, 0.0, 1.0]);
        let thresholds: Vec<f64> = at.iter().map(|t| t * range).collect();
        laws::check(&*bounded_range(range), &thresholds);
    }

    /// The supremum over `t` of the generalised randomised responses, each from its two probabilities.
    #[test]
    fn is_above_every_randomised_response(range in 0.01f64..10.0, t in 0f64..1.0, at in -1.2f64..1.2) {
        let (t, epsilon) = (t * range, at * range);
        let response = |t: f64| {
            let q = ((-t).exp() - (-range).exp()) / -(-range).exp_m1();
            let p = t.exp() * q;
            (p - epsilon.exp() * q).max(0.0) + (1.0 - p - epsilon.exp() * (1.0 - q)).max(0.0)
        };
        let delta = bounded_range(range).delta(Ball::from(epsilon)).value();
        prop_assert!(response(t) <= delta.upper() + 1e-12);
        let worst = response(((range + epsilon) / 2.0).clamp(0.0, range));
        prop_assert!((worst - delta.midpoint()).abs() < 1e-12, "{worst} against {delta:?}");
    }
}

/// `δ(0) = tanh(r/4)`.
#[test]
fn at_zero_it_is_a_hyperbolic_tangent() {
    for range in [1e-8, 0.3, 1.0, 20.0] {
        let delta = bounded_range(range).delta(Ball::ZERO).value();
        assert!((delta.midpoint() / (range / 4.0).tanh() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn digits_survive_small_ranges_and_the_ends() {
    for range in [1e-100, 1e-8, 1.0, 50.0, 200.0] {
        let pair = bounded_range(range);
        for epsilon in [-range, -range.next_down(), -0.5 * range, 0.0, 0.5 * range, range.next_down()] {
            let (delta, tails) = (pair.delta(Ball::from(epsilon)), pair.tails(Ball::from(epsilon)));
            for probability in [delta, tails.p, tails.q] {
                for side in [probability.value(), probability.complement()] {
                    assert!(side.width() <= 1e-15 * side.upper(), "{range} {epsilon} {probability:?}");
                }
            }
        }
    }
}

#[test]
fn outside_the_range_everything_is_exact() {
    let pair = bounded_range(0.1);
    assert_eq!(pair.delta(Ball::from(0.1)), Probability::ZERO);
    assert_eq!(pair.tails(Ball::from(0.1)).p, Probability::ZERO);
    assert_eq!(pair.tails(Ball::from(-0.1f64.next_up())).q, Probability::ZERO.opposite());
    assert!(pair.tails(Ball::from(0.1f64.next_down())).p.value().lower() > 0.0);
}

/// The panel is a probability law of `Q`, and of `P` with its ratio: both integrals are elementary.
#[test]
fn the_panel_integrates_to_one() {
    for range in [1e-8, 0.3, std::f64::consts::LN_2, 5.0, 40.0] {
        let law = bounded_range(range).ratio_law();
        let [panel] = &law.panels[..] else { panic!("{law:?}") };
        let (height, growth) = (panel.log_q.constant.exp(), panel.log_q.linear + panel.ratio[0].1.linear);
        let integral = |rate: f64| (rate * panel.to).exp_m1() / rate;
        assert!((height * integral(panel.log_q.linear) - 1.0).abs() < 1e-14);
        let p = height * panel.ratio[0].1.constant.exp() * integral(growth);
        assert!((p - 1.0).abs() < 1e-13, "{range}: {p}");
    }
}

#[test]
fn an_unknown_threshold_gives_an_unknown_answer() {
    let pair = bounded_range(1.0);
    assert_eq!(pair.delta(Ball::from(f64::NAN)), Probability::UNKNOWN);
    let wide = Ball::new(0.5.into(), 0.25);
    let delta = pair.delta(wide).value();
    for epsilon in [0.25, 0.5, 0.75] {
        let inside = pair.delta(Ball::from(epsilon)).value();
        assert!(delta.lower() <= inside.lower() && inside.upper() <= delta.upper());
    }
}
