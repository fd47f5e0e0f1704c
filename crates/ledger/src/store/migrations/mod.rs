//! The tables of a store.
//!
//! In: the version that a store has. Out: the SQL, which every store understands, that brings it to the next.
//!
//! # Guarantee
//! A statement that was once released is never changed: there is another file for what comes later.

/// The statements that bring tables from each version to the next.
pub(super) const MIGRATIONS: [&str; 1] = [include_str!("1.sql")];
