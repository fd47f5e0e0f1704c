//! Many numbers with 106 bits at a time: their exponentials and turns, a vector of them at once.
//!
//! One exponential is a chain of products that wait for each other; of many, a processor computes dozens in the same time.

use crate::{
    double_double::DoubleDouble,
    special,
    vectorised::vectorised,
    wide_complex::{self, HALF_PI},
};

/// Numbers as the sums of two doubles each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WideArray {
    hi: Vec<f64>,
    lo: Vec<f64>,
}

/// Complex numbers, as real and imaginary parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WideComplexArray {
    /// The real parts.
    pub re: WideArray,
    /// The imaginary parts.
    pub im: WideArray,
}

/// `e^x = 2^k (1 + E)`.
struct Reduced {
    rest: WideArray,
    power: Vec<f64>,
}

/// The sum of it and a number below 2^51 has that number, rounded, in its last digits.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52

/// From here on `e^x − 1 − x` is a difference that loses few digits.
const SMALL_REST: f64 = 0.34;

impl WideArray {
    /// So many zeros.
    #[must_use]
    pub fn zeros(length: usize) -> Self {
        Self { hi: vec![0.0; length], lo: vec![0.0; length] }
    }

    /// Doubles.
    #[must_use]
    pub fn from_leading(hi: Vec<f64>) -> Self {
        Self { lo: vec![0.0; hi.len()], hi }
    }

