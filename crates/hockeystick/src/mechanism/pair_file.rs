//! A dominating pair read from a file.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// A pair of distributions P, Q on the same outcomes, given as two columns of probabilities.
///
/// Only the name of the file is held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PairFile {
    file: String,
}

impl PairFile {
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

impl Described for PairFile {
    const NAME: &'static str = "pair";
    const MEANING: &'static str = "is given by the probabilities of a dominating pair";
    const PAIR: &'static str = "the two columns of the file";
    const EXAMPLE: &'static str = r#"pair(file="p_q.csv")"#;
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("file", Kind::Text, "file with two columns of probabilities, P and Q")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.text("file")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("file", Value::Text(self.file.as_str().into()))]
    }
}
