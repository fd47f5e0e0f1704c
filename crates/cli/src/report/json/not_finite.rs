//! Numbers that JSON does not have.

/// What stands for a number that JSON does not have.
pub(crate) fn not_finite(value: f64) -> &'static str {
    match value {
        value if value.is_nan() => "nan",
        value if value > 0.0 => "inf",
        _ => "-inf",
    }
}
