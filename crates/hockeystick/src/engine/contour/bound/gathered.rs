//! Bounds of `|M|` beyond a line at a few heights, added up pair by pair while the line is drawn, so that nothing is kept of a pair.

use super::decay::{Decay, Envelope, log_tail, tail_heights};
use crate::engine::contour::factors::{CutPair, Factor, Factors};
use hockeystick_numerics::special::ln;

/// No more heights than this; beyond the last, the bound there counts.
const MOST_HEIGHTS: usize = 24;

/// The bounds of the pairs added so far.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    tilt: f64,
    has_paths: bool,
    /// The heights, from the last point of the line on.
    from: f64,
    /// `Σ k log M(c)`, or a little more.
    unit: f64,
    /// `Σ k log |M|/M(c)` for all t from each height on; of a slice `Σ k |H|/M(c)`.
    sums: Vec<f64>,
    is_slice: bool,
}

impl Gathered {
    /// Of nothing yet, with the kinds of bounds and as many heights as a composition like it takes.
    pub(crate) fn like(envelope: &Envelope, factors: &Factors, tilt: f64, from: f64) -> Self {
        let heights = envelope.heights_of_tail(from).min(MOST_HEIGHTS);
        let is_slice = factors.hits.is_some();
        Self { tilt, has_paths: envelope.has_paths(), from, unit: 0.0, sums: vec![0.0; heights], is_slice }
    }

    /// Adds a pair, of which `log M(c)` is at most `ceiling`.
    pub(crate) fn add(&mut self, factor: &Factor, slice: Option<&CutPair>, ceiling: f64) {
        let mut decay = Decay::new(factor, self.tilt, ceiling, self.is_slice);
        match slice {
            Some(slice) => decay.add_moved_paths(&slice.above, self.tilt),
            None if self.has_paths && !self.is_slice => decay.add_moved_paths(factor, self.tilt),
            None => {}
        }
        for (sum, t) in self.sums.iter_mut().zip(tail_heights(self.from)) {
            if self.is_slice {
                *sum += if slice.is_some() { decay.hits(t) * (1.0 + 1e-12) } else { 0.0 };
            } else {
                let log = decay.log_power(t);
                *sum += log + 1e-15 * log.abs();
                *sum += 1e-15 * sum.abs();
            }
        }
        self.add_unit(factor.count * ceiling);
    }

    fn add_unit(&mut self, log: f64) {
        self.unit += log;
        self.unit += 1e-15 * (self.unit.abs() + 2.0 * log.abs());
    }

    /// Adds what was gathered of other pairs.
    pub(crate) fn and(&mut self, other: &Self) {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
            *sum += 1e-15 * sum.abs();
        }
        self.add_unit(other.unit);
    }

    /// `Σ k log M(c)` of the pairs, or a little more.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// `log` of an upper bound of `(1/π) ∫ |M| dt/t²` from the last point on, relative to the unit and to the normal law's `M(c)`.
    ///
    /// # Guarantee
    /// `M` is a product, and every factor is at most its own bound for all larger t. Of a slice, `|Π M^k − Π (M − H)^k| ≤ Σ k |H| Π M(c)^k/M(c)`.
    pub(crate) fn log_tail(&self, factors: &Factors) -> f64 {
        let least_normal = factors.least_steady();
        log_tail(self.from, self.sums.len(), |i, t| {
            if self.is_slice {
                return ln(self.sums[i]) + 1e-9;
            }
            self.sums[i] - 0.5 * least_normal * t * t * (1.0 - 1e-12) + 1e-9
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::search::Sketch,
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::special::exp;
    use num_complex::Complex;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Of pairs of several kinds, gathered in two heaps: the product of their `|M|` is below the bound at every larger height.
        #[test]
        fn products_stay_below_what_was_gathered(
            noises in prop::collection::vec((0usize..4, 0.4f64..6.0, -6f64..-0.5, 1u64..50), 2..7),
            tilt in 0.2f64..6.0,
            log_height in -1f64..3.0,
            farther in prop::collection::vec(1f64..4.0, 4),
        ) {
            const KINDS: [&str; 4] = [
                "poisson(gaussian(sigma=S), rate=Q)",
                "laplace(scale=S)",
                "poisson(laplace(scale=S), rate=Q)",
                "truncated_gaussian(sigma=S, bound=9)",
            ];
            let pair = |(kind, noise, log_rate, count): &(usize, f64, f64, u64)| {
                let text = KINDS[*kind].replace('S', &noise.to_string()).replace('Q', &exp(*log_rate).to_string());
                (dominating_pair(&text.parse::<Mechanism>().unwrap(), Direction::Remove).unwrap(), *count)
            };
            let pairs: Vec<_> = noises.iter().map(pair).collect();
            let factors = Factors::new(&pairs);
            let Some(sketch) = Sketch::new(&factors, 1.1 * tilt) else { return Ok(()) };
            let mut envelope = Envelope::new(&factors, tilt, sketch.values(tilt));
            envelope.add_moved_paths(&factors, tilt);
            let from = exp(log_height);
            let mut heaps = vec![Gathered::like(&envelope, &factors, tilt, from); 2];
            let log = |z: Complex<f64>| -> Option<Vec<f64>> {
                pairs.iter().map(|(pair, _)| {
                    let moment = pair.mgf(z)?;
                    Some(ln((moment.center().norm() - moment.radius()).max(1e-300)))
                }).collect()
            };
            let Some(most) = log(Complex::new(tilt, 0.0)) else { return Ok(()) };
            for (at, (factor, most)) in factors.others.iter().zip(most).enumerate() {
                heaps[at % 2].add(factor, None, most + 1e-9);
            }
            let (first, second) = heaps.split_at_mut(1);
            first[0].and(&second[0]);
            let gathered = &first[0];
            let heights: Vec<f64> = tail_heights(from).take(gathered.sums.len()).collect();
            for (t, sum) in heights.into_iter().zip(&gathered.sums) {
                for factor in farther.iter().copied().chain([1.0]) {
                    let Some(found) = log(Complex::new(tilt, factor * t)) else { continue };
                    let whole: f64 = found.iter().zip(&pairs).map(|(log, (_, count))| log * *count as f64).sum();
                    let bound = gathered.unit() + sum;
                    prop_assert!(whole <= bound + 1e-6 * (1.0 + bound.abs()), "{whole} above {bound} at {t}·{factor}");
                }
            }
        }
    }
}
