//! What a question has found out so far.

use super::Answer;
use crate::plan::Plan;
use std::cell::RefCell;

/// What is known so far, and of which directions.
#[derive(Default)]
pub(super) struct Known(RefCell<Option<(Answer, Part)>>);

/// Of which directions.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Some,
    Every,
}

impl Known {
    pub(super) fn into_inner(self) -> Option<(Answer, Part)> {
        self.0.into_inner()
    }

    /// Another direction has answered; returns the worst so far.
    pub(super) fn add(&self, answer: Answer) -> Answer {
        let mut known = self.0.borrow_mut();
        let worst = match known.take() {
            Some((worst, _)) => worst.worse(answer),
            None => answer,
        };
        *known = Some((worst.clone(), Part::Some));
        worst
    }

    /// The worst of all directions, none of which is missing.
    pub(super) fn every(&self, no_worse: Vec<Plan>) -> Option<Answer> {
        let mut known = self.0.borrow_mut();
        let (worst, _) = known.take()?;
        let answer = Answer { plans: [worst.plans.clone(), no_worse].concat(), ..worst };
        *known = Some((answer.clone(), Part::Every));
        Some(answer)
    }
}
