//! Random allocation against references by definition, and over epochs.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    pair::{Direction, dominating_pair},
};
use hockeystick_golden::{Decimal, rows};
use hockeystick_numerics::ball::Ball;

#[test]
fn every_reference_is_enclosed() {
    let mut widths: Vec<(f64, String, bool)> = rows("allocation")
        .iter()
        .map(|row| {
            let mechanism: Mechanism = row.text("expression").parse().unwrap();
            let direction = match row.text("direction") {
                "remove" => Direction::Remove,
                _ => Direction::Add,
            };
            let pair = dominating_pair(&mechanism, direction).unwrap();
            let delta = pair.delta(Ball::from(row.number::<f64>("epsilon"))).value();
            let truth = row.reference("delta");
            assert!(
                truth.is_at_least(delta.lower()) && truth.is_at_most(delta.upper()),
                "{row:?}: not in {delta:?}"
            );
            let is_smooth = row.text("expression").contains("gaussian");
            (Decimal::exactly(delta.width()).ratio(&truth), format!("{row:?}"), is_smooth)
        })
        .collect();
    widths.sort_by(|a, b| a.0.total_cmp(&b.0));
    let worst = widths.last().unwrap();
    // (A sum of coins may lie on the kink of the hinge, where the functions around it are furthest apart.)
    assert!(worst.0 < 1e-4, "{worst:?}");
    let smooth = widths.iter().rev().find(|(_, _, is_smooth)| *is_smooth).unwrap();
    assert!(smooth.0 < 2e-6, "{smooth:?}");
}

/// Fresh allocations over epochs spend no more than the step itself in every epoch, no less than one epoch, and more than the same allocation spends in none.
#[test]
fn epochs_are_composed() {
    let answer = |text: &str, relation| {
        let mechanism: Mechanism = text.parse().unwrap();
        Query::new(&mechanism).relation(relation).delta(0.5).unwrap()
    };
    for relation in [Relation::Remove, Relation::Add] {
        let one = answer("allocation(gaussian(sigma=1), steps=20)", relation);
        let three = answer("allocation(gaussian(sigma=1), steps=20) * 3", relation);
        let steps = answer("gaussian(sigma=1) * 3", relation);
        let (lower, upper) = (three.lower().unwrap(), three.upper());
        assert!(one.lower().unwrap() < lower && upper < steps.upper(), "{relation}: {one:?} {three:?}");
        assert!(upper - lower < 1e-2 * upper, "{relation}: {three:?}");
    }
}
