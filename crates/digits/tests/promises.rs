//! What is printed contains what is meant and is at most twice as wide: read back into fractions, which are exact.

use hockeystick_digits::{Bounds, Notation, few_digits_up, quote};
use hockeystick_golden::printed::{BigRational, double, ends, read};
use proptest::prelude::*;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// From points to intervals that span the doubles, at any magnitude and of either sign.
fn intervals() -> impl Strategy<Value = (f64, f64)> {
    const LARGEST: u64 = f64::MAX.to_bits();
    let lower = prop_oneof![
        Just(0.0),
        (0..=LARGEST).prop_map(f64::from_bits),
        0.0f64..100.0,
        1e-12f64..1e-2,
        1e-320f64..1e-300,
        (0u32..1000).prop_map(f64::from),
        (1i32..300, 1u32..1000).prop_map(|(power, digits)| format!("{digits}e-{power}").parse().unwrap()),
    ];
    let ulps = prop_oneof![Just(0u64), 1u64..20, (0u32..63).prop_flat_map(|bits| 0..1u64 << bits)];
    let above =
        (lower, ulps, any::<bool>(), any::<bool>()).prop_map(|(lower, ulps, is_negative, is_across)| {
            let upper = f64::from_bits(lower.to_bits().saturating_add(ulps).min(LARGEST));
            match (is_negative, is_across) {
                (true, true) => (-lower, upper),
                (true, false) => (-upper, -lower),
                (false, _) => (lower, upper),
            }
        });
    // Steps of decimals, as people write them: 0.25 to 0.26.
    let decimal = (1u32..10_000, 0u32..2000, -12i32..3).prop_map(|(from, more, power)| {
        let at = |digits: u32| format!("{digits}e{power}").parse::<f64>().unwrap();
        (at(from), at(from + more))
    });
    prop_oneof![3 => above, 1 => decimal]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn intervals_are_contained_and_at_most_doubled((lower, upper) in intervals(), is_plain: bool) {
        let notation = if is_plain { Notation::Plain } else { Notation::Scientific };
        let shown = Bounds::Between(lower, upper).shown(notation);
        let (below, above) = (double(lower), double(upper));
        let (from, to) = ends(&shown.relation);
        prop_assert!(from <= below && above <= to, "[{lower:e}, {upper:e}] is printed {}", shown.relation);
        if lower < upper {
            let two = fraction(2, 1);
            prop_assert!(&to - &from <= two * (&above - &below), "[{lower:e}, {upper:e}] is printed {}", shown.relation);
        } else {
            // A single double that has too many digits is written to within two units in its last place.
            let unit = double(upper.abs()) - double(upper.abs().next_down().max(0.0));
            let two_units = fraction(4, 1) * unit.max(double(f64::from_bits(1)));
            prop_assert!(&to - &from <= two_units, "{upper:e}: {}", shown.relation);
        }
    }

    #[test]
    fn quotes_give_away_next_to_nothing((lower, upper) in intervals(), is_bounded_below: bool) {
        let lower_end = is_bounded_below.then_some(lower);
        let quoted = read(&quote(lower_end, upper, Notation::Plain));
        let above = double(upper);
        prop_assert!(quoted >= above, "{upper:e} is quoted as {quoted}");
        let value = if upper < 0.0 { -above.clone() } else { above.clone() };
        let part = if is_bounded_below { (&above - double(lower)) * fraction(1, 10) } else { fraction(0, 1) };
        let room = part.min(&value * fraction(1, 1000)).max(value * fraction(1, 1_000_000));
        prop_assert!(quoted - above <= room, "[{lower:e}, {upper:e}] is quoted as {}", quote(lower_end, upper, Notation::Plain));
    }

    #[test]
    fn bounds_are_rounded_up((_, upper) in intervals(), digits in 1i32..12) {
        let above = double(upper);
        let text = few_digits_up(upper, digits, Notation::Plain);
        prop_assert!(read(&text) >= above, "{upper:e}: {text}");
        let at_most = Bounds::AtMost(upper).shown(Notation::Scientific);
        prop_assert!(read(at_most.relation.strip_prefix("≤ ").unwrap()) >= above);
        prop_assert!(read(&at_most.at_most.unwrap()) >= above);
    }
}
