//! Characteristic functions → tails, by Lévy's formula.

use crate::curve::MomentFunction;
use num_complex::Complex;
use std::f64::consts::PI;

/// `F(x) = φ(0)/2 − (1/π) ∫₀^∞ Im(e^{−itx} φ(t))/t dt`, the principal value of Lévy's formula ([Zhu22, Lemma 18]).
///
/// `φ(0)` is the mass of the finite losses, 1 only where no loss is infinite ([Zhu22, Prop. 38] composes sub-probability
/// measures). The reference form of the analytical Fourier accountant: an **estimate**, not an enclosure.
///
/// # Accuracy
/// The midpoint rule `t = (k + ½)·step` avoids `t = 0`. Without a cutoff it would be exact for losses within `2π/step` of
/// `x`; those beyond count with the wrong sign. The cutoff costs about `|φ(cutoff)|` where the loss has a density. At atoms
/// the integrand falls like `1/t` only: at an atom the result is the middle of the jump, at a distance `d` from it the error
/// is about `1/(π·cutoff·d)` of its mass.
#[derive(Clone, Copy, Debug)]
pub struct LevyInversion<'a, M: ?Sized> {
    /// Where the characteristic functions come from.
    pub moments: &'a M,
    /// The distance of the nodes.
    pub step: f64,
    /// The end of the integral.
    pub cutoff: f64,
}

/// Estimates of `P(L > ε)` and `Q(L > ε)`; at an atom, the middle of the jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TailEstimates {
    /// About `P(L > ε)`, infinite losses included.
    pub p: f64,
    /// About `Q(L > ε)`.
    pub q: f64,
}

impl<M: MomentFunction + ?Sized> LevyInversion<'_, M> {
    /// Estimates both tails at `epsilon`.
    pub fn tails(&self, epsilon: f64) -> TailEstimates {
        // φ of L under P is M(it), under Q it is M(it − 1).
        let (p, p_finite) = self.finite_tail(epsilon, 0.0);
        let (q, _) = self.finite_tail(epsilon, -1.0);
        TailEstimates { p: p + (1.0 - p_finite), q }
    }

    /// The mass of the finite losses above `epsilon`, and of all of them, of the measure whose transform is `M(σ + it)`.
    fn finite_tail(&self, epsilon: f64, sigma: f64) -> (f64, f64) {
        let phi = |t: f64| self.moments.moment(Complex::new(sigma, t)).center();
        let nodes = (self.cutoff / self.step).ceil() as u64;
        let integral: f64 = (0..nodes)
            .map(|k| (k as f64 + 0.5) * self.step)
            .map(|t| (Complex::from_polar(1.0, -t * epsilon) * phi(t)).im / t)
            .sum();
        let total = phi(0.0).re;
        (0.5 * total + integral * self.step / PI, total)
    }
}
