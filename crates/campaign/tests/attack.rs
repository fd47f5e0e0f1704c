//! Questions where an accountant is most likely to be wrong: every answer holds the truth, and is narrow where the truth stands still.

use hockeystick_campaign::attack;
use hockeystick_golden::{Row, rows};

/// Columns that do not add up to 1 exactly, and δ next to the total variation.
const DELICATE: [&str; 2] = ["columns", "flat"];

fn finds_nothing(is_asked: impl Fn(&str) -> bool, least: u64) {
    let asked: Vec<Row> = rows("attack").into_iter().filter(|row| is_asked(row.text("kind"))).collect();
    let report = attack::check(&asked, |_, _| {});
    assert!(report.comparisons > least, "{}", report.comparisons);
    assert!(report.violations.is_empty(), "{}", report.violations.join("\n"));
    assert!(report.wide.is_empty(), "{}", report.wide.join("\n"));
}

#[test]
fn the_attack_finds_nothing() {
    finds_nothing(|kind| !DELICATE.contains(&kind), 2000);
}
