//! Upper bounds of `|M(c + it)|` for *all* `t` above a height. Samples would prove nothing: `|M|` may rise again.

use crate::engine::contour::{
    factors::{CutPair, Factor, Factors},
    law::{MovedPath, Plateau},
};
use hockeystick_numerics::special::{exp, expm1, ln, ln_1p};
use std::{cell::Cell, f64::consts::PI};

/// Plateaus this light are left out.
const LIGHTEST: f64 = 1e-14;
/// Angles by which a path of integration is moved, in units of the one at which its density gains a factor e; and the largest.
const TURNS: [f64; 8] = [0.5, 1.0, 1.8, 3.0, 5.0, 9.0, 16.0, 28.0];
const LARGEST_TURN: f64 = 2.9;
/// A factor between the points at which the tail of the integral is bounded, and how many there are.
const TAIL_RATIO: f64 = 1.5;
const TAIL_POINTS: usize = 120;
/// It ends where this little of the first is left: 10⁻⁶, and its logarithm.
const LITTLE: f64 = 1e-6;
const LOG_LITTLE: f64 = -13.9;
/// `log` of the bound where plateaus account for all but a thousandth of the mass.
const LOG_SMALLEST: f64 = -6.9;

/// Bounds `|M(c + it)|` of a composition by a function of t that falls.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    normal: f64,
    parts: Vec<Decay>,
    /// For a slice, bounds of what is above the cuts: `|Π M^k − Π (M − H)^k| ≤ Σ k |H| M(c)^{k−1} …`.
    hits: Option<Vec<Option<Decay>>>,
}

/// Bounds `log |M(c + it)|` of one pair.
#[derive(Clone, Debug)]
pub(super) struct Decay {
    count: f64,
    /// An estimate of `log M(c)`, to which everything is relative.
    log_moment: f64,
    /// `log M(c)` is at most this above its estimate.
    excess: f64,
    plateaus: Vec<Plateau>,
    paths: Vec<MovedPath>,
    /// The path that was best last.
    best: Cell<usize>,
}

impl Envelope {
    /// With plain estimates of the `log M(c)`.
    pub(crate) fn new(factors: &Factors, tilt: f64, log_moments: impl Iterator<Item = f64>) -> Self {
        let factors = factors.for_search();
        let is_slice = factors.hits.is_some();
        let parts = factors.others.iter().zip(log_moments);
        let parts = parts.map(|(factor, log_moment)| Decay::new(factor, tilt, log_moment, is_slice));
        let parts: Vec<Decay> = parts.collect();
        let hits = factors.hits.as_ref().map(|hits| {
            let decay = |(slice, part): (&Option<CutPair>, &Decay)| {
                let slice = slice.as_ref()?;
                let mut hit = part.clone();
                hit.add_moved_paths(&slice.above, tilt);
                Some(hit)
            };
            hits.iter().zip(&parts).map(decay).collect()
        });
        Self { normal: factors.least_steady(), parts, hits }
    }

    /// Adds the bounds from moved paths, which take longer and are sharper for large t.
    pub(crate) fn add_moved_paths(&mut self, factors: &Factors, tilt: f64) {
        if self.hits.is_none() {
            for (decay, factor) in self.parts.iter_mut().zip(&factors.for_search().others) {
                decay.add_moved_paths(factor, tilt);
            }
        }
    }

    /// Were the slower bounds added?
    pub(super) fn has_paths(&self) -> bool {
        self.parts.iter().any(|part| !part.paths.is_empty())
    }

    /// At how many heights the tail of the integral is bounded.
    pub(super) fn heights_of_tail(&self, from: f64) -> usize {
        let first = self.log_at(from);
        let is_little = |t: f64| self.log_at(t) - first < LOG_LITTLE;
        tail_heights(from).take(TAIL_POINTS).position(is_little).map_or(TAIL_POINTS, |at| at + 1)
    }

