//! `Σ wⱼ e^{inθⱼ}` for n = 0, 1, 2, … with 106 bits.
//!
//! Where a result hardly differs from another one, doubles do not tell them apart. Terms that turn by little all along are summed as a
//! polynomial in n; of the others each is turned by a product for each n, which takes a few nanoseconds.

use crate::{
    double_double::DoubleDouble,
    error_free::two_sum,
    rounding::UNIT_ROUNDOFF,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::{self, WideComplex},
};

/// Accumulators that do not wait for each other.
const LANES: usize = 16;
/// Terms that turn no farther than this have a polynomial.
const FARTHEST: f64 = 6.0;
/// The powers it has: `6^60/60!` is below 10⁻³⁵.
const POWERS: usize = 60;
/// Weights that are smaller than this part of the largest one are left out.
const NEGLIGIBLE: f64 = 1e-38;
/// Powers that are smaller are left out; with all nodes there are fewer than 10⁸.
const TINY: f64 = 1e-250;
/// What it leaves of the sum of all moduli, and `e^6`.
const LEFT: f64 = 1e-34;
const LARGEST: f64 = 404.0;
/// What roundings leave of a polynomial, in units of u² and of `e^6`.
const ROUNDINGS: f64 = 1024.0;

/// Weights at angles, for so many n.
#[derive(Clone, Debug, Default)]
pub struct WideSums {
    count: usize,
    /// Of terms that turn by little: `Σ w (Nθ)^m/m!`, where `N = count − 1`.
    moments: Vec<DoubleDouble>,
    few_turns: usize,
    /// The weights of the others, and what turns them.
    weights: WideArray,
    turns: WideComplexArray,
    /// What the weights are off, together.
    uncertain: f64,
    /// `Σ |w|` times what the angle is off.
    turned: f64,
    /// `Σ |w|`, or a little more.
    mass: f64,
}

/// A sum, and what it may be off.
#[derive(Clone, Copy, Debug)]
pub struct WideSum {
    /// The value as computed.
    pub value: WideComplex,
    /// A bound of its distance from the truth.
    pub error: f64,
}

/// Numbers, and what each may be off.
#[derive(Clone, Debug, Default)]
pub struct Uncertain {
    /// The numbers as computed.
    pub values: WideArray,
    /// Bounds of their distances from the truth.
    pub errors: Vec<f64>,
}

impl WideSums {
    /// For weights and as many angles. `None` if there is no turn by one of these.
    #[must_use]
    pub fn new(weights: &Uncertain, angles: &Uncertain, count: usize) -> Option<Self> {
        let mut sums = Self { count, ..Self::default() };
        let (mut small, mut small_angles) = (WideArray::default(), WideArray::default());
        let mut large_angles = WideArray::default();
        let farthest = FARTHEST / (count as f64 * (1.0 + 1e-9));
        let largest =
            weights.values.leading().iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        for i in 0..weights.values.len() {
            let (weight, angle) = (weights.values.at(i), angles.values.at(i));
            // Products of such small numbers may underflow, and take long.
            if weight.hi().abs() < NEGLIGIBLE * largest {
                sums.uncertain += weight.hi().abs() * (1.0 + 1e-12) + weights.errors[i];
                continue;
            }
            if angle.hi().abs() <= farthest {
                small.push(weight);
                small_angles.push(angle);
            } else {
                sums.weights.push(weight);
                large_angles.push(angle);
            }
            let size = weight.hi().abs() * (1.0 + 1e-12) + weights.errors[i];
            sums.uncertain += weights.errors[i];
            sums.turned += size * angles.errors[i];
            sums.mass += size;
        }
        sums.few_turns = small.len();
        sums.moments = moments(small, &small_angles, count.saturating_sub(1) as f64);
        sums.turns = large_angles.cis()?;
        sums.uncertain += if sums.few_turns > 0 { 1e8 * LARGEST * TINY } else { 0.0 };
        // All that is not a number shows here.
        (sums.uncertain + sums.turned + sums.mass).is_finite().then_some(sums)
    }

    /// The number of terms that are turned one by one.
    #[must_use]
    pub fn turned_terms(&self) -> usize {
        self.weights.len()
    }

