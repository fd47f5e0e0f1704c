//! What a workload is made of.

use super::node::Misplaced;
use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Target,
};

/// A workload, of mechanisms unless some of it is still to be found.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload<M = Mechanism> {
    pub(crate) title: Option<String>,
    pub(crate) relation: Option<Relation>,
    pub(crate) groups: Vec<Group<M>>,
    pub(crate) targets: Vec<Goal>,
}

/// What is written of a group, before it is known whether a number is to be found.
#[derive(Debug, PartialEq)]
pub(crate) struct Written {
    /// The expression, count included.
    pub(crate) text: String,
    /// The mechanism; with a `?` in it, what is to be said where all numbers must be known.
    pub(super) mechanism: Result<Mechanism, Misplaced>,
}

impl Written {
    pub(crate) fn is_open(&self) -> bool {
        self.mechanism.is_err()
    }
}

/// Mechanisms that belong together.
#[derive(Debug, PartialEq)]
pub(crate) struct Group<M = Mechanism> {
    pub(crate) name: String,
    pub(crate) mechanism: M,
    /// What must be true of it for the answer to hold.
    pub(crate) assumptions: Vec<String>,
}

/// What is asked of some of the groups.
#[derive(Debug, PartialEq)]
pub(crate) struct Goal {
    pub(crate) name: Option<String>,
    /// Positions of groups.
    pub(crate) groups: Vec<usize>,
    pub(crate) ask: Ask,
}

/// A question, and the largest answer that is acceptable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ask {
    Epsilon { delta: f64, at_most: Option<f64> },
    Delta { epsilon: f64 },
    Advantage { at_most: f64 },
    TruePositives { false_positives: f64, at_most: Option<f64> },
}

impl Ask {
    /// What must be met, if there is a bound.
    pub(crate) fn target(self) -> Option<Target> {
        match self {
            Self::Epsilon { delta, at_most } => at_most.map(|epsilon| Target::Guarantee { epsilon, delta }),
            Self::Delta { .. } => None,
            Self::Advantage { at_most } => Some(Target::Advantage { at_most }),
            Self::TruePositives { false_positives, at_most } => {
                at_most.map(|at_most| Target::TruePositives { at_most, false_positives })
            }
        }
    }
}

impl Workload<Written> {
    /// The expression of some of the groups together.
    pub(crate) fn text(&self, groups: &[usize]) -> String {
        let texts = groups.iter().map(|&position| format!("({})", self.groups[position].mechanism.text));
        texts.collect::<Vec<_>>().join(" + ")
    }

    /// All numbers are known, or the first that is not is complained about.
    pub(super) fn closed(self) -> Result<Workload, Misplaced> {
        let Self { title, relation, groups, targets } = self;
        let close = |Group { name, mechanism, assumptions }: Group<Written>| {
            Ok(Group { name, mechanism: mechanism.mechanism?, assumptions })
        };
        let groups = groups.into_iter().map(close).collect::<Result<_, Misplaced>>()?;
        Ok(Workload { title, relation, groups, targets })
    }
}

impl Workload {
    /// Some of the groups together.
    pub(crate) fn composed(&self, groups: &[usize]) -> Mechanism {
        let mut chosen = groups.iter().map(|&position| self.groups[position].mechanism.clone());
        let first = chosen.next().expect("a target has at least one group");
        chosen.fold(first, |sum, next| sum + next)
    }

    /// All groups together.
    pub(crate) fn whole(&self) -> Mechanism {
        self.composed(&(0..self.groups.len()).collect::<Vec<_>>())
    }
}
