//! A syntax tree to a checked mechanism.

use std::borrow::Cow;

use super::super::arguments::{Arguments, Entry};
use super::super::catalogue;
use super::super::check::{self, Subject, WHOLE, whole_from_double};
use super::super::decimal::{self, Shortest};
use super::super::words::{listed, quoted, shortened};
use super::super::{Algebra, ArgumentError, Compose, Files, Kind, Mechanism, Parameter, Repeat, Value};
use super::calculation;
use super::error::{ParseError, Problem, Span};
use super::syntax::{Argument, Call, Expression, Form, Literal, LiteralValue};

/// What a tree was lowered to.
pub(super) struct Lowered {
    /// The mechanism, unless a number in it is still to be found.
    pub(super) mechanism: Option<Mechanism>,
    pub(super) hole: Option<FoundHole>,
}

/// Where the hole is.
pub(super) struct FoundHole {
    pub(super) span: Span,
    pub(super) mechanism: &'static str,
    pub(super) parameter: &'static str,
    pub(super) whole: bool,
}

/// Checks everything that does not depend on the hole; with a value for the hole, everything.
pub(super) fn lower(
    text: &str,
    syntax: &Expression,
    files: &Files,
    fill: Option<f64>,
) -> Result<Lowered, ParseError> {
    let mut lowering = Lowering { text, files, fill, hole: None };
    let mechanism = lowering.expression(syntax)?;
    if let Some(mechanism) = &mechanism {
        mechanism.validate().map_err(|problem| ParseError::new(text, syntax.span, problem))?;
    }
    Ok(Lowered { mechanism, hole: lowering.hole })
}

struct Lowering<'a> {
    text: &'a str,
    files: &'a Files,
    fill: Option<f64>,
    hole: Option<FoundHole>,
}

/// `None` stands for what depends on a hole without a value.
type Pending<T> = Result<Option<T>, ParseError>;

