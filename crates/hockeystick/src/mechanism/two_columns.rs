//! Two columns of numbers that describe a mechanism: in a file, or listed.

use super::check::Subject;
use super::{ArgumentError, Arguments, FileName, InvalidParameter, Value};

/// Where two columns of numbers are.
#[derive(Debug, Clone, PartialEq)]
pub enum TwoColumns {
    /// In the file of this name.
    File(FileName),
    /// Here. Both have the same length, and all of their numbers are finite.
    Listed {
        /// The first column.
        first: Box<[f64]>,
        /// The second column.
        second: Box<[f64]>,
    },
}

impl TwoColumns {
    pub(super) fn file(subject: Subject, file: FileName) -> Result<Self, InvalidParameter> {
        if file.as_str().is_empty() {
            Err(subject.refuse("empty", "the name of a file"))
        } else {
            Ok(Self::File(file))
        }
    }

    pub(super) fn listed(lists: [(Subject, Vec<f64>); 2]) -> Result<Self, InvalidParameter> {
        let [(one, first), (other, second)] = lists;
        if first.is_empty() {
            return Err(one.refuse("empty", "one or more numbers"));
        }
        if second.len() != first.len() {
            let found = format!("a list of {}", second.len());
            return Err(
                other.refuse(found, format!("as long as {}, which has {}", one.parameter, first.len()))
            );
        }
        for (subject, list) in [(one, &first), (other, &second)] {
            list.iter().try_for_each(|&value| subject.finite(value).map(|_| ()))?;
        }
        // Adding 0 turns −0 into 0, so that equal mechanisms print alike.
        let list = |numbers: Vec<f64>| numbers.into_iter().map(|value| value + 0.0).collect();
        Ok(Self::Listed { first: list(first), second: list(second) })
    }

    pub(super) fn arguments(
        &self,
        file: &'static str,
        one: &'static str,
        other: &'static str,
    ) -> Vec<(&'static str, Value<'_>)> {
        match self {
            Self::File(name) => vec![(file, Value::Text(name.as_str().into()))],
            Self::Listed { first, second } => {
                vec![(one, Value::Numbers((&**first).into())), (other, Value::Numbers((&**second).into()))]
            }
        }
    }
}

impl Arguments {
    /// Two columns from a file, or from two lists; `choice` names the parameters for whoever gave none.
    pub(super) fn two_columns(
        &mut self,
        file: &'static str,
        one: &'static str,
        other: &'static str,
        choice: &'static str,
    ) -> Result<TwoColumns, ArgumentError> {
        let name = self.given_text(file);
        let lists = (self.given_numbers(one), self.given_numbers(other));
        match (name, lists) {
            (Some(file), (None, None)) => Ok(TwoColumns::File(self.files().named(file))),
            (Some(_), (Some(_), _)) => Err(self.conflict(one, file)),
            (Some(_), (None, Some(_))) => Err(self.conflict(other, file)),
            (None, (Some(first), Some(second))) => {
                Ok(TwoColumns::Listed { first: first.into(), second: second.into() })
            }
            (None, (None, Some(_))) => Err(self.missing(one)),
            (None, (Some(_), None)) => Err(self.missing(other)),
            (None, (None, None)) => Err(self.missing(choice)),
        }
    }
}
