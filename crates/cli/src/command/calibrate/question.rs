//! What is to be calibrated, and to what: from the command line, or from a workload file.

use super::flags::{Calibrate, TargetFlags};
use crate::{
    failure::Failure,
    input,
    visible::visible,
    workload::{Goal, Workload, Written},
};
use hockeystick::{
    mechanism::{Files, Relation},
    query::Target,
};

impl TargetFlags {
    fn target(&self) -> Option<Target> {
        let target = match (self.epsilon, self.delta, self.advantage, self.tpr, self.fpr) {
            (Some(epsilon), Some(delta), ..) => Target::Guarantee { epsilon, delta },
            (_, _, Some(at_most), ..) => Target::Advantage { at_most },
            (_, _, _, Some(at_most), Some(false_positives)) => {
                Target::TruePositives { at_most, false_positives }
            }
            _ => return None,
        };
        Some(target)
    }
}

const NO_TARGET: &str = "there is no target; give --epsilon and --delta, or --advantage, or --tpr and --fpr";

/// An expression with a `?`, and what it must meet.
pub(super) struct Question {
    pub(super) text: String,
    pub(super) files: Files,
    pub(super) target: Target,
    pub(super) relation: Relation,
}

impl Calibrate {
    pub(super) fn question(&self) -> Result<Question, Failure> {
        let wanted = self.wanted.target();
        let relation = self.accounting.relation;
        let no_target = || Failure::Request(NO_TARGET.to_owned());
        let Some(file) = &self.file else {
            let text = input::text(self.expression.as_deref().unwrap_or_default())?;
            let relation = relation.unwrap_or_default();
            return Ok(Question {
                text,
                files: self.access.of_arguments(),
                target: wanted.ok_or_else(no_target)?,
                relation,
            });
        };
        let files = self.access.of_workload(file);
        let workload = Workload::read_open(file, &files)?;
        let relation = relation.or(workload.relation).unwrap_or_default();
        let failure = |message: String| Failure::File { name: file.display().to_string(), message };
        let open: Vec<usize> =
            (0..workload.groups.len()).filter(|&group| workload.groups[group].mechanism.is_open()).collect();
        let [open] = open[..] else {
            let count = open.len();
            return Err(failure(format!(
                "{count} of its groups have a ?, but one number can be found; write ? in place of one number, say count = \"?\""
            )));
        };
        let (target, groups) = match wanted {
            Some(target) => (target, (0..workload.groups.len()).collect()),
            None => self.target_of(&workload).map_err(failure)?,
        };
        if !groups.contains(&open) {
            let group = visible(&workload.groups[open].name);
            return Err(failure(format!(
                "the target does not count the group {group}, which has the ?; choose another target with --target"
            )));
        }
        Ok(Question { text: workload.text(&groups), files, target, relation })
    }

    /// The one target of a file that bounds something, or the one that is named.
    fn target_of(&self, workload: &Workload<Written>) -> Result<(Target, Vec<usize>), String> {
        let bounds = |goal: &Goal| goal.ask.target().map(|target| (target, goal.groups.clone()));
        let is_meant = |goal: &&Goal| self.target.is_none() || goal.name == self.target;
        let found: Vec<_> = workload.targets.iter().filter(is_meant).filter_map(bounds).collect();
        let names = || {
            let named = workload.targets.iter().filter(|goal| goal.ask.target().is_some());
            let names: Vec<String> = named.filter_map(|goal| goal.name.as_deref().map(visible)).collect();
            names.join(", ")
        };
        match (<[_; 1]>::try_from(found), &self.target) {
            (Ok([only]), _) => Ok(only),
            (Err(found), None) if found.is_empty() => {
                Err(format!("no target of it sets a bound; {NO_TARGET}"))
            }
            (Err(_), None) => Err(format!("it has several targets; choose one with --target: {}", names())),
            (Err(found), Some(name)) if found.is_empty() => {
                Err(format!("no target with a bound is named {name:?}; there are: {}", names()))
            }
            (Err(_), Some(name)) => Err(format!("it has several targets named {name:?}; rename one")),
        }
    }
}
