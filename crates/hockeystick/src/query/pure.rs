//! `ε` at `δ = 0`: pure differential privacy.
//!
//! `δ(ε) = 0` says that no loss exceeds `ε`. Losses of a composition add up, and each can be the largest while the others are, so
//! the smallest such `ε` is the sum of the largest losses of its parts.

use super::{Answer, Guarantee, Method, Query, Shortfall, Unknown, answer::half_width};
use crate::{
    engine::Budget,
    error::Error,
    pair::{Direction, Releases},
    plan::{Engine, Plan},
};
use hockeystick_numerics::{enclosure::Enclosure, limits::within};

/// The largest loss of a composition in one direction.
struct Largest {
    direction: Direction,
    /// What finite losses add up to, infinite if they are unbounded.
    loss: Enclosure,
    /// The probability of an infinite loss in one of the parts: the largest of them.
    infinite: Enclosure,
    notes: Vec<String>,
}

impl Query<'_> {
    /// The smallest `ε` for which the composition is (ε, 0)-DP.
    ///
    /// # Guarantee
    /// `lower ≤ truth ≤ upper`. The upper end is infinite, and the shortfall says why, if losses are unbounded or may be infinite.
    pub(super) fn pure(&self) -> Result<Answer, Error> {
        within(self.limits, || self.largest_losses()).unwrap_or_else(|why| Err(Error::Stopped { why }))
    }

    fn largest_losses(&self) -> Result<Answer, Error> {
        if !matches!(self.method, Method::Auto | Method::ClosedForm) {
            return Err(Error::NotApplicable {
                method: self.method,
                reason: "δ = 0 is about the largest loss, which needs no such method",
                instead: "leave out the method, or ask for a δ above 0",
            });
        }
        self.check_tolerance()?;
        let question = self.question()?;
        let directions = Direction::of(self.relation);
        if question.releases().known_by_moments().is_some() {
            return Ok(self.only_moments(directions[0]));
        }
        let mut worst: Option<Answer> = None;
        for &direction in directions {
            let answer = self.of_largest(largest(question.releases(), direction)?);
            worst = Some(match worst {
                Some(known) => known.worse(answer),
                None => answer,
            });
        }
        let worst = worst.expect("every relation has a direction");
        Ok(worst.checked_against(self.tolerance))
    }

    fn of_largest(&self, largest: Largest) -> Answer {
        let Largest { direction, loss, infinite, notes } = largest;
        let at_least = loss.lower().max(0.0);
        let (bounds, shortfall) = if infinite.lower() > 0.0 {
            let shortfall = Shortfall::Unreachable { delta: 0.0, at_least: infinite.lower() };
            (Enclosure::point(f64::INFINITY), Some(shortfall))
        } else if infinite.upper() > 0.0 {
            let shortfall = Shortfall::Undecided { delta: 0.0, proven: infinite.upper() };
            (Enclosure::new(at_least, f64::INFINITY), Some(shortfall))
        } else {
            let is_unbounded = loss.upper() == f64::INFINITY;
            (Enclosure::new(at_least, loss.upper().max(0.0)), is_unbounded.then_some(Shortfall::Unbounded))
        };
        let half = half_width(bounds);
        let reason = "at δ = 0 the largest loss decides";
        Answer {
            unknown: Unknown::Epsilon { delta: 0.0 },
            bounds,
            guarantee: Guarantee::Certified,
            method: Method::ClosedForm,
            direction,
            budget: Budget { roundoff: if half.is_finite() { half } else { 0.0 }, ..Budget::default() },
            shortfall,
            plans: vec![Plan { direction, engine: Engine::LargestLosses, reason }],
            notes: [self.notes(), notes].concat(),
        }
    }

    /// Moments of finite order bound no largest loss.
    fn only_moments(&self, direction: Direction) -> Answer {
        Answer {
            unknown: Unknown::Epsilon { delta: 0.0 },
            bounds: Enclosure::new(0.0, f64::INFINITY),
            guarantee: Guarantee::UpperBound,
            method: Method::ClosedForm,
            direction,
            budget: Budget::default(),
            shortfall: Some(Shortfall::Unbounded),
            plans: vec![],
            notes: self.notes(),
        }
    }
}

fn largest(releases: &Releases<'_>, direction: Direction) -> Result<Largest, Error> {
    let mut sum = Largest { direction, loss: Enclosure::ZERO, infinite: Enclosure::ZERO, notes: vec![] };
    for (pair, count) in releases.pairs(direction)? {
        let (_, loss) = pair.finite_losses().into_inner();
        let infinite = pair.infinite_mass().value();
        // 0 times infinity is not met: there is at least one use.
        sum.loss = sum.loss + loss * Enclosure::point(count as f64);
        sum.infinite = sum.infinite.max(infinite);
        sum.notes.extend(pair.notes());
    }
    Ok(sum)
}