    /// The number of numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hi.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hi.is_empty()
    }

    /// The leading doubles.
    #[must_use]
    pub fn leading(&self) -> &[f64] {
        &self.hi
    }

    /// The high and the low halves.
    pub(crate) fn halves(&self) -> (&[f64], &[f64]) {
        (&self.hi, &self.lo)
    }

    /// The same, to be changed.
    pub(crate) fn halves_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.hi, &mut self.lo)
    }

    /// The number at a place.
    #[must_use]
    pub fn at(&self, i: usize) -> DoubleDouble {
        DoubleDouble::from_sum(self.hi[i], self.lo[i])
    }

    /// Adds a number at the end.
    pub fn push(&mut self, x: DoubleDouble) {
        self.hi.push(x.hi());
        self.lo.push(x.lo());
    }

    /// What `f` makes of each number.
    #[inline(always)]
    #[must_use]
    pub fn map(mut self, f: impl Fn(DoubleDouble) -> DoubleDouble) -> Self {
        vectorised(
            #[inline(always)]
            || {
                let length = self.hi.len();
                let (hi, lo) = (&mut self.hi[..length], &mut self.lo[..length]);
                for i in 0..length {
                    let made = f(DoubleDouble::of_halves(hi[i], lo[i]));
                    (hi[i], lo[i]) = (made.hi(), made.lo());
                }
            },
        );
        self
    }

    /// What `f` makes of each number and the one at the same place of another list, which is as long.
    #[inline(always)]
    #[must_use]
    pub fn zip(mut self, other: &Self, f: impl Fn(DoubleDouble, DoubleDouble) -> DoubleDouble) -> Self {
        vectorised(
            #[inline(always)]
            || {
                let length = self.hi.len();
                let (hi, lo) = (&mut self.hi[..length], &mut self.lo[..length]);
                let (other_hi, other_lo) = (&other.hi[..length], &other.lo[..length]);
                for i in 0..length {
                    let made = f(
                        DoubleDouble::of_halves(hi[i], lo[i]),
                        DoubleDouble::of_halves(other_hi[i], other_lo[i]),
                    );
                    (hi[i], lo[i]) = (made.hi(), made.lo());
                }
            },
        );
        self
    }

    /// `e^x` for numbers between −708 and 709; beyond, nothing is said.
    ///
    /// # Guarantee
    /// Within [`DoubleDouble::FUNCTION_ERROR`] of itself, or 10⁻³⁰⁰ where low halves underflow: it takes the steps of
    /// [`DoubleDouble::exp`].
    #[must_use]
    pub fn exp(self) -> Self {
        let Reduced { mut rest, power } = self.reduced();
        vectorised(
            #[inline(always)]
            || {
                let length = power.len();
                let (hi, lo) = (&mut rest.hi[..length], &mut rest.lo[..length]);
                for i in 0..length {
                    let sum = DoubleDouble::ONE + DoubleDouble::of_halves(hi[i], lo[i]);
                    (hi[i], lo[i]) = (sum.hi() * power[i], sum.lo() * power[i]);
                }
            },
        );
        rest
    }

    /// `e^x − 1`, with relative accuracy near 0, for numbers between −708 and 709.
    ///
    /// # Guarantee
    /// Within twice [`DoubleDouble::FUNCTION_ERROR`] of itself: of `2^k E + (2^k − 1)` the second term is exact, and the first is at most
    /// 1.5 times the sum.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        let Reduced { mut rest, power } = self.reduced();
        vectorised(
            #[inline(always)]
            || {
                let length = power.len();
                let (hi, lo) = (&mut rest.hi[..length], &mut rest.lo[..length]);
                for i in 0..length {
                    let scaled = DoubleDouble::of_halves(hi[i] * power[i], lo[i] * power[i]);
                    let sum = scaled + DoubleDouble::from_sum(power[i], -1.0);
                    (hi[i], lo[i]) = (sum.hi(), sum.lo());
                }
            },
        );
        rest
    }

    /// `e^x − 1` and `e^x − 1 − x`, each with relative accuracy near 0, for numbers between −708 and 709.
    ///
    /// # Guarantee
    /// The first as [`exp_m1`](Self::exp_m1) says, the second within [`REST_ERROR`](Self::REST_ERROR) of itself. From a small r on,
    /// `t ← 2t + s²` doubles the argument of the rest t, where s is the other: both terms are positive and nearly alike, so that t is off by about what twice s is, 74u², and by 5u² and
    /// twice 3u². From `|x| > 0.34` on x is taken from the first, which is off by 72u² and less than 6.3 times what is left.
    #[must_use]
    pub fn exp_m1_and_rest(self) -> (Self, Self) {
        let arguments = self.clone();
        let scale = 1.0 / f64::from(1 << DoubleDouble::HALVINGS);
        let r = self.clone().map(
            #[inline(always)]
            |x| x.scaled_by_power_of_two(scale),
        );
        let mut rest = r.clone().zip(
            &r.clone().series_tail(),
            #[inline(always)]
            |r, tail| r * r * tail,
        );
        let mut s = r.zip(
            &rest,
            #[inline(always)]
            |r, rest| r + rest,
        );
        for _ in 0..DoubleDouble::HALVINGS {
            rest = rest.zip(
                &s,
                #[inline(always)]
                |t, s| t.scaled_by_power_of_two(2.0) + s * s,
            );
            s = s.map(
                #[inline(always)]
                |s| s.scaled_by_power_of_two(2.0) + s * s,
            );
        }
        let all = self.exp_m1();
        for i in 0..all.len() {
            if arguments.hi[i].abs() > SMALL_REST {
                let left = all.at(i) - arguments.at(i);
                (rest.hi[i], rest.lo[i]) = (left.hi(), left.lo());
            }
        }
        (all, rest)
    }

    /// What the second of [`exp_m1_and_rest`](Self::exp_m1_and_rest) is off at most, relative to itself.
    pub const REST_ERROR: f64 = 2.0 * DoubleDouble::FUNCTION_ERROR;

    /// `ln(1 + x)` for x between −1 + 10⁻⁸ and 10³⁰⁴, with relative accuracy near 0; beyond, nothing is said.
    ///
    /// # Guarantee
    /// With the [errors](Self::log_error) U and F, off by at most `(4F + U|L|)|L|`. A double `y` is within `3u(|L| + 1)` of the logarithm `L`, or within
    /// `8u|L|` if x is between −1/2 and 1; `L = y + ln(1 + v)` with `v = (1 + x)e^{−y} − 1`, for which v is taken. In that range v is summed as
    /// `x + m + xm`, `m = e^{−y} − 1`, off by 2F of m and roundings of x; beyond, the product is off by F, where `|L| > 0.69`.
    #[must_use]
    pub fn ln_1p(mut self) -> Self {
        // Near −1 the low half shows.
        let start = |(x, low): (&f64, &f64)| special::ln_1p(*x) + low / (1.0 + x);
        let start: Vec<f64> = self.hi.iter().zip(&self.lo).map(start).collect();
        let length = start.len();
        let negative = Self { hi: start.iter().map(|y| -y).collect(), lo: vec![0.0; length] };
        let Reduced { rest, power } = negative.reduced();
        vectorised(
            #[inline(always)]
            || {
                let (hi, lo) = (&mut self.hi[..length], &mut self.lo[..length]);
                let (rest_hi, rest_lo) = (&rest.hi[..length], &rest.lo[..length]);
                let (start, power) = (&start[..length], &power[..length]);
                for i in 0..length {
                    let x = DoubleDouble::of_halves(hi[i], lo[i]);
                    let rest = DoubleDouble::of_halves(rest_hi[i], rest_lo[i]);
                    let m = rest.scaled_by_power_of_two(power[i]) + DoubleDouble::from_sum(power[i], -1.0);
                    let near = x + m + x * m;
                    // The power of two goes to the number: the inverse of a huge one would underflow in its low half.
                    let scaled = (DoubleDouble::ONE + x).scaled_by_power_of_two(power[i]);
                    let far = scaled * (DoubleDouble::ONE + rest) - DoubleDouble::ONE;
                    let is_near = x.hi() > -0.5 && x.hi() < 1.0;
                    let (v_hi, v_lo) = if is_near { (near.hi(), near.lo()) } else { (far.hi(), far.lo()) };
                    let sum = DoubleDouble::from(start[i]) + DoubleDouble::of_halves(v_hi, v_lo);
                    (hi[i], lo[i]) = (sum.hi(), sum.lo());
                }
            },
        );
        self
    }

    /// What [`ln_1p`](Self::ln_1p) is off at most where it is about `log`.
    #[inline(always)]
    #[must_use]
    pub fn log_error(log: f64) -> f64 {
        (4.0 * DoubleDouble::FUNCTION_ERROR + DoubleDouble::ARITHMETIC_ERROR * log.abs()) * log.abs()
    }

    fn reduced(mut self) -> Reduced {
        let length = self.len();
        let mut power = vec![0.0; length];
        vectorised(
            #[inline(always)]
            || {
                let (hi, lo, power) = (&mut self.hi[..length], &mut self.lo[..length], &mut power[..length]);
                for i in 0..length {
                    let [first, second, third] = DoubleDouble::LN_2;
                    let rounded = hi[i] / first + ROUNDER;
                    let k = rounded - ROUNDER;
                    let reduced = DoubleDouble::of_halves(hi[i], lo[i])
                        - DoubleDouble::from(k * first)
                        - DoubleDouble::from_product(k, second)
                        - DoubleDouble::from(k * third);
                    (hi[i], lo[i]) = (reduced.hi(), reduced.lo());
                    power[i] = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
                }
            },
        );
        Reduced { rest: self.exp_m1_reduced(), power }
    }

    /// As [`DoubleDouble`] does it, step by step for all of them.
    fn exp_m1_reduced(self) -> Self {
        let scale = 1.0 / f64::from(1 << DoubleDouble::HALVINGS);
        let r = self.map(
            #[inline(always)]
            |x| x.scaled_by_power_of_two(scale),
        );
        let mut s = r.clone().series_tail().zip(
            &r,
            #[inline(always)]
            |tail, r| r + r * r * tail,
        );
        for _ in 0..DoubleDouble::HALVINGS {
            s = s.map(
                #[inline(always)]
                |s| s.scaled_by_power_of_two(2.0) + s * s,
            );
        }
        s
    }

    /// `(e^r − 1 − r)/r²` for small numbers.
    fn series_tail(self) -> Self {
        let mut coefficients = DoubleDouble::INVERSE_FACTORIALS.into_iter().rev();
        let last = coefficients.next().unwrap_or(DoubleDouble::ZERO);
        let mut tail = self.clone().map(
            #[inline(always)]
            |_| last,
        );
        for coefficient in coefficients {
            tail = tail.zip(
                &self,
                #[inline(always)]
                |tail, r| tail * r + coefficient,
            );
        }
        tail
    }

    /// `e^{ix}`; `None` if an angle is beyond 10⁹.
    ///
    /// # Guarantee
    /// Within [`WideComplex::CIS_ERROR`](wide_complex::WideComplex::CIS_ERROR): it takes the steps of
    /// [`WideComplex::cis`](wide_complex::WideComplex::cis).
    #[must_use]
    pub fn cis(mut self) -> Option<WideComplexArray> {
        let length = self.len();
        if !self.hi.iter().all(|x| x.abs() < wide_complex::MOST_QUARTERS) {
            return None;
        }
        let mut quarters = vec![0.0; length];
        vectorised(
            #[inline(always)]
            || {
                let (hi, lo, quarters) =
                    (&mut self.hi[..length], &mut self.lo[..length], &mut quarters[..length]);
                for i in 0..length {
                    let k = (hi[i] / HALF_PI[0] + ROUNDER) - ROUNDER;
                    let reduced = DoubleDouble::of_halves(hi[i], lo[i])
                        - DoubleDouble::from_product(k, HALF_PI[0])
                        - DoubleDouble::from_product(k, HALF_PI[1])
                        - DoubleDouble::from(k * HALF_PI[2]);
                    (hi[i], lo[i]) = (reduced.hi(), reduced.lo());
                    quarters[i] = k;
                }
            },
        );
        let WideComplexArray { mut re, mut im } = self.turned();
        for (i, quarters) in quarters.into_iter().enumerate() {
            let (cosine, sine) = (DoubleDouble::ONE + re.at(i), im.at(i));
            let (x, y) = match quarters.rem_euclid(4.0) as u8 {
                0 => (cosine, sine),
                1 => (-sine, cosine),
                2 => (-cosine, -sine),
                _ => (sine, -cosine),
            };
            (re.hi[i], re.lo[i], im.hi[i], im.lo[i]) = (x.hi(), x.lo(), y.hi(), y.lo());
        }
        Some(WideComplexArray { re, im })
    }

    /// `e^{ir} − 1` for |r| ≤ π/4 and a little more.
    fn turned(self) -> WideComplexArray {
        let scale = 1.0 / f64::from(1 << DoubleDouble::HALVINGS);
        let r = self.map(
            #[inline(always)]
            |x| x.scaled_by_power_of_two(scale),
        );
        let square = r.clone().map(
            #[inline(always)]
            |r| r * r,
        );
        let [half, sixth, c4, c5, c6, c7, c8, c9] = DoubleDouble::INVERSE_FACTORIALS;
        let re = square.clone().map(
            #[inline(always)]
            |square| -(square * (half - square * (c4 - square * (c6 - square * c8)))),
        );
        let im = square.zip(
            &r,
            #[inline(always)]
            |square, r| {
                r * (DoubleDouble::ONE - square * (sixth - square * (c5 - square * (c7 - square * c9))))
            },
        );
        let mut turned = WideComplexArray { re, im };
        for _ in 0..DoubleDouble::HALVINGS {
            turned.double();
        }
        turned
    }
}

