//! A privacy profile read from a file.

use super::{
    SharedPair,
    shape::{Bound, PiecewisePair},
    two_columns::{self, FileContent, Row},
};
use crate::{error::Error, mechanism::ProfileFile};
use std::sync::Arc;

/// The worst pair whose profile is at most `δ` at each `ε` of the file, for the direction in which `P` sees the record.
///
/// The file has two columns, `ε` (any number, or `inf`) and `δ`, in any order of rows; each row is an upper bound. A file
/// without negative `ε` bounds both directions of a symmetric relation; one with a negative `ε` bounds this direction alone,
/// and the other one follows by swapping. [`PiecewisePair`] says what is made of the bounds, and proves it.
pub(super) fn pair(mechanism: &ProfileFile) -> Result<SharedPair, Error> {
    let mut rows = two_columns::rows(mechanism.file(), FileContent::Profile)?;
    let bounds = rows.read(|Row { first, second }| Ok(Bound::new(first.value, second.value)?))?;
    // A bound at infinity alone says nothing of any ε.
    if bounds.iter().all(|bound| bound.epsilon().is_infinite()) {
        return Err(rows.empty().into());
    }
    Ok(Arc::new(PiecewisePair::new(&bounds)))
}

#[cfg(test)]
mod tests;
