//! A privacy profile read from a file.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Any mechanism known by its privacy profile ε ↦ δ, given as two columns.
///
/// Every such profile is that of a pair of distributions \[Zhu, Dong, Wang 2022, Corollary 26\]. Only the
/// name of the file is held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileFile {
    file: String,
}

impl ProfileFile {
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

impl Described for ProfileFile {
    const NAME: &'static str = "profile";
    const MEANING: &'static str = "is given by its privacy profile";
    const PAIR: &'static str = "built from the profile [Zhu22, Cor. 26]";
    const EXAMPLE: &'static str = r#"profile(file="eps_delta.csv")"#;
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("file", Kind::Text, "file with two columns, ε and δ")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.text("file")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("file", Value::Text(self.file.as_str().into()))]
    }
}
