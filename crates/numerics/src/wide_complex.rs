//! Complex numbers with 106 bits: pairs of [`DoubleDouble`]s. No radius is carried: bounds are stated for each operation.

use crate::{
    double_double::DoubleDouble,
    error_free::{two_product, two_sum},
    vectorised::vectorised,
};
use std::{
    f64::consts::FRAC_PI_2,
    ops::{Add, Mul, Sub},
};

/// `re + i im`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideComplex {
    /// The real part.
    pub re: DoubleDouble,
    /// The imaginary part.
    pub im: DoubleDouble,
}

/// `π/2` in three parts.
pub(crate) const HALF_PI: [f64; 3] = [FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591833e-33];
/// Angles are not reduced from farther away than this many quarters of a turn.
pub(crate) const MOST_QUARTERS: f64 = 1e9;

impl WideComplex {
    /// Exactly 0.
    pub const ZERO: Self = Self { re: DoubleDouble::ZERO, im: DoubleDouble::ZERO };
    /// Exactly 1.
    pub const ONE: Self = Self { re: DoubleDouble::ONE, im: DoubleDouble::ZERO };

    /// What a product is off at most, relative to its modulus, as long as no part of it leaves the range `2^-968 … 2^1023`: 32u².
    ///
    /// Proof for the real part `ac − bd`, with `X = |ac| + |bd| ≤ |z||w|`: the leading products and their difference are split without
    /// error. The four products with a low half are at most 2uX together and rounded by 8u²X; their sum with the three error terms by
    /// 7u²X; the products of two low halves, left out, are u²X. That is 16u²X and a little for each part, times √2.
    pub const PRODUCT_ERROR: f64 = 3.944304526105059e-31; // 2^-101

    /// What [`cis`](Self::cis) is off at most: 2^-99 = 128u².
    ///
    /// Proof: reduction leaves 7.2u². With `E = e^{ir} − 1` for an r of at most π/4 over 2^9, known to 9u² of itself, `2E + E²` doubles the absolute
    /// error, as `|1 + E| = 1`, and `|E|` nearly so. Each of nine times it adds 3u² of the sum and 32u² of the square, with all doublings after it
    /// 21.4u² and 9.9u² together; the series makes 7.2u², and the last sum 3u².
    pub const CIS_ERROR: f64 = 1.5777218104420236e-30;

    /// A real number.
    #[inline]
    #[must_use]
    pub fn real(re: DoubleDouble) -> Self {
        Self { re, im: DoubleDouble::ZERO }
    }

    /// `e^{ix}`; `None` for angles beyond 10⁹.
    #[must_use]
    pub fn cis(x: DoubleDouble) -> Option<Self> {
        let quarters = (x.hi() / HALF_PI[0]).round();
        if quarters.is_nan() || quarters.abs() >= MOST_QUARTERS {
            return None;
        }
        let reduced = x
            - DoubleDouble::from_product(quarters, HALF_PI[0])
            - DoubleDouble::from_product(quarters, HALF_PI[1])
            - DoubleDouble::from(quarters * HALF_PI[2]);
        let Self { re, im } = Self::ONE + turned(reduced);
        Some(match quarters.rem_euclid(4.0) as u8 {
            0 => Self { re, im },
            1 => Self { re: -im, im: re },
            2 => Self { re: -re, im: -im },
            _ => Self { re: im, im: -re },
        })
    }

    /// The halves of its real and of its imaginary part.
    pub(crate) fn halves(self) -> [f64; 4] {
        [self.re.hi(), self.re.lo(), self.im.hi(), self.im.lo()]
    }

    /// `z^n` by repeated squaring.
    ///
    /// # Guarantee
    /// For a base known to a part η of it, known to the part `e^{n(η + 2ε)} − 1` with the [error](Self::PRODUCT_ERROR) ε of products, if nothing
    /// leaves their range. By induction with `(1 + η)ⁿ(1 + ε)^{2n−1}`: squares have twice the exponents and one product more.
    #[must_use]
    pub fn power(self, n: u64) -> Self {
        if n == 0 {
            return Self::ONE;
        }
        vectorised(
            #[inline(always)]
            || {
                let mut power = self;
                for bit in (0..n.ilog2()).rev() {
                    power = power * power;
                    if n >> bit & 1 == 1 {
                        power = power * self;
                    }
                }
                power
            },
        )
    }

    /// `1/z`, known to 2^-98 of it.
    #[inline(always)]
    #[must_use]
    pub fn inverse(self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Self { re: self.re / square, im: -(self.im / square) }
    }

    /// The product with a real number, off by [`DoubleDouble::ARITHMETIC_ERROR`] of itself.
    #[inline(always)]
    #[must_use]
    pub fn times_real(self, real: DoubleDouble) -> Self {
        Self { re: self.re * real, im: self.im * real }
    }

    /// The modulus, in plain floats.
    #[must_use]
    pub fn modulus(self) -> f64 {
        self.re.hi().hypot(self.im.hi())
    }
}

/// `e^{ir} − 1` for |r| ≤ π/4 and a little more.
fn turned(r: DoubleDouble) -> WideComplex {
    vectorised(
        #[inline(always)]
        || {
            let r = r.scaled_by_power_of_two(1.0 / f64::from(1 << DoubleDouble::HALVINGS));
            let square = r * r;
            let [half, sixth, c4, c5, c6, c7, c8, c9] = DoubleDouble::INVERSE_FACTORIALS;
            let cosine_less_one = -(square * (half - square * (c4 - square * (c6 - square * c8))));
            let sine =
                r * (DoubleDouble::ONE - square * (sixth - square * (c5 - square * (c7 - square * c9))));
            let mut turned = WideComplex { re: cosine_less_one, im: sine };
            for _ in 0..DoubleDouble::HALVINGS {
                turned = turned + turned + turned * turned;
            }
            turned
        },
    )
}

