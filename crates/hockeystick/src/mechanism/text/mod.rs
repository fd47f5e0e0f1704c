//! The text form: `poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12`.
//!
//! In: a text. Out: a mechanism, or what is wrong and in which columns; and back.
//!
//! Numbers may be calculated: `gaussian(sigma=sqrt(2)/3)`. A decimal stands for the double nearest to it, and so does a
//! calculation, in which decimals are exact.
//!
//! Text becomes tokens (`lexer`), an untyped tree with spans (`syntax`, `parser`), and then a checked
//! mechanism (`lower`). The way back is `print`.
//!
//! # Guarantee
//! What is printed parses to an equal mechanism. No text makes it panic or recurse without bound.

mod calculation;
mod error;
mod excerpt;
mod lexer;
mod limits;
mod lower;
mod parser;
mod pattern;
mod print;
mod quote;
mod syntax;
mod template;

use std::str::FromStr;

pub use calculation::number;
pub use error::{ParseError, Problem};
pub use excerpt::excerpt;
pub use limits::{MAX_CALCULATION_BYTES, MAX_NESTING, MAX_TEXT_BYTES};
pub use pattern::{NoValue, Pattern};
pub use template::{Hole, Template};

use super::{Files, Mechanism};

impl FromStr for Mechanism {
    type Err = ParseError;

    /// Reads the text form.
    ///
    /// ```
    /// use hockeystick::mechanism::Mechanism;
    ///
    /// let error = "gausian(sigma=1)".parse::<Mechanism>().unwrap_err();
    /// assert_eq!(error.column(), 1);
    /// assert!(error.to_string().contains("did you mean gaussian?"));
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        mechanism(text, &Files::default())
    }
}

impl Files {
    /// Reads an expression.
    pub fn mechanism(&self, text: &str) -> Result<Mechanism, ParseError> {
        mechanism(text, self)
    }

    /// Reads an expression with one `?`.
    pub fn template(&self, text: &str) -> Result<Template, ParseError> {
        Template::read(text, self)
    }
}

/// Reads the text form, with files as they are to be found.
fn mechanism(text: &str, files: &Files) -> Result<Mechanism, ParseError> {
    let syntax = parser::parse(text)?;
    let lowered = lower::lower(text, &syntax, files, None)?;
    lowered.mechanism.ok_or_else(|| {
        let span = lowered.hole.map_or(syntax.span, |hole| hole.span);
        ParseError::new(text, span, Problem::Hole)
    })
}
