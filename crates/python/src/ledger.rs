//! Ledgers: budgets that several programs share.

use crate::{Expression, Failure, guarded::guarded_each};
use hockeystick_ledger::{Budget, Charged, Error, Ledger as Books, Outcome, Reserve, Spend, Standing, Why};
use pyo3::{PyRef, Python, pyclass, pymethods};
use std::{
    fs::File,
    io::{BufWriter, Write},
    sync::{Mutex, PoisonError},
};

/// A ledger, one call at a time.
#[pyclass(frozen, module = "hockeystick._engine")]
pub(crate) struct Ledger(Mutex<Books>);

/// A budget that was charged: its name, its limit in words, what was spent, what is left, what proves it.
type Account = (String, String, f64, f64, String);
/// The entry, if one was written; whether it was there before; the budgets.
type Receipt = (Option<u64>, bool, Vec<Account>);
/// In words; the budget that would be exceeded, and what it would come to; how often one use of what was repeated fits.
type Refusal = (String, Option<(Account, f64)>, Option<u64>);
type Became = (Option<Receipt>, Option<Refusal>);
/// Entries, the hash of the last, and what is wrong in which entry.
type Checked = (u64, String, Vec<(Option<u64>, String)>);
type Ends = (f64, f64);
/// The budget in JSON; what was spent; what a planned account would have come to; with what is set aside; what is left; what proves it;
/// entries; what is set aside.
type Stands = (String, Ends, Option<Ends>, f64, f64, String, u64, Vec<(String, String, String)>);

#[pymethods]
impl Ledger {
    /// Opens a ledger; makes it, if that is wanted and it is not there.
    #[new]
    fn new(py: Python<'_>, store: &str, create: bool) -> Result<Self, Failure> {
        guarded_each(py, || {
            let books = if create { Books::create(store) } else { Books::open(store) };
            Ok(Self(Mutex::new(books?)))
        })
    }

    /// Makes the budget that the JSON form says.
    fn budget(&self, py: Python<'_>, definition: &str) -> Result<(), Failure> {
        let budget: Budget = serde_json::from_str(definition)
            .map_err(|error| Failure::Value(format!("no such budget: {error}")))?;
        self.with(py, |books| books.budget(&budget))
    }

    fn spend(
        &self,
        py: Python<'_>,
        budget: &str,
        mechanism: PyRef<'_, Expression>,
        reference: &str,
        note: Option<String>,
        dry_run: bool,
    ) -> Result<Became, Failure> {
        let spend = Spend { note, dry_run, ..Spend::new(budget, mechanism.0.clone(), reference) };
        self.with(py, |books| books.spend(&spend).map(became))
    }

    fn reserve(
        &self,
        py: Python<'_>,
        budget: &str,
        mechanism: PyRef<'_, Expression>,
        reference: &str,
        expires: &str,
        note: Option<String>,
    ) -> Result<Became, Failure> {
        let expires = expires.parse().map_err(Error::from)?;
        let (budget, reference) = (budget.to_owned(), reference.to_owned());
        let reserve = Reserve { budget, mechanism: mechanism.0.clone(), reference, expires, note };
        self.with(py, |books| books.reserve(&reserve).map(became))
    }

    fn commit(
        &self,
        py: Python<'_>,
        reference: &str,
        mechanism: Option<PyRef<'_, Expression>>,
    ) -> Result<Became, Failure> {
        let used = mechanism.map(|mechanism| mechanism.0.clone());
        self.with(py, |books| books.commit(reference, used.as_ref()).map(became))
    }

    fn release(&self, py: Python<'_>, reference: &str) -> Result<Became, Failure> {
        self.with(py, |books| books.release(reference).map(became))
    }

    fn status(&self, py: Python<'_>, budget: Option<&str>) -> Result<Vec<Stands>, Failure> {
        let standings = self.with(py, |books| books.status(budget))?;
        Ok(standings.into_iter().map(stands).collect())
    }