impl Add for WideComplex {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for WideComplex {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for WideComplex {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let parts = |x: Self| [x.re.hi(), x.re.lo(), x.im.hi(), x.im.lo()];
        let [re_hi, re_lo, im_hi, im_lo] = product(parts(self), parts(other));
        Self { re: DoubleDouble::from_sum(re_hi, re_lo), im: DoubleDouble::from_sum(im_hi, im_lo) }
    }
}

/// The product of two complex numbers, each given as high and low halves of its real and its imaginary part.
#[inline(always)]
pub(crate) fn product([a, a_low, b, b_low]: [f64; 4], [c, c_low, d, d_low]: [f64; 4]) -> [f64; 4] {
    let [re, re_low] = sum_of_products([a, a_low], [c, c_low], [-b, -b_low], [d, d_low]);
    let [im, im_low] = sum_of_products([a, a_low], [d, d_low], [b, b_low], [c, c_low]);
    [re, re_low, im, im_low]
}

/// `ac + bd`.
#[inline(always)]
fn sum_of_products(
    [a, a_low]: [f64; 2],
    [c, c_low]: [f64; 2],
    [b, b_low]: [f64; 2],
    [d, d_low]: [f64; 2],
) -> [f64; 2] {
    let (first, first_error) = two_product(a, c);
    let (second, second_error) = two_product(b, d);
    let (sum, sum_error) = two_sum(first, second);
    let cross = (a * c_low + a_low * c) + (b * d_low + b_low * d);
    let (high, low) = two_sum(sum, (sum_error + (first_error + second_error)) + cross);
    [high, low]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ball::Ball;
    use proptest::prelude::*;

    fn wide(hi: f64, t: f64) -> DoubleDouble {
        DoubleDouble::from_sum(hi, hi * t * 2f64.powi(-54))
    }

    /// `e^{ix}` from the series of `x/32` in balls, squared five times.
    fn by_series(x: DoubleDouble) -> (Ball, Ball) {
        let x = Ball::new(x, 0.0) / Ball::from(32.0);
        let (mut cosine, mut sine, mut term) = (Ball::ONE, Ball::ZERO, Ball::ONE);
        for k in 1..40u64 {
            term = term * x / Ball::from(k);
            let signed = if k % 4 < 2 { term } else { -term };
            if k % 2 == 0 { cosine = cosine + signed } else { sine = sine + signed }
        }
        for _ in 0..5 {
            (cosine, sine) = (cosine * cosine - sine * sine, cosine * sine + sine * cosine);
        }
        (cosine, sine)
    }

    fn distance(z: WideComplex, (re, im): (Ball, Ball)) -> (f64, f64) {
        let (x, y) = (Ball::new(z.re, 0.0) - re, Ball::new(z.im, 0.0) - im);
        (x.approximate().hypot(y.approximate()), re.radius() + im.radius())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn products_are_as_exact_as_stated(
            parts in prop::array::uniform4(-3f64..3.0), lows in prop::array::uniform4(-1f64..1.0), alike in any::<bool>(),
        ) {
            let z = WideComplex { re: wide(parts[0], lows[0]), im: wide(parts[1], lows[1]) };
            // With the conjugate turned by a quarter, one part cancels.
            let w = if alike { WideComplex { re: z.im, im: z.re } } else { WideComplex { re: wide(parts[2], lows[2]), im: wide(parts[3], lows[3]) } };
            let ball = |x: DoubleDouble| Ball::new(x, 0.0);
            let truth = (
                ball(z.re) * ball(w.re) - ball(z.im) * ball(w.im),
                ball(z.re) * ball(w.im) + ball(z.im) * ball(w.re),
            );
            let (off, unsure) = distance(z * w, truth);
            let size = z.modulus() * w.modulus();
            // Balls are as exact as what is looked at: the bound holds with theirs added.
            prop_assert!(off <= WideComplex::PRODUCT_ERROR * size + unsure, "{off:e} {unsure:e} {size}");
            let (off, unsure) = distance(z * z.inverse(), (Ball::ONE, Ball::ZERO));
            prop_assert!(off <= 2f64.powi(-97) + unsure, "{off:e}");
        }

        #[test]
        fn turns_are_as_exact_as_stated(x in prop_oneof![-6f64..6.0, -1e-3f64..1e-3, -12f64..12.0], t in -1f64..1.0) {
            let x = wide(x, t);
            let (off, unsure) = distance(WideComplex::cis(x).unwrap(), by_series(x));
            prop_assert!(off <= WideComplex::CIS_ERROR + unsure, "{off:e} {unsure:e}");
        }

        #[test]
        fn large_turns_are_powers_of_small_ones(x in -1.0f64..1.0, t in -1f64..1.0, n in 1u64..100_000) {
            let x = wide(x, t);
            let power = WideComplex::cis(x).unwrap().power(n);
            let many = WideComplex::cis(x * DoubleDouble::from(n)).unwrap();
            // The product with n is rounded to 2^-102 of itself.
            let allowed = (n as f64 + 2.0) * 1.01 * (WideComplex::CIS_ERROR + 2.0 * WideComplex::PRODUCT_ERROR);
            prop_assert!((power - many).modulus() <= allowed, "{:e}", (power - many).modulus());
        }
    }

    #[test]
    fn there_is_no_turn_without_an_angle() {
        for x in [1e12, f64::INFINITY, f64::NAN] {
            assert_eq!(WideComplex::cis(DoubleDouble::from(x)), None);
        }
    }
}