    /// The estimate of `log M(c)` of a pair.
    pub(crate) fn log_moment(&self, index: usize) -> f64 {
        self.parts[index].log_moment
    }

    /// Sets the proven upper bound of `log M(c)` of the pair.
    pub(crate) fn set_ceiling(&mut self, index: usize, ceiling: f64) {
        let part = &mut self.parts[index];
        part.excess = ceiling - part.log_moment + 1e-15 * (1.0 + ceiling.abs());
    }

    /// `Σ k log M(c)` as estimated, the normal law left out: what [`log_at`](Self::log_at) is relative to.
    pub(crate) fn log_unit(&self) -> f64 {
        let terms = self.parts.iter().map(|part| part.count * part.log_moment);
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        sum + size * 1e-15 * (self.parts.len() as f64 + 2.0)
    }

    /// `log` of an upper bound of `|M(c + it)|` for every `t ≥ from`, relative to `e^{log_unit}` and to the normal law's `M(c)`.
    pub(crate) fn log_at(&self, from: f64) -> f64 {
        if let Some(hits) = &self.hits {
            let at_tilt: f64 = self.parts.iter().map(|part| part.count * (part.excess + 1e-15)).sum();
            // Each of the other k − 1 factors is at most U, the upper bound of M(c). So the product is at most U^k/U.
            let each = hits.iter().flatten().map(|hit| hit.hits(from));
            let most: f64 = self.parts.iter().map(|part| part.excess.abs()).fold(0.0, f64::max);
            return at_tilt + ln(each.sum::<f64>()) + most + 1e-9;
        }
        let normal = -0.5 * self.normal * from * from * (1.0 - 1e-12);
        normal + self.parts.iter().map(|part| part.log_power(from)).sum::<f64>()
    }

    /// Is [`log_tail`](Self::log_tail) at most this, to judge by its first piece?
    pub(crate) fn is_tail_about(&self, from: f64, allowed: f64) -> bool {
        self.log_at(from) + ln((1.0 - 1.0 / TAIL_RATIO) / (PI * from)) <= allowed
    }

    /// `log` of `(1/π) ∫_T^∞ |M| dt/t²`, bounded on pieces that grow geometrically.
    pub(crate) fn log_tail(&self, from: f64) -> f64 {
        log_tail(from, TAIL_POINTS, |_, t| self.log_at(t))
    }
}

/// The heights at which a tail is bounded.
pub(crate) fn tail_heights(from: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(from), |t| Some(t * TAIL_RATIO))
}

/// `log` of an upper bound of `(1/π) ∫_T^∞ f dt/t²` for a decreasing f, from `log f` at so many heights.
pub(crate) fn log_tail(from: f64, points: usize, log_at: impl Fn(usize, f64) -> f64) -> f64 {
    if from <= 0.0 {
        return f64::INFINITY;
    }
    let first = log_at(0, from);
    let (mut sum, mut share) = (0.0, 1.0);
    for (i, t) in tail_heights(from).take(points).enumerate() {
        if i > 0 {
            share = exp((log_at(i, t) - first).min(0.0));
        }
        if i + 1 == points || share < LITTLE {
            sum += share / t;
            break;
        }
        sum += share / t * (1.0 - 1.0 / TAIL_RATIO);
    }
    first + ln(sum / PI) + 1e-6
}

impl Decay {
    /// Of a pair, with `log M(c)` as estimated, or an upper bound of it.
    pub(super) fn new(factor: &Factor, tilt: f64, log_moment: f64, is_slice: bool) -> Self {
        let mut plateaus = if is_slice { Vec::new() } else { factor.plateaus(tilt, log_moment) };
        plateaus.retain(|plateau| plateau.mass > LIGHTEST);
        let (paths, best) = (Vec::new(), Cell::new(0));
        Self { count: factor.count, log_moment, excess: 0.0, plateaus, paths, best }
    }

    /// Adds the bounds from moved paths of the pair, or of what is above its cut.
    pub(super) fn add_moved_paths(&mut self, factor: &Factor, tilt: f64) {
        self.paths = paths(factor, tilt, self.log_moment);
    }

