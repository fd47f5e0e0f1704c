//! The one description of a mechanism from which its text, its JSON and its help are derived.

use super::{ArgumentError, Arguments, Parameter, Value};

/// A mechanism that can be written down: its name, its parameters, and the way there and back.
pub trait Described: Sized {
    /// The name in text and JSON.
    const NAME: &'static str;
    /// One line on what the mechanism does.
    const MEANING: &'static str;
    /// The worst-case pair P / Q that stands for it, with its source.
    const PAIR: &'static str;
    /// An expression that uses it.
    const EXAMPLE: &'static str;
    /// Its parameters, in the order in which they are printed.
    const PARAMETERS: &'static [Parameter];

    /// Makes the mechanism from named values, through the same checks as its constructor.
    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError>;

    /// The values that make the mechanism again, in the order of [`Self::PARAMETERS`].
    fn arguments(&self) -> Vec<(&'static str, Value<'_>)>;
}
