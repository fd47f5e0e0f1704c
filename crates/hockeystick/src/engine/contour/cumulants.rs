//! `K`, `K′` and `K″` on the real axis in plain floats, for the search. Nothing is proven with them.

use super::factors::Factors;
use hockeystick_numerics::special::{exp, expm1, ln, ln_1p};

/// `K(c)`, `K′(c)`, `K″(c)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cumulants {
    pub(super) value: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// The nodes of all pairs.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    normal: f64,
    parts: Vec<Part>,
    /// Tilts up to here are covered.
    pub(super) reach: f64,
}

#[derive(Clone, Debug)]
struct Part {
    /// `(L, log p)`.
    nodes: Vec<(f64, f64)>,
    infinite: f64,
    vanishing: f64,
    count: f64,
}

/// Mass that is left out: four digits will do.
const LOG_TRIM: f64 = -14.0;

impl Sketch {
    /// For tilts up to `reach`.
    pub(super) fn new(factors: &Factors, reach: f64) -> Option<Self> {
        let parts = factors.others.iter().map(|factor| {
            Some(Part {
                nodes: factor.sketch(reach, LOG_TRIM - ln(factor.count))?,
                infinite: factor.infinite.midpoint(),
                vanishing: factor.vanishing.midpoint(),
                count: factor.count,
            })
        });
        Some(Self { normal: factors.normal, parts: parts.collect::<Option<_>>()?, reach })
    }

    /// Of the composition.
    pub(super) fn at(&self, tilt: f64) -> Cumulants {
        let normal = Cumulants {
            value: 0.5 * self.normal * tilt * (tilt + 1.0),
            mean: self.normal * (tilt + 0.5),
            variance: self.normal,
        };
        self.parts.iter().fold(normal, |sum, part| {
            let one = part.at(tilt);
            Cumulants {
                value: sum.value + part.count * one.value,
                mean: sum.mean + part.count * one.mean,
                variance: sum.variance + part.count * one.variance,
            }
        })
    }

    /// `K(c)` of each pair, not counting normal ones.
    pub(super) fn values(&self, tilt: f64) -> impl Iterator<Item = f64> {
        self.parts.iter().map(move |part| part.at(tilt).value)
    }
}

impl Part {
    fn at(&self, tilt: f64) -> Cumulants {
        let highest = self.nodes.iter().map(|(loss, log_p)| log_p + tilt * loss).fold(0.0, f64::max);
        let scale = exp(-highest);
        let mut excess = -self.infinite + tilt * (self.vanishing - self.infinite);
        let [mut mass, mut first, mut second] = [0.0; 3];
        for &(loss, log_p) in &self.nodes {
            let weight = exp(log_p + tilt * loss - highest);
            mass += weight;
            first += weight * loss;
            second += weight * loss * loss;
            if highest == 0.0 {
                // Far below 0 the loss has next to no mass under P, but not under Q.
                let drop = if loss > -30.0 { exp(log_p) * expm1(-loss) } else { exp(log_p - loss) };
                let rise = if tilt * loss < 30.0 { exp(log_p) * expm1(tilt * loss) } else { weight };
                excess += rise + tilt * drop;
            }
        }
        let mean = first / mass;
        let value = if scale == 1.0 { ln_1p(excess) } else { highest + ln(mass) };
        Cumulants { value, mean, variance: (second / mass - mean * mean).max(0.0) }
    }
}
