//! One case after the other, until there is no time left.

use crate::{
    Case, draw,
    law::{self, Findings, LAWS, Law, Subject},
    ledger::{Batch, Violation},
    oracle::{Oracle, Refusal},
    shrink::shrunk,
};
use hockeystick_chance::Random;
use std::time::{Duration, Instant};

/// Where the answer took longer than this, one law is enough: other cases are worth more.
const SLOW: Duration = Duration::from_millis(20);

/// Checks the cases of a campaign (its seed, and one case in how many is drawn from all there is) from `from` until `most` are done or `deadline` is over, whichever comes first.
pub fn batch(
    oracle: &dyn Oracle,
    (seed, whole): (u64, u64),
    from: u64,
    most: u64,
    deadline: Instant,
) -> Batch {
    let start = Instant::now();
    let mut batch = Batch { seed, whole, from, to: from, ..Batch::default() };
    while batch.to < from + most && (batch.to == from || Instant::now() < deadline) {
        one(oracle, &mut batch);
        batch.to += 1;
    }
    batch.seconds = start.elapsed().as_secs_f64();
    batch
}

/// The seed of the random choices that a law has in a case.
pub fn choices(seed: u64, case: u64, law: &Law) -> u64 {
    let place = LAWS.iter().position(|other| other.name == law.name).unwrap_or(0) as u64;
    Random::of_case(seed ^ (place + 1).wrapping_mul(0x2545_f491_4f6c_dd1d), case).bits()
}

fn one(oracle: &dyn Oracle, batch: &mut Batch) {
    let (campaign, number) = (batch.seed, batch.to);
    let case = draw::case(campaign, number, batch.whole);
    let began = Instant::now();
    let subject = match Subject::new(oracle, &case) {
        Ok(subject) => subject,
        Err(Refusal::Refused(_)) => {
            batch.refused += 1;
            return;
        }
        Err(Refusal::Panicked(what) | Refusal::Malformed(what)) => {
            record(oracle, batch, &case, &LAWS[0], &what);
            return;
        }
    };
    let is_slow = began.elapsed() > SLOW;
    let mut checks = 0;
    let drawn = LAWS.iter().filter(|law| Random::new(!choices(campaign, number, law)).below(law.one_in) == 0);
    // Those that compare something wherever there is an answer are asked where nothing else was compared.
    let otherwise = LAWS.iter().filter(|law| law.one_in == 2);
    for (law, is_drawn) in drawn.map(|law| (law, true)).chain(otherwise.map(|law| (law, false))) {
        if !is_drawn && checks > 0 {
            break;
        }
        let seed = choices(campaign, number, law);
        let Findings { checks: more, broken } = law::check_answered(law, &subject, seed);
        checks += more;
        *batch.checks.entry(law.name.to_owned()).or_default() += more;
        if let Some(what) = broken.first() {
            record(oracle, batch, &case, law, what);
        }
        if is_slow && more > 0 {
            break;
        }
    }
    if checks > 0 {
        batch.checked += 1;
    } else {
        batch.unchecked += 1;
    }
}

/// Shrinks a failure and notes it.
fn record(oracle: &dyn Oracle, batch: &mut Batch, case: &Case, law: &Law, what: &str) {
    let number = batch.to;
    let choices = choices(batch.seed, number, law);
    let smallest = shrunk(case, |candidate| !law::check(law, oracle, candidate, choices).broken.is_empty());
    let shows = law::check(law, oracle, &smallest, choices).broken.first().cloned();
    batch.violations.push(Violation {
        case: number,
        law: law.name.to_owned(),
        drawn: format!("{case}: {what}"),
        smallest: smallest.to_string(),
        shows: shows.unwrap_or_else(|| what.to_owned()),
        choices,
    });
}
