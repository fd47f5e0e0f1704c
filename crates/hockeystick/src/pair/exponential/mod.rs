//! The exponential mechanism with a bounded range: the worst of all generalised randomised responses.
//!
//! In: a range. Out: the pair whose profile is the largest of all mechanisms of that range.
//!
//! # Guarantee
//! Masses and tails are closed forms, enclosed; the pair is self-dual.

use super::{DominatingPair, Panel, Quadratic, RatioLaw, SharedPair, Tails, stretch::Stretch};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// The pair of any mechanism of bounded range `r`: for two neighbours all losses lie in an interval of length `r`.
///
/// **One pair of neighbours.** Some `t ∈ [0, r]` has all losses in `[t − r, t]`, as `E_Q e^L = 1`. The hockey-stick is the
/// mean of the convex `(e^L − α)₊` under `Q`; with `E_Q e^L` given it is largest if only the ends occur, that is for a
/// generalised randomised response with losses `t` and `t − r` ([Dong, Durfee, Rogers 2020]). Under `Q` the
/// loss `t` has probability `(e^{−t} − e^{−r})/(1 − e^{−r})`, so for `t − r ≤ ε ≤ t`
///
/// `δ_t(ε) = (1 + e^{ε−r} − e^{ε−t} − e^{t−r})/(1 − e^{−r})`.
///
/// **All pairs.** The product of the last two terms does not depend on `t`, so their sum is least where they are equal, at
/// `t = (r + ε)/2`, which is in `[0, r]` if and only if `|ε| ≤ r`:
///
/// `δ(ε) = (1 − e^{(ε−r)/2})²/(1 − e^{−r})` for `|ε| ≤ r`, 0 above, `1 − e^ε` below.
///
/// **A pair for the curve.** A supremum of curves that are convex and decreasing in `α = e^ε`, 1 at 0 and at least
/// `(1 − α)₊` is again one, so some pair has it ([Zhu22, Lemma 9, Cor. 26]). From `Q(L > ε) = −dH/dα` and
/// `P(L > ε) = H + α·Q(L > ε)`, with `g = (r − ε)/2` and `h = (r + ε)/2`:
///
/// `P(L > ε) = (1 − e^{−g})/(1 − e^{−r})`, `Q(L > ε) = e^{−h}(1 − e^{−g})/(1 − e^{−r})`.
///
/// Swapping `g` and `h` swaps the tails of one with what the other leaves: the pair is self-dual.
///
/// # Guarantee
/// All formulas are quotients of sums of positive terms made by `e^x − 1`: enclosures have relative accuracy.
#[derive(Clone, Copy, Debug)]
struct BoundedRangePair {
    range: f64,
}

/// The pair of an exponential mechanism of bounded range `epsilon > 0`.
pub(super) fn bounded_range(epsilon: f64) -> SharedPair {
    Arc::new(BoundedRangePair { range: epsilon })
}

/// `1 − e^{−x}`, exactly 0 at 0.
fn rise(x: Ball) -> Ball {
    if x == Ball::ZERO { x } else { -(-x).exp_m1() }
}

impl BoundedRangePair {
    /// `g = (r − ε)/2` and `h = (r + ε)/2`.
    fn halves(self, epsilon: Ball) -> (Ball, Ball) {
        let (range, half) = (Ball::from(self.range), Ball::from(0.5));
        ((range - epsilon) * half, (range + epsilon) * half)
    }

    fn stretch(self, epsilon: Ball) -> Stretch {
        Stretch::of(epsilon, Ball::from(self.range))
    }

    /// `1 − e^{−r}`.
    fn normaliser(self) -> Ball {
        rise(Ball::from(self.range))
    }
}

fn both(value: Ball, complement: Ball) -> Probability {
    Probability::from_both(value.enclosure(), complement.enclosure())
}

impl DominatingPair for BoundedRangePair {
    /// `1 − δ(ε) = e^{−g}((1 − e^{−g}) + (1 − e^{−h}))/(1 − e^{−r})` within the range.
    fn delta(&self, epsilon: Ball) -> Probability {
        self.stretch(epsilon).select(
            || Probability::from_both(-epsilon.enclosure().exp_m1(), epsilon.exp_enclosure()),
            || {
                let ((g, h), normaliser) = (self.halves(epsilon), self.normaliser());
                let (u, v) = (rise(g), rise(h));
                both(u * (u / normaliser), (-g).exp() * (u + v) / normaliser)
            },
            || Probability::ZERO,
        )
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let certain = Probability::ZERO.opposite();
        self.stretch(epsilon).select(
            || Tails { p: certain, q: certain },
            || {
                let ((g, h), normaliser) = (self.halves(epsilon), self.normaliser());
                let (u, v) = (rise(g) / normaliser, rise(h) / normaliser);
                Tails { p: both(u, (-g).exp() * v), q: both((-h).exp() * u, v) }
            },
            || Tails { p: Probability::ZERO, q: Probability::ZERO },
        )
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::point(-self.range)..=Enclosure::point(self.range)
    }

    /// In the variable `h = (r + L)/2 ∈ [0, r]`, under `Q` of density `e^{−h}/(1 − e^{−r})`: the end is a double, the mass
    /// is where `h` is small, and the logarithm of `1 − e^{−r}` keeps relative accuracy.
    fn ratio_law(&self) -> RatioLaw {
        let range = Ball::from(self.range);
        let log_normaliser =
            if self.range < 0.5 { self.normaliser().ln() } else { (-(-range).exp()).ln_1p() };
        RatioLaw {
            panels: vec![Panel {
                from: 0.0,
                to: self.range,
                log_q: Quadratic { constant: -log_normaliser.approximate(), linear: -1.0, square: 0.0 },
                ratio: vec![(1.0, Quadratic { constant: -self.range, linear: 2.0, square: 0.0 })],
            }],
            ..RatioLaw::default()
        }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(*self)
    }

    fn is_self_dual(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
