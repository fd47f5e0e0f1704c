//! Laws on the integers, convolved term by term.

use hockeystick_numerics::{
    ball::Ball,
    limits::{check, claim},
    rounding::UNIT_ROUNDOFF,
};

/// How many terms of the shorter law are taken at a time.
const MANY: usize = 64;
/// What may be cut off at either end of a law, as a part of it.
const NEGLIGIBLE: f64 = 1e-42;
/// What all underflows of one convolution add up to at most: 2⁻¹⁰⁷⁵ for each of up to 10¹² products.
const UNDERFLOWS: f64 = 1e-300;

/// A measure `w(i)` on the integers from `first` on, which stands for the masses `w(i)·e^{log_scale − φi}`.
///
/// # Guarantee
/// Each `w` is within `relative` times the truth; in addition what is missing, anywhere, has a total of at most `missing`.
#[derive(Clone, Debug)]
pub(super) struct TiltedLaw {
    pub(super) first: i64,
    pub(super) weights: Vec<f64>,
    pub(super) log_scale: Ball,
    pub(super) relative: f64,
    pub(super) missing: f64,
}

impl TiltedLaw {
    /// The sum of the weights, rounded up past their errors.
    fn total(&self) -> f64 {
        let sum: f64 = self.weights.iter().sum();
        sum * (1.0 + 2.0 * self.relative + (self.weights.len() as f64 + 4.0) * f64::EPSILON)
    }

    /// Cuts off what is negligible at both ends, and makes the total about 1 by a power of two.
    pub(super) fn trimmed(mut self) -> Self {
        let total = self.total();
        let allowed = NEGLIGIBLE * total;
        let mut cut = 0.0;
        let count_until_allowed = |weights: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            weights
                .take_while(|&&weight| {
                    sum += weight;
                    sum <= allowed
                })
                .inspect(|&&weight| cut += weight)
                .count()
        };
        let mut count_until_allowed = count_until_allowed;
        let low = count_until_allowed(&mut self.weights.iter());
        let high = count_until_allowed(&mut self.weights[low..].iter().rev());
        self.missing += 1.01 * cut;
        self.weights.truncate(self.weights.len() - high);
        self.weights.drain(..low);
        self.first += low as i64;
        let exponent = -total.log2().floor().clamp(-1000.0, 1000.0);
        if exponent != 0.0 && total.is_finite() {
            let factor = 2f64.powi(exponent as i32);
            self.weights.iter_mut().for_each(|weight| *weight *= factor);
            self.missing *= factor;
            self.log_scale = self.log_scale - Ball::from(2.0).ln() * Ball::from(exponent);
        }
        self
    }

    /// The law of the sum of two independent numbers.
    ///
    /// # Guarantee
    /// A term of the sum of `n` products is off by at most `n + 4` roundings beyond the errors of its factors: the products of
    /// four neighbours are added up first.
    pub(super) fn convolved(&self, other: &Self) -> Self {
        let (short, long) =
            if self.weights.len() < other.weights.len() { (self, other) } else { (other, self) };
        let _claim = claim::<f64>(short.weights.len() + long.weights.len());
        let mut weights = vec![0.0; short.weights.len() + long.weights.len() - 1];
        accumulate(&mut weights, &short.weights, &long.weights);
        let roundings = (short.weights.len() as f64 + 6.0) * UNIT_ROUNDOFF;
        let (a, b) = (self.total(), other.total());
        Self {
            first: self.first + other.first,
            weights,
            log_scale: self.log_scale + other.log_scale,
            relative: 1.001 * (self.relative + other.relative + roundings),
            missing: 1.001 * (self.missing * (b + other.missing) + a * other.missing) + UNDERFLOWS,
        }
        .trimmed()
    }

    /// The number of multiplications of a convolution.
    pub(super) fn work(&self, other: &Self) -> f64 {
        self.weights.len() as f64 * other.weights.len() as f64
    }
}

/// Adds `Σ short(i)·long(j − i)` to each `sums(j)`, four terms at a time.
fn accumulate(sums: &mut [f64], short: &[f64], long: &[f64]) {
    let n = long.len();
    let mut chunks = short.chunks_exact(4);
    let mut at = 0;
    for chunk in &mut chunks {
        if at % MANY == 0 {
            check();
        }
        let [a, b, c, d] = [chunk[0], chunk[1], chunk[2], chunk[3]];
        let out = &mut sums[at..at + n + 3];
        if n >= 4 {
            out[0] += a * long[0];
            out[1] += a * long[1] + b * long[0];
            out[2] += a * long[2] + b * long[1] + c * long[0];
            let (l0, l1, l2, l3) = (&long[3..n], &long[2..n - 1], &long[1..n - 2], &long[..n - 3]);
            for ((((sum, x0), x1), x2), x3) in out[3..n].iter_mut().zip(l0).zip(l1).zip(l2).zip(l3) {
                *sum += (a * x0 + b * x1) + (c * x2 + d * x3);
            }
            out[n] += b * long[n - 1] + c * long[n - 2] + d * long[n - 3];
            out[n + 1] += c * long[n - 1] + d * long[n - 2];
            out[n + 2] += d * long[n - 1];
        } else {
            for (i, weight) in chunk.iter().enumerate() {
                out[i..i + n].iter_mut().zip(long).for_each(|(sum, x)| *sum += weight * x);
            }
        }
        at += 4;
    }
    for weight in chunks.remainder() {
        sums[at..at + n].iter_mut().zip(long).for_each(|(sum, x)| *sum += weight * x);
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(weights: &[f64]) -> TiltedLaw {
        TiltedLaw { first: -2, weights: weights.to_vec(), log_scale: Ball::ZERO, relative: 0.0, missing: 0.0 }
    }

    #[test]
    fn products_of_polynomials_are_convolutions() {
        for (m, n) in [(1, 1), (1, 9), (3, 2), (4, 4), (5, 3), (7, 11), (12, 4)] {
            let short: Vec<f64> = (1..=m).map(f64::from).collect();
            let long: Vec<f64> = (1..=n).map(|i| f64::from(i * i)).collect();
            let mut sums = vec![0.0; short.len() + long.len() - 1];
            accumulate(&mut sums, &short, &long);
            for (j, sum) in sums.iter().enumerate() {
                let terms = (0..short.len()).filter(|&i| i <= j && j - i < long.len());
                assert_eq!(*sum, terms.map(|i| short[i] * long[j - i]).sum::<f64>(), "{m} × {n} at {j}");
            }
        }
    }

    #[test]
    fn binomial_coefficients_are_powers() {
        let coin = law(&[1.0, 1.0]);
        let power = (1..10).fold(coin.clone(), |sum, _| sum.convolved(&coin));
        assert_eq!(power.first, -20);
        let scale = power.log_scale.approximate().exp();
        for (weight, ways) in power.weights.iter().zip([1.0, 10.0, 45.0, 120.0, 210.0, 252.0]) {
            assert!((weight * scale / ways - 1.0).abs() < 1e-12, "{weight} {scale} {ways}");
        }
    }

    #[test]
    fn what_is_cut_off_is_missing() {
        let trimmed = law(&[1e-60, 1e-50, 1.0, 0.5, 1e-45]).trimmed();
        assert_eq!((trimmed.first, trimmed.weights.len()), (0, 2));
        assert!(trimmed.missing >= 1e-45 && trimmed.missing < 1.1e-45);
    }
}
