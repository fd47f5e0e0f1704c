//! `Σ wⱼ e^{inθⱼ}` for n = 0, 1, 2, … with 106 bits.
//!
//! Where a result hardly differs from another one, doubles do not tell them apart; thousands of exponentials would take
//! milliseconds, turning them by a product for each n takes a few nanoseconds.

use crate::double_double::DoubleDouble;
use crate::{
    ball::Ball,
    rounding::UNIT_ROUNDOFF,
    vectorised::vectorised,
    wide_complex::{self, WideComplex},
};

/// Accumulators that are independent of each other.
const LANES: usize = 4;

/// Positive weights at angles.
#[derive(Clone, Debug, Default)]
pub struct WideSums {
    /// High and low halves of the weights.
    weights: [Vec<f64>; 2],
    /// `e^{iθ}`: high and low halves of the real and the imaginary part.
    turns: [Vec<f64>; 4],
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

impl WideSums {
    /// Adds a weight at an angle. `None` if there is no turn by it.
    pub fn push(&mut self, weight: Ball, angle: Ball) -> Option<()> {
        let turn = WideComplex::cis(angle.midpoint())?;
        let [high, low] = &mut self.weights;
        high.push(weight.midpoint().hi());
        low.push(weight.midpoint().lo());
        let parts = [turn.re.hi(), turn.re.lo(), turn.im.hi(), turn.im.lo()];
        for (list, part) in self.turns.iter_mut().zip(parts) {
            list.push(part);
        }
        let size = weight.approximate().abs() + weight.radius();
        self.uncertain += weight.radius();
        self.turned += size * angle.radius();
        self.mass += size;
        Some(())
    }

    /// The number of weights.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights[0].len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights[0].is_empty()
    }

    /// The sums for n = 0 … count − 1.
    ///
    /// # Guarantee
    /// A term is turned n times, by a factor that is off by [`WideComplex::CIS_ERROR`] and what its angle is off, and each product is rounded. In each
    /// of the lanes m terms are added: what the high halves leave, no more than u of the sum of all moduli each time, is added to the
    /// low ones, of which no partial sum exceeds `2mu` of it; so that these are rounded by `m · 2mu · 2u` of it at most.
    #[must_use]
    pub fn along(&self, count: usize) -> Vec<WideSum> {
        let padded = self.len().div_ceil(LANES) * LANES;
        let pad = |values: &Vec<f64>| {
            let mut padded_values = vec![0.0; padded];
            padded_values[..values.len()].copy_from_slice(values);
            padded_values
        };
        let turns = self.turns.each_ref().map(pad);
        let mut terms = Terms {
            re: pad(&self.weights[0]),
            re_low: pad(&self.weights[1]),
            im: vec![0.0; padded],
            im_low: vec![0.0; padded],
        };
        let m = (padded / LANES + LANES) as f64;
        let of_sum = 8.0 * m * m * UNIT_ROUNDOFF * UNIT_ROUNDOFF;
        let of_step = (WideComplex::CIS_ERROR + WideComplex::PRODUCT_ERROR) * self.mass + self.turned;
        let mut sums = Vec::with_capacity(count);
        for n in 0..count {
            let error = self.uncertain + of_sum * self.mass + n as f64 * of_step;
            sums.push(WideSum { value: terms.sum(), error: error * (1.0 + 1e-6) });
            if n + 1 < count {
                terms.advance(&turns);
            }
        }
        sums
    }
}

/// The terms for one n: high and low halves of real and imaginary parts.
struct Terms {
    re: Vec<f64>,
    re_low: Vec<f64>,
    im: Vec<f64>,
    im_low: Vec<f64>,
}

impl Terms {
    fn advance(&mut self, turns: &[Vec<f64>; 4]) {
        vectorised(
            #[inline(always)]
            || {
                let length = self.re.len();
                let [c, c_low, d, d_low] = turns.each_ref().map(|list| &list[..length]);
                let (a, a_low) = (&mut self.re[..length], &mut self.re_low[..length]);
                let (b, b_low) = (&mut self.im[..length], &mut self.im_low[..length]);
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
        WideComplex { re: sum_of(&self.re, &self.re_low), im: sum_of(&self.im, &self.im_low) }
    }
}

/// The sum of numbers in two halves.
fn sum_of(high: &[f64], low: &[f64]) -> DoubleDouble {
    let (sums, rests) = vectorised(
        #[inline(always)]
        || {
            let (mut sums, mut rests) = ([0.0; LANES], [0.0; LANES]);
            for (high, low) in high.chunks_exact(LANES).zip(low.chunks_exact(LANES)) {
                for lane in 0..LANES {
                    let (sum, rest) = crate::error_free::two_sum(sums[lane], high[lane]);
                    sums[lane] = sum;
                    rests[lane] += rest + low[lane];
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Against a turn of each term by n times its angle.
        #[test]
        fn sums_are_as_exact_as_stated(
            terms in prop::collection::vec((-12f64..2.0, -4f64..4.0, -1f64..1.0), 1..40),
            count in 1usize..300,
        ) {
            let mut sums = WideSums::default();
            let wide = |x: f64, t: f64| DoubleDouble::from_sum(x, x * t * 2f64.powi(-54));
            let terms: Vec<(DoubleDouble, DoubleDouble)> =
                terms.into_iter().map(|(log, angle, t)| (wide(10f64.powf(log), t), wide(angle, -t))).collect();
            for (weight, angle) in &terms {
                sums.push(Ball::new(*weight, 0.0), Ball::new(*angle, 0.0)).unwrap();
            }
            let mass: f64 = terms.iter().map(|(weight, _)| weight.hi()).sum();
            let along = sums.along(count);
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
                prop_assert!(along[n].error <= mass * 1e-28 * (n as f64 + 2.0));
            }
        }
    }

    #[test]
    fn what_is_off_is_counted() {
        let mut sums = WideSums::default();
        sums.push(Ball::new(DoubleDouble::ONE, 1e-20), Ball::new(DoubleDouble::ONE, 1e-21)).unwrap();
        let along = sums.along(3);
        assert!(along[0].error >= 1e-20 && along[2].error >= 1.2e-20 && along[2].error < 1.3e-20);
        assert!(sums.push(Ball::ONE, Ball::from(1e300)).is_none());
    }
}
