//! Pairs whose representations are known without any conversion.

use hockeystick::{
    curve::{HockeyStick, LossSupport, LossTails, ProfileCurve, Support, TradeOff},
    engine::closed_form::ClosedForm,
    pair::{DominatingPair, LossLaw, RatioLaw, SharedPair, Tails},
};
use hockeystick_numerics::{
    ball::Ball,
    disc::Disc,
    enclosure::Enclosure,
    mills::mills_ratio,
    probability::Probability,
    special::{normal_cdf, normal_quantile},
};
use num_complex::Complex;
use std::{ops::RangeInclusive, sync::Arc};

/// Two laws on finitely many outcomes.
#[derive(Clone, Debug)]
pub(crate) struct Discrete {
    pub(crate) p: Vec<f64>,
    pub(crate) q: Vec<f64>,
}

impl Discrete {
    pub(crate) fn new(p: &[f64], q: &[f64]) -> Self {
        Self { p: p.to_vec(), q: q.to_vec() }
    }

    /// Zeros on both sides, and nothing about it is symmetric: losses log 4, 0, −log 5, ∞, −∞.
    pub(crate) fn lopsided() -> Self {
        let sixteenths = |n: [i32; 5]| n.map(|n| f64::from(n) / 16.0);
        Self::new(&sixteenths([8, 4, 1, 3, 0]), &sixteenths([2, 4, 5, 0, 5]))
    }

    /// Bounded losses only, not symmetric: log 4, log 2, −log 2.5.
    pub(crate) fn bounded() -> Self {
        Self::new(&[0.5, 0.25, 0.25], &[0.125, 0.125, 0.75])
    }

    pub(crate) fn randomized_response(epsilon: f64) -> Self {
        let yes = 1.0 / (1.0 + (-epsilon).exp());
        Self::new(&[yes, 1.0 - yes], &[1.0 - yes, yes])
    }

    pub(crate) fn swapped(&self) -> Self {
        Self { p: self.q.clone(), q: self.p.clone() }
    }

    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (f64, f64)> {
        self.p.iter().copied().zip(self.q.iter().copied())
    }

    /// `Σ (p − αq)₊`.
    pub(crate) fn hockey_stick(&self, alpha: f64) -> f64 {
        self.outcomes().map(|(p, q)| (p - alpha * q).max(0.0)).sum()
    }

    /// `P(L > ε)`, `Q(L > ε)`.
    pub(crate) fn loss_above(&self, epsilon: f64) -> (f64, f64) {
        let above = self.outcomes().filter(|(p, q)| (p / q).ln() > epsilon);
        above.fold((0.0, 0.0), |sum, (p, q)| (sum.0 + p, sum.1 + q))
    }

    /// The least type II error: outcomes are rejected in the order of `p/q`, the last one in part.
    pub(crate) fn neyman_pearson(&self, type_one_error: f64) -> f64 {
        let mut outcomes: Vec<_> = self.outcomes().filter(|&(p, q)| p > 0.0 || q > 0.0).collect();
        outcomes.sort_by(|a, b| (a.0 * b.1).total_cmp(&(b.0 * a.1)));
        let (mut left, mut type_two) = (type_one_error, 1.0);
        for (p, q) in outcomes {
            let part = if p <= left { 1.0 } else { left / p };
            left -= part * p;
            type_two -= part * q;
        }
        type_two
    }

    /// `E_P[e^{zL}; |L| < ∞]`.
    pub(crate) fn moment(&self, z: Complex<f64>) -> Complex<f64> {
        let finite = self.outcomes().filter(|&(p, q)| p > 0.0 && q > 0.0);
        finite.map(|(p, q)| p * (z * (p / q).ln()).exp()).sum()
    }

    fn finite_ratios(&self) -> Vec<Ball> {
        let finite = self.outcomes().filter(|&(p, q)| p > 0.0 && q > 0.0);
        let mut ratios: Vec<Ball> = finite.map(|(p, q)| Ball::from(p) / Ball::from(q)).collect();
        ratios.sort_by(|a, b| a.approximate().total_cmp(&b.approximate()));
        ratios
    }

    fn mass(&self, choose: impl Fn(f64, f64) -> f64) -> Probability {
        let sum = self.outcomes().map(|(p, q)| choose(p, q)).map(Enclosure::point);
        Probability::from_value(sum.fold(Enclosure::ZERO, |a, b| a + b))
    }
}

