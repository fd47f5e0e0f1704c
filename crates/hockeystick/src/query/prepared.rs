//! A composition that is made once and asked often.

use super::{
    Answer, Guarantee, Method, Query, Shortfall,
    arguments::{DEFAULT_TOLERANCE, check_delta, check_epsilon},
    question::{Composed, Question},
};
use crate::{curve::Neighbours, engine::Goal, error::Error, pair::Direction};
use hockeystick_numerics::enclosure::Enclosure;

/// Compositions are made for one question, and may be wide elsewhere: so many of them are made at most.
const MOST_COMPOSITIONS: usize = 12;
/// Of what was asked for, or of what a composition left where it was made for, so many times as much is good enough elsewhere.
const ENOUGH: f64 = 2.0;
/// A composition that leaves more than this part of the answer in doubt is no measure for others.
const HOPELESS: f64 = 0.1;
/// What one question to a [`Prepared`] composition gives: an [`Answer`] without its explanation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The lower end, if the method has one: at most the truth.
    pub lower: Option<f64>,
    /// The upper end: at least the truth, unless it is an estimate.
    pub upper: f64,
    /// What the ends promise.
    pub guarantee: Guarantee,
    /// The method that was used.
    pub method: Method,
    /// The direction that spends the most.
    pub direction: Direction,
    /// Why it is not what was asked for, if it is not.
    pub shortfall: Option<Shortfall>,
}

impl From<&Answer> for Reading {
    fn from(answer: &Answer) -> Self {
        Self {
            lower: answer.lower(),
            upper: answer.upper(),
            guarantee: answer.guarantee(),
            method: answer.method(),
            direction: answer.direction(),
            shortfall: answer.shortfall(),
        }
    }
}

impl Reading {
    /// Of both directions: the maximum, end by end.
    fn worse(self, other: Self) -> Self {
        let lower = self.lower.zip(other.lower).map(|(a, b)| a.max(b));
        if other.upper > self.upper { Self { lower, ..other } } else { Self { lower, ..self } }
    }

    /// What both prove: the narrower end of each.
    fn and(self, other: Self) -> Self {
        let lower = self.lower.zip(other.lower).map(|(a, b)| a.max(b));
        if other.upper < self.upper { Self { lower, ..other } } else { Self { lower, ..self } }
    }

    /// The width relative to the upper end.
    fn relative_width(&self) -> f64 {
        match self.lower {
            Some(lower) if lower < self.upper => (self.upper - lower) / self.upper,
            Some(_) | None => 0.0,
        }
    }
}

/// A composition to be asked many questions. Questions in order, δ falling or rising, are answered fastest.
///
/// ```
/// use hockeystick::{Query, mechanism::Mechanism};
///
/// let mechanism: Mechanism = "gaussian(sigma=2) * 10".parse()?;
/// let mut prepared = Query::new(&mechanism).prepare();
/// for exponent in 5..10 {
///     let reading = prepared.epsilon(10f64.powi(-exponent))?;
///     assert!(reading.lower.unwrap() <= reading.upper);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Guarantee
/// Every reading encloses the truth, as an answer does. Its ends may differ from those of an answer in the last digits, since
/// the search starts elsewhere.
pub struct Prepared<'a> {
    query: Query<'a>,
    /// With its parts, from the first question on.
    question: Option<Question<'a>>,
    /// The one that was good last is the last.
    compositions: Vec<Composition>,
}

/// A composition in every direction that counts, and how wide a reading may be to be taken from it.
struct Composition {
    sides: Vec<Side>,
    good: f64,
}

/// One direction, and what was found of it.
struct Side {
    composed: Composed,
    neighbours: Neighbours,
}

impl<'a> Query<'a> {
    /// Gets ready for many questions. The first one composes.
    pub fn prepare(self) -> Prepared<'a> {
        Prepared { query: self, question: None, compositions: Vec::new() }
    }
}

