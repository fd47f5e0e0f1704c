//! An interval in the digits that are certain: `2.0123456789 ± 3e-11`.

use super::exact::{Exact, LOWEST_POWER};

/// More digits than this say nothing about a double.
const MOST_DIGITS: i32 = 16;
/// How many digits the ends of a wide interval have.
const DIGITS_OF_WIDE: i32 = 3;
/// How many digits a number without an error bound has.
const DIGITS_OF_ONE_SIDED: i32 = 10;

/// What is known of a number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bounds {
    /// It lies between two numbers.
    Between(f64, f64),
    /// It is at most this.
    AtMost(f64),
    /// It is about this.
    About(f64),
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Notation {
    /// `0.0012`, and `1.2e-9` where that is shorter.
    Plain,
    /// `1.2e-3`.
    Scientific,
}

/// An interval in words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// What follows the symbol: `= 2.0123456789 ± 3e-11`.
    pub(crate) relation: String,
    /// A decimal that is not below the upper end, if that is a finite guarantee.
    pub(crate) at_most: Option<String>,
}

impl Bounds {
    /// The interval in the digits that are certain.
    ///
    /// # Guarantee
    /// Every number within the bounds is within what is printed, and `at_most` is not below any of them.
    pub(crate) fn shown(self, notation: Notation) -> Shown {
        match self {
            Self::Between(lower, upper) => between(lower, upper, notation),
            Self::AtMost(upper) if upper.is_finite() => {
                let upper = Exact::of(upper);
                let last = digit_from_first(&upper, DIGITS_OF_ONE_SIDED);
                let text = notation.write_bound(&upper.rounded_up(last));
                Shown { relation: format!("≤ {text}"), at_most: Some(text) }
            }
            Self::About(value) if value.is_finite() => {
                let value = Exact::of(value);
                let last = digit_from_first(&value, DIGITS_OF_ONE_SIDED);
                Shown {
                    relation: format!("≈ {}", notation.write(&value.rounded(last), last)), at_most: None
                }
            }
            Self::AtMost(_) => Shown { relation: "≤ ∞".to_owned(), at_most: None },
            Self::About(_) => Shown { relation: "≈ ∞".to_owned(), at_most: None },
        }
    }
}

/// A few digits of a number, rounded up; infinity stays what it is.
///
/// # Guarantee
/// What is printed is not below the number.
pub(crate) fn few_digits_up(value: f64, digits: i32) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    let exact = Exact::of(value);
    let last = digit_from_first(&exact, digits);
    Notation::Plain.write_bound(&exact.rounded_up(last))
}

fn between(lower: f64, upper: f64, notation: Notation) -> Shown {
    if lower.is_infinite() {
        return Shown { relation: "= ∞".to_owned(), at_most: None };
    }
    let below = Exact::of(lower);
    if upper.is_infinite() {
        let last = digit_from_first(&below, DIGITS_OF_WIDE);
        let below = notation.write_bound(&below.rounded_down(last));
        return Shown { relation: format!("between {below} and ∞"), at_most: None };
    }
    let above = Exact::of(upper);
    exact(&below, &above, notation)
        .or_else(|| centred(&below, &above, notation))
        .unwrap_or_else(|| wide(&below, &above, notation))
}

/// A single number that can be written in full.
fn exact(below: &Exact, above: &Exact, notation: Notation) -> Option<Shown> {
    let last = below.trailing_power().unwrap_or(0);
    let fits = below == above && digit_from_first(below, MOST_DIGITS) <= last;
    fits.then(|| {
        let text = notation.write_bound(below);
        Shown { relation: format!("= {text} (exact)"), at_most: Some(text) }
    })
}

/// As many digits as the whole interval rounds to alike, and how far from them its ends are.
fn centred(below: &Exact, above: &Exact, notation: Notation) -> Option<Shown> {
    let middle = below.plus(above).half();
    let finest = digit_from_first(&middle, MOST_DIGITS);
    (finest..=middle.leading_power()?).find_map(|last| {
        let centre = middle.rounded(last);
        let reach = centre.distance(below).max(centre.distance(above));
        // Within half a unit of the last digit, every number of the interval has these digits when rounded.
        let is_certain = reach.plus(&reach) < Exact::unit(last);
        is_certain.then(|| {
            let radius_digit = reach.leading_power().unwrap_or(LOWEST_POWER);
            let radius = reach.rounded_up(radius_digit);
            let radius_digit = radius.leading_power().unwrap_or(radius_digit);
            let upper_digit = radius_digit.max(digit_from_first(above, MOST_DIGITS + 1));
            Shown {
                relation: format!(
                    "= {} ± {}",
                    notation.write(&centre, last),
                    notation.write(&radius, radius_digit)
                ),
                at_most: Some(notation.write_bound(&above.rounded_up(upper_digit))),
            }
        })
    })
}

