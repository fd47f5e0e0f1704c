//! Trade-off curves at many places, each from the ones before: the same truth as one by one, hardly wider.

use hockeystick::{
    Query,
    curve::conversion::NearbyTests,
    mechanism::{Mechanism, Relation},
};

/// Smooth curves, curves with a kink at each loss, with a part that is 0, with few digits, and one that consists of two.
const MECHANISMS: [&str; 9] = [
    "gaussian(sigma=1)",
    "gaussian(sigma=0.2)",
    "poisson(gaussian(sigma=1), rate=0.01) * 1000",
    "poisson(gaussian(sigma=0.5), rate=0.3)",
    "laplace(scale=2) * 3 + gaussian(sigma=2)",
    "randomized_response(epsilon=0.1) * 50",
    "discrete_gaussian(sigma=3) * 5",
    "dp(epsilon=1, delta=1e-3) * 2",
    "uniform(width=3)",
];

fn rates() -> Vec<f64> {
    let even = (0..=400).map(|i| f64::from(i) / 400.0);
    let small = (0..=80).map(|i| 10f64.powf(-12.0 + 0.15 * f64::from(i)));
    let mut all: Vec<f64> = even.chain(small).collect();
    all.sort_by(f64::total_cmp);
    all
}

fn agree(text: &str, relation: Relation, rates: &[f64]) {
    let mechanism: Mechanism = text.parse().unwrap();
    let curves = Query::new(&mechanism).relation(relation).curves().unwrap();
    let mut nearby = NearbyTests::default();
    for &rate in rates {
        let near = curves.trade_off_near(rate, &mut nearby).unwrap();
        let alone = curves.trade_off(rate).unwrap();
        for (near, alone) in [(near.value(), alone.value()), (near.complement(), alone.complement())] {
            assert!(near.overlaps(alone), "{text} at {rate:e}: {near:?}, {alone:?}");
            let most = 64.0 * (alone.width() + 4.0 * f64::EPSILON * alone.upper());
            assert!(near.width() <= most, "{text} at {rate:e}: {near:?}, {alone:?}");
        }
    }
}

#[test]
fn curves_in_order_are_curves() {
    for text in MECHANISMS {
        agree(text, Relation::AddRemove, &rates());
    }
    agree(MECHANISMS[2], Relation::Add, &rates());
    agree(MECHANISMS[0], Relation::Replace, &rates());
}

/// Whatever order the places are in, no answer may rest on what was true of another place.
#[test]
fn curves_in_disorder_are_curves() {
    let mut rates = rates();
    for i in 0..rates.len() {
        let other = (i * 7919 + 13) % rates.len();
        rates.swap(i, other);
    }
    rates.truncate(150);
    rates.extend([0.3, 0.3, 0.3, 0.3, 0.3]);
    for text in [MECHANISMS[2], MECHANISMS[5]] {
        agree(text, Relation::AddRemove, &rates);
    }
}

/// Of a Gaussian with noise 1 the best test misses Φ(Φ⁻¹(1 − x) − 1); values by mpmath with 30 digits.
#[test]
fn dense_curves_enclose_the_closed_form() {
    let mechanism: Mechanism = "gaussian(sigma=1)".parse().unwrap();
    let curves = Query::new(&mechanism).curves().unwrap();
    let mut nearby = NearbyTests::default();
    let known = [
        (1000, 0.964_621_492_889_764_6),
        (20_000, 0.740_488_977_158_555_9),
        (200_000, 0.158_655_253_931_457_05),
    ];
    for i in (0..=400_000).step_by(100) {
        let missed = curves.trade_off_near(f64::from(i) / 400_000.0, &mut nearby).unwrap().value();
        if let Some((_, exact)) = known.iter().find(|(at, _)| *at == i) {
            assert!(missed.lower() <= exact + 1e-15 && exact - 1e-15 <= missed.upper(), "{i}: {missed:?}");
            assert!(missed.width() < 1e-13, "{i}: {missed:?}");
        }
    }
}
