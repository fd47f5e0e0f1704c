//! The sum by recursions against the definition, and laws.

use crate::{
    mechanism::Mechanism,
    pair::{Direction, dominating_pair},
};
use hockeystick_numerics::ball::Ball;
use std::collections::BTreeMap;

fn delta(text: &str, direction: Direction, epsilon: f64) -> f64 {
    let mechanism: Mechanism = text.parse().unwrap();
    dominating_pair(&mechanism, direction).unwrap().delta(Ball::from(epsilon)).value().upper()
}

fn shuffled(local: f64, users: u64, epsilon: f64) -> f64 {
    delta(
        &format!("shuffle(randomized_response(epsilon={local}), users={users})"),
        Direction::Remove,
        epsilon,
    )
}

/// All outcomes of the pair of clones, listed.
fn by_definition(local: f64, users: u64, epsilon: f64) -> f64 {
    let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    let rate = (-local).exp();
    let (truth, lie) = (1.0 / (1.0 + rate), rate / (1.0 + rate));
    let trials = users - 1;
    let mut laws: BTreeMap<(u64, u64), (f64, f64)> = BTreeMap::new();
    for c in 0..=trials {
        let clones = choose(trials, c) * rate.powi(c as i32) * (1.0 - rate).powi((trials - c) as i32);
        for a in 0..=c {
            let mass = clones * choose(c, a) * 0.5f64.powi(c as i32);
            for (flip, share) in [(1, truth), (0, lie)] {
                laws.entry((a + flip, c - a + 1 - flip)).or_default().0 += mass * share;
                laws.entry((a + 1 - flip, c - a + flip)).or_default().1 += mass * share;
            }
        }
    }
    laws.values().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

#[test]
fn the_definition_is_met() {
    for local in [0.1, 1.0, 3.0, 8.0] {
        for users in [1, 2, 3, 10, 40] {
            for share in [0.0, 0.1, 0.5, 0.99] {
                let epsilon = share * local;
                let (truth, here) = (by_definition(local, users, epsilon), shuffled(local, users, epsilon));
                assert!(here >= truth * (1.0 - 1e-13), "{local} {users} {epsilon}: {here:e} {truth:e}");
                assert!(
                    here <= truth * (1.0 + 1e-9) + 1e-13,
                    "{local} {users} {epsilon}: {here:e} {truth:e}"
                );
            }
        }
    }
}

#[test]
fn more_users_spend_no_more() {
    for local in [0.5, 4.0, 10.0] {
        for epsilon in [0.0, 0.05, 0.3] {
            let mut before = 1.0;
            for users in [1, 10, 100, 10_000, 1_000_000, 100_000_000] {
                let here = shuffled(local, users, epsilon);
                assert!(here <= before, "{local} {users} {epsilon}: {here:e} {before:e}");
                before = here;
            }
        }
    }
}

#[test]
fn reports_without_a_bound_are_refused() {
    let mechanism: Mechanism = "shuffle(gaussian(sigma=1), users=100)".parse().unwrap();
    let error = dominating_pair(&mechanism, Direction::Remove).unwrap_err().to_string();
    assert!(error.contains("locally private"), "{error}");
}

#[test]
fn bounded_reports_of_any_kind_are_shuffled() {
    let two = delta("shuffle(laplace(scale=0.5), users=1000)", Direction::Replace, 0.5);
    assert!((two / shuffled(2.0, 1000, 0.5) - 1.0).abs() < 1e-9, "{two:e}");
    assert_eq!(delta("shuffle(laplace(scale=0.5), users=1000)", Direction::Add, 2.0), 0.0);
}
