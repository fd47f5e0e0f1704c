//! What the product prints for people, read back into fractions, which are exact. Shares no code with what prints.

pub use num_rational::BigRational;

/// A decimal as text.
pub fn read(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigRational = format!("{whole}{fraction}").parse().unwrap_or_else(|_| panic!("{text:?}"));
    let exponent: i32 = exponent.parse().unwrap_or_else(|_| panic!("{text:?}"));
    digits * ten_to(exponent - fraction.len() as i32)
}

fn ten_to(power: i32) -> BigRational {
    let zeros = "0".repeat(power.unsigned_abs() as usize);
    let text = if power < 0 { format!("1/1{zeros}") } else { format!("1{zeros}") };
    text.parse().expect("a power of ten")
}

/// The double itself.
pub fn double(value: f64) -> BigRational {
    BigRational::from_float(value).expect("a finite double")
}

/// Both ends of an interval with finite ends: `2.5 ± 1e-3`, `between 0 and 1`, `0.5 (exact)`, each with or without `= `.
pub fn ends(relation: &str) -> (BigRational, BigRational) {
    if let Some((from, to)) = relation.strip_prefix("between ").and_then(|ends| ends.split_once(" and ")) {
        return (read(from), read(to));
    }
    let value = relation.strip_prefix("= ").unwrap_or(relation);
    if let Some(point) = value.strip_suffix(" (exact)") {
        return (read(point), read(point));
    }
    let (centre, radius) = value.split_once(" ± ").unwrap_or_else(|| panic!("no interval: {relation}"));
    let (centre, radius) = (read(centre), read(radius));
    (&centre - &radius, centre + radius)
}

#[test]
fn intervals_are_read() {
    let is = |text: &str, from: &str, to: &str| {
        assert_eq!(
            ends(text),
            (from.parse().expect("a fraction"), to.parse().expect("a fraction")),
            "{text}"
        );
    };
    is("= 2.5 ± 1e-3", "2499/1000", "2501/1000");
    is("-1.25e2 ± 5", "-130", "-120");
    is("between 0 and 0.25", "0", "1/4");
    is("= 1e3 (exact)", "1000", "1000");
    assert_ne!(double(0.1), read("0.1"));
}
