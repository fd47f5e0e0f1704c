//! Seeing: standings and the history.

use super::Ledger;
use crate::{
    account::{Standing, View, standing},
    books::Books,
    data::{Entry, Time},
    error::Error,
};

/// So many rows are read at a time.
pub(super) const PAGE: u64 = 1000;

impl Ledger {
    /// How a budget stands, or all of them, in order of their names.
    pub fn status(&mut self, budget: Option<&str>) -> Result<Vec<Standing>, Error> {
        self.read(|transaction| {
            let names = match budget {
                Some(name) => vec![name.to_owned()],
                None => transaction.books.names()?,
            };
            let mut standings = Vec::new();
            for name in names {
                let account = transaction.account(&name)?;
                let view = View::at(&mut transaction.books, account, transaction.now)?;
                standings.push(standing(&mut transaction.books, &view, transaction.costing)?);
            }
            Ok(standings)
        })
    }

    /// What a budget had come to after each entry that charged it or one below it, together with what was set aside.
    pub fn spending(&mut self, budget: &str) -> Result<Vec<(Time, f64)>, Error> {
        let mut points = Vec::new();
        self.read(|transaction| transaction.account(budget).map(drop))?;
        self.history(None, |entry| {
            points.extend(entry.spent.get(budget).map(|spent| (entry.time, *spent)));
            Ok(())
        })?;
        Ok(points)
    }

    /// Shows the entries of a budget, or all of them, in their order.
    pub fn history(
        &mut self,
        budget: Option<&str>,
        mut show: impl FnMut(&Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.read(|transaction| {
            if let Some(name) = budget {
                transaction.account(name)?;
            }
            let mut last = 0;
            loop {
                let rows = transaction.books.rows(last, PAGE, budget)?;
                let Some(row) = rows.last() else { return Ok(()) };
                last = row.sequence;
                for row in rows {
                    show(&row.entry()?)?;
                }
            }
        })
    }
}
