//! Hockey-stick curves, tails and trade-off functions.

use crate::conversions::holds_within;
use crate::conversions::pairs::{Discrete, Gaussian, GaussianTradeOff, LaplaceTails};
use hockeystick::curve::{
    HockeyStick, LossTails, ProfileCurve, TradeOff,
    conversion::{
        HockeyStickToTails, HockeyStickToTradeOff, SwappedHockeyStick, TailsToHockeyStick, TailsToTradeOff,
        TradeOffToHockeyStick, TradeOffToTails,
    },
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, special::normal_cdf};
use proptest::prelude::*;

#[track_caller]
fn holds(found: Enclosure, exact: f64, width: f64) {
    holds_within(1e-15, found, exact, width);
}

const THRESHOLDS: [f64; 9] = [-30.0, -2.0, -1.3, -0.4, 0.1, 0.7, 1.3, 1.7, 25.0];
const TYPE_ONE_ERRORS: [f64; 12] = [0.0, 1e-9, 0.01, 0.0625, 0.1, 0.3, 0.3125, 0.5, 0.75, 0.8125, 0.9, 1.0];

fn discrete_pairs() -> [Discrete; 5] {
    let lopsided = Discrete::lopsided();
    [
        lopsided.swapped(),
        lopsided,
        Discrete::bounded(),
        Discrete::bounded().swapped(),
        Discrete::randomized_response(1.0),
    ]
}

#[test]
fn tails_give_the_hockey_stick() {
    for pair in discrete_pairs() {
        for epsilon in THRESHOLDS {
            let found = TailsToHockeyStick(&pair).hockey_stick(Ball::from(epsilon));
            holds(found.value(), pair.hockey_stick(epsilon.exp()), 1e-15);
        }
    }
    for epsilon in [-1.5, -1.0, -0.5, 0.0, 0.3, 0.999, 1.0, 2.0] {
        let found = TailsToHockeyStick(&LaplaceTails(1.0)).hockey_stick(Ball::from(epsilon));
        let exact = -f64::exp_m1(epsilon.min(0.5 * (epsilon - 1.0)).min(0.0));
        holds(found.value(), exact, 1e-14);
    }
}

#[test]
fn the_gaussian_closed_form_agrees_with_its_tails() {
    let pair = Gaussian::new(0.8);
    for epsilon in THRESHOLDS {
        let exact = pair.hockey_stick(Ball::from(epsilon));
        let found = TailsToHockeyStick(&pair).hockey_stick(Ball::from(epsilon));
        assert!(found.value().overlaps(exact.value()) && found.complement().overlaps(exact.complement()));
        assert!(found.value().width() < 1e-14);
    }
}

#[test]
fn swapping_the_curve_swaps_the_pair() {
    for pair in discrete_pairs() {
        for epsilon in THRESHOLDS {
            let found = SwappedHockeyStick(&pair).hockey_stick(Ball::from(epsilon));
            let exact = pair.swapped().hockey_stick(epsilon.exp());
            holds(found.value(), exact, 1e-15 * epsilon.exp().max(1.0));
        }
    }
}

#[test]
fn secants_of_the_hockey_stick_bracket_the_tails() {
    for pair in discrete_pairs() {
        for epsilon in THRESHOLDS {
            let found = HockeyStickToTails(&pair).loss_tails(Ball::from(epsilon));
            let (p, q) = pair.loss_above(epsilon);
            // No loss is near: secants are tangents.
            holds(found.q.value(), q, 1e-12);
            holds(found.p.value(), p, 1e-12 * epsilon.exp().max(1.0));
        }
    }
    let pair = Gaussian::new(1.0);
    for epsilon in [-3.0, -0.5, 0.0, 0.5, 2.0] {
        let found = HockeyStickToTails(&pair).loss_tails(Ball::from(epsilon));
        holds(found.p.value(), normal_cdf(0.5 - epsilon), 2e-7);
        holds(found.q.value(), normal_cdf(-0.5 - epsilon), 2e-7);
    }
}

#[test]
fn at_an_atom_both_tails_are_enclosed() {
    let pair = Discrete::lopsided();
    let found = HockeyStickToTails(&pair).loss_tails(Ball::ZERO);
    for (p, q) in [(11.0 / 16.0, 2.0 / 16.0), (15.0 / 16.0, 6.0 / 16.0)] {
        holds(found.p.value(), p, 0.2501);
        holds(found.q.value(), q, 0.2501);
    }
}

#[test]
fn a_slope_that_is_exact_tells_an_atom_apart() {
    // The loss 0 has slope −1, and all numbers are dyadic: P(L > 0) does not count the atom.
    let pair = Discrete::lopsided();
    let found = TradeOffToTails(&TailsToTradeOff(&pair)).loss_tails(Ball::ZERO);
    holds(found.p.value(), 11.0 / 16.0, 1e-8);
    holds(found.q.value(), 2.0 / 16.0, 1e-8);
    // Just above and just below there is no doubt at all.
    let below = TradeOffToTails(&TailsToTradeOff(&pair)).loss_tails(Ball::from(-1e-3));
    holds(below.p.value(), 15.0 / 16.0, 1e-8);
}

