//! The loss of an outcome, the outcomes with a loss, and the inner distribution.

use hockeystick::{
    mechanism::Mechanism,
    pair::{Direction, InnerDistribution, Outcome, Preimage, SharedPair, dominating_pair},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use num_complex::Complex;
use proptest::prelude::*;

fn pair(expression: &str, direction: Direction) -> SharedPair {
    let mechanism: Mechanism = expression.parse().unwrap();
    dominating_pair(&mechanism, direction).unwrap()
}

fn removing(expression: &str) -> SharedPair {
    pair(expression, Direction::Remove)
}

fn is_near(found: Enclosure, truth: f64, relative: f64) -> bool {
    (found.midpoint() - truth).abs() <= relative * truth.abs()
        && found.width() <= relative * truth.abs() + 1e-300
}

fn point(x: f64) -> Outcome {
    Outcome::Point { panel: 0, x }
}

/// The one interval of points with a loss.
fn interval(pair: &SharedPair, loss: f64) -> (f64, f64) {
    match pair.outcomes(loss).unwrap()[..] {
        [Preimage::Interval { panel: 0, from, to }] => (from, to),
        ref other => panic!("{loss}: {other:?}"),
    }
}

/// In units of σ, `L(x) = μx − μ²/2`.
#[test]
fn gaussian_losses() {
    for (sigma, mu) in [(2.0, 0.5), (0.5, 2.0)] {
        let pair = removing(&format!("gaussian(sigma={sigma})"));
        for x in [-7.0, 0.25, 1.0, 30.0] {
            let truth = mu * x - mu * mu / 2.0;
            let found = pair.loss(point(x)).unwrap();
            assert!(found.contains(truth) && found.width() < 1e-14 * (5.0 + 5.0 * x.abs()), "{x}: {found:?}");
            let (from, to) = interval(&pair, truth);
            assert!(from <= x && x <= to && to - from < 1e-13 * (1.0 + x.abs()), "{x}: {from} {to}");
        }
    }
    assert_eq!(removing("gaussian(sigma=1)").loss(point(f64::INFINITY)), None);
    assert_eq!(removing("gaussian(sigma=1)").loss(Outcome::Atom(0)), None);
    assert_eq!(removing("gaussian(sigma=1)").loss(Outcome::Point { panel: 1, x: 0.0 }), None);
}

/// Half of Laplace noise is an atom, and the rest has every loss between −d and d.
#[test]
fn laplace_losses() {
    let pair = removing("laplace(scale=0.5)");
    // The points beside the atom cannot be told from it.
    let [Preimage::Atom(high), Preimage::Interval { from, to, .. }] = pair.outcomes(2.0).unwrap()[..] else {
        panic!("{:?}", pair.outcomes(2.0).unwrap())
    };
    assert!(2.0 - from < 1e-14 && to == 2.0);
    assert_eq!(pair.loss(Outcome::Atom(high)), Some(Enclosure::point(2.0)));
    let (from, to) = interval(&pair, 0.75);
    assert!(pair.loss(point(0.5 * (from + to))).unwrap().contains(0.75) && to - from < 1e-14);
    assert!(pair.outcomes(2.5).unwrap().is_empty() && pair.outcomes(-3.0).unwrap().is_empty());
}

#[test]
fn responses_have_two_losses() {
    let pair = removing("randomized_response(p=0.75)");
    let [low, high] = [0, 1].map(|index| pair.loss(Outcome::Atom(index)).unwrap());
    assert!(is_near(low, -(3f64.ln()), 1e-15) && is_near(high, 3f64.ln(), 1e-15));
    assert_eq!(pair.loss(Outcome::Atom(2)), None);
    assert!(pair.outcomes(1.0).unwrap().is_empty());
}

/// `L(x) = log(1 − γ + γe^{x − 1/2})` for removing a record, and its negative for adding one.
#[test]
fn sampled_gaussian_losses() {
    let gamma = 0.01;
    for (direction, sign) in [(Direction::Remove, 1.0), (Direction::Add, -1.0)] {
        let pair = pair("poisson(gaussian(sigma=1), rate=0.01)", direction);
        for x in [-30.0, -2.0, 0.5, 3.0, 12.0] {
            let truth = sign * (gamma * f64::exp_m1(x - 0.5)).ln_1p();
            let found = pair.loss(point(x)).unwrap();
            assert!(
                (found.midpoint() - truth).abs() <= 1e-14 * truth.abs() && found.width() < 1e-13,
                "{x}: {found:?}"
            );
        }
        for loss in [-0.01, 1e-9, 0.5, 4.0] {
            let x = 0.5 + (f64::exp_m1(loss) / gamma).ln_1p();
            let (from, to) = interval(&pair, sign * loss);
            assert!(from <= x + 1e-10 && x - 1e-10 <= to && to - from < 1e-10, "{loss}: {from} {x} {to}");
        }
        // No outcome has so small a loss.
        assert!(pair.outcomes(sign * -0.0101).unwrap().is_empty());
    }
}

proptest! {
    /// The loss of a point is found again at the point.
    #[test]
    fn losses_can_be_inverted(sigma in 0.1f64..20.0, log_rate in -12f64..-0.01, x in -6f64..6.0, add: bool) {
        let direction = if add { Direction::Add } else { Direction::Remove };
        let rate = log_rate.exp();
        for expression in [
            format!("poisson(gaussian(sigma={sigma}), rate={rate})"),
            format!("gaussian_mixture(sigma={sigma}, shifts=\"0,1,3\", weights=\"0.5,0.25,0.25\")"),
        ] {
            let pair = pair(&expression, direction);
            let loss = pair.loss(point(x)).unwrap();
            for at in [loss.lower(), loss.midpoint(), loss.upper()] {
                let sets = pair.outcomes(at).unwrap();
                prop_assert!(sets.len() <= 1);
                if let [Preimage::Interval { from, to, .. }] = sets[..] {
                    // As far away as the loss changes over the width of the enclosure.
                    let (low, high) = (pair.loss(point(from.max(-1e3))), pair.loss(point(to.min(1e3))));
                    let ends = low.unwrap().hull(high.unwrap());
                    prop_assert!(ends.contains(at) && ends.overlaps(loss), "{:?} {:?}", sets, loss);
                }
            }
            // The exact loss is somewhere in its enclosure, and the point among the outcomes with it.
            let (low, high) = (pair.outcomes(loss.lower()).unwrap(), pair.outcomes(loss.upper()).unwrap());
            let ends: Vec<f64> = low.iter().chain(&high).flat_map(|set| match *set {
                Preimage::Interval { from, to, .. } => [from, to],
                Preimage::Atom(_) => [x, x],
            }).collect();
            if !low.is_empty() && !high.is_empty() {
                let (from, to) = ends.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &e| (a.min(e), b.max(e)));
                prop_assert!(from <= x && x <= to, "{} not in {:?}", x, ends);
            }
        }
    }
}