/// Both ends, rounded outward: not even the first digit is certain.
fn wide(below: &Exact, above: &Exact, notation: Notation) -> Shown {
    let last_below = digit_from_first(below, DIGITS_OF_WIDE);
    let last_above = digit_from_first(above, DIGITS_OF_WIDE);
    let below = notation.write_bound(&below.rounded_down(last_below));
    let above = notation.write_bound(&above.rounded_up(last_above));
    Shown { relation: format!("between {below} and {above}"), at_most: Some(above) }
}

/// The power of ten of the last of `digits` significant digits.
fn digit_from_first(number: &Exact, digits: i32) -> i32 {
    number.leading_power().map_or(0, |first| (first - digits + 1).max(LOWEST_POWER))
}

impl Notation {
    fn write(self, number: &Exact, last: i32) -> String {
        // Plain digits beyond the last certain one would have to be zeros that claim to be certain.
        if self.is_plain_for(number) && last <= 0 { number.plain(last) } else { number.scientific(last) }
    }

    /// All digits of a number that has few. Zeros at its end would say nothing: a bound claims no precision.
    fn write_bound(self, number: &Exact) -> String {
        let last = number.trailing_power().unwrap_or(0);
        if self.is_plain_for(number) { number.plain(last.min(0)) } else { number.scientific(last) }
    }

