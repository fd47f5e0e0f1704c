//! A mechanism to JSON.

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};

use super::super::catalogue::Written;
use super::super::compose::COMPOSE;
use super::super::{Described, Mechanism, Parameter, Repeat, Value};

impl Serialize for Mechanism {
    /// Writes one object with one key, the name; parameters at their default are left out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        match self.written() {
            Written::Call { name, parameters, arguments } => {
                object.serialize_entry(name, &Call { parameters, arguments })?;
            }
            Written::Sum(parts) => object.serialize_entry(COMPOSE, parts)?,
            Written::Times(repeat) => {
                // What is written must be readable.
                Repeat::check_count(repeat.count()).map_err(S::Error::custom)?;
                let call = Call { parameters: Repeat::PARAMETERS, arguments: repeat.arguments() };
                object.serialize_entry(Repeat::NAME, &call)?;
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
