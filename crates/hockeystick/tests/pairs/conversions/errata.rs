//! What the papers print wrongly: the conversions must differ from it, and agree with the definition.

use crate::conversions::pairs::{Discrete, Gaussian};
use hockeystick::curve::{
    HockeyStick, LossTails, MomentFunction, TradeOff,
    conversion::{
        HockeyStickToTradeOff, LevyInversion, TailsToHockeyStick, TailsToMoments, TailsToTradeOff,
        hockey_stick_to_renyi, moments_to_renyi, trade_off_to_renyi,
    },
};
use hockeystick_numerics::ball::Ball;
use num_complex::Complex;

/// [Zhu22, Lemma 24] prints `D_α` for what is `D_{α+1}`: at α = 2 it says `log(1 + 6∫…)`, where the Gaussian with μ = 1 has
/// `D_2 = 1` and the printed formula `log e³ = 3`.
#[test]
fn lemma_24_gives_the_next_order() {
    let found = hockey_stick_to_renyi(&Gaussian::new(1.0), 2.0, 20_000);
    assert!((found.lower() - 1.0).abs() < 1e-5, "{found:?}");
}

/// [Zhu22, App. B] prints `E_P (dP/dQ)^α` in the Rényi divergence; it is `E_Q`.
#[test]
fn renyi_divergence_is_an_expectation_under_q() {
    let pair = Discrete::bounded();
    let under_q: f64 = pair.outcomes().map(|(p, q)| p * p / q).sum();
    let under_p: f64 = pair.outcomes().map(|(p, q)| p * p * p / (q * q)).sum();
    let found = moments_to_renyi(&pair, 2.0);
    assert!(found.contains(under_q.ln()) && !found.contains(under_p.ln()));
}

/// [Zhu22, App. B]'s `F` and `G` are distribution functions of `log dQ/dP`, the main text's loss is `log dP/dQ`.
#[test]
fn tails_are_those_of_log_p_over_q() {
    let pair = Discrete::lopsided();
    let epsilon = Ball::from(0.5);
    let found = TailsToHockeyStick(&pair).hockey_stick(epsilon).value();
    // Lemma 19 with F, G of −L gives H(P‖Q) at −ε; with F, G of L mixed in it gives this:
    let (p, q) = pair.swapped().loss_above(0.5);
    let mixed = q - 0.5f64.exp() * p;
    assert!(found.contains(pair.hockey_stick(0.5f64.exp())) && !found.contains(mixed));
    assert!(pair.loss_tails(epsilon).p.value().contains(11.0 / 16.0));
}

/// [Zhu22, App. E.2] integrates φ against q and φ′ against p.
#[test]
fn characteristic_functions_belong_to_their_own_law() {
    let pair = Discrete::lopsided();
    let moments = TailsToMoments::new(&pair, 2048);
    let t = 1.3;
    let sum = |weight: fn(f64, f64) -> f64| -> Complex<f64> {
        let finite = pair.outcomes().filter(|&(p, q)| p > 0.0 && q > 0.0);
        finite.map(|(p, q)| Complex::from_polar(weight(p, q), t * (p / q).ln())).sum()
    };
    let (under_p, under_q) = (sum(|p, _| p), sum(|_, q| q));
    let of_p = moments.moment(Complex::new(0.0, t));
    let of_q = moments.moment(Complex::new(-1.0, t));
    assert!(of_p.contains(under_p) && !of_p.contains(under_q));
    assert!(of_q.contains(under_q) && !of_q.contains(under_p));
}

/// [Zhu22, Lemma 21] holds for symmetric pairs; here it is wrong on both sides of the diagonal.
#[test]
fn lemma_21_is_wrong_for_an_asymmetric_pair() {
    let printed = |pair: &Discrete, x: f64| {
        let lines = (0..=4000).map(|k| {
            let alpha = (f64::from(k) * 1e-3).exp();
            let curve = pair.hockey_stick(alpha);
            (1.0 - curve - alpha * x).max((1.0 - curve - x) / alpha)
        });
        lines.fold(0.0, f64::max)
    };
    let pair = Discrete::lopsided();
    for (pair, x) in [(&pair, 0.02), (&pair.swapped(), 0.02)] {
        let exact = pair.neyman_pearson(x);
        assert!((printed(pair, x) - exact).abs() > 0.01, "the printed formula is right here");
        for found in [HockeyStickToTradeOff(pair).trade_off(x), TailsToTradeOff(pair).trade_off(x)] {
            assert!((found.value().midpoint() - exact).abs() < 1e-14);
        }
    }
    // Where the pair is symmetric it is right.
    let response = Discrete::randomized_response(1.0);
    assert!((printed(&response, 0.1) - response.neyman_pearson(0.1)).abs() < 1e-12);
}

/// [Zhu22, Lemma 18] is a principal value; and with [Prop. 38] read as a conditional law, `φ(0) = 1` would lose P(L = ∞).
#[test]
fn levy_inversion_keeps_the_infinite_mass() {
    let pair = Discrete::lopsided();
    let inversion = LevyInversion { moments: &pair, step: 0.05, cutoff: 2000.0 };
    assert!((inversion.tails(10.0).p - 3.0 / 16.0).abs() < 1e-4);
    assert!(inversion.tails(10.0).q.abs() < 1e-4);
    assert!((pair.moment(Complex::new(0.0, 0.0)).re - 13.0 / 16.0).abs() < 1e-12);
}

/// [Asoodeh21, Prop. 1] adds `1 − β(0)` inside the logarithm.
#[test]
fn trade_off_to_renyi_has_no_extra_term() {
    let pair = Discrete::new(&[0.5, 0.5, 0.0], &[0.25, 0.5, 0.25]);
    let found = trade_off_to_renyi(&TailsToTradeOff(&pair), 2.0, 2048);
    assert!(found.contains(1.5f64.ln()), "{found:?}");
    // The printed value is log(1.5 + ¼) = 0.5596.
    assert!(found.width() < 1e-4 && !found.contains(1.75f64.ln()));
}
