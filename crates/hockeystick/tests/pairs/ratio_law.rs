//! Moments of the likelihood ratio: closed forms, identities and extremes.

use crate::ratio_law_support::{gaussian, laplace, mixture, sampled, variance};
use hockeystick::pair::{Atom, Panel, RatioLaw};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use num_complex::Complex;
use proptest::prelude::*;

/// The disc is narrow relative to `M(Re z)`, and meets the closed form as plain complex floats give it.
///
/// Losses of the size `spread` turn the integrand `|Im z| · spread` times; beyond 50, each turn costs its share of digits.
fn agrees(law: &RatioLaw, z: Complex<f64>, form: Complex<f64>, height: f64, spread: f64) {
    let disc = law.mgf(z).unwrap();
    let (off, turns) = ((disc.center() - form).norm() / height, (z.im.abs() * spread / 50.0).max(1.0));
    assert!(disc.radius() <= 1e-11 * turns * height, "at {z}: radius {:e} at {height:e}", disc.radius());
    assert!(off <= disc.radius() / height + 1e-12 * turns, "at {z}: {disc:?} against {form}");
}

fn gaussian_form(mu: f64, z: Complex<f64>) -> Complex<f64> {
    (0.5 * mu * mu * z * (z + 1.0)).exp()
}

fn laplace_form(d: f64, z: Complex<f64>) -> Complex<f64> {
    let (up, down) = ((d * z).exp(), (-d * (z + 1.0)).exp());
    0.5 * (up + down + (up - down) / (2.0 * z + 1.0))
}

/// `∫ N(0, σ₁²)^{1+z} N(0, σ₂²)^{−z} = σ₁^{−1−z} σ₂^z ((1+z)/σ₁² − z/σ₂²)^{−1/2}`.
fn variance_form(sigma1: f64, sigma2: f64, z: Complex<f64>) -> Complex<f64> {
    let precision = (z + 1.0) / (sigma1 * sigma1) - z / (sigma2 * sigma2);
    (-(z + 1.0) * sigma1.ln() + z * sigma2.ln()).exp() / precision.sqrt()
}

#[test]
fn gaussian_closed_form() {
    for sigma in [0.05, 0.3, 1.0, 7.0, 1e4] {
        for re in [-10.0, -3.0, -1.0, -0.5, 0.0, 0.7, 5.0, 30.0] {
            let height = gaussian_form(1.0 / sigma, Complex::new(re, 0.0)).re;
            for im in [0.0, 0.3, 10.0] {
                // Beyond, the plain closed form has lost the digits that it is to check.
                if height < 1e150 {
                    let z = Complex::new(re, im);
                    let form = gaussian_form(1.0 / sigma, z);
                    agrees(&gaussian(sigma), z, form, height, 1.0 / sigma);
                    agrees(&gaussian(sigma).swapped(), z, form, height, 1.0 / sigma);
                }
            }
        }
    }
}

#[test]
fn laplace_closed_form() {
    for scale in [0.05, 0.4, 1.0, 30.0, 1e4] {
        for re in [-10.0, -1.3, -1.0, 0.0, 0.7, 5.0, 30.0] {
            let height = laplace_form(1.0 / scale, Complex::new(re, 0.0)).re;
            for im in [0.0, 0.25, 20.0, 1e3] {
                let z = Complex::new(re, im);
                let form = laplace_form(1.0 / scale, z);
                agrees(&laplace(scale), z, form, height, 1.0 / scale);
                agrees(&laplace(scale).swapped(), z, form, height, 1.0 / scale);
            }
        }
    }
}

#[test]
fn variance_closed_form() {
    for (sigma1, sigma2) in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.001), (0.02, 0.1), (31.0, 30.0)] {
        let law = variance(sigma1, sigma2);
        let (low, high) = law.strip();
        for share in [0.1, 0.5, 0.9] {
            let re = low.max(-10.0) * (1.0 - share) + high.min(30.0) * share;
            let height = variance_form(sigma1, sigma2, Complex::new(re, 0.0)).re;
            for im in [0.0, 0.5, 12.0] {
                let z = Complex::new(re, im);
                agrees(&law, z, variance_form(sigma1, sigma2, z), height, 1.0);
                let other = -1.0 - z;
                agrees(&law.clone().swapped(), other, variance_form(sigma1, sigma2, z), height, 1.0);
            }
        }
    }
}

