//! Fractions of whole numbers of any size. They are not reduced: a calculation is too short for that to matter.

use super::super::super::decimal::MAX_COUNT;
use super::super::super::decimal::NumberProblem;
use num_bigint::{BigInt, BigUint, Sign};
use std::{
    cmp::Ordering,
    ops::{Add, Mul, Neg},
};

/// The bits of a double after the first, and the exponent of the smallest double.
const FRACTION_BITS: i64 = 52;
const SMALLEST_EXPONENT: i64 = -1074;
/// The bits of infinity.
const INFINITE: u64 = 0x7ff0_0000_0000_0000;

/// A fraction.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    numerator: BigInt,
    /// Never 0.
    denominator: BigUint,
}

impl Ratio {
    fn new(numerator: BigInt, denominator: BigUint) -> Self {
        Self { numerator, denominator }
    }

    /// `digits · 10^power`. `None` if these are no digits, or more zeros than any double has.
    pub(super) fn of_decimal(digits: &str, power: i64) -> Option<Self> {
        let digits = BigUint::parse_bytes(digits.as_bytes(), 10)?;
        let zeros = BigUint::from(10u8).pow(u32::try_from(power.unsigned_abs()).ok()?);
        let one = BigUint::from(1u8);
        let (numerator, denominator) = if power < 0 { (digits, zeros) } else { (digits * zeros, one) };
        Some(Self::new(numerator.into(), denominator))
    }

    pub(super) fn is_positive(&self) -> bool {
        self.numerator.sign() == Sign::Plus
    }

    pub(super) fn is_negative(&self) -> bool {
        self.numerator.sign() == Sign::Minus
    }

    fn magnitude(&self) -> &BigUint {
        self.numerator.magnitude()
    }

    /// `None` of 0.
    pub(super) fn inverse(self) -> Option<Self> {
        let (sign, magnitude) = self.numerator.into_parts();
        (sign != Sign::NoSign).then(|| Self::new(BigInt::from_biguint(sign, self.denominator), magnitude))
    }

    /// Two fractions around the square root, the same if it is one of them, and otherwise with `bits` bits in common; `None` of a
    /// negative number.
    pub(super) fn root(&self, bits: u64) -> Option<(Self, Self)> {
        if self.is_negative() {
            return None;
        }
        // √(n/d) = √(n·d)/d, and the root of a whole number is known from the one below it.
        let radicand = self.magnitude() * &self.denominator;
        let whole = radicand.sqrt();
        if &whole * &whole == radicand {
            let root = Self::new(whole.into(), self.denominator.clone());
            return Some((root.clone(), root));
        }
        let shift = bits.saturating_sub(whole.bits());
        let low = (radicand << (2 * shift)).sqrt();
        let high = &low + 1u8;
        let denominator = &self.denominator << shift;
        Some((Self::new(low.into(), denominator.clone()), Self::new(high.into(), denominator)))
    }

    /// A fraction with so many bits in its numerator, next to this one: not above it, or not below it.
    pub(super) fn trimmed(self, bits: u64, is_up: bool) -> Self {
        if self.magnitude().bits() + self.denominator.bits() <= 4 * bits {
            return self;
        }
        // Further digits of the quotient n/d, or fewer, so that there are `bits` of them.
        let shift = bits as i64 - (self.magnitude().bits() as i64 - self.denominator.bits() as i64);
        let (n, d) = if shift >= 0 {
            (self.magnitude() << shift.unsigned_abs(), self.denominator)
        } else {
            (self.magnitude().clone(), self.denominator << shift.unsigned_abs())
        };
        let sign = self.numerator.sign();
        let is_outward = is_up == (sign != Sign::Minus);
        let floor = &n / &d;
        let quotient = if is_outward && &floor * &d != n { floor + 1u8 } else { floor };
        let one = BigUint::from(1u8);
        let (numerator, denominator) = if shift >= 0 {
            (quotient, one << shift.unsigned_abs())
        } else {
            (quotient << shift.unsigned_abs(), one)
        };
        Self::new(BigInt::from_biguint(sign, numerator), denominator)
    }

