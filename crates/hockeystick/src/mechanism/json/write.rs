//! A mechanism to JSON.

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};

use super::super::catalogue::Written;
use super::super::repeat;
use super::super::{MAX_COUNT, Mechanism, Parameter, Value};
use super::{COMPOSE, COUNT, MECHANISM, REPEAT};

impl Serialize for Mechanism {
    /// Writes one object with one key, the name; parameters at their default are left out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        match self.written() {
            Written::Call { name, parameters, arguments } => {
                object.serialize_entry(name, &Call { parameters, arguments })?;
            }
            Written::Sum(parts) => object.serialize_entry(COMPOSE, parts)?,
            Written::Times(mechanism, count) => {
                // What is written must be readable.
                repeat::COUNT.whole(count, 1, MAX_COUNT).map_err(S::Error::custom)?;
                object.serialize_entry(REPEAT, &Times { mechanism, count })?;
            }
        }
        object.end()
    }
}

struct Call<'a> {
    parameters: &'static [Parameter],
    arguments: Vec<(&'static str, Value<'a>)>,
}

impl Serialize for Call<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, value) in &self.arguments {
            let parameter = self.parameters.iter().find(|parameter| parameter.name == *name);
            if !parameter.is_some_and(|parameter| parameter.is_default(value)) {
                object.serialize_entry(name, value)?;
            }
        }
        object.end()
    }
}

struct Times<'a> {
    mechanism: &'a Mechanism,
    count: u64,
}

impl Serialize for Times<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry(MECHANISM, self.mechanism)?;
        object.serialize_entry(COUNT, &self.count)?;
        object.end()
    }
}

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
