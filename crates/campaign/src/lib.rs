//! A soundness campaign: random questions whose answers are held against each other and against references of arbitrary precision.
//! Only contradictions between *proven* bounds count, so that every violation is a bug.
//!
//! # The flow of data
//! [`draw`] makes a [`Case`] (a mechanism, a relation, a δ) of a seed and a number. [`oracle`] answers questions about it; [`law`] says
//! which answers would contradict each other. [`shrink`] makes a case that breaks a law as small as it can be, [`regression`] writes it
//! down as a test. [`run`] does so for one case after the other, and [`ledger`] remembers how far it came. [`mod@reference`] writes cases
//! for another program to compute, and compares its results. [`attack`] compares answers with references of its own.

pub mod attack;
pub mod case;
pub mod draw;
pub mod law;
pub mod ledger;
pub mod oracle;
pub mod reference;
pub mod regression;
pub mod run;
pub mod shrink;
pub mod worse;

pub use case::Case;
