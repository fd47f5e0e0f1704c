//! How often a question counts its parts and makes their pairs: once.

use super::{Method, Query};
use crate::{counted::during, mechanism::Mechanism};

/// Engines of every kind, both directions, and a bound by moments in place of a wide answer.
const RELEASES: [&str; 5] = [
    "gaussian(sigma=1) * 3 + laplace(scale=2)",
    "poisson(gaussian(sigma=1), rate=0.01) * 100",
    "poisson(discrete_gaussian(sigma=3), rate=0.1) * 10 + binomial(n=100) * 2",
    "subset(randomized_response(p=0.6) * 2, rate=0.1) + gaussian(sigma=2) * 4",
    "gaussian_mixture(sigma=1, shifts=\"0,1\", weights=\"0.9,0.1\") * 5 + randomized_response(p=0.7)",
];

/// The mechanism, the parts of its compositions, and what samplers sample.
fn parts_and_pairs(mechanism: &Mechanism) -> Vec<String> {
    let mut all = vec![format!("parts of {mechanism}")];
    for part in crate::composition::parts(mechanism).unwrap() {
        let mut next = Some(part.mechanism);
        while let Some(made) = next {
            all.push(format!("the pair of {made}"));
            next = match made {
                Mechanism::Poisson(sampled) => Some(sampled.mechanism()),
                Mechanism::Subset(sampled) => Some(sampled.mechanism()),
                Mechanism::Repeat(repeat) => {
                    all.push(format!("parts of {made}"));
                    Some(repeat.mechanism())
                }
                _ => None,
            };
        }
    }
    all.sort();
    all
}

#[test]
fn a_question_makes_every_pair_once() {
    for text in RELEASES {
        let mechanism: Mechanism = text.parse().unwrap();
        let expected = parts_and_pairs(&mechanism);
        let query = Query::new(&mechanism);
        assert_eq!(during(|| drop(query.epsilon(1e-5).unwrap())), expected, "ε of {text}");
        assert_eq!(during(|| drop(query.delta(0.5).unwrap())), expected, "δ of {text}");
        assert_eq!(during(|| drop(query.epsilon(0.0).unwrap())), expected, "the largest loss of {text}");
        for method in [Method::RdpOptimal, Method::Lattice, Method::BerryEsseen, Method::Kov, Method::Afa] {
            let done = during(|| drop(query.method(method).epsilon(1e-3)));
            assert_eq!(done, expected, "ε of {text} by {method}");
        }
    }
}

#[test]
fn many_questions_make_every_pair_once() {
    let mechanism: Mechanism = RELEASES[2].parse().unwrap();
    let expected = parts_and_pairs(&mechanism);
    let readings = || {
        let mut prepared = Query::new(&mechanism).prepare();
        for exponent in 2..8 {
            prepared.epsilon(10f64.powi(-exponent)).unwrap();
            prepared.delta(f64::from(exponent)).unwrap();
        }
    };
    assert_eq!(during(readings), expected);
    let curves = || {
        let curves = Query::new(&mechanism).curves().unwrap();
        curves.trade_off(0.1).unwrap();
        curves.loss_shape(10);
    };
    assert_eq!(during(curves), expected);
}