impl WideComplexArray {
    /// `2E + E²`, the turn by twice the angle less 1.
    fn double(&mut self) {
        vectorised(
            #[inline(always)]
            || {
                let length = self.re.hi.len();
                let (a, a_low) = (&mut self.re.hi[..length], &mut self.re.lo[..length]);
                let (b, b_low) = (&mut self.im.hi[..length], &mut self.im.lo[..length]);
                for i in 0..length {
                    let parts = [a[i], a_low[i], b[i], b_low[i]];
                    let [re, re_low, im, im_low] = wide_complex::product(parts, parts);
                    let re = DoubleDouble::of_halves(2.0 * a[i], 2.0 * a_low[i])
                        + DoubleDouble::of_halves(re, re_low);
                    let im = DoubleDouble::of_halves(2.0 * b[i], 2.0 * b_low[i])
                        + DoubleDouble::of_halves(im, im_low);
                    (a[i], a_low[i], b[i], b_low[i]) = (re.hi(), re.lo(), im.hi(), im.lo());
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ball::Ball, wide_complex::WideComplex};
    use proptest::prelude::*;

    fn wide(numbers: &[(f64, f64)]) -> WideArray {
        let mut array = WideArray::default();
        for (hi, t) in numbers {
            array.push(DoubleDouble::from_sum(*hi, hi * t * 2f64.powi(-54)));
        }
        array
    }

    fn difference(a: DoubleDouble, b: DoubleDouble) -> f64 {
        (a - b).hi().abs()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// They are what they are one by one, for which there are references.
        #[test]
        fn many_are_as_exact_as_one(
            numbers in prop::collection::vec((prop_oneof![-700f64..700.0, -1f64..1.0, -1e-9f64..1e-9], -1f64..1.0), 1..40)
        ) {
            let array = wide(&numbers);
            let (exp, exp_m1) = (array.clone().exp(), array.clone().exp_m1());
            let cis = array.clone().cis().unwrap();
            for i in 0..array.len() {
                let x = array.at(i);
                let (one, one_m1) = (x.exp(), x.exp_m1());
                prop_assert!(difference(exp.at(i), one) <= 2.0 * DoubleDouble::FUNCTION_ERROR * one.hi());
                prop_assert!(difference(exp_m1.at(i), one_m1) <= 3.0 * DoubleDouble::FUNCTION_ERROR * one_m1.hi().abs());
                let turn = WideComplex::cis(x).unwrap();
                let off = WideComplex { re: cis.re.at(i), im: cis.im.at(i) } - turn;
                prop_assert!(off.modulus() <= 2.0 * WideComplex::CIS_ERROR);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Against its series, and against balls where that is long.
        #[test]
        fn rests_of_exponentials_are_as_exact_as_stated(
            numbers in prop::collection::vec((prop_oneof![-600f64..600.0, -1f64..1.0, -1e-2f64..1e-2, -1e-30f64..1e-30, 0.33f64..0.35, -0.35f64..-0.33], -1f64..1.0), 1..40)
        ) {
            let array = wide(&numbers);
            let (all, rest) = array.clone().exp_m1_and_rest();
            prop_assert_eq!(&all, &array.clone().exp_m1());
            for i in 0..array.len() {
                let x = array.at(i);
                let truth = if x.hi().abs() < 2.0 {
                    let mut sum = DoubleDouble::ZERO;
                    for n in (2..60).rev() {
                        sum = (DoubleDouble::ONE + sum) * x / DoubleDouble::from(f64::from(n));
                    }
                    sum * x
                } else {
                    (Ball::new(x, 0.0).exp() - Ball::ONE - Ball::new(x, 0.0)).midpoint()
                };
                let allowed = (WideArray::REST_ERROR + DoubleDouble::FUNCTION_ERROR) * truth.hi();
                prop_assert!(difference(rest.at(i), truth) <= allowed, "{:?}: {:?} {:?}", x, rest.at(i), truth);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn many_logarithms_are_as_exact_as_one(
            numbers in prop::collection::vec((prop_oneof![-0.999999f64..3.0, -1e-9f64..1e-9, 1f64..1e30, -0.51f64..-0.49, 0.99f64..1.01], -1f64..1.0), 1..40)
        ) {
            let array = wide(&numbers);
            let logs = array.clone().ln_1p();
            for i in 0..array.len() {
                let one = array.at(i).ln_1p();
                let allowed = WideArray::log_error(one.hi()) + DoubleDouble::FUNCTION_ERROR * one.hi().abs();
                prop_assert!(difference(logs.at(i), one) <= allowed, "{:?} {:e}", array.at(i), difference(logs.at(i), one));
            }
        }
    }

    /// The inverse of such a number has no room left for a low half.
    #[test]
    fn logarithms_of_huge_numbers_keep_their_digits() {
        let powers = 900..=1009;
        let numbers: Vec<(f64, f64)> = powers.clone().map(|k| (2f64.powi(k), 0.0)).collect();
        let logs = wide(&numbers).ln_1p();
        for (i, k) in powers.enumerate() {
            let k = f64::from(k);
            let [first, second, third] = DoubleDouble::LN_2;
            let truth = DoubleDouble::from(k * first)
                + DoubleDouble::from_product(k, second)
                + DoubleDouble::from(k * third);
            let allowed = WideArray::log_error(truth.hi()) + DoubleDouble::ARITHMETIC_ERROR * truth.hi();
            let off = difference(logs.at(i), truth);
            assert!(off <= allowed, "2^{k}: {off:e} {allowed:e}");
        }
    }

    #[test]
    fn there_is_no_turn_without_an_angle() {
        for x in [1e12, f64::INFINITY, f64::NAN] {
            assert_eq!(wide(&[(1.0, 0.0), (x, 0.0)]).cis(), None);
        }
    }
}
