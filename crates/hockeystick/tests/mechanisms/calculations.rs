//! Numbers that are calculated: `1/3`, `sqrt(2)`, `2*(1.5 + 0.1)`.

use hockeystick::mechanism::{MAX_CALCULATION_BYTES, Mechanism, number};
use proptest::prelude::*;

/// `gdp(mu=…)` with the calculation in it.
fn read(calculation: &str) -> String {
    let text = format!("gdp(mu={calculation})");
    text.parse::<Mechanism>().unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

#[test]
fn a_calculation_stands_for_the_double_nearest_to_it() {
    let cases = [
        ("1/3", "0.3333333333333333"),
        ("sqrt(2)", "1.4142135623730951"),
        ("2*1.5", "3"),
        // Decimals are exact: in doubles this is 0.30000000000000004.
        ("0.1*3", "0.3"),
        ("0.1+0.2", "0.3"),
        ("1-0.9", "0.1"),
        ("1/3*3", "1"),
        ("sqrt(2)*sqrt(2)", "2"),
        ("sqrt(9/16)", "0.75"),
        // What is on the way may be larger than any double.
        ("1e308*10/10", "1e308"),
        ("1e-308/1e300*1e300", "1e-308"),
        ("8/2/2", "2"),
        ("2-3-4+6", "1"),
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("-(1-3)", "2"),
        ("2*-3*-1", "6"),
        ("--1", "1"),
        (" ( 1 + 1_0e-1 ) / 4 ", "0.5"),
        // In the middle between two doubles: the even one.
        ("9007199254740992+1", "9.007199254740992e15"),
        ("9007199254740992+3", "9.007199254740996e15"),
        ("1e-5-1e-6", "9e-6"),
    ];
    for (calculation, value) in cases {
        assert_eq!(read(calculation), format!("gdp(mu={value})"), "{calculation}");
    }
}

#[test]
fn calculations_stand_where_numbers_do() {
    let cases = [
        ("binomial(n=10*100)", "binomial(n=1000)"),
        (
            r#"pair(p="1/3,2/3", q="2/3, 1-2/3")"#,
            r#"pair(p="0.3333333333333333,0.6666666666666666", q="0.6666666666666666,0.3333333333333333")"#,
        ),
        ("gaussian(sigma=3/2) * 3 + 2 * gdp(mu=1/2)", "gaussian(sigma=1.5) * 3 + gdp(mu=0.5) * 2"),
    ];
    for (text, canonical) in cases {
        assert_eq!(text.parse::<Mechanism>().unwrap().to_string(), canonical);
    }
}

#[test]
fn what_cannot_be_calculated_is_refused_at_its_place() {
    let zero = "this is 0, or cannot be told from 0, and nothing is divided by 0; divide by another number";
    let no_root = "this is below 0, or cannot be told from 0, and has no square root; write a number above 0";
    let hole = "? stands for a whole parameter and is no part of a calculation; write ? alone";
    let cases = [
        ("gdp(mu=1/0)", 10, zero),
        ("gdp(mu=1/(2-2))", 10, zero),
        ("gdp(mu=1/(sqrt(2)*sqrt(2)-2))", 10, zero),
        ("gdp(mu=sqrt(1-2))", 13, no_root),
        (
            "gdp(mu=sqrt(2)*sqrt(2)-2)",
            8,
            "the double nearest to this calculation cannot be proven, as its value is next to the middle between two; \
             write the number itself",
        ),
        ("gdp(mu=1e308*10)", 8, "`1e308*10` is too large; numbers go up to 1.7976931348623157e308"),
        (
            "gdp(mu=1e-300/1e300)",
            8,
            "`1e-300/1e300` is too close to 0; the smallest number above 0 is 5e-324, and 0 itself is written 0",
        ),
        ("gdp(mu=2*?)", 10, hole),
        ("gdp(mu=?/2)", 8, hole),
        (
            "gdp(mu=1/x)",
            10,
            "expected a number, found `x`; a calculation has numbers, + - * /, sqrt and parentheses",
        ),
        ("gdp(mu=1/)", 10, "expected a number, found `)`"),
        ("gdp(mu=((1+2)", 8, "this parenthesis is never closed; add a )"),
        ("gdp(mu=1/inf)", 10, "`inf` is not allowed; every parameter is a finite number"),
        ("gdp(mu=2^3)", 9, "the character `^` has no meaning here; write a power as a product, as in 2*2*2"),
        ("gdp(1/3)", 5, "`1/3` needs a name; write gdp(mu=1/3)"),
        ("gdp(sqrt(2))", 5, "`sqrt(2)` needs a name; write gdp(mu=sqrt(2))"),
        ("gdp(mu=1) / 2", 11, "expected +, * or the end, found `/`"),
        (
            "binomial(n=1/3)",
            12,
            "binomial: n is 1/3, but must be a whole number up to 10^15; give the number of coins that are summed",
        ),
        ("gdp(mu=1) * 6/2", 14, "expected +, * or the end, found `/`"),
    ];
    for (text, column, message) in cases {
        let error = text.parse::<Mechanism>().expect_err(text);
        assert_eq!(error.to_string(), format!("column {column}: {message}"), "{text}");
    }
}

#[test]
fn a_calculation_is_not_too_long() {
    let long = format!("1{}", "+1".repeat(MAX_CALCULATION_BYTES));
    for text in
        [long.clone(), "1+".repeat(200_000) + "1", format!("sqrt(.{})", "1".repeat(MAX_CALCULATION_BYTES))]
    {
        let error = number(&text).unwrap_err();
        assert!(error.to_string().contains("a calculation has at most 1000 bytes"), "{error}");
    }
    assert_eq!(number(&long[..MAX_CALCULATION_BYTES - 1]), Ok(500.0));
}

/// Roots of whole numbers that are no squares, undecided to the last: the most work there is. Without a bound on their digits these do not end.
#[test]
fn the_longest_calculations_end() {
    let product = format!("{}sqrt(2)-{}", "sqrt(2)*".repeat(61), 1u64 << 31);
    let sum = format!("sqrt({}1)", "sqrt(3)+".repeat(122));
    let nested = format!("{}2{}", "sqrt(1+".repeat(60), ")".repeat(60));
    let exact = format!("1{}", "/3e300*7e300".repeat(80));
    assert!(number(&product).unwrap_err().to_string().contains("cannot be proven"));
    for calculation in [sum, nested, exact] {
        number(&calculation).unwrap();
    }
}

/// A fraction with a text, as long as it has few digits.
#[derive(Clone, Debug)]
struct Fraction {
    text: String,
    n: i128,
    d: i128,
}

fn fraction() -> impl Strategy<Value = Fraction> {
    let whole = (0i128..1000).prop_map(|n| Fraction { text: n.to_string(), n, d: 1 });
    let decimal =
        (0i128..1000).prop_map(|n| Fraction { text: format!("{}.{:02}", n / 100, n % 100), n, d: 100 });
    prop_oneof![whole, decimal].prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), inner, 0..4).prop_map(|(a, b, operator)| {
            let (n, d, sign) = match operator {
                0 => (a.n * b.d + b.n * a.d, a.d * b.d, '+'),
                1 => (a.n * b.d - b.n * a.d, a.d * b.d, '-'),
                2 => (a.n * b.n, a.d * b.d, '*'),
                _ if b.n == 0 => return a,
                _ => (a.n * b.d * b.n.signum(), a.d * b.n.abs(), '/'),
            };
            Fraction { text: format!("({}{sign}{})", a.text, b.text), n, d }
        })
    })
}

proptest! {
    // The processor divides doubles with correct rounding, and these whole numbers are doubles.
    #[test]
    fn fractions_agree_with_the_processor(fraction in fraction()) {
        let Fraction { text, n, d } = fraction;
        prop_assume!(n.abs() <= 1 << 53 && d <= 1 << 53);
        prop_assert_eq!(number(&text), Ok(n as f64 / d as f64), "{}", text);
    }

    #[test]
    fn no_text_of_a_calculation_panics(text in r"[-+*/()0-9.e sqrt?_]{0,60}") {
        if let Err(error) = number(&text) {
            prop_assert!(text.get(error.span()).is_some() && error.column() >= 1);
        }
    }
}
