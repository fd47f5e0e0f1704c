//! Numbers in few digits.

/// A number with so many significant digits, as short as they allow.
pub(crate) fn digits(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value);
    let size = rounded.abs();
    if rounded == 0.0 || (1e-4..1e7).contains(&size) { format!("{rounded}") } else { format!("{rounded:e}") }
}
