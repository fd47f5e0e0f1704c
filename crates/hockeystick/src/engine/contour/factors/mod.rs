//! The factors of `M`: one normal law for all normal losses, and the other pairs with their counts.
//!
//! In: pairs with their counts. Out: [`Factors`], whole or cut by the size of losses; every part of a cut composition is one again.
//!
//! # Guarantee
//! Parts of a cut composition add up to it but for what [`Factors::log_cut_off`] and [`Factors::log_beyond_ends`] bound. What is said to be
//! in plain floats serves searches only.

mod combs;
mod factor;

pub(crate) use combs::{Combs, FartherUp};
pub(crate) use factor::{CutPair, Factor};

use crate::{
    pair::{LossLaw, Portion, SharedPair},
    two_threads::mapped,
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, log_erfc},
};

/// `M = e^{μ² z(z+1)/2} · Π Mᵢ^{kᵢ}`.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// μ², the variance of the normal loss; 0 if there is none. Up to a height that of normal losses on equally spaced values is part of it.
    pub(crate) normal: f64,
    /// Its relative error.
    pub(crate) normal_error: f64,
    /// The same without those on equally spaced values.
    pub(crate) steady: f64,
    /// Normal losses on equally spaced values.
    pub(crate) combs: Combs,
    /// The pairs whose loss is not normal.
    pub(crate) others: Vec<Factor>,
    /// For a slice (outcomes with at least one loss above its cut): how each of these is cut.
    pub(crate) hits: Option<Vec<Option<CutPair>>>,
    /// A few pairs that stand for all of these in searches, if there are very many.
    likeness: Option<Box<Likeness>>,
}

/// From so many pairs on a few stand for all in searches, and laws are not kept.
pub(crate) const MANY: usize = 96;

/// A few pairs in place of very many, and what has to be known of all.
#[derive(Clone, Debug)]
struct Likeness {
    few: Factors,
    /// Up to where `M` of all exists right of 0.
    strip_end: f64,
}

impl Likeness {
    fn of(few: Factors, strip_end: f64) -> Box<Self> {
        Box::new(Self { few, strip_end })
    }

    /// The same with others that stand for what became of all.
    fn of_few(&self, few: Factors) -> Box<Self> {
        Self::of(few, self.strip_end)
    }
}

impl Factors {
    /// Of normal losses with this variance.
    pub(crate) fn of_normal(normal: f64, normal_error: f64) -> Self {
        let (others, combs) = (Vec::new(), Combs::none());
        Self { normal, normal_error, steady: normal, combs, others, hits: None, likeness: None }
    }

    /// The same with every pair in searches, however many there are.
    #[cfg(test)]
    pub(crate) fn one_by_one(&self) -> Self {
        let others = self.others.iter().cloned().map(Factor::listed).collect();
        Self { others, hits: self.hits.clone(), ..self.clone_without_parts() }
    }

    /// How a pair is cut, if only outcomes with a loss above a cut are meant.
    pub(crate) fn slice(&self, index: usize) -> Option<&CutPair> {
        self.hits.as_ref().and_then(|hits| hits[index].as_ref())
    }

    /// With a few pairs that stand for all of these in searches, and up to where `M` of all exists right of 0.
    pub(crate) fn searched_by(self, few: Self, strip_end: f64) -> Self {
        Self { likeness: Some(Likeness::of(few, strip_end)), ..self }
    }

    /// The same normal laws beside other pairs.
    pub(crate) fn with_others(&self, others: Vec<Factor>) -> Self {
        Self { others, ..self.clone_without_parts() }
    }

    /// What searches look at: all pairs, or a few that stand for them.
    pub(crate) fn for_search(&self) -> &Self {
        self.likeness.as_ref().map_or(self, |likeness| &likeness.few)
    }

    /// Do a few pairs stand for all in searches?
    pub(crate) fn are_many(&self) -> bool {
        self.likeness.is_some()
    }

