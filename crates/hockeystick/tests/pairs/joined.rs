//! The pair of a sample of fixed size when a record is replaced: its transform and moments against integrals of its curve.

use hockeystick::{
    mechanism::Mechanism,
    pair::{Direction, Outcome, Preimage, SharedPair, dominating_pair},
};
use hockeystick_golden::{Decimal, Row, rows};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use num_complex::Complex;

fn replacing(expression: &str) -> SharedPair {
    let mechanism: Mechanism = expression.parse().unwrap();
    dominating_pair(&mechanism, Direction::Replace).unwrap()
}

fn holds(row: &Row, column: &str, enclosure: Enclosure, relative_width: f64) {
    let truth = row.reference(column);
    let name = row.text("expression");
    assert!(
        truth.is_at_least(enclosure.lower()) && truth.is_at_most(enclosure.upper()),
        "{name}: {column} is {}, not in {enclosure:?}",
        row.text(column)
    );
    let width = Decimal::exactly(enclosure.width()).ratio(&truth);
    assert!(width <= relative_width, "{name}: {column} is known to {width:e} only");
}

#[test]
fn transforms_and_moments_hold_the_references() {
    for row in rows("joined") {
        let pair = replacing(row.text("expression"));
        let z = Complex::new(row.number("z_re"), row.number("z_im"));
        let disc = pair.mgf(z).unwrap();
        let size = pair.mgf(Complex::new(z.re, 0.0)).unwrap().center().re;
        for (column, part) in [("m_re", disc.real()), ("m_im", disc.imaginary())] {
            let truth = row.reference(column);
            assert!(
                truth.is_at_least(part.lower()) && truth.is_at_most(part.upper()),
                "{row:?}: {column} not in {part:?}"
            );
        }
        assert!(disc.radius() <= 1e-12 * size, "{row:?}: {disc:?}");
        let moments = pair.moments().unwrap();
        holds(&row, "mean", moments.mean, 1e-11);
        holds(&row, "variance", moments.variance, 1e-11);
    }
}

/// `E|L − m|³ = 3∫ (y − m)² P(L > y) dy` above m and the like below, by Simpson's rule on the tails.
#[test]
fn third_moments_agree_with_the_tails() {
    for expression in [
        "subset(gaussian(sigma=1), rate=0.3)",
        "subset(gaussian(sigma=3), rate=0.01)",
        "subset(laplace(scale=2), rate=0.4)",
    ] {
        let pair = replacing(expression);
        let moments = pair.moments().unwrap();
        let mean = moments.mean.midpoint();
        let (steps, reach) = (40_000, 40.0 * moments.variance.midpoint().sqrt());
        let step = reach / f64::from(steps);
        let integral: f64 = (0..steps)
            .map(|i| {
                let y = (f64::from(i) + 0.5) * step;
                let above = pair.tails(Ball::from(mean + y)).p.value().midpoint();
                let below = pair.tails(Ball::from(mean - y)).p.complement().midpoint();
                3.0 * y * y * (above + below) * step
            })
            .sum();
        let third = moments.third_absolute;
        // The tails jump at 0, in the middle of a step.
        assert!((integral / third.midpoint() - 1.0).abs() < 1e-3, "{expression}: {integral} {third:?}");
        assert!(third.width() < 1e-11 * third.upper(), "{expression}: {third:?}");
    }
}

/// Mass 1 on either side, the same from both ends, and the same after swapping.
#[test]
fn joined_pairs_are_pairs() {
    for expression in [
        "subset(gaussian(sigma=0.5), rate=0.001)",
        "subset(laplace(scale=0.1), rate=0.9)",
        "subset(discrete_laplace(scale=1, sensitivity=2), rate=0.5)",
        "subset(discrete_gaussian(sigma=3, sensitivity=2), rate=0.2)",
        "subset(k_randomized_response(categories=4, epsilon=1), rate=0.5)",
        "subset(dp(epsilon=1, delta=0.01), rate=0.25)",
        "subset(truncated_gaussian(sigma=1, bound=2), rate=0.25)",
    ] {
        let pair = replacing(expression);
        let at = |pair: &SharedPair, re: f64| pair.mgf(Complex::new(re, 0.0)).unwrap().real();
        assert!(at(&pair, 0.0).overlaps(pair.infinite_mass().complement()), "{expression}");
        assert!(at(&pair, -1.0).overlaps(pair.vanishing_mass().complement()), "{expression}");
        assert!(at(&pair, 0.0).width() < 1e-11, "{expression}: {:?}", at(&pair, 0.0));
        for re in [-2.5, -0.5, 0.5, 1.5] {
            let (direct, mirrored) = (at(&pair, re), at(&pair, -1.0 - re));
            assert!(direct.overlaps(mirrored), "{expression} at {re}: {direct:?} {mirrored:?}");
            assert!(direct.overlaps(at(&pair.dual(), re)), "{expression} at {re}");
        }
    }
}

/// The outcome of loss 0 that sampling adds, and outcomes on either side of it.
#[test]
fn outcomes_of_all_parts_are_found() {
    let pair = replacing("subset(gaussian(sigma=1), rate=0.25)");
    for loss in [-2.0, -0.2, -1e-3, 1e-3, 0.5, 2.0] {
        let found = pair.outcomes(loss).unwrap();
        let [Preimage::Interval { panel, from, to }] = found[..] else { panic!("{loss}: {found:?}") };
        assert!(to - from < 1e-12, "{loss}: {found:?}");
        let value = pair.loss(Outcome::Point { panel, x: 0.5 * (from + to) }).unwrap();
        assert!((value.midpoint() - loss).abs() < 1e-12, "{loss}: {value:?}");
    }
    assert!(pair.outcomes(0.0).unwrap().iter().any(|set| matches!(set, Preimage::Atom(index)
        if pair.loss(Outcome::Atom(*index)) == Some(Enclosure::ZERO))));
}
