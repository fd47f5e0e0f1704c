//! The ADP graph and the PLD with finite support ([Sommer19, Lemma 6]).

use crate::conversions::pairs::Discrete;
use hockeystick::{
    curve::{FiniteLosses, HockeyStick, LossTails, conversion::adp_graph_to_finite_losses},
    pair::Atom,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use proptest::prelude::*;

#[track_caller]
fn holds(found: Enclosure, exact: f64, width: f64) {
    assert!(found.contains(exact), "{exact:e} is not in {found:?}");
    assert!(found.width() <= width, "{found:?} is {:e} wide", found.width());
}

fn logarithm(x: f64) -> Ball {
    Ball::from(x).ln()
}

#[test]
fn masses_come_back_from_the_graph() {
    let pair = Discrete::lopsided();
    let losses = [-logarithm(5.0), Ball::ZERO, logarithm(4.0)];
    let found = adp_graph_to_finite_losses(&pair, &losses).unwrap();
    for (atom, (p, q)) in found.atoms.iter().zip([(1.0, 5.0), (4.0, 4.0), (8.0, 2.0)]) {
        holds(atom.p, p / 16.0, 1e-14);
        holds(atom.q, q / 16.0, 1e-14);
    }
    holds(found.infinite_mass, 3.0 / 16.0, 1e-15);
    holds(found.vanishing_mass, 5.0 / 16.0, 1e-14);
    // A loss that does not occur gets no mass.
    let more = [losses[0], Ball::ZERO, Ball::ONE, losses[2], Ball::from(2.0)];
    let found = adp_graph_to_finite_losses(&pair, &more).unwrap();
    holds(found.atoms[2].p, 0.0, 1e-14);
    holds(found.atoms[4].p, 0.0, 1e-14);
    holds(found.infinite_mass, 3.0 / 16.0, 1e-15);
}

#[test]
fn losses_must_increase() {
    let pair = Discrete::lopsided();
    assert_eq!(adp_graph_to_finite_losses(&pair, &[]), None);
    assert_eq!(adp_graph_to_finite_losses(&pair, &[Ball::ONE, Ball::ZERO]), None);
    assert_eq!(adp_graph_to_finite_losses(&pair, &[Ball::ONE, Ball::ONE]), None);
}

proptest! {
    #[test]
    fn there_and_back(masses in prop::collection::vec(1u32..100, 4), infinite in 0u32..50) {
        let total = f64::from(masses.iter().sum::<u32>() + infinite);
        let atoms: Vec<Atom> = masses.iter().enumerate().map(|(i, &n)| {
            let (loss, p) = (Ball::from(0.5 * i as f64 + 0.25), Enclosure::point(f64::from(n)) / total);
            Atom { loss, p, q: p * (-loss).exp_enclosure() }
        }).collect();
        let q = atoms.iter().fold(Enclosure::ZERO, |sum, atom| sum + atom.q);
        let start = FiniteLosses {
            atoms,
            infinite_mass: Enclosure::point(f64::from(infinite)) / total,
            vanishing_mass: q.one_minus(),
        };
        let losses: Vec<Ball> = start.atoms.iter().map(|atom| atom.loss).collect();
        let back = adp_graph_to_finite_losses(&start, &losses).unwrap();
        for (a, b) in start.atoms.iter().zip(&back.atoms) {
            prop_assert!(a.p.overlaps(b.p) && b.p.width() < 1e-14);
            prop_assert!(a.q.overlaps(b.q));
        }
        prop_assert!(start.infinite_mass.overlaps(back.infinite_mass));
        prop_assert!(start.vanishing_mass.overlaps(back.vanishing_mass));
        for k in -4..10 {
            let epsilon = Ball::from(0.3 * f64::from(k));
            let (a, b) = (start.hockey_stick(epsilon), back.hockey_stick(epsilon));
            prop_assert!(a.value().overlaps(b.value()) && b.value().width() < 1e-13);
            prop_assert!(start.loss_tails(epsilon).p.value().overlaps(back.loss_tails(epsilon).p.value()));
        }
    }
}

#[test]
fn the_graph_is_that_of_the_definition() {
    let pair = Discrete::lopsided();
    let losses = [-logarithm(5.0), Ball::ZERO, logarithm(4.0)];
    let found = adp_graph_to_finite_losses(&pair, &losses).unwrap();
    for epsilon in [-3.0, -1.0, -0.2, 0.0, 0.9, 1.38, 4.0] {
        holds(found.hockey_stick(Ball::from(epsilon)).value(), pair.hockey_stick(f64::exp(epsilon)), 1e-13);
    }
}
