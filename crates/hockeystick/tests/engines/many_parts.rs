//! Many different mechanisms with atoms, which the lattice composes in groups for the law below.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        contour::{Accuracy, Contour},
        lattice::{Convolution, Lattice, LatticePlan, Options},
        published::{BUCKETS, RIEMANN, TANGENTS},
    },
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
};
use hockeystick_golden::rows;

fn pair(text: &str, direction: Direction) -> SharedPair {
    dominating_pair(&text.parse::<Mechanism>().unwrap(), direction).unwrap()
}

/// Against sums over all signs, and lines: δ of up to 200 parts.
#[test]
fn references_are_enclosed() {
    let (mut grouped, mut widths) = (0, Vec::new());
    for row in rows("composition/many_parts") {
        let direction = if row.text("direction") == "add" { Direction::Add } else { Direction::Remove };
        let parts: Vec<(SharedPair, u64)> =
            row.text("expression").split(" + ").map(|text| (pair(text, direction), 1)).collect();
        let epsilon: f64 = row.number("epsilon");
        let (truth, goal) = (row.reference("delta"), Goal::Delta { epsilon });
        // Few parts to 10⁻⁴ are not always put in groups, and take a second then.
        for tolerance in [1e-2, if parts.len() > 20 { 1e-4 } else { 1e-3 }] {
            let lattice = Lattice::compose(&parts, goal, tolerance).unwrap();
            let delta = lattice.delta(epsilon).delta.value();
            let LatticePlan { groups, convolution, .. } = lattice.plan();
            let is_enclosed = truth.is_at_least(delta.lower()) && truth.is_at_most(delta.upper());
            assert!(is_enclosed, "{} at {epsilon}, {tolerance}: {delta:?}", row.text("expression"));
            if groups > 0 {
                grouped += 1;
                widths.push(delta.width() / delta.upper() / tolerance);
            }
            assert!(convolution == Convolution::Tilted || groups == 0);
        }
    }
    widths.sort_by(f64::total_cmp);
    println!(
        "{grouped} in groups, {:?} of the tolerance",
        [widths[0], widths[grouped / 2], widths[grouped - 1]]
    );
    assert!(grouped >= 60, "{grouped}");
    assert!(widths[grouped - 1] <= 1.0, "{widths:?}");
}

/// Randomised responses, Laplace noise, both with Gaussian noise, both directions of sampled noise, and parts that are used differently often.
fn different_parts() -> Vec<(&'static str, Vec<(SharedPair, u64)>)> {
    let many = |direction: Direction, one: &dyn Fn(f64) -> (String, u64)| -> Vec<(SharedPair, u64)> {
        // Irregular numbers between 0 and 1.
        let numbers = (1..=120).map(|i| (f64::from(i) * 0.618_033_988_749_894_9).fract());
        numbers.map(one).map(|(text, count)| (pair(&text, direction), count)).collect()
    };
    let response = |x: f64| format!("dp(epsilon={})", 0.05 + 0.05 * x);
    let laplace = |x: f64| format!("laplace(scale={})", 10.0 + 30.0 * x);
    let mixed = |x: f64| match (x * 1e3) as u32 % 3 {
        0 => response(x),
        1 => laplace(x),
        _ => format!("poisson(gaussian(sigma={}), rate=0.03)", 1.0 + x),
    };
    let sampled = |x: f64| (format!("poisson(laplace(scale={}), rate={})", 1.0 + x, 0.1 + 0.3 * x), 1);
    vec![
        ("responses", many(Direction::Remove, &|x| (response(x), 1))),
        ("Laplace", many(Direction::Remove, &|x| (laplace(x), 1))),
        ("mixed", many(Direction::Remove, &|x| (mixed(x), 1))),
        ("removed", many(Direction::Remove, &sampled)),
        ("added", many(Direction::Add, &sampled)),
        ("often", many(Direction::Remove, &|x| (response(x), 1 + (x * 1e4) as u64 % 9))),
        (
            "revealing",
            many(Direction::Remove, &|x| (format!("dp(epsilon={}, delta=1e-9)", 0.02 + 0.03 * x), 2)),
        ),
    ]
}

