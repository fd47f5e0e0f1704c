//! What TOML and JSON have in common: values that know where they were written.

use std::ops::Range;

/// A value and its place in the file, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// True, false, null, a date: nothing that a workload has a use for.
    Other(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Range<usize>,
    pub(super) node: Node,
}

impl Value {
    /// The words for it in messages, with the article.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Number(_) => "a number",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(words) => words,
        }
    }
}

/// What is wrong with a file, and where.
#[derive(Debug, PartialEq)]
pub(super) struct Misplaced {
    pub(super) span: Range<usize>,
    pub(super) message: String,
}

impl Misplaced {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}
