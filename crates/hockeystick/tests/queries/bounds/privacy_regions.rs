//! RDP → f-DP → (ε, δ).

use crate::bounds::support::{curve, delta, mechanism};
use hockeystick::curve::conversion::HockeyStickToTradeOff;
use hockeystick::{
    curve::{HockeyStick, TradeOff, conversion::SwappedTradeOffToHockeyStick},
    engine::moments::{Conversion, PrivacyRegion, optimal},
    pair::{Direction, dominating_pair},
    query::Method,
};
use hockeystick_numerics::{
    ball::Ball,
    special::{normal_cdf, normal_quantile},
};

const ERRORS: [f64; 9] = [1e-12, 1e-6, 1e-3, 0.05, 0.2, 0.5, 0.8, 0.99, 0.9999];

/// `G_μ(x) = Φ(Φ^{−1}(1 − x) − μ)` ([Asoodeh21, eq. (41)]).
fn gaussian_trade_off(mu: f64, x: f64) -> f64 {
    normal_cdf(-normal_quantile(x) - mu)
}

/// [Asoodeh21, Lemma 4 and Cor. 1]: one order, several, all; below the truth and better in turn.
#[test]
fn regions_contain_the_gaussian() {
    let mu = 1.0;
    let forward = curve("gdp(mu=1)", Direction::Remove);
    let all = PrivacyRegion::of_curves(&forward, &forward);
    let one = PrivacyRegion::of_order(3.0, 1.5);
    let some = PrivacyRegion::of_orders([2.0, 3.0, 6.0, 0.5].map(|alpha| (alpha, 0.5 * alpha)));
    let divergence = PrivacyRegion::of_order(1.0, 0.5);
    for x in ERRORS {
        let truth = gaussian_trade_off(mu, x);
        let [one, some, all, divergence] =
            [&one, &some, &all, &divergence].map(|region| region.trade_off(x).value());
        assert!(
            one.lower() <= some.upper() && some.lower() <= all.upper() + 1e-4 * truth,
            "{x}: {one:?} {some:?} {all:?}"
        );
        assert!(all.upper() <= truth * (1.0 + 1e-12), "{x}: {all:?} {truth}");
        assert!(divergence.lower() <= all.upper(), "{x}");
        assert!(all.width() <= 1e-10 * (1e-3 + all.upper()), "{x}: {all:?}");
    }
    // The region (45), from the Kullback–Leibler divergence bound γ, contains the one of the order itself.
    let weaker = PrivacyRegion::of_order(1.0, 1.5);
    assert!(ERRORS.iter().all(|&x| weaker.trade_off(x).value().lower() <= one.trade_off(x).value().upper()));
}

/// Orders below 1 have a nontrivial effect ([Zhu22, App. F]).
#[test]
fn orders_below_one_matter() {
    let above = PrivacyRegion::of_orders([1.5, 2.0, 4.0, 8.0].map(|alpha| (alpha, 0.5 * alpha)));
    let with_half = PrivacyRegion::of_orders([0.5, 1.5, 2.0, 4.0, 8.0].map(|alpha| (alpha, 0.5 * alpha)));
    let gain = |x: f64| with_half.trade_off(x).value().lower() - above.trade_off(x).value().upper();
    assert!(ERRORS.iter().any(|&x| gain(x) > 1e-3));
    assert!(ERRORS.iter().all(|&x| with_half.trade_off(x).value().upper() <= gaussian_trade_off(1.0, x)));
}

/// Randomised response: its divergences determine its trade-off function at the kink exactly ([Zhu22, App. F.3]).
#[test]
fn randomised_response_comes_back() {
    let pair = dominating_pair(&mechanism("randomized_response(p=0.75)"), Direction::Remove).unwrap();
    let forward = curve("randomized_response(p=0.75)", Direction::Remove);
    let region = PrivacyRegion::of_curves(&forward, &forward);
    let truth = HockeyStickToTradeOff(pair.as_ref());
    for x in [0.1, 0.25, 0.5] {
        let (found, exact) = (region.trade_off(x).value(), truth.trade_off(x).value());
        assert!(found.lower() <= exact.upper(), "{x}");
        if x == 0.25 {
            assert!(exact.upper() - found.lower() < 1e-9, "{found:?} {exact:?}");
        }
    }
}

/// With infinite losses only orders below 1 say something: uniform noise keeps its total variation.
#[test]
fn infinite_losses_leave_small_orders() {
    let forward = curve("uniform(width=4)", Direction::Remove);
    let region = PrivacyRegion::of_curves(&forward, &forward);
    for x in [0.0, 0.1, 0.5] {
        let found = region.trade_off(x).value();
        assert!(found.lower() <= 0.75 - x + 1e-9, "{x}: {found:?}");
    }
    assert!(region.trade_off(0.0).value().lower() > 0.5);
}

/// [Asoodeh21, Lemma 3]: the lines of all ε; below the region of the order itself, which is exact for tests.
#[test]
fn lines_of_one_order() {
    let region = PrivacyRegion::of_order(3.0, 1.5);
    for x in [1e-6, 1e-3, 0.05, 0.3, 0.7] {
        let lines = PrivacyRegion::lines_of_order(3.0, 1.5, x);
        let exact = region.trade_off(x).value();
        assert!(lines <= exact.upper() && lines > exact.lower() - 1e-4, "{x}: {lines} {exact:?}");
    }
}

/// [Zhu22, Lemma 45], with every digit of a tiny δ: one order gives back the optimal conversion, all orders a better bound that is
/// still above the truth.
#[test]
fn regions_give_delta_in_log_scale() {
    for (alpha, gamma, epsilon) in [(3.0, 1.5, 2.0), (30.0, 1.0, 2.0), (200.0, 0.5, 1.0)] {
        let region = PrivacyRegion::of_order(alpha, gamma);
        let found = SwappedTradeOffToHockeyStick(&region).hockey_stick(Ball::from(epsilon)).value();
        let exact = optimal::delta(alpha, epsilon, gamma);
        assert!(
            found.lower() <= exact.upper() && exact.lower() <= found.upper() * (1.0 + 1e-9),
            "{found:?} {exact:?}"
        );
        assert!(found.upper() <= exact.upper() * 1.01, "{found:?} {exact:?}");
    }
    let forward = curve("gdp(mu=0.5)", Direction::Remove);
    let region = PrivacyRegion::of_curves(&forward, &forward);
    for epsilon in [0.5, 3.0] {
        let found = SwappedTradeOffToHockeyStick(&region.swapped()).hockey_stick(Ball::from(epsilon)).value();
        let truth = delta("gdp(mu=0.5)", epsilon, Method::Auto);
        let one_order = forward.delta(Conversion::Optimal, epsilon).value;
        assert!(found.upper() >= truth.lower().unwrap(), "{epsilon}: {found:?} {truth:?}");
        assert!(found.upper() <= one_order * 1.02, "{epsilon}: {found:?} {one_order}");
    }
}
