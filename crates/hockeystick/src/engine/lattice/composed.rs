//! A composed law: δ at any ε, with the errors of every step.

use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::{add_down, add_up},
};
use std::marker::PhantomData;

use super::law::{Optimistic, Pessimistic};

/// What composing cost, relative to the tilted law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    /// A bound on the 2-norm of the round-off in the tilted masses.
    pub(super) distance: f64,
    /// A bound on the round-off of the running sums.
    pub(super) summation: f64,
    /// A bound on the tilted probability that left the window, or wrapped around in it.
    pub(super) outside: f64,
}

/// The composition of laws on a lattice, in a window, under a tilt.
#[derive(Clone, Debug)]
pub struct Composed<Side> {
    spacing: f64,
    first: i64,
    tilt: f64,
    errors: Errors,
    /// `log E[e^{cL}; L < ∞]` of the sum.
    log_scale: Enclosure,
    /// `log P(L < ∞)` of the sum.
    log_finite: Enclosure,
    /// How far the points are moved.
    offset: Enclosure,
    /// `Σ_{m ≥ n} r_m e^{−c(x_m − x_n)}` and the same with `c + 1`: what δ needs, from the n-th point on.
    tails: Vec<[f64; 2]>,
    side: PhantomData<Side>,
}

/// δ and where its error comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    /// The sum over the lattice.
    pub(super) finite: Enclosure,
    /// The part of the error that comes from the window.
    pub(super) aliasing: f64,
    /// The part of the error that comes from round-off.
    pub(super) roundoff: f64,
    /// The mass at infinity.
    pub(super) infinite: Enclosure,
}

impl<Side> Composed<Side> {
    #[expect(clippy::too_many_arguments, reason = "the one constructor, used by the one composition")]
    pub(super) fn new(
        spacing: f64,
        first: i64,
        masses: Vec<f64>,
        tilt: f64,
        errors: Errors,
        log_scale: Enclosure,
        log_finite: Enclosure,
        offset: Enclosure,
    ) -> Self {
        let (once, more) = ((-tilt * spacing).exp(), (-(tilt + 1.0) * spacing).exp());
        let mut tails = masses.iter().rev().scan([0.0; 2], |sums, &mass| {
            *sums = [sums[0] * once + mass, sums[1] * more + mass];
            Some(*sums)
        });
        let mut tails: Vec<[f64; 2]> = tails.by_ref().collect();
        tails.reverse();
        Self { spacing, first, tilt, errors, log_scale, log_finite, offset, tails, side: PhantomData }
    }

    /// The sum over the points above ε.
    ///
    /// With `y = x_n − ε ≥ 0` for the first such point, `Σ r_m e^{−c(x_m−ε)}(1 − e^{−(x_m−ε)}) = e^{−cy}A_n − e^{−(c+1)y}B_n`.
    /// An error vector `e` with `‖e‖₂ ≤ d` changes it by at most `d·(Σ f(x_m − ε)²)^{1/2}` with `f(y) = e^{−cy}(1 − e^{−y})`, and
    /// `Σ f² ≤ ∫f²/Δ + sup f²`; mass `η` that wrapped around or is missing, by at most `η·sup f`,
    /// `sup f = c^c/(1+c)^{1+c} ≤ 1`.
    pub(super) fn value(&self, epsilon: f64) -> Value {
        let c = self.tilt;
        let at = Enclosure::point(epsilon) - self.offset;
        let index = (at.lower() / self.spacing).floor() as i64 + 1 - self.first;
        let index = usize::try_from(index.max(0)).unwrap_or(usize::MAX);
        let scale = (self.log_scale - at * c).exp();
        let largest = (c * c.ln() - (1.0 + c) * (1.0 + c).ln()).exp() * (1.0 + 1e-12);
        let square = 1.0 / (2.0 * c) - 2.0 / (2.0 * c + 1.0) + 1.0 / (2.0 * c + 2.0);
        let norm = (square / self.spacing + largest * largest).sqrt() * (1.0 + 1e-12);
        let sum = self.tails.get(index).map_or(Enclosure::ZERO, |[a, b]| {
            let point = Enclosure::point((self.first + index as i64) as f64) * self.spacing;
            let y = point - at;
            let rounded = |x: f64| Enclosure::new(x - self.errors.summation, x + self.errors.summation);
            (-(y * c)).exp() * rounded(*a) - (-(y * (c + 1.0))).exp() * rounded(*b)
        });
        let aliasing = self.errors.outside * largest * scale.upper();
        // A point that cannot be told from ε may be counted or not: |f(y)| ≤ 2|y| next to 0.
        let undecided = 2.0 * at.width() + 1e-14 * (at.upper().abs() + at.lower().abs() + self.spacing);
        let roundoff = (self.errors.distance * norm + undecided) * scale.upper();
        let infinite = (-self.log_finite.exp_m1()).clamp(0.0, 1.0);
        Value { finite: (scale * sum).clamp(0.0, 1.0), aliasing, roundoff, infinite }
    }
}

impl Composed<Pessimistic> {
    /// A number that is at least δ(ε).
    pub(super) fn upper(&self, epsilon: f64) -> f64 {
        let value = self.value(epsilon);
        let errors = add_up(value.aliasing, value.roundoff);
        add_up(value.infinite.upper(), add_up(value.finite.upper(), errors)).clamp(0.0, 1.0)
    }
}

impl Composed<Optimistic> {
    /// A number that is at most δ(ε).
    pub(super) fn lower(&self, epsilon: f64) -> f64 {
        let value = self.value(epsilon);
        let errors = add_up(value.aliasing, value.roundoff);
        add_down(value.infinite.lower(), add_down(value.finite.lower(), -errors).max(0.0)).clamp(0.0, 1.0)
    }
}