#[test]
fn strips() {
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(gaussian(1.0).strip(), everywhere);
    assert_eq!(sampled(laplace(0.1), 0.3).swapped().strip(), everywhere);
    // (1 + z)/σ₁² > z/σ₂²: below 1/3 for σ₁ = 2σ₂, and above −4/3 the other way round.
    let near = |(a, b): (f64, f64), c: f64, d: f64| {
        assert!((a == c || (a - c).abs() < 1e-14) && (b == d || (b - d).abs() < 1e-14), "{a} {b}");
    };
    near(variance(2.0, 1.0).strip(), f64::NEG_INFINITY, 1.0 / 3.0);
    near(variance(2.0, 1.0).swapped().strip(), -4.0 / 3.0, f64::INFINITY);
    near(variance(1.0, 2.0).strip(), -4.0 / 3.0, f64::INFINITY);
    // Sampled, the ratio tends to 1 − γ instead of 0.
    near(sampled(variance(1.0, 2.0), 0.1).strip(), f64::NEG_INFINITY, f64::INFINITY);
    near(sampled(variance(2.0, 1.0), 0.1).strip(), f64::NEG_INFINITY, 1.0 / 3.0);
    assert_eq!(variance(2.0, 1.0).mgf(Complex::new(0.34, 1.0)), None);
    assert_eq!(variance(2.0, 1.0).mgf(Complex::new(f64::NAN, 0.0)), None);
}

#[test]
fn atoms_alone() {
    let e = Ball::from(0.7).exp();
    let p = (e / (e + Ball::ONE)).enclosure();
    let atom = |loss: f64, p: Enclosure| Atom { loss: Ball::from(loss), p, q: p.one_minus() };
    let law = RatioLaw { atoms: vec![atom(0.7, p), atom(-0.7, p.one_minus())], ..RatioLaw::default() };
    let z = Complex::new(2.0, 5.0);
    let form = (z * 0.7).exp() * p.midpoint() + (z * -0.7).exp() * p.one_minus().midpoint();
    agrees(&law, z, form, 4.0, 1.0);
    let moments = law.moments().unwrap();
    let lean = 2.0 * p.midpoint() - 1.0;
    assert!((moments.mean.midpoint() - 0.7 * lean).abs() < 1e-15);
    assert!((moments.variance.midpoint() - 0.49 * (1.0 - lean * lean)).abs() < 1e-15);
    assert!(moments.third_absolute.width() < 1e-15);
    // One loss only, and none.
    let lone = RatioLaw { atoms: vec![atom(0.0, Enclosure::point(0.5))], ..RatioLaw::default() };
    assert_eq!(lone.moments().unwrap().third_absolute, Enclosure::ZERO);
    assert_eq!(RatioLaw::default().moments(), None);
    assert_eq!(RatioLaw::default().mgf(z).unwrap().radius(), 0.0);
}

#[test]
fn probabilities_are_probabilities() {
    for law in [
        gaussian(0.05),
        gaussian(1e4),
        laplace(0.05),
        mixture(0.5, &[(0.25, 0.0), (0.5, 1.0), (0.25, 3.0)]),
        variance(1.0, 3.0),
    ] {
        for law in
            [law.clone(), sampled(law.clone(), 1e-6), sampled(law.clone(), 0.3), sampled(law, 1.0 - 1e-6)]
        {
            for law in [law.clone(), law.swapped()] {
                for re in [0.0, -1.0] {
                    let one = law.mgf(Complex::new(re, 0.0)).unwrap();
                    assert!(one.real().contains(1.0) && one.radius() < 1e-11, "{law:?}: {one:?}");
                }
            }
        }
    }
}

