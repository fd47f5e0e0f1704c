//! How often a mechanism is used, how large the losses of all uses are together, and how many digits a parameter has.

use hockeystick_chance::Random;

/// From one to 10⁹, small and round numbers more often than others.
pub(super) fn some_count(random: &mut Random) -> u64 {
    let count = if random.chance(0.25) { 1 + random.below(6) } else { random.log_uniform(1.0, 1e9) as u64 };
    if random.chance(0.2) { 10u64.pow(count.ilog10()) } else { count }
}

/// The standard deviation of all losses together.
pub(super) fn some_total(random: &mut Random) -> f64 {
    if random.chance(0.85) { random.log_uniform(0.02, 12.0) } else { random.log_uniform(1e-4, 60.0) }
}

/// A number as it is, or in one or two digits, as people write them.
pub(super) fn rounded(random: &mut Random, value: f64) -> f64 {
    let digits = random.below(8) as usize;
    if digits < 2 { format!("{value:.digits$e}").parse().unwrap_or(value) } else { value }
}

/// The expression of that many uses.
pub(super) fn times(text: String, count: u64) -> String {
    if count == 1 { text } else { format!("{text} * {count}") }
}
