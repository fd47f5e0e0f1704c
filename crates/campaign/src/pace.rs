//! How long questions take, and how much memory: random ones, extreme parameters included, each within the limits that people have by
//! default. Where an engine forgets to look at the clock, or at how much it holds, that is seen here.

use crate::{draw, oracle};
use hockeystick::{
    Query,
    limits::{Limits, within},
    mechanism::{Mechanism, Relation, Template},
    query::{Method, Target, calibrate},
};
use hockeystick_chance::Random;
use std::{
    fmt, fs,
    time::{Duration, Instant},
};

/// What is asked, and of what.
#[derive(Clone, Debug)]
pub struct Errand {
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
    /// How long it took.
    pub elapsed: Duration,
    /// The most memory that the program held meanwhile, in bytes, where the system tells.
    pub peak: Option<u64>,
    /// What it panicked with.
    pub panic: Option<String>,
    /// Was there an answer, and not a refusal?
    pub is_answered: bool,
}

/// The errand of this number in the campaign of this seed.
pub fn errand(seed: u64, number: u64) -> Errand {
    let mut random = Random::of_case(seed, number);
    let relation = *random.one_of(&Relation::ALL);
    let text = if random.chance(0.25) {
        draw::case(seed, number, 1).mechanism.to_string()
    } else {
        draw::extreme::expression(&mut random)
    };
    let methods: Vec<Method> = Method::all().collect();
    let method = if random.chance(0.75) { Method::Auto } else { *random.one_of(&methods) };
    let delta = *random.one_of(&[5e-324, 1e-300, 1e-12, 1e-5, 1e-5, 0.1, 0.9, 1.0 - 1e-16]);
    let epsilon = *random.one_of(&[0.0, 1e-300, 1e-3, 1.0, 10.0, 1e3, 1e19, 1e300]);
    let question = match random.below(10) {
        0..=3 => Question::Epsilon(delta),
        4 | 5 => Question::Delta(epsilon),
        6 => Question::Curves,
        7 => Question::Compare(delta),
        _ => Question::Calibrate(epsilon, delta),
    };
    let text = match question {
        Question::Calibrate(..) => with_a_hole(&mut random, &text).unwrap_or(text),
        _ => text,
    };
    Errand { text, relation, method, question }
}

/// The expression with one of its numbers in question.
fn with_a_hole(random: &mut Random, text: &str) -> Option<String> {
    let starts: Vec<usize> = text
        .match_indices(['=', '*'])
        .map(|(at, sign)| at + sign.len())
        .filter(|at| text[*at..].trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let start = *starts.get(random.below(starts.len().max(1) as u64) as usize)?;
    let length = text[start..].find([',', ')', '+']).unwrap_or(text.len() - start);
    Some(format!("{}?{}", &text[..start], &text[start + length..]))
}

/// Runs an errand within the limits.
pub fn run(errand: &Errand, limits: Limits) -> Seen {
    forget_peak();
    let started = Instant::now();
    let outcome = oracle::guarded(|| ask(errand, limits));
    Seen {
        elapsed: started.elapsed(),
        peak: peak(),
        panic: match &outcome {
            Err(oracle::Refusal::Panicked(what)) => Some(what.clone()),
            Err(_) | Ok(_) => None,
        },
        is_answered: outcome.unwrap_or(false),
    }
}

fn ask(errand: &Errand, limits: Limits) -> bool {
    let Errand { text, relation, method, question } = errand;
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

/// The most memory that the program held since it was [forgotten](forget_peak).
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Where the system does not do that, the peak is that of everything before, too.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
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
            assert_eq!(seen.panic, None, "{errand}");
            assert!(seen.elapsed < LATE, "{errand} takes {:?}", seen.elapsed);
            answered += u32::from(seen.is_answered);
        }
        assert!(answered > 20, "{answered}");
    }
}
