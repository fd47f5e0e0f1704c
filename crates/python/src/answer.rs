//! An answer as plain values, from which `python/hockeystick/answer.py` makes an object.

use hockeystick::Answer;
use pyo3::IntoPyObject;

/// Lower and upper end, guarantee, method, direction, budget, shortfall and notes.
#[derive(IntoPyObject)]
pub(crate) struct Plain(
    Option<f64>,
    f64,
    &'static str,
    &'static str,
    String,
    (f64, f64, f64, f64, f64),
    Option<String>,
    Vec<String>,
);

impl From<Answer> for Plain {
    fn from(answer: Answer) -> Self {
        let budget = answer.budget();
        Self(
            answer.lower(),
            answer.upper(),
            answer.guarantee().name(),
            answer.method().name(),
            answer.direction().to_string(),
            (budget.discretisation, budget.aliasing, budget.truncation, budget.quadrature, budget.roundoff),
            answer.shortfall().map(|shortfall| shortfall.to_string()),
            answer.notes().to_vec(),
        )
    }
}
