//! Where characteristic functions need care: infinite losses, atoms, directions, and pairs that have none.

use hockeystick::{
    Error, Query,
    curve::PrivacyProfile,
    engine::published::characteristic::{CharacteristicEstimate, CharacteristicGrid, NoEstimate, Source},
    mechanism::{Mechanism, Relation},
    pair::{Direction, DominatingPair, RatioLaw, SharedPair, Tails, dominating_pair},
    query::{Guarantee, Method, Shortfall},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

const ESTIMATES: [Method; 2] = [Method::Afa, Method::DoubleQuadrature];

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

/// A pair used together with a discrete one, as a single pair of which nothing is listed.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pair: SharedPair,
    /// Losses of the discrete pair with their masses under `P` and `Q`.
    atoms: Vec<(Ball, [Enclosure; 2])>,
}

impl Product {
    /// Of two self-dual mechanisms, the second discrete.
    pub(crate) fn of(first: &str, second: &str) -> SharedPair {
        let second = dominating_pair(&parsed(second), Direction::Remove).unwrap();
        let atoms = second.all_outcomes().unwrap().iter().map(|atom| (atom.loss, [atom.p, atom.q]));
        Arc::new(Self {
            pair: dominating_pair(&parsed(first), Direction::Remove).unwrap(),
            atoms: atoms.collect(),
        })
    }

    fn mixed(&self, of: impl Fn(&Ball) -> Probability, side: usize) -> Probability {
        let mut sums = [Enclosure::ZERO; 2];
        for (loss, masses) in &self.atoms {
            let one = of(loss);
            sums[0] = sums[0] + masses[side] * one.value();
            sums[1] = sums[1] + masses[side] * one.complement();
        }
        Probability::from_both(sums[0].clamp(0.0, 1.0), sums[1].clamp(0.0, 1.0))
    }
}

impl DominatingPair for Product {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.mixed(|loss| self.pair.delta(epsilon - *loss), 0)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        Tails {
            p: self.mixed(|loss| self.pair.tails(epsilon - *loss).p, 0),
            q: self.mixed(|loss| self.pair.tails(epsilon - *loss).q, 1),
        }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::point(f64::NEG_INFINITY)..=Enclosure::point(f64::INFINITY)
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::unknown()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.clone())
    }

    fn is_self_dual(&self) -> bool {
        true
    }
}

/// There is nothing to evaluate a characteristic function from, and that is an error with a type; a grid needs tails only.
#[test]
fn a_pair_without_listed_outcomes_has_no_characteristic_function() {
    let pairs = [(Product::of("gaussian(sigma=2)", "randomized_response(epsilon=0.3)"), 4)];
    for source in [Source::Symbols, Source::DOUBLE_QUADRATURE] {
        let found = CharacteristicEstimate::compose(&pairs, source).and_then(|composed| composed.delta(0.5));
        assert_eq!(found, Err(NoEstimate::NoCharacteristicFunction));
    }
    let exact = parsed("gaussian(sigma=2) * 4 + randomized_response(epsilon=0.3) * 4");
    let grid = CharacteristicGrid::compose(&pairs).unwrap();
    for epsilon in [0.0, 0.5, 1.5, 4.0] {
        let truth = hockeystick::delta(&exact, epsilon).unwrap();
        let found = grid.delta(epsilon).delta.value();
        assert!(found.lower() <= truth.upper() && truth.lower().unwrap() <= found.upper(), "{found:?}");
        assert!(found.width() < 0.02, "{found:?}");
    }
}

#[test]
fn moments_alone_have_no_characteristic_function() {
    let mechanism = parsed("zcdp(rho=0.1)");
    for method in [Method::Afa, Method::DoubleQuadrature, Method::AfaGrid] {
        let found = Query::new(&mechanism).method(method).epsilon(1e-3);
        assert!(matches!(found, Err(Error::MomentsOnly { .. })), "{found:?}");
    }
}

/// Infinite losses are kept apart ([Zhu22, Prop. 38]): they are a part of δ at every ε, and of no integral.
#[test]
fn infinite_losses_are_added_at_the_end() {
    for text in ["dp(epsilon=0.5, delta=0.01) * 3", "uniform(width=50) * 4 + gaussian(sigma=2)"] {
        let mechanism = parsed(text);
        let largest = hockeystick::delta(&mechanism, 40.0).unwrap();
        for method in ESTIMATES {
            let query = Query::new(&mechanism).method(method);
            let far = query.delta(8.0).unwrap();
            assert!((far.upper() - largest.upper()).abs() <= far.budget().total() + 1e-9, "{text}: {far:?}");
            let below = query.epsilon(1e-3).unwrap();
            assert_eq!((below.upper(), below.guarantee()), (f64::INFINITY, Guarantee::Estimate));
            assert!(matches!(below.shortfall(), Some(Shortfall::Unreachable { .. })));
        }
    }
}

