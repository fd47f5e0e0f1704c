//! Filters against closed forms, exact composition, and an adversary.

use super::{Filter, SpendingLimit, Theorem};
use crate::{
    Query,
    mechanism::{Mechanism, Relation},
};

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

const BUDGET: SpendingLimit = SpendingLimit::EpsilonDelta { epsilon: 1.0, delta: 1e-6 };

fn filter(lead: Theorem) -> Filter {
    Filter::new(BUDGET, Relation::AddRemove, lead).unwrap()
}

fn uses_admitted(filter: &Filter, text: &str) -> u32 {
    let fits = |uses: u32| {
        let amounts = filter.amounts(&parsed(&format!("({text}) * {uses}"))).unwrap();
        filter.admits(&amounts)
    };
    let mut most = 1;
    while fits(most) {
        most *= 2;
    }
    let mut least = most / 2;
    while least + 1 < most {
        let middle = (least + most) / 2;
        *(if fits(middle) { &mut least } else { &mut most }) = middle;
    }
    least
}

/// What fixed mechanisms can do, filters cannot exceed: they hold for those, too.
#[test]
fn no_filter_admits_more_than_exact_composition() {
    for (text, lead) in [
        ("gaussian(sigma=20)", Theorem::Gaussian),
        ("laplace(scale=40)", Theorem::RENYI),
        ("randomized_response(epsilon=0.05)", Theorem::RENYI),
        ("poisson(gaussian(sigma=4), rate=0.02)", Theorem::RENYI),
        ("dp(epsilon=0.125, delta=1e-8)", Theorem::Sum),
        ("gaussian(sigma=40) + laplace(scale=80)", Theorem::Gaussian),
    ] {
        assert_eq!(Theorem::first(&parsed(text)).unwrap(), lead, "{text}");
        let uses = uses_admitted(&filter(lead), text);
        assert!(uses > 0, "{text}");
        let exact = Query::new(&parsed(&format!("({text}) * {uses}"))).epsilon(1e-6).unwrap();
        assert!(exact.upper() <= 1.0, "{text} {uses} {exact:?}");
        for other in [Theorem::Sum, Theorem::Gaussian, Theorem::RENYI] {
            assert!(uses_admitted(&filter(other), text) <= uses, "{text}: {lead} leads worse than {other}");
        }
    }
}

/// Σμ² is exact: what the shares of the other guards cost is at most one use in a thousand.
#[test]
fn the_gaussian_filter_admits_as_many_as_fixed_gaussians() {
    let uses = uses_admitted(&filter(Theorem::Gaussian), "gaussian(sigma=100)");
    let more = uses + 1 + uses.div_ceil(1000);
    let exact = Query::new(&parsed(&format!("gaussian(sigma=100) * {more}"))).epsilon(1e-6).unwrap();
    assert!(exact.lower().unwrap() > 1.0, "{uses}");
}

#[test]
fn shares_add_up_to_at_most_delta() {
    for lead in [Theorem::Sum, Theorem::Gaussian, Theorem::RENYI] {
        for delta in [1e-6, 1e-300, 0.3, 5e-324] {
            let limit = SpendingLimit::EpsilonDelta { epsilon: 0.7, delta };
            let filter = Filter::new(limit, Relation::AddRemove, lead).unwrap();
            assert!(
                filter.guards().iter().filter_map(|guard| guard.delta).sum::<f64>() <= delta,
                "{filter:?}"
            );
        }
    }
}

#[test]
fn pure_budgets_add_up() {
    let limit = SpendingLimit::EpsilonDelta { epsilon: 1.0, delta: 0.0 };
    let filter = Filter::new(limit, Relation::AddRemove, Theorem::RENYI).unwrap();
    assert_eq!(uses_admitted(&filter, "dp(epsilon=0.125)"), 8);
    assert_eq!(uses_admitted(&filter, "gaussian(sigma=1000)"), 0);
    assert_eq!(uses_admitted(&filter, "dp(epsilon=0.125, delta=1e-300)"), 0);
}

#[test]
fn other_currencies_add_up() {
    let of = |limit| Filter::new(limit, Relation::AddRemove, Theorem::RENYI).unwrap();
    // 1/16 and 1/32 are exact.
    let gaussian = of(SpendingLimit::Gaussian { mu: 1.0 });
    assert_eq!(uses_admitted(&gaussian, "gaussian(sigma=4)"), 16);
    assert_eq!(uses_admitted(&gaussian, "poisson(gaussian(sigma=4), rate=0.1)"), 0);
    let concentrated = of(SpendingLimit::Concentrated { rho: 0.5 });
    assert_eq!(uses_admitted(&concentrated, "gaussian(sigma=4)"), 16);
    assert_eq!(uses_admitted(&concentrated, "zcdp(rho=0.125)"), 4);
    assert_eq!(uses_admitted(&concentrated, "dp(epsilon=0.5)"), 4);
}

