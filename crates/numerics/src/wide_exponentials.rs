//! Exponentials of complex numbers with 106 bits and sums of their products, and `erfc(ζ)/2` of one.

use crate::{
    ball::Ball,
    double_double::DoubleDouble,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::{self, WideComplex},
};
use std::sync::LazyLock;

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
    /// Each is off by at most 2^-94 of itself: by [`DoubleDouble::FUNCTION_ERROR`] and [`WideComplex::CIS_ERROR`], and a product.
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
    /// Off by at most `Σ |a b c|(2^-99 + n 2^-101)` for n of them: two products, and every sum is rounded.
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

/// The step τ of the rule, and how many nodes it has right of 0.
const STEP: f64 = 0.34375;
const NODES: usize = 25;
/// Up to here the pole is below the path that the rule is compared with.
const LAST_RESIDUE: f64 = 8.0;

/// `e^{−t²}` at the places t of a rule.
struct Rule {
    squares: [f64; NODES],
    weights: [DoubleDouble; NODES],
}

/// The places `(n + ½)τ`, and `nτ` from the first on.
static RULES: LazyLock<[Rule; 2]> = LazyLock::new(|| {
    [0.5, 1.0].map(|first| {
        let squares = std::array::from_fn(|n| {
            let t = (n as f64 + first) * STEP;
            t * t
        });
        Rule { squares, weights: squares.map(|square| DoubleDouble::from(-square).exp()) }
    })
});

impl WideComplex {
    /// What [`half_erfc`](Self::half_erfc) is off at most, as a part of `e^{v² − u²}`: 2^-88. Where u < 0, 2^-100 of itself is added.
    pub const HALF_ERFC_ERROR: f64 = 3.231174267785264e-27;
    /// How far it is known.
    pub const LARGEST_ERFC: [f64; 2] = [12.0, 7.0];

    /// `erfc(ζ)/2` for `ζ = u + iv` with `|u| ≤ 12` and `|v| ≤ 7`; `None` beyond.
    ///
    /// ```text
    /// erfc(ζ)/2 = (τζ/2π) e^{−ζ²} Σ e^{−t²}/(t² + ζ²) ± 1/(e^{2πζ/τ} ± 1)
    /// ```
    ///
    /// over all t of one of the grids `(n + ½)τ`, with +, and `nτ`, with −: the one from which ζ is farther on the imaginary axis. For u < 0 it is
    /// what is left of 1.
    ///
    /// # Guarantee
    /// Off by at most [`HALF_ERFC_ERROR`](Self::HALF_ERFC_ERROR) of `e^{v² − u²}`. Of that, for u ≥ 0:
    /// - The rule is off by `|ζ| e^{a² − 2πa/τ}/|a² − u²|` on a path moved by a, for there `|t² + ζ²| ≥ |a² − u²|`: with the residue for `u ≤ 8 < a = π/τ`, and without it for
    ///   `u > 8 > a = 7.5`, in each case below 10⁻³⁴.
    /// - Left out are t > 8.7, of which `e^{−t²}` is below 10⁻³² and `|t² + ζ²| ≥ (t − |v|)t > 14`.
    /// - Every t is at least τ/4 from `|v|`, so that `|t² + ζ²| ≥ max(τ/4, |t − |v||) · max(t, |v|, |ζ|)/2`, and ζ² of 2^-101 makes that off by less than 2^-93; inverses
    ///   are off by 2^-98, the exponential by 2^-93, for `|ζ²| < 193`. All terms together are less than 8.
    /// - The residue has a denominator of at least 1, is at most `e^{−18u} ≤ e^{−u²}`, and is off by 2^-91 of itself, for `|2πζ/τ| < 260`.
    #[must_use]
    pub fn half_erfc(self) -> Option<Self> {
        let [u, v] = [self.re.hi(), self.im.hi()];
        if u.is_nan() || v.is_nan() || u.abs() > Self::LARGEST_ERFC[0] || v.abs() > Self::LARGEST_ERFC[1] {
            return None;
        }
        if u < 0.0 {
            let rest = Self { re: -self.re, im: -self.im }.half_erfc()?;
            return Some(Self::ONE - rest);
        }
        vectorised(
            #[inline(always)]
            || self.half_erfc_right_of_zero(),
        )
    }

