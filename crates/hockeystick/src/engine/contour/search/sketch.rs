//! `K`, `K′` and `K″` on the real axis in plain floats, for the search. Nothing is proven with them.

use crate::engine::contour::factors::{CutPair, Factor, Factors};
use hockeystick_numerics::{
    limits::check,
    special::quick::{exp, expm1, ln, ln_1p},
    vectorised::vectorised,
};

/// `K(c)`, `K′(c)`, `K″(c)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cumulants {
    pub(crate) value: f64,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Cumulants {
    fn plus(self, count: f64, one: Self) -> Self {
        Self {
            value: count.mul_add(one.value, self.value),
            mean: count.mul_add(one.mean, self.mean),
            variance: count.mul_add(one.variance, self.variance),
        }
    }

    /// The cumulants of `e^K (1 − e^A)`, `A = Σ k log(B/M)`: at least one loss is above its cut.
    fn hit(self, avoided: Self) -> Self {
        let grown = expm1(-avoided.value);
        let slope = avoided.mean / grown;
        let bend = avoided.variance / grown + slope * slope * (1.0 + grown);
        Self {
            value: self.value + ln(-expm1(avoided.value)),
            mean: self.mean - slope,
            variance: (self.variance - bend).max(1e-300),
        }
    }
}

/// The nodes of all pairs.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    normal: f64,
    parts: Vec<Part>,
    /// What of each is above a cut, if only that is meant.
    hits: Option<Vec<Option<Part>>>,
    /// Tilts up to here are covered.
    pub(crate) reach: f64,
}

#[derive(Clone, Debug)]
struct Part {
    /// `L`, filled up with zeros to a whole number of lanes.
    losses: Vec<f64>,
    /// `log p`, filled up with next to nothing.
    logs: Vec<f64>,
    /// `Σ p`.
    mass: f64,
    infinite: f64,
    count: f64,
}

/// Mass that is left out: four digits will do.
const LOG_TRIM: f64 = -14.0;

impl Sketch {
    /// For tilts up to `reach`.
    pub(crate) fn new(factors: &Factors, reach: f64) -> Option<Self> {
        let factors = factors.for_search();
        let parts = factors.others.iter().map(|factor| Part::new(factor, reach));
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        let hits = match &factors.hits {
            None => None,
            Some(hits) => {
                let sketch = |hit: &Option<CutPair>| match hit {
                    None => Some(None),
                    Some(slice) => Some(Some(Part::new(&slice.above, reach)?)),
                };
                Some(hits.iter().map(sketch).collect::<Option<Vec<_>>>()?)
            }
        };
        Some(Self { normal: factors.normal, parts, hits, reach })
    }

    /// Of the composition.
    pub(crate) fn at(&self, tilt: f64) -> Cumulants {
        check();
        let normal = Cumulants {
            value: 0.5 * self.normal * tilt * (tilt + 1.0),
            mean: self.normal * (tilt + 0.5),
            variance: self.normal,
        };
        let mut sum = normal;
        let mut avoided = Cumulants::default();
        for (index, part) in self.parts.iter().enumerate() {
            let one = part.at(tilt);
            sum = sum.plus(part.count, one);
            if let Some(Some(hit)) = self.hits.as_ref().map(|hits| &hits[index]) {
                avoided = avoided.plus(part.count, hit.avoided(tilt, one));
            }
        }
        if self.hits.is_some() { sum.hit(avoided) } else { sum }
    }

    /// `K(c)` of each pair that searches look at, not counting normal ones.
    pub(crate) fn values(&self, tilt: f64) -> impl Iterator<Item = f64> {
        self.parts.iter().map(move |part| part.at(tilt).value)
    }
}

/// The cumulants of one use of a pair at some tilts, by a sketch that reaches as far as that.
pub(crate) fn cumulants_of<const N: usize>(
    factor: &Factor,
    tilts: [f64; N],
    reach: f64,
) -> Option<[Cumulants; N]> {
    let part = Part::new(factor, reach)?;
    Some(tilts.map(|tilt| part.at(tilt)))
}

/// If variance/mean² is below this, cancellation spoils the variance: it is summed again around the mean.
const NARROW: f64 = 1e-8;
/// Sums that are independent of each other.
const LANES: usize = 8;
/// `log p` of nodes that are not there.
const LOG_PADDING: f64 = -1e300;