    /// How often a mechanism fits, counted up to `most`.
    fn remaining(
        &self,
        py: Python<'_>,
        budget: &str,
        mechanism: PyRef<'_, Expression>,
        most: u64,
    ) -> Result<u64, Failure> {
        let mechanism = mechanism.0.clone();
        self.with(py, |books| books.uses_that_fit(budget, &mechanism, most))
    }

    /// The entries in JSON.
    fn history(&self, py: Python<'_>, budget: Option<&str>) -> Result<Vec<String>, Failure> {
        self.with(py, |books| {
            let mut entries = Vec::new();
            books.history(budget, |entry| {
                entries.push(serde_json::to_string(entry).unwrap_or_default());
                Ok(())
            })?;
            Ok(entries)
        })
    }

    /// Entries, the hash of the last, and what is wrong.
    fn verify(&self, py: Python<'_>, noted: Option<&str>) -> Result<Checked, Failure> {
        let verified = self.with(py, |books| books.verify(noted))?;
        let findings =
            verified.findings.into_iter().map(|finding| (finding.sequence, finding.what)).collect();
        Ok((verified.entries, verified.head, findings))
    }

    /// Writes the history to a file, and says how many entries there were.
    fn export(&self, py: Python<'_>, path: &str) -> Result<u64, Failure> {
        let unwritten = |error: std::io::Error| Failure::Store(format!("{path} cannot be written: {error}"));
        let mut file = BufWriter::new(File::create(path).map_err(unwritten)?);
        let (mut entries, mut failed) = (0, None);
        self.with(py, |books| {
            books.export(|line| {
                if failed.is_none() {
                    entries += 1;
                    failed = writeln!(file, "{line}").err();
                }
                Ok(())
            })
        })?;
        match failed {
            Some(error) => Err(unwritten(error)),
            None => file.flush().map(|()| entries).map_err(unwritten),
        }
    }

    /// Reads what was exported into a new ledger, and says how many entries there were.
    fn import_from(&self, py: Python<'_>, path: &str) -> Result<u64, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Store(format!("{path} cannot be read: {error}")))?;
        self.with(py, |books| books.import(text.lines()))
    }

    fn back_up(&self, py: Python<'_>, path: &str) -> Result<(), Failure> {
        self.with(py, |books| books.back_up(path))
    }
}

impl Ledger {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Books) -> Result<T, Error> + Send,
    ) -> Result<T, Failure> {
        guarded_each(py, || {
            // A call that was stopped has rolled back what it had begun.
            let mut books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(work(&mut books)?)
        })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Account(error) => error.into(),
            Error::Store(_) | Error::Damaged { .. } => Self::Store(error.to_string()),
            _ => Self::Value(error.to_string()),
        }
    }
}

fn account(charged: &Charged) -> Account {
    let Charged { budget, limit, spent, left, by } = charged;
    (budget.clone(), limit.to_string(), *spent, *left, by.clone())
}

fn became(outcome: Outcome) -> Became {
    match outcome {
        Outcome::Charged(receipt) => {
            let budgets = receipt.budgets.iter().map(account).collect();
            (Some((receipt.sequence, receipt.repeated, budgets)), None)
        }
        Outcome::Refused(refusal) => {
            let over = match &refusal.why {
                Why::OverBudget { budget, limit, spent, would_be, left, by } => {
                    Some(((budget.clone(), limit.to_string(), *spent, *left, by.clone()), *would_be))
                }
                _ => None,
            };
            (None, Some((refusal.to_string(), over, refusal.fits)))
        }
    }
}

fn stands(standing: Standing) -> Stands {
    let ends = |interval: hockeystick_ledger::Interval| (interval.lower, interval.upper);
    let held =
        standing.held.into_iter().map(|hold| (hold.reference, hold.expression, hold.expires.to_string()));
    (
        serde_json::to_string(&standing.budget).unwrap_or_default(),
        ends(standing.spent),
        standing.planned.map(ends),
        standing.with_held,
        standing.left,
        standing.by,
        standing.entries,
        held.collect(),
    )
}
