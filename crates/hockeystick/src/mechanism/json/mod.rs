//! The JSON form, `{"gaussian":{"sigma":1.0}}`, for any self-describing format that serde knows.

mod read;
mod values;
mod write;

/// The name of a composition, whose value is an array.
pub(super) const COMPOSE: &str = "compose";
