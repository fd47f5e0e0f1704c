//! A composed law: δ at any ε, with the errors of every step.

use super::{
    buffers::Window,
    compose::Scales,
    law::{Optimistic, Pessimistic},
    tails::{Tails, summation_error},
    waves::Waves,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::{UNIT_ROUNDOFF, add_down, add_up, mul_up},
};
use std::marker::PhantomData;

/// What is needed to bound the excess of a periodic sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aliasing {
    /// The length of the window.
    pub(crate) period: f64,
    /// Orders λ below and above the tilt.
    pub(crate) orders: [f64; 2],
    /// Bounds on `log E[e^{λL}; L < ∞]`.
    pub(crate) log_moments: [f64; 2],
}

/// The sums over all points above one, of the tilted masses.
#[derive(Clone, Debug)]
pub(crate) enum Sums {
    /// From the masses of one period.
    Window { masses: Window, tails: Tails },
    /// From the few bins of their spectrum that are not negligible.
    Waves(Waves),
}

impl Sums {
    /// The number of points of a period.
    fn length(&self) -> usize {
        match self {
            Self::Window { masses, .. } => masses.0.len(),
            Self::Waves(waves) => waves.length(),
        }
    }

    fn from(&self, place: usize) -> [f64; 2] {
        match self {
            Self::Window { masses, tails } => tails.from(place, &masses.0),
            Self::Waves(waves) => waves.from(place),
        }
    }
}

/// The composition of laws on a lattice, in a cyclic window, under a tilt.
#[derive(Clone, Debug)]
pub struct Composed<Side> {
    spacing: f64,
    tilt: f64,
    /// Where the points begin (any period of points will do), scales and errors.
    scales: Scales,
    /// A bound on the round-off of the sums.
    summation: f64,
    aliasing: Aliasing,
    sums: Sums,
    side: PhantomData<Side>,
}

/// Points farther from 0 than this many cells have no number of their own: nothing is known there.
const FARTHEST: f64 = 4e15;

/// δ and where its error comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    /// The periodic sum over the lattice.
    pub(crate) finite: Enclosure,
    /// By how much that may exceed the sum without wrap-around.
    pub(crate) aliasing: f64,
    /// The part of the error that comes from round-off.
    pub(crate) roundoff: f64,
    /// The mass at infinity.
    pub(crate) infinite: Enclosure,
}

impl Value {
    /// The least that δ can be.
    pub(crate) fn least(&self) -> f64 {
        let errors = add_up(self.aliasing, self.roundoff);
        add_down(self.infinite.lower(), add_down(self.finite.lower(), -errors).max(0.0)).clamp(0.0, 1.0)
    }
}

impl<Side> Composed<Side> {
    pub(crate) fn new(spacing: f64, tilt: f64, aliasing: Aliasing, scales: Scales, sums: Sums) -> Self {
        let length = sums.length() as f64;
        let summation = match &sums {
            Sums::Window { .. } => {
                let repeats = -(-tilt * spacing * length).exp_m1();
                // The sum over one period, which starts those of the blocks, and these.
                2.0 * summation_error(tilt * spacing) / repeats * (1.0 + scales.distance * length.sqrt())
            }
            Sums::Waves(waves) => waves.error(),
        };
        Self { spacing, tilt, scales, summation, aliasing, sums, side: PhantomData }
    }