    /// The sums for n = 0 … count − 1.
    ///
    /// # Guarantee
    /// A term is turned n times, by a factor that is off by [`WideComplex::CIS_ERROR`] and what its angle is off, and each product is rounded. Of m terms
    /// in a lane the sum is off by 4mu² of the sum of their moduli, for it is split anew after each of them.
    /// Of a polynomial, the m-th coefficient is a sum of products of m + 1 numbers, over m!, and takes part in m/2 steps of Horner's rule; no
    /// more than 4m + 8 operations, each of which is rounded by 16u². As `Σ (4m + 8) 6^m/m! = 32e⁶`, they are off by 512u² of that with the
    /// square and what the angles are multiplied by, and what is left out is less than 10⁻³⁴.
    #[must_use]
    pub fn along(&self) -> Vec<WideSum> {
        let mut terms = Terms::new(&self.weights);
        let turns = padded_parts(&self.turns);
        let lanes = |terms: usize| (terms / LANES + 2 * LANES) as f64;
        let unit = UNIT_ROUNDOFF * UNIT_ROUNDOFF;
        let of_sums = 4.0 * unit * lanes(self.weights.len());
        let of_powers = LARGEST * unit * (4.0 * lanes(self.few_turns) + ROUNDINGS) + LEFT;
        let of_step = (WideComplex::CIS_ERROR + WideComplex::PRODUCT_ERROR) * self.mass + self.turned;
        let mut sums = Vec::with_capacity(self.count);
        for n in 0..self.count {
            let error = self.uncertain + (of_sums + of_powers) * self.mass + n as f64 * of_step;
            let value = terms.sum() + self.polynomial(n);
            let rounding = 4.0 * DoubleDouble::ARITHMETIC_ERROR * value.modulus();
            sums.push(WideSum { value, error: (error + rounding) * (1.0 + 1e-6) });
            if n + 1 < self.count {
                terms.advance(&turns);
            }
        }
        sums
    }

    /// `Σ a (in/N)^m`, a real and an imaginary polynomial in the square.
    fn polynomial(&self, n: usize) -> WideComplex {
        if self.few_turns == 0 {
            return WideComplex::ZERO;
        }
        let whole = DoubleDouble::from(self.count.saturating_sub(1).max(1) as f64);
        vectorised(
            #[inline(always)]
            || {
                let x = DoubleDouble::from(n as f64) / whole;
                let square = -(x * x);
                let (mut even, mut odd) = (DoubleDouble::ZERO, DoubleDouble::ZERO);
                for pair in self.moments.chunks_exact(2).rev() {
                    even = even * square + pair[0];
                    odd = odd * square + pair[1];
                }
                WideComplex { re: even, im: odd * x }
            },
        )
    }
}

/// `Σ w (Nθ)^m/m!` for all powers.
fn moments(weights: WideArray, angles: &WideArray, whole: f64) -> Vec<DoubleDouble> {
    if weights.is_empty() {
        return vec![];
    }
    let whole = DoubleDouble::from(whole);
    let angles = angles.clone().map(
        #[inline(always)]
        |angle| angle * whole,
    );
    let (mut terms, mut factorial) = (weights, DoubleDouble::ONE);
    let mut moments = Vec::with_capacity(POWERS);
    for m in 0..POWERS {
        if m > 0 {
            terms = terms.zip(
                &angles,
                #[inline(always)]
                |term, angle| {
                    let next = term * angle;
                    // Products of such small numbers may underflow, and take long.
                    if next.hi().abs() < TINY { DoubleDouble::ZERO } else { next }
                },
            );
            factorial = factorial * DoubleDouble::from(m as f64);
        }
        moments.push(sum_of(&terms) / factorial);
    }
    moments
}

/// High and low halves of real and imaginary parts, with zeros up to a whole number of lanes.
fn padded_parts(numbers: &WideComplexArray) -> [Vec<f64>; 4] {
    let length = numbers.re.len().div_ceil(LANES) * LANES;
    let [re, im] = [&numbers.re, &numbers.im].map(WideArray::halves);
    [re.0, re.1, im.0, im.1].map(|half| {
        let mut padded = half.to_vec();
        padded.resize(length, 0.0);
        padded
    })
}

/// The terms for one n: high and low halves of real and imaginary parts.
struct Terms {
    parts: [Vec<f64>; 4],
}

impl Terms {
    fn new(weights: &WideArray) -> Self {
        let zeros = WideArray::zeros(weights.len());
        Self { parts: padded_parts(&WideComplexArray { re: weights.clone(), im: zeros }) }
    }

    fn advance(&mut self, turns: &[Vec<f64>; 4]) {
        vectorised(
            #[inline(always)]
            || {
                let length = self.parts[0].len();
                let [c, c_low, d, d_low] = turns.each_ref().map(|list| &list[..length]);
                let [a, a_low, b, b_low] = self.parts.each_mut().map(|list| &mut list[..length]);
                for i in 0..length {
                    [a[i], a_low[i], b[i], b_low[i]] = wide_complex::product(
                        [a[i], a_low[i], b[i], b_low[i]],
                        [c[i], c_low[i], d[i], d_low[i]],
                    );
                }
            },
        );
    }

