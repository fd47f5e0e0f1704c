//! How long questions take, and how much memory: random ones, extreme parameters included, each within the limits that people have by
//! default. Where an engine forgets to look at the clock, or at how much it holds, that is seen here.
//!
//! In: a seed and a number. Out: a [`Row`] of a ledger; [`Tally`] sums them up.

mod draw;
mod machine;
mod rows;

pub use draw::errand;
pub use rows::{Row, SLOW, TOO_MUCH, TOO_SLOW, Tally, append, read};

use crate::oracle;
use hockeystick::{
    Query,
    limits::{Limits, within},
    mechanism::{Mechanism, Relation, Template},
    query::{Method, Target, calibrate},
};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    time::{Duration, Instant},
};

/// Where an expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Share {
    /// From the grammar, with improper, extreme and ordinary values.
    Grammar,
    /// The cases of the campaign, and examples of the catalogue with numbers of every size in them.
    Extreme,
}

/// What is asked, and of what.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Where the expression comes from.
    pub share: Share,
    /// The expression, with a `?` if a number is to be found.
    pub text: String,
    /// Which datasets are neighbours.
    pub relation: Relation,
    /// The method.
    pub method: Method,
    /// What is asked.
    pub question: Question,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// ε at this δ.
    Epsilon(f64),
    /// δ at this ε.
    Delta(f64),
    /// Advantage, a true positive rate, and some points of each curve.
    Curves,
    /// By every method: ε at this δ.
    Compare(f64),
    /// The number for which ε and δ are met.
    Calibrate(f64, f64),
}

impl fmt::Display for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {} | {:?}", self.text, self.relation, self.method, self.question)
    }
}

/// What was seen of an errand.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How long it took by the clock on the wall.
    pub elapsed: Duration,
    /// How long all threads of the program worked meanwhile, where the system tells: on a busy machine the clock runs on while they wait.
    pub worked: Option<Duration>,
    /// The most memory that the program held meanwhile, in bytes, where the system tells.
    pub peak: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an errand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// An answer.
    Answered,
    /// A refusal.
    Refused,
    /// A panic, with its message.
    Panicked(String),
}

/// Runs an errand within the limits.
pub fn run(errand: &Errand, limits: Limits) -> Seen {
    machine::forget_peak();
    let (started, worked) = (Instant::now(), machine::worked());
    let outcome = oracle::guarded(|| ask(errand, limits));
    Seen {
        elapsed: started.elapsed(),
        worked: machine::worked().zip(worked).map(|(after, before)| after - before),
        peak: machine::peak(),
        outcome: match outcome {
            Ok(true) => Outcome::Answered,
            Err(oracle::Refusal::Panicked(what)) => Outcome::Panicked(what),
            Ok(false) | Err(_) => Outcome::Refused,
        },
    }
}

fn ask(errand: &Errand, limits: Limits) -> bool {
    let Errand { share: _, text, relation, method, question } = errand;
    if let Question::Calibrate(epsilon, delta) = *question {
        let target = Target::Guarantee { epsilon, delta };
        let search = || calibrate(&Template::parse(text)?, target, *relation, *method, None);
        return matches!(within(limits, search), Ok(Ok(_)));
    }
    let Ok(mechanism) = text.parse::<Mechanism>() else { return false };
    let query = Query::new(&mechanism).relation(*relation).method(*method);
    match *question {
        Question::Epsilon(delta) => query.limits(limits).epsilon(delta).is_ok(),
        Question::Delta(epsilon) => query.limits(limits).delta(epsilon).is_ok(),
        Question::Compare(delta) => {
            within(limits, || query.compare_epsilon(delta)).is_ok_and(|all| all.is_ok())
        }
        Question::Curves | Question::Calibrate(..) => {
            let read = || {
                let curves = query.curves()?;
                for epsilon in curves.interesting_epsilons(5) {
                    curves.delta(epsilon);
                }
                for fpr in [1e-3, 0.1, 0.5] {
                    curves.true_positive_rate(fpr)?;
                    curves.belief(0.5, fpr)?;
                }
                curves.accuracy(0.5).map(|_| curves.advantage())
            };
            matches!(within(limits, read), Ok(Ok(_)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far beyond what an engine does between two looks at the clock, in any build.
    const LATE: Duration = Duration::from_secs(20);

    #[test]
    fn questions_of_any_kind_end_when_they_have_to() {
        let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::USUAL };
        let mut answered = 0;
        for number in 0..150 {
            let errand = errand(7, number);
            let seen = run(&errand, limits);
            assert!(!matches!(seen.outcome, Outcome::Panicked(_)), "{errand}: {seen:?}");
            assert!(seen.elapsed < LATE, "{errand} takes {:?}", seen.elapsed);
            answered += u32::from(seen.outcome == Outcome::Answered);
        }
        assert!(answered > 20, "{answered}");
    }
}
