//! Every method on one question: why accountants disagree.

use super::{Answer, Method, Query};
use crate::{engine::Goal, error::Error};
use hockeystick_numerics::enclosure::Enclosure;
use std::time::{Duration, Instant};

/// What every method answers, beside the certified truth.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The best answer there is.
    pub best: Answer,
    /// How long it took.
    pub elapsed: Duration,
    /// The methods that exist, in the order of their documentation.
    pub methods: Vec<Compared>,
}

/// What one method answers.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The method.
    pub method: Method,
    /// Its answer, or why it has none.
    pub outcome: Result<Answer, Error>,
    /// The upper end of its answer divided by the truth; `None` if either is 0 or infinite or the truth has no lower end.
    pub factor: Option<Enclosure>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Compared {
    /// One line on what separates the answer from the truth, or on why there is none.
    pub fn explanation(&self) -> String {
        match &self.outcome {
            Ok(_) => self.method.explanation().to_owned(),
            Err(Error::MomentsOnly { .. }) => {
                "needs a worst-case pair, and of some mechanism only moments are known".to_owned()
            }
            Err(error) => error.to_string(),
        }
    }
}

impl Query<'_> {
    /// `δ` at `epsilon` by every method. The method of the query is not used.
    pub fn compare_delta(&self, epsilon: f64) -> Result<Comparison, Error> {
        self.compare(Goal::Delta { epsilon })
    }

    /// `ε` at `delta` by every method. The method of the query is not used.
    pub fn compare_epsilon(&self, delta: f64) -> Result<Comparison, Error> {
        self.compare(Goal::Epsilon { delta })
    }

    fn compare(&self, goal: Goal) -> Result<Comparison, Error> {
        let ask = |method: Method| {
            let started = Instant::now();
            let query = self.method(method);
            let outcome = match goal {
                Goal::Delta { epsilon } => query.delta(epsilon),
                Goal::Epsilon { delta } => query.epsilon(delta),
            };
            (outcome, started.elapsed())
        };
        let (best, elapsed) = ask(Method::Auto);
        let best = best?;
        let methods = (Method::all().filter(|&method| method != Method::Auto))
            .map(|method| {
                let (outcome, elapsed) = ask(method);
                let factor = outcome.as_ref().ok().and_then(|answer| factor(answer, &best));
                Compared { method, outcome, factor, elapsed }
            })
            .collect();
        Ok(Comparison { best, elapsed, methods })
    }
}

/// The upper end of an answer divided by the truth.
fn factor(answer: &Answer, truth: &Answer) -> Option<Enclosure> {
    let lower = truth.lower()?;
    let is_size = |x: f64| x > 0.0 && x.is_finite();
    (is_size(answer.upper()) && is_size(lower) && is_size(truth.upper()))
        .then(|| Enclosure::point(answer.upper()) / Enclosure::new(lower, truth.upper()))
}
