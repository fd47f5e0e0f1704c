//! Cases for another program to compute in arbitrary precision, and what its results say of the answers here.
//!
//! A file has the columns `expression,direction,epsilon`, to which `bench/soundness/reference.py` adds `delta`: the truth in many
//! digits, or `unsettled`.

use crate::{
    draw,
    law::{BOUNDING, ENCLOSING, PUBLISHED},
    oracle::{Asked, Bounds, Library, Oracle, Refusal, TOLERANCE},
};
use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_chance::Random;
use hockeystick_golden::{Decimal, Row};
use std::fmt::Write as _;

/// What stands in place of a δ that no method of the references settles.
const UNSETTLED: &str = "unsettled";

/// The rows of the cases of these numbers that have an answer: ε is where δ is about that of the case.
pub fn export(seed: u64, numbers: std::ops::Range<u64>) -> String {
    let mut text = format!("# Cases of the campaign of seed {seed}.\nexpression,direction,epsilon\n");
    for number in numbers {
        let case = draw::case_for_reference(seed, number);
        let asked = Asked::Epsilon(case.delta);
        let Ok(Bounds { lower, upper }) = Library.ask(&case.mechanism, case.relation, Method::Auto, asked)
        else {
            continue;
        };
        if !upper.is_finite() || upper > 1e5 {
            continue;
        }
        let mut random = Random::of_case(!seed, number);
        let middle = lower + (upper - lower) / 2.0;
        // Rounded numbers are asked for most.
        let epsilon =
            if random.chance(0.2) { format!("{middle:.1e}").parse().unwrap_or(middle) } else { middle };
        let quoted = case.mechanism.to_string().replace('"', "\"\"");
        let _ = writeln!(text, "\"{quoted}\",{},{epsilon:?}", case.relation);
    }
    text
}

/// The answers to the cases of these numbers, for another program to repeat: in each line the case and the two ends of ε.
pub fn answers(seed: u64, whole: u64, numbers: std::ops::Range<u64>) -> String {
    let mut text = String::new();
    for number in numbers {
        let case = draw::case(seed, number, whole);
        let asked = Asked::Epsilon(case.delta);
        if let Ok(Bounds { lower, upper }) = Library.ask(&case.mechanism, case.relation, Method::Auto, asked)
        {
            // Infinity is no number in JSON: texts, which Python reads to the same bits.
            let line = serde_json::json!({
                "expression": case.mechanism.to_string(),
                "relation": case.relation,
                "delta": case.delta,
                "tolerance": TOLERANCE,
                "lower": format!("{lower:?}"),
                "upper": format!("{upper:?}"),
            });
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Rows with a reference that were compared.
    pub compared: u64,
    /// Rows whose reference is not known.
    pub unsettled: u64,
    /// Rows without an answer here.
    pub refused: u64,
    /// Intervals and bounds that were held against the references.
    pub checks: u64,
    /// How many of them have both ends, and are narrower than 1 % of their upper end.
    pub narrow: u64,
    /// What does not enclose.
    pub violations: Vec<String>,
}

/// Holds what every method proves about a row against its reference: all of the fast ones; those that take long, for one row in some.
pub fn verify(rows: &[Row], mut progress: impl FnMut(usize, &Verified)) -> Verified {
    let mut verified = Verified::default();
    for (number, row) in rows.iter().enumerate() {
        progress(number, &verified);
        if row.text("delta") == UNSETTLED {
            verified.unsettled += 1;
            continue;
        }
        let mechanism: Mechanism = row.text("expression").parse().expect("was written by this program");
        let relation: Relation = row.text("direction").parse().expect("was written by this program");
        let question = Question { mechanism: &mechanism, relation, epsilon: row.number("epsilon") };
        let truth = row.reference("delta");
        let mut found = 0;
        for method in methods(number) {
            let asked = Asked::Delta(question.epsilon);
            match Library.ask(&mechanism, relation, method, asked) {
                Ok(bounds) => {
                    found += 1;
                    verified.narrow += u64::from(bounds.upper - bounds.lower <= 0.01 * bounds.upper);
                    verified
                        .expect(truth.is_at_least(bounds.lower) && truth.is_at_most(bounds.upper), || {
                            format!("{question}: {method} proves {bounds:?}, but δ is {}", row.text("delta"))
                        });
                }
                Err(Refusal::Refused(_)) => {}
                Err(refusal) => verified.violations.push(format!("{question} by {method}: {refusal:?}")),
            }
        }
        inverse(&question, &truth, row.text("delta"), &mut verified);
        if found > 0 {
            verified.compared += 1;
        } else {
            verified.refused += 1;
        }
    }
    verified
}

struct Question<'a> {
    mechanism: &'a Mechanism,
    relation: Relation,
    epsilon: f64,
}

impl std::fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} at ε = {:?}", self.mechanism, self.relation, self.epsilon)
    }
}

impl Verified {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.violations.push(what());
        }
    }
}

/// δ(ε) = truth, so that ε is enough for every larger δ and too small for every smaller one.
fn inverse(question: &Question<'_>, truth: &Decimal, text: &str, verified: &mut Verified) {
    let nearest: f64 = text.parse().expect("a number");
    for delta in [nearest, nearest.next_up(), nearest.next_down()] {
        if !(delta > 0.0 && delta < 1.0) {
            continue;
        }
        let asked = Asked::Epsilon(delta);
        let Ok(bounds) = Library.ask(question.mechanism, question.relation, Method::Auto, asked) else {
            return;
        };
        let epsilon = question.epsilon;
        if truth.is_at_most(delta) {
            verified
                .expect(bounds.lower <= epsilon, || format!("{question}: but ε({delta:e}) in {bounds:?}"));
        }
        if truth.is_at_least(delta.next_up()) {
            verified
                .expect(bounds.upper >= epsilon, || format!("{question}: but ε({delta:e}) in {bounds:?}"));
        }
    }
}

fn methods(number: usize) -> Vec<Method> {
    let mut methods = vec![Method::Auto];
    methods.extend(ENCLOSING);
    methods.push(BOUNDING[number % BOUNDING.len()]);
    if number.is_multiple_of(20) {
        methods.push(Method::Lattice);
    }
    if number % 60 == 7 {
        methods.push(PUBLISHED[number / 60 % PUBLISHED.len()]);
    }
    methods
}
