//! Adversaries that choose the last mechanism by what they have seen: the rule that composes what was run so far is overspent, the filter is
//! not. The numbers are those of `docs/design/ledger-adversary.svg`.
//!
//! n responses of ε₀ come first. Then the adversary, who has seen the loss L of them, publishes with probability w one response of ε, or
//! nothing; for each ε, w is the largest that the rule admits, whatever L is. The interaction has δ(ε) = E_L[max δ_M(ε − L)].

use hockeystick::{
    mechanism::{Mechanism, PairFile, Relation},
    query::{Amounts, Filter, SpendingLimit, Theorem},
};
use hockeystick_plot::{Axis, Chart, Look, Series};
use std::{env, fs, path::Path};

const EPSILON: f64 = 1.0;
const DELTAS: [f64; 2] = [1e-3, 1e-6];
const RESPONSES: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// ε₀√n, of which the adversary takes the best.
const FIRST: [f64; 5] = [0.05, 0.1, 0.15, 0.2, 0.3];
/// ε of the last response.
fn last() -> impl Iterator<Item = f64> {
    (1..=60).map(|i| f64::from(i) * 0.025)
}

/// `H_{e^t}` of a response, for any t.
fn response(epsilon: f64, t: f64) -> f64 {
    let odds = epsilon.exp();
    let yes = odds / (1.0 + odds);
    (yes - t.exp() * (1.0 - yes)).max(0.0) + (1.0 - yes - t.exp() * yes).max(0.0)
}

/// Of a response that is published with probability w.
fn rare(weight: f64, epsilon: f64, t: f64) -> f64 {
    weight * response(epsilon, t) + (1.0 - weight) * (1.0 - t.exp()).max(0.0)
}

/// The losses of n responses with their probabilities.
fn losses(uses: u32, epsilon: f64) -> Vec<(f64, f64)> {
    let yes = epsilon.exp() / (1.0 + epsilon.exp());
    let mut probability = (1.0 - yes).powi(uses as i32);
    let mut all = Vec::new();
    for count in 0..=uses {
        all.push(((2.0 * f64::from(count) - f64::from(uses)) * epsilon, probability));
        probability *= f64::from(uses - count) / f64::from(count + 1) * yes / (1.0 - yes);
    }
    all
}

/// The largest w that a rule admits.
fn largest(admits: impl Fn(f64) -> bool) -> f64 {
    if admits(1.0) {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        *(if admits(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}

/// What the interaction spends, as a multiple of δ; `weight` says how often the last response may be published.
fn spent(delta: f64, losses: &[(f64, f64)], weight: impl Fn(f64) -> f64) -> f64 {
    let menu: Vec<(f64, f64)> = last().map(|epsilon| (weight(epsilon), epsilon)).collect();
    let worst = |loss: f64| {
        let each = menu.iter().map(|(weight, epsilon)| rare(*weight, *epsilon, EPSILON - loss));
        each.fold(0.0, f64::max)
    };
    losses.iter().map(|(loss, probability)| probability * worst(*loss)).sum::<f64>() / delta
}

/// Under the rule that composes what was run.
fn naive(delta: f64, uses: u32, epsilon: f64) -> f64 {
    let losses = losses(uses, epsilon);
    let admits = |weight: f64, last: f64| {
        losses.iter().map(|(loss, p)| p * rare(weight, last, EPSILON - loss)).sum::<f64>() <= delta
    };
    if !admits(0.0, 0.0) {
        return 0.0;
    }
    spent(delta, &losses, |last| largest(|weight| admits(weight, last)))
}

/// Under the filter.
fn filtered(delta: f64, uses: u32, epsilon: f64) -> f64 {
    let limit = SpendingLimit::EpsilonDelta { epsilon: EPSILON, delta };
    let first: Mechanism = format!("randomized_response(epsilon={epsilon}) * {uses}").parse().unwrap();
    let filter = Filter::new(limit, Relation::AddRemove, Theorem::first(&first).unwrap()).unwrap();
    let before = filter.amounts(&first).unwrap();
    if !filter.admits(&before) {
        return 0.0;
    }
    let of = |weight: f64, last: f64| -> Amounts {
        let yes = weight / (1.0 + (-last).exp());
        let columns = [yes, weight - yes, 1.0 - weight];
        let pair = PairFile::from_probabilities(columns, [columns[1], columns[0], columns[2]]).unwrap();
        filter.amounts(&pair.into()).unwrap()
    };
    let losses = losses(uses, epsilon);
    spent(delta, &losses, |last| {
        largest(|weight| weight > 0.0 && filter.admits(&before.plus(&of(weight, last))))
    })
}

fn best(rule: impl Fn(f64) -> f64, uses: u32) -> f64 {
    FIRST.iter().map(|first| rule(first / f64::from(uses).sqrt())).fold(0.0, f64::max)
}

#[test]
fn the_rule_that_composes_is_overspent_and_the_filter_holds() {
    let mut chart = Chart::new(
        Axis::linear("responses before the choice"),
        Axis::linear("δ of the interaction / δ of the budget").including(0.0),
    )
    .title("An adversary who chooses the last mechanism, ε = 1");
    for delta in DELTAS {
        let of_naive: Vec<f64> = RESPONSES.map(|uses| best(|first| naive(delta, uses, first), uses)).to_vec();
        let of_filter: Vec<f64> =
            RESPONSES.map(|uses| best(|first| filtered(delta, uses, first), uses)).to_vec();
        println!("δ = {delta}: composing {of_naive:.3?}, filter {of_filter:.3?}");
        assert!(of_naive.iter().all(|&times| times > 1.3) && of_naive.iter().any(|&times| times > 2.5));
        assert!(of_filter.iter().all(|&times| times <= 1.0), "{of_filter:?}");
        // It is not so by admitting nothing.
        assert!(of_filter.iter().all(|&times| times > 1e-3), "{of_filter:?}");
        for (name, values) in [("composing what was run", of_naive), ("the filter", of_filter)] {
            let points = RESPONSES.iter().map(|&uses| f64::from(uses)).zip(values).collect();
            chart = chart.series(Series::new(format!("{name}, δ = {delta:e}"), points).look(Look::Line));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/design/ledger-adversary.svg");
    let drawn = chart.svg();
    if env::var_os("UPDATE_DOCUMENTATION").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|kept| kept == drawn),
        "UPDATE_DOCUMENTATION=1 draws it again"
    );
}
