//! Numbers of [Sommer19, Sec. 6].

use crate::bounds::support::{delta, epsilon, mechanism};
use hockeystick::{
    composition,
    engine::limit::{ComposedClass, Distance, markov_tail, matching_mu, mu_of_class, normal_tail},
    pair::{Direction, dominating_pair},
    query::{Guarantee, Method},
};

const SGD: &str = "poisson(gaussian(sigma=4), rate=0.01) * 65536";
const LAPLACE: &str = "laplace(scale=1.26e6) * 1048576";

fn class(text: &str) -> ComposedClass {
    let mechanism = mechanism(text);
    let parts: Vec<_> = (composition::parts(&mechanism).unwrap().iter())
        .map(|part| (dominating_pair(part.mechanism, Direction::Remove).unwrap(), part.count))
        .collect();
    ComposedClass::compose(&parts).unwrap()
}

/// Figure 7: DP-SGD, q = 0.01, σ = 4, n = 2¹⁶, δ = 10⁻⁴. From above: Rényi DP, Markov-ADP, then the privacy loss class next to the
/// truth; the normal approximations are above all of them at this δ, but finite for Nagaev.
#[test]
fn curves_of_figure_7_are_in_order() {
    let truth = epsilon(SGD, 1e-4, Method::Auto);
    let by = |method| epsilon(SGD, 1e-4, method);
    let [classic, markov, nagaev] = [Method::RdpClassic, Method::Markov, Method::Nagaev].map(by);
    assert!(truth.upper() < markov.upper() && markov.upper() < classic.upper());
    assert!(markov.upper() < 1.2 * truth.lower().unwrap(), "{markov:?}");
    assert!(nagaev.upper().is_finite() && nagaev.upper() > classic.upper(), "{nagaev:?}");
    assert!(nagaev.lower().unwrap() <= truth.upper());
    assert_eq!(by(Method::BerryEsseen).upper(), f64::INFINITY);
    let estimate = by(Method::Clt);
    assert_eq!(estimate.guarantee(), Guarantee::Estimate);
    assert!((estimate.upper() / truth.upper() - 1.0).abs() < 0.01, "{estimate:?}");
    // The ADP graph: Berry–Esseen is tight for large δ.
    let large = [Method::BerryEsseen, Method::Auto].map(|method| delta(SGD, 0.5, method));
    assert!(large[0].lower().unwrap() <= large[1].upper() && large[0].upper() >= large[1].lower().unwrap());
    assert!(large[0].upper() < large[1].upper() + 0.02, "{large:?}");
    assert!(large[0].upper() < delta(SGD, 0.5, Method::Markov).upper());
}

/// Below the mean of the loss the best order is next to 0, where rounding is all of the moment: it used to take the place of the orders
/// that say something, and the bound jumped from 0.50 to 0.99 between ε = 0.27 and 0.2.
#[test]
fn markov_bounds_do_not_jump_below_the_mean_of_the_loss() {
    let bounds: Vec<f64> = (0..10).map(|i| delta(SGD, 0.05 * f64::from(i), Method::Markov).upper()).collect();
    for pair in bounds.windows(2) {
        assert!(pair[1] < pair[0] && pair[0] < pair[1] + 0.05, "{bounds:?}");
    }
}

/// Figure 8: Laplace, λ = 1.26·10⁶, n = 2²⁰. The class is next to the truth; Berry–Esseen is tight down to δ = 10⁻³; Nagaev is
/// finite at 10⁻⁴; Rényi DP and Markov-ADP, which the paper had to leave out, are in their order.
#[test]
fn curves_of_figure_8_are_in_order() {
    // The truth is below the Gaussian of the same scale, whose class is larger, and above what Berry–Esseen leaves.
    let gaussian = epsilon("gaussian(sigma=1.26e6) * 1048576", 1e-4, Method::Auto);
    let by = |method| epsilon(LAPLACE, 1e-4, method);
    let [classic, standard, markov, nagaev] =
        [Method::RdpClassic, Method::Rdp, Method::Markov, Method::Nagaev].map(by);
    assert!(markov.upper() < classic.upper() && standard.upper() < classic.upper());
    assert!(gaussian.upper() < standard.upper() * 1.0001);
    let estimate = by(Method::Clt);
    assert!((estimate.upper() / gaussian.upper() - 1.0).abs() < 1e-5, "{estimate:?} {gaussian:?}");
    assert!(nagaev.upper().is_finite() && nagaev.lower().unwrap() <= estimate.upper(), "{nagaev:?}");
    for at in [0.0, 5e-4] {
        let bound = delta(LAPLACE, at, Method::BerryEsseen);
        let normal = delta("gaussian(sigma=1.26e6) * 1048576", at, Method::Auto);
        assert!(bound.lower().unwrap() <= normal.upper() && normal.lower().unwrap() <= bound.upper());
        assert!(bound.upper() - bound.lower().unwrap() < 2.1e-3, "{bound:?}");
    }
    // Tails are below what pure differential privacy allows.
    assert!(classic.upper() <= epsilon(LAPLACE, 1e-4, Method::Basic).upper());
}

