//! Questions where an accountant is most likely to be wrong: every answer holds the truth, and is narrow where the truth stands still.

use hockeystick_campaign::attack;
use hockeystick_golden::rows;

/// Samples of nearly everything under replace-one: of so large a δ what is missing to 1 is lost in the round-off of outcomes that are
/// composed one by one.
const KNOWN: [&str; 1] =
    ["subset(dp(epsilon=10), rate=0.9999999999914824) * 5 | replace | Epsilon(0.9999999999981289)"];

#[test]
fn the_attack_finds_nothing() {
    let report = attack::check(&rows("attack"), |_, _| {});
    assert!(report.comparisons > 3000, "{}", report.comparisons);
    assert!(report.violations.is_empty(), "{}", report.violations.join("\n"));
    let wide: Vec<String> =
        report.wide.into_iter().filter(|wide| !KNOWN.iter().any(|known| wide.starts_with(known))).collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
