//! Many questions about different mechanisms.

use super::Distinct;
use crate::{Answer, Query, composition, engine::Goal, error::Error, query::ask::About};
use std::{convert::Infallible, fmt::Write, ops::ControlFlow, ptr};

/// A query, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The mechanism, and how to account for it.
    pub query: Query<'a>,
    /// ε at a δ, or δ at an ε.
    pub goal: Goal,
}

impl Asked<'_> {
    /// The answer to this question alone.
    pub fn answer(&self) -> Result<Answer, Error> {
        match self.goal {
            Goal::Epsilon { delta } => self.query.epsilon(delta),
            Goal::Delta { epsilon } => self.query.delta(epsilon),
        }
    }

    /// All that the answer depends on, as text. Two questions about files of the same name have the same text.
    fn key(&self) -> String {
        let Query { about, relation, method, tolerance, limits } = self.query;
        let mut key = format!("{:?} {relation:?} {method:?} {tolerance:?} {limits:?}", self.goal);
        // No text is longer than memory.
        let _ = match about {
            About::Mechanism(mechanism) => match composition::parts(mechanism) {
                Ok(parts) => {
                    (parts.iter()).try_for_each(|part| write!(key, " {} {}", part.count, part.mechanism))
                }
                Err(_) => write!(key, " invalid {mechanism}"),
            },
            About::Releases(releases) => write!(key, " {:p}", ptr::from_ref(releases)),
        };
        key
    }

    fn is_about_the_same(&self, other: &Self) -> bool {
        match (self.query.about, other.query.about) {
            (About::Mechanism(a), About::Mechanism(b)) => {
                a == b || matches!((composition::parts(a), composition::parts(b)), (Ok(a), Ok(b)) if a == b)
            }
            (About::Releases(a), About::Releases(b)) => ptr::eq(a, b),
            (About::Mechanism(_), About::Releases(_)) | (About::Releases(_), About::Mechanism(_)) => false,
        }
    }
}

/// The answers to all questions, in their order, on all cores. Compositions with equal parts, asked the same, are composed once.
///
/// ```
/// use hockeystick::{Query, engine::Goal, mechanism::Mechanism, query::batch::{Asked, answers}};
///
/// let noises: Vec<Mechanism> =
///     ["gaussian(sigma=2)", "gaussian(sigma=3)", "gaussian(sigma=2)"].map(|text| text.parse().unwrap()).into();
/// let asked: Vec<Asked<'_>> = (noises.iter())
///     .map(|noise| Asked { query: Query::new(noise), goal: Goal::Epsilon { delta: 1e-6 } })
///     .collect();
/// let answers = answers(&asked);
/// assert_eq!(answers[0], answers[2]);
/// assert_eq!(answers[1], hockeystick::epsilon(&noises[1], 1e-6));
/// ```
///
/// # Guarantee
/// Each is the same as [`Asked::answer`].
pub fn answers(questions: &[Asked<'_>]) -> Vec<Result<Answer, Error>> {
    let mut answers = Vec::with_capacity(questions.len());
    let all: ControlFlow<Infallible> = each_answer(
        questions,
        |answer| answer,
        |_, answer| {
            answers.push(answer);
            ControlFlow::Continue(())
        },
    );
    let ControlFlow::Continue(()) = all;
    answers
}

/// What `read` takes of each answer, handed on in the order of the questions as soon as all before it are there, until that breaks: for
/// questions so many that their whole answers should not be kept.
///
/// # Guarantee
/// As of [`answers`].
pub fn each_answer<Read: Clone + Send, Stop>(
    questions: &[Asked<'_>],
    read: impl Fn(Result<Answer, Error>) -> Read + Sync,
    hand_on: impl FnMut(usize, Read) -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    distinct(questions).in_order(|at| read(questions[at].answer()), hand_on)
}

/// Which of the questions are the same: about equal parts, asked the same.
pub fn distinct(questions: &[Asked<'_>]) -> Distinct {
    let are_equal = |a: usize, b: usize| questions[a].is_about_the_same(&questions[b]);
    Distinct::of(questions.iter().map(Asked::key), are_equal)
}
