//! Tokens to a syntax tree, by recursive descent along the grammar:
//!
//! ```text
//! EXPR   = TERM { "+" TERM }
//! TERM   = FACTOR [ "*" COUNT ] | COUNT "*" FACTOR
//! FACTOR = NAME "(" ARG { "," ARG } ")" | "(" EXPR ")"
//! ARG    = EXPR | NAME "=" ( CALC | "?" | string )
//! ```
//!
//! Calculations with numbers (`CALC`) are read by `calculation`.

use super::super::words::quoted;
use super::error::{ParseError, Problem, Span};
use super::lexer::{Lexer, Token, is_function, is_not_finite};
use super::limits::{MAX_NESTING, MAX_TEXT_BYTES};
use super::syntax::{Argument, Call, Expression, Form, Literal, LiteralValue};

const A_MECHANISM: &str = "a mechanism such as gaussian(sigma=1)";

pub(super) fn parse(text: &str) -> Result<Expression, ParseError> {
    if text.len() > MAX_TEXT_BYTES {
        let start = (0..=MAX_TEXT_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let span = Span { start, end: text.len() };
        return Err(ParseError::new(text, span, Problem::TooLong { bytes: text.len() }));
    }
    let mut parser = Parser::new(text)?;
    if parser.token == Token::End {
        return Err(ParseError::new(text, Span { start: 0, end: text.len() }, Problem::Empty));
    }
    let expression = parser.expression()?;
    match parser.token {
        Token::End => Ok(expression),
        _ => Err(parser.unexpected("+, * or the end")),
    }
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    lexer: Lexer<'a>,
    pub(super) token: Token,
    pub(super) span: Span,
    /// The parentheses that are open.
    open: Vec<Span>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, ParseError> {
        let mut lexer = Lexer::new(text);
        let (token, span) = lexer.next()?;
        Ok(Self { text, lexer, token, span, open: Vec::new() })
    }

    pub(super) fn advance(&mut self) -> Result<(Token, Span), ParseError> {
        let (token, span) = self.lexer.next()?;
        Ok((std::mem::replace(&mut self.token, token), std::mem::replace(&mut self.span, span)))
    }

    fn expression(&mut self) -> Result<Expression, ParseError> {
        let first = self.term()?;
        self.sum_from(first)
    }

    fn sum_from(&mut self, first: Expression) -> Result<Expression, ParseError> {
        let mut terms = vec![first];
        while self.token == Token::Plus {
            self.advance()?;
            terms.push(self.term()?);
        }
        let span = terms[0].span.to(terms[terms.len() - 1].span);
        Ok(if terms.len() == 1 { terms.remove(0) } else { Expression { span, form: Form::Sum(terms) } })
    }

    fn term(&mut self) -> Result<Expression, ParseError> {
        if matches!(self.token, Token::Number(_) | Token::Minus | Token::Hole) {
            let count = self.literal()?;
            return self.term_from_count(count);
        }
        let factor = self.factor()?;
        self.term_from_factor(factor)
    }

    fn term_from_count(&mut self, count: Literal) -> Result<Expression, ParseError> {
        if self.token != Token::Star {
            let cure = "a count is followed by *, as in 3 * gaussian(sigma=1)";
            return Err(self.unexpected_at(count.span, A_MECHANISM, Some(cure)));
        }
        self.advance()?;
        let factor = self.factor()?;
        self.refuse_second_star(count.span.to(factor.span))?;
        let span = count.span.to(factor.span);
        Ok(Expression { span, form: Form::Times(Box::new(factor), count) })
    }

    fn term_from_factor(&mut self, factor: Expression) -> Result<Expression, ParseError> {
        if self.token != Token::Star {
            return Ok(factor);
        }
        self.advance()?;
        if !matches!(self.token, Token::Number(_) | Token::Minus | Token::Hole) {
            let cure = "* repeats a mechanism, and + composes two";
            return Err(self.unexpected_at(self.span, "a count", Some(cure)));
        }
        let count = self.literal()?;
        let span = factor.span.to(count.span);
        self.refuse_second_star(span)?;
        Ok(Expression { span, form: Form::Times(Box::new(factor), count) })
    }

    fn refuse_second_star(&self, first: Span) -> Result<(), ParseError> {
        if self.token != Token::Star {
            return Ok(());
        }
        let cure = format!("put parentheses around {}", quoted(&self.text[first.start..first.end]));
        Err(self.unexpected_at(self.span, "one * for each term", Some(&cure)))
    }

    fn factor(&mut self) -> Result<Expression, ParseError> {
        match self.token {
            Token::Name => {
                let (_, name) = self.advance()?;
                self.call(name)
            }
            Token::Open => {
                let open = self.open()?;
                let inner = self.expression()?;
                let close = self.close("+, * or )")?;
                Ok(Expression { span: open.to(close), form: inner.form })
            }
            _ => Err(self.unexpected(A_MECHANISM)),
        }
    }

    fn call(&mut self, name: Span) -> Result<Expression, ParseError> {
        if self.token != Token::Open {
            let cure = format!("a mechanism is written {}", quoted(&format!("{}(…)", self.slice(name))));
            return Err(self.unexpected_at(self.span, "(", Some(&cure)));
        }
        self.open()?;
        let mut arguments = Vec::new();
        if self.token != Token::Close {
            arguments.push(self.argument()?);
            while self.token == Token::Comma {
                self.advance()?;
                arguments.push(self.argument()?);
            }
        }
        let close = self.close(", or )")?;
        Ok(Expression { span: name.to(close), form: Form::Call(Call { name, arguments }) })
    }

    fn argument(&mut self) -> Result<Argument, ParseError> {
        match self.token {
            Token::Number(_) | Token::Minus | Token::Hole => {
                let literal = self.literal()?;
                if matches!(self.token, Token::Plus | Token::Minus | Token::Slash) {
                    return self.calculation_after(literal).map(Argument::Unnamed);
                }
                if self.token != Token::Star {
                    return Ok(Argument::Unnamed(literal));
                }
                let term = self.term_from_count(literal)?;
                Ok(Argument::Mechanism(self.sum_from(term)?))
            }
            Token::Text(_) => Ok(Argument::Unnamed(self.literal()?)),
            Token::Name => {
                let (_, name) = self.advance()?;
                if self.token == Token::Equals {
                    self.advance()?;
                    return Ok(Argument::Named(name, self.named_value(name)?));
                }
                if is_not_finite(self.slice(name)) {
                    return Err(self.not_finite(name));
                }
                if is_function(self.slice(name)) && self.token == Token::Open {
                    return self.calculation_from_call(name).map(Argument::Unnamed);
                }
                if self.token != Token::Open {
                    let cure =
                        format!("a parameter is written {}", quoted(&format!("{}=…", self.slice(name))));
                    return Err(self.unexpected_at(self.span, "= or (", Some(&cure)));
                }
                let factor = self.call(name)?;
                let term = self.term_from_factor(factor)?;
                Ok(Argument::Mechanism(self.sum_from(term)?))
            }
            Token::Open => Ok(Argument::Mechanism(self.expression()?)),
            _ => Err(self.unexpected("a parameter such as sigma=1, or a mechanism")),
        }
    }

    fn named_value(&mut self, name: Span) -> Result<Literal, ParseError> {
        match self.token {
            Token::Number(_) | Token::Minus | Token::Open => self.calculation(),
            Token::Hole => self.hole(),
            Token::Text(_) => self.literal(),
            Token::Name if is_function(self.slice(self.span)) => self.calculation(),
            Token::Name if is_not_finite(self.slice(self.span)) => Err(self.not_finite(self.span)),
            Token::Name => {
                let cure = if self.slice(name) == "mechanism" {
                    "a mechanism comes first and has no name, as in poisson(gaussian(sigma=1), rate=0.01)"
                } else {
                    "a text takes double quotes"
                };
                Err(self.unexpected_at(self.span, "a number, ? or a text", Some(cure)))
            }
            _ => Err(self.unexpected("a number, ? or a text")),
        }
    }

    /// A text, a `?`, or a number with its sign.
    pub(super) fn literal(&mut self) -> Result<Literal, ParseError> {
        if self.token == Token::Minus {
            return self.negative();
        }
        let value = match &mut self.token {
            Token::Number(number) => LiteralValue::Number(*number),
            Token::Text(text) => LiteralValue::Text(std::mem::take(text)),
            Token::Hole => LiteralValue::Hole,
            _ => return Err(self.unexpected("a number, ? or a text")),
        };
        let (_, span) = self.advance()?;
        Ok(Literal { span, value })
    }

    fn negative(&mut self) -> Result<Literal, ParseError> {
        let (_, sign) = self.advance()?;
        let span = sign.to(self.span);
        match self.token {
            Token::Number(number) => {
                self.advance()?;
                Ok(Literal { span, value: LiteralValue::Number(-number) })
            }
            Token::Name if is_not_finite(self.slice(self.span)) => Err(self.not_finite(span)),
            _ => Err(self.unexpected("a number")),
        }
    }

    pub(super) fn open(&mut self) -> Result<Span, ParseError> {
        if self.open.len() == MAX_NESTING {
            return Err(ParseError::new(self.text, self.span, Problem::TooDeep));
        }
        self.open.push(self.span);
        Ok(self.advance()?.1)
    }

    pub(super) fn close(&mut self, expected: &'static str) -> Result<Span, ParseError> {
        if self.token != Token::Close {
            return Err(self.unexpected(expected));
        }
        self.open.pop();
        Ok(self.advance()?.1)
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    pub(super) fn not_finite(&self, span: Span) -> ParseError {
        ParseError::new(self.text, span, Problem::NotFinite { found: quoted(self.slice(span)) })
    }

    /// The current token is not what must come here.
    pub(super) fn unexpected(&self, expected: &'static str) -> ParseError {
        let cure = match self.token {
            Token::Name | Token::Open if self.open.is_empty() && expected.starts_with('+') => {
                Some("mechanisms are composed with +")
            }
            _ => None,
        };
        self.unexpected_at(self.span, expected, cure)
    }

    pub(super) fn unexpected_at(&self, span: Span, expected: &'static str, cure: Option<&str>) -> ParseError {
        if span.start == span.end {
            // The text ends too early: the parenthesis that is still open says more than the end does.
            if let Some(open) = self.open.last() {
                return ParseError::new(self.text, *open, Problem::Unclosed);
            }
        }
        if self.slice(span) == ")" && self.open.is_empty() {
            return ParseError::new(self.text, span, Problem::Unopened);
        }
        let found = if span.start == span.end { "the end".to_owned() } else { quoted(self.slice(span)) };
        ParseError::new(
            self.text,
            span,
            Problem::Unexpected { expected, found, cure: cure.map(str::to_owned) },
        )
    }
}
