//! The moments of a pair.

use super::LogMoment;
use crate::pair::{DominatingPair, LossLaw, RatioLaw, SharedPair, Slack};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::check,
    special::{exp, expm1, ln, ln_1p},
};
use num_complex::Complex;

/// `K(λ)` of a pair: a closed form where the loss has one, otherwise the logarithm of the certified integral.
#[derive(Clone, Debug)]
pub struct PairMoments {
    pair: SharedPair,
    /// Of pairs above and below, if it has them.
    between: Option<Box<(PairMoments, PairMoments, Slack)>>,
}

impl PairMoments {
    /// Of this pair.
    pub fn new(pair: SharedPair) -> Self {
        let between = pair.bounds().map(|bounds| {
            let of = |pair: &SharedPair| Self::new(SharedPair::clone(pair));
            Box::new((of(&bounds.above), of(&bounds.below), bounds.slack))
        });
        Self { pair, between }
    }

    /// The pair.
    pub fn pair(&self) -> &dyn DominatingPair {
        self.pair.as_ref()
    }
}

impl LogMoment for PairMoments {
    fn log_moment(&self, lambda: f64) -> Enclosure {
        check();
        if let Some(between) = &self.between {
            let (above, below, slack) = between.as_ref();
            // Moments of order above 0 grow with the order of pairs, those between −1 and 0 fall. Next to the slack as an infinite mass, that above bounds δ.
            return match *slack == Slack::NONE {
                true => above.log_moment(lambda).hull(below.log_moment(lambda)),
                false if lambda < 0.0 => Enclosure::new(f64::NEG_INFINITY, 0.0),
                false => Enclosure::ZERO.hull(above.log_moment(lambda)),
            };
        }
        if let Some(known) = self.pair.log_moment(lambda) {
            return known;
        }
        match self.pair.loss_law() {
            Some(LossLaw::Normal { mu_squared }) => normal(mu_squared, lambda).enclosure(),
            Some(LossLaw::TwoPoint { xi, at_infinity }) => {
                (two_point(xi, lambda) + Ball::from(-at_infinity).ln_1p()).enclosure()
            }
            Some(LossLaw::Laplace { distance }) => laplace(distance, lambda).enclosure(),
            None => match self.pair.mgf(Complex::new(lambda, 0.0)) {
                Some(moment) if moment.radius().is_finite() => moment.real().clamp(0.0, f64::INFINITY).ln(),
                // Larger than every double, perhaps.
                Some(_) if lambda > 0.0 => log_of_sum(&self.pair.ratio_laws(), lambda),
                // M(λ) ≤ 1 between −1 and 0, by Hölder.
                Some(_) | None if (-1.0..=0.0).contains(&lambda) => Enclosure::new(f64::NEG_INFINITY, 0.0),
                Some(_) | None => Enclosure::ENTIRE,
            },
        }
    }

    fn kullback_leibler(&self) -> Enclosure {
        let infinite = self.pair.infinite_mass().value();
        if infinite.lower() > 0.0 {
            return Enclosure::point(f64::INFINITY);
        }
        if let Some(between) = &self.between
            && infinite.upper() == 0.0
        {
            let (above, below, slack) = between.as_ref();
            let least = if *slack == Slack::NONE { below.kullback_leibler() } else { Enclosure::ZERO };
            return above.kullback_leibler().hull(least);
        }
        match self.pair.loss_law() {
            Some(LossLaw::Normal { mu_squared }) => (mu_squared * Ball::from(0.5)).enclosure(),
            _ if infinite.upper() > 0.0 => Enclosure::new(0.0, f64::INFINITY),
            _ => (self.pair.moments())
                .map_or(Enclosure::new(0.0, f64::INFINITY), |moments| moments.mean.clamp(0.0, f64::INFINITY)),
        }
    }

    fn log_finite_mass(&self) -> Enclosure {
        match self.pair.loss_law() {
            Some(LossLaw::TwoPoint { at_infinity, .. }) => Ball::from(-at_infinity).ln_1p().enclosure(),
            _ => self.pair.infinite_mass().complement().ln(),
        }
    }

    fn largest_order(&self) -> f64 {
        if let Some(between) = &self.between {
            return between.0.largest_order();
        }
        let largest_loss = self.largest_loss();
        let has_panels = |law: &RatioLaw| !law.panels.is_empty();
        let takes_integrals = self.pair.loss_law().is_none() && self.pair.ratio_laws().iter().any(has_panels);
        let sensible = if largest_loss.is_finite() && takes_integrals {
            LARGEST_EXPONENT / largest_loss
        } else {
            f64::INFINITY
        };
        self.pair.strip().1.min(sensible)
    }

    fn largest_loss(&self) -> f64 {
        self.pair.finite_losses().end().upper()
    }

    fn is_symmetric(&self) -> bool {
        self.pair.is_self_dual()
    }

    fn notes(&self) -> Vec<String> {
        self.pair.notes()
    }

