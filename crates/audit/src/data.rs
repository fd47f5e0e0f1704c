//! What an attack brought to light. Plain data, checked when it is made.

use crate::error::{Error, check};

/// The most trials, guesses and canaries: binomial tails of more are not computed.
const MOST: u64 = 1_000_000_000;

/// How often an attack said "the record is in the data", when it was and when it was not.
///
/// The rule of the attack, its threshold above all, must be fixed before the trials are seen; else give the [`Scores`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub(crate) true_positives: u64,
    pub(crate) positives: u64,
    pub(crate) false_positives: u64,
    pub(crate) negatives: u64,
}

impl Counts {
    /// `true_positives` of `positives` trials with the record, `false_positives` of `negatives` trials without it.
    pub fn new(
        true_positives: u64,
        positives: u64,
        false_positives: u64,
        negatives: u64,
    ) -> Result<Self, Error> {
        trials("positives", positives)?;
        trials("negatives", negatives)?;
        part("true positives", true_positives, true_positives <= positives, "at most the positives")?;
        part("false positives", false_positives, false_positives <= negatives, "at most the negatives")?;
        Ok(Self { true_positives, positives, false_positives, negatives })
    }
}

/// What an attack gave to each trial: the larger, the more it believes that the record is in the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// Of trials with the record, from the largest to the smallest.
    pub(crate) members: Vec<f64>,
    /// Of trials without it, likewise.
    pub(crate) others: Vec<f64>,
}

impl Scores {
    /// Scores of trials with the record, and of trials without it, in any order. Infinite ones are fine.
    pub fn new(mut members: Vec<f64>, mut others: Vec<f64>) -> Result<Self, Error> {
        for (argument, scores) in [("scores of members", &members), ("scores of others", &others)] {
            trials(argument, scores.len() as u64)?;
            let wrong = scores.iter().find(|score| score.is_nan());
            check(
                wrong.is_none(),
                argument,
                "NaN",
                "numbers",
                "leave out trials without a score on both sides",
            )?;
        }
        members.sort_by(|a, b| b.total_cmp(a));
        others.sort_by(|a, b| b.total_cmp(a));
        Ok(Self { members, others })
    }
}

/// Guesses in a single run: of so many canaries, each in the data with probability ½ by itself, the auditor guessed at a number that was fixed
/// before the run, and was right so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guesses {
    pub(crate) canaries: u64,
    pub(crate) guesses: u64,
    pub(crate) correct: u64,
}

impl Guesses {
    /// `correct` of `guesses` among `canaries`.
    pub fn new(canaries: u64, guesses: u64, correct: u64) -> Result<Self, Error> {
        trials("canaries", canaries)?;
        trials("guesses", guesses)?;
        part("guesses", guesses, guesses <= canaries, "at most the canaries")?;
        part("correct guesses", correct, correct <= guesses, "at most the guesses")?;
        Ok(Self { canaries, guesses, correct })
    }
}

fn trials(argument: &'static str, value: u64) -> Result<(), Error> {
    check(
        (1..=MOST).contains(&value),
        argument,
        value,
        "from 1 to 10⁹",
        "attack at least once on either side",
    )
}

fn part(argument: &'static str, value: u64, holds: bool, allowed: &'static str) -> Result<(), Error> {
    check(holds, argument, value, allowed, "check whether the two numbers were exchanged")
}