#[test]
fn extremes_do_not_mislead() {
    // e^{200·z(z+1)} overflows at z = 2; the disc must not pretend to know.
    assert_eq!(gaussian(0.05).mgf(Complex::new(2.0, 0.0)).unwrap().radius(), f64::INFINITY);
    // 10^193 is a number like any other.
    let disc = gaussian(0.05).mgf(Complex::new(1.05, 0.0)).unwrap();
    assert!(
        (disc.center().re.ln() - 200.0 * 1.05 * 2.05).abs() < 1e-9
            && disc.radius() < 1e-11 * disc.center().re
    );
    // A million turns: |M(z)| ≤ M(Re z) remains.
    let disc = gaussian(0.05).mgf(Complex::new(0.0, 1e6)).unwrap();
    assert!(disc.contains(Complex::new(0.0, 0.0)) && disc.radius() < 1.001);
    // A panel cut to the left of its peak, 1e5 times as wide as the peak.
    let mut law = gaussian(1e-5);
    law.panels[0] = Panel { from: -3.0, to: 0.5, ..law.panels[0].clone() };
    let all = law.mgf(Complex::new(-1.0, 0.0)).unwrap();
    assert!(all.real().contains(1.0) && all.radius() < 1e-9, "{all:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn symmetries(sigma in 0.2f64..20.0, rate in 1e-6f64..1.0, re in -6f64..6.0, im in -60f64..60.0) {
        let law = sampled(gaussian(sigma), rate);
        let z = Complex::new(re, im);
        let (disc, conjugate) = (law.mgf(z).unwrap(), law.mgf(z.conj()).unwrap());
        prop_assert_eq!(disc.center().conj(), conjugate.center());
        let height = law.mgf(Complex::new(re, 0.0)).unwrap();
        let turns = (im.abs() / sigma / 50.0).max(1.0);
        prop_assert!(disc.radius() <= 1e-11 * turns * height.center().re, "{disc:?} at {height:?}");
        prop_assert!(disc.center().norm() <= height.real().upper() + disc.radius());
        // M_swapped(z) = M(−1 − z), up to the rounding of −1 − z.
        let swapped = law.clone().swapped().mgf(-1.0 - z).unwrap();
        prop_assert!((swapped.center() - disc.center()).norm() <= 1e-11 * turns * height.center().re);
        prop_assert!(law.mgf(Complex::new(-0.5, im)).unwrap().center().norm() <= 1.0 + 1e-12);
    }

    /// The mean and the variance are derivatives of log M at 0; the third absolute moment is between powers of the others.
    #[test]
    fn moments_belong_to_the_transform(sigma in 0.3f64..20.0, rate in 1e-3f64..1.0, swap: bool) {
        let law = sampled(gaussian(sigma), rate);
        let law = if swap { law.swapped() } else { law };
        let moments = law.moments().unwrap();
        let spread = moments.variance.midpoint().sqrt();
        // Differences are off by step² times the fourth moment, and a rare sample has a kurtosis of thousands.
        let step = 1e-4 / (spread + moments.mean.upper());
        let at = |x: f64| law.mgf(Complex::new(0.0, x)).unwrap().center();
        let first = (at(step) - at(-step)).im / (2.0 * step);
        let second = (2.0 - (at(step) + at(-step)).re) / (step * step);
        prop_assert!((first - moments.mean.midpoint()).abs() <= 1e-4 * spread + 1e-5 * first.abs());
        let square = moments.variance.midpoint() + moments.mean.midpoint().powi(2);
        prop_assert!((second - square).abs() <= 1e-4 * square);
        prop_assert!(moments.variance.width() <= 1e-9 * moments.variance.upper());
        prop_assert!(moments.third_absolute.width() <= 1e-9 * moments.third_absolute.upper());
        prop_assert!(moments.third_absolute.upper() >= spread.powi(3) * (1.0 - 1e-9));
    }
}
