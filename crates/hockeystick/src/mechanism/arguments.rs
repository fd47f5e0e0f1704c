//! Named values on their way into a constructor.

use super::words::{closest, listed, quoted};
use super::{Files, InvalidParameter, Kind, Mechanism, Parameter, Presence, Value};

/// What the catalogue says about one mechanism.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name in text and JSON.
    pub name: &'static str,
    /// One line on what the mechanism does.
    pub meaning: &'static str,
    /// The worst-case pair that stands for it, with its source.
    pub pair: &'static str,
    /// An expression that uses it.
    pub example: &'static str,
    /// The parameters, in the order in which they are printed.
    pub parameters: &'static [Parameter],
    pub(super) build: fn(&mut Arguments) -> Result<Mechanism, ArgumentError>,
}

/// Named values that do not make a mechanism.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// A name that is no parameter of the mechanism.
    #[error("{mechanism} has no parameter {found}{}; it takes {allowed}", did_you_mean(.suggestion))]
    Unknown {
        /// The mechanism.
        mechanism: &'static str,
        /// The name that was given.
        found: String,
        /// The parameters it has.
        allowed: String,
        /// The parameter that was perhaps meant.
        suggestion: Option<&'static str>,
    },
    /// A parameter given twice.
    #[error("{mechanism}: {parameter} is given twice; keep one")]
    Duplicate {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter that must be given and is not.
    #[error("{mechanism} needs {parameter}; write for example {example}")]
    Missing {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter, or the choice of parameters.
        parameter: &'static str,
        /// An expression that is complete.
        example: &'static str,
    },
    /// Two parameters that exclude each other.
    #[error("{mechanism}: {parameter} cannot be given together with {other}; keep one of them")]
    Conflict {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter that came too much.
        parameter: &'static str,
        /// The one it excludes.
        other: &'static str,
    },
    /// A value of another kind than the parameter takes.
    #[error("{mechanism}: {parameter} takes {expected}, not {found}")]
    WrongKind {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A value outside its range.
    #[error(transparent)]
    Invalid(#[from] InvalidParameter),
}

impl ArgumentError {
    /// The parameter at fault, if it was given.
    pub fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } | Self::Missing { .. } => None,
            Self::Duplicate { parameter, .. }
            | Self::Conflict { parameter, .. }
            | Self::WrongKind { parameter, .. } => Some(parameter),
            Self::Invalid(invalid) => Some(invalid.parameter),
        }
    }
}

pub(super) fn did_you_mean(suggestion: &Option<&'static str>) -> String {
    suggestion.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}

/// The named values given to one mechanism.
///
/// Values have the kind their parameter declares: whoever fills them in reads the kind first.
#[derive(Debug)]
pub struct Arguments {
    entry: &'static Entry,
    /// How names of files are understood.
    files: Files,
    claimed: Vec<&'static str>,
    values: Vec<(&'static str, Value<'static>)>,
}

impl Arguments {
    pub(super) fn new(entry: &'static Entry) -> Self {
        Self::with_files(entry, Files::default())
    }

    pub(super) fn with_files(entry: &'static Entry, files: Files) -> Self {
        Self { entry, files, claimed: Vec::new(), values: Vec::new() }
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// The parameter called `name`, if the mechanism has one and it was not claimed before.
    pub(super) fn claim(&mut self, name: &str) -> Result<&'static Parameter, ArgumentError> {
        let mechanism = self.entry.name;
        let Some(parameter) = self.entry.parameters.iter().find(|parameter| parameter.name == name) else {
            let names = self.entry.parameters.iter().map(|parameter| parameter.name);
            return Err(ArgumentError::Unknown {
                mechanism,
                found: quoted(name),
                allowed: listed(names.clone(), "and"),
                suggestion: closest(name, names),
            });
        };
        if self.claimed.contains(&parameter.name) {
            return Err(ArgumentError::Duplicate { mechanism, parameter: parameter.name });
        }
        self.claimed.push(parameter.name);
        Ok(parameter)
    }

    pub(super) fn set(&mut self, parameter: &'static Parameter, value: Value<'static>) {
        self.values.push((parameter.name, value));
    }

    /// Refuses when a required parameter was not claimed.
    pub(super) fn require_all(&self) -> Result<(), ArgumentError> {
        let missing = |parameter: &&Parameter| {
            parameter.presence == Presence::Required && !self.claimed.contains(&parameter.name)
        };
        match self.entry.parameters.iter().find(missing) {
            Some(parameter) if parameter.kind == Kind::Mechanism => Err(self.missing("a mechanism")),
            Some(parameter) => Err(self.missing(parameter.name)),
            None => Ok(()),
        }
    }

    pub(super) fn missing(&self, parameter: &'static str) -> ArgumentError {
        ArgumentError::Missing { mechanism: self.entry.name, parameter, example: self.entry.example }
    }

    pub(super) fn conflict(&self, parameter: &'static str, other: &'static str) -> ArgumentError {
        ArgumentError::Conflict { mechanism: self.entry.name, parameter, other }
    }

    fn take(&mut self, name: &str) -> Option<Value<'static>> {
        let position = self.values.iter().position(|(given, _)| *given == name)?;
        Some(self.values.swap_remove(position).1)
    }

    fn default(&self, name: &str) -> Option<f64> {
        match self.entry.parameters.iter().find(|parameter| parameter.name == name)?.presence {
            Presence::Default(default) => Some(default),
            Presence::Required | Presence::Alternative => None,
        }
    }

    /// The number called `name`, if it was given or has a default.
    pub fn given_number(&mut self, name: &'static str) -> Option<f64> {
        match self.take(name) {
            Some(Value::Number(number)) => Some(number),
            _ => self.default(name),
        }
    }

    /// The whole number called `name`, if it was given or has a default.
    pub fn given_whole(&mut self, name: &'static str) -> Option<u64> {
        match self.take(name) {
            Some(Value::Whole(whole)) => Some(whole),
            _ => self.default(name).map(|default| default as u64),
        }
    }

    /// The number called `name`.
    pub fn number(&mut self, name: &'static str) -> Result<f64, ArgumentError> {
        self.given_number(name).ok_or_else(|| self.missing(name))
    }

    /// The whole number called `name`.
    pub fn whole(&mut self, name: &'static str) -> Result<u64, ArgumentError> {
        self.given_whole(name).ok_or_else(|| self.missing(name))
    }

    /// The list of numbers called `name`, if it was given.
    pub fn given_numbers(&mut self, name: &'static str) -> Option<Vec<f64>> {
        match self.take(name) {
            Some(Value::Numbers(numbers)) => Some(numbers.into_owned()),
            _ => None,
        }
    }

    /// The text called `name`, if it was given.
    pub fn given_text(&mut self, name: &'static str) -> Option<String> {
        match self.take(name) {
            Some(Value::Text(text)) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// The list of numbers called `name`.
    pub fn numbers(&mut self, name: &'static str) -> Result<Vec<f64>, ArgumentError> {
        self.given_numbers(name).ok_or_else(|| self.missing(name))
    }

    /// The text called `name`.
    pub fn text(&mut self, name: &'static str) -> Result<String, ArgumentError> {
        self.given_text(name).ok_or_else(|| self.missing(name))
    }

    /// The mechanism called `name`.
    pub fn mechanism(&mut self, name: &'static str) -> Result<Mechanism, ArgumentError> {
        match self.take(name) {
            Some(Value::Mechanism(mechanism)) => Ok(mechanism.into_owned()),
            _ => Err(self.missing("a mechanism")),
        }
    }
}
