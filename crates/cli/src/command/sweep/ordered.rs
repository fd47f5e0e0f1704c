//! Rows that are answered in any order, handed on in the order of the grid.

use super::row::Row;
use crate::failure::Failure;
use std::collections::BTreeMap;

/// Rows as they come, and what is done with each when all before it are there.
pub(super) struct Ordered<F> {
    waiting: BTreeMap<usize, Row>,
    rows: Vec<Row>,
    hand_on: F,
    /// What ended the sweep.
    ended: Option<Stop>,
}

/// Why no more rows are wanted.
pub(super) enum Stop {
    /// The reader has gone away.
    NobodyReads,
    Failed(Failure),
}

impl<F: FnMut(&Row) -> Result<(), Stop>> Ordered<F> {
    /// Begins after rows that are known.
    pub(super) fn after(known: Vec<Row>, hand_on: F) -> Self {
        let mut ordered = Self { waiting: BTreeMap::new(), rows: vec![], hand_on, ended: None };
        for row in known {
            ordered.add(ordered.rows.len(), row);
        }
        ordered
    }

    /// The row at a position of the grid.
    pub(super) fn add(&mut self, position: usize, row: Row) {
        self.waiting.insert(position, row);
        while self.ended.is_none()
            && let Some(row) = self.waiting.remove(&self.rows.len())
        {
            self.ended = (self.hand_on)(&row).err();
            self.rows.push(row);
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// All rows, or why there are not all of them.
    pub(super) fn finish(self) -> Result<Vec<Row>, Stop> {
        self.ended.map_or(Ok(self.rows), Err)
    }
}
