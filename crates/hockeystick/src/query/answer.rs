//! An answer: an interval, what it promises, and where its width comes from.

use super::{Method, arguments::DEFAULT_TOLERANCE};
use crate::{
    engine::Budget,
    pair::Direction,
    plan::{Engine, Plan},
};
use hockeystick_numerics::{enclosure::Enclosure, limits::Stopped, rounding::sub_up};

/// An ε is as narrow as anybody can want if its interval is no wider than this.
const NARROW_EPSILON: f64 = 1e-11;

/// The number that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unknown {
    /// `δ` at this `ε`.
    Delta {
        /// The `ε` of the question.
        epsilon: f64,
    },
    /// `ε` at this `δ`.
    Epsilon {
        /// The `δ` of the question.
        delta: f64,
    },
    /// The largest true positive rate of an attack with this false positive rate.
    TruePositives {
        /// The false positive rate.
        false_positives: f64,
    },
}

/// What an answer promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guarantee {
    /// Both ends are proven, round-off included.
    Certified,
    /// The upper end is a valid guarantee; there is no lower end.
    UpperBound,
    /// An approximation without proof. Never a guarantee.
    Estimate,
}

impl Guarantee {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certified => "certified",
            Self::UpperBound => "upper-bound",
            Self::Estimate => "estimate",
        }
    }
}

/// Why a question was answered, but not as asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Shortfall {
    /// The interval is wider than wanted.
    #[error("the relative width is {reached:.1e}, but {wanted:e} was wanted; the answer holds as it is{}", enough(*reached))]
    Tolerance {
        /// The relative width asked for.
        wanted: f64,
        /// The relative width of the answer.
        reached: f64,
    },
    /// No finite ε reaches the δ that was asked for.
    #[error(
        "no finite ε reaches δ = {delta:e}: with probability at least {at_least:e} an outcome gives the input away; \
         ask for a larger δ"
    )]
    Unreachable {
        /// The `δ` of the question.
        delta: f64,
        /// A lower bound on the probability of an infinite loss.
        at_least: f64,
    },
    /// Pure differential privacy was asked for, and no largest loss is known.
    #[error(
        "no finite ε is proven to reach δ = 0: the privacy loss is unbounded, or larger than all doubles, or only its moments are \
         known; ask for a δ above 0"
    )]
    Unbounded,
    /// The method proves nothing at this δ.
    #[error("the method proves no finite ε at δ = {delta:e}; ask for a larger δ, or leave out the method")]
    NoBound {
        /// The `δ` of the question.
        delta: f64,
    },
    /// Whether a finite ε reaches the δ could not be decided.
    #[error(
        "no finite ε could be proven to reach δ = {delta:e}: double precision only proves δ ≤ {proven:e}; \
         ask for a larger δ"
    )]
    Undecided {
        /// The `δ` of the question.
        delta: f64,
        /// The smallest δ that was proven at any ε.
        proven: f64,
    },
    /// The answer was stopped before it was as narrow as it can be.
    #[error(
        "the answer is wider than it need be, and its upper end may be far above the truth: a narrower one takes {why}; raise \
         that limit"
    )]
    Stopped {
        /// Why it was stopped.
        why: Stopped,
    },
}

/// The tolerance that such an answer meets, if there is one.
fn enough(reached: f64) -> String {
    // Two digits round by less than a twentieth.
    let tolerance = 1.06 * reached;
    if tolerance < 0.9 { format!(", and meets a tolerance of {tolerance:.1e}") } else { String::new() }
}

/// An interval that contains the truth, and what it promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub(super) unknown: Unknown,
    pub(super) bounds: Enclosure,
    pub(super) guarantee: Guarantee,
    pub(super) method: Method,
    pub(super) direction: Direction,
    pub(super) budget: Budget,
    pub(super) shortfall: Option<Shortfall>,
    pub(super) plans: Vec<Plan>,
    pub(super) notes: Vec<String>,
}