impl DominatingPair for Discrete {
    fn delta(&self, epsilon: Ball) -> Probability {
        let alpha = epsilon.exp_enclosure();
        let positive = |p: f64, q: f64| (Enclosure::point(p) - alpha * q).max(Enclosure::ZERO);
        let least = |p: f64, q: f64| -((-Enclosure::point(p)).max(-(alpha * q)));
        let sum = |f: &dyn Fn(f64, f64) -> Enclosure| {
            self.outcomes().fold(Enclosure::ZERO, |sum, (p, q)| sum + f(p, q))
        };
        Probability::from_both(sum(&positive), sum(&least))
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let alpha = epsilon.exp_enclosure();
        let mut sums = [Enclosure::ZERO; 4];
        for (p, q) in self.outcomes() {
            let threshold = alpha * q;
            let above = if p > threshold.upper() {
                Enclosure::ONE
            } else if p <= threshold.lower() {
                Enclosure::ZERO
            } else {
                Enclosure::UNIT_INTERVAL
            };
            for (sum, term) in
                sums.iter_mut().zip([above * p, above * q, (above.one_minus()) * p, above.one_minus() * q])
            {
                *sum = *sum + term;
            }
        }
        Tails { p: Probability::from_both(sums[0], sums[2]), q: Probability::from_both(sums[1], sums[3]) }
    }

    fn infinite_mass(&self) -> Probability {
        self.mass(|p, q| if q == 0.0 { p } else { 0.0 })
    }

    fn vanishing_mass(&self) -> Probability {
        self.mass(|p, q| if p == 0.0 { q } else { 0.0 })
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let ratios = self.finite_ratios();
        ratios[0].ln().enclosure()..=ratios[ratios.len() - 1].ln().enclosure()
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::default()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.swapped())
    }

    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        Some(Disc::new(self.moment(z), 1e-14))
    }
}

/// Two normal laws of variance 1, a distance μ apart.
#[derive(Clone, Debug)]
pub(crate) struct Gaussian {
    pub(crate) mu: f64,
    closed_form: ClosedForm,
}

impl Gaussian {
    pub(crate) fn new(mu: f64) -> Self {
        let law = LossLaw::Normal { mu_squared: Ball::from(mu) * Ball::from(mu) };
        Self { mu, closed_form: ClosedForm::compose([(law, 1)]).unwrap() }
    }

    pub(crate) fn profile(&self) -> &ClosedForm {
        &self.closed_form
    }
}

/// `Φ(−x)`.
fn upper_tail(x: Ball) -> Probability {
    let density = (x * x * Ball::from(-0.5)).exp_enclosure() / Enclosure::SQRT_TWO_PI;
    if x.approximate() < 0.0 {
        Probability::from_complement(density * mills_ratio(-x))
    } else {
        Probability::from_value(density * mills_ratio(x))
    }
}

impl DominatingPair for Gaussian {
    fn delta(&self, epsilon: Ball) -> Probability {
        ProfileCurve(&self.closed_form).hockey_stick(epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let (middle, half) = (epsilon / Ball::from(self.mu), Ball::from(0.5 * self.mu));
        Tails { p: upper_tail(middle - half), q: upper_tail(middle + half) }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::point(f64::NEG_INFINITY)..=Enclosure::point(f64::INFINITY)
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::default()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.clone())
    }

    /// `L ~ N(μ²/2, μ²)`.
    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        let value = ((z * z + z) * (0.5 * self.mu * self.mu)).exp();
        Some(Disc::new(value, 1e-14 * value.norm()))
    }
}

/// The trade-off function `Φ(Φ⁻¹(1 − x) − μ)`, good to a few units of roundoff.
pub(crate) struct GaussianTradeOff(pub(crate) f64);

impl GaussianTradeOff {
    pub(crate) fn exact(&self, x: f64) -> f64 {
        normal_cdf(-normal_quantile(x) - self.0)
    }
}

impl LossSupport for GaussianTradeOff {
    fn support(&self) -> Support {
        Support { infinite_mass: Probability::ZERO, vanishing_mass: Probability::ZERO, ..Support::UNKNOWN }
    }
}

impl TradeOff for GaussianTradeOff {
    fn trade_off(&self, x: f64) -> Probability {
        let value = self.exact(x);
        Probability::from_value(Enclosure::relative(value, 1e-14))
    }
}

/// Two Laplace laws of scale 1, a distance `d` apart: atoms at both ends of the loss and a density between.
pub(crate) struct LaplaceTails(pub(crate) f64);

impl LossSupport for LaplaceTails {
    fn support(&self) -> Support {
        Support {
            smallest: -self.0,
            largest: self.0,
            infinite_mass: Probability::ZERO,
            vanishing_mass: Probability::ZERO,
        }
    }
}

impl LossTails for LaplaceTails {
    fn loss_tails(&self, epsilon: Ball) -> Tails {
        let d = Ball::from(self.0);
        if (epsilon - d).enclosure().lower() >= 0.0 {
            return Tails { p: Probability::ZERO, q: Probability::ZERO };
        }
        if (epsilon + d).enclosure().upper() < 0.0 {
            return Tails { p: Probability::ZERO.opposite(), q: Probability::ZERO.opposite() };
        }
        // The loss is above ε where the outcome is below (d − ε)/2.
        let half = |x: Ball| (x * Ball::from(0.5)).exp_enclosure() / 2.0;
        Tails {
            p: Probability::from_complement(half(epsilon - d)),
            q: Probability::from_value(half(-(epsilon + d))),
        }
    }
}