    fn is_plain_for(self, number: &Exact) -> bool {
        self == Self::Plain && number.leading_power().is_none_or(|first| (-4..15).contains(&first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(lower: f64, upper: f64) -> (String, String) {
        let shown = Bounds::Between(lower, upper).shown(Notation::Plain);
        (shown.relation, shown.at_most.unwrap_or_default())
    }

    fn strings(relation: &str, at_most: &str) -> (String, String) {
        (relation.to_owned(), at_most.to_owned())
    }

    #[test]
    fn narrow_intervals_show_their_certain_digits() {
        assert_eq!(plain(2.01234567887, 2.01234567893), strings("= 2.0123456789 ± 4e-11", "2.01234567894"));
        assert_eq!(plain(0.21, 0.23), strings("= 0.2 ± 0.04", "0.24"));
        assert_eq!(plain(1e-9, 1.0001e-9), strings("= 1.000e-9 ± 2e-13", "1.0002e-9"));
        assert_eq!(plain(123_456.0, 123_458.0), strings("= 1.2346e5 ± 4", "123458"));
    }

    #[test]
    fn a_carry_does_not_lose_a_digit() {
        assert_eq!(plain(9.9999, 10.0001), strings("= 10.000 ± 0.0001", "10.0001"));
        // The radius 0.0996 rounds up to 0.1, with one digit less after the point.
        assert_eq!(plain(9.9004, 10.0), strings("= 10 ± 0.1", "10"));
    }

    #[test]
    fn single_numbers_are_exact_if_they_fit() {
        assert_eq!(plain(1.0, 1.0), strings("= 1 (exact)", "1"));
        assert_eq!(plain(0.0, 0.0), strings("= 0 (exact)", "0"));
        assert_eq!(plain(0.375, 0.375), strings("= 0.375 (exact)", "0.375"));
        assert_eq!(plain(1e20, 1e20), strings("= 1e20 (exact)", "1e20"));
        // The double next to 0.1 has 55 digits.
        assert_eq!(plain(0.1, 0.1), strings("= 0.1000000000000000 ± 6e-18", "0.10000000000000001"));
    }

    #[test]
    fn wide_intervals_show_their_ends() {
        assert_eq!(plain(0.25, 1.5), strings("between 0.25 and 1.5", "1.5"));
        assert_eq!(plain(0.0, 3e-310), strings("between 0 and 3e-310", "3e-310"));
        assert_eq!(plain(1e-300, 1e300), strings("between 1e-300 and 1.01e300", "1.01e300"));
    }

    #[test]
    fn infinite_ends_are_named() {
        assert_eq!(plain(f64::INFINITY, f64::INFINITY), strings("= ∞", ""));
        assert_eq!(plain(0.0, f64::INFINITY), strings("between 0 and ∞", ""));
        assert_eq!(plain(2.5, f64::INFINITY), strings("between 2.5 and ∞", ""));
    }

    #[test]
    fn one_sided_numbers_never_look_like_more() {
        let at_most = Bounds::AtMost(2.0).shown(Notation::Plain);
        assert_eq!((at_most.relation.as_str(), at_most.at_most.as_deref()), ("≤ 2", Some("2")));
        let about = Bounds::About(1e-5).shown(Notation::Scientific);
        assert_eq!((about.relation.as_str(), about.at_most), ("≈ 1.000000000e-5", None));
        assert_eq!(Bounds::AtMost(f64::INFINITY).shown(Notation::Plain).at_most, None);
    }

    /// From points to intervals that span the doubles, at any magnitude.
    fn intervals() -> impl Strategy<Value = (f64, f64)> {
        const LARGEST: u64 = f64::MAX.to_bits();
        let lower = prop_oneof![
            Just(0.0),
            (0..=LARGEST).prop_map(f64::from_bits),
            (0.0f64..100.0),
            (1e-320f64..1e-300),
            (0u32..1000).prop_map(f64::from),
        ];
        let ulps = prop_oneof![Just(0u64), 1u64..20, (0u32..63).prop_flat_map(|bits| 0..1u64 << bits)];
        (lower, ulps).prop_map(|(lower, ulps)| {
            (lower, f64::from_bits(lower.to_bits().saturating_add(ulps).min(LARGEST)))
        })
    }

    /// The power of ten of the last digit of a printed number.
    fn last_digit(text: &str) -> i32 {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        exponent.parse::<i32>().unwrap() - decimals as i32
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_is_printed_contains_the_interval((lower, upper) in intervals(), is_plain: bool) {
            let notation = if is_plain { Notation::Plain } else { Notation::Scientific };
            let shown = Bounds::Between(lower, upper).shown(notation);
            let (below, above) = (Exact::of(lower), Exact::of(upper));
            let quoted = shown.at_most.unwrap();
            prop_assert!(Exact::parse(&quoted) >= above, "{} < {}", quoted, upper);
            if let Some((from, to)) = shown.relation.strip_prefix("between ").and_then(|ends| ends.split_once(" and ")) {
                prop_assert!(Exact::parse(from) <= below && Exact::parse(to) >= above);
            } else if let Some(point) = shown.relation.strip_suffix(" (exact)") {
                prop_assert_eq!(&Exact::parse(&point[2..]), &below);
                prop_assert_eq!(&below, &above);
            } else {
                let (centre, radius) = shown.relation[2..].split_once(" ± ").unwrap();
                let (middle, reach) = (Exact::parse(centre), Exact::parse(radius));
                prop_assert!(middle.plus(&reach) >= above, "{} ± {} < {}", centre, radius, upper);
                prop_assert!(middle <= below.plus(&reach), "{} ± {} > {}", centre, radius, lower);
                let last = last_digit(centre);
                prop_assert!(below.rounded(last) == middle && above.rounded(last) == middle, "{} is not certain", centre);
            }
        }

        #[test]
        fn a_wide_interval_has_no_certain_digit((lower, upper) in intervals()) {
            let shown = Bounds::Between(lower, upper).shown(Notation::Scientific);
            if shown.relation.starts_with("between") {
                // It contains a number halfway between one-digit numbers and one halfway between two-digit ones.
                prop_assert!(upper > lower * 1.004, "{lower} {upper}: {}", shown.relation);
            }
        }

        #[test]
        fn one_sided_numbers_are_rounded_up(bits in 0..f64::INFINITY.to_bits()) {
            let upper = f64::from_bits(bits);
            let quoted = Bounds::AtMost(upper).shown(Notation::Plain).at_most.unwrap();
            prop_assert!(Exact::parse(&quoted) >= Exact::of(upper));
        }
    }
}
