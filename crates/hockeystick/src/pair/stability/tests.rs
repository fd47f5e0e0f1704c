//! The pair of a release by distance to instability against its defining profile.

use super::*;
use crate::pair::laws;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn obeys_the_laws_of_pairs(
        epsilon in 0.01f64..10.0,
        log_delta in -30f64..-0.01,
        mut at in proptest::collection::vec(-1.5f64..1.5, 20),
    ) {
        at.extend([-1.0, 0.0, 1.0]);
        let pair = StabilityPair::new(epsilon, log_delta.exp());
        let thresholds: Vec<f64> = at.iter().map(|t| t * epsilon).collect();
        laws::check(&pair, &thresholds);
        let reach = pair.reach.approximate().max(1e-3);
        let at_kinks: Vec<f64> = at.iter().map(|t| t * reach).collect();
        laws::check(&pair, &at_kinks);
    }

    /// The definition: the larger of the two modes.
    #[test]
    fn is_the_larger_mode(epsilon in 0.01f64..10.0, log_delta in -30f64..-0.01, at in -1.5f64..1.5) {
        let (delta, e) = (log_delta.exp(), at * epsilon);
        let noisy = -e.min((e - epsilon) / 2.0).min(0.0).exp_m1();
        let revealed = delta + (1.0 - delta) * (1.0 - e.exp()).max(0.0);
        let enclosed = StabilityPair::new(epsilon, delta).delta(Ball::from(e)).value();
        prop_assert!((noisy.max(revealed) - enclosed.midpoint()).abs() < 1e-14, "{enclosed:?}");
        prop_assert!(enclosed.width() <= 2e-15 * enclosed.upper());
    }
}

/// `δ₀ = 1 − e^{−ε₀/2}` is where the Laplace mode disappears: below it two crossings, above it none.
#[test]
fn crossings_appear_where_the_modes_touch() {
    let touching = -(-0.5f64).exp_m1();
    let above = StabilityPair::new(1.0, touching * 1.0000001);
    assert_eq!(above.reach, Ball::ZERO);
    assert_eq!(above.ratio_law().atoms.len(), 1);
    assert_eq!(above.tails(Ball::ZERO).q, Probability::ZERO);
    assert_eq!(above.delta(Ball::from(0.5)).value(), Enclosure::point(above.delta));
    let below = StabilityPair::new(1.0, touching * 0.9999999);
    assert!(below.reach.enclosure().lower() > 0.0);
    assert_eq!(below.ratio_law().atoms.len(), 2);
}

/// Without a leak it is the Laplace mechanism, whose atoms are at exact doubles.
#[test]
fn without_a_leak_it_is_laplace() {
    let pair = StabilityPair::new(0.7, 0.0);
    assert_eq!(pair.reach, Ball::from(0.7));
    let (on, before) = (pair.tails(Ball::from(0.7)), pair.tails(Ball::from(0.7f64.next_down())));
    assert_eq!((on.p, on.q), (Probability::ZERO, Probability::ZERO));
    assert!((before.p.value().midpoint() - 0.5).abs() < 1e-15);
    assert!((before.q.value().midpoint() - 0.5 * (-0.7f64).exp()).abs() < 1e-15);
    let law = pair.ratio_law();
    assert_eq!(law.atoms[1].p, Enclosure::point(0.5));
}

#[test]
fn an_atom_that_cannot_be_told_from_the_threshold_is_on_both_sides() {
    let pair = StabilityPair::new(1.0, 1e-3);
    let tails = pair.tails(pair.reach);
    assert!(tails.q.value().contains(0.0) && tails.q.value().upper() > 0.18);
    assert!(tails.p.value().lower() <= 1e-3 && tails.p.value().upper() > 0.5);
}

/// The parts of the law add up to `1 − δ₀` under both `P` and `Q`.
#[test]
fn the_law_has_all_finite_mass() {
    for (epsilon, delta) in [(1e-6, 1e-9), (0.3, 0.01), (1.0, 1e-6), (30.0, 0.2), (1.0, 0.9)] {
        let law = StabilityPair::new(epsilon, delta).ratio_law();
        let mut p: f64 = law.atoms.iter().map(|atom| atom.p.midpoint()).sum();
        let mut q: f64 = law.atoms.iter().map(|atom| atom.q.midpoint()).sum();
        for panel in &law.panels {
            let ratio = panel.ratio[0].1;
            let integral = |rate: f64| (rate * panel.to).exp_m1() / rate;
            q += panel.log_q.constant.exp() * integral(panel.log_q.linear);
            p += (panel.log_q.constant + ratio.constant).exp() * integral(panel.log_q.linear + ratio.linear);
        }
        assert!((p - (1.0 - delta)).abs() < 1e-13 && (q - (1.0 - delta)).abs() < 1e-13, "{epsilon} {p} {q}");
    }
}
