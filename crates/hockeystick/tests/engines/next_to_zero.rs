//! ε next to 0, where δ is the total variation but for a part down to 10⁻¹³ of it: δ hardly falls there, and ε is known to eleven places.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
};
use hockeystick_chance::Random;
use hockeystick_golden::rows;
use hockeystick_numerics::enclosure::Enclosure;

/// How wide ε may be, as a part of it, and whatever it is.
const NARROW: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-11;
/// References with rare losses that are wider, and how wide these are at most, as a part of ε or whatever it is.
const RARE_AND_WIDE: usize = 5;
const WIDE: f64 = 1e-4;
const ABSOLUTE_WIDE: f64 = 1e-7;
/// Cases that are drawn at random.
const CASES: usize = 40;

fn epsilon(mechanism: &Mechanism, relation: Relation, delta: f64) -> Enclosure {
    let answer = Query::new(mechanism).relation(relation).epsilon(delta).unwrap();
    Enclosure::new(answer.lower().unwrap(), answer.upper())
}

/// A larger δ is granted for at most the reference's ε, a smaller one is refused for less: δ is moved by a unit in its last place, which moves ε
/// by a millionth of it or less.
#[test]
fn epsilon_next_to_zero_is_enclosed_and_narrow() {
    enclosed_and_narrow("composition/next_to_zero", 0);
}

/// The same where few rare losses decide. Of few uses that add a record, nearly all losses are next to the largest, `|M|` hardly decays, and
/// the lattice answers.
#[test]
fn epsilon_of_rare_losses_next_to_zero_is_enclosed_and_narrow() {
    enclosed_and_narrow("composition/rare_next_to_zero", RARE_AND_WIDE);
}

/// Where δ is below the total variation by 10⁻⁸ to 10⁻¹³ of it, up to 10⁸ uses: the question is about the last digits of δ.
#[test]
fn epsilon_at_the_last_digits_of_delta_is_enclosed_and_narrow() {
    let (mut widest, mut count) = (0f64, 0);
    for row in rows("composition/last_digits") {
        let mechanism: Mechanism = row.text("expression").parse().unwrap();
        let relation: Relation = row.text("direction").parse().unwrap();
        let (truth, delta): (f64, f64) = (row.number("epsilon"), row.number("delta"));
        let found = epsilon(&mechanism, relation, delta);
        // References have seventeen digits.
        let rounding = 1e-15 * truth;
        assert!(
            found.lower() <= truth + rounding && truth - rounding <= found.upper(),
            "{mechanism} {relation} at δ = {delta:e}: {found:?} misses {truth:e}"
        );
        let width = found.width();
        assert!(width <= ABSOLUTE.max(NARROW * truth), "{mechanism} {relation} at δ = {delta:e}: {width:e}");
        widest = widest.max(width);
        count += 1;
    }
    println!("{count} rows enclosed, the widest {widest:.1e}");
    assert!(count >= 60, "{count}");
}

fn enclosed_and_narrow(references: &str, most_wide: usize) {
    let (mut widest, mut count, mut wide) = (0f64, 0, Vec::new());
    for row in rows(references) {
        let mechanism: Mechanism = row.text("expression").parse().unwrap();
        let relation: Relation = row.text("direction").parse().unwrap();
        let (truth, delta): (f64, f64) = (row.number("epsilon"), row.number("delta"));
        let refused = epsilon(&mechanism, relation, delta.next_down());
        let granted = epsilon(&mechanism, relation, delta.next_up());
        assert!(
            granted.lower() <= truth && truth <= refused.upper(),
            "{mechanism} {relation} at δ = {delta:e}: {granted:?} and {refused:?} miss {truth:e}"
        );
        for found in [refused, granted] {
            widest = widest.max(found.width());
            assert!(found.width() <= ABSOLUTE_WIDE.max(WIDE * truth), "{mechanism} {relation}: {found:?}");
        }
        if granted.width() > ABSOLUTE.max(NARROW * truth) {
            wide.push(format!("{mechanism} {relation} at δ = {delta:e}: {granted:?}"));
        }
        count += 1;
    }
    println!("{count} rows enclosed, the widest {widest:.1e}");
    assert!(count >= 100, "{count}");
    assert!(wide.len() <= most_wide, "{wide:#?}");
}

/// δ at both ends of ε is on the side of what was asked for where it has to be, also where the law is cut into slices.
#[test]
fn delta_at_the_ends_of_epsilon_is_on_either_side() {
    let mut random = Random::new(20_261);
    let mut power = |low: f64, high: f64| 10f64.powf(random.uniform(low, high));
    let mut count = 0;
    while count < CASES {
        let (sigma, rate, uses) = (power(-0.5, 2.0), power(-6.0, 0.0), power(0.0, 7.0).floor());
        let mechanism: Mechanism =
            format!("poisson(gaussian(sigma={sigma}), rate={rate}) * {uses}").parse().unwrap();
        let at_zero = Query::new(&mechanism).delta(0.0).unwrap().upper();
        let delta = at_zero * (1.0 - power(-6.0, -1.0));
        if delta > 0.1 {
            continue;
        }
        count += 1;
        let found = epsilon(&mechanism, Relation::AddRemove, delta);
        let there = |at: f64| {
            let answer = Query::new(&mechanism).delta(at).unwrap();
            Enclosure::new(answer.lower().unwrap(), answer.upper())
        };
        let (at_least, at_most) = (there(found.lower()).upper(), there(found.upper()).lower());
        assert!(at_most <= delta && delta <= at_least, "{mechanism} at {delta:e}: {found:?}");
    }
}