#[test]
fn trade_offs_are_those_of_the_best_test() {
    for pair in discrete_pairs() {
        for x in TYPE_ONE_ERRORS {
            let exact = pair.neyman_pearson(x);
            holds(HockeyStickToTradeOff(&pair).trade_off(x).value(), exact, 4e-15);
            holds(TailsToTradeOff(&pair).trade_off(x).value(), exact, 4e-15);
        }
    }
}

#[test]
fn trade_offs_of_the_gaussian() {
    for mu in [0.1, 1.0, 3.0] {
        let (pair, exact) = (Gaussian::new(mu), GaussianTradeOff(mu));
        for x in TYPE_ONE_ERRORS {
            holds(HockeyStickToTradeOff(&pair).trade_off(x).value(), exact.exact(x), 1e-14);
            holds(TailsToTradeOff(&pair).trade_off(x).value(), exact.exact(x), 1e-14);
        }
    }
}

#[test]
fn a_composed_profile_has_a_trade_off_too() {
    let pair = Gaussian::new(1.5);
    let curve = ProfileCurve(pair.profile());
    for x in [0.001, 0.2, 0.7, 0.99] {
        holds(HockeyStickToTradeOff(&curve).trade_off(x).value(), GaussianTradeOff(1.5).exact(x), 1e-14);
    }
}

#[test]
fn trade_offs_give_the_hockey_stick_back() {
    for pair in discrete_pairs() {
        let trade_off = TailsToTradeOff(&pair);
        for epsilon in [-2.0, -1.3, -0.4, 0.0, 0.1, 0.7, 1.3, 1.7, 3.0] {
            let found = TradeOffToHockeyStick(&trade_off).hockey_stick(Ball::from(epsilon));
            holds(found.value(), pair.hockey_stick(epsilon.exp()), 1e-13);
        }
    }
    for epsilon in [-2.0, -0.5, 0.0, 0.5, 2.0] {
        let found = TradeOffToHockeyStick(&GaussianTradeOff(1.0)).hockey_stick(Ball::from(epsilon));
        let exact = normal_cdf(0.5 - epsilon) - epsilon.exp() * normal_cdf(-0.5 - epsilon);
        holds(found.value(), exact, 2e-13);
    }
}

#[test]
fn trade_offs_give_the_tails_back() {
    for pair in discrete_pairs() {
        let trade_off = HockeyStickToTradeOff(&pair);
        for epsilon in [-2.0, -0.4, 0.7, 1.7] {
            let found = TradeOffToTails(&trade_off).loss_tails(Ball::from(epsilon));
            let (p, q) = pair.loss_above(epsilon);
            holds(found.p.value(), p, 2e-8);
            holds(found.q.value(), q, 1e-7);
        }
    }
    for epsilon in [-2.0, -0.5, 0.5, 2.0] {
        let found = TradeOffToTails(&GaussianTradeOff(1.0)).loss_tails(Ball::from(epsilon));
        holds(found.p.value(), normal_cdf(0.5 - epsilon), 5e-6);
        holds(found.q.value(), normal_cdf(-0.5 - epsilon), 5e-6);
    }
}

fn discrete() -> impl Strategy<Value = Discrete> {
    let masses = || prop::collection::vec(prop_oneof![Just(0u32), 1u32..64], 6);
    let normalized = |masses: &[u32]| {
        let rest = 512 - masses.iter().sum::<u32>();
        masses.iter().copied().chain([rest]).map(|n| f64::from(n) / 512.0).collect()
    };
    (masses(), masses()).prop_map(move |(p, q)| Discrete { p: normalized(&p), q: normalized(&q) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn round_trips_hold(pair in discrete(), x in 0f64..=1.0, epsilon in -4f64..4.0) {
        let exact = pair.neyman_pearson(x);
        let from_curve = HockeyStickToTradeOff(&pair);
        holds(from_curve.trade_off(x).value(), exact, 1e-14);
        holds(TailsToTradeOff(&pair).trade_off(x).value(), exact, 1e-14);
        let back = TradeOffToHockeyStick(&from_curve).hockey_stick(Ball::from(epsilon));
        holds(back.value(), pair.hockey_stick(epsilon.exp()), 1e-12);
        let tails = HockeyStickToTails(&pair);
        let again = TailsToHockeyStick(&tails).hockey_stick(Ball::from(epsilon));
        prop_assert!(again.value().overlaps(pair.hockey_stick(epsilon.exp()).into()));
    }
}
