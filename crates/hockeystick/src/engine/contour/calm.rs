//! Where losses are bounded and few: what is next to the largest loss in every use, in closed form, and a line for all else.
//!
//! Next to its largest value the loss of adding a record is all but constant, over many powers of ten of the way to it. A line would have to
//! resolve all of them. But where every use is so close to its largest loss that the sum is above ε for certain, nothing is left to be
//! integrated: `E[1 − e^{ε−L}]` is a difference of two masses.

use super::{
    course::{Course, SETTLED},
    factors::{Factors, MOST_CALM},
    line::{self, ComposedLine, Exactness, Integral},
    plan::{self, Aim},
    saddle::{self, Saddle},
};
use crate::{curve::Budget, engine::Goal, pair::CalmPart};
use hockeystick_numerics::{
    enclosure::Enclosure,
    special::{exp, ln, ln_1p},
};

/// Outcomes that are next to the largest loss in every use.
#[derive(Clone, Debug)]
pub(super) struct Calm {
    factors: Factors,
    part: CalmPart,
    /// The largest loss of all uses together, and how many they are.
    largest: Enclosure,
    uses: f64,
    /// What bounds them together, if that is more than each by itself allows for.
    together: Option<Together>,
}

/// A bound of outcomes of which no use is below its largest loss by more than a way, but all together may be.
#[derive(Clone, Copy, Debug)]
struct Together {
    /// The logarithm of a bound of `M(−1)` of all others.
    log_astray: f64,
    /// `λ > 1`, and an upper bound of `K(−λ)`.
    tilt: f64,
    log_moment: f64,
}

/// How sharp a cut is, as a part of the length on which the way to the largest loss grows by e.
const SHARPNESS: f64 = 0.17;
/// What is beyond where all uses together may reach ε is this much less than what errors are aimed at, as a logarithm.
const LOG_ROOM: f64 = 3.0;
/// Where δ falls faster than this no fewer digits are aimed at than usual.
const MUCH: f64 = 1e6;
/// What is calm is summed as it is: every use leaves about this part of δ in doubt.
const DIGITS_OF_USE: f64 = 2e-13;
/// No line has more points than this.
const LONGEST: usize = 6000;
/// How much farther from the largest loss cuts may be than what is safe for each use by itself: the first is tried first, and so on.
const FARTHER: [f64; 9] = [512.0, 256.0, 128.0, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0];
/// But no farther than this part of the way from ε to the largest loss.
const FARTHEST: f64 = 0.15;
/// `λ` that are looked at, in units of the inverse of that way.
const TILTS: [f64; 6] = [20.0, 30.0, 45.0, 65.0, 100.0, 150.0];

impl Calm {
    /// Of what is below the cuts of all pairs.
    fn new(factors: Factors, (largest, uses): (Enclosure, f64), together: Option<Together>) -> Option<Self> {
        let part = factors.calm_part()?;
        Some(Self { factors, part, largest, uses, together })
    }

    /// `E[(1 − e^{ε−L})₊]` of these outcomes.
    ///
    /// # Guarantee
    /// It is `E[1 − e^{ε−L}] = M(0)(1 − e^ε M(−1)/M(0))`, and `E[(e^{ε−L} − 1)₊]` more.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        let CalmPart { log_mass, log_drop } = self.part;
        let share = -(Enclosure::point(epsilon) + log_drop).exp_m1();
        let value = (log_mass.exp() * share).clamp(0.0, 1.0);
        let together = self.together.map_or(1.0, |together| together.not_above(epsilon));
        let more =
            if together < ENOUGH * value.upper() { together } else { together.min(self.not_above(epsilon)) };
        let bounds = Enclosure::new(value.lower(), (value + Enclosure::point(more)).upper()).clamp(0.0, 1.0);
        let budget = Budget { truncation: 0.5 * more, roundoff: 0.5 * value.width(), ..Budget::default() };
        Integral { bounds, budget }
    }

    /// A bound of `E[(e^{ε−L} − 1)₊]`.
    ///
    /// # Guarantee
    /// If no use is below its largest loss by more than its share of the way from ε to the largest loss of all, they are together above ε. Of the
    /// others `e^ε M(−1)` is a bound.
    fn not_above(&self, epsilon: f64) -> f64 {
        let way = (self.largest - Enclosure::point(epsilon)).lower() / self.uses * (1.0 - 1e-12);
        let log = if way > 0.0 { self.factors.log_astray(way) } else { None };
        log.map_or(1.0, |log| bounded(log, epsilon))
    }
}

/// Of what is known to be smaller nothing else is looked at.
const ENOUGH: f64 = 1e-14;

