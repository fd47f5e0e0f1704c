//! Numbers in text: reading them strictly, writing them shortest.

use std::fmt;

/// The largest count and the largest whole parameter, 10¹⁵: every whole number up to it is a double.
pub const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberProblem {
    Malformed,
    Overflow,
    Underflow,
}

/// The digits of a decimal number, taken apart.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: &'a str,
}

impl<'a> Decimal<'a> {
    fn split(text: &'a str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent_digits = exponent.unwrap_or("0").trim_start_matches('+');
        let well_formed = (is_digits(whole) || whole.is_empty())
            && (is_digits(fraction) || fraction.is_empty())
            && !(whole.is_empty() && fraction.is_empty())
            && is_digits(exponent_digits.strip_prefix('-').unwrap_or(exponent_digits))
            && exponent.is_none_or(|exponent| !exponent.starts_with("++") && !exponent.starts_with("+-"));
        well_formed.then_some(Self { negative, whole, fraction, exponent: exponent_digits })
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes()).filter(u8::is_ascii_digit)
    }

    fn is_zero(&self) -> bool {
        self.digits().all(|digit| digit == b'0')
    }
}

/// Digits, with single underscores between them.
fn is_digits(text: &str) -> bool {
    text.split('_').all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The digits of a decimal number without a sign, and the power of ten that they count: `2.5e3` is 25 times 10².
pub(super) fn digits_and_power(text: &str) -> Option<(String, i64)> {
    let decimal = Decimal::split(text).filter(|decimal| !decimal.negative)?;
    if decimal.is_zero() {
        return Some(("0".to_owned(), 0));
    }
    let exponent: i64 = decimal.exponent.replace('_', "").parse().ok()?;
    let decimals = decimal.fraction.bytes().filter(u8::is_ascii_digit).count();
    let digits = decimal.digits().map(char::from).collect();
    Some((digits, exponent.checked_sub(i64::try_from(decimals).ok()?)?))
}

/// The double nearest to a decimal number, unless it is infinite, or zero where the number is not.
pub(super) fn read(text: &str) -> Result<f64, NumberProblem> {
    let decimal = Decimal::split(text).ok_or(NumberProblem::Malformed)?;
    let value: f64 = text.replace('_', "").parse().map_err(|_| NumberProblem::Malformed)?;
    if value.is_infinite() {
        Err(NumberProblem::Overflow)
    } else if value == 0.0 && !decimal.is_zero() {
        Err(NumberProblem::Underflow)
    } else {
        Ok(value)
    }
}

/// The decimal number as a whole number up to 10¹⁵, decided on its digits: 1.00000000000000000001 is not
/// whole although the nearest double is.
pub(super) fn read_whole(text: &str) -> Option<u64> {
    let decimal = Decimal::split(text)?;
    if decimal.is_zero() {
        return (!decimal.negative).then_some(0);
    }
    if decimal.negative {
        return None;
    }
    let exponent: i64 = decimal.exponent.replace('_', "").parse().ok()?;
    let decimals = i64::try_from(decimal.fraction.bytes().filter(u8::is_ascii_digit).count()).ok()?;
    let digits: Vec<u8> = decimal.digits().skip_while(|digit| *digit == b'0').collect();
    let significant = digits.iter().rposition(|digit| *digit != b'0')? + 1;
    let zeros = exponent
        .checked_sub(decimals)?
        .checked_add(i64::try_from(digits.len() - significant).ok()?)
        .and_then(|zeros| u32::try_from(zeros).ok())?;
    let mut value: u64 = 0;
    for digit in &digits[..significant] {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    10u64.checked_pow(zeros).and_then(|power| value.checked_mul(power)).filter(|value| *value <= MAX_COUNT)
}

/// Writes a double with the fewest digits that read back as the same double.
#[derive(Clone, Copy)]
pub(crate) struct Shortest(pub(crate) f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        if value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_strictly() {
        for (text, value) in [("1", 1.0), ("-2.5e1", -25.0), (".5", 0.5), ("5.", 5.0), ("1_000.5E-1", 100.05)]
        {
            assert_eq!(read(text), Ok(value), "{text}");
        }
        for text in
            ["", "-", ".", "e5", "1e", "1e+", "1e++5", "1e+-5", "1__0", "_1", "1_", "0x1", "1.2.3", "inf"]
        {
            assert_eq!(read(text), Err(NumberProblem::Malformed), "{text}");
        }
        assert_eq!(read("1e999"), Err(NumberProblem::Overflow));
        assert_eq!(read("1e-999"), Err(NumberProblem::Underflow));
        assert_eq!(read("0e-999"), Ok(0.0));
        assert_eq!(read("5e-324"), Ok(5e-324));
    }

    #[test]
    fn whole_numbers_are_decided_on_their_digits() {
        let whole =
            [("1e6", 1_000_000), ("1_000_000", 1_000_000), ("2.5e1", 25), ("100e-2", 1), ("007.0", 7)];
        for (text, value) in whole {
            assert_eq!(read_whole(text), Some(value), "{text}");
        }
        assert_eq!(read_whole("1e15"), Some(MAX_COUNT));
        assert_eq!(read_whole("0e99999999999999999999"), Some(0));
        for text in [
            "2.5",
            "1e16",
            "1000000000000001",
            "1.00000000000000000001",
            "-1",
            "1e-1",
            "1e9999999999999999999",
        ] {
            assert_eq!(read_whole(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_shortest() {
        let cases = [
            (1.0, "1"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (9.9e-5, "9.9e-5"),
            (1e14, "100000000000000"),
            (1e15, "1e15"),
            (-0.5, "-0.5"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e308"),
        ];
        for (value, text) in cases {
            assert_eq!(Shortest(value).to_string(), text);
            assert_eq!(read(text), Ok(value));
        }
    }
}
