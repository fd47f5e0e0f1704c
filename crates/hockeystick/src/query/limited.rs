//! Questions that may not take longer, or hold more memory, than somebody allows.
//!
//! Where the exact answer is stopped the bound by moments takes its place, for all directions of the relation: the cheapest of what is
//! certified. What is known by then of one direction is a lower end for the larger of both, and nothing else.

use super::{
    Answer, Guarantee, Method, Query, Shortfall,
    known::{Known, Part},
    question::Question,
};
use crate::{engine::Goal, error::Error};
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::{Limits, Stopped, within},
};
use std::time::{Duration, Instant};

/// The part of the time that is kept for the bound, and the least that it gets: who has no patience for an answer wants one all the more.
const FOR_THE_BOUND: u32 = 5;
const LEAST_FOR_THE_BOUND: Duration = Duration::from_secs(1);

impl Query<'_> {
    /// How long a question may take, and how much memory it may hold. Without it there are no limits.
    ///
    /// Where one is exceeded the answer is the bound by moments, with the reason in its shortfall, if no method was asked for by name and
    /// there is such a bound, for which there is a second in any case; otherwise the question is refused.
    ///
    /// # Guarantee
    /// An answer that is not stopped is the same without limits.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

impl Question<'_> {
    /// What `ask` answers within the limits, while it notes what it knows so far; or what `read` makes of a bound.
    pub(super) fn limited<Answered>(
        &self,
        goal: Goal,
        ask: impl FnOnce(&Known) -> Result<Answered, Error>,
        read: impl Fn(Answer) -> Answered,
    ) -> Result<Answered, Error> {
        let (known, limits) = (Known::default(), self.query.limits);
        if limits.are_none() {
            return ask(&known);
        }
        let (started, may_fall_back) = (Instant::now(), self.query.method == Method::Auto);
        let kept = limits.time.map_or(Duration::ZERO, |time| time / FOR_THE_BOUND);
        let first = match limits.time {
            Some(time) if may_fall_back => Limits { time: Some(time.saturating_sub(kept)), ..limits },
            Some(_) | None => limits,
        };
        let why = match within(first, || ask(&known)) {
            Ok(answer) => return answer,
            Err(Stopped::Time { .. }) => Stopped::Time { allowed: limits.time.unwrap_or(Duration::MAX) },
            Err(why) => why,
        };
        if !may_fall_back {
            return Err(Error::Stopped { why });
        }
        let known = match known.into_inner() {
            Some((answer, Part::Every)) => return Ok(read(answer.stopped(why))),
            Some((answer, Part::Some)) => Some(answer),
            None => None,
        };
        let left =
            limits.time.map(|time| time.saturating_sub(started.elapsed()).max(kept).max(LEAST_FOR_THE_BOUND));
        let bound = || self.by(Method::RdpOptimal).bound(goal);
        match within(Limits { time: left, ..limits }, bound) {
            Ok(Ok(Some(bound))) if bound.upper().is_finite() => {
                Ok(read(bound.above(known.as_ref()).stopped(why)))
            }
            Ok(Ok(Some(_) | None) | Err(_)) | Err(_) => Err(Error::Stopped { why }),
        }
    }
}

impl Answer {
    /// A bound for every direction, together with what is known of some of them.
    ///
    /// # Guarantee
    /// The largest of all directions is at least any of them.
    fn above(self, known: Option<&Self>) -> Self {
        let lower = known.and_then(Self::lower).filter(|lower| *lower <= self.upper());
        match lower {
            Some(lower) if self.guarantee == Guarantee::UpperBound => {
                let bounds = Enclosure::new(lower, self.upper());
                Self { bounds, guarantee: Guarantee::Certified, ..self }
            }
            Some(_) | None => self,
        }
    }

    fn stopped(self, why: Stopped) -> Self {
        Self { shortfall: Some(Shortfall::Stopped { why }), ..self }
    }
}
