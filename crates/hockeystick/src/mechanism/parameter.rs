//! What a mechanism says about each of its parameters, and their values.

use super::Mechanism;
use std::borrow::Cow;

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Number,
    /// A whole number.
    Whole,
    /// Several real numbers: an array in JSON, `"0,1,2"` in text.
    Numbers,
    /// Text, such as a file name.
    Text,
    /// Another mechanism; in text it comes first and has no name.
    Mechanism,
}

impl Kind {
    /// The words for it in messages, with the article.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Whole => "a whole number",
            Self::Numbers => "a list of numbers",
            Self::Text => "a text in double quotes",
            Self::Mechanism => "a mechanism",
        }
    }
}

/// Whether a parameter must be given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Presence {
    /// It must.
    Required,
    /// It belongs to one of several ways to write the mechanism.
    Alternative,
    /// It may be left out, and then has this value.
    Default(f64),
}

/// A parameter of a mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name in text and JSON.
    pub name: &'static str,
    /// One line on what it is.
    pub meaning: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether it must be given.
    pub presence: Presence,
}

impl Parameter {
    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, meaning, kind, presence: Presence::Required }
    }

    /// A parameter of one of several ways to write the mechanism.
    pub const fn alternative(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, meaning, kind, presence: Presence::Alternative }
    }

    /// A parameter that may be left out.
    pub const fn optional(name: &'static str, kind: Kind, default: f64, meaning: &'static str) -> Self {
        Self { name, meaning, kind, presence: Presence::Default(default) }
    }

    /// The sensitivity, 1 unless given.
    pub const fn sensitivity(kind: Kind) -> Self {
        Self::optional("sensitivity", kind, 1.0, "largest change of the answer under one change of the data")
    }

    /// Whether `value` is what the parameter has when it is left out.
    pub fn is_default(&self, value: &Value<'_>) -> bool {
        match (self.presence, value) {
            (Presence::Default(default), Value::Number(number)) => *number == default,
            (Presence::Default(default), Value::Whole(whole)) => *whole as f64 == default,
            (Presence::Default(_), Value::Numbers(_) | Value::Text(_) | Value::Mechanism(_)) => false,
            (Presence::Required | Presence::Alternative, _) => false,
        }
    }
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// Of a [`Kind::Number`].
    Number(f64),
    /// Of a [`Kind::Whole`].
    Whole(u64),
    /// Of a [`Kind::Numbers`].
    Numbers(Cow<'a, [f64]>),
    /// Of a [`Kind::Text`].
    Text(Cow<'a, str>),
    /// Of a [`Kind::Mechanism`].
    Mechanism(Cow<'a, Mechanism>),
}

impl Value<'_> {
    /// What it is a value of.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Whole(_) => Kind::Whole,
            Self::Numbers(_) => Kind::Numbers,
            Self::Text(_) => Kind::Text,
            Self::Mechanism(_) => Kind::Mechanism,
        }
    }
}