/// `e^{log + ε}` or a little more, but no more than 1.
fn bounded(log: f64, exponent: f64) -> f64 {
    let bound = exp(log + exponent + 1e-9 + 1e-15 * (log.abs() + exponent.abs()));
    // What is not a number bounds nothing.
    if bound < 1.0 { bound.max(f64::MIN_POSITIVE) } else { 1.0 }
}

impl Together {
    /// Of what is below the cuts of all pairs, at most so far from the largest loss in each use.
    fn new(calm: &Factors, way: f64, tilt: f64) -> Option<Self> {
        let log_moment = line::log_moment(&calm.ending(way)?, -tilt)?;
        Some(Self { log_astray: calm.log_astray(way)?, tilt, log_moment })
    }

    /// A bound of `E[(e^{ε−L} − 1)₊]`.
    ///
    /// # Guarantee
    /// `e^ε M(−1)` of what is astray, and `κ e^{λε} M(−λ)` of all else, with `κ = (λ−1)^{λ−1}/λ^λ` the largest value of `(e^u − 1)e^{−λu}`.
    fn not_above(&self, epsilon: f64) -> f64 {
        let Self { log_astray, tilt, log_moment } = *self;
        let log_kappa = (tilt - 1.0) * ln_1p(-1.0 / tilt) - ln(tilt) + 1e-12;
        bounded(log_astray, epsilon) + bounded(log_moment + log_kappa, tilt * epsilon)
    }
}

/// The course for a question at about the saddle's ε, if the pairs have largest losses that can be cut off; `None` if there is no line for the rest.
pub(super) fn course(
    factors: &Factors,
    goal: Goal,
    saddle: &Saddle,
    (aim, fall): (Aim, f64),
) -> Option<Course> {
    let (largest, uses) = factors.largest_calm_loss()?;
    let epsilon = match goal {
        Goal::Delta { epsilon } => epsilon,
        Goal::Epsilon { .. } => saddle.epsilon,
    };
    let way = largest.lower() - epsilon;
    let has_digits = SETTLED * fall > DIGITS_OF_USE * uses;
    if !(way > 0.0 && epsilon >= 0.0 && uses <= MOST_CALM && has_digits) {
        return None;
    }
    // Every digit takes its time.
    let log_accuracy = (ln(SETTLED * fall.min(MUCH)) - LOG_ROOM).max(aim.log_accuracy);
    let aim = Aim { log_accuracy, log_delta: saddle.log_delta.min(0.0), ..aim };
    // `erfc(u) ≤ e^{−u²}`.
    let spreads = (LOG_ROOM + ln(uses) - ln(way).min(0.0) - log_accuracy).sqrt();
    let safe = way / uses * exp(-spreads * SHARPNESS);
    let wanted = aim.log_delta + log_accuracy;
    let farther = FARTHER.into_iter().filter(|farther| farther * safe < FARTHEST * way);
    let mut found = farther.filter_map(|farther| {
        let (calm, hits) = factors.split_calm(farther * safe, SHARPNESS)?;
        let tilt = calm.calm_bound(way, TILTS.map(|tilt| tilt / way), wanted)?;
        let together = Together::new(&calm, farther * safe * exp(spreads * SHARPNESS), tilt)?;
        (ln(together.not_above(epsilon)) < wanted + LOG_ROOM).then_some((calm, hits, Some(together)))
    });
    let (calm, hits, together) = found.next().or_else(|| {
        let (calm, hits) = factors.split_calm(safe, SHARPNESS)?;
        Some((calm, hits, None))
    })?;
    let calm = Calm::new(calm, (largest, uses), together)?;
    let of_hits = saddle::find_near(&hits, epsilon, saddle.tilt)?;
    let planned = plan::plan(&hits, &of_hits, aim);
    if planned.line.points > LONGEST {
        return None;
    }
    let line = ComposedLine::new(&hits, planned.envelope, planned.line, Exactness::USUAL.of(aim))?;
    Some(Course { calm: Some(calm), ..Course::of(vec![line]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far below the ε that cuts were made for, what is astray is below all doubles: its logarithm was taken, and the sum was no number.
    #[test]
    fn bounds_are_numbers() {
        assert_eq!(bounded(f64::NEG_INFINITY, 0.1), 1.0);
        assert_eq!(bounded(f64::NAN, 0.1), 1.0);
        assert_eq!(bounded(f64::INFINITY, 0.1), 1.0);
        assert_eq!(bounded(-1e4, 0.1), f64::MIN_POSITIVE);
        assert!(bounded(-1.0, 0.5) >= (-0.5f64).exp());
    }
}
