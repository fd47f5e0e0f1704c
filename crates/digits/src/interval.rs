//! An interval in words: `= 2.59445 ± 7e-5`.

use crate::{
    exact::Exact,
    notation::Notation,
    quote::{few_digits_down, few_digits_up, quote},
};

/// How many digits the ends of a wide interval have.
const DIGITS_OF_WIDE: i32 = 4;
/// How many digits a number without an error bound has.
const DIGITS_OF_ONE_SIDED: i32 = 10;
/// A single number with at most so many digits is written in full.
const DIGITS_OF_EXACT: i32 = 17;

/// A half-width with more zeros than this at its end is written with an exponent.
const FEW_ZEROS: i32 = 3;

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// It lies between two numbers, or at their common value.
    Between(f64, f64),
    /// It is at most this.
    AtMost(f64),
    /// It is about this.
    About(f64),
}

/// An interval in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What follows the symbol: `= 2.59445 ± 7e-5`.
    pub relation: String,
    /// What to quote: a decimal that is not below the upper end, if that is a finite guarantee.
    pub at_most: Option<String>,
}

impl Bounds {
    /// What is known, if it is an estimate, or has a lower end, or has none.
    pub fn of(is_estimate: bool, lower: Option<f64>, upper: f64) -> Self {
        match lower {
            _ if is_estimate => Self::About(upper),
            Some(lower) => Self::Between(lower, upper),
            None => Self::AtMost(upper),
        }
    }

    /// The interval in as few digits as may be. NaN is said to be no number.
    ///
    /// # Guarantee
    /// Every number within the bounds is within what is printed. If the bounds are two different finite numbers, what is printed
    /// is at most twice as wide. `at_most` is what [`quote`] prints.
    pub fn shown(self, notation: Notation) -> Shown {
        let (lower, upper) = match self {
            Self::Between(lower, upper) => (Some(lower), upper),
            Self::AtMost(upper) | Self::About(upper) => (None, upper),
        };
        if upper.is_nan() || lower.is_some_and(f64::is_nan) {
            return Shown { relation: "is not a number".to_owned(), at_most: None };
        }
        let relation = match self {
            Self::Between(lower, upper) => between(lower, upper, notation),
            Self::AtMost(upper) => format!("≤ {}", few_digits_up(upper, DIGITS_OF_ONE_SIDED, notation)),
            Self::About(value) => about(value, notation),
        };
        let is_quotable = upper.is_finite() && !matches!(self, Self::About(_));
        Shown { relation, at_most: is_quotable.then(|| quote(lower, upper, notation)) }
    }
}

fn about(value: f64, notation: Notation) -> String {
    let sign = sign(value);
    if value.is_infinite() {
        return format!("≈ {sign}∞");
    }
    let magnitude = Exact::of(value);
    let last = magnitude.last_of(DIGITS_OF_ONE_SIDED);
    format!("≈ {sign}{}", notation.write(&magnitude.rounded(last), last))
}

fn between(lower: f64, upper: f64, notation: Notation) -> String {
    if lower == upper {
        return point(lower, notation);
    }
    if lower.is_infinite() || upper.is_infinite() || (lower < 0.0 && upper > 0.0) {
        return ends(lower, upper, notation);
    }
    let (one, other) = (Exact::of(lower), Exact::of(upper));
    let (below, above) = if one < other { (one, other) } else { (other, one) };
    // Of a number that may be twice another no digit is certain.
    if above > below.plus(&below) {
        return ends(lower, upper, notation);
    }
    centred(sign(lower), &below, &above, notation)
}

/// A single number: in full, or in the digits that read back as the same double, and how far these are from it.
fn point(value: f64, notation: Notation) -> String {
    let sign = sign(value);
    if value.is_infinite() {
        return format!("= {sign}∞");
    }
    let magnitude = Exact::of(value);
    if magnitude.last_of(DIGITS_OF_EXACT) <= magnitude.trailing_power().unwrap_or(0) {
        return format!("= {sign}{} (exact)", notation.write_bound(&magnitude));
    }
    let centre = Exact::shortest(value);
    let reach = centre.distance(&magnitude);
    let radius = reach.rounded_up(reach.last_of(1));
    format!("= {sign}{} ± {}", notation.write_bound(&centre), notation.write_bound(&radius))
}

/// A middle and a half-width down to the same digit, the coarsest that does not make the interval twice as wide.
///
/// A digit of the size of the half-width h always does, for then the middle is off by at most half a unit, and what is
/// needed, h + 1/2 rounded up to a whole unit, is at most 2h for every h ≥ 1.
fn centred(sign: &str, below: &Exact, above: &Exact, notation: Notation) -> String {
    let width = below.distance(above);
    let middle = below.plus(above).half();
    let finest = width.half().leading_power().expect("the ends differ");
    let coarsest = width.leading_power().expect("the ends differ");
    let found = (finest..=coarsest).rev().find_map(|last| {
        let centre = middle.rounded(last);
        let reach = centre.distance(below).max(centre.distance(above));
        let radius = reach.rounded_up(last);
        // Beside a middle like 4.95e7 nobody counts the zeros of 700000.
        let of_radius = if last > FEW_ZEROS { Notation::Scientific } else { notation };
        let radius_text = of_radius.write_bound(&radius);
        (radius <= width).then(|| format!("= {sign}{} ± {radius_text}", notation.write(&centre, last)))
    });
    found.expect("a digit of the size of the half-width")
}

