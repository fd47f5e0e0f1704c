//! Moment and characteristic functions.

use crate::conversions::pairs::{Discrete, Gaussian, GaussianTradeOff, LaplaceTails};
use hockeystick::curve::{
    HockeyStick, LossTails, MomentFunction, TradeOff,
    conversion::{LevyInversion, TailsToMoments, TailsToTradeOff, TradeOffToMoments},
};
use hockeystick_numerics::{ball::Ball, disc::Disc, special::normal_cdf};
use num_complex::Complex;

#[track_caller]
fn holds(found: Disc, exact: Complex<f64>, radius: f64) {
    let distance = (found.center() - exact).norm();
    assert!(distance <= found.radius() + 1e-14, "{exact} is {distance:e} from {found:?}");
    assert!(found.radius() <= radius, "{found:?}");
}

/// Both characteristic functions at a few frequencies, and the masses.
fn arguments() -> impl Iterator<Item = Complex<f64>> {
    [0.0, -1.0, -0.4].into_iter().flat_map(|re| [0.0, 0.7, -3.0, 8.0].map(|im| Complex::new(re, im)))
}

fn discrete_pairs() -> [Discrete; 4] {
    let lopsided = Discrete::lopsided();
    [lopsided.swapped(), lopsided, Discrete::bounded(), Discrete::randomized_response(1.0)]
}

#[test]
fn of_discrete_pairs() {
    for pair in discrete_pairs() {
        let from_tails = TailsToMoments::new(&pair, 4096);
        let from_trade_off = TradeOffToMoments::new(&TailsToTradeOff(&pair), 1024);
        for z in arguments() {
            holds(from_tails.moment(z), pair.moment(z), 1e-8);
            holds(from_trade_off.moment(z), pair.moment(z), 2e-5);
        }
    }
}

#[test]
fn of_the_gaussian() {
    let pair = Gaussian::new(1.0);
    let from_tails = TailsToMoments::new(&pair, 4096);
    let from_trade_off = TradeOffToMoments::new(&GaussianTradeOff(1.0), 1024);
    for z in arguments() {
        // For z = it this is e^{−μ²(t² − it)/2}.
        let exact = ((z * z + z) * 0.5).exp();
        holds(from_tails.moment(z), exact, 1e-3);
        holds(from_trade_off.moment(z), exact, 1e-3);
    }
}

#[test]
fn of_the_laplace_mechanism() {
    let d = 1.0;
    let moments = TailsToMoments::new(&LaplaceTails(d), 4096);
    for t in [0.0, 0.7, -3.0, 8.0] {
        let it = Complex::new(0.0, t);
        // Atoms ½ at d and ½e^{−d} at −d, between them the density ¼e^{−(d − x)/2}.
        let atoms = ((it * d).exp() + (-(it + 1.0) * d).exp()) * 0.5;
        let between = ((it * d).exp() - (-(it + 1.0) * d).exp()) / (it * 2.0 + 1.0) * 0.5;
        holds(moments.moment(it), atoms + between, 2e-5);
    }
}

#[test]
fn positive_moments_need_bounded_losses() {
    let pair = Discrete::bounded();
    let two = Complex::new(2.0, 0.0);
    holds(TailsToMoments::new(&pair, 4096).moment(two), pair.moment(two), 1e-6);
    let unbounded = TailsToMoments::new(&Gaussian::new(1.0), 256).moment(two);
    assert_eq!(unbounded.radius(), f64::INFINITY);
}

#[test]
fn levy_inverts_the_gaussian() {
    let pair = Gaussian::new(1.0);
    for epsilon in [-1.0, 0.0, 0.5, 2.0] {
        let found = LevyInversion { moments: &pair, step: 0.2, cutoff: 10.0 }.tails(epsilon);
        assert!((found.p - normal_cdf(0.5 - epsilon)).abs() < 1e-12, "{found:?}");
        assert!((found.q - normal_cdf(-0.5 - epsilon)).abs() < 1e-12, "{found:?}");
    }
    // From the tails to the characteristic function and back, within what the former is known to.
    let moments = TailsToMoments::new(&pair, 1024);
    let back = LevyInversion { moments: &moments, step: 0.2, cutoff: 10.0 }.tails(0.5);
    assert!((back.p - 0.5).abs() < 1e-5, "{back:?}");
}

#[test]
fn levy_finds_the_middle_of_a_jump() {
    let pair = Discrete::lopsided();
    let inversion = LevyInversion { moments: &pair, step: 0.05, cutoff: 2000.0 };
    for epsilon in [-2.5f64, -0.7, 0.6, 2.0] {
        let (found, (p, q)) = (inversion.tails(epsilon), pair.loss_above(epsilon));
        assert!((found.p - p).abs() < 1e-3 && (found.q - q).abs() < 1e-3, "{found:?} {p} {q}");
    }
    // The atom at 0 weighs 4/16 under both.
    let found = inversion.tails(0.0);
    assert!((found.p - 13.0 / 16.0).abs() < 1e-3 && (found.q - 4.0 / 16.0).abs() < 1e-3, "{found:?}");
}

#[test]
fn unknown_support_widens_but_never_lies() {
    struct Blind<'a>(&'a Discrete);
    impl hockeystick::curve::LossSupport for Blind<'_> {}
    impl LossTails for Blind<'_> {
        fn loss_tails(&self, epsilon: Ball) -> hockeystick::pair::Tails {
            self.0.loss_tails(epsilon)
        }
    }
    impl HockeyStick for Blind<'_> {
        fn hockey_stick(&self, epsilon: Ball) -> hockeystick_numerics::probability::Probability {
            HockeyStick::hockey_stick(self.0, epsilon)
        }
    }
    let pair = Discrete::lopsided();
    let blind = Blind(&pair);
    let moments = TailsToMoments::new(&blind, 512);
    for z in arguments() {
        holds(moments.moment(z), pair.moment(z), 2.0);
    }
    let trade_off = hockeystick::curve::conversion::HockeyStickToTradeOff(&blind);
    for x in [0.0, 0.1, 0.6, 1.0] {
        let found = trade_off.trade_off(x).value();
        let exact = pair.neyman_pearson(x);
        assert!(found.lower() <= exact + 1e-15 && exact <= found.upper() + 1e-15);
    }
    assert!(trade_off.trade_off(0.1).value().width() < 1e-14);
}