impl Lowering<'_> {
    fn expression(&mut self, expression: &Expression) -> Pending<Mechanism> {
        match &expression.form {
            Form::Sum(terms) => {
                let mut parts = Vec::with_capacity(terms.len());
                for term in terms {
                    parts.push(self.expression(term)?);
                }
                Ok(parts.into_iter().collect::<Option<Vec<_>>>().and_then(Compose::new))
            }
            Form::Times(factor, count) => {
                let mechanism = self.expression(factor)?;
                let count = self.count(count)?;
                Ok(mechanism.zip(count).map(|(mechanism, count)| mechanism.repeat(count)))
            }
            Form::Call(call) => self.call(call, expression.span),
        }
    }

    fn count(&mut self, literal: &Literal) -> Pending<u64> {
        let subject = check::of::<Repeat>("count");
        let Some(count) = self.whole(subject, "a whole number from 1 to 10^15", literal)? else {
            return Ok(None);
        };
        Repeat::check_count(count).map(Some).map_err(|invalid| self.error(literal.span, invalid))
    }

    fn call(&mut self, call: &Call, span: Span) -> Pending<Mechanism> {
        let entry =
            catalogue::find(self.slice(call.name)).map_err(|unknown| self.error(call.name, unknown))?;
        let mut arguments = Arguments::with_files(entry, self.files.clone());
        let mut places = Vec::new();
        let mut complete = true;
        for (position, argument) in call.arguments.iter().enumerate() {
            let (parameter, place, value) = match argument {
                Argument::Mechanism(inner) => {
                    let parameter = self.mechanism_parameter(entry, call, position, inner.span)?;
                    let parameter =
                        arguments.claim(parameter).map_err(|error| self.error(inner.span, error))?;
                    let mechanism = self.expression(inner)?;
                    (parameter, inner.span, mechanism.map(|inner| Value::Mechanism(Cow::Owned(inner))))
                }
                Argument::Named(name, literal) => {
                    let parameter =
                        arguments.claim(self.slice(*name)).map_err(|error| self.error(*name, error))?;
                    (parameter, literal.span, self.value(entry, parameter, *name, literal)?)
                }
                Argument::Unnamed(literal) => return Err(self.unnamed(entry, call, position, literal)),
            };
            places.push((parameter.name, place));
            match value {
                Some(value) => arguments.set(parameter, value),
                None => complete = false,
            }
        }
        let locate = |error: ArgumentError| {
            let place = places.iter().find(|(name, _)| Some(*name) == error.parameter());
            self.error(place.map_or(span, |(_, place)| *place), error)
        };
        arguments.require_all().map_err(locate)?;
        if !complete {
            return Ok(None);
        }
        (entry.build)(&mut arguments).map(Some).map_err(locate)
    }

    /// The name of the parameter that an unnamed mechanism at `position` is for.
    fn mechanism_parameter(
        &self,
        entry: &'static Entry,
        call: &Call,
        position: usize,
        span: Span,
    ) -> Result<&'static str, ParseError> {
        let parameter = entry.parameters.iter().find(|parameter| parameter.kind == Kind::Mechanism);
        let Some(parameter) = parameter else {
            return Err(self.error(span, Problem::TakesNoMechanism { mechanism: entry.name }));
        };
        if call.arguments[..position].iter().any(|argument| matches!(argument, Argument::Mechanism(_))) {
            return Err(self.error(span, Problem::SecondMechanism { mechanism: entry.name }));
        }
        if position > 0 {
            return Err(self.error(span, Problem::MechanismNotFirst { example: entry.example }));
        }
        Ok(parameter.name)
    }

    fn value(
        &mut self,
        entry: &'static Entry,
        parameter: &'static Parameter,
        name: Span,
        literal: &Literal,
    ) -> Pending<Value<'static>> {
        let subject = Subject::described(entry, parameter);
        match (parameter.kind, &literal.value) {
            (Kind::Number, LiteralValue::Number(number)) => Ok(Some(Value::Number(*number))),
            (Kind::Number, LiteralValue::Calculated(number)) => Ok(Some(Value::Number(number.nearest))),
            (Kind::Number, LiteralValue::Hole) => {
                self.found_hole(subject, false, literal.span)?;
                Ok(self.fill.map(Value::Number))
            }
            (Kind::Whole, LiteralValue::Number(_) | LiteralValue::Calculated(_) | LiteralValue::Hole) => {
                Ok(self.whole(subject, WHOLE, literal)?.map(Value::Whole))
            }
            (Kind::Numbers, LiteralValue::Text(list)) => {
                let numbers = read_list(list).map_err(|item| {
                    let found = format!("a list with the entry {}", quoted(item));
                    self.error(literal.span, subject.refuse(found, "finite numbers separated by commas"))
                })?;
                Ok(Some(Value::Numbers(numbers.into())))
            }
            (Kind::Text, LiteralValue::Text(text)) => Ok(Some(Value::Text(text.clone().into()))),
            (Kind::Mechanism, _) => {
                Err(self.error(name, Problem::MechanismNotFirst { example: entry.example }))
            }
            (Kind::Number | Kind::Whole, LiteralValue::Text(_))
            | (
                Kind::Numbers | Kind::Text,
                LiteralValue::Number(_) | LiteralValue::Calculated(_) | LiteralValue::Hole,
            ) => {
                let wrong = ArgumentError::WrongKind {
                    mechanism: entry.name,
                    parameter: parameter.name,
                    expected: if parameter.kind == Kind::Numbers {
                        "a list of numbers in double quotes such as \"0,1,2\""
                    } else {
                        parameter.kind.words()
                    },
                    found: quoted(self.slice(literal.span)),
                };
                Err(self.error(literal.span, wrong))
            }
        }
    }

    /// The whole number that a literal stands for; whether it is too small is for the constructor to say.
    fn whole(&mut self, subject: Subject, allowed: &str, literal: &Literal) -> Pending<u64> {
        let (whole, found) = match (&literal.value, self.fill) {
            (LiteralValue::Hole, None) => {
                self.found_hole(subject, true, literal.span)?;
                return Ok(None);
            }
            (LiteralValue::Hole, Some(fill)) => {
                self.found_hole(subject, true, literal.span)?;
                (whole_from_double(fill), Shortest(fill).to_string())
            }
            (LiteralValue::Calculated(number), _) => (number.whole, shortened(self.slice(literal.span))),
            (LiteralValue::Number(_) | LiteralValue::Text(_), _) => {
                let written = self.slice(literal.span);
                (decimal::read_whole(written), shortened(written))
            }
        };
        let refused = || self.error(literal.span, subject.refuse(found, allowed));
        whole.map(Some).ok_or_else(refused)
    }

    fn found_hole(&mut self, subject: Subject, whole: bool, span: Span) -> Result<(), ParseError> {
        if self.hole.is_some() {
            return Err(self.error(span, Problem::SecondHole));
        }
        let Subject { mechanism, parameter, .. } = subject;
        self.hole = Some(FoundHole { span, mechanism, parameter, whole });
        Ok(())
    }

    fn unnamed(&self, entry: &Entry, call: &Call, position: usize, literal: &Literal) -> ParseError {
        let earlier = &call.arguments[..position];
        let is_open = |parameter: &&Parameter| {
            let is_given = |argument: &Argument| match argument {
                Argument::Named(name, _) => self.slice(*name) == parameter.name,
                Argument::Mechanism(_) | Argument::Unnamed(_) => false,
            };
            parameter.kind != Kind::Mechanism && !earlier.iter().any(is_given)
        };
        let written = shortened(self.slice(literal.span));
        let cure = match entry.parameters.iter().find(is_open) {
            Some(parameter) if call.arguments.len() == 1 => {
                format!("{}({}={written})", entry.name, parameter.name)
            }
            Some(parameter) => format!("{}={written}", parameter.name),
            None => listed(entry.parameters.iter().map(|parameter| parameter.name), "or"),
        };
        self.error(literal.span, Problem::Unnamed { found: format!("`{written}`"), cure })
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start..span.end]
    }

    fn error(&self, span: Span, problem: impl Into<Problem>) -> ParseError {
        ParseError::new(self.text, span, problem)
    }
}

/// The numbers of a list such as `0, 1, 2`, or the entry that is none.
fn read_list(list: &str) -> Result<Vec<f64>, &str> {
    if list.trim().is_empty() {
        return Ok(Vec::new());
    }
    // Most entries are plain numbers, and there may be a million of them.
    let read = |item| decimal::read(item).or_else(|_| calculation::number(item));
    list.split(',').map(str::trim).map(|item| read(item).map_err(|_| item)).collect()
}
