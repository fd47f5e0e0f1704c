//! A query whose parts are counted, and whose pairs are made once, whatever is asked of them.

use super::{Answer, Method, Query, arguments::DEFAULT_TOLERANCE, ask::About, known::Known};
use crate::{
    curve::PrivacyProfile,
    engine::Goal,
    error::Error,
    mechanism::Relation,
    pair::{Direction, Releases},
    plan::{self, Engines, Plan, Request},
};
use std::sync::Arc;

/// From this relative width on, an upper bound from moments may be better.
const WIDE: f64 = 1e-2;

/// What is asked about with its parts, and how it is to be answered.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub(super) query: Query<'a>,
    releases: Shared<'a>,
}

#[derive(Clone, Debug)]
enum Shared<'a> {
    Made(Arc<Releases<'a>>),
    Given(&'a Releases<'a>),
}

impl<'a> Query<'a> {
    /// The question with its parts.
    pub(super) fn question(&self) -> Result<Question<'a>, Error> {
        let releases = match self.about {
            About::Mechanism(mechanism) => Shared::Made(Arc::new(Releases::of(mechanism)?)),
            About::Releases(releases) => Shared::Given(releases),
        };
        let question = Question { query: *self, releases };
        question.releases().compose_by(&Engines);
        Ok(question)
    }
}

impl<'a> Question<'a> {
    /// The parts.
    pub(super) fn releases(&self) -> &Releases<'a> {
        match &self.releases {
            Shared::Made(releases) => releases,
            Shared::Given(releases) => releases,
        }
    }

    /// The same by another method.
    pub(super) fn by(&self, method: Method) -> Self {
        Self { query: self.query.method(method), releases: self.releases.clone() }
    }

    /// The same under another relation.
    pub(super) fn under(&self, relation: Relation) -> Self {
        Self { query: self.query.relation(relation), releases: self.releases.clone() }
    }

    /// The composed profile of each direction that has to be looked at. Self-dual compositions need one only.
    pub(super) fn profiles(&self, goal: Goal) -> Result<Vec<Composed>, Error> {
        let composed = self.request(goal)?.compose()?;
        Ok(composed.into_iter().map(|composed| self.composed(composed)).collect())
    }

    /// The worst of the answers for each direction; that so far is `known`. Directions that cannot be the worst are not composed.
    pub(super) fn worst(
        &self,
        goal: Goal,
        known: &Known,
        answer: impl Fn(&Composed) -> Answer,
    ) -> Result<Answer, Error> {
        let all = self.request(goal)?.for_each_direction(|composed| {
            let composed = self.composed(composed);
            known.add(answer(&composed)).reached(composed.profile.as_ref())
        });
        let no_worse = match all {
            // What no engine can compose, moments still bound: at once, if they have a closed form.
            Err(error @ Error::TooLarge(_))
                if self.query.method == Method::Auto && self.has_closed_moments() =>
            {
                return match self.by(Method::RdpOptimal).bound(goal) {
                    Ok(Some(bound)) if bound.upper().is_finite() => Ok(bound),
                    Ok(Some(_) | None) | Err(_) => Err(error),
                };
            }
            all => all?,
        };
        let worst = known.every(no_worse).expect("every relation has a direction");
        let answer = self.no_worse_than_moments(goal, worst);
        Ok(answer.checked_against(self.query.tolerance))
    }

    /// Where no engine gets to the digits of the question, moments may still be the better upper bound.
    fn no_worse_than_moments(&self, goal: Goal, answer: Answer) -> Answer {
        let is_wide =
            answer.relative_width().is_none_or(|width| width > WIDE) && !answer.is_narrow_for_an_epsilon();
        if self.query.method != Method::Auto || !is_wide {
            return answer;
        }
        match self.by(Method::RdpOptimal).bound(goal) {
            Ok(Some(moments)) => answer.with_upper_end_of(moments),
            Ok(None) | Err(_) => answer,
        }
    }

    pub(super) fn request(&self, goal: Goal) -> Result<Request<'_>, Error> {
        self.query.check_tolerance()?;
        Ok(Request {
            releases: self.releases(),
            relation: self.query.relation,
            method: self.query.method,
            tolerance: self.query.tolerance.unwrap_or(DEFAULT_TOLERANCE),
            goal,
        })
    }

    fn composed(&self, plan::Composed { plan, profile, notes }: plan::Composed) -> Composed {
        Composed {
            direction: plan.direction,
            method: plan.engine.method(),
            plan,
            profile,
            notes: [self.query.notes(), notes].concat(),
        }
    }
}

/// A composition in one direction.
pub(super) struct Composed {
    pub(super) direction: Direction,
    pub(super) method: Method,
    pub(super) plan: Plan,
    pub(super) profile: Box<dyn PrivacyProfile>,
    pub(super) notes: Vec<String>,
}