/// Groups are narrow enough, and agree with laws of one part each on a lattice that is asked for, where there are none.
#[test]
fn groups_are_narrow_and_agree_with_single_parts() {
    let (goal, tolerance) = (Goal::Epsilon { delta: 1e-6 }, 1e-4);
    for (name, parts) in different_parts() {
        let options = Options { tolerance, ..Options::default() };
        let lattice = Lattice::compose_with(&parts, goal, options).unwrap();
        let LatticePlan { groups, spacing, epsilon, .. } = lattice.plan();
        assert!(groups > 0, "{name}");
        let found = lattice.epsilon(1e-6);
        assert!(found.width() <= tolerance * found.upper(), "{name}: {found:?}");
        let single =
            Lattice::compose_with(&parts, goal, Options { spacing: Some(spacing), ..options }).unwrap();
        assert_eq!(single.plan().groups, 0, "{name}");
        for i in 0..40 {
            let at = epsilon * (0.8 + 0.01 * f64::from(i));
            let (one, other) = (lattice.delta(at).delta.value(), single.delta(at).delta.value());
            assert!(one.overlaps(other), "{name} at {at}: {one:?} {other:?}");
        }
        // What a group loses is less than what its parts lose by themselves.
        let lost = |lattice: &Lattice| 1.0 - lattice.delta(epsilon).delta.value().lower() / 1e-6;
        assert!(lost(&lattice) < lost(&single), "{name}");
    }
}

/// Lines of very many parts, of which searches look at a few, and of which quiet points are left out, against laws on a lattice.
#[test]
fn lines_agree_with_lattices() {
    let goal = Goal::Epsilon { delta: 1e-6 };
    let discrete = |i: u32| (format!("discrete_gaussian(sigma={})", 10.0 + 0.2 * f64::from(i)), 1);
    let kinds = |i: u32| match i % 4 {
        0 => discrete(i),
        1 => (format!("laplace(scale={})", 20.0 + f64::from(i)), 1),
        2 => (format!("poisson(laplace(scale=1), rate={})", 0.01 + 1e-4 * f64::from(i)), 2),
        _ => (format!("poisson(gaussian(sigma={}), rate=0.02)", 1.0 + 0.01 * f64::from(i)), 1),
    };
    let different = |part: &dyn Fn(u32) -> (String, u64), direction| -> Vec<(SharedPair, u64)> {
        (0..130).map(part).map(|(text, count)| (pair(&text, direction), count)).collect()
    };
    let more = [
        ("discrete", different(&discrete, Direction::Remove)),
        ("kinds", different(&kinds, Direction::Remove)),
        ("kinds added", different(&kinds, Direction::Add)),
    ];
    for (name, parts) in different_parts().into_iter().chain(more) {
        assert!(parts.len() >= 120);
        let lattice = Lattice::compose(&parts, goal, 1e-4).unwrap();
        let line = Contour::compose(&parts, goal, Accuracy::within(1e-4)).unwrap();
        let epsilon = lattice.plan().epsilon;
        for i in 0..40 {
            let at = epsilon * (0.8 + 0.01 * f64::from(i));
            let (one, other) = (lattice.delta(at).delta.value(), line.delta(at).delta.value());
            assert!(one.overlaps(other), "{name} at {at}: {one:?} {other:?}");
        }
        let (found, _) = smallest_epsilon(&line, 1e-6);
        println!("{name}: {found:?}, {:e} wide", found.width() / found.upper());
        assert!(found.width() <= 1e-4 * found.upper(), "{name}: {found:?}");
    }
}

/// Other laws, by name, know no groups; and what is composed further is composed anew.
#[test]
fn groups_are_for_the_default_law_only() {
    let (_, parts) = different_parts().swap_remove(0);
    let goal = Goal::Delta { epsilon: 1.5 };
    for discretisation in [TANGENTS, BUCKETS, RIEMANN] {
        let lattice = Lattice::compose_with(
            &parts[..40],
            goal,
            Options { tolerance: 0.1, discretisation, ..Options::default() },
        )
        .unwrap();
        assert_eq!(lattice.plan().groups, 0, "{discretisation}");
    }
    let whole = Lattice::compose(&parts, goal, 1e-4).unwrap();
    let half = Lattice::compose(&parts[..60], goal, 1e-4).unwrap();
    let further = half.and(&parts[60..]).unwrap();
    assert_eq!(further.plan(), whole.plan());
    assert_eq!(further.delta(1.5).delta, whole.delta(1.5).delta);
    assert!(half.delta(1.5).delta.value().upper() < whole.delta(1.5).delta.value().lower());
}
