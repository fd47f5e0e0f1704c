//! Gaussian noise whose variance depends on the data: `N(0, σ₁²)` against `N(0, σ₂²)` ([Zhu22, Ex. 15]).

use super::{
    DominatingPair, Panel, Quadratic, RatioLaw, SharedPair, Tails,
    loss_law::normal::{density, upper_tail},
};
use crate::mechanism::GaussianVariance;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, mills::mills_ratio, probability::Probability};
use std::{f64::consts::TAU, ops::RangeInclusive, sync::Arc};

/// `N(0, σ₁²)` against `N(0, σ₂²)`. The loss is `log(σ₂/σ₁) + κx²` with `κ = (1/σ₂² − 1/σ₁²)/2`.
#[derive(Clone, Copy, Debug)]
struct VariancePair {
    sigma_p: f64,
    sigma_q: f64,
    /// `log(σ₂/σ₁)`, the loss at 0.
    offset: Ball,
    /// `κ`.
    curvature: Ball,
}

pub(super) fn pair(noise: &GaussianVariance) -> SharedPair {
    Arc::new(VariancePair::new(noise.sigma1(), noise.sigma2()))
}

impl VariancePair {
    fn new(sigma_p: f64, sigma_q: f64) -> Self {
        let (p, q) = (Ball::from(sigma_p), Ball::from(sigma_q));
        // (σ₁ − σ₂)(σ₁ + σ₂)/(2σ₁²σ₂²): exact sign, no cancellation.
        let curvature = (p - q) * (p + q) / (p * p * q * q) * Ball::from(0.5);
        Self { sigma_p, sigma_q, offset: (q / p).ln(), curvature }
    }

    /// Does the loss grow with `|x|`?
    fn grows(&self) -> bool {
        self.sigma_p > self.sigma_q
    }

    /// `t` with loss ε at `±t`; `None` if ε is proven to be beyond the loss at 0.
    fn threshold(&self, epsilon: Ball) -> Option<Ball> {
        let square = (epsilon - self.offset) / self.curvature;
        (square.enclosure().upper() > 0.0).then(|| square.sqrt())
    }

    /// `P(|X| > t)` for `N(0, σ²)`, and its complement.
    fn outside(sigma: f64, t: Ball) -> Probability {
        let one_side = upper_tail(t / Ball::from(sigma));
        let both = one_side.value() + one_side.value();
        Probability::from_value(both.clamp(0.0, 1.0))
    }

    /// `P(|X| < t)` for `N(0, σ²)`, with relative accuracy for small `t`: `2tφ(t/σ)/σ·Σ u^n/(2n+1)!!`, `u = (t/σ)²`.
    fn inside(sigma: f64, t: Ball) -> Enclosure {
        let scaled = t / Ball::from(sigma);
        if scaled.approximate() > 1.0 {
            return Self::outside(sigma, t).complement();
        }
        let u = (scaled * scaled).enclosure().clamp(0.0, f64::INFINITY);
        scaled.enclosure().clamp(0.0, f64::INFINITY)
            * 2.0
            * density(scaled)
            * odd_series(u, Enclosure::ZERO, true)
    }
}

/// `Σ_{n ≥ n₀} (uⁿ − vⁿ)/(2n+1)!!` for `0 ≤ v ≤ u ≤ 1.1`, all terms positive: `n₀ = 0` and `v = 0` for the plain series,
/// `n₀ = 1` for a difference, where `uⁿ − vⁿ = (u − v)(u^{n−1} + … + v^{n−1})`.
fn odd_series(u: Enclosure, v: Enclosure, plain: bool) -> Enclosure {
    const TERMS: u32 = 24;
    let mut sum = if plain { Enclosure::ONE } else { Enclosure::ZERO };
    // (uⁿ − vⁿ)/(u − v) and vⁿ, or uⁿ, over (2n+1)!!.
    let (mut quotient, mut power, mut double_factorial) = (Enclosure::ZERO, Enclosure::ONE, Enclosure::ONE);
    let mut term = Enclosure::ONE;
    for n in 1..=TERMS {
        double_factorial = double_factorial * f64::from(2 * n + 1);
        if plain {
            power = power * u;
            term = power / double_factorial;
        } else {
            quotient = quotient * u + power;
            power = power * v;
            term = quotient / double_factorial;
        }
        sum = sum + term;
    }
    // Consecutive terms fall at least by (n+1)/n·u/(2n+3) < 1/20 from here on.
    sum + Enclosure::new(0.0, (term / 10.0).upper())
}

