//! Where losses are bounded and few: what is next to the largest loss in every use, in closed form, and a line for all else.
//!
//! Next to its largest value the loss of adding a record is all but constant, over many powers of ten of the way to it. A line would have to
//! resolve all of them. But where every use is so close to its largest loss that the sum is above ε for certain, nothing is left to be
//! integrated: `E[1 − e^{ε−L}]` is a difference of two masses.

use super::{
    course::{Course, SETTLED},
    factors::Factors,
    line::{ComposedLine, Exactness, Integral},
    plan::{self, Aim},
    saddle::{self, Saddle},
};
use crate::{curve::Budget, engine::Goal, pair::CalmPart};
use hockeystick_numerics::{
    enclosure::Enclosure,
    special::{exp, ln},
};

/// Outcomes that are next to the largest loss in every use.
#[derive(Clone, Debug)]
pub(super) struct Calm {
    factors: Factors,
    part: CalmPart,
    /// The largest loss of all uses together, and how many they are.
    largest: Enclosure,
    uses: f64,
}

/// Of more uses together a line is short anyway.
const MOST_USES: f64 = 300.0;
/// How sharp a cut is, as a part of the length on which the way to the largest loss grows by e.
const SHARPNESS: f64 = 0.17;
/// What is beyond where all uses together may reach ε is this much less than what errors are aimed at, as a logarithm.
const LOG_ROOM: f64 = 3.0;
/// Where δ falls faster than this no fewer digits are aimed at than usual.
const MUCH: f64 = 1e6;
/// No line has more points than this.
const LONGEST: usize = 6000;

impl Calm {
    /// Of what is below the cuts of all pairs.
    fn new(factors: Factors, (largest, uses): (Enclosure, f64)) -> Option<Self> {
        let part = factors.calm_part()?;
        Some(Self { factors, part, largest, uses })
    }

    /// `E[(1 − e^{ε−L})₊]` of these outcomes.
    ///
    /// # Guarantee
    /// It is `E[1 − e^{ε−L}] = M(0)(1 − e^ε M(−1)/M(0))`, and `E[(e^{ε−L} − 1)₊]` more.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        let CalmPart { log_mass, log_drop } = self.part;
        let share = -(Enclosure::point(epsilon) + log_drop).exp_m1();
        let value = (log_mass.exp() * share).clamp(0.0, 1.0);
        let more = self.not_above(epsilon);
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
        let most = log.map_or(1.0, |log| exp(log + epsilon + 1e-9 + 1e-15 * (log.abs() + epsilon)));
        most.clamp(f64::MIN_POSITIVE, 1.0)
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
    if !(way > 0.0 && epsilon >= 0.0 && uses <= MOST_USES) {
        return None;
    }
    // Every digit takes its time.
    let log_accuracy = (ln(SETTLED * fall.min(MUCH)) - LOG_ROOM).max(aim.log_accuracy);
    let aim = Aim { log_accuracy, ..aim };
    // `erfc(u) ≤ e^{−u²}`.
    let spreads = (LOG_ROOM + ln(uses) - ln(way).min(0.0) - aim.log_accuracy).sqrt();
    let (calm, hits) = factors.split_calm(way / uses * exp(-spreads * SHARPNESS), SHARPNESS)?;
    let calm = Calm::new(calm, (largest, uses))?;
    let of_hits = saddle::find_near(&hits, epsilon, saddle.tilt)?;
    let aim = Aim { log_delta: saddle.log_delta.min(0.0), ..aim };
    let planned = plan::plan(&hits, &of_hits, aim);
    if planned.line.points > LONGEST {
        return None;
    }
    let line = ComposedLine::new(&hits, planned.envelope, planned.line, Exactness::USUAL.of(aim))?;
    Some(Course { lines: vec![line], rest: vec![], calm: Some(calm) })
}
