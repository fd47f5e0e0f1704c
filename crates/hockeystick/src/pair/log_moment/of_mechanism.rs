//! The moments of a mechanism.

use super::{PairMoments, RenyiTable, SharedMoments, ZeroConcentrated};
use crate::{
    error::Error,
    mechanism::{Mechanism, RenyiFile},
    pair::{
        Direction, dominating_pair,
        two_columns::{self, FileProblem},
    },
};
use std::sync::Arc;

/// The moments of one use of `mechanism` in `direction`: those of its worst-case pair, or all that is known of it.
pub fn log_moments(mechanism: &Mechanism, direction: Direction) -> Result<SharedMoments, Error> {
    match mechanism {
        Mechanism::Zcdp(zcdp) => Ok(Arc::new(ZeroConcentrated::new(zcdp.rho()))),
        Mechanism::RenyiFile(file) => Ok(Arc::new(table(file)?)),
        other => Ok(Arc::new(PairMoments::new(dominating_pair(other, direction)?))),
    }
}

/// The bounds of a file of two columns, the order and the divergence, in any order of rows.
fn table(mechanism: &RenyiFile) -> Result<RenyiTable, Error> {
    let mut rows = two_columns::rows(mechanism.file())?;
    let mut bounds = Vec::new();
    while let Some(row) = rows.next() {
        let row = row?;
        // Each row is checked by itself, so that the message can name its line.
        RenyiTable::new([(row.first, row.second)])
            .map_err(|problem| rows.error(Some(row.line), FileProblem::Order(problem)))?;
        bounds.push((row.first, row.second));
    }
    if bounds.is_empty() {
        return Err(rows.error(None, FileProblem::Empty).into());
    }
    RenyiTable::new(bounds).map_err(|problem| rows.error(None, FileProblem::Order(problem)).into())
}
