//! The books of a ledger: what its entries add up to, and the chain of the entries themselves.
//!
//! In: accounts, parts, holds and rows. Out: the same. [`Stored`] keeps them in the tables of a store, [`Memory`] in maps: verification
//! writes all entries into the maps once more and compares.
//!
//! # Guarantee
//! The books hold no more than follows from the entries, so that every number in them can be computed again.

mod account;
mod chain;
mod contents;
mod lineage;
mod memory;
mod stored;

pub(crate) use account::{Account, Hold};
pub(crate) use chain::{Head, Row};
pub(crate) use contents::{Books, Opened, Part};
pub(crate) use lineage::lineage;
pub(crate) use memory::Memory;
pub(crate) use stored::{Stored, Table};
