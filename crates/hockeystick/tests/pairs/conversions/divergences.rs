//! Rényi and Kullback–Leibler divergences, total variation, probabilistic DP.

use crate::conversions::holds_within;
use crate::conversions::pairs::{Discrete, Gaussian, LaplaceTails};
use hockeystick::{
    curve::{
        LossSupport, TradeOff,
        conversion::{
            HockeyStickToTradeOff, TailsToHockeyStick, TailsToMoments, TailsToTradeOff,
            hockey_stick_to_kullback_leibler, hockey_stick_to_renyi, hockey_stick_to_total_variation,
            moments_to_renyi, tails_to_kullback_leibler, tails_to_probabilistic_dp, trade_off_to_renyi,
        },
    },
    pair::DominatingPair,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, special::normal_cdf};

#[track_caller]
fn holds(found: Enclosure, exact: f64, width: f64) {
    holds_within(1e-14 * exact.abs().max(1.0), found, exact, width);
}

fn renyi(pair: &Discrete, alpha: f64) -> f64 {
    let sum: f64 =
        pair.outcomes().map(|(p, q)| if p == 0.0 { 0.0 } else { p.powf(alpha) * q.powf(1.0 - alpha) }).sum();
    sum.ln() / (alpha - 1.0)
}

fn kullback_leibler(pair: &Discrete) -> f64 {
    pair.outcomes().map(|(p, q)| if p == 0.0 { 0.0 } else { p * (p / q).ln() }).sum()
}

/// No infinite loss; the second one has an outcome that only Q can produce.
fn absolutely_continuous() -> [Discrete; 4] {
    [
        Discrete::bounded(),
        Discrete::new(&[0.5, 0.5, 0.0], &[0.25, 0.5, 0.25]),
        Discrete::bounded().swapped(),
        Discrete::randomized_response(1.0),
    ]
}

#[test]
fn renyi_divergences_of_discrete_pairs() {
    for pair in absolutely_continuous() {
        for alpha in [1.25, 2.0, 5.0] {
            let exact = renyi(&pair, alpha);
            holds(hockey_stick_to_renyi(&pair, alpha, 4000), exact, 1e-5);
            holds(moments_to_renyi(&pair, alpha), exact, 1e-12);
            holds(moments_to_renyi(&TailsToMoments::new(&pair, 4096), alpha), exact, 1e-7);
            holds(trade_off_to_renyi(&TailsToTradeOff(&pair), alpha, 1024), exact, 1e-4);
        }
    }
}

#[test]
fn renyi_divergence_of_the_gaussian() {
    let pair = Gaussian::new(0.5);
    for alpha in [1.5, 2.0, 4.0] {
        let exact = alpha * 0.125;
        holds(moments_to_renyi(&pair, alpha), exact, 1e-12);
        // The curve alone cannot say that nothing lies beyond: the lower end is the answer.
        let found = hockey_stick_to_renyi(&pair, alpha, 20_000);
        assert_eq!(found.upper(), f64::INFINITY);
        assert!(found.lower() <= exact && exact - found.lower() < 1e-6, "{found:?} {exact}");
    }
}

#[test]
fn infinite_losses_make_divergences_infinite() {
    let pair = Discrete::lopsided();
    let infinite = Enclosure::point(f64::INFINITY);
    assert_eq!(hockey_stick_to_renyi(&pair, 2.0, 100), infinite);
    assert_eq!(moments_to_renyi(&pair, 2.0), infinite);
    assert_eq!(trade_off_to_renyi(&TailsToTradeOff(&pair), 2.0, 64), infinite);
    assert_eq!(tails_to_kullback_leibler(&pair, None, 64), infinite);
    assert_eq!(hockey_stick_to_kullback_leibler(&pair, 64), infinite);
}

#[test]
fn kullback_leibler_divergences() {
    for pair in absolutely_continuous() {
        let exact = kullback_leibler(&pair);
        holds(tails_to_kullback_leibler(&pair, None, 4096), exact, 1e-9);
        holds(hockey_stick_to_kullback_leibler(&pair, 4000), exact, 1e-5);
    }
    // Of two Laplace laws: d − 1 + e^{−d}.
    let exact = (-1f64).exp();
    holds(tails_to_kullback_leibler(&LaplaceTails(1.0), None, 4096), exact, 1e-6);
    holds(hockey_stick_to_kullback_leibler(&TailsToHockeyStick(&LaplaceTails(1.0)), 4000), exact, 1e-5);
}

#[test]
fn kullback_leibler_divergence_of_the_gaussian() {
    let pair = Gaussian::new(0.8);
    let moment = pair.mgf(9.0.into()).map(|disc| (9.0, disc.real()));
    holds(tails_to_kullback_leibler(&pair, moment, 4096), 0.32, 1e-5);
    let open = tails_to_kullback_leibler(&pair, None, 4096);
    assert_eq!(open.upper(), f64::INFINITY);
    let from_curve = hockey_stick_to_kullback_leibler(&pair, 20_000);
    assert!(from_curve.lower() <= 0.32 && 0.32 - from_curve.lower() < 1e-6, "{from_curve:?}");
}

#[test]
fn total_variation_is_the_same_in_both_directions() {
    for pair in [Discrete::lopsided(), Discrete::lopsided().swapped(), Discrete::bounded()] {
        let exact: f64 = pair.outcomes().map(|(p, q)| 0.5 * (p - q).abs()).sum();
        holds(hockey_stick_to_total_variation(&pair).value(), exact, 1e-15);
    }
    for mu in [0.1, 1.0, 4.0] {
        let exact = 2.0 * normal_cdf(0.5 * mu) - 1.0;
        holds(hockey_stick_to_total_variation(&Gaussian::new(mu)).value(), exact, 1e-14);
    }
}

#[test]
fn probabilistic_dp_asks_both_directions_and_not_for_the_atom_itself() {
    let pair = Discrete::lopsided();
    let swapped = pair.swapped();
    let delta = |epsilon: Ball| tails_to_probabilistic_dp(&pair, &swapped, epsilon).value();
    // P(L > 1) = 11/16, Q(−L > 1) = 10/16; above log 4 only 3/16 and 10/16, above log 5 the infinite ones.
    holds(delta(Ball::ONE), 11.0 / 16.0, 1e-15);
    holds(delta(Ball::from(1.5)), 10.0 / 16.0, 1e-15);
    holds(delta(Ball::from(1.7)), 5.0 / 16.0, 1e-15);
    // Exactly at the atom at 0 it does not count; just below it does, in both directions.
    holds(delta(Ball::ZERO), 11.0 / 16.0, 1e-15);
    holds(delta(Ball::from(-1e-9)), 15.0 / 16.0, 1e-15);
    let response = Discrete::new(&[0.75, 0.25], &[0.25, 0.75]);
    let below = tails_to_probabilistic_dp(&response, &response.swapped(), Ball::from(1.0986));
    holds(below.value(), 0.75, 1e-15);
    let above = tails_to_probabilistic_dp(&response, &response.swapped(), Ball::from(1.0987));
    holds(above.value(), 0.0, 1e-15);
}

#[test]
fn a_trade_off_carries_its_support() {
    let pair = Discrete::bounded();
    let from_curve = HockeyStickToTradeOff(&pair);
    assert_eq!(from_curve.support(), pair.support());
    assert!(from_curve.trade_off(0.0).value().contains(1.0));
}
