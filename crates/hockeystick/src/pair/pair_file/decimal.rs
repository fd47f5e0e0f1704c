//! Exact sums of the decimals that are written.
//!
//! Doubles of decimals that add up to 1 do not: whether two columns have the same sum can only be told from their digits.

use hockeystick_numerics::ball::Ball;

/// Decimal places in a limb.
const PLACES: i64 = 18;
/// `10^18`: one more than the largest limb. A double.
const BASE: u64 = 1_000_000_000_000_000_000;

/// A decimal from 0 to 1, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// From the first to the last digit that is not 0; none for 0.
    digits: Vec<u8>,
    /// The place of the first digit after the point, counted from 1; 0 is the digit of ones.
    first: i64,
}

impl Decimal {
    /// From a text that reads as a double: digits, perhaps a point, perhaps an exponent.
    pub(super) fn of(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = whole.trim_start_matches(['+', '-']);
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|digit| digit - b'0').collect();
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..zeros);
        digits.truncate(digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1));
        if digits.is_empty() {
            return Self { digits, first: 0 };
        }
        // Of an exponent with more digits than that, no double would be left.
        let exponent: i64 = exponent.parse().unwrap_or(0);
        Self { digits, first: 1 + zeros as i64 - whole.len() as i64 - exponent }
    }
}

/// A sum of decimals, exactly.
#[derive(Clone, Debug, Default)]
pub(super) struct DecimalSum {
    ones: u64,
    /// The digits after the point, eighteen in each limb, the leading ones first.
    limbs: Vec<u64>,
}

impl DecimalSum {
    /// Adds a decimal.
    pub(super) fn add(&mut self, decimal: &Decimal) {
        let last = decimal.first + decimal.digits.len() as i64;
        let needed = usize::try_from((last + PLACES - 1) / PLACES).unwrap_or(0);
        if self.limbs.len() < needed {
            self.limbs.resize(needed, 0);
        }
        for (place, digit) in (decimal.first..).zip(&decimal.digits) {
            let digit = u64::from(*digit);
            match usize::try_from(place - 1) {
                Ok(after_point) => {
                    let within = after_point as i64 % PLACES;
                    self.limbs[after_point / PLACES as usize] +=
                        digit * 10u64.pow((PLACES - 1 - within) as u32);
                }
                // No decimal up to 1 has digits before that of ones.
                Err(_) => self.ones += digit,
            }
        }
        for i in (0..needed).rev() {
            let carry = self.limbs[i] / BASE;
            self.limbs[i] %= BASE;
            match i.checked_sub(1) {
                Some(before) => self.limbs[before] += carry,
                None => self.ones += carry,
            }
        }
    }

    /// The sum less 1. Exactly 0 for a sum of exactly 1, and equal for equal sums.
    pub(super) fn less_one(&self) -> Ball {
        if self.ones == 0 {
            let (ones, limbs) = self.complement();
            return -(Ball::from(ones) + fraction(limbs.into_iter()));
        }
        Ball::from(self.ones - 1) + fraction(self.limbs.iter().copied())
    }

    /// 1 less a sum below 1: all digits from 9, and one more at the end.
    fn complement(&self) -> (u64, Vec<u64>) {
        let mut carry = 1;
        let mut limbs: Vec<u64> = self.limbs.iter().map(|limb| BASE - 1 - limb).collect();
        for limb in limbs.iter_mut().rev() {
            (*limb, carry) = ((*limb + carry) % BASE, (*limb + carry) / BASE);
        }
        (carry, limbs)
    }

    /// Is it the same number?
    pub(super) fn equals(&self, other: &Self) -> bool {
        let longest = self.limbs.len().max(other.limbs.len());
        let limb = |sum: &Self, i: usize| sum.limbs.get(i).copied().unwrap_or(0);
        self.ones == other.ones && (0..longest).all(|i| limb(self, i) == limb(other, i))
    }
}

/// `0.limb limb …` by Horner's rule, from the end.
fn fraction(limbs: impl DoubleEndedIterator<Item = u64>) -> Ball {
    limbs.rev().fold(Ball::ZERO, |rest, limb| (Ball::from(limb) + rest) / Ball::from(BASE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(texts: &[&str]) -> DecimalSum {
        let mut sum = DecimalSum::default();
        texts.iter().for_each(|text| sum.add(&Decimal::of(text)));
        sum
    }

    #[test]
    fn decimals_are_read_digit_by_digit() {
        let same = ["0.25", "2.5e-1", "25E-2", "+.25", "0.2500", "0.0000025e5", "00.25", "250e-3"];
        for text in same {
            assert_eq!(Decimal::of(text), Decimal { digits: vec![2, 5], first: 1 }, "{text}");
        }
        assert_eq!(Decimal::of("1"), Decimal { digits: vec![1], first: 0 });
        assert_eq!(Decimal::of("0.000e99999999999999999999"), Decimal { digits: vec![], first: 0 });
        assert_eq!(Decimal::of("1e-300").first, 300);
    }

    #[test]
    fn sums_are_exact() {
        assert_eq!(sum(&["0.1"; 10]).less_one(), Ball::ZERO);
        assert_eq!(sum(&["1"]).less_one(), Ball::ZERO);
        assert_eq!(sum(&["0.5", "0.499999999999999999999999999999", "1e-30"]).less_one(), Ball::ZERO);
        for (texts, truth) in [
            (vec!["1", "9e-14"], 9e-14),
            (vec!["1", "1e-300"], 1e-300),
            (vec!["0.999999999999999999999999999999"], -1e-30),
            (vec!["0.3", "0.3"], -0.4),
            // Digits beyond the 306th place once made this no number.
            (vec!["0.499999999999", "0.5", "1.00000000001e-299"], -1e-12),
            (vec!["1", "1", "0.5"], 1.5),
        ] {
            let found = sum(&texts).less_one();
            assert!(found.enclosure().contains(truth), "{texts:?}: {found:?}");
            // Up to seventeen divisions in less than full precision.
            assert!(found.radius() <= 1e-13 * truth.abs(), "{texts:?}: {found:?}");
        }
    }

    #[test]
    fn equal_sums_are_seen_whatever_is_written_behind_them() {
        assert!(sum(&["0.1", "0.2"]).equals(&sum(&["0.3000000000000000000000"])));
        assert!(!sum(&["0.1", "0.2", "1e-40"]).equals(&sum(&["0.3"])));
    }
}