    /// The double nearest to it, of two that are equally near the even one, as for decimals.
    pub(super) fn nearest(&self) -> Result<f64, NumberProblem> {
        if self.numerator.sign() == Sign::NoSign {
            return Ok(0.0);
        }
        let power = |bits: i64| bits.unsigned_abs();
        // The exponent e of the first bit, 2^e ≤ n/d < 2^(e+1).
        let difference = self.magnitude().bits() as i64 - self.denominator.bits() as i64;
        let (scaled, unit) = if difference >= 0 {
            (self.magnitude().clone(), &self.denominator << power(difference))
        } else {
            (self.magnitude() << power(difference), self.denominator.clone())
        };
        let first = if scaled >= unit { difference } else { difference - 1 };
        // In units of the last bit of a double.
        let last = (first - FRACTION_BITS).max(SMALLEST_EXPONENT);
        let (n, d) = if last >= 0 {
            (self.magnitude().clone(), &self.denominator << power(last))
        } else {
            (self.magnitude() << power(last), self.denominator.clone())
        };
        let floor = &n / &d;
        let twice = (&n - &floor * &d) << 1u8;
        let floor = u64::try_from(floor).map_err(|_| NumberProblem::Overflow)?;
        let units = match twice.cmp(&d) {
            Ordering::Less => floor,
            Ordering::Equal => floor + floor % 2,
            Ordering::Greater => floor + 1,
        };
        if units == 0 {
            return Err(NumberProblem::Underflow);
        }
        // Doubles in order have bits in order, so the units of the last bit are added to the exponent, carry and all.
        let exponent = u64::try_from(last - SMALLEST_EXPONENT).map_err(|_| NumberProblem::Underflow)?;
        if exponent > INFINITE >> FRACTION_BITS {
            return Err(NumberProblem::Overflow);
        }
        let bits = (exponent << FRACTION_BITS) + units;
        if bits >= INFINITE {
            return Err(NumberProblem::Overflow);
        }
        let magnitude = f64::from_bits(bits);
        Ok(if self.is_negative() { -magnitude } else { magnitude })
    }

    /// The whole number that it is, if it is one from 0 to 10¹⁵.
    pub(super) fn whole(&self) -> Option<u64> {
        let whole = self.magnitude() / &self.denominator;
        let is_whole = !self.is_negative() && &whole * &self.denominator == *self.magnitude();
        u64::try_from(whole).ok().filter(|whole| is_whole && *whole <= MAX_COUNT)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let over = |denominator: &BigUint| BigInt::from(denominator.clone());
        (&self.numerator * over(&other.denominator)).cmp(&(&other.numerator * over(&self.denominator)))
    }
}

impl Neg for Ratio {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.numerator, self.denominator)
    }
}

impl Add for &Ratio {
    type Output = Ratio;

    fn add(self, other: Self) -> Ratio {
        let over = |denominator: &BigUint| BigInt::from(denominator.clone());
        let numerator =
            &self.numerator * over(&other.denominator) + &other.numerator * over(&self.denominator);
        Ratio::new(numerator, &self.denominator * &other.denominator)
    }
}

impl Mul for &Ratio {
    type Output = Ratio;

    fn mul(self, other: Self) -> Ratio {
        Ratio::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nearest(numerator: &str, denominator: &str) -> Result<f64, NumberProblem> {
        let whole = |text: &str| text.parse::<BigInt>().unwrap();
        Ratio::new(whole(numerator), whole(denominator).magnitude().clone()).nearest()
    }

    #[test]
    fn ties_go_to_the_even_double() {
        // 2⁵³ + 1 and 2⁵³ + 3 are in the middle.
        assert_eq!(nearest("9007199254740993", "1"), Ok(9_007_199_254_740_992.0));
        assert_eq!(nearest("9007199254740995", "1"), Ok(9_007_199_254_740_996.0));
        assert_eq!(nearest("-9007199254740995", "1"), Ok(-9_007_199_254_740_996.0));
    }

    proptest! {
        #[test]
        fn what_is_trimmed_is_next_to_what_it_was(n in any::<i128>(), d in 1u64.., power in 0u64..300, bits in 8u64..40) {
            for (n, d) in [(BigInt::from(n) << power, BigUint::from(d)), (BigInt::from(n), BigUint::from(d) << power)] {
                let ratio = Ratio::new(n, d);
                let [low, high] = [false, true].map(|is_up| ratio.clone().trimmed(bits, is_up));
                prop_assert!(low <= ratio && ratio <= high);
                // One in the last of the bits, at most.
                let width = &high + &-low.clone();
                let size = Ratio::new(ratio.magnitude().clone().into(), ratio.denominator.clone() << (bits - 2));
                prop_assert!(width <= size, "{width:?} {size:?}");
            }
        }

        // The standard library rounds decimals by an algorithm of its own.
        #[test]
        fn decimals_round_as_the_standard_library_rounds_them(digits in "[1-9][0-9]{0,40}", power in -380i64..320) {
            let value = Ratio::of_decimal(&digits, power).unwrap().nearest();
            let expected: f64 = format!("{digits}e{power}").parse().unwrap();
            match value {
                Ok(value) => prop_assert_eq!(value, expected),
                Err(NumberProblem::Overflow) => prop_assert_eq!(expected, f64::INFINITY),
                Err(_) => prop_assert_eq!(expected, 0.0),
            }
        }

        // The processor rounds quotients and roots of doubles correctly.
        #[test]
        fn quotients_and_roots_round_as_the_processor_rounds_them(a in 1u64..1 << 53, b in 1u64..1 << 53) {
            let ratio = Ratio::new(a.into(), b.into());
            prop_assert_eq!(ratio.nearest(), Ok(a as f64 / b as f64));
            let (low, high) = Ratio::new(a.into(), 1u8.into()).root(128).unwrap();
            prop_assert_eq!(low.nearest(), Ok((a as f64).sqrt()));
            prop_assert_eq!(high.nearest(), Ok((a as f64).sqrt()));
        }
    }
}
