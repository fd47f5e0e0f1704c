//! **What an attack proves**: lower ends of ε that hold with a stated confidence, whatever the mechanism is.
//!
//! Somebody claims that a program is (ε, δ)-DP. An auditor attacks it and counts how often the attack is right. [`Audit`] turns the counts into a lower
//! end of ε, and [`Audit::against`] puts it beside what a mechanism that is claimed provably spends.
//!
//! ```
//! use hockeystick::{Query, mechanism::Mechanism};
//! use hockeystick_audit::{Audit, Counts, Evidence, Verdict};
//!
//! let counts = Counts::new(230, 1000, 4, 1000)?;
//! let audit = Audit::of(Evidence::Counts(counts)).delta(1e-5).confidence(0.95);
//! let finding = audit.finding()?;
//! assert!(finding.epsilon > 2.9);
//! // The noise that was claimed does not allow an attack as good as this one.
//! let claimed: Mechanism = "gaussian(sigma=4)".parse()?;
//! assert_eq!(audit.against(&Query::new(&claimed))?.verdict, Verdict::Refuted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The flow of data
//! [`data`] (counts, scores, guesses) → `proportion` (Clopper–Pearson, by certified binomial tails) → `bound` (a theorem for each kind of evidence) →
//! [`Finding`] → [`Comparison`] with a claim; [`power`] asks beforehand how many trials an audit needs.
//!
//! # Guarantee
//! If the program is (ε, δ)-DP in the relation that was asked about, an [`Audit`] finds an ε above that with probability at most `1 − confidence`, over the
//! trials of the attack. Round-off is on the safe side. What the theorems assume of the trials is said by [`Theorem::assumes`].

pub mod data;

mod error;

mod binomial;
mod proportion;

mod bound;

mod audit;
pub mod power;

pub use audit::{Audit, Comparison, Evidence, Finding, Verdict};
pub use bound::{Rates, Theorem};
pub use data::{Counts, Guesses, Scores};
pub use error::Error;
