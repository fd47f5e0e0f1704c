//! The tree of a calculation, and its value.

use super::super::super::decimal::{self, NumberProblem};
use super::super::super::words::quoted;
use super::super::error::{ParseError, Problem, Span};
use super::super::syntax::Calculated;
use super::interval::Interval;
use super::ratio::Ratio;

/// Bits of square roots that are no fractions: as few as settle it.
const BITS: [u64; 3] = [128, 512, 2048];

/// A part of a calculation and its place.
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) form: Form,
}

pub(super) enum Form {
    /// A number as it is written, without a sign.
    Number(String),
    Opposite(Box<Node>),
    Root(Box<Node>),
    Joined(Box<Node>, Operator, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// A number that is no calculation.
pub(super) fn leaf(written: &str) -> Form {
    Form::Number(written.to_owned())
}

impl Node {
    pub(super) fn opposite(self, span: Span) -> Self {
        Self { span, form: Form::Opposite(Box::new(self)) }
    }

    /// Is there nothing to calculate but a sign?
    pub(super) fn is_plain(&self) -> bool {
        self.plain().is_some()
    }

    /// Whether it is negative, and the text of a number, if there is nothing to calculate but its sign.
    fn plain(&self) -> Option<(bool, &str)> {
        match &self.form {
            Form::Number(written) => Some((false, written)),
            Form::Opposite(inner) => inner.plain().map(|(is_negative, written)| (!is_negative, written)),
            Form::Root(_) | Form::Joined(..) => None,
        }
    }

    /// The value of the whole calculation.
    pub(super) fn value(&self, text: &str) -> Result<Calculated, ParseError> {
        let error = |problem| ParseError::new(text, self.span, problem);
        let found = || quoted(&text[self.span.start..self.span.end]);
        if let Some((is_negative, written)) = self.plain() {
            // The lexer has read it before, so it is a number.
            let nearest =
                decimal::read(written).map_err(|_| error(Problem::MalformedNumber { found: found() }))?;
            let whole = decimal::read_whole(written).filter(|whole| !is_negative || *whole == 0);
            return Ok(Calculated { nearest: if is_negative { -nearest } else { nearest }, whole });
        }
        let mut bits = BITS.into_iter().peekable();
        while let Some(precision) = bits.next() {
            let nearest = self.interval(text, precision).map(|value| (value.nearest(), value.whole()));
            match nearest {
                Ok((Some(Ok(nearest)), whole)) => return Ok(Calculated { nearest, whole }),
                Ok((Some(Err(NumberProblem::Overflow)), _)) => {
                    return Err(error(Problem::Overflow { found: found() }));
                }
                Ok((Some(Err(NumberProblem::Underflow | NumberProblem::Malformed)), _)) => {
                    return Err(error(Problem::Underflow { found: found() }));
                }
                Err(refused) if bits.peek().is_none() => return Err(refused),
                // With more bits it may be decided.
                Ok((None, _)) | Err(_) => {}
            }
        }
        Err(error(Problem::Undecided))
    }

    /// The value, enclosed.
    fn interval(&self, text: &str, bits: u64) -> Result<Interval, ParseError> {
        match &self.form {
            Form::Number(written) => {
                let malformed = || Problem::MalformedNumber { found: quoted(written) };
                let (digits, power) = decimal::digits_and_power(written)
                    .ok_or_else(|| ParseError::new(text, self.span, malformed()))?;
                let value = Ratio::of_decimal(&digits, power);
                Ok(Interval::point(value.ok_or_else(|| ParseError::new(text, self.span, malformed()))?))
            }
            Form::Opposite(inner) => Ok(-inner.interval(text, bits)?),
            Form::Root(inner) => {
                let root = inner.interval(text, bits)?.root(bits);
                root.map(|root| root.trimmed(bits))
                    .ok_or_else(|| ParseError::new(text, inner.span, Problem::NoRoot))
            }
            Form::Joined(left, operator, right) => {
                let (one, other) = (left.interval(text, bits)?, right.interval(text, bits)?);
                match operator {
                    Operator::Plus => Ok((one + other).trimmed(bits)),
                    Operator::Minus => Ok((one + -other).trimmed(bits)),
                    Operator::Times => Ok((one * other).trimmed(bits)),
                    Operator::Over => {
                        let inverse = other.inverse();
                        let inverse = inverse
                            .ok_or_else(|| ParseError::new(text, right.span, Problem::DivisionByZero))?;
                        Ok((one * inverse).trimmed(bits))
                    }
                }
            }
        }
    }
}