/// `μ = 2Φ⁻¹(e^ε/(1 + e^ε))`: at `ε = log 3` that is `2Φ⁻¹(3/4)`, and for large ε the tail decides.
#[test]
fn pure_privacy_is_gaussian_privacy() {
    let filter = filter(Theorem::Gaussian);
    for (epsilon, mu) in [
        (1e-9, 1.253_314_137_315_500_3e-9),
        (1e-3, 1.253_314_071_8e-3),
        (1.098_612_288_668_109_8, 1.348_979_500_392_163_6),
        (10.0, 7.827_914_393_6),
    ] {
        let amounts = filter.amounts(&parsed(&format!("dp(epsilon={epsilon})"))).unwrap();
        let found = amounts.mu_squared.sqrt();
        assert!(found >= mu * (1.0 - 1e-6) && found <= mu * (1.0 + 1e-6), "{epsilon}: {found}");
    }
}

/// Adding a record to a sampled response has losses from −3.13 to 0.001: a pure mechanism of ε = 0.001 in that direction alone has not the
/// μ and the ρ that ε = 0.001 in both directions would have.
#[test]
fn a_loss_that_is_bounded_on_one_side_only_is_charged_for_both() {
    let text = "poisson(randomized_response(epsilon=10), rate=0.001)";
    for relation in [Relation::Add, Relation::Remove, Relation::AddRemove] {
        let filter = Filter::new(BUDGET, relation, Theorem::Gaussian).unwrap();
        let amounts = filter.amounts(&parsed(text)).unwrap();
        let gaussian = parsed(&format!("gdp(mu={})", amounts.mu_squared.sqrt()));
        for epsilon in [0.0, 0.0001, 0.0005] {
            let spent = Query::new(&parsed(text)).relation(relation).delta(epsilon).unwrap().lower().unwrap();
            let charged = Query::new(&gaussian).delta(epsilon).unwrap().upper();
            assert!(spent <= charged, "{relation} at {epsilon}: {spent} above {charged}");
        }
        for (lambda, moment) in filter.orders().zip(&amounts.log_moments) {
            assert!(*moment <= lambda * (1.0 + lambda) * amounts.rho, "{relation} at order 1 + {lambda}");
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for limit in [
        SpendingLimit::EpsilonDelta { epsilon: f64::NAN, delta: 1e-6 },
        SpendingLimit::EpsilonDelta { epsilon: 1.0, delta: 1.0 },
        SpendingLimit::Gaussian { mu: 0.0 },
        SpendingLimit::Concentrated { rho: f64::INFINITY },
    ] {
        assert!(Filter::new(limit, Relation::AddRemove, Theorem::Sum).is_err(), "{limit:?}");
    }
}

/// The rule that composes what was run so far and stops at the budget: an adversary makes it spend 1.37 times the budget.
///
/// First ±½ of loss. If the loss is high, a pure mechanism whose loss just exceeds what is left; if it is low, a mechanism that fails
/// altogether with probability δ. Both paths, composed, are within the budget; the interaction is their mixture.
#[test]
fn composing_what_was_run_so_far_is_overspent_and_the_filter_is_not() {
    let (epsilon, delta) = (1.0, 1e-3);
    let first = "randomized_response(epsilon=0.5)";
    // δ of the second at ε = ½ is δ divided by the probability of the high loss.
    let (high, failing) = ("randomized_response(epsilon=0.50258)", "dp(epsilon=0, delta=0.000999)");
    let probability = 0.5_f64.exp() / (1.0 + 0.5_f64.exp());
    let spent = |text: &str, at: f64| Query::new(&parsed(text)).delta(at).unwrap();
    for second in [high, failing] {
        assert!(spent(&format!("{first} + {second}"), epsilon).upper() <= delta, "{second}");
    }
    let mixture = probability * spent(high, epsilon - 0.5).lower().unwrap()
        + (1.0 - probability) * spent(failing, epsilon + 0.5).lower().unwrap();
    assert!(mixture > 1.37 * delta, "{mixture}");
    let limit = SpendingLimit::EpsilonDelta { epsilon, delta };
    for lead in [Theorem::Sum, Theorem::Gaussian, Theorem::RENYI] {
        let filter = Filter::new(limit, Relation::AddRemove, lead).unwrap();
        let admits =
            |second: &str| filter.admits(&filter.amounts(&parsed(&format!("{first} + {second}"))).unwrap());
        assert!(!(admits(high) && admits(failing)), "{lead}");
    }
}

/// A share of 0 was taken for a budget in μ, so that μ was compared with ε: 0.5 was admitted where ε(5e-324) is above 19.
#[test]
fn a_share_of_delta_that_underflows_admits_nothing() {
    let noisy = parsed("gaussian(sigma=2)");
    for (delta, lead) in [
        (5e-324, Theorem::Gaussian),
        (1e-321, Theorem::RENYI),
        (1e-321, Theorem::Gaussian),
        (1e-310, Theorem::Sum),
    ] {
        let limit = SpendingLimit::EpsilonDelta { epsilon: 1.0, delta };
        let filter = Filter::new(limit, Relation::AddRemove, lead).unwrap();
        assert!(filter.admits(&filter.nothing()));
        let spent = filter.amounts(&noisy).unwrap();
        let exact = Query::new(&noisy).epsilon(delta).unwrap().lower().unwrap();
        assert!(!filter.admits(&spent), "{lead} at δ = {delta}");
        assert!(
            filter.reached(&spent).value >= exact,
            "{lead} at δ = {delta}: {:?} {exact}",
            filter.reached(&spent)
        );
    }
}
