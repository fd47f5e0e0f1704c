//! Doubles as the decimals they are, digit by digit, so that rounding has a direction.

use std::cmp::Ordering;

/// The largest double has 309 digits before the point; one more for sums and for rounding up.
const INTEGER_DIGITS: usize = 310;
/// The smallest double has 1074 digits after the point; one more for halves.
const FRACTION_DIGITS: usize = 1075;

/// The power of ten of the last digit that is kept.
const LOWEST_POWER: i32 = -(FRACTION_DIGITS as i32);

/// A decimal, not negative, with a digit for every power of ten that a double can reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Exact {
    /// Most significant first, all of the same length: numbers compare as their digits do.
    digits: Vec<u8>,
}

fn index(power: i32) -> usize {
    (INTEGER_DIGITS as i32 - 1 - power) as usize
}

fn power(index: usize) -> i32 {
    INTEGER_DIGITS as i32 - 1 - index as i32
}

impl Exact {
    /// The value of a finite double that is not negative.
    pub(crate) fn of(value: f64) -> Self {
        // The standard library prints as many digits as are asked for, all of them right. Zero may have a sign.
        Self::of_digits(&format!("{:.FRACTION_DIGITS$}", value.abs()))
    }

    /// The fewest digits that read back as a finite double that is not negative.
    pub(crate) fn shortest(value: f64) -> Self {
        // Without an exponent the standard library writes the shortest digits in place.
        Self::of_digits(&format!("{}", value.abs()))
    }

