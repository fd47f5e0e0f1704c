//! The moments of a mechanism.

use super::{
    Direction, OrderBound, PairMoments, RenyiTable, SharedMoments, ZeroConcentrated, dominating_pair,
    two_columns::{self, FileContent, FileError, Row},
};
use crate::{
    error::Error,
    mechanism::{Mechanism, RenyiFile, TwoColumns},
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

/// Is nothing but its moments known of the mechanism?
pub(crate) fn has_moments_only(mechanism: &Mechanism) -> bool {
    matches!(mechanism, Mechanism::Zcdp(_) | Mechanism::RenyiFile(_))
}

/// What lists are called in messages, in place of the name of a file.
const LISTED: &str = "orders and divergences";

/// The bounds of two columns, the order and the divergence, in any order of rows.
fn table(mechanism: &RenyiFile) -> Result<RenyiTable, Error> {
    let bounds = match mechanism.columns() {
        TwoColumns::File(name) => {
            let mut rows = two_columns::rows(name, FileContent::RenyiCurve)?;
            let bounds =
                rows.read(|Row { first, second }| Ok(OrderBound::new(first.value, second.value)?))?;
            if bounds.is_empty() {
                return Err(rows.empty().into());
            }
            bounds
        }
        TwoColumns::Listed { first, second } => (1..)
            .zip(first.iter().zip(second))
            .map(|(at, (&alpha, &divergence))| {
                OrderBound::new(alpha, divergence)
                    .map_err(|invalid| FileError { line: Some(at), ..FileError::of(LISTED, invalid.into()) })
            })
            .collect::<Result<Vec<_>, _>>()?,
    };
    Ok(RenyiTable::new(bounds))
}
