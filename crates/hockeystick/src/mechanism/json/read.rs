//! JSON to a checked mechanism.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::super::check::Subject;
use super::super::compose::COMPOSE;
use super::super::words::quoted;
use super::super::{
    Arguments, Compose, Described, Entry, Kind, Mechanism, Parameter, Repeat, Value, catalogue, validate,
};
use super::values::Plain;

impl<'de> Deserialize<'de> for Mechanism {
    /// Reads one object with one key, the name, through the same checks as the constructors.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AtDepth(1).deserialize(deserializer)
    }
}

/// Reads a mechanism that lies this deep inside others, counting itself.
#[derive(Clone, Copy)]
struct AtDepth(usize);

impl<'de> DeserializeSeed<'de> for AtDepth {
    type Value = Mechanism;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Mechanism, D::Error> {
        validate::check_depth(self.0).map_err(D::Error::custom)?;
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AtDepth {
    type Value = Mechanism;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a mechanism such as {"gaussian":{"sigma":1.0}}"#)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Mechanism, A::Error> {
        let Some(name) = object.next_key::<String>()? else {
            return Err(A::Error::custom(
                r#"a mechanism is not empty; write for example {"gaussian":{"sigma":1.0}}"#,
            ));
        };
        let inside = Self(self.0 + 1);
        let mechanism = match name.as_str() {
            COMPOSE => object.next_value_seed(Parts(inside))?,
            Repeat::NAME => object.next_value_seed(Call { entry: catalogue::repetition(), inside })?,
            _ => {
                let entry = catalogue::find(&name).map_err(A::Error::custom)?;
                object.next_value_seed(Call { entry, inside })?
            }
        };
        match object.next_key::<String>()? {
            None => Ok(mechanism),
            Some(second) => Err(A::Error::custom(format_args!(
                "a mechanism has one name, but {} is followed by {}; compose several with \"compose\"",
                quoted(&name),
                quoted(&second)
            ))),
        }
    }
}

/// Reads the array of a composition.
struct Parts(AtDepth);

impl<'de> DeserializeSeed<'de> for Parts {
    type Value = Mechanism;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Mechanism, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Parts {
    type Value = Mechanism;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of mechanisms")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Mechanism, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = array.next_element_seed(self.0)? {
            parts.push(part);
        }
        Compose::new(parts)
            .ok_or_else(|| A::Error::custom("compose: the array is empty; name at least one mechanism"))
    }
}

/// Reads the parameters of a mechanism with a name.
struct Call {
    entry: &'static Entry,
    inside: AtDepth,
}

impl<'de> DeserializeSeed<'de> for Call {
    type Value = Mechanism;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Mechanism, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Call {
    type Value = Mechanism;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the parameters of {}", self.entry.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Mechanism, A::Error> {
        let mut arguments = Arguments::new(self.entry);
        while let Some(key) = object.next_key::<String>()? {
            let parameter = arguments.claim(&key).map_err(A::Error::custom)?;
            let value = self.value(parameter, &mut object)?;
            arguments.set(parameter, value);
        }
        arguments.require_all().map_err(A::Error::custom)?;
        (self.entry.build)(&mut arguments).map_err(A::Error::custom)
    }
}

impl Call {
    fn value<'de, A: MapAccess<'de>>(
        &self,
        parameter: &'static Parameter,
        object: &mut A,
    ) -> Result<Value<'static>, A::Error> {
        Ok(match parameter.kind {
            Kind::Mechanism => Value::Mechanism(Cow::Owned(object.next_value_seed(self.inside)?)),
            kind @ (Kind::Number | Kind::Whole | Kind::Numbers | Kind::Text) => {
                object.next_value_seed(Plain { subject: Subject::described(self.entry, parameter), kind })?
            }
        })
    }
}