    /// An upper bound of `k log |M(c + it)|` for every `t ≥ from`, relative to `k log_moment`.
    pub(super) fn log_power(&self, from: f64) -> f64 {
        self.count * self.at(from)
    }

    /// An upper bound of `k |H(c + it)|` for every `t ≥ from`, in units of `e^{log_moment}`.
    pub(super) fn hits(&self, from: f64) -> f64 {
        self.count * self.along_paths(from)
    }

    /// An upper bound of `log |M(c + it)| − log_moment` for every `t ≥ from`.
    ///
    /// # Guarantee
    /// Each plateau's mass enters with the characteristic function of a uniform law, the rest with 1. Moved paths have
    /// their own bound; the smallest counts.
    fn at(&self, from: f64) -> f64 {
        let lost: f64 =
            self.plateaus.iter().map(|plateau| plateau.mass * sinc_deficit(0.5 * from * plateau.width)).sum();
        let left = expm1(self.excess) - lost * (1.0 - 1e-9);
        let spread = if left < -0.999 { LOG_SMALLEST } else { ln_1p(left) + 1e-15 };
        spread.min(ln(self.along_paths(from)) + 1e-9)
    }

    /// The modulus bound for every `t ≥ from`, from the path that was best last or from a better neighbour.
    fn along_paths(&self, from: f64) -> f64 {
        // Where there is no path, or what it leaves is not a number, there is no bound.
        let modulus =
            |path: usize| self.paths.get(path).map_or(f64::NAN, |path| path.modulus(from)).min(f64::INFINITY);
        let mut best = self.best.get();
        let mut least = modulus(best);
        for farther in [true, false] {
            loop {
                let next = if farther { best + 1 } else { best.wrapping_sub(1) };
                let there = modulus(next);
                if there >= least {
                    break;
                }
                (best, least) = (next, there);
            }
        }
        self.best.set(best);
        least
    }
}

/// Moved paths, in units of `e^{log_moment}`.
fn paths(factor: &Factor, tilt: f64, log_moment: f64) -> Vec<MovedPath> {
    let unit = factor.turn_unit();
    let turns = TURNS.iter().map(|turn| turn * unit).take_while(|turn| *turn < LARGEST_TURN);
    factor.moved_paths(tilt, turns.chain([LARGEST_TURN]), log_moment)
}

/// 13!, 11!, …, 3!.
const SINE: [f64; 6] = [6_227_020_800.0, 39_916_800.0, 362_880.0, 5_040.0, 120.0, 6.0];

