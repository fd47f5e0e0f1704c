//! The JSON form, `{"gaussian":{"sigma":1.0}}`, for any self-describing format that serde knows.

mod read;
mod write;

const COMPOSE: &str = "compose";
const REPEAT: &str = "repeat";
const MECHANISM: &str = "mechanism";
const COUNT: &str = "count";
