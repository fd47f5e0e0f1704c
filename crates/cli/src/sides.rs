//! In words, which probability a guarantee bounds by which.
//!
//! An (ε, δ)-DP direction says `P(S) ≤ e^ε·Q(S) + δ` for every event S. P sees the record when it is removed, and does not see
//! it when it is added: `hockeystick::pair::Direction`.

use hockeystick::mechanism::Relation;

/// The two datasets of a relation, and an attack that tells them apart.
pub(crate) struct Sides {
    /// Who is a neighbour: "when …".
    pub(crate) neighbours: &'static str,
    /// "its probability …", of the dataset of P.
    pub(crate) bounded: &'static str,
    /// "times its probability …", of the dataset of Q.
    pub(crate) bounding: &'static str,
    /// Whether the same holds with the two exchanged.
    pub(crate) is_mutual: bool,
    /// What an attacker wants to know.
    pub(crate) secret: &'static str,
    /// A false alarm takes an example of this kind, that of Q, …
    pub(crate) mistaken: &'static str,
    /// … for one of this kind, that of P.
    pub(crate) sought: &'static str,
}

impl Sides {
    pub(crate) fn of(relation: Relation) -> Self {
        let removed = Self {
            neighbours: "a training example is removed",
            bounded: "with the example",
            bounding: "without it",
            is_mutual: false,
            secret: "whether a certain example was used",
            mistaken: "unused",
            sought: "used",
        };
        match relation {
            Relation::Remove => removed,
            Relation::AddRemove => Self {
                neighbours: "any single training example is added or removed",
                is_mutual: true,
                ..removed
            },
            Relation::Add => Self {
                neighbours: "a training example is added",
                bounded: "without the example",
                bounding: "with it",
                mistaken: "used",
                sought: "unused",
                ..removed
            },
            Relation::Replace => Self {
                neighbours: "any single training example is replaced by another",
                bounded: "with the example",
                bounding: "with another in its place",
                is_mutual: true,
                secret: "whether a certain example or a certain other one was used",
                mistaken: "replaced",
                sought: "used",
            },
        }
    }
}
