//! The Rényi curve of a composition.

use crate::pair::SharedMoments;
use hockeystick_numerics::{enclosure::Enclosure, rounding::add_up};

/// `α ↦ D_α(P‖Q)` of a composition in one direction, for real orders: `(α − 1)D_α = K(α − 1)` adds over the parts.
#[derive(Clone, Debug)]
pub struct RenyiCurve {
    parts: Vec<(SharedMoments, u64)>,
    /// `log P(L < ∞)`.
    pub(super) log_finite: Enclosure,
}

impl RenyiCurve {
    /// Each part as often as its count says.
    pub fn compose(parts: Vec<(SharedMoments, u64)>) -> Self {
        let log_finite = (parts.iter())
            .fold(Enclosure::ZERO, |sum, (part, count)| sum + part.log_finite_mass() * *count as f64);
        let log_finite = log_finite.clamp(f64::NEG_INFINITY, 0.0);
        Self { parts, log_finite }
    }

    /// `K(λ) = log E_P[e^{λL}; L < ∞]` for `λ > −1`.
    ///
    /// # Guarantee
    /// Encloses the truth; the upper end is infinite where the moment does not exist.
    pub fn log_moment(&self, lambda: f64) -> Enclosure {
        self.parts
            .iter()
            .fold(Enclosure::ZERO, |sum, (part, count)| sum + part.log_moment(lambda) * *count as f64)
    }

    /// `D_α(P‖Q)` for `α > 0`; the Kullback–Leibler divergence at `α = 1`, the largest loss at `α = ∞`.
    ///
    /// # Guarantee
    /// Encloses the truth; infinite where the moment does not exist or a loss is infinite.
    pub fn divergence(&self, alpha: f64) -> Enclosure {
        if alpha == 1.0 {
            return self.kullback_leibler();
        }
        let known = |divergence: Enclosure| divergence.clamp(0.0, f64::INFINITY);
        if alpha < 1.0 {
            // An infinite loss adds nothing to E[e^{λL}] for λ < 0.
            return known(self.log_moment_at(alpha) / (Enclosure::point(alpha) - 1.0));
        }
        if self.log_finite.upper() < 0.0 {
            return Enclosure::point(f64::INFINITY);
        }
        let finite = if alpha == f64::INFINITY {
            Enclosure::new(0.0, self.largest_loss())
        } else {
            known(self.log_moment_at(alpha) / (Enclosure::point(alpha) - 1.0))
        };
        if self.log_finite.lower() < 0.0 { Enclosure::new(finite.lower(), f64::INFINITY) } else { finite }
    }

    /// `K(α − 1)`; `α − 1` is exact unless α is below ½ or above 2⁵³.
    ///
    /// Otherwise λ lies between two neighbouring doubles `l < u`. `K` is convex, so it is at most its larger value there. For
    /// `λ > 0` it increases; below 0, where `K(−1) ≤ 0`, its slope at `l` is at least `K(l)/(l + 1)`.
    fn log_moment_at(&self, alpha: f64) -> Enclosure {
        let lambda = Enclosure::point(alpha) - 1.0;
        let (low, high) = (lambda.lower(), lambda.upper());
        if low == high {
            return self.log_moment(low);
        }
        if low <= -1.0 {
            return Enclosure::new(f64::NEG_INFINITY, 0.0);
        }
        let (at_low, at_high) = (self.log_moment(low), self.log_moment(high));
        let fall = if low > 0.0 {
            Enclosure::ZERO
        } else {
            at_low * (Enclosure::point(high) - low) / (Enclosure::point(low) + 1.0)
        };
        Enclosure::new((at_low + fall).lower().min(at_low.lower()), at_low.upper().max(at_high.upper()))
    }

    /// `D_1(P‖Q) = E_P[L]`.
    pub fn kullback_leibler(&self) -> Enclosure {
        (self.parts.iter())
            .fold(Enclosure::ZERO, |sum, (part, count)| sum + part.kullback_leibler() * *count as f64)
    }

    /// `log P(L < ∞)`.
    pub fn log_finite_mass(&self) -> Enclosure {
        self.log_finite
    }

    /// A bound of `P(L = ∞)`.
    pub(super) fn infinite_mass(&self) -> Enclosure {
        (-self.log_finite.exp_m1()).clamp(0.0, 1.0)
    }

    /// No finite loss is larger.
    pub fn largest_loss(&self) -> f64 {
        self.parts.iter().fold(0.0, |sum, (part, count)| {
            add_up(sum, (Enclosure::point(part.largest_loss()) * *count as f64).upper())
        })
    }

    /// The supremum of the orders λ at which all moments exist.
    pub(super) fn largest_order(&self) -> f64 {
        self.parts.iter().map(|(part, _)| part.largest_order()).fold(f64::INFINITY, f64::min)
    }

    /// Orders at which the bound of a part has a corner.
    pub(super) fn corners(&self) -> impl Iterator<Item = f64> + '_ {
        self.parts.iter().flat_map(|(part, _)| part.corners())
    }

    /// About `K` near an order, without proof.
    pub(super) fn near(&self, lambda: f64) -> impl Fn(f64) -> f64 + '_ {
        let parts: Vec<_> =
            self.parts.iter().map(|(part, count)| (part.near(lambda), *count as f64)).collect();
        move |lambda| parts.iter().map(|(part, count)| part(lambda) * count).sum()
    }

    /// `(α − 1)·D_α(P′‖Q)` of the pair of finite losses: `K(λ) − (λ + 1)·log P(L < ∞)`.
    pub(super) fn normalised(&self, lambda: f64) -> Enclosure {
        self.log_moment(lambda) - self.log_finite * (Enclosure::point(lambda) + 1.0)
    }

    /// Are the curves of both directions the same?
    pub fn is_symmetric(&self) -> bool {
        self.parts.iter().all(|(part, _)| part.is_symmetric())
    }

    /// What whoever reads an answer should know about where the moments come from.
    pub fn notes(&self) -> Vec<String> {
        self.parts.iter().flat_map(|(part, _)| part.notes()).collect()
    }
}