/// `1 − |sin y / y|` at its smallest for `y ≥ x`, or a little less.
fn sinc_deficit(x: f64) -> f64 {
    // The second-largest extremum of |sin y / y| is 0.21723… at 4.4934.
    const SECOND: f64 = 0.217_24;
    if x < 3.0 {
        // The series 1 − sin x/x = x²/3! − x⁴/5! + … alternates and its terms decrease: ended after a negative term, it is a lower bound.
        let square = x * x;
        let series = SINE.iter().fold(0.0, |sum, factorial| 1.0 / factorial - square * sum);
        (square * series * (1.0 - 1e-14)).min(1.0 - SECOND)
    } else if x < 4.61 {
        1.0 - SECOND
    } else {
        1.0 - 1.0 / x
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
    use num_complex::Complex;
    use proptest::prelude::*;

    #[test]
    fn the_envelope_falls_and_lies_above() {
        let mut last = 0.0;
        for i in 1..4000 {
            let x = f64::from(i) * 0.005;
            let bound = sinc_deficit(x);
            assert!(bound >= last && bound <= 1.0 - (x.sin() / x).abs() + 1e-15, "{x}");
            last = bound;
        }
    }

    /// The search for a better path went on for ever where what a path leaves is not a number, for nothing is known to be larger.
    #[test]
    fn a_height_that_is_not_finite_has_no_bound() {
        let step: Mechanism = "poisson(gaussian(sigma=1), rate=0.01)".parse().unwrap();
        let factors = Factors::new(&[(dominating_pair(&step, Direction::Remove).unwrap(), 1)]);
        let mut envelope = Envelope::new(&factors, 1.0, std::iter::once(0.0));
        envelope.add_moved_paths(&factors, 1.0);
        assert!(envelope.parts[0].along_paths(100.0).is_finite());
        for from in [f64::NAN, f64::INFINITY] {
            assert_eq!(envelope.parts[0].along_paths(from), f64::INFINITY);
        }
    }

    /// Every kind of law: `s` is the noise, `q` the rate.
    const KINDS: [&str; 13] = [
        "poisson(gaussian(sigma=S), rate=Q)",
        "poisson(gaussian(sigma=S), rate=Q)",
        "subset(gaussian(sigma=S), rate=Q)",
        "laplace(scale=S)",
        "poisson(laplace(scale=S), rate=Q)",
        "subset(laplace(scale=S), rate=Q)",
        "gaussian_mixture(sigma=S, shifts=\"0,1,2.5\", weights=\"0.5,0.375,0.125\")",
        "poisson(gaussian_mixture(sigma=S, shifts=\"1,2\", weights=\"0.5,0.5\"), rate=Q)",
        "gaussian_variance(sigma1=S, sigma2=1)",
        "poisson(gaussian_variance(sigma1=S, sigma2=1), rate=Q)",
        "truncated_gaussian(sigma=S, bound=9)",
        "truncated_laplace(scale=S, bound=9)",
        "exponential(epsilon=S)",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        /// `|M(c + iτ)|` stays below the bound for `t` at every `τ ≥ t`.
        #[test]
        fn moments_stay_below_the_envelope(
            kind in 0..KINDS.len(),
            log_noise in -1.2f64..2.5,
            log_rate in -9f64..-0.1,
            direction in 0usize..3,
            deviations in 0.05f64..20.0,
            log_height in -1f64..4.5,
            farther in prop::collection::vec(1f64..3.0, 3),
        ) {
            let noise = exp(log_noise);
            let text = KINDS[kind].replace('S', &noise.to_string()).replace('Q', &exp(log_rate).to_string());
            let mechanism: Mechanism = text.parse().unwrap();
            let direction = [Direction::Remove, Direction::Add, Direction::Replace][direction];
            let Ok(pair) = dominating_pair(&mechanism, direction) else { return Ok(()) };
            let factors = Factors::new(&[(pair.clone(), 1)]);
            prop_assume!(!factors.others.is_empty());
            let Some(spread) = Sketch::new(&factors, 0.01f64.min(0.5 * factors.strip_end())) else { return Ok(()) };
            let deviation = spread.at(1e-9).variance.sqrt().max(1e-6);
            let tilt = (deviations / deviation).min(0.6 * factors.strip_end());
            let Some(sketch) = Sketch::new(&factors, 1.2 * tilt) else { return Ok(()) };
            let mut envelope = Envelope::new(&factors, tilt, sketch.values(tilt));
            envelope.add_moved_paths(&factors, tilt);
            let Some(whole) = pair.mgf(Complex::new(tilt, 0.0)) else { return Ok(()) };
            let most = whole.real().upper();
            prop_assume!(most.is_finite() && most > 0.0);
            envelope.set_ceiling(0, ln(most) + 1e-12);
            let from = exp(log_height) / deviation;
            let bound = envelope.log_unit() + envelope.log_at(from);
            for factor in [1.0].into_iter().chain(farther) {
                let Some(value) = pair.mgf(Complex::new(tilt, from * factor)) else { continue };
                let least = value.center().norm() - value.radius();
                prop_assert!(
                    least <= 0.0 || ln(least) <= bound + 1e-9,
                    "{text} {direction:?}, c = {tilt}, t = {from}·{factor}: {} above {bound}", ln(least)
                );
            }
        }
    }
}
