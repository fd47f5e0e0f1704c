//! Differences between doubles and 50-digit decimals, taken digit by digit: no error is lost to rounding.

use std::cmp::Ordering;

/// ±0.d₁d₂d₃… · 10^exponent with d₁ ≠ 0, or zero.
#[derive(Clone, Debug)]
pub struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// Reads `[-]d[.ddd][e[±]x]`.
    pub fn parse(text: &str) -> Self {
        let (mantissa, exponent) = text.trim().split_once(['e', 'E']).unwrap_or((text.trim(), "0"));
        let negative = mantissa.starts_with('-');
        let (whole, fraction) = mantissa
            .trim_start_matches(['-', '+'])
            .split_once('.')
            .unwrap_or((mantissa.trim_start_matches(['-', '+']), ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|digit| digit - b'0').collect();
        assert!(digits.iter().all(|&digit| digit < 10), "not a number: {text}");
        let exponent = exponent.parse::<i32>().unwrap() + whole.len() as i32;
        Self { negative, digits, exponent }.normalised()
    }

    /// The double itself, to 61 digits.
    pub fn exactly(x: f64) -> Self {
        assert!(x.is_finite(), "{x} has no decimal expansion");
        Self::parse(&format!("{x:.60e}"))
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Is the double at most this number, as far as its digits tell?
    pub fn is_at_least(&self, x: f64) -> bool {
        x == f64::NEG_INFINITY || (x != f64::INFINITY && self.compare(x) != Ordering::Less)
    }

    /// Is the double at least this number, as far as its digits tell?
    pub fn is_at_most(&self, x: f64) -> bool {
        x == f64::INFINITY || (x != f64::NEG_INFINITY && self.compare(x) != Ordering::Greater)
    }

    /// Compares with a double; what differs by no more than a unit in the last digit, where references are rounded, is equal.
    fn compare(&self, x: f64) -> Ordering {
        let difference = self.minus(&Self::exactly(x));
        if !self.is_zero() && difference.ratio(self) < self.last_unit() {
            return Ordering::Equal;
        }
        match (difference.is_zero(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// A unit in the last digit, as a part of the whole. A number that is written with few digits is no rounded reference.
    fn last_unit(&self) -> f64 {
        const FEWEST: usize = 25;
        let digits = if self.digits.len() < FEWEST { 50 } else { self.digits.len() };
        10f64.powi(1 - digits as i32)
    }

    /// `self − other`, exactly.
    pub fn minus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return Self { negative: !other.negative, ..other.clone() };
        }
        if other.is_zero() {
            return self.clone();
        }
        let top = self.exponent.max(other.exponent);
        let bottom =
            (self.exponent - self.digits.len() as i32).min(other.exponent - other.digits.len() as i32);
        // Numbers hundreds of digits apart do not occur together in a sound test: keep 200.
        let bottom = bottom.max(top - 200);
        let (a, b) = (self.aligned(top, bottom), other.aligned(top, bottom));
        let (digits, negative) = if self.negative != other.negative {
            (add(&a, &b), self.negative)
        } else if a.cmp(&b) == Ordering::Less {
            (subtract(&b, &a), !self.negative)
        } else {
            (subtract(&a, &b), self.negative)
        };
        Self { negative, digits, exponent: top + 1 }.normalised()
    }

    /// |self / other|, to a few units of double precision, at any magnitude.
    pub fn ratio(&self, other: &Self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        self.leading() / other.leading() * 10f64.powi(self.exponent - other.exponent)
    }

    fn leading(&self) -> f64 {
        self.digits.iter().take(20).rev().fold(0.0, |value, &digit| (value + f64::from(digit)) / 10.0)
    }

    /// The digits from 10^top down to 10^bottom, with one more in front for a carry.
    fn aligned(&self, top: i32, bottom: i32) -> Vec<u8> {
        let mut digits = vec![0; (top - self.exponent) as usize + 1];
        digits.extend(&self.digits);
        digits.resize((top - bottom) as usize + 1, 0);
        digits
    }

    fn normalised(mut self) -> Self {
        let zeros = self.digits.iter().take_while(|&&digit| digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent -= zeros as i32;
        self
    }
}

fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut digits: Vec<u8> = (a.iter().zip(b).rev())
        .map(|(x, y)| {
            let sum = x + y + carry;
            carry = sum / 10;
            sum % 10
        })
        .collect();
    digits.reverse();
    digits
}

fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut digits: Vec<u8> = (a.iter().zip(b).rev())
        .map(|(x, y)| {
            let difference = 10 + x - y - borrow;
            borrow = 1 - difference / 10;
            difference % 10
        })
        .collect();
    digits.reverse();
    digits
}

/// A measured error, in both units of the stated bounds.
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// |computed − exact| / (u·|exact|), u = 2⁻⁵³; infinite if only the exact value is zero.
    pub units: f64,
    /// |computed − exact| / 2⁻¹⁰⁷⁴.
    pub floors: f64,
}

