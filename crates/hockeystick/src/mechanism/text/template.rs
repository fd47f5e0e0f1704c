//! Expressions with one number to be found.

use std::fmt;

use super::super::{Files, Mechanism};
use super::error::{ParseError, Problem, Span};
use super::lower::lower;
use super::parser::parse;
use super::syntax::Expression;

/// An expression with exactly one `?` in place of a number.
///
/// ```
/// use hockeystick::mechanism::Template;
///
/// # fn main() -> Result<(), hockeystick::mechanism::ParseError> {
/// let template = Template::parse("poisson(gaussian(sigma=?), rate=0.01) * 1000")?;
/// assert_eq!(template.hole().parameter, "sigma");
/// assert_eq!(template.fill(2.5)?.to_string(), "poisson(gaussian(sigma=2.5), rate=0.01) * 1000");
/// # Ok(())
/// # }
/// ```
pub struct Template {
    text: String,
    files: Files,
    syntax: Expression,
    hole: Hole,
    span: Span,
}

/// What the `?` of a [`Template`] stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hole {
    /// The mechanism it belongs to, `repeat` for a count.
    pub mechanism: &'static str,
    /// Its parameter, `count` for a count.
    pub parameter: &'static str,
    /// Whether only whole numbers fit.
    pub whole: bool,
}

impl Template {
    /// Reads an expression with one `?`, and checks everything that does not depend on it.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::read(text, &Files::default())
    }

    pub(in crate::mechanism) fn read(text: &str, files: &Files) -> Result<Self, ParseError> {
        let syntax = parse(text)?;
        let Some(found) = lower(text, &syntax, files, None)?.hole else {
            return Err(ParseError::new(text, syntax.span, Problem::NoHole));
        };
        let hole = Hole { mechanism: found.mechanism, parameter: found.parameter, whole: found.whole };
        Ok(Self { text: text.to_owned(), files: files.clone(), syntax, hole, span: found.span })
    }

    /// What the `?` stands for.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The mechanism with `value` in place of the `?`, or the reason why it cannot be there.
    pub fn fill(&self, value: f64) -> Result<Mechanism, ParseError> {
        lower(&self.text, &self.syntax, &self.files, Some(value))?
            .mechanism
            .ok_or_else(|| ParseError::new(&self.text, self.span, Problem::Hole))
    }
}

/// Equal texts, with the same files in reach.
impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.files == other.files
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("text", &self.text).field("hole", &self.hole).finish()
    }
}