/// `e^{z(z+1)/2σ²}` over a mass of 1.
#[test]
fn inner_distributions() {
    let gaussian = removing("gaussian(sigma=2)");
    let inner = gaussian.inner();
    assert_eq!(inner.mass().value(), Enclosure::ONE);
    let z = Complex::new(1.5, 2.0);
    let disc = inner.mgf(z).unwrap();
    assert!(disc.contains((z * (z + 1.0) / 8.0).exp()) && disc.radius() < 1e-12);
    let class = inner.class().unwrap();
    assert!(class.inner.mean.contains(0.125) && class.inner.variance.contains(0.25));
    assert_eq!(class.infinite_mass.value(), Enclosure::ZERO);
    // 2√(2/π)σ³ is the third absolute moment of a normal law.
    assert!(is_near(class.inner.third_absolute, 2.0 * (2.0 / std::f64::consts::PI).sqrt() * 0.125, 1e-12));
    assert!(inner.tail(Ball::from(0.125)).value().contains(0.5));
}

/// `dp(ε, δ)` gives everything away with probability δ, and is a randomised response else.
#[test]
fn the_inner_distribution_is_conditional() {
    let pair = removing("dp(epsilon=1, delta=0.25)");
    let inner = InnerDistribution::of(&*pair);
    assert_eq!(inner.mass().value(), Enclosure::point(0.75));
    let often = 1.0 / (1.0 + f64::exp(-1.0));
    for (y, tail) in [(-2.0, 1.0), (0.0, often), (1.5, 0.0)] {
        let found = inner.tail(Ball::from(y));
        assert!((found.value().midpoint() - tail).abs() < 1e-15, "{y}: {found:?}");
        assert!((found.complement().midpoint() - (1.0 - tail)).abs() < 1e-15, "{y}: {found:?}");
        assert_eq!(inner.cdf(Ball::from(y)), found.opposite());
    }
    let class = pair.inner().class().unwrap();
    assert!(is_near(class.inner.mean, 2.0 * often - 1.0, 1e-14));
    assert!(is_near(class.inner.variance, 4.0 * often * (1.0 - often), 1e-14));
    assert_eq!(class.infinite_mass.value(), Enclosure::point(0.25));
    let one = inner.mgf(Complex::ZERO).unwrap();
    assert!(one.contains(Complex::ONE) && one.radius() < 1e-14);
    // Nothing is left if everything is given away.
    let all = removing("uniform(width=1, sensitivity=2)");
    assert_eq!(all.inner().class(), None);
    assert_eq!(all.inner().mgf(Complex::ZERO), None);
}

