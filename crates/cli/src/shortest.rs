//! Numbers in messages and keys.

/// The fewest digits that read back as the same double.
pub(crate) fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
