//! Which datasets count as neighbours.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The change of a dataset that must stay hidden.
///
/// A mechanism's sensitivity is the largest change of its answer under one change that the relation allows.
/// Replacing a record can move a sum twice as far as adding or removing one: the sensitivity must say so, the
/// accountant does not double it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// One record is added or removed; the worse of the two directions counts.
    #[default]
    AddRemove,
    /// One record is added.
    Add,
    /// One record is removed.
    Remove,
    /// One record is replaced by another.
    Replace,
}

impl Relation {
    /// Every relation, in the order of documentation.
    pub const ALL: [Self; 4] = [Self::AddRemove, Self::Add, Self::Remove, Self::Replace];

    /// The name used on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AddRemove => "add-remove",
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Replace => "replace",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Relation`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no relation {found:?}; write add-remove, add, remove or replace")]
pub struct UnknownRelation {
    /// The text that was given.
    pub found: String,
}

impl FromStr for Relation {
    type Err = UnknownRelation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|relation| relation.name() == text)
            .ok_or_else(|| UnknownRelation { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_use_the_same_names() {
        for relation in Relation::ALL {
            assert_eq!(relation.to_string().parse(), Ok(relation));
            assert_eq!(serde_json::to_string(&relation).unwrap(), format!("\"{relation}\""));
        }
        assert_eq!(Relation::default(), Relation::AddRemove);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "swap".parse::<Relation>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no relation \"swap\"; write add-remove, add, remove or replace"
        );
    }
}
