//! A composed law: δ at any ε, with the errors of every step.

use super::{
    super::{
        convolve::{BinSources, Buffers, Inverted, Scales, Spectrum},
        law::{Optimistic, Pessimistic},
    },
    aliasing::Aliasing,
    tail_sums::TailSums,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    fft::FftError,
    rounding::{add_down, add_up, mul_up},
};
use std::marker::PhantomData;

/// A composed law on a periodic grid, under a tilt.
#[derive(Clone, Debug)]
pub(crate) struct ComposedLaw<Side> {
    spacing: f64,
    tilt: f64,
    /// Position of the points (modulo the period), scales and errors.
    scales: Scales,
    /// A bound on the round-off of the sums.
    summation: f64,
    aliasing: Aliasing,
    sums: TailSums,
    sources: BinSources,
    side: PhantomData<Side>,
}

/// Beyond this many spacings from 0 indices are not exact in a double, and nothing is said.
const FARTHEST: f64 = 4e15;

/// δ and where its error comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    /// The periodic sum over the lattice.
    pub(crate) finite: Enclosure,
    /// A bound on the aliasing that it contains.
    pub(crate) aliasing: f64,
    /// A bound on the round-off.
    pub(crate) roundoff: f64,
    /// The mass at infinity.
    pub(crate) infinite: Enclosure,
}

impl Value {
    /// A lower bound on δ.
    pub(crate) fn least(&self) -> f64 {
        let errors = add_up(self.aliasing, self.roundoff);
        add_down(self.infinite.lower(), add_down(self.finite.lower(), -errors).max(0.0)).clamp(0.0, 1.0)
    }
}

impl<Side> ComposedLaw<Side> {
    /// From a spectrum with a positive tilt: directly from its bins if they are few, else after an inverse transform.
    pub(crate) fn of(spectrum: Spectrum<Side>, buffers: &mut Buffers) -> Result<Self, FftError> {
        let (tilt, spacing, orders, log_moments) = spectrum.aliasing();
        let aliasing = Aliasing { period: spectrum.length() as f64 * spacing, orders, log_moments };
        let sources = spectrum.sources();
        let (scales, sums) = match spectrum.waves() {
            Some(bins) => {
                let bins = bins.to_vec();
                (spectrum.scales(), TailSums::of_bins(tilt * spacing, spacing, spectrum.length(), bins))
            }
            None => {
                let Inverted { masses, scales } = spectrum.invert(buffers)?;
                (scales, TailSums::of_masses(tilt * spacing, spacing, masses))
            }
        };
        let summation = sums.error(tilt * spacing, scales.distance);
        Ok(Self { spacing, tilt, scales, summation, aliasing, sums, sources, side: PhantomData })
    }

    /// How the bins of the laws were computed.
    pub(crate) fn sources(&self) -> BinSources {
        self.sources
    }

    /// δ at ε by the periodic sum over the points above it (the proof is in `docs/design/lattice.md`, "Evaluation").
    ///
    /// With `y = x_n − ε ≥ 0` for the first such point the sum is `e^{−cy}A_n − e^{−(c+1)y}B_n`. Times the scale `M(c)e^{−cε}` it is
    /// `Σ_m e^{cTm} g(ε + Tm)` over all integers m, at least `g(ε) = E[(1 − e^{ε−L})₊]`; [`Aliasing`] bounds the excess. An error of the masses of
    /// 2-norm d changes it by at most `d` times [`weight_norm`].
    pub(crate) fn value(&self, epsilon: f64) -> Value {
        let c = self.tilt;
        let Scales { distance, shift, log_scale, log_finite, offset, log_factor } = self.scales;
        let at = Enclosure::point(epsilon) - offset;
        let infinite = (-log_finite.exp_m1()).clamp(0.0, 1.0);
        let position = at.lower() / self.spacing;
        if position.is_nan() || position.abs() > FARTHEST {
            let finite = Enclosure::new(0.0, 1.0);
            return Value { finite, aliasing: 0.0, roundoff: 1.0, infinite };
        }
        let scale = (log_scale - at * c).exp();
        let index = position.floor() as i64 + 1;
        let place = (index - shift).rem_euclid(self.sums.length() as i64) as usize;
        let [a, b] = self.sums.from(place);
        let y = Enclosure::point(index as f64) * self.spacing - at;
        let rounded = |x: f64| Enclosure::new(x - self.summation, x + self.summation);
        let sum = (-(y * c)).exp() * rounded(a) - (-(y * (c + 1.0))).exp() * rounded(b);
        let factor = Enclosure::new(-log_factor, log_factor).exp();
        // A point within round-off of ε may be counted or not: |f(y)| ≤ 2|y| near 0.
        let undecided = 2.0 * at.width() + 1e-14 * (at.upper().abs() + at.lower().abs() + self.spacing);
        let roundoff = mul_up(
            distance * weight_norm(self.tilt, self.spacing, self.aliasing.period) + undecided,
            scale.upper(),
        );
        Value {
            finite: (scale * sum * factor).clamp(0.0, 1.0),
            aliasing: self.aliasing.excess(self.tilt, at.lower()) * log_factor.exp(),
            roundoff: mul_up(roundoff, factor.upper()),
            infinite,
        }
    }

    /// The losses of one period centred at ε, with their masses, in plain floats.
    pub(crate) fn masses(&self, epsilon: f64) -> Vec<(f64, f64)> {
        let (length, Scales { shift, log_scale, offset, .. }) = (self.sums.length() as i64, self.scales);
        let start = (epsilon / self.spacing).round() as i64 - length / 2;
        let masses = self.sums.masses();
        let mass = |index: i64| {
            let loss = index as f64 * self.spacing;
            let tilted = masses.get((index - shift).rem_euclid(length) as usize)?.max(0.0);
            Some((loss + offset.midpoint(), tilted * (log_scale.midpoint() - self.tilt * loss).exp()))
        };
        (start..start + length).filter_map(mass).collect()
    }
}

/// A bound on `‖f̃‖₂` with `f̃ = Σ_j f(· + jT)` and `f(y) = e^{−cy}(1 − e^{−y})`: `Σ f² ≤ ∫f²/Δ + sup f²` for `f`, and a geometric series for its copies.
pub(crate) fn weight_norm(c: f64, spacing: f64, period: f64) -> f64 {
    let largest = (c * c.ln() - (1.0 + c) * (1.0 + c).ln()).exp();
    let square = 1.0 / (2.0 * c) - 2.0 / (2.0 * c + 1.0) + 1.0 / (2.0 * c + 2.0);
    let own = (square.max(0.0) / spacing + largest * largest).sqrt();
    // Copies are bounded by those of e^{−cy}.
    let copies = (0.5 / (c * spacing) + 1.0).sqrt() / (c * period).exp_m1();
    (own + copies) * (1.0 + 1e-9) + 1e-12
}

impl ComposedLaw<Pessimistic> {
    /// A number that is at least δ(ε).
    pub(crate) fn upper(&self, epsilon: f64) -> f64 {
        let value = self.value(epsilon);
        add_up(value.infinite.upper(), add_up(value.finite.upper(), value.roundoff)).clamp(0.0, 1.0)
    }
}

impl ComposedLaw<Optimistic> {
    /// A number that is at most δ(ε).
    pub(crate) fn lower(&self, epsilon: f64) -> f64 {
        self.value(epsilon).least()
    }
}