/// The mean of the loss of a rare sample is half its variance, 10⁻⁸ of its standard deviation here; 4.1e-17 is
/// `γ²(e − 1)/2 − …` to leading order, and the references go on from there.
#[test]
fn tiny_means_keep_their_digits() {
    for (rate, direction) in [(1e-8, Direction::Remove), (1e-8, Direction::Add), (1e-12, Direction::Remove)] {
        let pair = pair(&format!("poisson(gaussian(sigma=1), rate={rate:e})"), direction);
        let moments = pair.moments().unwrap();
        let leading = 0.5 * rate * rate * f64::exp_m1(1.0);
        assert!(moments.mean.width() <= 1e-11 * leading, "{rate}: {:?}", moments.mean);
        assert!((moments.mean.midpoint() / leading - 1.0).abs() < 10.0 * rate, "{rate}: {:?}", moments.mean);
    }
}

/// `M(z) = e^{z(z+1)/2σ²}` exactly where z is whole: the sum over the integers is only shifted. Outcomes are listed up to
/// 38.4 σ, which once was taken for all there is: the peak of a rare sample's M(75) is at 76 σ and 10⁹⁷ high, and the disc
/// was 1 ± 10⁻¹⁵.
#[test]
fn discrete_gaussians_do_not_forget_their_tails() {
    for (sigma, z) in
        [(1.0, 3.0), (1.0, 16.0), (1.0, 30.0), (1.0, 35.0), (1.0, -36.0), (4.0, 60.0), (4.0, 140.0)]
    {
        let pair = removing(&format!("discrete_gaussian(sigma={sigma})"));
        let disc = pair.mgf(Complex::new(z, 0.0)).unwrap();
        let exponent = Ball::from(z) * Ball::from(z + 1.0) / Ball::from(2.0 * sigma * sigma);
        let truth = exponent.exp_enclosure();
        assert!(disc.real().overlaps(truth), "σ = {sigma}, z = {z}: {disc:?} {truth:?}");
        assert!(
            z.abs() > 17.0 * sigma || disc.radius() < 1e-12 * truth.upper(),
            "σ = {sigma}, z = {z}: {disc:?}"
        );
    }
    // γ^{76}·e^{75·76/2} is one summand.
    let rare = removing("poisson(discrete_gaussian(sigma=1), rate=1e-15)");
    for (pair, z) in [(&rare, 75.0), (&rare.dual(), -76.0)] {
        let disc = pair.mgf(Complex::new(z, 0.0)).unwrap();
        assert!(disc.real().upper().ln() >= 76.0 * 1e-15f64.ln() + 2850.0, "{disc:?}");
    }
}
