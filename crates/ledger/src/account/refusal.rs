//! Why nothing was charged.

use crate::data::Limit;
use std::fmt;

/// Why nothing was charged, and what is left. Nothing was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reason.
    pub why: Why,
    /// How many uses of what was to be repeated would fit; `None` unless more than one was asked for.
    pub fits: Option<u64>,
}

/// Why nothing was charged.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// A budget would be exceeded.
    OverBudget {
        /// Its name: the one that was asked for, or one above it.
        budget: String,
        /// The most that may be spent.
        limit: Limit,
        /// What was spent and set aside so far.
        spent: f64,
        /// What it would have come to.
        would_be: f64,
        /// How far the limit is from what was spent, rounded down.
        left: f64,
        /// What proves it.
        by: String,
    },
    /// The reference stands for something else.
    ReferenceTaken {
        /// The reference.
        reference: String,
        /// The entry that it stands for.
        sequence: u64,
        /// What differs.
        difference: String,
    },
    /// There is nothing to commit or release under the reference.
    NotReserved {
        /// The reference.
        reference: String,
        /// What it stands for.
        because: String,
    },
    /// More was used than was reserved.
    MoreThanReserved {
        /// The reference.
        reference: String,
        /// What was reserved.
        reserved: String,
    },
    /// A planned account has too many distinct mechanisms to compose again for each spend.
    Crowded {
        /// Its name.
        budget: String,
        /// Distinct mechanisms so far.
        distinct: u64,
    },
}

impl Refusal {
    pub(crate) fn of(why: Why) -> Self {
        Self { why, fits: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::OverBudget { budget, limit, spent, would_be, left, by } => {
                let symbol = limit.symbol();
                write!(f, "{budget} allows {limit}; spent and set aside are {symbol} = {spent}, ")?;
                if would_be.is_finite() {
                    write!(f, "and it would come to {symbol} = {would_be} ({by})")?;
                } else {
                    write!(f, "and {by}")?;
                }
                write!(f, "; left is {symbol} = {left}")?;
            }
            Why::ReferenceTaken { reference, sequence, difference } => write!(
                f,
                "the reference {reference:?} stands for entry {sequence}, {difference}; choose another reference for another spend"
            )?,
            Why::NotReserved { reference, because } => {
                write!(f, "nothing is reserved as {reference:?}: {because}")?
            }
            Why::MoreThanReserved { reference, reserved } => write!(
                f,
                "more was used than {reference:?} has reserved, {reserved}; commit at most that, and spend the rest by itself"
            )?,
            Why::Crowded { budget, distinct } => write!(
                f,
                "{budget} is a planned account and has {distinct} distinct mechanisms, as many as can be composed for each spend; \
                 plan with fewer, or keep an adaptive account"
            )?,
        }
        match self.fits {
            Some(0) => f.write_str("; not one use fits"),
            Some(1) => f.write_str("; one use fits"),
            Some(uses) => write!(f, "; {uses} uses fit"),
            None => Ok(()),
        }
    }
}
