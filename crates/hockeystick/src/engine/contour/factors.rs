//! What a composition multiplies: one normal law for all that are normal, and the other pairs with their counts.

use crate::pair::{Line, LossLaw, LossRule, Plateau, RatioLaw, SharedPair, ShiftedPath};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, rounding::UNIT_ROUNDOFF, special::ln};
use num_complex::Complex;

/// `M = e^{μ² z(z+1)/2} · Π Mᵢ^{kᵢ}`.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    /// μ², the variance of the normal loss; 0 if there is none.
    pub(super) normal: f64,
    /// Its relative error.
    pub(super) normal_error: f64,
    /// The pairs whose loss is not normal.
    pub(super) others: Vec<Factor>,
}

/// A pair and how often it is used.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    laws: Vec<RatioLaw>,
    /// `k`.
    pub(super) count: f64,
    /// `P(L = ∞)`.
    pub(super) infinite: Enclosure,
    /// `Q(L = −∞)`.
    pub(super) vanishing: Enclosure,
}

impl Factors {
    pub(super) fn new(pairs: &[(SharedPair, u64)]) -> Self {
        let mut normal = Ball::ZERO;
        let mut others = Vec::with_capacity(pairs.len());
        for (pair, count) in pairs {
            match pair.loss_law() {
                Some(LossLaw::Normal { mu_squared }) => normal = normal + mu_squared * Ball::from(*count),
                Some(LossLaw::TwoPoint { .. } | LossLaw::Laplace { .. }) | None => others.push(Factor {
                    laws: pair.ratio_laws(),
                    count: *count as f64,
                    infinite: pair.infinite_mass().value(),
                    vanishing: pair.vanishing_mass().value(),
                }),
            }
        }
        let bounds = normal.enclosure();
        let middle = bounds.midpoint();
        let normal_error = if middle > 0.0 { bounds.width() / middle } else { 0.0 };
        Self { normal: middle, normal_error, others }
    }

    /// Up to where `M` exists right of 0.
    pub(super) fn strip_end(&self) -> f64 {
        let laws = self.others.iter().flat_map(|factor| &factor.laws);
        laws.map(|law| law.strip().1).fold(f64::INFINITY, f64::min)
    }
}

impl Factors {
    /// An upper bound of `log M(−1/2)`.
    pub(super) fn log_affinity(&self) -> f64 {
        let normal = -0.125 * self.normal * (1.0 - 2.0 * self.normal_error);
        let others = self.others.iter().map(|factor| factor.count * factor.log_affinity());
        // All terms are negative, so that every partial sum is rounded by less than u times the whole.
        let sum = normal + others.sum::<f64>();
        sum + 2.0 * UNIT_ROUNDOFF * (self.others.len() as f64 + 4.0) * sum.abs() + 1e-9
    }
}

impl Factor {
    /// An upper bound of `log M(−1/2)`, which is at most 0 (Hölder).
    fn log_affinity(&self) -> f64 {
        let middle = Complex::new(-0.5, 0.0);
        let sum: Option<f64> = self.laws.iter().map(|law| Some(law.mgf(middle)?.real().upper())).sum();
        sum.map_or(0.0, |moment| ln(moment.clamp(0.0, 1.0)) + 1e-15)
    }

    /// A rule for `M` on a line.
    pub(super) fn rule(&self, line: Line) -> Option<LossRule> {
        let mut rules = self.laws.iter().map(|law| law.rule(line));
        let first = rules.next()??;
        rules.try_fold(first, |sum, rule| Some(sum.and(rule?)))
    }

    /// `(L, log p)` for the search.
    pub(super) fn sketch(&self, reach: f64, log_trim: f64) -> Option<Vec<(f64, f64)>> {
        let mut nodes = Vec::new();
        for law in &self.laws {
            nodes.extend(law.sketch(reach, log_trim)?);
        }
        Some(nodes)
    }

    /// Uniform pieces below the density of the tilted loss.
    pub(super) fn plateaus(&self, tilt: f64, log_scale: f64) -> Vec<Plateau> {
        self.laws.iter().flat_map(|law| law.plateaus(tilt, log_scale)).collect()
    }

    /// A bound of `|M|` from a moved path.
    pub(super) fn shifted_path(&self, tilt: f64, turn: f64, log_scale: f64) -> Option<ShiftedPath> {
        let [law] = self.laws.as_slice() else { return None };
        law.shifted_path(tilt, turn, log_scale)
    }
}