    #[inline(always)]
    fn half_erfc_right_of_zero(self) -> Option<Self> {
        let [u, v] = [self.re.hi(), self.im.hi()];
        let part = (v.abs() / STEP).fract();
        let is_between = (0.25..=0.75).contains(&part);
        let Rule { squares, weights } = &RULES[usize::from(is_between)];
        let square = self * self;
        let mut sum =
            if is_between { Self::real(DoubleDouble::from(0.5)) * square.inverse() } else { Self::ZERO };
        for (t_squared, weight) in squares.iter().zip(weights) {
            sum = sum + Self::real(*weight) * (Self::real(DoubleDouble::from(*t_squared)) + square).inverse();
        }
        let fall = Self { re: -square.re, im: -square.im }.exp()?;
        let pi = Ball::pi().midpoint();
        let of_rule = Self::real(DoubleDouble::from(STEP) / pi) * self * fall * sum;
        if u > LAST_RESIDUE {
            return Some(of_rule);
        }
        let growth = (Self::real(pi / DoubleDouble::from(0.5 * STEP)) * self).exp()?;
        Some(if is_between {
            of_rule - (growth - Self::ONE).inverse()
        } else {
            of_rule + (growth + Self::ONE).inverse()
        })
    }

    /// `e^z`, off by 2^-94 of itself; `None` if the real part is not between −700 and 700, or it turns too far.
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

        /// `erfc(ζ)/2` falls by `∫ e^{−ζ²}/√π`: by Gauss's rule with five nodes over a short way, of which the eleventh power is left.
        #[test]
        fn its_derivative_is_the_normal_density(
            (u, v) in (-11.5f64..11.5, -6.9f64..6.9),
            (length, angle) in (0.001f64..0.01, -3.2f64..3.2),
        ) {
            let from = number([u, v], [0.0; 2]);
            let way = number([length * angle.cos(), length * angle.sin()], [0.0; 2]);
            let (Some(here), Some(there)) = (from.half_erfc(), (from + way).half_erfc()) else { return Ok(()) };
            let density = |part: f64| {
                let z = from + way.times_real(DoubleDouble::from(part));
                let square = z * z;
                WideComplex { re: -square.re, im: -square.im }.exp().unwrap()
            };
            let (inner, outer) = (0.5384693101056831, 0.906179845938664);
            let weights = [128.0 / 225.0, 0.47862867049936647, 0.23692688505618908];
            let mut sum = density(0.5).times_real(DoubleDouble::from(weights[0]));
            for (node, weight) in [(inner, weights[1]), (outer, weights[2])] {
                for sign in [-1.0, 1.0] {
                    sum = sum + density(0.5 + 0.5 * sign * node).times_real(DoubleDouble::from(weight));
                }
            }
            let root = (Ball::pi().sqrt() * Ball::from(2.0)).midpoint();
            let expected = (sum * way).times_real(DoubleDouble::ONE / root);
            let off = (here - there - expected).modulus();
            let size = (v * v - u * u).exp();
            // Nodes and weights are doubles, and `10! (20|ζ|)^{10}` of the rule is left.
            let left = length * 1e-14 + (length * (2.0 * u.hypot(v) + 3.0) / 5.0).powi(11);
            prop_assert!(off <= (left + 4.0 * WideComplex::HALF_ERFC_ERROR) * size * 1.5 + 1e-30, "{off:e} {size:e}");
        }

