//! A privacy profile read from a file.
//!
//! In: points `(ε, δ)`, from a file or from values. Out: the pair of the largest profile that they allow, or what is wrong with them.
//!
//! # Guarantee
//! It dominates every mechanism that keeps to the points, in both directions, or in this one alone if an ε is negative.

use super::{
    SharedPair,
    shape::{Bound, PiecewisePair},
    two_columns::{self, FileContent, FileError, Row},
};
use crate::{
    error::Error,
    mechanism::{ProfileFile, TwoColumns},
};
use std::sync::Arc;

/// What lists are called in messages, in place of the name of a file.
const LISTED: &str = "epsilons and deltas";

/// The worst pair whose profile is at most `δ` at each `ε` of the file, for the direction in which `P` sees the record.
///
/// The file or the lists have two columns, `ε` (any number; in a file also `inf`) and `δ`, in any order of rows; each row is an upper bound. A file
/// without negative `ε` bounds both directions of a symmetric relation; one with a negative `ε` bounds this direction alone,
/// and the other one follows by swapping. [`PiecewisePair`] says what is made of the bounds, and proves it.
pub(super) fn pair(mechanism: &ProfileFile) -> Result<SharedPair, Error> {
    let bounds = match mechanism.columns() {
        TwoColumns::File(name) => {
            let mut rows = two_columns::rows(name, FileContent::Profile)?;
            let bounds = rows.read(|Row { first, second }| Ok(Bound::new(first.value, second.value)?))?;
            // A bound at infinity alone says nothing of any ε.
            if bounds.iter().all(|bound| bound.epsilon().is_infinite()) {
                return Err(rows.empty().into());
            }
            bounds
        }
        TwoColumns::Listed { first, second } => (1..)
            .zip(first.iter().zip(second))
            .map(|(at, (&epsilon, &delta))| {
                Bound::new(epsilon, delta)
                    .map_err(|invalid| FileError { line: Some(at), ..FileError::of(LISTED, invalid.into()) })
            })
            .collect::<Result<Vec<_>, _>>()?,
    };
    Ok(Arc::new(PiecewisePair::new(&bounds)))
}

#[cfg(test)]
mod tests;
