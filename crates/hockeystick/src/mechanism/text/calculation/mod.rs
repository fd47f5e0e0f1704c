//! Calculations with numbers: `1/3`, `sqrt(2)`, `2*(1.5 + 0.1)`.
//!
//! ```text
//! CALC    = PRODUCT { ( "+" | "-" ) PRODUCT }
//! PRODUCT = SIGNED { ( "*" | "/" ) SIGNED }
//! SIGNED  = { "-" } ( number | "sqrt" "(" CALC ")" | "(" CALC ")" )
//! ```
//!
//! In: tokens. Out: the double nearest to the value, or what is wrong and where. Decimals in a calculation are exact: `0.1*3` is
//! the double nearest to 3/10.
//!
//! # Guarantee
//! The double is proven to be the nearest, ties to even: the value is enclosed between two fractions that round alike. What cannot
//! be proven so is refused.

mod interval;
mod node;
mod ratio;

use super::error::{ParseError, Problem, Span};
use super::lexer::{Token, is_function, is_not_finite};
use super::limits::MAX_CALCULATION_BYTES;
use super::parser::Parser;
use super::syntax::{Literal, LiteralValue};
use node::{Form, Node, Operator};

const A_NUMBER: &str = "a number";

/// The double nearest to a number or a calculation such as `1/3`.
///
/// ```
/// use hockeystick::mechanism::number;
///
/// assert_eq!(number("1/3"), Ok(1.0 / 3.0));
/// assert_eq!(number("0.1*3"), Ok(0.3));
/// assert_eq!(number("sqrt(2)"), Ok(std::f64::consts::SQRT_2));
/// assert!(number("1/(2-2)").unwrap_err().to_string().starts_with("column 3: this is 0"));
/// ```
///
/// # Guarantee
/// The double is proven to be nearest to the exact value, in which decimals are exact; otherwise there is an error.
pub fn number(text: &str) -> Result<f64, ParseError> {
    let mut parser = Parser::new(text)?;
    let literal = parser.calculation()?;
    match (&parser.token, literal.value) {
        (Token::End, LiteralValue::Calculated(number)) => Ok(number.nearest),
        _ => Err(parser.unexpected("+, -, *, / or the end")),
    }
}

impl Parser<'_> {
    /// A number, or a calculation with numbers.
    pub(super) fn calculation(&mut self) -> Result<Literal, ParseError> {
        let first = self.signed()?;
        self.calculated(first)
    }

    /// The calculation that begins with a number which is read already.
    pub(super) fn calculation_after(&mut self, first: Literal) -> Result<Literal, ParseError> {
        let first = match first.value {
            LiteralValue::Number(_) => {
                let written = self.slice(first.span);
                let unsigned = written.trim_start_matches('-').trim_start();
                let leaf = Node { span: first.span, form: node::leaf(unsigned) };
                if unsigned.len() < written.len() { leaf.opposite(first.span) } else { leaf }
            }
            LiteralValue::Hole => {
                return Err(ParseError::new(self.text, first.span, Problem::HoleInCalculation));
            }
            LiteralValue::Text(_) | LiteralValue::Calculated(_) => return Err(self.unexpected(A_NUMBER)),
        };
        self.calculated(first)
    }

    /// The calculation that begins with a function whose name is read already.
    pub(super) fn calculation_from_call(&mut self, name: Span) -> Result<Literal, ParseError> {
        let first = self.root(name)?;
        self.calculated(first)
    }

    /// A `?`, of which no calculation may follow.
    pub(super) fn hole(&mut self) -> Result<Literal, ParseError> {
        let hole = self.literal()?;
        match self.token {
            Token::Plus | Token::Minus | Token::Star | Token::Slash => {
                Err(ParseError::new(self.text, hole.span, Problem::HoleInCalculation))
            }
            _ => Ok(hole),
        }
    }

    /// All of a calculation, and its value.
    fn calculated(&mut self, first: Node) -> Result<Literal, ParseError> {
        let node = self.sum_after(first)?;
        let span = node.span;
        if !node.is_plain() && span.end - span.start > MAX_CALCULATION_BYTES {
            return Err(ParseError::new(self.text, span, Problem::LongCalculation));
        }
        Ok(Literal { span, value: LiteralValue::Calculated(node.value(self.text)?) })
    }

    fn sum_after(&mut self, first: Node) -> Result<Node, ParseError> {
        let mut sum = self.product_after(first)?;
        loop {
            let operator = match self.token {
                Token::Plus => Operator::Plus,
                Token::Minus => Operator::Minus,
                _ => return Ok(sum),
            };
            self.advance()?;
            let term = self.signed()?;
            let term = self.product_after(term)?;
            sum = self.joined(sum, operator, term)?;
        }
    }

    fn product_after(&mut self, first: Node) -> Result<Node, ParseError> {
        let mut product = first;
        loop {
            let operator = match self.token {
                Token::Star => Operator::Times,
                Token::Slash => Operator::Over,
                _ => return Ok(product),
            };
            self.advance()?;
            let factor = self.signed()?;
            product = self.joined(product, operator, factor)?;
        }
    }

    /// Checked as it grows, so that no tree becomes too deep for its walk.
    fn joined(&self, left: Node, operator: Operator, right: Node) -> Result<Node, ParseError> {
        let span = left.span.to(right.span);
        if span.end - span.start > MAX_CALCULATION_BYTES {
            return Err(ParseError::new(self.text, span, Problem::LongCalculation));
        }
        Ok(Node { span, form: Form::Joined(Box::new(left), operator, Box::new(right)) })
    }

    fn signed(&mut self) -> Result<Node, ParseError> {
        let start = self.span;
        let mut is_negative = false;
        while self.token == Token::Minus {
            self.advance()?;
            is_negative = !is_negative;
        }
        let node = self.unsigned(start)?;
        let span = start.to(node.span);
        Ok(if is_negative { node.opposite(span) } else { Node { span, ..node } })
    }

    fn unsigned(&mut self, start: Span) -> Result<Node, ParseError> {
        match self.token {
            Token::Number(_) => {
                let form = node::leaf(self.slice(self.span));
                let (_, span) = self.advance()?;
                Ok(Node { span, form })
            }
            Token::Open => {
                let open = self.open()?;
                let inner = self.inside()?;
                let close = self.close("an operator or )")?;
                Ok(Node { span: open.to(close), form: inner.form })
            }
            Token::Name if is_function(self.slice(self.span)) => {
                let (_, name) = self.advance()?;
                self.root(name)
            }
            Token::Name if is_not_finite(self.slice(self.span)) => Err(self.not_finite(start.to(self.span))),
            Token::Name => {
                let cure = "a calculation has numbers, + - * /, sqrt and parentheses";
                Err(self.unexpected_at(self.span, A_NUMBER, Some(cure)))
            }
            Token::Hole => Err(ParseError::new(self.text, self.span, Problem::HoleInCalculation)),
            _ => Err(self.unexpected(A_NUMBER)),
        }
    }

    fn root(&mut self, name: Span) -> Result<Node, ParseError> {
        if self.token != Token::Open {
            return Err(self.unexpected_at(self.span, "(", Some("a square root is written sqrt(2)")));
        }
        self.open()?;
        let inner = self.inside()?;
        let close = self.close("an operator or )")?;
        Ok(Node { span: name.to(close), form: Form::Root(Box::new(inner)) })
    }

    fn inside(&mut self) -> Result<Node, ParseError> {
        let first = self.signed()?;
        self.sum_after(first)
    }
}
