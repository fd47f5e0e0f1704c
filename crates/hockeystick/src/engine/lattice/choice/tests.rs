//! Compositions in numbers, and what is chosen for them.

use super::*;
use crate::engine::lattice::{
    discretise::CONNECT_THE_DOTS, estimate::Window, grid::LossRange, options::Options, tuning::TUNING,
};
use hockeystick_numerics::enclosure::Enclosure;

/// So many parts with losses from −1 to 1, each used so often.
fn facts(parts: usize, count: u64) -> Facts {
    let part = PartFacts {
        count,
        losses: Enclosure::point(-1.0)..=Enclosure::point(1.0),
        range: LossRange::plain(-1.0, 1.0),
        has_outcomes: true,
        has_density: true,
        loose: LooseAtoms::default(),
    };
    Facts {
        options: Options { tolerance: 1e-3, ..Options::default() },
        saddle: Saddle { tilt: 4.0, epsilon: 2.0, delta: 1e-5, deviation: 0.5, delta_per_scale: 0.04 },
        window: Window::plain(4.0, 12.0),
        allowed: 8e-3,
        share: 1e-6,
        parts: vec![part; parts],
        atom_distance: None,
        enumeration: None,
    }
}

fn chosen(facts: &Facts) -> Option<LatticePlan> {
    choose(facts, &facts.ungrouped(), &TUNING)
}

/// The gap `c(c+1)kΔ²/8`, with what wide cells add, is the share of the allowed width.
#[test]
fn the_spacing_is_that_of_the_gap() {
    for (parts, count, share) in [(1, 100, 0.58), (1, 10_000, 0.58), (20, 50, 0.58), (300, 7, 0.49)] {
        let facts = facts(parts, count);
        let uses = parts as f64 * count as f64;
        let expected = (share * 8e-3 / (4.0 * 5.0 * uses / 8.0 * 1.315)).sqrt();
        let found = exact_spacing(&facts, &facts.ungrouped(), &TUNING);
        assert!((found / expected - 1.0).abs() < 1e-12, "{parts} × {count}: {found} {expected}");
    }
    // Atoms off the grid cost c/2 times the spacing: with many uses of one, that is all.
    let mut atoms = facts(1, 10_000);
    atoms.parts[0].loose = LooseAtoms { merged: 0.5, rounded: 0.5 };
    let found = exact_spacing(&atoms, &atoms.ungrouped(), &TUNING);
    let expected = 0.58 * 8e-3 / (0.5 * 4.0 * 5000.0);
    assert!((found / expected - 1.0).abs() < 1e-2, "{found} {expected}");
}

#[test]
fn windows_are_powers_of_two_that_fit() {
    // (uses, points): 319.5√k of them would cover the window, so 44 uses are shortened.
    for (count, length) in [(10, 1 << 10), (44, 1 << 11), (1000, 1 << 14), (100_000, 1 << 17)] {
        let facts = facts(1, count);
        let plan = chosen(&facts).unwrap();
        assert_eq!((plan.length, plan.convolution, plan.groups), (length, Convolution::Tilted, 0), "{count}");
        assert!(plan.length as f64 * plan.spacing >= 12.0, "{plan}");
        // A window a little longer than a power of two is shortened, by at most 15 %.
        let exact = exact_spacing(&facts, &facts.ungrouped(), &TUNING);
        assert_eq!(plan.spacing > exact, count == 44, "{count}: {} {exact}", plan.spacing);
        assert!(plan.spacing >= exact && plan.spacing <= 1.16 * exact, "{count}: {} {exact}", plan.spacing);
    }
    let mut small = facts(1, 100_000);
    small.options.most_points = 1 << 12;
    assert_eq!(chosen(&small), None);
    // Tails alone are slow.
    let mut tails = facts(1, 10_000_000);
    assert!(chosen(&tails).is_some());
    tails.parts[0].has_outcomes = false;
    assert_eq!(chosen(&tails), None);
}

