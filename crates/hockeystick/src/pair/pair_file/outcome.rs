//! One line of a file of probabilities.

use super::{
    super::two_columns::{Cell, FileProblem, Row, quoted},
    decimal::Decimal,
};

/// Positive numbers below this are refused: half a unit in their last place is not small relative to them.
const SMALLEST: f64 = 1e-300;

/// The probabilities of an outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    /// Under P.
    pub(super) p: Written,
    /// Under Q.
    pub(super) q: Written,
}

/// A probability, as the decimal that is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    /// The double nearest to it, 0 for 0 only.
    pub(super) nearest: f64,
    pub(super) decimal: Decimal,
}

impl Outcome {
    /// From the two numbers of a row.
    pub(super) fn read(row: Row<'_>) -> Result<Self, FileProblem> {
        Ok(Self { p: probability(row.first)?, q: probability(row.second)? })
    }

    /// From two doubles, which stand for the shortest decimals that read back as them.
    pub(super) fn of(p: f64, q: f64) -> Result<Self, FileProblem> {
        let (first, second) = (format!("{p:e}"), format!("{q:e}"));
        Self::read(Row { first: Cell { text: &first, value: p }, second: Cell { text: &second, value: q } })
    }
}

fn probability(Cell { text, value }: Cell<'_>) -> Result<Written, FileProblem> {
    if !(0.0..=1.0).contains(&value) {
        return Err(FileProblem::NotAProbability(quoted(text)));
    }
    if value < SMALLEST {
        let digits = text.split(['e', 'E']).next().unwrap_or_default();
        if digits.contains(|c: char| c.is_ascii_digit() && c != '0') {
            return Err(FileProblem::TooSmall(quoted(text)));
        }
    }
    // Adding 0 turns −0 into 0.
    Ok(Written { nearest: value + 0.0, decimal: Decimal::of(text) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(p: &str, q: &str) -> Result<(f64, f64, bool), FileProblem> {
        let cell = |text| Cell { text, value: str::parse::<f64>(text).unwrap() };
        Outcome::read(Row { first: cell(p), second: cell(q) })
            .map(|read| (read.p.nearest, read.q.nearest, read.p == read.q))
    }

    #[test]
    fn probabilities() {
        assert_eq!(read("0.25", "5E-1"), Ok((0.25, 0.5, false)));
        assert_eq!(read("0.1", "0.1"), Ok((0.1, 0.1, true)));
        assert_eq!(read("0.1", "1e-1"), Ok((0.1, 0.1, true)));
        assert_eq!(read("0.1", "0.1000000000000000000001"), Ok((0.1, 0.1, false)));
        assert_eq!(read("0", "-0.0"), Ok((0.0, 0.0, true)));
        assert!(read("0e5", "0.000").unwrap().1.is_sign_positive());
    }

    #[test]
    fn what_is_not_a_probability() {
        for text in ["-0.1", "inf", "1.0000001", "-inf"] {
            assert_eq!(read("0.5", text), Err(FileProblem::NotAProbability(text.into())), "{text:?}");
        }
        for text in ["1e-400", "0.0001e-320", "1e-301"] {
            assert_eq!(read(text, "0.5"), Err(FileProblem::TooSmall(text.into())), "{text:?}");
        }
    }
}