impl Error {
    /// |computed − exact| ≤ units·u·|exact| + 2⁻¹⁰⁷⁴, the convention of `special`.
    pub fn is_within(&self, units: f64) -> bool {
        // `floors` overflows for ordinary errors: infinite, it must not pass.
        self.units <= units || self.floors * (1.0 - units / self.units) <= 1.0
    }
}

/// The error of a computed double against a reference of many digits.
pub fn error(computed: f64, exact: &str) -> Error {
    error_against(computed, &Decimal::parse(exact))
}

/// The error of a computed double against a reference of many digits.
pub fn error_against(computed: f64, exact: &Decimal) -> Error {
    let difference = Decimal::exactly(computed).minus(exact);
    let units = match (difference.is_zero(), exact.is_zero()) {
        (true, _) => 0.0,
        (false, true) => f64::INFINITY,
        (false, false) => difference.ratio(exact) * 2f64.powi(53),
    };
    Error { units, floors: difference.ratio(&Decimal::exactly(f64::from_bits(1))) }
}

/// The normwise error of a computed complex number.
pub fn complex_error(computed: (f64, f64), exact: (&str, &str)) -> Error {
    let exact = (Decimal::parse(exact.0), Decimal::parse(exact.1));
    let differences =
        (Decimal::exactly(computed.0).minus(&exact.0), Decimal::exactly(computed.1).minus(&exact.1));
    // Relative to the larger component, which cannot be zero unless both are.
    let larger = if exact.1.is_zero() || exact.0.ratio(&exact.1) > 1.0 { &exact.0 } else { &exact.1 };
    let norm = |pair: &(Decimal, Decimal)| pair.0.ratio(larger).hypot(pair.1.ratio(larger));
    let floor = Decimal::exactly(f64::from_bits(1));
    let floors = differences.0.ratio(&floor).hypot(differences.1.ratio(&floor));
    let units = if floors == 0.0 { 0.0 } else { norm(&differences) / norm(&exact) * 2f64.powi(53) };
    Error { units, floors }
}

/// `dp` loses its whole δ at its ε: the answer is that double, the reference its first 28 digits.
#[test]
fn a_reference_that_is_rounded_to_28_digits_is_not_below_the_double_it_stands_for() {
    for (double, text) in [
        (1.2241765150817766e-9, "1.224176515081776617131381674e-9"),
        (2.330538832578416e-12, "2.330538832578415930285366282e-12"),
    ] {
        let rounded = Decimal::parse(text);
        assert!(rounded.is_at_least(double) && rounded.is_at_most(double), "{text}");
        assert!(!rounded.is_at_least(double.next_up()) && !rounded.is_at_most(double.next_down()), "{text}");
    }
    assert!(!Decimal::parse("0.1").is_at_least(0.1) && Decimal::parse("0.5").is_at_least(0.5));
}

#[test]
fn the_floor_excuses_only_what_it_should() {
    assert!(!Error { units: 10.0, floors: f64::INFINITY }.is_within(9.0));
    assert!(!Error { units: f64::INFINITY, floors: 1e300 }.is_within(9.0));
    assert!(Error { units: 1e10, floors: 0.5 }.is_within(9.0));
    assert!(Error { units: 10.0, floors: 10.0 }.is_within(9.0));
    assert!(!Error { units: 10.0, floors: 10.2 }.is_within(9.0));
}

#[test]
fn measures_errors_far_below_an_ulp() {
    // 0.1 as a double is 0.1000000000000000055511151231257827…, that is 0.5 u too large.
    let measured = error(0.1, "1.0000000000000000000000000000000000000000000000000e-1");
    assert!((measured.units - 5.551_115_123_125_783e-18 / 0.1 * 2f64.powi(53)).abs() < 1e-12);
    assert!(error(0.1, "0.10000000000000000555111512312578270211815834045410").units < 1e-30);
    assert_eq!(error(0.0, "0").units, 0.0);
    assert_eq!(error(1.0, "0").units, f64::INFINITY);
    let far = error(-1.0, "1");
    assert!((far.units / 2f64.powi(54) - 1.0).abs() < 1e-12);
    let across_a_carry = error(2.0, "1.9999999999999999999999999999999999999999999999999");
    assert!((across_a_carry.units / (0.5e-49 * 2f64.powi(53)) - 1.0).abs() < 1e-12);
    let subnormal = error(1e-320, "1.5e-320");
    assert!((subnormal.floors - 1012.0).abs() < 1.0, "{subnormal:?}");
}
