//! Which of two neighbouring datasets plays P.

use crate::mechanism::Relation;
use std::fmt;

/// A direction of a neighbouring relation: P and Q of the worst-case pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// P sees the record, Q does not.
    Remove,
    /// Q sees the record, P does not.
    Add,
    /// P sees one record, Q another in its place.
    Replace,
}

impl Direction {
    /// The directions that a relation asks for. Each is composed by itself; the worse one counts, at the end.
    pub fn of(relation: Relation) -> &'static [Self] {
        match relation {
            Relation::AddRemove => &[Self::Remove, Self::Add],
            Relation::Add => &[Self::Add],
            Relation::Remove => &[Self::Remove],
            Relation::Replace => &[Self::Replace],
        }
    }

    /// The relation that asks for this direction only.
    pub(crate) fn alone(self) -> Relation {
        match self {
            Self::Remove => Relation::Remove,
            Self::Add => Relation::Add,
            Self::Replace => Relation::Replace,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Remove => "remove",
            Self::Add => "add",
            Self::Replace => "replace",
        })
    }
}
