//! A composition that is made once and asked often.

use super::{
    Answer, Guarantee, Method, Query, Shortfall,
    arguments::{DEFAULT_TOLERANCE, check_delta, check_epsilon},
    epsilon::smallest_epsilon_near,
    question::{Composed, Question},
};
use crate::{curve::PrivacyProfile, engine::Goal, error::Error, pair::Direction};
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// Compositions are made for one question, and may be wide elsewhere: so many of them are made at most.
const MOST_COMPOSITIONS: usize = 12;
/// Of what was asked for, or of what a composition left where it was made for, so many times as much is good enough elsewhere.
const ENOUGH: f64 = 2.0;
/// A composition that leaves more than this part of the answer in doubt is no measure for others.
const HOPELESS: f64 = 0.1;
/// Newton steps from the neighbouring root, before the search is left to [`smallest_epsilon_near`].
const STEPS: usize = 4;
/// Roots from which the next one is extrapolated.
const REMEMBERED: usize = 4;
/// An end may be so many times as far from a root as the width of δ there says: neighbouring widths may differ.
const FARTHEST: f64 = 4.0;
/// A step this small, relative to the root, is the last one.
const CLOSE: f64 = 1e-13;

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

/// One direction, its latest roots, and its latest answer: a δ with the interval of its ε.
struct Side {
    composed: Composed,
    roots: Vec<Root>,
    latest: Option<(f64, Enclosure)>,
}

/// A point of the curve, how fast `ln δ` falls there, and the relative half-width of δ.
#[derive(Clone, Copy)]
struct Root {
    log_delta: f64,
    epsilon: f64,
    slope: f64,
    half_width: f64,
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
        let sides =
            composed.into_iter().map(|composed| Side { composed, roots: Vec::new(), latest: None }).collect();
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
        if let Some(bounds) = self.latest_that_holds(delta) {
            self.latest = Some((delta, bounds));
            return (bounds, None);
        }
        let profile = self.composed.profile.as_ref();
        if let Some((bounds, root)) = extrapolated(profile, delta, &self.roots)
            .or_else(|| self.roots.last().and_then(|last| near_root(profile, delta, *last)))
        {
            let root = self.roots.last().map_or(root, |last| root.with_slope_from(*last));
            if self.roots.len() == REMEMBERED {
                self.roots.remove(0);
            }
            self.roots.push(root);
            self.latest = Some((delta, bounds));
            return (bounds, None);
        }
        let neighbour = self.latest.map(|(_, bounds)| bounds.midpoint()).filter(|root| root.is_finite());
        let guess = neighbour.or_else(|| profile.near(delta));
        let (bounds, shortfall) = smallest_epsilon_near(profile, delta, guess);
        self.roots = Root::at(profile, bounds.midpoint()).into_iter().collect();
        self.latest = Some((delta, bounds)).filter(|_| shortfall.is_none());
        (bounds, shortfall)
    }

    /// The latest interval, if it is one for this δ as well: where δ is known to few digits, neighbouring questions have the same
    /// answer.
    ///
    /// # Guarantee
    /// ε falls as δ rises. For a larger δ the upper end stays proven, for a smaller one the lower end; the other is proven here.
    fn latest_that_holds(&self, delta: f64) -> Option<Enclosure> {
        let (known, bounds) = self.latest?;
        let step = (ln(delta) - ln(known)).abs();
        if self.roots.last().is_some_and(|root| step > root.half_width) || bounds.lower() <= 0.0 {
            return None;
        }
        let profile = self.composed.profile.as_ref();
        let holds = if delta >= known {
            profile.delta(bounds.lower()).delta.is_certainly_above(delta)
        } else {
            profile.is_at_most(bounds.upper(), delta)
        };
        holds.then_some(bounds)
    }
}

impl Root {
    /// A point of the curve with its slope, by a difference.
    fn at(profile: &dyn PrivacyProfile, epsilon: f64) -> Option<Self> {
        let step = 1e-6 * epsilon;
        let (log_delta, half_width) = log(profile, epsilon)?;
        let slope = (log(profile, epsilon + step)?.0 - log_delta) / step;
        (epsilon > 0.0 && slope < 0.0 && slope.is_finite()).then_some(Self {
            log_delta,
            epsilon,
            slope,
            half_width,
        })
    }
}

