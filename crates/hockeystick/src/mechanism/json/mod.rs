//! The JSON form, `{"gaussian":{"sigma":1.0}}`, for any self-describing format that serde knows.
//!
//! In: JSON. Out: a mechanism, or an error that says where and what; and back.
//!
//! # Guarantee
//! What is written reads back as an equal mechanism. What is read went through the same checks as the text form.

mod read;
mod values;
mod write;
