//! `K`, `K′` and `K″` on the real axis in plain floats, for the search. Nothing is proven with them.

use super::factors::Factors;
use hockeystick_numerics::special::{exp, ln, ln_1p};

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
    /// `Σ p`.
    mass: f64,
    infinite: f64,
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
                mass: 0.0,
                infinite: factor.infinite.midpoint(),
                count: factor.count,
            })
        });
        let mut parts: Vec<Part> = parts.collect::<Option<_>>()?;
        for part in &mut parts {
            part.mass = part.nodes.iter().map(|(_, log_p)| exp(*log_p)).sum();
        }
        Some(Self { normal: factors.normal, parts, reach })
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
        let highest = if highest < 300.0 { 0.0 } else { highest };
        let [mut mass, mut first, mut second] = [0.0; 3];
        for &(loss, log_p) in &self.nodes {
            let weight = exp(log_p + tilt * loss - highest);
            mass += weight;
            first += weight * loss;
            second += weight * loss * loss;
        }
        let mean = first / mass;
        // The nodes miss some of P, and hence of M, in about the same proportion.
        let value = if highest == 0.0 { ln_1p(mass - self.mass - self.infinite) } else { highest + ln(mass) };
        Cumulants { value, mean, variance: (second / mass - mean * mean).max(0.0) }
    }
}
