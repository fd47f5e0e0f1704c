//! What a column of probabilities stands for when it does not quite add up to 1.

use super::{super::two_columns::FileProblem, decimal::DecimalSum, outcome::Written};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, rounding::UNIT_ROUNDOFF};

/// Columns further from 1 than this are refused.
const TOLERANCE: f64 = 1e-9;
/// What is missing to 1 up to this is due to the digits that were printed.
const ROUND_OFF: f64 = 1e-13;

/// The reading of a column `x` with the exact sum `S` of its decimals.
///
/// - `S ≥ 1 − 10⁻¹³`, up to `1 + 10⁻⁹`: the law `x/S`.
/// - `S < 1 − 10⁻¹³`, down to `1 − 10⁻⁹`: the rest belongs to outcomes that are not listed, or to some that are. It is given to
///   an outcome of its own, which the other law cannot produce.
///
/// Both columns together: let `p`, `q` be the readings without these outcomes of their own, of mass `a` and `b`. The pair dominates all
/// laws `p + a′`, `q + b′` with `a′, b′ ≥ 0`, `Σa′ = a`, `Σb′ = b`, for any event `A` and `α ≥ 0`:
/// `(p + a′)(A) − α(q + b′)(A) ≤ p(A) − αq(A) + a`, and the right side is what the pair reaches with `A` and the outcome of `a`.
/// Swapped, the same holds for the other direction. Where neither column has a rest, it is the pair `x/S_P`, `y/S_Q` itself: what is
/// written alike has the loss `ln(S_Q/S_P)`, which is 0 only where the sums are the same.
#[derive(Clone, Debug)]
pub(super) struct Column {
    name: &'static str,
    sum: DecimalSum,
    /// `S − 1`.
    excess: Ball,
}

impl Column {
    /// Adds up a column and decides on its reading.
    pub(super) fn new<'a>(
        name: &'static str,
        entries: impl Iterator<Item = &'a Written>,
    ) -> Result<Self, FileProblem> {
        let mut sum = DecimalSum::default();
        entries.for_each(|entry| sum.add(&entry.decimal));
        let excess = sum.less_one();
        let ends = excess.enclosure();
        if ends.lower() < -TOLERANCE || ends.upper() > TOLERANCE {
            return Err(FileProblem::Sum { column: name, sum: (Ball::ONE + excess).approximate() });
        }
        Ok(Self { name, sum, excess })
    }

    /// Is the rest an outcome of its own?
    fn has_rest(&self) -> bool {
        self.excess.approximate() < -ROUND_OFF
    }

    /// What entries are divided by, less 1.
    fn divisor_less_one(&self) -> Ball {
        if self.has_rest() { Ball::ZERO } else { self.excess }
    }

    /// The probability that an entry stands for.
    pub(super) fn read(&self, entry: &Written) -> Ball {
        // The decimal that is written is within half a unit in the last place of its double.
        let written = Ball::new(DoubleDouble::ONE, UNIT_ROUNDOFF * (1.0 + 4.0 * UNIT_ROUNDOFF));
        Ball::from(entry.nearest) * written / (Ball::ONE + self.divisor_less_one())
    }

    /// The loss `ln(S_Q/S_P)` of an outcome that is written alike in this column, P, and in another, Q.
    pub(super) fn loss_if_alike(&self, q: &Self) -> Ball {
        let is_even = self.has_rest() == q.has_rest() && (self.has_rest() || self.sum.equals(&q.sum));
        if is_even { Ball::ZERO } else { q.divisor_less_one().ln_1p() - self.divisor_less_one().ln_1p() }
    }

    /// What is missing to 1, if that is more than round-off.
    pub(super) fn missing(&self) -> Ball {
        if self.has_rest() { -self.excess } else { Ball::ZERO }
    }

    /// What was made of a difference that matters.
    pub(super) fn note(&self) -> Option<String> {
        let off = self.excess.approximate().abs();
        let made = if self.has_rest() {
            "the rest is counted as outcomes that give the data away"
        } else {
            "it is normalised"
        };
        let column = self.name;
        (off > ROUND_OFF)
            .then(|| format!("the probabilities under {column} add up to 1 within {off:.1e} only; {made}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::pair_file::decimal::Decimal;

    fn written(text: &str) -> Written {
        Written { nearest: text.parse().unwrap(), decimal: Decimal::of(text) }
    }

    fn column(entries: &[&str]) -> Column {
        let entries: Vec<Written> = entries.iter().map(|text| written(text)).collect();
        Column::new("P", entries.iter()).unwrap()
    }

    #[test]
    fn decimals_are_exact() {
        let tenths = column(&["0.1"; 10]);
        assert_eq!((tenths.note(), tenths.missing()), (None, Ball::ZERO));
        let read = tenths.read(&written("0.1")).enclosure();
        assert!(read.contains(0.1) && read.width() < 1e-16);
    }

    #[test]
    fn too_much_is_normalised() {
        let much = column(&["0.5", "0.5000000005"]);
        let read = much.read(&written("0.5")).enclosure();
        assert!(read.contains(0.5 / (1.0 + 5e-10)) && read.width() < 1e-15, "{read:?}");
        assert!(much.note().unwrap().contains("under P add up to 1 within 5.0e-10"));
    }

    #[test]
    fn too_little_is_kept_apart() {
        let little = column(&["0.5", "0.4999999995"]);
        let missing = little.missing().enclosure();
        assert!(missing.contains(5e-10) && missing.width() < 1e-15);
        assert!(little.read(&written("0.5")).enclosure().width() < 2.3e-16);
    }

    #[test]
    fn what_is_written_alike_is_even_only_if_the_sums_are() {
        let (one, more) = (column(&["1", "0"]), column(&["1", "9e-14"]));
        assert_eq!(one.loss_if_alike(&one), Ball::ZERO);
        assert_eq!(more.loss_if_alike(&column(&["9e-14", "1"])), Ball::ZERO);
        assert!(one.loss_if_alike(&more).enclosure().contains(9e-14f64.ln_1p()));
        // Neither is divided by anything.
        let (little, less) = (column(&["1", "0"]), column(&["0.5", "0.4999999995"]));
        assert_eq!(less.loss_if_alike(&less), Ball::ZERO);
        assert_eq!(little.loss_if_alike(&less).enclosure().midpoint(), 0.0);
    }

    #[test]
    fn other_sums_are_refused() {
        for entries in [["0.5", "0.500001"], ["0.5", "0.4"], ["0.0", "0.0"], ["1", "1"]] {
            let entries = entries.map(written);
            assert!(Column::new("Q", entries.iter()).is_err(), "{entries:?}");
        }
    }
}