/// On an atom Lévy's formula gives the middle of the jump of each distribution function; δ does not jump, and neither does its estimate.
#[test]
fn an_atom_at_epsilon_does_not_matter() {
    let mechanism = parsed("randomized_response(epsilon=0.25) * 8");
    for epsilon in [0.0, 0.5, 1.0, 1.5] {
        let exact = hockeystick::delta(&mechanism, epsilon).unwrap();
        for method in ESTIMATES {
            let query = Query::new(&mechanism).method(method);
            let on = query.delta(epsilon).unwrap();
            // To first order what is blurred at an atom cancels.
            assert!((on.upper() - exact.upper()).abs() < 1e-4, "{method} at {epsilon}: {on:?}");
            assert!((on.upper() - exact.upper()).abs() <= 2.0 * on.budget().total());
        }
    }
}

#[test]
fn each_direction_by_itself() {
    let mechanism = parsed("poisson(gaussian(sigma=1), rate=0.2) * 20");
    for method in [Method::Afa, Method::DoubleQuadrature] {
        let ask = |relation| Query::new(&mechanism).relation(relation).method(method).delta(1.0).unwrap();
        let (add, remove, both) = (ask(Relation::Add), ask(Relation::Remove), ask(Relation::AddRemove));
        assert!(remove.upper() > 1.05 * add.upper());
        assert_eq!(
            (both.upper(), both.direction(), both.plans().len()),
            (remove.upper(), Direction::Remove, 2)
        );
        for (relation, estimate) in [(Relation::Add, add), (Relation::Remove, remove)] {
            let exact = Query::new(&mechanism).relation(relation).delta(1.0).unwrap();
            assert!((estimate.upper() - exact.upper()).abs() < 1e-9);
        }
    }
}

/// An absolute error hides small δ; what cannot be seen is not guessed.
#[test]
fn what_cannot_be_seen_is_refused() {
    let mechanism = parsed("gaussian(sigma=1) * 2");
    for method in ESTIMATES {
        let query = Query::new(&mechanism).method(method);
        for found in [query.epsilon(1e-30), query.delta(20.0)] {
            assert!(matches!(found, Err(Error::NotApplicable { .. })), "{found:?}");
        }
    }
}

/// Many uses, heterogeneous counts, and losses without a spread.
#[test]
fn sizes_do_not_matter() {
    let cases = [
        ("gaussian(sigma=1e5) * 10_000_000_000", 0.5),
        ("gaussian(sigma=1e-2)", 4000.0),
        ("poisson(gaussian(sigma=1), rate=0.0001) * 10_000_000", 1.0),
        ("dp(epsilon=0, delta=0.1) * 2", 0.0),
    ];
    for (text, epsilon) in cases {
        let mechanism = parsed(text);
        let exact = hockeystick::delta(&mechanism, epsilon).unwrap();
        let grid = Query::new(&mechanism).method(Method::AfaGrid).delta(epsilon).unwrap();
        assert!(grid.lower().unwrap() <= exact.upper() && exact.lower().unwrap() <= grid.upper(), "{text}");
        for method in ESTIMATES {
            match Query::new(&mechanism).method(method).delta(epsilon) {
                Ok(estimate) => {
                    let off = (estimate.upper() - exact.upper()).abs();
                    assert!(off <= 2.0 * estimate.budget().total(), "{text}: {estimate:?}");
                }
                Err(error) => assert!(matches!(error, Error::NotApplicable { .. }), "{text}: {error}"),
            }
        }
    }
}

#[test]
fn an_estimate_is_no_curve_and_proves_no_tolerance() {
    let mechanism = parsed("gaussian(sigma=1) * 2");
    let query = Query::new(&mechanism).method(Method::Afa);
    assert!(matches!(query.curves().map(|_| ()), Err(Error::NotApplicable { .. })));
    let reading = query.prepare().epsilon(1e-3).unwrap();
    assert_eq!((reading.guarantee, reading.lower), (Guarantee::Estimate, None));
    let wanted = query.tolerance(1e-14).epsilon(1e-3).unwrap();
    assert!(matches!(wanted.shortfall(), Some(Shortfall::Tolerance { .. })));
    assert_eq!(query.tolerance(1e-6).epsilon(1e-3).unwrap().shortfall(), None);
}