    fn near(&self, lambda: f64) -> Box<dyn Fn(f64) -> f64 + '_> {
        if let Some(between) = &self.between {
            return between.0.near(lambda);
        }
        match self.pair.loss_law() {
            Some(LossLaw::Normal { mu_squared }) => {
                let variance = mu_squared.approximate();
                Box::new(move |lambda| 0.5 * variance * lambda * (lambda + 1.0))
            }
            Some(LossLaw::TwoPoint { xi, at_infinity }) => {
                let (xi, finite) = (xi.approximate(), ln_1p(-at_infinity));
                Box::new(move |lambda| rough_two_point(xi, lambda) + finite)
            }
            Some(LossLaw::Laplace { distance }) => {
                let distance = distance.approximate();
                Box::new(move |lambda| rough_laplace(distance, lambda))
            }
            None if self.pair.log_moment(lambda).is_some() => {
                Box::new(|lambda| self.pair.log_moment(lambda).map_or(f64::NAN, Enclosure::midpoint))
            }
            None => {
                let laws: Vec<_> = self.pair.ratio_laws().iter().map(|law| law.rough(lambda)).collect();
                Box::new(move |lambda| {
                    log_sum_exp(&laws.iter().map(|law| law.log_moment(lambda)).collect::<Vec<_>>())
                })
            }
        }
    }
}

/// `log Σ M(λ)` of laws whose moments add up to those of a pair, where the sum may be larger than every double.
fn log_of_sum(laws: &[RatioLaw], lambda: f64) -> Enclosure {
    let Some(logs) = laws.iter().map(|law| law.log_moment(lambda)).collect::<Option<Vec<_>>>() else {
        return Enclosure::ENTIRE;
    };
    let largest = logs.iter().map(|log| log.upper()).fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return Enclosure::ENTIRE;
    }
    let sum = logs.iter().fold(Enclosure::ZERO, |sum, &log| sum + (log - largest).exp());
    sum.ln() + largest
}

/// The same, about. A law without outcomes adds nothing.
fn log_sum_exp(logs: &[f64]) -> f64 {
    let known = || logs.iter().copied().filter(|log| !log.is_nan());
    let largest = known().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return f64::NAN;
    }
    largest + ln(known().map(|log| exp(log - largest)).sum())
}

/// `λL` of the largest loss at the largest order that is integrated: the largest loss itself says as much to six digits.
const LARGEST_EXPONENT: f64 = 1e6;

/// All three laws are self-dual, so `K(λ) = K(−1 − λ)`: the one of the two that is at least −½, where nothing cancels.
fn folded(lambda: f64) -> Ball {
    let lambda = Ball::from(lambda);
    if lambda.approximate() < -0.5 { -Ball::ONE - lambda } else { lambda }
}

/// `μ²λ(λ + 1)/2` ([Asoodeh21, eq. (28)]).
fn normal(mu_squared: Ball, lambda: f64) -> Ball {
    let lambda = Ball::from(lambda);
    mu_squared * lambda * (lambda + Ball::ONE) * Ball::from(0.5)
}

/// `log (e^{ξ(1+λ)} + e^{−ξλ})/(1 + e^ξ) = ξλ + log(1 + e^{−ξ(1+2λ)}) − log(1 + e^{−ξ})`, for what is finite.
fn two_point(xi: Ball, lambda: f64) -> Ball {
    let lambda = folded(lambda);
    let twice = lambda + lambda + Ball::ONE;
    xi * lambda + (-(xi * twice)).exp().ln_1p() - (-xi).exp().ln_1p()
}

fn rough_two_point(xi: f64, lambda: f64) -> f64 {
    // For small ξ the terms cancel; ξ²λ(λ+1)/2 is what is left.
    if xi * (1.0 + lambda.abs()) < 1e-4 {
        return 0.5 * xi * xi * lambda * (lambda + 1.0);
    }
    xi * lambda + ln_1p(exp(-xi * (1.0 + 2.0 * lambda))) - ln_1p(exp(-xi))
}

/// `log ((1 + λ)e^{λd} + λe^{−(1+λ)d})/(1 + 2λ) = λd + log(1 + λ(e^{−(1+2λ)d} − 1)/(1 + 2λ))`.
fn laplace(distance: Ball, lambda: f64) -> Ball {
    let lambda = folded(lambda);
    let twice = lambda + lambda + Ball::ONE;
    let quotient = if twice == Ball::ZERO { -distance } else { (-(distance * twice)).exp_m1() / twice };
    lambda * distance + (lambda * quotient).ln_1p()
}

fn rough_laplace(distance: f64, lambda: f64) -> f64 {
    if distance * (1.0 + lambda.abs()) < 1e-4 {
        return 0.5 * distance * distance * lambda * (lambda + 1.0);
    }
    let twice = 1.0 + 2.0 * lambda;
    lambda.mul_add(distance, ln_1p(lambda * expm1(-twice * distance) / twice))
}