    fn of_digits(plain: &str) -> Self {
        let (integer, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let mut digits = vec![0; INTEGER_DIGITS - integer.len()];
        digits.extend(integer.bytes().chain(fraction.bytes()).map(|digit| digit - b'0'));
        digits.resize(INTEGER_DIGITS + FRACTION_DIGITS, 0);
        Self { digits }
    }

    /// `10^power`.
    pub(crate) fn unit(power: i32) -> Self {
        let mut digits = vec![0; INTEGER_DIGITS + FRACTION_DIGITS];
        digits[index(power)] = 1;
        Self { digits }
    }

    /// The power of ten of the first digit that is not 0, unless all are.
    pub(crate) fn leading_power(&self) -> Option<i32> {
        self.digits.iter().position(|digit| *digit != 0).map(power)
    }

    /// The power of ten of the last digit that is not 0, unless all are.
    pub(crate) fn trailing_power(&self) -> Option<i32> {
        self.digits.iter().rposition(|digit| *digit != 0).map(power)
    }

    /// The power of ten of the last of `digits` significant digits.
    pub(crate) fn last_of(&self, digits: i32) -> i32 {
        self.leading_power().map_or(0, |first| (first - digits + 1).max(LOWEST_POWER))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut carry = 0;
        let mut digits = self.digits.clone();
        for (digit, added) in digits.iter_mut().zip(&other.digits).rev() {
            let sum = *digit + added + carry;
            (*digit, carry) = (sum % 10, sum / 10);
        }
        Self { digits }
    }

    /// `|self − other|`.
    pub(crate) fn distance(&self, other: &Self) -> Self {
        let (larger, smaller) = if self.cmp(other) == Ordering::Less { (other, self) } else { (self, other) };
        let mut borrow = 0;
        let mut digits = larger.digits.clone();
        for (digit, taken) in digits.iter_mut().zip(&smaller.digits).rev() {
            let difference = 10 + *digit - taken - borrow;
            (*digit, borrow) = (difference % 10, u8::from(difference < 10));
        }
        Self { digits }
    }

    /// `self · 10^power` for a power that is not positive; digits below the last one are cut off.
    pub(crate) fn shifted(&self, power: i32) -> Self {
        let by = power.unsigned_abs() as usize;
        let mut digits = vec![0; by];
        digits.extend(&self.digits[..self.digits.len() - by]);
        Self { digits }
    }

    /// Half of a number whose last digit is 0.
    pub(crate) fn half(&self) -> Self {
        let mut rest = 0;
        let mut digits = self.digits.clone();
        for digit in &mut digits {
            let whole = rest * 10 + *digit;
            (*digit, rest) = (whole / 2, whole % 2);
        }
        Self { digits }
    }

    /// The largest multiple of `10^power` that is not above.
    pub(crate) fn rounded_down(&self, power: i32) -> Self {
        let mut digits = self.digits.clone();
        digits[index(power) + 1..].fill(0);
        Self { digits }
    }

    /// The smallest multiple of `10^power` that is not below.
    pub(crate) fn rounded_up(&self, power: i32) -> Self {
        let below = self.rounded_down(power);
        if below == *self { below } else { below.plus(&Self::unit(power)) }
    }

    /// The nearest multiple of `10^power`, the larger of two.
    pub(crate) fn rounded(&self, power: i32) -> Self {
        if power == LOWEST_POWER {
            return self.clone();
        }
        let next = index(power) + 1;
        let below = self.rounded_down(power);
        if self.digits[next] >= 5 { below.plus(&Self::unit(power)) } else { below }
    }

    /// `123.450` down to the digit of `last`, which is at most 0.
    pub(crate) fn plain(&self, last: i32) -> String {
        let first = self.leading_power().unwrap_or(0).max(0);
        let mut text = self.characters(first, last.min(0));
        if last < 0 {
            text.insert((first + 1) as usize, '.');
        }
        text
    }

    /// `1.23450e2` down to the digit of `last`.
    pub(crate) fn scientific(&self, last: i32) -> String {
        let Some(first) = self.leading_power() else {
            return "0".to_owned();
        };
        let mut text = self.characters(first, last.min(first));
        if text.len() > 1 {
            text.insert(1, '.');
        }
        format!("{text}e{first}")
    }

    fn characters(&self, first: i32, last: i32) -> String {
        self.digits[index(first)..=index(last)].iter().map(|digit| char::from(b'0' + digit)).collect()
    }
}

#[cfg(test)]
impl Exact {
    /// Reads what `plain` and `scientific` write.
    pub(crate) fn parse(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().unwrap();
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = vec![0; INTEGER_DIGITS + FRACTION_DIGITS];
        for (place, digit) in integer.bytes().chain(fraction.bytes()).enumerate() {
            let power = exponent + integer.len() as i32 - 1 - place as i32;
            if digit != b'0' {
                digits[index(power)] = digit - b'0';
            }
        }
        Self { digits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn doubles_are_taken_as_they_are() {
        let tenth = "0.1000000000000000055511151231257827021181583404541015625";
        assert_eq!(Exact::of(0.1), Exact::parse(tenth));
        assert_eq!(Exact::of(0.1).plain(Exact::of(0.1).trailing_power().unwrap()), tenth);
        assert_eq!(Exact::of(f64::MAX).leading_power(), Some(308));
        assert_eq!(Exact::of(5e-324).trailing_power(), Some(-1074));
        assert_eq!(Exact::of(0.0).leading_power(), None);
        assert_eq!(Exact::of(-0.0), Exact::of(0.0));
    }

    #[test]
    fn numbers_are_written_down_to_a_digit() {
        let number = Exact::of(1024.5);
        assert_eq!([number.plain(0), number.plain(-1), number.plain(-3)], ["1024", "1024.5", "1024.500"]);
        assert_eq!([number.scientific(3), number.scientific(-2)], ["1e3", "1.02450e3"]);
        assert_eq!(Exact::of(0.0625).plain(-5), "0.06250");
        assert_eq!([Exact::of(0.0).plain(0), Exact::of(0.0).scientific(-9)], ["0", "0"]);
    }

    proptest! {
        /// Whole numbers below 2^52 are exact doubles, and integer arithmetic is the reference.
        #[test]
        fn arithmetic_agrees_with_integers(a in 0u64..1 << 52, b in 0u64..1 << 52, power in 0u32..15) {
            let exact = |value: u64| Exact::of(value as f64);
            let unit = 10u64.pow(power);
            prop_assert_eq!(exact(a).plus(&exact(b)), exact(a + b));
            prop_assert_eq!(exact(a).distance(&exact(b)), exact(a.abs_diff(b)));
            prop_assert_eq!(exact(a).half(), Exact::of(a as f64 / 2.0));
            prop_assert_eq!(exact(a).cmp(&exact(b)), a.cmp(&b));
            prop_assert_eq!(exact(a).rounded_down(power as i32), exact(a / unit * unit));
            prop_assert_eq!(exact(a).rounded_up(power as i32), exact(a.div_ceil(unit) * unit));
            prop_assert_eq!(exact(a).rounded(power as i32), exact((a + unit / 2) / unit * unit));
        }

        #[test]
        fn what_is_written_is_read(bits in 0u64..f64::INFINITY.to_bits()) {
            let exact = Exact::of(f64::from_bits(bits));
            let last = exact.trailing_power().unwrap_or(0);
            prop_assert_eq!(&Exact::parse(&exact.scientific(last)), &exact);
            if last <= 0 {
                prop_assert_eq!(&Exact::parse(&exact.plain(last)), &exact);
            }
        }
    }
}
