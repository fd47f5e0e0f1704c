//! What is asked: four quantities that grow or shrink, and some mechanisms and methods for each.

use hockeystick::{
    Query,
    mechanism::{Compose, Mechanism},
    query::{Answer, Method},
};

/// A quantity, and how answers depend on it.
pub(crate) struct Curve {
    /// The name in tables and on the command line.
    pub(crate) name: &'static str,
    /// What stands below the axis.
    pub(crate) axis: &'static str,
    /// The values asked for.
    pub(crate) values: Vec<f64>,
    pub(crate) series: Vec<Series>,
}

/// What is asked for every value of a curve.
#[derive(Clone, Copy)]
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) question: fn(f64) -> Question,
}

/// One question, ready to be asked as often as it takes to measure it.
pub(crate) struct Question {
    mechanism: Mechanism,
    method: Method,
    tolerance: f64,
    delta: f64,
}

impl Question {
    pub(crate) fn answer(&self) -> Result<Answer, String> {
        let query = Query::new(&self.mechanism).method(self.method).tolerance(self.tolerance);
        query.epsilon(self.delta).map_err(|error| error.to_string())
    }
}

const TRAINING: &str = "poisson(gaussian(sigma=1), rate=0.01)";
const DELTA: f64 = 1e-5;
const FINE: f64 = 1e-9;
const COARSE: f64 = 1e-4;

fn question(text: &str, method: Method, tolerance: f64, delta: f64) -> Question {
    Question { mechanism: parsed(text), method, tolerance, delta }
}

fn parsed(text: &str) -> Mechanism {
    text.parse().expect("a valid expression")
}

fn repeated(text: &str, count: f64, method: Method, tolerance: f64) -> Question {
    question(&format!("{text} * {count:.0}"), method, tolerance, DELTA)
}

/// So many mechanisms, each with its own noise: `term` writes one. (All of them would be too long a text.)
fn different(count: f64, term: fn(f64) -> String, method: Method, tolerance: f64) -> Question {
    let terms = (0..count as u32).map(|i| parsed(&term(1.0 + f64::from(i) / count)));
    Question { mechanism: Compose::new(terms).expect("one at least"), method, tolerance, delta: DELTA }
}

/// One step of training with this noise.
fn step(sigma: f64) -> String {
    format!("poisson(gaussian(sigma={sigma:?}), rate=0.01)")
}

/// Discrete Gaussian noise, a hundred times as much.
fn discrete(noise: f64) -> String {
    format!("discrete_gaussian(sigma={:?})", 100.0 * noise)
}

/// Laplace noise, a hundred times as much.
fn laplace(noise: f64) -> String {
    format!("laplace(scale={:?})", 100.0 * noise)
}

/// One of four kinds, by some digits of the noise.
fn any_kind(noise: f64) -> String {
    match (noise * 1e7) as u64 % 4 {
        0 => step(noise),
        1 => discrete(noise),
        2 => laplace(noise),
        _ => format!("poisson(laplace(scale={noise:?}), rate=0.01)"),
    }
}

/// A Gaussian with a hundred times this noise.
fn gaussian(noise: f64) -> String {
    format!("gaussian(sigma={:?})", 100.0 * noise)
}

/// Powers of ten.
fn powers(from: i32, to: i32, step: usize) -> Vec<f64> {
    let exponents: Vec<i32> = if from < to {
        (from..=to).step_by(step).collect()
    } else {
        (to..=from).rev().step_by(step).collect()
    };
    exponents.into_iter().map(|exponent| format!("1e{exponent}").parse().expect("a number")).collect()
}

/// All curves. A line ends where an answer takes longer than is waited for, or none is given.
pub(crate) fn curves() -> Vec<Curve> {
    vec![
        Curve {
            name: "uses",
            axis: "uses k",
            values: powers(0, 9, 1),
            series: vec![
                Series {
                    name: "DP-SGD, automatic, to 1e-9",
                    question: |k| repeated(TRAINING, k, Method::Auto, FINE),
                },
                Series {
                    name: "DP-SGD, lattice, to 1e-4",
                    question: |k| repeated(TRAINING, k, Method::Lattice, COARSE),
                },
                Series {
                    name: "Laplace, automatic, to 1e-4",
                    question: |k| repeated("laplace(scale=100)", k, Method::Auto, COARSE),
                },
                Series {
                    name: "Gaussian, closed form",
                    question: |k| repeated("gaussian(sigma=100)", k, Method::Auto, FINE),
                },
            ],
        },
        Curve {
            name: "mechanisms",
            axis: "distinct mechanisms",
            values: powers(0, 5, 1),
            series: vec![
                Series {
                    name: "DP-SGD, automatic, to 1e-9",
                    question: |n| different(n, step, Method::Auto, FINE),
                },
                Series {
                    name: "discrete Gaussian, automatic, to 1e-4",
                    question: |n| different(n, discrete, Method::Auto, COARSE),
                },
                Series {
                    name: "Laplace, automatic, to 1e-4",
                    question: |n| different(n, laplace, Method::Auto, COARSE),
                },
                Series {
                    name: "four kinds, automatic, to 1e-4",
                    question: |n| different(n, any_kind, Method::Auto, COARSE),
                },
                Series {
                    name: "DP-SGD, lattice, to 1e-4",
                    question: |n| different(n, step, Method::Lattice, COARSE),
                },
                Series {
                    name: "Gaussian, closed form",
                    question: |n| different(n, gaussian, Method::Auto, FINE),
                },
            ],
        },
        Curve {
            name: "width",
            axis: "relative width asked for",
            values: powers(-2, -12, 1),
            series: vec![
                Series {
                    name: "DP-SGD × 1000, automatic",
                    question: |width| repeated(TRAINING, 1e3, Method::Auto, width),
                },
                Series {
                    name: "DP-SGD × 1000, lattice",
                    question: |width| repeated(TRAINING, 1e3, Method::Lattice, width),
                },
                Series {
                    name: "Laplace × 100, automatic",
                    question: |width| repeated("laplace(scale=10)", 1e2, Method::Auto, width),
                },
            ],
        },
        Curve {
            name: "delta",
            axis: "δ",
            values: [
                vec![1e-1],
                powers(-5, -300, 5)
                    .into_iter()
                    .filter(|delta| delta.log10().round() % 25.0 == 0.0 || *delta > 1e-21)
                    .collect(),
            ]
            .concat(),
            series: vec![
                Series {
                    name: "DP-SGD × 1000, automatic, to 1e-9",
                    question: |delta| question(&format!("{TRAINING} * 1000"), Method::Auto, FINE, delta),
                },
                Series {
                    name: "DP-SGD × 1000, lattice, to 1e-4",
                    question: |delta| question(&format!("{TRAINING} * 1000"), Method::Lattice, COARSE, delta),
                },
                Series {
                    name: "Laplace × 100, automatic, to 1e-4",
                    question: |delta| question("laplace(scale=10) * 100", Method::Auto, COARSE, delta),
                },
                Series {
                    name: "Gaussian × 1000, closed form",
                    question: |delta| question("gaussian(sigma=100) * 1000", Method::Auto, FINE, delta),
                },
            ],
        },
    ]
}