    fn sum(&self) -> WideComplex {
        let [re, re_low, im, im_low] = &self.parts;
        WideComplex { re: sum_of_halves(re, re_low), im: sum_of_halves(im, im_low) }
    }
}

fn sum_of(numbers: &WideArray) -> DoubleDouble {
    let (high, low) = numbers.halves();
    let whole = high.len() / LANES * LANES;
    let rest = (whole..high.len()).fold(DoubleDouble::ZERO, |sum, i| sum + numbers.at(i));
    sum_of_halves(&high[..whole], &low[..whole]) + rest
}

/// The sum of numbers in two halves, a whole number of lanes of them.
fn sum_of_halves(high: &[f64], low: &[f64]) -> DoubleDouble {
    let (sums, rests) = vectorised(
        #[inline(always)]
        || {
            let (mut sums, mut rests) = ([0.0; LANES], [0.0; LANES]);
            for (high, low) in high.chunks_exact(LANES).zip(low.chunks_exact(LANES)) {
                for lane in 0..LANES {
                    let (sum, rest) = two_sum(sums[lane], high[lane]);
                    // Where the high halves cancel, what is left is not below their sum.
                    (sums[lane], rests[lane]) = two_sum(sum, rests[lane] + (rest + low[lane]));
                }
            }
            (sums, rests)
        },
    );
    sums.iter()
        .zip(rests)
        .fold(DoubleDouble::ZERO, |total, (sum, rest)| total + DoubleDouble::from_sum(*sum, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exactly(numbers: impl Iterator<Item = DoubleDouble>) -> Uncertain {
        let mut values = WideArray::default();
        numbers.for_each(|x| values.push(x));
        Uncertain { errors: vec![0.0; values.len()], values }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Against a turn of each term by n times its angle.
        #[test]
        fn sums_are_as_exact_as_stated(
            terms in prop::collection::vec((-12f64..2.0, prop_oneof![-4f64..4.0, -0.05f64..0.05, -1e-3f64..1e-3], -1f64..1.0), 1..60),
            count in 1usize..300,
        ) {
            let wide = |x: f64, t: f64| DoubleDouble::from_sum(x, x * t * 2f64.powi(-54));
            let terms: Vec<(DoubleDouble, DoubleDouble)> =
                terms.into_iter().map(|(log, angle, t)| (wide(10f64.powf(log), t), wide(angle, -t))).collect();
            let (weights, angles) =
                (exactly(terms.iter().map(|term| term.0)), exactly(terms.iter().map(|term| term.1)));
            let mass: f64 = terms.iter().map(|(weight, _)| weight.hi()).sum();
            let along = WideSums::new(&weights, &angles, count).unwrap().along();
            prop_assert_eq!(along.len(), count);
            for n in [0, count / 2, count - 1] {
                let mut truth = WideComplex::ZERO;
                for (weight, angle) in &terms {
                    let turn = WideComplex::cis(*angle * DoubleDouble::from(n as u64)).unwrap();
                    truth = truth + WideComplex::real(*weight) * turn;
                }
                // The angle of the reference is rounded to 2^-102 of 1200.
                let of_reference = mass * (WideComplex::CIS_ERROR + 1300.0 * DoubleDouble::ARITHMETIC_ERROR);
                let off = (along[n].value - truth).modulus();
                prop_assert!(off <= along[n].error + of_reference, "{n}: {off:e} {:e}", along[n].error);
                prop_assert!(along[n].error <= mass * 1e-28 * (n as f64 + 80.0), "{n}: {:e}", along[n].error);
            }
        }
    }

    #[test]
    fn what_is_off_is_counted() {
        let number = |error: f64, x: f64| Uncertain {
            errors: vec![error],
            ..exactly([DoubleDouble::from(x)].into_iter())
        };
        let along = WideSums::new(&number(1e-20, 1.0), &number(1e-21, 1.0), 3).unwrap().along();
        assert!(along[0].error >= 1e-20 && along[2].error >= 1.2e-20 && along[2].error < 1.3e-20);
        for angle in [1e300, f64::NAN] {
            assert!(WideSums::new(&number(0.0, 1.0), &number(0.0, angle), 3).is_none());
        }
        assert!(WideSums::new(&number(0.0, f64::NAN), &number(0.0, 1.0), 3).is_none());
    }
}
