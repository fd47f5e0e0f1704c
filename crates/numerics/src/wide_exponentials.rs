//! Exponentials of complex numbers with 106 bits, and sums of their products.

use crate::{
    double_double::DoubleDouble,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::{self, WideComplex},
};

impl WideComplexArray {
    /// The number of numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.re.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.re.is_empty()
    }

    /// Adds a number at the end.
    pub fn push(&mut self, z: WideComplex) {
        self.re.push(z.re);
        self.im.push(z.im);
    }

    /// Those from a place on.
    #[must_use]
    pub fn from(&self, first: usize) -> Self {
        let mut some = Self::default();
        (first..self.len()).for_each(|i| some.push(self.at(i)));
        some
    }

    /// The number at a place.
    #[must_use]
    pub fn at(&self, i: usize) -> WideComplex {
        WideComplex { re: self.re.at(i), im: self.im.at(i) }
    }

    /// `e^z`; `None` if a real part is not between −700 and 700, or one turns too far.
    ///
    /// # Guarantee
    /// Each is off by at most [`WideComplex::EXP_ERROR`] of itself: by [`DoubleDouble::EXP_ERROR`] and [`WideComplex::CIS_ERROR`], and a product; or by 10⁻³⁰⁰ where low halves underflow.
    #[must_use]
    pub fn exp(self) -> Option<Self> {
        if !self.re.leading().iter().all(|exponent| exponent.abs() < LARGEST_EXPONENT) {
            return None;
        }
        let sizes = self.re.exp();
        let Self { re, im } = self.im.cis()?;
        let times = |part: WideArray| {
            part.zip(
                &sizes,
                #[inline(always)]
                |part, size| part * size,
            )
        };
        Some(Self { re: times(re), im: times(im) })
    }

    /// The products with as many other numbers, off by [`WideComplex::PRODUCT_ERROR`] of themselves.
    #[must_use]
    pub fn times(mut self, others: &Self) -> Self {
        vectorised(
            #[inline(always)]
            || {
                let count = self.re.len();
                let ((re, re_low), (im, im_low)) = (self.re.halves_mut(), self.im.halves_mut());
                let ((c, c_low), (d, d_low)) = (others.re.halves(), others.im.halves());
                for i in 0..count {
                    let [a, b] = [[re[i], re_low[i], im[i], im_low[i]], [c[i], c_low[i], d[i], d_low[i]]];
                    [re[i], re_low[i], im[i], im_low[i]] = wide_complex::product(a, b);
                }
            },
        );
        self
    }

    /// `Σ a b c` over as many places of three lists, from one of each on.
    ///
    /// # Guarantee
    /// Off by at most `Σ |a b c|(2^-99 + n 2^-105)` for n of them: two products, 64u² and a little, and n/4 sums in a lane and some between lanes, 3u² each of what
    /// was summed, for up to three that fill no lane as well.
    #[must_use]
    pub fn sum_of_products(lists: [(&Self, usize); 3], count: usize) -> WideComplex {
        let halves = lists.map(|(list, from)| {
            let ((re, re_low), (im, im_low)) = (list.re.halves(), list.im.halves());
            [re, re_low, im, im_low].map(|half| &half[from..from + count])
        });
        vectorised(
            #[inline(always)]
            || {
                let mut sums = [WideComplex::ZERO; LANES];
                let chunks = count / LANES;
                for chunk in 0..chunks {
                    for (lane, sum) in sums.iter_mut().enumerate() {
                        let i = chunk * LANES + lane;
                        *sum = *sum + number(&halves[0], i) * (number(&halves[1], i) * number(&halves[2], i));
                    }
                }
                let mut sum = sums.into_iter().fold(WideComplex::ZERO, |sum, lane| sum + lane);
                for i in chunks * LANES..count {
                    sum = sum + number(&halves[0], i) * (number(&halves[1], i) * number(&halves[2], i));
                }
                sum
            },
        )
    }
}

/// The number at a place of a list, of which the halves of the real and of the imaginary parts are given.
#[inline(always)]
fn number(halves: &[&[f64]; 4], i: usize) -> WideComplex {
    WideComplex {
        re: DoubleDouble::of_halves(halves[0][i], halves[1][i]),
        im: DoubleDouble::of_halves(halves[2][i], halves[3][i]),
    }
}

/// So many products are summed at once.
const LANES: usize = 4;
/// Exponents beyond this are not looked at.
const LARGEST_EXPONENT: f64 = 700.0;

impl WideComplex {
    /// What an exponential is off at most, relative to itself: 2^-98, for 64u², 128u² and 5u².
    pub const EXP_ERROR: f64 = 3.1554436208840472e-30;

    /// `e^z`, off by [`EXP_ERROR`](Self::EXP_ERROR) of itself, or by 10⁻³⁰⁰ where low halves underflow; `None` if the real part is not between −700 and 700, or it turns too far.
    #[must_use]
    pub fn exp(self) -> Option<Self> {
        if self.re.hi().is_nan() || self.re.hi().abs() >= LARGEST_EXPONENT {
            return None;
        }
        Some(Self::cis(self.im)?.times_real(self.re.exp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide(x: f64, t: f64) -> DoubleDouble {
        DoubleDouble::from_sum(x, x * t * 2f64.powi(-54))
    }

    fn number(parts: [f64; 2], lows: [f64; 2]) -> WideComplex {
        WideComplex { re: wide(parts[0], lows[0]), im: wide(parts[1], lows[1]) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn sums_of_products_are_what_they_are(
            numbers in prop::collection::vec(prop::array::uniform6(-2f64..2.0), 1..40),
            from in 0usize..3,
        ) {
            let lists = [0, 1, 2].map(|list| {
                let mut array = WideComplexArray::default();
                numbers.iter().for_each(|parts| array.push(number([parts[2 * list], parts[2 * list + 1]], [0.3, -0.7])));
                array
            });
            let count = numbers.len().saturating_sub(from);
            let found = WideComplexArray::sum_of_products([(&lists[0], from.min(numbers.len())), (&lists[1], 0), (&lists[2], 0)], count);
            let (mut sum, mut size) = (WideComplex::ZERO, 0.0);
            for i in 0..count {
                let product = lists[0].at(i + from) * lists[1].at(i) * lists[2].at(i);
                size += product.modulus();
                sum = sum + product;
            }
            // The other sum is as exact.
            prop_assert!((found - sum).modulus() <= size * (2f64.powi(-98) + count as f64 * 2f64.powi(-103)));
            let exponentials = lists[0].clone().exp().unwrap().times(&lists[1]);
            for i in 0..numbers.len() {
                let one = lists[0].at(i).exp().unwrap() * lists[1].at(i);
                prop_assert!((exponentials.at(i) - one).modulus() <= one.modulus() * 2.1 * WideComplex::EXP_ERROR);
            }
            prop_assert_eq!(lists[0].from(from).len(), count);
        }
    }

    #[test]
    fn far_away_nothing_is_said() {
        for exponent in [701.0, -701.0, f64::NAN] {
            assert!(number([exponent, 0.0], [0.0; 2]).exp().is_none());
        }
        assert_eq!(WideComplex::ZERO.exp(), Some(WideComplex::ONE));
    }
}
