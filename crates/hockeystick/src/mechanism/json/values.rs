//! The value of one parameter, in JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use super::super::check::{Subject, WHOLE, whole_from_double};
use super::super::decimal::Shortest;
use super::super::{Kind, Value};

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Whole(whole) => serializer.serialize_u64(*whole),
            Self::Numbers(numbers) => numbers.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Mechanism(mechanism) => mechanism.serialize(serializer),
        }
    }
}

/// Reads a value of the kind that a parameter takes, other than a mechanism.
pub(super) struct Plain {
    pub(super) subject: Subject,
    pub(super) kind: Kind,
}

impl<'de> DeserializeSeed<'de> for Plain {
    type Value = Value<'static>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain {
    type Value = Value<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {} of {}", self.kind.words(), self.subject.parameter, self.subject.mechanism)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        match self.kind {
            Kind::Number => Ok(Value::Number(value as f64)),
            Kind::Whole => Ok(Value::Whole(value)),
            Kind::Numbers | Kind::Text | Kind::Mechanism => {
                Err(E::invalid_type(Unexpected::Unsigned(value), &self))
            }
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        match (self.kind, u64::try_from(value)) {
            (Kind::Number, _) => Ok(Value::Number(value as f64)),
            (Kind::Whole, Ok(whole)) => Ok(Value::Whole(whole)),
            (Kind::Whole, Err(_)) => Err(E::custom(self.subject.refuse(value, WHOLE))),
            (Kind::Numbers | Kind::Text | Kind::Mechanism, _) => {
                Err(E::invalid_type(Unexpected::Signed(value), &self))
            }
        }
    }

    /// A whole number may be written 1000 or 1e3.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        match (self.kind, whole_from_double(value)) {
            (Kind::Number, _) => Ok(Value::Number(value)),
            (Kind::Whole, Some(whole)) => Ok(Value::Whole(whole)),
            (Kind::Whole, None) => Err(E::custom(self.subject.refuse(Shortest(value), WHOLE))),
            (Kind::Numbers | Kind::Text | Kind::Mechanism, _) => {
                Err(E::invalid_type(Unexpected::Float(value), &self))
            }
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        match self.kind {
            Kind::Text => Ok(Value::Text(value.to_owned().into())),
            Kind::Number | Kind::Whole | Kind::Numbers | Kind::Mechanism => {
                Err(E::invalid_type(Unexpected::Str(value), &self))
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        if self.kind != Kind::Numbers {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut numbers = Vec::new();
        while let Some(number) = array.next_element()? {
            numbers.push(number);
        }
        Ok(Value::Numbers(numbers.into()))
    }
}
