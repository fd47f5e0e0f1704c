//! Pairs of profiles: hulls, both ends, and what the points leave open.

use super::*;
use crate::pair::laws;
use proptest::prelude::*;

fn bound(epsilon: f64, delta: f64) -> Bound {
    Bound::new(epsilon, delta).unwrap()
}

fn pair(points: &[(f64, f64)]) -> PiecewisePair {
    PiecewisePair::new(&points.iter().map(|&(epsilon, delta)| bound(epsilon, delta)).collect::<Vec<_>>())
}

/// Any points that are possible at all: `δ` between `(1 − α)₊` and 1.
fn points(epsilon: std::ops::Range<f64>) -> impl Strategy<Value = Vec<(f64, f64)>> {
    let point = (epsilon, 0f64..1.0, any::<bool>()).prop_map(|(epsilon, height, is_small)| {
        let floor = -epsilon.min(0.0).exp_m1();
        let height = if is_small { height.powi(20) } else { height };
        (epsilon, floor + (1.0 - floor) * height)
    });
    proptest::collection::vec(point, 1..40)
}

proptest! {
    #[test]
    fn obeys_the_laws_of_pairs(
        points in prop_oneof![points(0.0..8.0), points(-8.0..8.0), points(-300.0..900.0), points(0.0..1e-6)],
        mut extra in proptest::collection::vec(-9f64..9.0, 5),
    ) {
        let pair = pair(&points);
        extra.extend([-1.0, 0.0, 1.0]);
        let mut at: Vec<f64> = points.iter().flat_map(|point| [point.0, -point.0]).chain(extra).collect();
        // e^ε must be a double for the laws to be checked.
        at.retain(|at| at.abs() < 700.0);
        laws::check(&pair, &at);
        if !pair.is_self_dual() {
            laws::check(&*pair.dual(), &at);
        }
    }

    /// The hull from its definition: the least over all chords of `(0, 1)` and two points, and over all points to the left.
    #[test]
    fn is_the_lower_hull(points in points(-5.0..5.0), at in -6f64..6.0) {
        let mut points = points;
        points.push((-5.5, 1.0));
        let pair = pair(&points);
        let alpha = at.exp();
        let corners: Vec<(f64, f64)> = [(0.0, 1.0)]
            .into_iter()
            .chain(points.iter().map(|&(epsilon, delta)| (epsilon.exp(), delta)))
            .collect();
        let left = || corners.iter().filter(|corner| corner.0 <= alpha);
        let flat = left().map(|corner| corner.1).fold(1.0, f64::min);
        let chord = left()
            .flat_map(|a| corners.iter().filter(|corner| corner.0 > alpha).map(move |b| (a, b)))
            .map(|(a, b)| (a.1 * (b.0 - alpha) + b.1 * (alpha - a.0)) / (b.0 - a.0))
            .fold(1.0, f64::min);
        let delta = pair.delta(Ball::from(at)).value();
        prop_assert!((delta.midpoint() - flat.min(chord)).abs() < 1e-12, "{delta:?} {flat} {chord}");
        prop_assert!(delta.width() < 1e-15);
    }

    #[test]
    fn the_law_is_a_law(points in points(-300.0..900.0)) {
        let pair = pair(&points);
        let law = pair.ratio_law();
        let sum = |f: fn(&Atom) -> Enclosure, rest: Enclosure| {
            law.atoms.iter().fold(rest, |sum, atom| sum + f(atom))
        };
        let (p, q) = (
            sum(|atom| atom.p, pair.infinite_mass().value()),
            sum(|atom| atom.q, pair.vanishing_mass().value()),
        );
        prop_assert!(p.contains(1.0) && p.width() < 1e-13, "{p:?}");
        prop_assert!(q.contains(1.0) && q.width() < 1e-13, "{q:?}");
        for atom in &law.atoms {
            prop_assert!(atom.p.lower() > 0.0 || atom.loss.approximate() < -250.0, "{atom:?}");
            prop_assert!(atom.q.lower() > 0.0 || atom.loss.approximate() > 250.0, "{atom:?}");
        }
    }
}