impl Part {
    fn new(factor: &Factor, reach: f64) -> Option<Self> {
        let nodes = factor.sketch(reach, LOG_TRIM - ln(factor.count))?;
        let length = nodes.len().next_multiple_of(LANES);
        let (mut losses, mut logs): (Vec<f64>, Vec<f64>) = nodes.into_iter().unzip();
        losses.resize(length, 0.0);
        logs.resize(length, LOG_PADDING);
        let mut part = Self { losses, logs, mass: 0.0, infinite: 0.0, count: factor.count };
        part.mass = part.sums(0.0, 0.0, 0.0)[0];
        part.infinite = factor.infinite.midpoint() + factor.outside;
        Some(part)
    }

    /// `(L, log p)`, so many at once.
    #[inline(always)]
    fn lanes(&self) -> impl Iterator<Item = (&[f64; LANES], &[f64; LANES])> {
        let (losses, logs) = (self.losses.as_chunks().0, self.logs.as_chunks().0);
        losses.iter().zip(logs)
    }

    /// The largest `log p + cL`.
    fn highest(&self, tilt: f64) -> f64 {
        vectorised(
            #[inline(always)]
            || {
                let mut highest = [f64::NEG_INFINITY; LANES];
                for (losses, logs) in self.lanes() {
                    for i in 0..LANES {
                        let log = logs[i] + tilt * losses[i];
                        highest[i] = if log > highest[i] { log } else { highest[i] };
                    }
                }
                highest.into_iter().fold(f64::NEG_INFINITY, f64::max)
            },
        )
    }

    /// The sums of `w = p e^{cL − s}`, `w (L − m)` and `w (L − m)²`.
    fn sums(&self, tilt: f64, log_scale: f64, center: f64) -> [f64; 3] {
        vectorised(
            #[inline(always)]
            || {
                let mut sums = [[0.0; LANES]; 3];
                for (losses, logs) in self.lanes() {
                    for i in 0..LANES {
                        let weight = exp(logs[i] + tilt * losses[i] - log_scale);
                        let beyond = losses[i] - center;
                        sums[0][i] += weight;
                        sums[1][i] += weight * beyond;
                        sums[2][i] += weight * beyond * beyond;
                    }
                }
                sums.map(|lanes| lanes.into_iter().sum())
            },
        )
    }

    /// `log(1 − H/M)` and its derivatives, where these nodes are those of `H` and `whole` is of `M`.
    fn avoided(&self, tilt: f64, whole: Cumulants) -> Cumulants {
        let highest = self.highest(tilt).max(LOG_PADDING);
        let [mass, first, squares] = self.sums(tilt, highest, whole.mean);
        let second = squares - mass * whole.variance;
        let scale = exp((highest - whole.value).min(300.0));
        let share = (mass * scale).min(0.999_999);
        let (slope, bend) = (-first * scale / (1.0 - share), -second * scale / (1.0 - share));
        Cumulants { value: ln_1p(-share), mean: slope, variance: bend - slope * slope }
    }

    fn at(&self, tilt: f64) -> Cumulants {
        let highest = self.highest(tilt);
        let highest = if highest < 300.0 { 0.0 } else { highest };
        let [mass, first, second] = self.sums(tilt, highest, 0.0);
        let mean = first / mass;
        // The nodes miss some of P, and hence of M, in about the same proportion.
        // Left of 0, M of a single use may be near 0, where M − 1 would lose it by cancellation.
        let is_near_one = highest == 0.0 && (tilt > 0.0 || mass > 0.5);
        let value = if is_near_one { ln_1p(mass - self.mass - self.infinite) } else { highest + ln(mass) };
        let variance = second / mass - mean * mean;
        if variance > NARROW * mean * mean {
            return Cumulants { value, mean, variance };
        }
        // Near the supremum of the loss, the second moment agrees with mean² to all digits.
        let [mass, first, second] = self.sums(tilt, highest, mean);
        let beyond = first / mass;
        Cumulants { value, mean: mean + beyond, variance: (second / mass - beyond * beyond).max(0.0) }
    }
}
