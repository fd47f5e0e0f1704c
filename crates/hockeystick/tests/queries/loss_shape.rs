//! What drawings of the distribution of the loss show, against closed forms.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::{LossKind, LossShape},
};
use hockeystick_numerics::enclosure::Enclosure;

fn shape_of(expression: &str, relation: Relation) -> LossShape {
    let mechanism: Mechanism = expression.parse().unwrap();
    Query::new(&mechanism).relation(relation).curves().unwrap().loss_shape(101)
}

fn shape(expression: &str) -> LossShape {
    shape_of(expression, Relation::AddRemove)
}

/// Within what a chart can show.
fn holds(found: Enclosure, truth: f64) -> bool {
    found.contains(truth) || (found.midpoint() - truth).abs() <= 1e-9
}

fn choose(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// `n` responses with odds p to 1 − p: the loss (2k − n) ln(p/(1 − p)) is binomial.
#[test]
fn discrete_losses_are_atoms_with_their_probabilities() {
    let (n, p) = (10, 0.6f64);
    let found = shape("randomized_response(p=0.6) * 10");
    assert_eq!((found.kind, found.atoms.len(), found.bins.len()), (LossKind::Atoms, 11, 0));
    for (k, atom) in (0..=n).zip(&found.atoms) {
        let loss = f64::from(2 * k as i32 - n as i32) * (p / (1.0 - p)).ln();
        assert!((atom.loss.midpoint() - loss).abs() < 1e-12 && atom.loss.width() < 1e-12, "{k}: {atom:?}");
        let chance = |p: f64| choose(n, k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
        assert!(holds(atom.with, chance(p)) && holds(atom.without, chance(1.0 - p)), "{k}: {atom:?}");
    }
}

/// One Laplace loss: ½ at d and ½e^{−d} at −d, and the density ¼e^{−(d − L)/2} between, e^{−L} times that without the record.
#[test]
fn mixed_losses_are_atoms_beside_a_density() {
    let d = 2.0f64;
    let found = shape("laplace(scale=0.5)");
    assert_eq!((found.kind, found.atoms.len()), (LossKind::Mixed, 2));
    let (low, high) = (found.atoms[0], found.atoms[1]);
    assert!((low.loss.midpoint() + d).abs() < 1e-12 && (high.loss.midpoint() - d).abs() < 1e-12);
    assert!(holds(high.with, 0.5) && holds(high.without, 0.5 * (-d).exp()));
    assert!(holds(low.without, 0.5) && holds(low.with, 0.5 * (-d).exp()));
    let (mut with, mut without) = (0.0, 0.0);
    for bin in &found.bins {
        // ∫ ¼e^{−(d − L)/2} = ½e^{−(d − L)/2}, and of e^{−L} times that −½e^{−(d + L)/2}.
        let clamped = |x: f64| x.clamp(-d, d);
        let (a, b) = (clamped(bin.from), clamped(bin.to));
        let p = 0.5 * ((0.5 * (b - d)).exp() - (0.5 * (a - d)).exp());
        let q = 0.5 * ((-0.5 * (a + d)).exp() - (-0.5 * (b + d)).exp());
        assert!(
            (bin.with.midpoint() - p).abs() < 1e-6 && (bin.without.midpoint() - q).abs() < 1e-6,
            "{bin:?} {p} {q}"
        );
        let (density, _) = bin.densities();
        assert!((density.midpoint() * (bin.to - bin.from) - bin.with.midpoint()).abs() < 1e-9);
        with += bin.with.midpoint();
        without += bin.without.midpoint();
    }
    // Nothing is counted twice, and next to nothing is lost.
    let whole = |parts: f64, atoms: f64| (parts + atoms - 1.0).abs() < 1e-4;
    assert!(
        whole(with, 0.5 + 0.5 * (-d).exp()) && whole(without, 0.5 + 0.5 * (-d).exp()),
        "{with} {without}"
    );
}

/// Two of them: the atoms of both, at 2d, 0 and −2d.
#[test]
fn atoms_of_a_composition_are_sums_of_atoms() {
    let rare = 0.5 * (-1.0f64).exp();
    let found = shape("laplace(scale=1) * 2");
    let expected = [(-2.0, rare * rare, 0.25), (0.0, rare, rare), (2.0, 0.25, rare * rare)];
    assert_eq!((found.kind, found.atoms.len()), (LossKind::Mixed, 3));
    for (atom, (loss, with, without)) in found.atoms.iter().zip(expected) {
        assert!((atom.loss.midpoint() - loss).abs() < 1e-12, "{atom:?}");
        assert!(holds(atom.with, with) && holds(atom.without, without), "{atom:?}");
    }
    // A response beside a Laplace loss: four atoms.
    assert_eq!(shape("laplace(scale=1) + randomized_response(p=0.7)").atoms.len(), 4);
}

/// Whatever is added to a normal loss has a density, and rare atoms are no stems.
#[test]
fn densities_have_no_atoms() {
    for expression in [
        "gaussian(sigma=1)",
        "poisson(gaussian(sigma=1), rate=0.1) * 5",
        "gaussian(sigma=2) + randomized_response(p=0.6) * 3",
        "gaussian(sigma=2) + laplace(scale=1)",
        "laplace(scale=1) * 100",
    ] {
        let found = shape(expression);
        assert_eq!((found.kind, found.atoms.len()), (LossKind::Density, 0), "{expression}");
        let all: f64 = found.bins.iter().map(|bin| bin.with.midpoint()).sum();
        assert!((all - 1.0).abs() < 1e-3, "{expression}: {all}");
    }
}

/// A sample of a response: with the record the odds are mixed, (1 − γ)Q + γP.
#[test]
fn sampled_atoms_are_atoms() {
    let (p, gamma) = (0.75, 0.2);
    let found = shape("poisson(randomized_response(p=0.75), rate=0.2)");
    assert_eq!((found.kind, found.atoms.len()), (LossKind::Atoms, 2));
    let mixed = |chance: f64| (1.0 - gamma) * (1.0 - chance) + gamma * chance;
    let high = found.atoms[1];
    assert!((high.loss.midpoint() - (mixed(p) / (1.0 - p)).ln()).abs() < 1e-12, "{high:?}");
    assert!(holds(high.with, mixed(p)) && holds(high.without, 1.0 - p), "{high:?}");
    // The direction that is asked for does not change which law is with the record.
    for relation in [Relation::Add, Relation::Remove] {
        assert_eq!(
            shape_of("poisson(randomized_response(p=0.75), rate=0.2)", relation).atoms[1].with,
            high.with
        );
    }
}

/// Infinite losses are beyond the end: three uses that fail with probability 0.1 each.
#[test]
fn infinite_losses_are_beyond_the_end() {
    let found = shape("dp(epsilon=1, delta=0.1) * 3");
    assert_eq!((found.kind, found.atoms.len()), (LossKind::Atoms, 4));
    assert!(holds(found.larger, 1.0 - 0.9f64.powi(3)) && holds(found.smaller, 1.0 - 0.9f64.powi(3)));
    let finite: f64 = found.atoms.iter().map(|atom| atom.with.midpoint()).sum();
    assert!((finite - 0.9f64.powi(3)).abs() < 1e-9);
}

/// Some hundred losses of many responses are in groups of as many: none has one more than its neighbour.
#[test]
fn many_atoms_are_in_equal_groups() {
    let found = shape("randomized_response(p=0.52) * 5000");
    let LossKind::Grouped { each } = found.kind else { panic!("{:?}", found.kind) };
    assert!(each >= 2 && found.atoms.is_empty() && found.bins.len() <= 101, "{each}");
    let step = 2.0 * (0.52f64 / 0.48).ln();
    for bin in &found.bins[..found.bins.len() - 1] {
        assert!((bin.to - bin.from - each as f64 * step).abs() < 1e-9, "{bin:?}");
    }
    let all: f64 = found.bins.iter().map(|bin| bin.without.midpoint()).sum();
    assert!((all - 1.0).abs() < 1e-4, "{all}");
}

/// A profile from a file has atoms, uniform noise has one at 0, and too many losses are bins.
#[test]
fn kinds_of_other_mechanisms() {
    let kind = |expression: &str| shape(expression).kind;
    assert_eq!(kind("uniform(width=4)"), LossKind::Atoms);
    assert_eq!(shape("uniform(width=4)").atoms[0].loss, Enclosure::ZERO);
    assert_eq!(kind("discrete_laplace(scale=2)"), LossKind::Atoms);
    assert_eq!(kind("discrete_gaussian(sigma=3)"), LossKind::Atoms);
    assert_eq!(kind("discrete_gaussian(sigma=10)"), LossKind::Grouped { each: 1 });
    assert_eq!(kind("truncated_laplace(scale=1, bound=5)"), LossKind::Mixed);
    assert_eq!(kind("exponential(epsilon=1)"), LossKind::Density);
    assert_eq!(kind("randomized_response(p=0.51) * 100000"), LossKind::Bins);
    assert!(matches!(kind("discrete_gaussian(sigma=100)"), LossKind::Grouped { .. }));
}
