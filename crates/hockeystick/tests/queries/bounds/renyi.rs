//! Rényi curves against closed forms and 50-digit moments.

use crate::bounds::support::curve;
use hockeystick::{
    mechanism::Mechanism,
    pair::{Direction, log_moments},
};
use hockeystick_golden::{Decimal, files, rows};
use hockeystick_numerics::enclosure::Enclosure;

fn contains(enclosure: Enclosure, value: f64, tolerance: f64) -> bool {
    enclosure.lower() <= value + tolerance && value - tolerance <= enclosure.upper()
}

/// `K(λ)` of every mechanism, sampled or not, in both directions: `e^{K}` encloses the moment.
#[test]
fn moments_of_every_mechanism_enclose_the_references() {
    let (mut above, mut below) = (0, 0);
    for row in files("pair").iter().flat_map(|file| rows(&format!("pair/{file}"))) {
        if row.text("m_re").is_empty() {
            continue;
        }
        let (lambda, turn): (f64, f64) = (row.number("z_re"), row.number("z_im"));
        if turn != 0.0 || lambda <= -1.0 {
            continue;
        }
        // Some references are of parameters that mechanisms refuse: a stability of δ = 0.
        let Ok(mechanism) = row.text("expression").parse::<Mechanism>() else { continue };
        let direction = if row.text("direction") == "add" { Direction::Add } else { Direction::Remove };
        let moments = log_moments(&mechanism, direction).unwrap();
        let log = moments.log_moment(lambda);
        let moment: Decimal = row.reference("m_re");
        let what = format!("{mechanism} {direction} at λ = {lambda}: {log:?}");
        assert!(moment.is_zero() || moment.is_at_least(log.exp().lower()), "{what}");
        assert!(moment.is_at_most(log.exp().upper()), "{what}");
        if lambda > 0.0 { above += 1 } else { below += 1 }
    }
    assert!(above > 300 && below > 250, "{above} {below}");
}

#[test]
fn closed_forms_at_every_order() {
    for alpha in [1e-3, 0.25, 0.5, 0.75, 1.0, 1.001, 1.5, 2.0, 7.3, 100.0] {
        // N(1, σ²) against N(0, σ²): α/(2σ²).
        let gaussian = curve("gaussian(sigma=3) * 5", Direction::Remove).divergence(alpha);
        let truth = 5.0 * alpha / 18.0;
        assert!(
            contains(gaussian, truth, 1e-14 * truth) && gaussian.width() < 1e-12 * truth,
            "{alpha}: {gaussian:?}"
        );
        // Randomised response: log(p^α(1−p)^{1−α} + (1−p)^α p^{1−α})/(α − 1).
        let p = 0.8f64;
        let response = curve("randomized_response(p=0.8)", Direction::Remove).divergence(alpha);
        let truth = if alpha == 1.0 {
            (2.0 * p - 1.0) * (p / (1.0 - p)).ln()
        } else {
            let q = 1.0 - p;
            (p.powf(alpha) * q.powf(1.0 - alpha) + q.powf(alpha) * p.powf(1.0 - alpha)).ln() / (alpha - 1.0)
        };
        assert!(contains(response, truth, 1e-11), "{alpha}: {response:?} {truth}");
        // Laplace: log(α/(2α−1) e^{(α−1)d} + (α−1)/(2α−1) e^{−αd})/(α − 1).
        if alpha > 1.01 {
            let d = 1.0 / 2.5;
            let truth = (alpha / (2.0 * alpha - 1.0) * ((alpha - 1.0) * d).exp()
                + (alpha - 1.0) / (2.0 * alpha - 1.0) * (-alpha * d).exp())
            .ln()
                / (alpha - 1.0);
            let laplace = curve("laplace(scale=2.5)", Direction::Add).divergence(alpha);
            assert!(contains(laplace, truth, 1e-12), "{alpha}: {laplace:?} {truth}");
        }
    }
}

/// Whole orders of the sampled Gaussian are binomial sums (Mironov, Talwar and Zhang 2019, Sec. 3.3).
#[test]
fn sampled_gaussian_at_whole_orders() {
    for (sigma, rate) in [(1.0f64, 0.01f64), (4.0, 0.01), (0.7, 0.2), (2.0, 0.5)] {
        let curve = curve(&format!("poisson(gaussian(sigma={sigma}), rate={rate})"), Direction::Remove);
        for alpha in [2u32, 3, 5, 16] {
            let mut binomial = 1.0;
            let mut sum = 0.0;
            for k in 0..=alpha {
                let (k_real, rest) = (f64::from(k), f64::from(alpha - k));
                sum += binomial
                    * (1.0 - rate).powf(rest)
                    * rate.powf(k_real)
                    * ((k_real * k_real - k_real) / (2.0 * sigma * sigma)).exp();
                binomial *= rest / (k_real + 1.0);
            }
            let truth = sum.ln() / f64::from(alpha - 1);
            let found = curve.divergence(alpha.into());
            assert!(
                contains(found, truth, 1e-13 + 1e-12 * truth),
                "{sigma} {rate} {alpha}: {found:?} {truth}"
            );
        }
        // Between two whole orders the divergence is between theirs: it does not fall with the order.
        let [two, fraction, three] = [2.0, 2.6, 3.0].map(|alpha| curve.divergence(alpha));
        assert!(two.lower() <= fraction.upper() && fraction.lower() <= three.upper());
        assert!(fraction.width() < 1e-12);
    }
}

#[test]
fn infinite_where_the_moment_does_not_exist() {
    // P gives some outcomes that Q cannot.
    let uniform = curve("uniform(width=4)", Direction::Remove);
    assert_eq!(uniform.divergence(2.0).lower(), f64::INFINITY);
    assert_eq!(uniform.divergence(1.0).lower(), f64::INFINITY);
    // Below 1 it is finite: −log(1 − 1/4)·…, with E_Q[r^α] = 3/4.
    let half = uniform.divergence(0.5);
    assert!(contains(half, -0.75f64.ln() / 0.5, 1e-12), "{half:?}");
    // N(0, 2²) against N(0, 1): E_P[e^{λL}] exists for λ < 1/3 only.
    let variance = curve("gaussian_variance(sigma1=2, sigma2=1)", Direction::Remove);
    assert!(variance.divergence(1.3).upper().is_finite());
    assert_eq!(variance.divergence(1.34).upper(), f64::INFINITY);
}

#[test]
fn composition_adds() {
    let sum = curve("laplace(scale=2) * 3 + gaussian(sigma=1.5) * 2", Direction::Remove);
    let [laplace, gaussian] =
        ["laplace(scale=2)", "gaussian(sigma=1.5)"].map(|text| curve(text, Direction::Remove));
    for alpha in [0.3, 1.0, 2.5, 20.0] {
        let parts = laplace.divergence(alpha) * 3.0 + gaussian.divergence(alpha) * 2.0;
        assert!(sum.divergence(alpha).overlaps(parts), "{alpha}");
    }
}
