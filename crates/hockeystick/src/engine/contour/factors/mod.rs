//! The factors of `M`: one normal law for all normal losses, and the other pairs with their counts.
//!
//! In: pairs with their counts. Out: [`Factors`], whole or cut by the size of losses; every part of a cut composition is one again.
//!
//! # Guarantee
//! Parts of a cut composition add up to it but for what [`Factors::log_cut_off`] and [`Factors::log_beyond_ends`] bound. What is said to be
//! in plain floats serves searches only.

mod factor;

pub(crate) use factor::{CutPair, Factor};

use crate::pair::{Cut, LossLaw, Portion, SharedPair};
use hockeystick_numerics::{
    ball::Ball,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, log_erfc},
};

/// `M = e^{μ² z(z+1)/2} · Π Mᵢ^{kᵢ}`.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// μ², the variance of the normal loss; 0 if there is none.
    pub(crate) normal: f64,
    /// Its relative error.
    pub(crate) normal_error: f64,
    /// The pairs whose loss is not normal.
    pub(crate) others: Vec<Factor>,
    /// For a slice (outcomes with at least one loss above its cut): how each of these is cut.
    pub(crate) hits: Option<Vec<Option<CutPair>>>,
}

impl Factors {
    pub(crate) fn new(pairs: &[(SharedPair, u64)]) -> Self {
        let mut normal = Ball::ZERO;
        let mut others = Vec::with_capacity(pairs.len());
        for (pair, count) in pairs {
            match pair.loss_law() {
                Some(LossLaw::Normal { mu_squared }) => normal = normal + mu_squared * Ball::from(*count),
                Some(LossLaw::TwoPoint { .. } | LossLaw::Laplace { .. }) | None => {
                    others.push(Factor::whole(pair, *count));
                }
            }
        }
        let bounds = normal.enclosure();
        let middle = bounds.midpoint();
        // A variance that no double can hold is not 0.
        let normal_error = match bounds.width() {
            0.0 => 0.0,
            width if middle > 0.0 && width.is_finite() => width / middle,
            _ => f64::INFINITY,
        };
        Self { normal: middle, normal_error, others, hits: None }
    }

    /// Is the variance of the normal losses one that a double can hold? If not, nothing follows from it.
    pub(crate) fn are_known(&self) -> bool {
        self.normal_error.is_finite()
    }

    /// The composition without the outcomes that have a loss above a cut. At most `e^{log_mass}` such losses are expected.
    ///
    /// `relative_spread` is the spread of a cut relative to the length on which the ratio grows by a factor e. It is the same for all cuts.
    /// `None` if no pair can be cut, or if no loss is so large.
    pub(crate) fn without_rare(&self, log_mass: f64, relative_spread: f64) -> Option<Self> {
        let mut loss = self.loss_of_mass(log_mass)?;
        for _ in 0..ATTEMPTS {
            let cuts: Vec<Option<Cut>> =
                self.others.iter().map(|factor| factor.cut(loss, relative_spread)).collect();
            if cuts.iter().all(Option::is_none) {
                return None;
            }
            let below = self.others.iter().zip(cuts).map(|(factor, cut)| match cut {
                Some(cut) => factor.with_portion(Portion::Below(cut)),
                None => factor.clone(),
            });
            let bulk = Self { others: below.collect(), ..self.clone() };
            let log_left = bulk.log_outside();
            if log_left <= log_mass {
                return Some(bulk);
            }
            // A smooth cut leaves more than a sharp one; the tail falls at least as fast as an exponential function.
            loss *= 1.0 + (1.0 + log_left - log_mass) / log_mass.abs().max(1.0);
        }
        None
    }

    /// `log` of the expected number of losses cut off; in plain floats.
    fn log_outside(&self) -> f64 {
        ln(self.others.iter().map(|factor| factor.count * factor.outside).sum::<f64>())
    }

    /// `log` of a bound of the mass of all outcomes cut off, which have at least one loss above its cut.
    ///
    /// # Guarantee
    /// At most `Σ k P(above)`. Beyond the end of a cut, the weight that a smooth one would leave is below 10⁻²⁰ of what is there.
    pub(crate) fn log_cut_off(&self) -> Option<f64> {
        let mut sum = 0.0;
        for factor in &self.others {
            if let Portion::Below(cut) = factor.portion {
                let [law] = factor.laws.as_slice() else { return None };
                sum += factor.count * law.mass_above(cut)? * (1.0 + 1e-9);
            }
        }
        Some(ln(sum + f64::MIN_POSITIVE) + 1e-9)
    }

    /// `log` of a bound of the mass lost because smooth cuts stop at their ends.
    ///
    /// # Guarantee
    /// At most `Σ k w(end) P(x > end)`, and `P(x > end) ≤ 2 P(above)`, for `1 − w ≥ 1/2` there.
    pub(crate) fn log_beyond_ends(&self) -> Option<f64> {
        let place = |factor: &Factor| match factor.portion {
            Portion::Below(cut) => (cut.end - cut.at) / cut.spread,
            Portion::Whole | Portion::Above(_) | Portion::Between(..) => f64::INFINITY,
        };
        let least = self.others.iter().map(place).fold(f64::INFINITY, f64::min);
        Some(self.log_cut_off()? + log_erfc(least * (1.0 - 1e-12)) + 1e-9)
    }

