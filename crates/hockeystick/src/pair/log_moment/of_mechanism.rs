//! The moments of a mechanism.

use super::{OrderBound, PairMoments, RenyiTable, SharedMoments, ZeroConcentrated};
use crate::{
    error::Error,
    mechanism::{Mechanism, RenyiFile},
    pair::{
        Direction, dominating_pair,
        two_columns::{self, FileContent, Row},
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
    let mut rows = two_columns::rows(mechanism.file(), FileContent::RenyiCurve)?;
    let bounds = rows.read(|Row { first, second }| Ok(OrderBound::new(first.value, second.value)?))?;
    if bounds.is_empty() {
        return Err(rows.empty().into());
    }
    Ok(RenyiTable::new(bounds))
}