        /// Both rules are one: the other grid is taken half a step farther up, and what is between is a series.
        #[test]
        fn both_grids_agree(u in 0f64..9.0, v in 0f64..6.5) {
            let z = number([u, v], [0.0; 2]);
            let step = DoubleDouble::from(0.5 * STEP);
            // erfc(ζ) − erfc(ζ + ih) = (2/√π) ∫ e^{−t²} dt, in eight pieces by fifteen terms of `e^{−2aτ − τ²}` around the middle of each.
            let mut sum = WideComplex::ZERO;
            let pieces = 8;
            for piece in 0..pieces {
                let half = step / DoubleDouble::from(2.0 * f64::from(pieces));
                let middle = z + WideComplex { re: DoubleDouble::ZERO, im: half * DoubleDouble::from(f64::from(2 * piece + 1)) };
                // Coefficients c_n of e^{−(a + τ)²}: (n + 1)c_{n+1} = −2a c_n − 2c_{n−1}.
                let square = middle * middle;
                let mut last = WideComplex::ZERO;
                let mut now = WideComplex { re: -square.re, im: -square.im }.exp().unwrap();
                let mut power = half;
                for n in 0..60 {
                    if n % 2 == 0 {
                        // ∫ τ^n over (−ih', ih') is 2(ih')^{n+1}/(n + 1).
                        let sign = if n % 4 == 0 { 2.0 } else { -2.0 };
                        let weight = DoubleDouble::from(sign) * power / DoubleDouble::from(f64::from(n) + 1.0);
                        sum = sum + WideComplex { re: -now.im, im: now.re }.times_real(weight);
                    }
                    let next = (middle * now + last).times_real(DoubleDouble::from(-2.0) / DoubleDouble::from(f64::from(n) + 1.0));
                    (last, now) = (now, next);
                    power = power * half;
                }
            }
            let root = Ball::pi().sqrt().midpoint();
            let way = WideComplex { re: DoubleDouble::ZERO, im: step };
            let difference = z.half_erfc().unwrap() - (z + way).half_erfc().unwrap();
            let off = (difference - sum.times_real(DoubleDouble::ONE / root)).modulus();
            let size = ((v + STEP) * (v + STEP) - u * u).exp();
            prop_assert!(off <= 2.5 * WideComplex::HALF_ERFC_ERROR * size, "{off:e} {size:e}");
        }

        #[test]
        fn on_the_real_line_it_is_what_it_is(x in 0f64..11.9, t in -1f64..1.0) {
            let mut one = WideArray::default();
            one.push(wide(x, t));
            let known = one.half_erfc().at(0);
            let found = WideComplex::real(wide(x, t)).half_erfc().unwrap();
            let off = (found - WideComplex::real(known)).modulus();
            prop_assert!(off <= 1.01 * WideComplex::HALF_ERFC_ERROR * (-x * x).exp(), "{off:e}");
        }

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
            prop_assert!((found - sum).modulus() <= size * (2f64.powi(-98) + count as f64 * 2f64.powi(-100)));
            let exponentials = lists[0].clone().exp().unwrap().times(&lists[1]);
            for i in 0..numbers.len() {
                let one = lists[0].at(i).exp().unwrap() * lists[1].at(i);
                prop_assert!((exponentials.at(i) - one).modulus() <= one.modulus() * 2f64.powi(-92));
            }
            prop_assert_eq!(lists[0].from(from).len(), count);
        }
    }

    #[test]
    fn far_away_nothing_is_said() {
        for (u, v) in [(12.1, 0.0), (-12.1, 1.0), (3.0, 7.1), (f64::NAN, 0.0), (0.0, f64::NAN)] {
            assert!(number([u, v], [0.0; 2]).half_erfc().is_none());
        }
        assert!(number([701.0, 0.0], [0.0; 2]).exp().is_none());
        assert_eq!(WideComplex::ZERO.half_erfc(), Some(WideComplex::real(DoubleDouble::from(0.5))));
    }
}
