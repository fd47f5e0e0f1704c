//! Laws of groups against full enumeration, their masses, and what underflows.

use super::*;
use crate::{
    engine::lattice::grid::LossRange,
    pair::{Direction, dominating_pair},
};
use hockeystick_numerics::special::exp;

/// `(P, Q)` of every outcome of randomised responses together, and how likely an infinite loss is.
fn enumerated(responses: &[(f64, f64)]) -> (Vec<(f64, f64)>, f64) {
    let mut all = vec![(1.0, 1.0)];
    let mut finite = 0.0;
    for &(epsilon, delta) in responses {
        let odds = epsilon.exp();
        let (likely, unlikely) = ((1.0 - delta) * odds / (1.0 + odds), (1.0 - delta) / (1.0 + odds));
        finite += (-delta).ln_1p();
        all =
            all.iter().flat_map(|(p, q)| [(p * likely, q * unlikely), (p * unlikely, q * likely)]).collect();
    }
    (all, -finite.exp_m1())
}

fn delta_of_outcomes(outcomes: &[(f64, f64)], epsilon: f64) -> f64 {
    outcomes.iter().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

/// What a law says that δ is at least, but for roundings of this sum.
fn delta_of_law(law: &LatticeLaw<Optimistic>, epsilon: f64) -> f64 {
    let masses = law.masses.iter().zip(law.first..);
    let finite: f64 = masses
        .map(|(mass, index)| mass * -(epsilon - (index as f64 * law.spacing + law.offset)).min(0.0).exp_m1())
        .sum();
    finite * (1.0 - law.error) + law.infinite
}

struct Made {
    parts: Vec<(SharedPair, u64)>,
    outcomes: Vec<Option<Outcomes>>,
    facts: Vec<PartFacts>,
}

impl Made {
    fn of(texts: &[String], direction: Direction) -> Self {
        let pair = |text: &String| (dominating_pair(&text.parse().unwrap(), direction).unwrap(), 1);
        let parts: Vec<(SharedPair, u64)> = texts.iter().map(pair).collect();
        let outcomes = parts.iter().map(|(pair, _)| Outcomes::of(pair, -200.0)).collect();
        let facts = parts
            .iter()
            .map(|(pair, count)| PartFacts {
                count: *count,
                losses: pair.finite_losses(),
                range: LossRange::plain(-50.0, 50.0),
                has_outcomes: true,
                has_density: true,
                loose: LooseAtoms::default(),
            })
            .collect();
        Self { parts, outcomes, facts }
    }

    fn all(&self) -> Parts<'_> {
        Parts { parts: &self.parts, outcomes: &self.outcomes, facts: &self.facts }
    }

    fn group(&self) -> Group {
        Group { parts: (0..self.parts.len()).collect(), uses: 1 }
    }
}

/// Every outcome of a dozen randomised responses: coarse and fine bins, with and without infinite losses, at losses and between them.
#[test]
fn laws_of_groups_are_below_all_outcomes() {
    for (chance, size) in [(0.0, 0.03), (1e-3, 0.4), (1e-8, 3.0)] {
        let responses: Vec<(f64, f64)> = (0..12)
            .map(|i| (size * (1.0 + 0.071 * f64::from(i * i % 7)), chance * f64::from(i % 3)))
            .collect();
        let texts: Vec<String> = responses
            .iter()
            .map(|(epsilon, delta)| format!("dp(epsilon={epsilon}, delta={delta})"))
            .collect();
        let (exact, infinite) = enumerated(&responses);
        let made = Made::of(&texts, Direction::Remove);
        for (part, share) in [(0.5, 1e-3), (0.05, 1e-12), (0.002, 0.0)] {
            let fineness = Fineness { spacing: part * size, tilt: 1.0, share, most_products: 1e9 };
            let law = made.all().law(&made.group(), fineness).unwrap();
            assert!(law.infinite <= infinite * (1.0 + 1e-12) && law.infinite >= infinite * (1.0 - 1e-12));
            for i in -60..=120 {
                let epsilon = 0.1 * size * f64::from(i);
                let truth = infinite + delta_of_outcomes(&exact, epsilon);
                let below = delta_of_law(&law, epsilon);
                assert!(below <= truth * (1.0 + 1e-12), "{size} {part} {epsilon}: {below} {truth}");
                // Fine ones are close: half of a lost variance of Δ²/12, and of bins, times the largest density of a loss.
                if part < 0.01 && i % 10 == 0 && truth > 1e-6 {
                    assert!(below >= truth * (1.0 - 2e-3), "{size} {part} {epsilon}: {below} {truth}");
                }
            }
        }
    }
}

/// Neither mass gets lost, or comes from nowhere: the law of sums of Laplace noise, in either direction, and of sampled noise.
#[test]
fn masses_of_both_laws_are_kept() {
    for direction in [Direction::Remove, Direction::Add] {
        let texts: Vec<String> = (0..9)
            .map(|i| match i % 3 {
                0 => format!("laplace(scale={})", 3.0 + f64::from(i)),
                1 => format!("poisson(laplace(scale={}), rate=0.3)", 1.0 + 0.1 * f64::from(i)),
                _ => format!("dp(epsilon=0.{i}, delta=1e-5)"),
            })
            .collect();
        let made = Made::of(&texts, direction);
        let fineness = Fineness { spacing: 0.01, tilt: 1.0, share: 0.0, most_products: 1e9 };
        let binned = made.all().binned(&made.group(), fineness).unwrap();
        let finite: f64 =
            made.parts.iter().map(|(pair, _)| pair.infinite_mass().complement().midpoint()).product();
        let outcomes = binned.outcomes();
        let p: f64 = outcomes.atoms.iter().map(|atom| atom.p.midpoint()).sum();
        let q: f64 = outcomes.atoms.iter().map(|atom| atom.p.midpoint() * exp(-atom.loss.midpoint())).sum();
        assert!((p - finite).abs() < 1e-12 && (q - finite).abs() < 1e-12, "{p} {q} {finite}");
        assert!(outcomes.atoms.windows(2).all(|pair| pair[0].loss.upper() <= pair[1].loss.upper()));
    }
}

/// Products of likelihoods that underflow: losses of 300 each, so that Q has outcomes of 10⁻⁵²⁰.
#[test]
fn what_underflows_makes_nothing_larger() {
    let texts: Vec<String> = (0..4).map(|i| format!("dp(epsilon={})", 300 + i)).collect();
    let made = Made::of(&texts, Direction::Remove);
    let fineness = Fineness { spacing: 0.5, tilt: 0.1, share: 1e-9, most_products: 1e9 };
    let law = made.all().law(&made.group(), fineness).unwrap();
    // All four say the truth, but for a chance of 10⁻¹³⁰.
    assert!(delta_of_law(&law, 500.0) > 0.999 && delta_of_law(&law, 500.0) <= 1.0);
    for epsilon in [900.0, 1206.0, 1300.0] {
        let below = delta_of_law(&law, epsilon);
        assert!(below <= 1.0 && (epsilon < 1206.0 || below == 0.0), "{epsilon}: {below}");
    }
}

/// A part with a loss that no bin has room for is no reason to panic.
#[test]
fn losses_too_far_apart_make_no_group() {
    let texts: Vec<String> = ["dp(epsilon=500)", "dp(epsilon=1e-6)"].map(String::from).to_vec();
    let made = Made::of(&texts, Direction::Remove);
    let fineness = Fineness { spacing: 1e-6, tilt: 1.0, share: 1e-9, most_products: 1e9 };
    assert!(made.all().law(&made.group(), fineness).is_none());
}
