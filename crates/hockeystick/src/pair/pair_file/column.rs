//! What a column of probabilities stands for when it does not quite add up to 1.

use super::super::two_columns::FileProblem;
use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, rounding::UNIT_ROUNDOFF, summation::CompensatedSum,
};

/// Columns further from 1 than this are refused.
const TOLERANCE: f64 = 1e-9;
/// Columns closer to 1 than this are as good as their printed digits and the arithmetic that made them.
const ROUND_OFF: f64 = 1e-13;

/// The readings of a column `x` with the sum `S`.
///
/// - `|S − 1| ≤ 10⁻¹³`: rounded digits. Each probability is within `(|S − 1| + u)x` of what is written, which holds both
///   `x` and `x/S`.
/// - `S > 1`, by up to 10⁻⁹: too much was written. Each probability is within `(S − 1)x` of what is written: bounds hold for
///   the normalised `x/S` and for every other law that near. (What is written is no law; if it is `Q`, its larger masses
///   only lower `δ`, and bounds hold for it too.)
/// - `S < 1`, by up to 10⁻⁹: the rest belongs to outcomes that are not listed, or to some that are. It is given to an
///   outcome of its own, which the other law cannot produce. The result dominates every completion `x + a` with `a ≥ 0`,
///   `Σa = 1 − S`, the normalised `x/S` among them, and the column as it is written: for any event `A`,
///   `(p + a)(A) − α(q + b)(A) ≤ p(A) − αq(A) + Σa`, and the right side is what the pair with `Σa` at `L = ∞` and `Σb` at
///   `L = −∞` reaches with `A` and the outcome of `Σa`. Swapped, the same holds for the other direction.
#[derive(Clone, Debug)]
pub(super) struct Column {
    name: &'static str,
    sum: f64,
    /// Where the probability of a written `x` lies, relative to `x`.
    factor: Ball,
    missing: Ball,
}

impl Column {
    /// Adds up a column and decides on its reading.
    pub(super) fn new(name: &'static str, entries: impl Iterator<Item = f64>) -> Result<Self, FileProblem> {
        let total: CompensatedSum = entries.collect();
        let sum = total.value();
        let excess = sum - 1.0;
        // 1 is a double and the sum is next to it: the difference is exact.
        let off = excess.abs() + total.error_bound();
        if off.is_nan() || off > TOLERANCE {
            return Err(FileProblem::Sum { column: name, sum });
        }
        // The decimal that is written is within half a unit in the last place of its double.
        let written = UNIT_ROUNDOFF * (1.0 + 4.0 * UNIT_ROUNDOFF);
        let within =
            |mid: f64, radius: f64| Ball::new(DoubleDouble::from(mid), radius * (1.0 + 1e-9) + written);
        let (factor, missing) = if off <= ROUND_OFF {
            (within(1.0, off), Ball::ZERO)
        } else if excess > 0.0 {
            // 1/S ≥ 1 − off.
            (within(1.0, off), Ball::ZERO)
        } else {
            let radius = total.error_bound() + written;
            (within(1.0, 0.0), Ball::new(DoubleDouble::from(-excess), radius))
        };
        Ok(Self { name, sum, factor, missing })
    }

    /// The probability that `x` stands for.
    pub(super) fn read(&self, x: f64) -> Ball {
        Ball::from(x) * self.factor
    }

    /// What is missing to 1, if that is more than round-off.
    pub(super) fn missing(&self) -> Ball {
        self.missing
    }

    /// Was the column changed by more than round-off?
    pub(super) fn is_changed(&self) -> bool {
        (self.sum - 1.0).abs() > ROUND_OFF
    }

    /// What was made of a difference that matters.
    pub(super) fn note(&self) -> Option<String> {
        let off = (self.sum - 1.0).abs();
        let made = if self.sum < 1.0 {
            "the rest is counted as outcomes that give the data away"
        } else {
            "it is normalised, and answers hold for any law as near to what is written"
        };
        let column = self.name;
        self.is_changed()
            .then(|| format!("the probabilities under {column} add up to 1 within {off:.1e} only; {made}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(entries: &[f64]) -> Column {
        Column::new("P", entries.iter().copied()).unwrap()
    }

    #[test]
    fn decimals_are_round_off() {
        let tenths = column(&[0.1; 10]);
        assert_eq!((tenths.is_changed(), tenths.note(), tenths.missing()), (false, None, Ball::ZERO));
        let read = tenths.read(0.1).enclosure();
        assert!(read.contains(0.1) && read.width() < 1e-16);
    }

    #[test]
    fn both_readings_of_too_much_are_inside() {
        let much = column(&[0.5, 0.5 + 5e-10]);
        let read = much.read(0.5).enclosure();
        assert!(read.contains(0.5) && read.contains(0.5 / (1.0 + 5e-10)));
        assert!(much.note().unwrap().contains("under P add up to 1 within 5.0e-10"));
    }

    #[test]
    fn too_little_is_kept_apart() {
        let little = column(&[0.5, 0.5 - 5e-10]);
        let missing = little.missing().enclosure();
        assert!(missing.contains(5e-10) && missing.width() < 1e-15);
        assert!(little.read(0.5).enclosure().width() < 2.3e-16);
    }

    #[test]
    fn other_sums_are_refused() {
        for entries in [[0.5, 0.500001], [0.5, 0.4], [0.0, 0.0], [1.0, 1.0]] {
            assert!(Column::new("Q", entries.into_iter()).is_err(), "{entries:?}");
        }
    }
}
