//! What the tests of this folder share.

use hockeystick::{
    Answer, Query,
    mechanism::{Mechanism, Relation},
    pair::{Direction, log_moments},
    query::Method,
};
use hockeystick::{composition, engine::moments::RenyiCurve};

/// Every method that promises an upper bound.
pub(crate) const UPPER: [Method; 9] = [
    Method::RdpClassic,
    Method::Rdp,
    Method::RdpOptimal,
    Method::Markov,
    Method::BerryEsseen,
    Method::Nagaev,
    Method::Kov,
    Method::Basic,
    Method::Advanced,
];

pub(crate) fn mechanism(text: &str) -> Mechanism {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn epsilon(text: &str, delta: f64, method: Method) -> Answer {
    Query::new(&mechanism(text))
        .method(method)
        .epsilon(delta)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn delta(text: &str, epsilon: f64, method: Method) -> Answer {
    Query::new(&mechanism(text))
        .method(method)
        .delta(epsilon)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn delta_in(mechanism: &Mechanism, relation: Relation, epsilon: f64, method: Method) -> Answer {
    Query::new(mechanism)
        .relation(relation)
        .method(method)
        .delta(epsilon)
        .unwrap_or_else(|error| panic!("{mechanism}: {error}"))
}

/// The Rényi curve of an expression.
pub(crate) fn curve(text: &str, direction: Direction) -> RenyiCurve {
    let mechanism = mechanism(text);
    let parts = composition::parts(&mechanism).unwrap();
    RenyiCurve::compose(
        parts.iter().map(|part| (log_moments(part.mechanism, direction).unwrap(), part.count)).collect(),
    )
}