impl<'a> Prepared<'a> {
    fn question(&mut self) -> Result<Question<'a>, Error> {
        let question = match self.question.take() {
            Some(question) => question,
            None => self.query.question()?,
        };
        Ok(self.question.insert(question).clone())
    }

    /// `δ` at a given `ε ≥ 0`.
    ///
    /// # Guarantee
    /// `lower ≤ truth ≤ upper`.
    pub fn delta(&mut self, epsilon: f64) -> Result<Reading, Error> {
        check_epsilon(epsilon)?;
        let question = self.question()?;
        question.limited(
            Goal::Delta { epsilon },
            |_| self.delta_whatever_it_takes(&question, epsilon),
            |answer| (&answer).into(),
        )
    }

    fn delta_whatever_it_takes(&mut self, question: &Question<'_>, epsilon: f64) -> Result<Reading, Error> {
        if let Some(bound) = self.bound(question, Goal::Delta { epsilon })? {
            return Ok(bound);
        }
        self.read(question, Goal::Delta { epsilon }, |side, worst| {
            // A direction that is proven to spend less does not count.
            if let Some(worst) = worst
                && worst.lower.is_some_and(|lower| side.composed.profile.is_at_most(epsilon, lower))
            {
                return worst;
            }
            let bounds = side.composed.profile.delta(epsilon).delta.value();
            side.reading(bounds, None)
        })
    }

    /// `ε` at a given `0 ≤ δ < 1`.
    ///
    /// # Guarantee
    /// `lower ≤ truth ≤ upper`; the upper end is infinite, and the shortfall says why, if no finite ε will do.
    pub fn epsilon(&mut self, delta: f64) -> Result<Reading, Error> {
        check_delta(delta)?;
        if delta == 0.0 {
            return self.query.epsilon(delta).map(|answer| Reading::from(&answer));
        }
        let question = self.question()?;
        question.limited(
            Goal::Epsilon { delta },
            |_| self.epsilon_whatever_it_takes(&question, delta),
            |answer| (&answer).into(),
        )
    }

    fn epsilon_whatever_it_takes(&mut self, question: &Question<'_>, delta: f64) -> Result<Reading, Error> {
        if let Some(bound) = self.bound(question, Goal::Epsilon { delta })? {
            return Ok(bound);
        }
        self.read(question, Goal::Epsilon { delta }, |side, worst| {
            // If the worst so far is enough for this direction too, it is the larger one, whatever this one is.
            if let Some(worst) = worst
                && worst.upper.is_finite()
                && side.composed.profile.is_at_most(worst.upper, delta)
            {
                return worst;
            }
            let (bounds, shortfall) = side.epsilon(delta);
            side.reading(bounds, shortfall)
        })
    }

    /// The reading of a method that composes no profile: bounds by moments and limit theorems are asked for one by one.
    fn bound(&self, question: &Question<'_>, goal: Goal) -> Result<Option<Reading>, Error> {
        if !self.compositions.is_empty() {
            return Ok(None);
        }
        Ok(question.bound(goal)?.map(|answer| Reading::from(&answer)))
    }

    /// The best reading of the compositions at hand, or of one made for this question.
    fn read(
        &mut self,
        question: &Question<'_>,
        goal: Goal,
        ask: impl Fn(&mut Side, Option<Reading>) -> Reading,
    ) -> Result<Reading, Error> {
        let mut best: Option<Reading> = None;
        for at in (0..self.compositions.len()).rev() {
            let composition = &mut self.compositions[at];
            let reading = composition.worst(&ask);
            if reading.relative_width() <= composition.good {
                // It will be good for the neighbouring question, too.
                self.compositions[at..].rotate_left(1);
                return Ok(reading);
            }
            best = Some(best.map_or(reading, |best| best.and(reading)));
        }
        if let Some(best) = best
            && self.compositions.len() >= MOST_COMPOSITIONS
        {
            return Ok(best);
        }
        let composed = question.profiles(goal)?;
        let sides = composed
            .into_iter()
            .map(|composed| Side { composed, neighbours: Neighbours::default() })
            .collect();
        let mut composition = Composition { sides, good: 0.0 };
        let reading = composition.worst(&ask);
        // Where this one is hardly worse than here, another would not be better either.
        let wanted = self.query.tolerance.unwrap_or(DEFAULT_TOLERANCE);
        composition.good = ENOUGH * reading.relative_width().min(HOPELESS).max(wanted);
        self.compositions.push(composition);
        Ok(best.map_or(reading, |best| best.and(reading)))
    }
}

impl Composition {
    /// The reading of the direction that spends the most.
    fn worst(&mut self, ask: impl Fn(&mut Side, Option<Reading>) -> Reading) -> Reading {
        let mut worst: Option<Reading> = None;
        for side in &mut self.sides {
            let reading = ask(side, worst);
            worst = Some(worst.map_or(reading, |worst| worst.worse(reading)));
        }
        let worst = worst.expect("every relation has a direction");
        // The neighbouring question will have the same answer to which direction is the worse.
        if let Some(at) = self.sides.iter().position(|side| side.composed.direction == worst.direction) {
            self.sides.swap(0, at);
        }
        worst
    }
}

impl Side {
    fn reading(&self, bounds: Enclosure, shortfall: Option<Shortfall>) -> Reading {
        Reading {
            lower: Some(bounds.lower()),
            upper: bounds.upper(),
            guarantee: Guarantee::Certified,
            method: self.composed.method,
            direction: self.composed.direction,
            shortfall,
        }
    }

    fn epsilon(&mut self, delta: f64) -> (Enclosure, Option<Shortfall>) {
        let profile = self.composed.profile.as_ref();
        let (bounds, why) = self.neighbours.smallest_epsilon(profile, delta);
        (bounds, why.map(|why| Shortfall::of(why, delta)))
    }
}
