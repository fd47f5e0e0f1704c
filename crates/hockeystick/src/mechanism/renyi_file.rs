//! A Rényi curve read from a file.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Any mechanism known by bounds of its Rényi divergences at some orders, given as two columns.
///
/// Only these moments are known; no pair of distributions dominates the whole class tightly. Only the name of the file is
/// held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RenyiFile {
    file: String,
}

impl RenyiFile {
    /// The mechanism described by a file, which is read when a question is asked.
    pub fn new(file: impl Into<String>) -> Result<Self, InvalidParameter> {
        let file = file.into();
        if file.is_empty() {
            let subject = check::of::<Self>("file");
            return Err(subject.refuse("empty", "the name of a file"));
        }
        Ok(Self { file })
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }
}

impl Described for RenyiFile {
    const NAME: &'static str = "renyi";
    const MEANING: &'static str = "is given by its Rényi divergences";
    const PAIR: &'static str = "moments only: below the chords between the orders of the file";
    const EXAMPLE: &'static str = r#"renyi(file="order_divergence.csv")"#;
    const PARAMETERS: &'static [Parameter] = &[Parameter::required(
        "file",
        Kind::Text,
        "file with two columns: order α above 1 (or inf), bound of the Rényi divergence in both directions",
    )];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.text("file")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("file", Value::Text(self.file.as_str().into()))]
    }
}