/// [Sommer19, App. A.3] with the sign of its errata: `μ = e^{−d} − 1 + d`, `σ² = 3 − 2e^{−d}(1 + 2d) − e^{−2d}`.
#[test]
fn the_class_of_laplace() {
    let d: f64 = 0.5;
    let class = class("laplace(scale=2)");
    let mean = (-d).exp_m1() + d;
    let variance = 3.0 - 2.0 * (-d).exp() * (1.0 + 2.0 * d) - (-2.0 * d).exp();
    assert!(
        (class.mean.midpoint() - mean).abs() < 1e-14 && (class.variance.midpoint() - variance).abs() < 1e-14
    );
    // Smaller than that of the Gaussian with σ = λ (0.125 and 0.25), not larger.
    assert!(class.mean.upper() < 0.125 && class.variance.upper() < 0.25);
    assert_eq!(class.infinite_mass.value().upper(), 0.0);
}

/// Means and variances add, finite masses multiply; different mechanisms take the constants for different summands.
#[test]
fn classes_compose() {
    let (one, other) = (class("laplace(scale=2)"), class("truncated_gaussian(sigma=1, bound=4)"));
    let both = class("laplace(scale=2) * 3 + truncated_gaussian(sigma=1, bound=4) * 2");
    assert!(both.mean.overlaps(one.mean * 3.0 + other.mean * 2.0));
    assert!(both.variance.overlaps(one.variance * 3.0 + other.variance * 2.0));
    let kept = other.infinite_mass.complement();
    assert!(both.infinite_mass.complement().overlaps(kept * kept));
    assert!(one.is_identical && !both.is_identical);
    let at = hockeystick_numerics::enclosure::Enclosure::ZERO;
    let ratio = both.lyapunov_ratio();
    assert!((Distance::BerryEsseen.bound(&both, at) / ratio - 0.56).abs() < 1e-12 || ratio > 1.0);
    assert!(
        Distance::Nagaev.bound(&class("laplace(scale=2) * 1000000000"), at)
            > 25.7 * class("laplace(scale=2) * 1000000000").lyapunov_ratio()
    );
}

/// `P(L > ε)` of a Gaussian composition is known exactly ([Sommer19, Cor. 5.1]).
#[test]
fn probabilistic_privacy_of_compositions() {
    use hockeystick::engine::closed_form::probabilistic;
    let text = "gaussian(sigma=30) * 400";
    let exact = probabilistic::delta(30.0, 1.0, 400, 1.0).value();
    let class = class(text);
    for distance in [Distance::BerryEsseen, Distance::Nagaev] {
        let tail = normal_tail(&class, distance, 1.0).value();
        assert!(tail.lower() <= exact.lower() && exact.upper() <= tail.upper(), "{tail:?} {exact:?}");
    }
    let curve = crate::bounds::support::curve(text, Direction::Remove);
    let tail = markov_tail(&curve, 1.0).value();
    assert!(tail.upper() >= exact.upper() && tail.upper() < 6.0 * exact.upper(), "{tail:?} {exact:?}");
}

#[test]
fn a_gaussian_is_like_itself() {
    let class = class("gaussian(sigma=2) * 9");
    assert!((mu_of_class(&class) - 1.5).abs() < 1e-12);
    let answer = delta("gdp(mu=1.5)", 2.0, Method::Auto);
    let mu = matching_mu(2.0, answer.upper()).unwrap();
    assert!(mu.lower() <= 1.5 && 1.5 <= mu.upper() + 1e-13 && mu.width() < 1e-12, "{mu:?}");
    assert_eq!(matching_mu(1.0, 0.0), None);
}

/// One double below the chance of an infinite loss no finite ε will do; a search on logarithms could not tell the two apart.
#[test]
fn markov_does_not_answer_below_the_chance_of_an_infinite_loss() {
    let text = "poisson(dp(epsilon=0.003931786244281612, delta=0.06208739612711965), rate=2.8303012521072283e-5) * 2 \
                + dp(epsilon=0.0009226341351286797, delta=2.9332696243555945e-10)";
    let mechanism = text.parse().unwrap();
    let query = hockeystick::Query::new(&mechanism).relation(hockeystick::mechanism::Relation::Add);
    for method in [Method::Markov, Method::Rdp, Method::RdpClassic, Method::RdpOptimal] {
        let upper = query.method(method).epsilon(2.933269624355594e-10).unwrap().upper();
        assert_eq!(upper, f64::INFINITY, "{method}");
    }
}