/// The distance of the likeliest atoms is a multiple of the spacing, unless the spacing was asked for.
#[test]
fn grids_go_through_the_likeliest_atoms() {
    let mut facts = facts(1, 100);
    facts.atom_distance = Some(0.7);
    let spacing = chosen(&facts).unwrap().spacing;
    assert!(((0.7 / spacing).round() - 0.7 / spacing).abs() < 1e-9, "{spacing}");
    facts.options.spacing = Some(0.013);
    assert_eq!(on_grid(&facts, &facts.ungrouped(), 0.013, &TUNING).unwrap().spacing, 0.013);
}

#[test]
fn few_outcomes_are_enumerated() {
    let sparse = |outcomes| Some(Convolution::Sparse { outcomes });
    let grid = Some(Convolution::Tilted);
    // (outcomes, missing, a spacing was asked for, chosen). The grid would take 0.6 ms.
    for (outcomes, missing, spacing, expected) in [
        (496.0, 0.0, None, sparse(496)),
        (2048.0, 0.0, None, sparse(2048)),
        (5000.0, 0.0, None, sparse(5000)),
        (131_072.0, 0.0, None, grid),
        (1e9, 0.0, None, grid),
        // At most a tenth of the tolerance of δ may be missing: 10⁻⁹.
        (496.0, 0.9e-9, None, sparse(496)),
        (496.0, 1.1e-9, None, grid),
        (496.0, 0.0, Some(0.01), grid),
    ] {
        let mut facts = facts(1, 1000);
        facts.enumeration = Some(Enumeration { outcomes, missing });
        facts.options.spacing = spacing;
        let found = chosen(&facts).map(|plan| plan.convolution);
        assert_eq!(found, expected, "{outcomes} {missing:e} {spacing:?}");
    }
    // Where there is no grid that fits, there are as many outcomes as may be.
    let mut facts = facts(1, 100_000);
    facts.options.most_points = 1 << 12;
    facts.enumeration = Some(Enumeration { outcomes: 131_072.0, missing: 0.0 });
    assert_eq!(chosen(&facts).map(|plan| plan.convolution), sparse(131_072));
}

#[test]
fn groups_are_taken_where_atoms_decide() {
    let loose = LooseAtoms { merged: 0.1, rounded: 0.1 };
    let mut facts = facts(1000, 1);
    assert_eq!(group_goal(&facts, &TUNING), None, "no atoms");
    facts.parts.iter_mut().for_each(|part| part.loose = loose);
    let goal = group_goal(&facts, &TUNING).expect("atoms cost more than half of the spacing");
    let alone = exact_spacing(&facts, &facts.ungrouped(), &TUNING);
    assert!(goal.spacing > 2.0 * alone && goal.most_products > 1e6, "{goal:?} {alone}");
    // All parts in 80 groups that leave no distance between outcomes, for little work and for too much.
    let groups = |products| Grouping {
        groups: 80,
        alone: vec![0; 1000],
        squares: 1000.0 / 8.0,
        loose: LooseAtoms::default(),
        products,
    };
    assert!(takes_groups(&facts, &groups(1e5), goal, &TUNING));
    assert!(!takes_groups(&facts, &groups(1e12), goal, &TUNING));
    // Groups that leave as much cost as there was.
    let useless = Grouping { loose: LooseAtoms { merged: 100.0, rounded: 100.0 }, ..groups(1e5) };
    assert!(!takes_groups(&facts, &useless, goal, &TUNING));
    let plan = choose(&facts, &groups(1e5), &TUNING).unwrap();
    assert!(plan.groups == 80 && plan.to_string().contains("80 groups of parts with atoms"), "{plan}");
    // Not of few parts, nor on a grid that was asked for.
    facts.options.spacing = Some(0.01);
    assert_eq!(group_goal(&facts, &TUNING), None);
    facts.options.spacing = None;
    facts.parts.truncate(11);
    assert_eq!(group_goal(&facts, &TUNING), None);
}

#[test]
fn points_are_moved_where_they_are_few() {
    let mut facts = facts(1, 10);
    let plan = chosen(&facts).unwrap();
    assert!(is_worth_moving(&facts, &plan, &TUNING));
    assert!(!is_worth_moving(&facts, &LatticePlan { cells: 8193, ..plan }, &TUNING));
    facts.parts[0].has_density = false;
    assert!(!is_worth_moving(&facts, &plan, &TUNING));
    assert_eq!(plan.discretisation, CONNECT_THE_DOTS);
}
