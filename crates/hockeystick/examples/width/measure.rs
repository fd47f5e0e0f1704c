//! A question asked at the default accuracy and with a tolerance, and held against the goals.

use crate::question::Question;
use hockeystick::{Error, Query, query::Answer};
use hockeystick_numerics::limits::Limits;
use std::time::{Duration, Instant};

/// What is to be reached: a width of ε relative to ε (or [`ABSOLUTE`], whatever ε is), and a time.
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    pub(crate) tolerance: Option<f64>,
    pub(crate) width: f64,
    pub(crate) seconds: f64,
}

pub(crate) const DEFAULT: Goal = Goal { tolerance: None, width: 1e-7, seconds: 0.03 };
pub(crate) const FINE: Goal = Goal { tolerance: Some(1e-9), width: 1e-9, seconds: 1.0 };
/// An ε of 3·10⁻¹⁰ needs no nine relative digits.
pub(crate) const ABSOLUTE: f64 = 1e-11;

/// The best time counts: of so many answers, or of those that fit into this time.
const ANSWERS: usize = 5;
const PATIENCE: Duration = Duration::from_millis(600);
/// What the command line allows by default.
const LIMITS: Limits = Limits::USUAL;

/// One answer.
pub(crate) struct Asked {
    /// `None` if there was no answer.
    pub(crate) epsilon: Option<f64>,
    /// Relative to ε; infinite where only an upper end is proven.
    pub(crate) width: f64,
    pub(crate) seconds: f64,
    /// Or why there was no answer.
    pub(crate) method: String,
    goal: Goal,
}

/// A row, measured.
pub(crate) struct Measured {
    pub(crate) question: Question,
    pub(crate) default: Asked,
    pub(crate) fine: Asked,
}

impl Measured {
    pub(crate) fn of(question: Question) -> Self {
        Self { default: Asked::of(&question, DEFAULT), fine: Asked::of(&question, FINE), question }
    }

    pub(crate) fn is_met(&self) -> bool {
        self.default.is_met() && self.fine.is_met()
    }
}

impl Asked {
    fn of(question: &Question, goal: Goal) -> Self {
        let query = Query::new(&question.mechanism).relation(question.relation).limits(LIMITS);
        let query = goal.tolerance.map_or(query, |tolerance| query.tolerance(tolerance));
        let (begin, mut seconds) = (Instant::now(), f64::INFINITY);
        let mut answer;
        let mut asked = 0;
        loop {
            let start = Instant::now();
            answer = query.epsilon(question.delta);
            seconds = seconds.min(start.elapsed().as_secs_f64());
            asked += 1;
            if asked == ANSWERS || begin.elapsed() > PATIENCE {
                return Self::read(answer, seconds, goal);
            }
        }
    }

    fn read(answer: Result<Answer, Error>, seconds: f64, goal: Goal) -> Self {
        match answer {
            Ok(answer) => Self {
                epsilon: Some(answer.upper()),
                width: relative_width(&answer),
                seconds,
                method: answer.method().to_string(),
                goal,
            },
            Err(error) => {
                let method = error.to_string().lines().next().unwrap_or_default().to_owned();
                Self { epsilon: None, width: f64::INFINITY, seconds, method, goal }
            }
        }
    }

    pub(crate) fn is_met(&self) -> bool {
        self.is_narrow() && self.is_fast()
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.width <= self.goal.width || self.width * self.epsilon.unwrap_or(f64::INFINITY) <= ABSOLUTE
    }

    pub(crate) fn is_fast(&self) -> bool {
        self.seconds <= self.goal.seconds
    }
}

fn relative_width(answer: &Answer) -> f64 {
    let Some(lower) = answer.lower() else { return f64::INFINITY };
    if answer.upper() == 0.0 { 0.0 } else { (answer.upper() - lower) / answer.upper() }
}