impl DominatingPair for VariancePair {
    fn delta(&self, epsilon: Ball) -> Probability {
        if self.sigma_p == self.sigma_q {
            return super::loss_law::laplace::delta(Ball::ZERO, epsilon);
        }
        let odds = epsilon.exp_enclosure();
        // Every loss is above ε, or none is.
        let Some(t) = self.threshold(epsilon) else {
            return if self.grows() {
                Probability::from_both(-epsilon.enclosure().exp_m1(), odds)
            } else {
                Probability::ZERO
            };
        };
        let (p, q) = (Ball::from(self.sigma_p), Ball::from(self.sigma_q));
        let height = density(t / p) / self.sigma_p;
        if self.grows() {
            // L > ε outside [−t, t]. Since p(t) = e^ε q(t), δ = 2p(t)(σ₁R(t/σ₁) − σ₂R(t/σ₂)).
            let near = mills_ratio(t / p) * self.sigma_p - mills_ratio(t / q) * self.sigma_q;
            let value = height * near * 2.0;
            let complement = Self::inside(self.sigma_p, t) + odds * Self::outside(self.sigma_q, t).value();
            Probability::from_both(value.clamp(0.0, 1.0), complement)
        } else {
            // L > ε inside. For t ≤ σ₁, δ = 2t p(t) Σ (uⁿ − vⁿ)/(2n+1)!! with u = (t/σ₁)², v = (t/σ₂)².
            let complement = Self::outside(self.sigma_p, t).value() + odds * Self::inside(self.sigma_q, t);
            let value = if (t / p).enclosure().upper() <= 1.0 {
                let square = (t * t).enclosure().clamp(0.0, f64::INFINITY);
                let (u, v) = (square / (p * p).enclosure(), square / (q * q).enclosure());
                // u − v = −2κt², to full relative accuracy.
                let spread = (self.curvature * Ball::from(-2.0)).enclosure() * square;
                t.enclosure().clamp(0.0, f64::INFINITY) * height * 2.0 * spread * odd_series(u, v, false)
            } else {
                Self::inside(self.sigma_p, t) - odds * Self::inside(self.sigma_q, t)
            };
            Probability::from_both(value.clamp(0.0, 1.0), complement)
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let all = Probability::ZERO.opposite();
        if self.sigma_p == self.sigma_q {
            let at = epsilon.enclosure();
            let tail = match (at.lower() >= 0.0, at.upper() < 0.0) {
                (true, _) => Probability::ZERO,
                (_, true) => all,
                _ => Probability::UNKNOWN,
            };
            return Tails { p: tail, q: tail };
        }
        match self.threshold(epsilon) {
            None if self.grows() => Tails { p: all, q: all },
            None => Tails { p: Probability::ZERO, q: Probability::ZERO },
            Some(t) if self.grows() => {
                Tails { p: Self::outside(self.sigma_p, t), q: Self::outside(self.sigma_q, t) }
            }
            Some(t) => {
                let within = |sigma| {
                    Probability::from_both(
                        Self::inside(sigma, t).clamp(0.0, 1.0),
                        Self::outside(sigma, t).value(),
                    )
                };
                Tails { p: within(self.sigma_p), q: within(self.sigma_q) }
            }
        }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let at_zero = self.offset.enclosure();
        if self.sigma_p == self.sigma_q {
            Enclosure::ZERO..=Enclosure::ZERO
        } else if self.grows() {
            at_zero..=Enclosure::point(f64::INFINITY)
        } else {
            Enclosure::point(f64::NEG_INFINITY)..=at_zero
        }
    }

    fn ratio_law(&self) -> RatioLaw {
        // Both half-lines at once.
        let sigma = self.sigma_q;
        let panel = Panel {
            from: 0.0,
            to: f64::INFINITY,
            log_q: Quadratic {
                constant: (2.0 / sigma).ln() - 0.5 * TAU.ln(),
                linear: 0.0,
                square: -0.5 / (sigma * sigma),
            },
            ratio: vec![(
                1.0,
                Quadratic {
                    constant: self.offset.approximate(),
                    linear: 0.0,
                    square: self.curvature.approximate(),
                },
            )],
        };
        RatioLaw { panels: vec![panel], ..RatioLaw::default() }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self::new(self.sigma_q, self.sigma_p))
    }

    fn is_self_dual(&self) -> bool {
        self.sigma_p == self.sigma_q
    }
}
