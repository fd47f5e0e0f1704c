//! Expressions in reports for people.

use super::Fact;
use crate::excerpt::clipped;

/// A longer expression loses its middle here; JSON and CSV have all of it.
const LONGEST_EXPRESSION: usize = 300;

/// The expression that was answered.
pub(crate) fn expression(text: &str) -> Fact {
    Fact::value("expression", clipped(text, LONGEST_EXPRESSION))
}
