//! What a composition multiplies: one normal law for all that are normal, and the other pairs with their counts.

use crate::pair::{LossLaw, SharedPair};
use hockeystick_numerics::ball::Ball;

/// `M = e^{μ² z(z+1)/2} · Π Mᵢ^{kᵢ}`.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    /// μ², the variance of the normal loss; 0 if there is none.
    pub(super) normal: f64,
    /// Its relative error.
    pub(super) normal_error: f64,
    /// The pairs whose loss is not normal.
    pub(super) pairs: Vec<(SharedPair, u64)>,
}

impl Factors {
    pub(super) fn new(pairs: Vec<(SharedPair, u64)>) -> Self {
        let mut normal = Ball::ZERO;
        let mut others = Vec::with_capacity(pairs.len());
        for (pair, count) in pairs {
            match pair.loss_law() {
                Some(LossLaw::Normal { mu_squared }) => normal = normal + mu_squared * Ball::from(count),
                Some(LossLaw::TwoPoint { .. } | LossLaw::Laplace { .. }) | None => others.push((pair, count)),
            }
        }
        let bounds = normal.enclosure();
        let middle = bounds.midpoint();
        let normal_error = if middle > 0.0 { bounds.width() / middle } else { 0.0 };
        Self { normal: middle, normal_error, pairs: others }
    }

    /// Up to where `M` exists right of 0.
    pub(super) fn strip_end(&self) -> f64 {
        self.pairs.iter().map(|(pair, _)| pair.ratio_law().strip().1).fold(f64::INFINITY, f64::min)
    }
}