    /// The sum over the points above ε, periodically continued.
    ///
    /// With `y = x_n − ε ≥ 0` for the first such point, `Σ r_m f(x_m − ε) = e^{−cy}A_n − e^{−(c+1)y}B_n` for
    /// `f(y) = e^{−cy}(1 − e^{−y})`. Times the scale `M(c)e^{−cε}` it is exactly `Σ_m e^{cTm} g(ε + Tm)` over all integers m, with the period
    /// T and `g(ε) = E[(1 − e^{ε−L})₊]`: at least `g(ε)`. The excess, by Chernoff's bound `g(x) ≤ κ(λ)M(λ)e^{−λx}` with
    /// `κ(λ) = λ^λ/(1+λ)^{1+λ}`: `m > 0` contributes at most `κ(λ)M(λ)e^{−λε}/(e^{(λ−c)T} − 1)` for any λ > c, and `m < 0` at most
    /// `κ(λ)M(λ)e^{−λε}/(e^{(c−λ)T} − 1)` for any λ in [0, c).
    ///
    /// An error vector `e` of one period with `‖e‖₂ ≤ d` changes the sum by at most `d·‖f̃‖₂`, where
    /// `f̃ = Σ_j f(· + jT)`, and `Σ f² ≤ ∫f²/Δ + sup f²`.
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
        // A point that cannot be told from ε may be counted or not: |f(y)| ≤ 2|y| next to 0.
        let undecided = 2.0 * at.width() + 1e-14 * (at.upper().abs() + at.lower().abs() + self.spacing);
        let roundoff = mul_up(
            distance * weight_norm(self.tilt, self.spacing, self.aliasing.period) + undecided,
            scale.upper(),
        );
        Value {
            finite: (scale * sum * factor).clamp(0.0, 1.0),
            aliasing: self.excess(at),
            roundoff: mul_up(roundoff, factor.upper()),
            infinite,
        }
    }

    /// The losses of the window around ε, half of it above and half below, with their masses, in plain floats.
    pub(crate) fn masses(&self, epsilon: f64) -> Vec<(f64, f64)> {
        let (length, Scales { shift, log_scale, offset, .. }) = (self.sums.length() as i64, self.scales);
        let start = (epsilon / self.spacing).round() as i64 - length / 2;
        let from_waves;
        let masses = match &self.sums {
            Sums::Window { masses, .. } => &masses.0,
            Sums::Waves(waves) => {
                from_waves = waves.masses().unwrap_or_default();
                &from_waves
            }
        };
        let mass = |index: i64| {
            let loss = index as f64 * self.spacing;
            let tilted = masses.get((index - shift).rem_euclid(length) as usize)?.max(0.0);
            Some((loss + offset.midpoint(), tilted * (log_scale.midpoint() - self.tilt * loss).exp()))
        };
        (start..start + length).filter_map(mass).collect()
    }

    /// A bound on what wrap-around adds at most.
    fn excess(&self, at: Enclosure) -> f64 {
        let Aliasing { period, orders, log_moments } = self.aliasing;
        let bound = |i: usize| wrapped(self.tilt, orders[i], period, log_moments[i], at.lower());
        let excess = bound(0) + bound(1);
        excess * (1.0 + 1e-8) * self.scales.log_factor.exp()
    }
}

/// A bound on `‖f̃‖₂`, for a tilt, a spacing and a period.
pub(crate) fn weight_norm(c: f64, spacing: f64, period: f64) -> f64 {
    let largest = (c * c.ln() - (1.0 + c) * (1.0 + c).ln()).exp();
    let square = 1.0 / (2.0 * c) - 2.0 / (2.0 * c + 1.0) + 1.0 / (2.0 * c + 2.0);
    let own = (square.max(0.0) / spacing + largest * largest).sqrt();
    // Of the copies only e^{−cy} is used.
    let copies = (0.5 / (c * spacing) + 1.0).sqrt() / (c * period).exp_m1();
    (own + copies) * (1.0 + 1e-9) + 1e-12
}

impl Composed<Pessimistic> {
    /// A number that is at least δ(ε).
    pub(crate) fn upper(&self, epsilon: f64) -> f64 {
        let value = self.value(epsilon);
        add_up(value.infinite.upper(), add_up(value.finite.upper(), value.roundoff)).clamp(0.0, 1.0)
    }
}

impl Composed<Optimistic> {
    /// A number that is at most δ(ε).
    pub(crate) fn lower(&self, epsilon: f64) -> f64 {
        self.value(epsilon).least()
    }
}

/// `κ(λ) M(λ) e^{−λε} / (e^{|λ−c|T} − 1)`, a little too large: what one period or more away adds at most.
///
/// Taken in logarithms, so that a large moment and a long period do not overflow each other.
fn wrapped(tilt: f64, order: f64, period: f64, log_moment: f64, epsilon: f64) -> f64 {
    let (rise, fall) = if order > 0.0 {
        (order * order.ln(), (1.0 + order) * (1.0 + order).ln())
    } else {
        // At the order 0 it is the trivial g ≤ M(0).
        (0.0, 0.0)
    };
    let decay = (order - tilt).abs() * period;
    let sizes = rise.abs() + fall + log_moment.abs() + (order * epsilon).abs() + decay;
    let log = rise - fall + log_moment - order * epsilon - decay + 8.0 * UNIT_ROUNDOFF * sizes;
    // Below the smallest double it is still not 0.
    log.exp() / -(-decay).exp_m1() + 1e-320
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    /// The exponent was once capped at 700 before the period was taken off it, which made the bound too small.
    #[test]
    fn a_large_moment_is_not_capped() {
        // κ(2) e^{709 − 4} e^{−10}/(1 − e^{−10}) = (4/27) e^{695.000045…}.
        let bound = wrapped(1.0, 2.0, 10.0, 709.0, 2.0);
        assert!(bound >= 4.0 / 27.0 * 695.000_045f64.exp() && bound <= 0.15 * 695.000_1f64.exp());
        assert_eq!(wrapped(1.0, 1.0, 10.0, 0.0, 2.0), f64::INFINITY);
        assert!(wrapped(5.0, 0.0, 300.0, 0.0, 2.0) > 0.0);
    }
}