/// Both ends, rounded outward.
fn ends(lower: f64, upper: f64, notation: Notation) -> String {
    let below = few_digits_down(lower, DIGITS_OF_WIDE, notation);
    format!("between {below} and {}", few_digits_up(upper, DIGITS_OF_WIDE, notation))
}

fn sign(value: f64) -> &'static str {
    if value < 0.0 { "-" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(lower: f64, upper: f64) -> (String, String) {
        let shown = Bounds::Between(lower, upper).shown(Notation::Plain);
        (shown.relation, shown.at_most.unwrap_or_default())
    }

    fn strings(relation: &str, at_most: &str) -> (String, String) {
        (relation.to_owned(), at_most.to_owned())
    }

    #[test]
    fn narrow_intervals_have_a_middle() {
        assert_eq!(plain(2.59438, 2.59451), strings("= 2.59445 ± 7e-5", "2.59452"));
        assert_eq!(plain(2.01234567887, 2.01234567893), strings("= 2.01234567890 ± 4e-11", "2.012346"));
        assert_eq!(plain(0.21, 0.23), strings("= 0.22 ± 0.02", "0.2301"));
        assert_eq!(plain(1e-9, 1.0001e-9), strings("= 1.0001e-9 ± 1e-13", "1.00011e-9"));
        assert_eq!(plain(123_456.0, 123_458.0), strings("= 123457 ± 1", "123458"));
        assert_eq!(plain(12_300_000.0, 12_300_200.0), strings("= 1.23001e7 ± 100", "12300200"));
        assert_eq!(plain(2e11, 3.2e11), strings("= 3e11 ± 1e11", "3.2e11"));
        assert_eq!(plain(48_800_000.0, 50_200_000.0).0, "= 4.95e7 ± 7e5");
    }

    #[test]
    fn a_half_width_that_would_double_by_a_carry_keeps_two_digits() {
        assert_eq!(plain(9.9999, 10.0001), strings("= 10.0000 ± 0.0001", "10.0001"));
        assert_eq!(plain(1.00003, 1.00021), strings("= 1.00012 ± 0.0001", "1.00022"));
        assert_eq!(plain(2.000046, 2.000244), strings("= 2.00015 ± 0.00011", "2.00025"));
    }

    #[test]
    fn single_numbers_are_exact_if_they_fit() {
        assert_eq!(plain(1.0, 1.0), strings("= 1 (exact)", "1"));
        assert_eq!(plain(0.0, 0.0), strings("= 0 (exact)", "0"));
        assert_eq!(plain(-0.0, 0.0), strings("= 0 (exact)", "0"));
        assert_eq!(plain(0.375, 0.375), strings("= 0.375 (exact)", "0.375"));
        assert_eq!(plain(1e20, 1e20), strings("= 1e20 (exact)", "1e20"));
        // The double next to 0.1 has 55 digits.
        assert_eq!(plain(0.1, 0.1), strings("= 0.1 ± 6e-18", "0.1000001"));
        assert_eq!(plain(5e-324, 5e-324).0, "= 5e-324 ± 6e-326");
    }

    #[test]
    fn wide_intervals_show_their_ends() {
        assert_eq!(plain(0.25, 1.5), strings("between 0.25 and 1.5", "1.5"));
        assert_eq!(plain(0.0, 1e-3), strings("between 0 and 0.001001", "0.001001"));
        assert_eq!(plain(0.0, 3e-310), strings("between 0 and 3e-310", "3e-310"));
        assert_eq!(plain(1e-300, 1e300).0, "between 1e-300 and 1.001e300");
    }

    #[test]
    fn infinite_ends_are_named() {
        assert_eq!(plain(f64::INFINITY, f64::INFINITY), strings("= ∞", ""));
        assert_eq!(plain(0.0, f64::INFINITY), strings("between 0 and ∞", ""));
        assert_eq!(plain(2.5, f64::INFINITY), strings("between 2.5 and ∞", ""));
        assert_eq!(plain(f64::NEG_INFINITY, 2.5), strings("between -∞ and 2.5", "2.5"));
    }

    #[test]
    fn numbers_below_0_keep_their_sign() {
        assert_eq!(plain(-2.59451, -2.59438), strings("= -2.59445 ± 7e-5", "-2.59438"));
        assert_eq!(plain(-0.5, 0.25), strings("between -0.5 and 0.25", "0.25"));
        assert_eq!(plain(-1.5, -0.25), strings("between -1.5 and -0.25", "-0.25"));
        assert_eq!(plain(-0.375, -0.375), strings("= -0.375 (exact)", "-0.375"));
    }

    #[test]
    fn one_sided_numbers_never_look_like_more() {
        let at_most = Bounds::AtMost(2.0).shown(Notation::Plain);
        assert_eq!((at_most.relation.as_str(), at_most.at_most.as_deref()), ("≤ 2", Some("2")));
        let at_most = Bounds::AtMost(5.298525912188081).shown(Notation::Plain);
        assert_eq!(
            (at_most.relation.as_str(), at_most.at_most.as_deref()),
            ("≤ 5.298525913", Some("5.29853"))
        );
        let about = Bounds::About(1e-5).shown(Notation::Scientific);
        assert_eq!((about.relation.as_str(), about.at_most), ("≈ 1.000000000e-5", None));
        assert_eq!(Bounds::AtMost(f64::INFINITY).shown(Notation::Plain).at_most, None);
        assert_eq!(Bounds::Between(f64::NAN, 1.0).shown(Notation::Plain).relation, "is not a number");
    }
}
