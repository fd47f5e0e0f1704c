//! The number to quote: an upper end in few digits, rounded up.

use crate::{exact::Exact, notation::Notation};

/// Rounding may add a tenth of the interval's width, but no more than a thousandth of the value, for it costs privacy.
const PART_OF_WIDTH: i32 = -1;
const LARGEST_PART: i32 = -3;
/// A millionth of the value may be added anyhow.
const SMALLEST_PART: i32 = -6;
/// Of a number below 0 that many digits are kept: a unit in the last is less than a millionth.
const DIGITS_OF_NEGATIVE: i32 = 7;

/// The upper end of an interval in as few digits as may be; `∞` if it is infinite.
///
/// # Guarantee
/// What is printed is not below the upper end, and above it by at most a tenth of the interval's width or 1e-6 of the upper
/// end, whichever is larger, and never by more than 1e-3 of the upper end.
pub fn quote(lower: Option<f64>, upper: f64, notation: Notation) -> String {
    if upper.is_infinite() || upper < 0.0 {
        return few_digits_up(upper, DIGITS_OF_NEGATIVE, notation);
    }
    let above = Exact::of(upper);
    let below = lower.filter(|lower| *lower >= 0.0).map(Exact::of);
    notation.write_bound(&quoted(below.as_ref(), &above))
}

/// The coarsest decimal that is close enough above.
pub(crate) fn quoted(below: Option<&Exact>, above: &Exact) -> Exact {
    let Some((first, last)) = above.leading_power().zip(above.trailing_power()) else {
        return above.clone();
    };
    let of_width = below.map(|below| above.distance(below).shifted(PART_OF_WIDTH));
    let capped = of_width.map(|part| part.min(above.shifted(LARGEST_PART)));
    let least = above.shifted(SMALLEST_PART);
    let room = capped.map_or(least.clone(), |part| part.max(least));
    let mut candidates = (last..=first).rev().map(|digit| above.rounded_up(digit));
    candidates.find(|up| up.distance(above) <= room).unwrap_or_else(|| above.clone())
}

/// A few digits of a number, rounded up; infinity stays what it is.
///
/// # Guarantee
/// What is printed is not below the number.
pub fn few_digits_up(value: f64, digits: i32, notation: Notation) -> String {
    rounded(value, digits, notation, Towards::Above)
}

/// A few digits of a number, rounded down.
///
/// # Guarantee
/// What is printed is not above the number.
pub fn few_digits_down(value: f64, digits: i32, notation: Notation) -> String {
    rounded(value, digits, notation, Towards::Below)
}

#[derive(Clone, Copy, PartialEq)]
enum Towards {
    Above,
    Below,
}

fn rounded(value: f64, digits: i32, notation: Notation, towards: Towards) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}∞");
    }
    let magnitude = Exact::of(value);
    let last = magnitude.last_of(digits);
    // Rounding a negative number up makes its magnitude smaller.
    let is_larger = (towards == Towards::Above) == (value >= 0.0);
    let rounded = if is_larger { magnitude.rounded_up(last) } else { magnitude.rounded_down(last) };
    format!("{sign}{}", notation.write_bound(&rounded))
}
