//! The numbers of \[Zhu22\].

use crate::characteristic::edge_cases::Product;
use hockeystick::{
    Query,
    curve::PrivacyProfile,
    engine::{Goal, lattice::Options, published::Fourier},
    mechanism::Mechanism,
    query::{Guarantee, Method},
};
use hockeystick_numerics::enclosure::Enclosure;

const ESTIMATES: [Method; 2] = [Method::Afa, Method::DoubleQuadrature];

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

/// "GM obeys (0.277, 0.3)-DP" (Sec. 3).
#[test]
fn the_gaussian_mechanism_is_0277_03_dp() {
    let gaussian = parsed("gaussian(sigma=1)");
    let certified = hockeystick::epsilon(&gaussian, 0.3).unwrap();
    assert!(certified.upper() <= 0.277 && certified.lower().unwrap() > 0.276);
    assert!(hockeystick::delta(&gaussian, 0.277).unwrap().upper() <= 0.3);
    for method in ESTIMATES {
        let estimate = Query::new(&gaussian).method(method).epsilon(0.3).unwrap();
        assert!((estimate.upper() - certified.upper()).abs() < 1e-12, "{estimate:?}");
    }
    let grid = Query::new(&gaussian).method(Method::AfaGrid).epsilon(0.3).unwrap();
    assert!(grid.lower().unwrap() <= certified.upper() && certified.lower().unwrap() <= grid.upper());
}

/// "RR does not satisfy (ε, 0.3)-DP with ε < 0.471" for p = e/(1 + e): δ(ε) = p − e^ε(1 − p).
#[test]
fn randomised_response_is_not_0471_03_dp() {
    let response = parsed("randomized_response(epsilon=1)");
    let certified = hockeystick::epsilon(&response, 0.3).unwrap();
    let exact = (1f64.exp() - 0.3 * (1.0 + 1f64.exp())).ln();
    assert!(certified.lower().unwrap() >= 0.471 && (certified.upper() - exact).abs() < 1e-12);
    assert!(hockeystick::delta(&response, 0.471).unwrap().lower().unwrap() > 0.3);
    for method in ESTIMATES {
        let estimate = Query::new(&response).method(method).epsilon(0.3).unwrap();
        assert!((estimate.upper() - exact).abs() < 1e-11, "{estimate:?}");
    }
    let grid = Query::new(&response).method(Method::AfaGrid).epsilon(0.3).unwrap();
    assert!(grid.lower().unwrap() >= 0.471 && grid.upper() < 0.472, "{grid:?}");
}

/// Exp. 1: the Gaussian mechanism, σ ∈ {50, 100}, ε at δ = 10⁻⁴ "exactly matches" the analytical Gaussian mechanism.
#[test]
fn experiment_1() {
    for sigma in [50, 100] {
        for uses in [1000, 5000, 20_000] {
            let gaussian = parsed(&format!("gaussian(sigma={sigma}) * {uses}"));
            let certified = hockeystick::epsilon(&gaussian, 1e-4).unwrap();
            let estimate = Query::new(&gaussian).method(Method::Afa).epsilon(1e-4).unwrap();
            // Errors of distribution functions count e^ε times.
            let error = estimate.budget().total();
            assert!(error < 1e-4, "{estimate:?}");
            assert!((estimate.upper() - certified.upper()).abs() <= error, "{estimate:?}");
        }
    }
}

/// Exp. 2: Gaussian mechanisms (σ = 5) and randomised responses (p = 0.52) in turn, δ at ε = 2. The Fourier accountant takes one of
/// each for one mechanism.
#[test]
fn experiment_2() {
    let product = Product::of("gaussian(sigma=5)", "randomized_response(p=0.52)");
    for uses in [20, 100] {
        let both = parsed(&format!("gaussian(sigma=5) * {uses} + randomized_response(p=0.52) * {uses}"));
        let certified = hockeystick::delta(&both, 2.0).unwrap();
        let truth = Enclosure::new(certified.lower().unwrap(), certified.upper());
        for method in ESTIMATES {
            let estimate = Query::new(&both).method(method).delta(2.0).unwrap();
            let error = estimate.budget().total();
            assert_eq!(estimate.guarantee(), Guarantee::Estimate);
            assert!(error < 1e-12 && (estimate.upper() - truth.midpoint()).abs() <= error + truth.width());
        }
        let options = Options { tolerance: 0.01, most_points: 1 << 14, ..Options::default() };
        let fourier = Fourier::compose(&product, uses, Goal::Delta { epsilon: 2.0 }, options).unwrap();
        let fourier = fourier.delta(2.0).delta.value();
        assert!(fourier.overlaps(truth) && fourier.width() < 0.15 * fourier.upper(), "{uses}: {fourier:?}");
        let grid = Query::new(&both).method(Method::AfaGrid).delta(2.0).unwrap();
        assert!(Enclosure::new(grid.lower().unwrap(), grid.upper()).overlaps(truth));
    }
}

/// Exp. 3: the Poisson-sampled Gaussian mechanism, γ = 0.01, σ = 2, ε at δ = 10⁻⁵ up to 1500 uses.
#[test]
fn experiment_3() {
    for uses in [300, 1500] {
        let sampled = parsed(&format!("poisson(gaussian(sigma=2), rate=0.01) * {uses}"));
        let certified = hockeystick::epsilon(&sampled, 1e-5).unwrap();
        let truth = Enclosure::new(certified.lower().unwrap(), certified.upper());
        for method in ESTIMATES {
            let estimate = Query::new(&sampled).method(method).epsilon(1e-5).unwrap();
            let (off, error) = ((estimate.upper() - truth.midpoint()).abs(), estimate.budget().total());
            assert!(error < 1e-5 && off <= error + truth.width(), "{uses}: {estimate:?}");
        }
        for method in [Method::Fourier, Method::AfaGrid] {
            let answer = Query::new(&sampled).method(method).epsilon(1e-5).unwrap();
            let interval = Enclosure::new(answer.lower().unwrap(), answer.upper());
            assert!(interval.overlaps(truth), "{method} {uses}: {interval:?} against {truth:?}");
        }
    }
}
