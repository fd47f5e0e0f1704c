//! Laws of likelihood ratios made by hand, coefficients rounded once from 106 bits.

#![allow(dead_code, reason = "each test file uses its own part")]

use hockeystick::pair::{Atom, Panel, Quadratic, RatioLaw};
use hockeystick_golden::Decimal;
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure};

fn wide(x: f64) -> Ball {
    Ball::from(x)
}

/// `log(factor/(σ√(2π)))`.
fn log_normal_factor(factor: f64, sigma: f64) -> f64 {
    let tau = wide(std::f64::consts::TAU) + wide(2.4492935982947064e-16);
    (wide(factor).ln() - wide(sigma).ln() - tau.sqrt().ln()).approximate()
}

fn normal_density(factor: f64, sigma: f64) -> Quadratic {
    let square = -(wide(0.5) / (wide(sigma) * wide(sigma))).approximate();
    Quadratic { constant: log_normal_factor(factor, sigma), linear: 0.0, square }
}

/// `(2sx − s²)/2σ²`.
fn shift(s: f64, sigma: f64) -> Quadratic {
    let variance = wide(sigma) * wide(sigma);
    let constant = -(wide(s) * wide(s) / (wide(2.0) * variance)).approximate();
    Quadratic { constant, linear: (wide(s) / variance).approximate(), square: 0.0 }
}

fn of_panel(panel: Panel) -> RatioLaw {
    RatioLaw { panels: vec![panel], ..RatioLaw::default() }
}

/// `Σ wⱼ N(sⱼ, σ²)` against `N(0, σ²)`.
pub(crate) fn mixture(sigma: f64, terms: &[(f64, f64)]) -> RatioLaw {
    let ratio = terms.iter().map(|&(weight, s)| (weight, shift(s, sigma))).collect();
    of_panel(Panel { from: f64::NEG_INFINITY, to: f64::INFINITY, log_q: normal_density(1.0, sigma), ratio })
}

/// `N(1, σ²)` against `N(0, σ²)`.
pub(crate) fn gaussian(sigma: f64) -> RatioLaw {
    mixture(sigma, &[(1.0, 1.0)])
}

/// `N(0, σ₁²)` against `N(0, σ₂²)`, by |x|.
pub(crate) fn variance(sigma1: f64, sigma2: f64) -> RatioLaw {
    let (one, two) = (wide(sigma1) * wide(sigma1), wide(sigma2) * wide(sigma2));
    let square = ((one - two) / (wide(2.0) * one * two)).approximate();
    let constant = -(wide(sigma1) / wide(sigma2)).ln().approximate();
    let ratio = vec![(1.0, Quadratic { constant, linear: 0.0, square })];
    of_panel(Panel { from: 0.0, to: f64::INFINITY, log_q: normal_density(2.0, sigma2), ratio })
}

/// Laplace noise of the scale b, centered in 1 and in 0.
pub(crate) fn laplace(scale: f64) -> RatioLaw {
    let d = wide(1.0) / wide(scale);
    let (half, small) = (Enclosure::point(0.5), (-d).exp_enclosure() * 0.5);
    let log_half = -(wide(2.0) * wide(scale)).ln().approximate();
    let log_q = Quadratic { constant: log_half, linear: -1.0 / scale, square: 0.0 };
    let loss = Quadratic { constant: -1.0 / scale, linear: 2.0 / scale, square: 0.0 };
    RatioLaw {
        atoms: vec![Atom { loss: -d, p: small, q: half }, Atom { loss: d, p: half, q: small }],
        panels: vec![Panel { from: 0.0, to: 1.0, log_q, ratio: vec![(1.0, loss)] }],
        ..RatioLaw::default()
    }
}

/// `(1 − γ)Q + γP` against Q.
pub(crate) fn sampled(law: RatioLaw, rate: f64) -> RatioLaw {
    let rest = wide(1.0) - wide(rate);
    let atom = |atom: Atom| Atom {
        loss: (wide(rate) * atom.loss.exp_m1()).ln_1p(),
        p: rest.enclosure() * atom.q + atom.p * rate,
        ..atom
    };
    let panel = |panel: Panel| Panel {
        ratio: [(rest.approximate(), Quadratic::default())]
            .into_iter()
            .chain(panel.ratio.iter().map(|&(weight, exponent)| (weight * rate, exponent)))
            .collect(),
        ..panel
    };
    RatioLaw {
        atoms: law.atoms.into_iter().map(atom).collect(),
        panels: law.panels.into_iter().map(panel).collect(),
        ..law
    }
}

/// Does the enclosure contain the decimal?
pub(crate) fn holds(enclosure: Enclosure, truth: &str) -> bool {
    let truth = Decimal::parse(truth);
    truth.is_at_least(enclosure.lower()) && truth.is_at_most(enclosure.upper())
}

/// Does the disc contain the complex decimal?
pub(crate) fn disc_holds(disc: Disc, re: &str, im: &str) -> bool {
    holds(disc.real(), re) && holds(disc.imaginary(), im)
}