impl Root {
    /// The slope of the chord from another root, unless they are so close that it is all round-off.
    fn with_slope_from(self, other: Self) -> Self {
        let step = self.epsilon - other.epsilon;
        let slope = (self.log_delta - other.log_delta) / step;
        if step.abs() > 1e-7 * self.epsilon && slope < 0.0 { Self { slope, ..self } } else { self }
    }
}

/// `ln δ(ε)` at the midpoint, and the relative half-width of δ.
fn log(profile: &dyn PrivacyProfile, epsilon: f64) -> Option<(f64, f64)> {
    let delta = profile.delta(epsilon).delta.value();
    let middle = delta.midpoint();
    (middle > 0.0).then(|| (ln(middle), 0.5 * delta.width() / middle))
}

/// The root next to a known one by Newton's rule on `ln δ`, with both ends proven; `None` if that fails.
fn near_root(profile: &dyn PrivacyProfile, target: f64, last: Root) -> Option<(Enclosure, Root)> {
    // Next to 1, `ln δ` has no digits left.
    if target > 0.5 {
        return None;
    }
    let wanted = ln(target);
    let mut root = last;
    for _ in 0..STEPS {
        let next = root.epsilon + (wanted - root.log_delta) / root.slope;
        if !(next > 0.0 && next.is_finite()) {
            return None;
        }
        let (log_delta, width) = log(profile, next)?;
        root.half_width = width;
        let step = next - root.epsilon;
        // A difference over too short a step is all round-off.
        if step.abs() > 1e-7 * next {
            root.slope = (log_delta - root.log_delta) / step;
        }
        (root.epsilon, root.log_delta) = (next, log_delta);
        if root.slope.is_nan() || root.slope >= 0.0 {
            return None;
        }
        if ((wanted - log_delta) / root.slope).abs() <= CLOSE * next {
            break;
        }
    }
    let epsilon = root.epsilon + (wanted - root.log_delta) / root.slope;
    proven(profile, target, Root { log_delta: wanted, epsilon, ..root }, FARTHEST)
}

/// The root from several others by the polynomial through them, with both ends proven; `None` if that fails.
fn extrapolated(profile: &dyn PrivacyProfile, target: f64, roots: &[Root]) -> Option<(Enclosure, Root)> {
    let last = roots.last().filter(|_| roots.len() == REMEMBERED && target <= 0.5)?;
    let wanted = ln(target);
    // Neville's scheme for ε as a function of ln δ.
    let mut values: [f64; REMEMBERED] = std::array::from_fn(|i| roots[i].epsilon);
    for order in 1..REMEMBERED {
        for i in 0..REMEMBERED - order {
            let (left, right) = (roots[i].log_delta, roots[i + order].log_delta);
            values[i] = ((wanted - right) * values[i] - (wanted - left) * values[i + 1]) / (left - right);
        }
    }
    proven(profile, target, Root { log_delta: wanted, epsilon: values[0], ..*last }, 1.0)
}

/// Ends around a root as far out as they have to be, up to `farthest` times as far as it seems, if δ is proven to be where it should
/// at both.
fn proven(profile: &dyn PrivacyProfile, target: f64, root: Root, farthest: f64) -> Option<(Enclosure, Root)> {
    // As far as the width of δ reaches, and a few units in the last place of ε and of the logarithms.
    let doubt = root.half_width + 4.0 * f64::EPSILON * (1.0 + root.log_delta.abs());
    let margin = 1.5 * doubt / -root.slope + 2.0 * CLOSE * root.epsilon;
    let margins =
        || std::iter::successors(Some(1.0), |times| Some(2.0 * times)).take_while(|&times| times <= farthest);
    let upper = margins()
        .map(|times| root.epsilon + times * margin)
        .find(|&upper| profile.is_at_most(upper, target))?;
    let (lower, below) = margins()
        .map(|times| root.epsilon - times * margin)
        .take_while(|&lower| lower > 0.0)
        .map(|lower| (lower, profile.delta(lower).delta))
        .find(|(_, below)| below.is_certainly_above(target))?;
    // The next root is extrapolated from this one, so it has to be better than proven.
    let middle = below.value().midpoint();
    let epsilon = lower + (root.log_delta - ln(middle)) / root.slope;
    let half_width = 0.5 * below.value().width() / middle;
    Some((Enclosure::new(lower, upper), Root { epsilon, half_width, ..root }))
}
