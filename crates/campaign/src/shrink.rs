//! The smallest case that still fails.

use crate::{
    Case,
    worse::{owned, parts},
};
use hockeystick::mechanism::{Algebra, Compose, Mechanism, Relation, Value, build};
use std::{borrow::Cow, collections::HashSet};

/// No failure is asked about more often than this.
const MOST_QUESTIONS: usize = 600;

/// The simplest case found that `fails`, beginning with one that does. Steps only ever lead to simpler cases, so that it ends.
pub fn shrunk(case: &Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut best = case.clone();
    let mut seen = HashSet::new();
    let mut questions = 0;
    'search: loop {
        let mut candidates = simpler_cases(&best);
        candidates.retain(|candidate| complexity(candidate) < complexity(&best));
        candidates.sort_by_key(complexity);
        for candidate in candidates {
            if questions == MOST_QUESTIONS {
                break 'search;
            }
            if !seen.insert(candidate.to_string()) {
                continue;
            }
            questions += 1;
            if fails(&candidate) {
                best = candidate;
                continue 'search;
            }
        }
        break;
    }
    best
}

/// How much there is to read: mechanisms, relation, characters; and the sum of the counts, between cases of the same length.
fn complexity(case: &Case) -> (usize, usize, usize, u64) {
    let relation = match case.relation {
        Relation::Remove => 0,
        Relation::Add => 1,
        Relation::AddRemove => 2,
        Relation::Replace => 3,
    };
    let text = case.to_string();
    (nodes(&case.mechanism), relation, text.len(), counts(&case.mechanism))
}

fn nodes(mechanism: &Mechanism) -> usize {
    1 + mechanism.parts().iter().map(nodes).sum::<usize>()
}

fn counts(mechanism: &Mechanism) -> u64 {
    let own = if let Mechanism::Repeat(repeat) = mechanism { repeat.count() } else { 0 };
    mechanism.parts().iter().map(counts).fold(own, u64::saturating_add)
}

fn simpler_cases(case: &Case) -> Vec<Case> {
    let mut cases: Vec<Case> =
        simpler(&case.mechanism).into_iter().map(|mechanism| Case { mechanism, ..case.clone() }).collect();
    cases.extend(Relation::ALL.map(|relation| Case { relation, ..case.clone() }));
    let deltas = rounder(case.delta).into_iter().chain([0.5, 0.1, 1e-5]);
    let deltas = deltas.chain([10f64.powf(case.delta.log10().round())]);
    cases.extend(
        deltas.filter(|&delta| 0.0 < delta && delta < 1.0).map(|delta| Case { delta, ..case.clone() }),
    );
    cases
}

/// Mechanisms with a part less, or one number rounder or smaller.
fn simpler(mechanism: &Mechanism) -> Vec<Mechanism> {
    if let Mechanism::Compose(_) = mechanism {
        return simpler_sums(&parts(mechanism));
    }
    if let Mechanism::Repeat(repeat) = mechanism {
        let inner = repeat.mechanism();
        let mut found = vec![inner.clone()];
        found.extend(fewer(repeat.count()).into_iter().map(|count| inner.clone().repeat(count)));
        found.extend(simpler(inner).into_iter().map(|inner| inner.repeat(repeat.count())));
        return found;
    }
    let name = mechanism.name();
    let values: Vec<(&str, Value<'static>)> =
        mechanism.arguments().into_iter().map(|(name, value)| (name, owned(value))).collect();
    let mut found = Vec::new();
    for (i, (_, value)) in values.iter().enumerate() {
        let choices: Vec<Value<'static>> = match value {
            Value::Number(number) => {
                rounder(*number).into_iter().chain([1.0, 0.5]).map(Value::Number).collect()
            }
            Value::Whole(whole) => fewer(*whole).into_iter().map(Value::Whole).collect(),
            Value::Mechanism(inner) => {
                found.push((**inner).clone());
                simpler(inner).into_iter().map(|inner| Value::Mechanism(Cow::Owned(inner))).collect()
            }
            Value::Numbers(_) | Value::Text(_) => vec![],
        };
        for choice in choices {
            let mut changed = values.clone();
            changed[i].1 = choice;
            found.extend(build(name, changed));
        }
    }
    found
}

fn simpler_sums(parts: &[Mechanism]) -> Vec<Mechanism> {
    let mut found: Vec<Mechanism> = parts.to_vec();
    for i in 0..parts.len() {
        let without = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| part.clone());
        found.extend(Compose::new(without));
        for part in simpler(&parts[i]) {
            let mut changed = parts.to_vec();
            changed[i] = part;
            found.extend(Compose::new(changed));
        }
    }
    found
}

/// The number in fewer digits.
fn rounder(number: f64) -> Vec<f64> {
    (0..4).filter_map(|digits| format!("{number:.digits$e}").parse().ok()).collect()
}

fn fewer(count: u64) -> Vec<u64> {
    let power = 10u64.pow(count.max(1).ilog10());
    [1, 2, 3, 10, power / 10, power, count / 2, count - count.min(1)].into_iter().filter(|&c| c > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(line: &str) -> Case {
        Case::parse(line).unwrap()
    }

    #[test]
    fn what_has_nothing_to_do_with_the_failure_goes_away() {
        let start = case(
            "poisson(laplace(scale=0.7312), rate=0.0123) * 123456 + gaussian(sigma=1.2345, sensitivity=0.37) * 7 | replace | 3.21e-17",
        );
        let found = shrunk(&start, |case| case.mechanism.to_string().contains("laplace"));
        assert_eq!(found.to_string(), "laplace(scale=1) | remove | 0.5");
    }

    #[test]
    fn what_matters_stays() {
        let start = case("gaussian(sigma=1.2345) * 123456 + gdp(mu=0.1) * 3 | add-remove | 3.21e-17");
        let needs = |case: &Case| counts(&case.mechanism) >= 5000 && case.delta < 1e-9;
        let found = shrunk(&start, needs);
        assert!(needs(&found) && nodes(&found.mechanism) == 2, "{found}");
        assert!(found.to_string().len() < 45, "{found}");
    }
}
