//! Arguments with a list of names: read in the library's words, completed by the shell.

use clap::{
    Arg,
    builder::{PossibleValue, TypedValueParser},
};
use hockeystick::{mechanism::Relation, query::Method};
use std::{error::Error, ffi::OsStr, marker::PhantomData, str::FromStr};

/// Reads what the library reads, and knows the names for completions.
#[derive(Clone)]
pub(super) struct Named<T> {
    names: Vec<&'static str>,
    value: PhantomData<T>,
}

pub(super) fn method() -> Named<Method> {
    Named { names: Method::all().map(Method::name).collect(), value: PhantomData }
}

pub(super) fn relation() -> Named<Relation> {
    Named { names: Relation::ALL.map(Relation::name).to_vec(), value: PhantomData }
}

impl<T> TypedValueParser for Named<T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: Error + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let read: fn(&str) -> Result<T, T::Err> = T::from_str;
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