    /// Is there a pair that [`split`](Self::split) would cut?
    pub(crate) fn can_be_split(&self, loss: f64, log_mass: f64, relative_spread: f64) -> bool {
        self.others.iter().any(|factor| factor.lower_cut(loss, log_mass, relative_spread).is_some())
    }

    /// Cuts a composition again, at a smaller loss. Returns the part below the new cut, and the slice of outcomes with a loss between both.
    ///
    /// They add up to it, but for the weight of the smooth cut beyond its end: less than `e^{log_mass}`.
    pub(crate) fn split(&self, loss: f64, log_mass: f64, relative_spread: f64) -> Option<(Self, Self)> {
        let parts: Vec<Option<(Factor, CutPair)>> =
            self.others.iter().map(|factor| factor.split(loss, log_mass, relative_spread)).collect();
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let below = self.others.iter().zip(&parts).map(|(factor, part)| match part {
            Some((below, _)) => below.clone(),
            None => factor.clone(),
        });
        let bulk = Self { others: below.collect(), ..self.clone() };
        let slices = parts.into_iter().map(|part| part.map(|(_, slice)| slice));
        Some((bulk, Self { hits: Some(slices.collect()), ..self.clone() }))
    }

    /// How much larger than at a cut losses are at its end; in plain floats.
    pub(crate) fn gain(&self, loss: f64, relative_spread: f64) -> f64 {
        self.others.iter().filter_map(|factor| factor.gain(loss, relative_spread)).fold(0.0, f64::max)
    }

    /// How sharp a cut has to be for losses at its end to be no larger than that.
    pub(crate) fn relative_spread_for(&self, loss: f64, gain: f64) -> f64 {
        self.others
            .iter()
            .filter_map(|factor| factor.relative_spread_for(loss, gain))
            .fold(f64::INFINITY, f64::min)
    }

    /// So many times the composition.
    pub(crate) fn times(&self, many: f64) -> Self {
        let others = self.others.iter().map(|factor| Factor { count: factor.count * many, ..factor.clone() });
        Self { normal: self.normal * many, others: others.collect(), ..self.clone() }
    }

    /// What of the composition cannot be cut.
    pub(crate) fn without_cut(&self) -> Self {
        let others = self.others.iter().filter(|factor| !factor.can_be_cut()).cloned().collect();
        Self { others, hits: None, ..self.clone() }
    }

    /// Up to where `M` exists right of 0, and laws say something of it.
    pub(crate) fn strip_end(&self) -> f64 {
        let laws = self.others.iter().flat_map(|factor| &factor.laws);
        laws.map(|law| law.strip().1.min(law.largest_listed())).fold(f64::INFINITY, f64::min)
    }
}

impl Factors {
    /// An upper bound of `log M(−1/2)`.
    pub(crate) fn log_affinity(&self) -> f64 {
        let normal = -0.125 * self.normal * (1.0 - 2.0 * self.normal_error);
        let others = self.others.iter().map(|factor| factor.count * factor.log_affinity());
        // All terms are negative, so that every partial sum is rounded by less than u times the whole.
        let sum = normal + others.sum::<f64>();
        sum + 2.0 * UNIT_ROUNDOFF * (self.others.len() as f64 + 4.0) * sum.abs() + 1e-9
    }
}

impl Factors {
    /// `(L, log kp)` of all pairs that can be cut, in plain floats.
    fn single_losses(&self) -> Option<Vec<(f64, f64)>> {
        let mut nodes = Vec::new();
        for factor in &self.others {
            let log_count = ln(factor.count);
            nodes.extend(
                factor
                    .sketch(1.0, LOG_LEAST_MASS)?
                    .into_iter()
                    .map(|(loss, log_p)| (loss, log_p + log_count)),
            );
        }
        nodes.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(nodes)
    }

    /// The loss above which there are about `e^{log_mass}` losses on average.
    pub(crate) fn loss_of_mass(&self, log_mass: f64) -> Option<f64> {
        let mut sum = 0.0;
        let nodes = self.single_losses()?;
        let above = nodes.iter().find(|(_, log_p)| {
            sum += exp(log_p - log_mass);
            sum > 1.0
        })?;
        (above.0 > 0.0).then_some(above.0)
    }

    /// `log g(ε)`, if it took a single loss to exceed ε; in plain floats.
    pub(crate) fn log_single(&self, epsilon: f64) -> f64 {
        self.single_losses().map_or(f64::NEG_INFINITY, |nodes| log_single(&nodes, epsilon))
    }
}

/// How often a cut is moved.
const ATTEMPTS: usize = 16;
/// `log` of the smallest mass of a single loss that is listed.
const LOG_LEAST_MASS: f64 = -800.0;

fn log_single(nodes: &[(f64, f64)], epsilon: f64) -> f64 {
    let above = || nodes.iter().take_while(|(loss, _)| *loss > epsilon);
    let highest = above().map(|(_, log_p)| *log_p).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = above().map(|(loss, log_p)| exp(log_p - highest) * -expm1(epsilon - loss)).sum();
    highest + ln(sum)
}