/// `(1, ½)` and `(e², 0.1)` remain: at `1/e` the chord from `(0, 1)` has 0.816 < 0.9, at `e` the chord has 0.392 < 0.45.
#[test]
fn points_above_a_chord_are_left_out() {
    let pair = pair(&[(-1.0, 0.9), (0.0, 0.5), (1.0, 0.45), (2.0, 0.1)]);
    assert_eq!(pair.corners(), 2);
    let near = |x: Enclosure, expected: f64| assert!((x.midpoint() - expected).abs() < 1e-15, "{x:?}");
    let e = std::f64::consts::E;
    near(pair.delta(Ball::from(-1.0)).value(), 1.0 - 0.5 / e);
    near(pair.delta(Ball::ONE).value(), 0.5 - 0.4 / (e + 1.0));
    near(pair.tails(Ball::ONE).q.value(), 0.4 / (e * e - 1.0));
    near(pair.tails(Ball::ONE).p.value(), 0.5 + 0.4 / (e * e - 1.0));
    near(pair.vanishing_mass().value(), 0.5);
    assert_eq!(pair.infinite_mass().value(), 0.1.into());
}

/// At a corner the curve is what the file says, and the tails are those past the corner.
#[test]
fn corners_are_exact() {
    let pair = pair(&[(0.1, 0.3), (0.7, 1e-9)]);
    assert_eq!(pair.delta(Ball::from(0.1)).value(), 0.3.into());
    assert_eq!(pair.delta(Ball::from(0.7)).value(), 1e-9.into());
    assert_eq!(pair.delta(Ball::from(5.0)).value(), 1e-9.into());
    assert_eq!(pair.tails(Ball::from(0.7)).q.value(), Enclosure::ZERO);
    assert!(pair.tails(Ball::from(0.7f64.next_down())).q.value().lower() > 0.1);
    let around = Ball::new(0.7.into(), 1e-30);
    let tails = pair.tails(around).q.value();
    assert!(tails.lower() == 0.0 && tails.upper() > 0.1);
    assert!(pair.delta(around).value().contains(1e-9));
}

/// Beyond the range of `e^ε` the curve still knows its heights.
#[test]
fn large_losses_do_not_overflow() {
    let pair = pair(&[(0.0, 0.5), (1000.0, 1e-9), (1e6, 0.0)]);
    assert_eq!(pair.corners(), 5);
    assert_eq!(pair.infinite_mass().value(), Enclosure::ZERO);
    assert_eq!(pair.delta(Ball::from(1000.0)).value(), 1e-9.into());
    let middle = pair.delta(Ball::from(999.0)).value();
    // 0.5 − (0.5 − 10⁻⁹)/e
    assert!((middle.midpoint() - (0.5 - (0.5 - 1e-9) * (-1f64).exp())).abs() < 1e-15);
    let atoms = pair.ratio_law().atoms;
    assert!((atoms[3].p.midpoint() - (0.5 - 1e-9)).abs() < 1e-15 && atoms[3].q.lower() >= 0.0);
}

#[test]
fn without_a_useful_bound_nothing_is_known() {
    for bounds in [&[][..], &[(3.0, 1.0)], &[(f64::INFINITY, 0.0)], &[(-800.0, 1.0)]] {
        let pair = pair(bounds);
        assert_eq!(pair.corners(), 0, "{bounds:?}");
        let one = Probability::ZERO.opposite();
        assert_eq!((pair.infinite_mass(), pair.vanishing_mass()), (one, one));
        assert_eq!(pair.delta(Ball::ONE), one);
        assert_eq!(pair.tails(Ball::ONE), Tails { p: one, q: Probability::ZERO });
    }
}

/// `1 − e^ε` as printed with 17 digits is a bound; with three it is too low.
#[test]
fn a_rounded_harmless_bound_is_raised() {
    for epsilon in [-40.0, -3.0f64, -0.7, -1e-3, -1e-17] {
        let rounded = -epsilon.exp_m1();
        let pair = pair(&[(epsilon, rounded.next_down()), (1.0, 0.1)]);
        assert!(pair.delta(Ball::from(epsilon)).value().upper() >= rounded);
        assert!(pair.vanishing_mass().value().upper() < 1e-15, "{epsilon}");
    }
    let low = InvalidBound::TooLow { epsilon: -3.0, delta: 0.95 };
    assert_eq!(Bound::new(-3.0, 0.95), Err(low));
    assert!(low.to_string().contains("1 − e^ε"));
    assert!(Bound::new(-800.0, 0.5).is_err());
}
