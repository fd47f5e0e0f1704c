//! What can be wrong with a text, and where.

use std::ops::Range;

use super::super::{ArgumentError, InvalidParameter, UnknownMechanism};
use super::excerpt::excerpt;
use super::limits::{MAX_CALCULATION_BYTES, MAX_NESTING, MAX_TEXT_BYTES};

/// A part of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A text that is no mechanism: the problem and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}column {column}: {problem}", line_words(*.line))]
pub struct ParseError {
    span: Span,
    line: usize,
    column: usize,
    // Boxed so that the results of every parsing function stay small.
    problem: Box<Problem>,
}

impl ParseError {
    pub(super) fn new(text: &str, span: Span, problem: impl Into<Problem>) -> Self {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            span,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: Box::new(problem.into()),
        }
    }

    /// The line of the problem, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the problem in its line, from 1, in characters.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The bytes of the text that are at fault; empty at the end of the text.
    pub fn span(&self) -> Range<usize> {
        self.span.start..self.span.end
    }

    /// The message, and below it the part of `text`, in which the error was found, with carets under the place.
    ///
    /// ```
    /// let text = "gdp(nu=1)";
    /// let error = text.parse::<hockeystick::mechanism::Mechanism>().unwrap_err();
    /// assert!(error.pointed_out_in(text).ends_with("\n    gdp(nu=1)\n        ^^"));
    /// ```
    pub fn pointed_out_in(&self, text: &str) -> String {
        let excerpt = excerpt(text, self.span());
        if excerpt.is_empty() { self.to_string() } else { format!("{self}\n\n{excerpt}") }
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

/// Most expressions have one line, which goes without saying.
fn line_words(line: usize) -> String {
    if line > 1 { format!("line {line}, ") } else { String::new() }
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing but space.
    #[error("there is no mechanism here; write for example gaussian(sigma=1)")]
    Empty,
    /// More text than is read.
    #[error(
        "the text has {bytes} bytes, but at most {MAX_TEXT_BYTES} are read; use * for repeated mechanisms"
    )]
    TooLong {
        /// The length of the text.
        bytes: usize,
    },
    /// Too many parentheses inside each other.
    #[error("parentheses are nested more than {MAX_NESTING} deep; merge repetitions and remove parentheses")]
    TooDeep,
    /// A character that has no meaning here.
    #[error("the character {found} has no meaning here; {cure}")]
    Character {
        /// The character.
        found: String,
        /// What to do about it.
        cure: &'static str,
    },
    /// A number that is badly written.
    #[error("{found} is not a number; write for example 0.5, 1e-5 or 1_000_000")]
    MalformedNumber {
        /// The text of the number.
        found: String,
    },
    /// A number that is too large for a double.
    #[error("{found} is too large; numbers go up to 1.7976931348623157e308")]
    Overflow {
        /// The text of the number.
        found: String,
    },
    /// A number that is not 0 but too small for a double.
    #[error("{found} is too close to 0; the smallest number above 0 is 5e-324, and 0 itself is written 0")]
    Underflow {
        /// The text of the number.
        found: String,
    },
    /// A division by 0.
    #[error("this is 0, or cannot be told from 0, and nothing is divided by 0; divide by another number")]
    DivisionByZero,
    /// The square root of what is negative.
    #[error("this is below 0, or cannot be told from 0, and has no square root; write a number above 0")]
    NoRoot,
    /// A calculation with too much text.
    #[error(
        "a calculation has at most {MAX_CALCULATION_BYTES} bytes; calculate it elsewhere and write the number"
    )]
    LongCalculation,
    /// A calculation whose digits do not settle which double is nearest.
    #[error(
        "the double nearest to this calculation cannot be proven, as its value is next to the middle between two; \
         write the number itself"
    )]
    Undecided,
    /// A `?` in a calculation.
    #[error("? stands for a whole parameter and is no part of a calculation; write ? alone")]
    HoleInCalculation,
    /// A word for infinity or not-a-number.
    #[error("{found} is not allowed; every parameter is a finite number")]
    NotFinite {
        /// The word.
        found: String,
    },
    /// A string without an end.
    #[error("this text has no closing \" on its line; add one, and write a newline inside it as \\n")]
    UnterminatedText,
    /// A backslash sequence without a meaning.
    #[error(
        "{found} is no escape; write \\\\ for a backslash, and use \\\", \\n, \\r, \\t or \\u{{e9}} for others"
    )]
    Escape {
        /// The sequence.
        found: String,
    },
    /// Something other than what must come here.
    #[error("expected {expected}, found {found}{}", and_cure(.cure))]
    Unexpected {
        /// What must come here.
        expected: &'static str,
        /// What is here.
        found: String,
        /// What to do about it, if there is more to say.
        cure: Option<String>,
    },
    /// An opening parenthesis without its partner.
    #[error("this parenthesis is never closed; add a )")]
    Unclosed,
    /// A closing parenthesis without its partner.
    #[error("this parenthesis closes nothing; remove it or add a ( before it")]
    Unopened,
    /// A `?` where every number must be known.
    #[error("? stands for a number to be found by calibration; write a number here")]
    Hole,
    /// No `?` where one is wanted.
    #[error("there is no ? to be found; put one in place of a number, for example gaussian(sigma=?)")]
    NoHole,
    /// More than one `?`.
    #[error("this is a second ?; only one number can be found, write a number here")]
    SecondHole,
    /// A value without its name.
    #[error("{found} needs a name; write {cure}")]
    Unnamed {
        /// The value.
        found: String,
        /// The same with its name.
        cure: String,
    },
    /// A mechanism given to one that takes none.
    #[error(
        "{mechanism} takes no mechanism; only poisson, subset, allocation and shuffle do, and + composes two mechanisms"
    )]
    TakesNoMechanism {
        /// The mechanism that takes none.
        mechanism: &'static str,
    },
    /// A second mechanism given to a sampler.
    #[error("{mechanism} takes one mechanism; compose several with +, as in {mechanism}(A + B, rate=0.01)")]
    SecondMechanism {
        /// The sampler.
        mechanism: &'static str,
    },
    /// A sampler's mechanism in another place than the first, or with a name.
    #[error("the mechanism comes first and has no name, as in {example}")]
    MechanismNotFirst {
        /// How the sampler is written.
        example: &'static str,
    },
    /// A name that no mechanism has.
    #[error(transparent)]
    UnknownMechanism(#[from] UnknownMechanism),
    /// Parameters that do not make the mechanism.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
}

impl From<InvalidParameter> for Problem {
    fn from(invalid: InvalidParameter) -> Self {
        Self::Argument(invalid.into())
    }
}

fn and_cure(cure: &Option<String>) -> String {
    cure.as_ref().map_or(String::new(), |cure| format!("; {cure}"))
}
