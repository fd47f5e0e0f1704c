//! The sum of the `log φ` of a composition, one side of it.

use super::{phi::Phi, source::Source};
use crate::{engine::masses, pair::SharedPair};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp},
};
use num_complex::Complex;

/// `log φ = Σ kᵢ log φᵢ` of the losses under the first law of every pair ([Zhu22, Prop. 13]).
#[derive(Clone, Debug)]
pub(super) struct ComposedPhi {
    parts: Vec<(Phi, f64)>,
    /// `φ(0)`, the mass of the finite losses: the product of sub-probability measures ([Zhu22, Prop. 38]).
    pub(super) finite: f64,
    /// The mean of the finite loss.
    pub(super) mean: f64,
    /// Its standard deviation.
    pub(super) deviation: f64,
}

/// `φ(t)`, and an estimate of its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) phi: Complex<f64>,
    pub(super) error: f64,
}

/// Mean and variance of the finite losses of a composition; `None` if a loss has none.
pub(super) fn moments(pairs: &[(SharedPair, u64)]) -> Option<(f64, f64)> {
    pairs.iter().try_fold((0.0, 0.0), |(mean, variance), (pair, count)| {
        let (one, count) = (pair.moments()?, *count as f64);
        Some((mean + count * one.mean.midpoint(), variance + count * one.variance.midpoint()))
    })
}

impl ComposedPhi {
    /// For `|t| ≤ height`. `None` if a pair has no `φ` up to that frequency.
    pub(super) fn new(
        pairs: &[(SharedPair, u64)],
        (mean, variance): (f64, f64),
        source: Source,
        height: f64,
    ) -> Option<Self> {
        let part = |(pair, count): &(SharedPair, u64)| {
            Some((Phi::of(pair.as_ref(), source, height)?, *count as f64))
        };
        Some(Self {
            parts: pairs.iter().map(part).collect::<Option<_>>()?,
            finite: masses::infinite_mass(pairs).complement().midpoint(),
            mean,
            deviation: variance.max(0.0).sqrt(),
        })
    }

    /// The number of terms of a value.
    pub(super) fn terms(&self) -> usize {
        self.parts.iter().map(|(phi, _)| phi.terms()).sum()
    }

    pub(super) fn value(&self, t: f64) -> Value {
        let (mut log, mut error) = (Complex::ZERO, 0.0);
        for (phi, count) in &self.parts {
            let one = phi.log(t);
            log += one.value * count;
            error += count * one.error;
        }
        let modulus = exp(log.re);
        if modulus == 0.0 || !log.im.is_finite() {
            return Value { phi: Complex::ZERO, error: modulus };
        }
        error += UNIT_ROUNDOFF * (4.0 + log.im.abs());
        Value { phi: cis(log.im) * modulus, error: modulus * error.min(2.0) }
    }

    /// The logarithm of an envelope of `|φ|` from `t` upwards.
    pub(super) fn log_envelope(&self, t: f64) -> f64 {
        self.parts.iter().map(|(phi, count)| count * phi.log_envelope(t)).sum()
    }
}
