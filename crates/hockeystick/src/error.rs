//! What can go wrong between a mechanism and an answer.

use crate::{
    engine::closed_form::NoClosedForm,
    mechanism::{InvalidParameter, Shortest},
    pair::{FileError, NoPair},
    query::Method,
};
use hockeystick_numerics::limits::Stopped;

/// An error that keeps a question from being answered. Each names the cause and the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mechanism's parameter or count is out of range.
    #[error(transparent)]
    Mechanism(#[from] InvalidParameter),

    /// The counts of nested repetitions multiply beyond what can be counted.
    #[error("{} is used more than 10^15 times in all; reduce the counts", shortened(mechanism))]
    TooManyUses {
        /// The mechanism in question, in text form.
        mechanism: String,
    },

    /// A number of the question itself is out of range.
    #[error("{argument} is {}, but must be {allowed}; {cure}", Shortest(*value))]
    Argument {
        /// Its name.
        argument: &'static str,
        /// The value that was given.
        value: f64,
        /// The values it may have.
        allowed: &'static str,
        /// What to do about it.
        cure: &'static str,
    },

    /// A sampler needs the one worst-case pair of what it samples.
    #[error("{} cannot be sampled here: {reason}; {instead}", shortened(mechanism))]
    NotSampled {
        /// What was to be sampled, in text form.
        mechanism: String,
        /// Why not.
        reason: &'static str,
        /// What can be done.
        instead: &'static str,
    },

    /// Only moments of the mechanism are known, and the method needs its worst-case pair.
    #[error(
        "{} is known by its Rényi divergences only, and no pair of distributions is the worst case of those, which this method \
         needs; leave out the method, or use rdp-optimal, rdp, rdp-classic, markov, basic, advanced or kov",
        shortened(mechanism)
    )]
    MomentsOnly {
        /// The mechanism, in text form.
        mechanism: String,
    },

    /// Only moments of the mechanism are known, and a whole curve is asked for.
    #[error(
        "{} is known by its Rényi divergences only, and these enclose no curve: a curve needs a worst-case pair; \
         ask for ε at single values of δ, or for δ at single values of ε",
        shortened(mechanism)
    )]
    NoCurve {
        /// The mechanism, in text form.
        mechanism: String,
    },

    /// The method asked for by name says nothing about this composition.
    #[error("method {method} does not apply: {reason}; {instead}")]
    NotApplicable {
        /// The method.
        method: Method,
        /// Why not.
        reason: &'static str,
        /// What to use in its place.
        instead: &'static str,
    },

    /// A bounded account cannot forget the mechanism and keep its moments.
    #[error(
        "{} has no moments on the lines that a bounded account keeps; add it to an account that is not bounded",
        shortened(mechanism)
    )]
    NotFoldable {
        /// The mechanism, in text form.
        mechanism: String,
    },

    /// No theorem covers this combination of sampler, mechanism and relation.
    #[error("{what} has no proof: {reason}; {instead}")]
    NotProven {
        /// The combination.
        what: &'static str,
        /// What is missing.
        reason: &'static str,
        /// The nearest combination that is proved.
        instead: &'static str,
    },

    /// The worst-case pair cannot be written down.
    #[error(transparent)]
    Pair(#[from] NoPair),

    /// The closed form was asked for, and there is none.
    #[error("method closed-form does not apply: {0}; leave out the method")]
    NoClosedForm(#[from] NoClosedForm),

    /// A file that a mechanism names cannot be used.
    #[error(transparent)]
    File(#[from] FileError),

    /// The composition does not fit into memory.
    #[error("{0}; use rdp-optimal, which bounds without a lattice, or ask for fewer uses")]
    TooLarge(#[from] crate::engine::lattice::TooLarge),

    /// The question takes longer, or more memory, than is allowed.
    #[error(
        "the answer takes {why}; raise that limit, or ask for less: a single δ or ε without a method falls back to a bound, where there is one"
    )]
    Stopped {
        /// What was exceeded.
        why: Stopped,
    },
}

impl Error {
    /// A method that was asked for by name, and says nothing about this composition. Without a method there is an answer.
    pub(crate) fn not_applicable(method: Method, reason: &'static str) -> Self {
        Self::NotApplicable { method, reason, instead: "leave out the method" }
    }
}

/// Text of any length, cut to what a message can hold.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 120;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
