//! One errand, run and measured.

use super::{
    machine,
    question::{Errand, Question},
    seen::{Outcome, Seen},
};
use crate::oracle;
use hockeystick::{
    Query,
    limits::{Limits, within},
    mechanism::{Mechanism, Template},
    query::{Target, calibrate},
};
use std::time::Instant;

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
    use crate::pace::draw::errand;
    use std::time::Duration;

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
