//! **Privacy budgets that cannot be overspent**, by people and programs, one process or many.
//!
//! A [`Ledger`] keeps [`Budget`]s in a [store](store::Store). Whoever runs a mechanism on personal data [spends](Ledger::spend) first: all budgets
//! concerned are checked and charged in one transaction, or none is. What was charged stands in a history that is only ever added to.
//!
//! ```
//! use hockeystick_ledger::{Budget, Ledger, Outcome, Spend};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("census.db");
//! let mut ledger = Ledger::create(path.to_str().expect("a text"))?;
//! ledger.budget(&Budget::new("census", 1.0, 1e-6))?;
//! let spend = Spend::new("census", "gaussian(sigma=20)".parse()?, "count of households");
//! assert!(matches!(ledger.spend(&spend)?, Outcome::Charged(_)));
//! // The same reference again is the same spend.
//! assert!(matches!(ledger.spend(&spend)?, Outcome::Charged(_)));
//! assert_eq!(ledger.status(None)?[0].entries, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The flow of data
//! [`data`] (budgets, entries, times) → [`store`] (SQL: tables and transactions) → `books` (accounts, parts, holds, the chain) → `account`
//! (what was spent, what fits: asks the library) → [`Ledger`] (the verbs, verification).
//!
//! # Guarantee
//! - What was acknowledged is in the store, once, whatever happens to the process or the machine afterwards.
//! - The mechanisms charged to a budget in one period are (ε, δ)-DP with its ε and δ: of a `planned` account by exact composition, if no
//!   mechanism depended on an output; of an `adaptive` account however they were chosen (`docs/design/ledger.md`).
//! - Sums of ε and δ are the library's, rounded to the safe side. There is no arithmetic on them here.

pub mod data;

mod error;

pub mod store;

mod books;

mod account;

mod ledger;

pub use account::{Holding, Interval, Proof, Refusal, Standing, Why};
pub use data::{AccountKind, Budget, Entry, Event, Limit, Period, Span, Time};
pub use error::Error;
pub use ledger::{Charged, Finding, Ledger, Outcome, Receipt, Reserve, Spend, Verified};
