//! JSON to a checked mechanism.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::super::check::{Subject, whole_from_double, whole_range};
use super::super::text::{Shortest, quoted};
use super::super::{
    Algebra, Arguments, Compose, Entry, Kind, MAX_COUNT, Mechanism, Parameter, Value, catalogue, repeat,
    validate,
};
use super::{COMPOSE, COUNT, MECHANISM, REPEAT};

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
            REPEAT => object.next_value_seed(Times(inside))?,
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

/// Reads the object of a repetition.
struct Times(AtDepth);

impl<'de> DeserializeSeed<'de> for Times {
    type Value = Mechanism;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Mechanism, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Times {
    type Value = Mechanism;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"an object with the keys "mechanism" and "count""#)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Mechanism, A::Error> {
        let mut mechanism = None;
        let mut count = None;
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                MECHANISM if mechanism.is_none() => mechanism = Some(object.next_value_seed(self.0)?),
                COUNT if count.is_none() => count = Some(object.next_value_seed(Whole(repeat::COUNT))?),
                MECHANISM | COUNT => {
                    return Err(A::Error::custom(format_args!("repeat: {key} is given twice; keep one")));
                }
                _ => {
                    let found = quoted(&key);
                    return Err(A::Error::custom(format_args!(
                        "repeat has no parameter {found}; it takes mechanism and count"
                    )));
                }
            }
        }
        let mechanism = mechanism.ok_or_else(|| A::Error::custom("repeat needs mechanism"))?;
        let count = count.ok_or_else(|| A::Error::custom("repeat needs count"))?;
        repeat::COUNT.whole(count, 1, MAX_COUNT).map_err(A::Error::custom)?;
        Ok(mechanism.repeat(count))
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
        let subject =
            Subject { mechanism: self.entry.name, parameter: parameter.name, meaning: parameter.meaning };
        Ok(match parameter.kind {
            Kind::Number => Value::Number(object.next_value()?),
            Kind::Whole => Value::Whole(object.next_value_seed(Whole(subject))?),
            Kind::Numbers => Value::Numbers(object.next_value::<Vec<f64>>()?.into()),
            Kind::Text => Value::Text(object.next_value::<String>()?.into()),
            Kind::Mechanism => Value::Mechanism(Cow::Owned(object.next_value_seed(self.inside)?)),
        })
    }
}

/// Reads a whole number, which may be written as 1000 or as 1e3.
struct Whole(Subject);

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        u64::try_from(value).map_err(|_| E::custom(self.0.refuse(value, whole_range(0, MAX_COUNT))))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        let refused = || E::custom(self.0.refuse(Shortest(value), whole_range(0, MAX_COUNT)));
        whole_from_double(value).ok_or_else(refused)
    }
}