impl Answer {
    /// What was asked.
    pub fn unknown(&self) -> Unknown {
        self.unknown
    }

    /// The lower end, if the method has one.
    ///
    /// # Guarantee
    /// At most the truth.
    pub fn lower(&self) -> Option<f64> {
        (self.guarantee == Guarantee::Certified).then_some(self.bounds.lower())
    }

    /// The upper end, the one to quote: infinite if no finite number will do.
    ///
    /// # Guarantee
    /// At least the truth, unless the answer is an estimate.
    pub fn upper(&self) -> f64 {
        self.bounds.upper()
    }

    /// What the interval promises.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// The method that was used.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The direction of the relation that spends the most, the first of those that tie.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Where the width comes from.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Why the answer is not what was asked for, if it is not.
    pub fn shortfall(&self) -> Option<Shortfall> {
        self.shortfall
    }

    /// How it was computed: a plan for each direction that was looked at.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// What the reader should know about how the question was taken.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How wide the interval is relative to its upper end; `None` if there is no finite end, or no lower one.
    pub(super) fn relative_width(&self) -> Option<f64> {
        let (lower, upper) = (self.lower()?, self.upper());
        if upper == 0.0 { Some(0.0) } else { upper.is_finite().then(|| (upper - lower) / upper) }
    }

    /// Is it an ε whose absolute width is of no consequence, however wide it is against an ε next to 0?
    pub(super) fn is_narrow_for_an_epsilon(&self) -> bool {
        matches!(self.unknown, Unknown::Epsilon { .. })
            && self.guarantee == Guarantee::Certified
            && self.bounds.width() <= NARROW_EPSILON
    }

    /// The same with the upper end of another answer to the same question, if that is the smaller.
    ///
    /// # Guarantee
    /// Both upper ends are above the truth, so the smaller is.
    pub(super) fn with_upper_end_of(self, other: Self) -> Self {
        let (lower, upper) = (self.bounds.lower(), other.upper());
        // A lower end that is above another's upper end would be a contradiction, not an interval.
        if self.guarantee != Guarantee::Certified || !(lower <= upper && upper < self.upper()) {
            return self;
        }
        let bounds = Enclosure::new(lower, upper);
        let plan = Plan {
            direction: other.direction,
            engine: Engine::Moments,
            reason: "the engines are wider than moments here",
        };
        Self {
            bounds,
            method: other.method,
            direction: other.direction,
            budget: self.budget.scaled_to(half_width(bounds)),
            shortfall: None,
            plans: [self.plans, vec![plan]].concat(),
            ..self
        }
    }

    /// Notes a width beyond the tolerance. A lattice that aims at the default and cannot reach it says so, too; the methods of first
    /// order are wide by design, and closed forms and the contour are as narrow as they can be.
    pub(super) fn checked_against(mut self, tolerance: Option<f64>) -> Self {
        let is_planned = matches!(self.method, Method::Lattice | Method::Tangents)
            || self.plans.iter().any(|plan| plan.engine == Engine::Moments);
        if let Some(wanted) = tolerance.or(is_planned.then_some(DEFAULT_TOLERANCE))
            && self.shortfall.is_none()
            && self.bounds.upper() > 0.0
        {
            // An estimate has no width, but an opinion of its own error.
            let width = match self.guarantee {
                Guarantee::Certified | Guarantee::UpperBound => self.bounds.width(),
                Guarantee::Estimate => 2.0 * self.budget.total(),
            };
            let reached = width / self.bounds.upper();
            let is_good_as_it_is = tolerance.is_none() && self.is_narrow_for_an_epsilon();
            if reached > wanted && !is_good_as_it_is {
                self.shortfall = Some(Shortfall::Tolerance { wanted, reached });
            }
        }
        self
    }
}

/// Half the width of an interval, rounded up.
pub(super) fn half_width(bounds: Enclosure) -> f64 {
    sub_up(bounds.upper(), bounds.lower()) / 2.0
}
