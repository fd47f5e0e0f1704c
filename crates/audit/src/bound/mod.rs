//! From evidence to a lower end of ε: a theorem for each kind of evidence.
//!
//! In: counts, scores or guesses, δ, and the error that is allowed. Out: ε, rounded down, and what shows it.
//!
//! # Guarantee
//! If the program is (ε′, δ)-DP, the result is above ε′ with probability at most the error.

mod gaussian;
mod one_run;
mod rates;
mod scores;
mod theorem;

pub(crate) use gaussian::of_counts as gaussian_of_counts;
pub(crate) use one_run::of_guesses;
pub use rates::Rates;
pub(crate) use rates::of_counts;
pub(crate) use scores::of_scores;
pub use theorem::Theorem;

/// Which inequalities the relation gives: with the record against without it, and the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) removing: bool,
    pub(crate) adding: bool,
}