    pub(crate) fn new(pairs: &[(SharedPair, u64)]) -> Self {
        let (mut normal, mut on_combs) = (Ball::ZERO, 0.0);
        let mut others = Vec::with_capacity(pairs.len());
        let mut combs = Vec::new();
        for (pair, count) in pairs {
            match (pair.loss_law(), pair.lattice_normal()) {
                (Some(LossLaw::Normal { mu_squared }), _) => {
                    normal = normal + mu_squared * Ball::from(*count);
                }
                (_, Some(law)) => {
                    combs.push((law, pair, *count));
                    on_combs += law.mu_squared * *count as f64;
                }
                (Some(LossLaw::TwoPoint { .. } | LossLaw::Laplace { .. }) | None, None) => {
                    others.push(Factor::unlisted(pair, *count));
                }
            }
        }
        let steady = normal.approximate();
        // Where they leave the normal law before all of it has fallen, they are taken as they are.
        let (combs, loose): (Vec<_>, Vec<_>) =
            combs.into_iter().partition(|(law, _, _)| Combs::is_one(law, steady + on_combs));
        others.extend(loose.into_iter().map(|(_, pair, count)| Factor::unlisted(pair, count)));
        for (law, _, count) in &combs {
            let (square, off) = (law.mu_squared, law.mu_squared * law.relative_error);
            normal = normal + Ball::from(Enclosure::new(square - off, square + off)) * Ball::from(*count);
        }
        let combs = Combs::of(combs.into_iter().map(|(law, _, count)| (law, count as f64)).collect());
        let bounds = normal.enclosure();
        let middle = bounds.midpoint();
        // A variance that no double can hold is not 0.
        let normal_error = match bounds.width() {
            0.0 => 0.0,
            width if middle > 0.0 && width.is_finite() => width / middle,
            _ => f64::INFINITY,
        };
        if others.len() < MANY {
            others = others.into_iter().map(Factor::listed).collect();
        }
        Self { steady, combs, others, ..Self::of_normal(middle, normal_error) }
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
            let searched = self.for_search().below(loss, relative_spread)?;
            let log_left = searched.log_outside();
            if log_left <= log_mass {
                return if self.are_many() { self.below(loss, relative_spread) } else { Some(searched) };
            }
            // A smooth cut leaves more than a sharp one; the tail falls at least as fast as an exponential function.
            loss *= 1.0 + (1.0 + log_left - log_mass) / log_mass.abs().max(1.0);
        }
        None
    }

    /// What is below a cut of all pairs that can be cut; `None` if there is none.
    fn below(&self, loss: f64, relative_spread: f64) -> Option<Self> {
        let below = |factor: &Factor| {
            factor.cut(loss, relative_spread).map(|cut| factor.with_portion(Portion::Below(cut)))
        };
        let cut = mapped(&self.others, MANY_CUTS, below);
        if cut.iter().all(Option::is_none) {
            return None;
        }
        let others = self.others.iter().zip(cut).map(|(whole, below)| below.unwrap_or_else(|| whole.clone()));
        let likeness = match &self.likeness {
            Some(likeness) => Some(likeness.of_few(likeness.few.below(loss, relative_spread)?)),
            None => None,
        };
        Some(Self { others: others.collect(), likeness, ..self.clone_without_parts() })
    }

    /// The normal law alone.
    fn clone_without_parts(&self) -> Self {
        let (steady, combs) = (self.steady, self.combs.clone());
        Self { steady, combs, ..Self::of_normal(self.normal, self.normal_error) }
    }

    /// The variance of losses that are normal at every height, or a little less.
    pub(crate) fn least_steady(&self) -> f64 {
        self.steady * (1.0 - 2.0 * self.normal_error - 4.0 * UNIT_ROUNDOFF)
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
            sum += factor.count * factor.mass_cut_off()? * (1.0 + 1e-9);
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
        self.for_search()
            .others
            .iter()
            .any(|factor| factor.lower_cut(loss, log_mass, relative_spread).is_some())
    }

    /// Cuts a composition again, at a smaller loss. Returns the part below the new cut, and the slice of outcomes with a loss between both.
    ///
    /// They add up to it, but for the weight of the smooth cut beyond its end: less than `e^{log_mass}`.
    pub(crate) fn split(&self, loss: f64, log_mass: f64, relative_spread: f64) -> Option<(Self, Self)> {
        let cut = |factor: &Factor| factor.split(loss, log_mass, relative_spread);
        let parts: Vec<Option<(Factor, CutPair)>> = mapped(&self.others, MANY_CUTS, cut);
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let below = self.others.iter().zip(&parts).map(|(factor, part)| match part {
            Some((below, _)) => below.clone(),
            None => factor.clone(),
        });
        let mut bulk = Self { others: below.collect(), ..self.clone_without_parts() };
        let slices = parts.into_iter().map(|part| part.map(|(_, slice)| slice));
        let mut slice =
            Self { others: self.others.clone(), hits: Some(slices.collect()), ..self.clone_without_parts() };
        if let Some(likeness) = &self.likeness {
            let (low, high) = likeness.few.split(loss, log_mass, relative_spread)?;
            (bulk.likeness, slice.likeness) = (Some(likeness.of_few(low)), Some(likeness.of_few(high)));
        }
        Some((bulk, slice))
    }

    /// How much larger than at a cut losses are at its end; in plain floats.
    pub(crate) fn gain(&self, loss: f64, relative_spread: f64) -> f64 {
        self.for_search()
            .others
            .iter()
            .filter_map(|factor| factor.gain(loss, relative_spread))
            .fold(0.0, f64::max)
    }

    /// How sharp a cut has to be for losses at its end to be no larger than that.
    pub(crate) fn relative_spread_for(&self, loss: f64, gain: f64) -> f64 {
        self.for_search()
            .others
            .iter()
            .filter_map(|factor| factor.relative_spread_for(loss, gain))
            .fold(f64::INFINITY, f64::min)
    }

    /// So many times the composition.
    pub(crate) fn times(&self, many: f64) -> Self {
        let others = self.others.iter().map(|factor| factor.clone().used(factor.count * many)).collect();
        let likeness = self.likeness.as_ref().map(|likeness| likeness.of_few(likeness.few.times(many)));
        Self {
            normal: self.normal * many,
            steady: self.steady * many,
            combs: self.combs.times(many),
            others,
            likeness,
            ..self.clone_without_parts()
        }
    }

    /// What of the composition cannot be cut.
    pub(crate) fn without_cut(&self) -> Self {
        let others = self.others.iter().filter(|factor| !factor.can_be_cut()).cloned().collect();
        Self { others, ..self.clone_without_parts() }
    }

    /// Up to where `M` exists right of 0, and laws say something of it.
    pub(crate) fn strip_end(&self) -> f64 {
        match &self.likeness {
            Some(likeness) => likeness.strip_end,
            None => self.others.iter().map(Factor::strip_end).fold(f64::INFINITY, f64::min),
        }
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
        for factor in &self.for_search().others {
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

/// From so many pairs on they are cut by two threads.
const MANY_CUTS: usize = 256;
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
