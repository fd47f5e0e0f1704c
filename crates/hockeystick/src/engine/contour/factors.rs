//! What a composition multiplies: one normal law for all that are normal, and the other pairs with their counts.

use super::hits::log_sum;
use crate::engine::Goal;
use crate::pair::{
    AboveCell, AbovePart, CalmPart, Cut, Line, LossAt, LossLaw, LossRule, Places, Plateau, Portion, RatioLaw,
    RiseLaw, SharedPair, ShiftedPath, WideNodes,
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p, log_erfc},
    wide_excess::LawPieces,
};
use num_complex::Complex;
use std::f64::consts::LN_2;

/// `M = e^{μ² z(z+1)/2} · Π Mᵢ^{kᵢ}`.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    /// μ², the variance of the normal loss; 0 if there is none.
    pub(super) normal: f64,
    /// Its relative error.
    pub(super) normal_error: f64,
    /// The pairs whose loss is not normal.
    pub(super) others: Vec<Factor>,
    /// How each of these is cut, if only those outcomes are meant of which at least one part is above its cut.
    pub(super) hits: Option<Vec<Option<Slice>>>,
}

/// A pair cut in two: what is below a cut and what is above add up to it.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) below: Factor,
    pub(super) above: Factor,
}

/// Losses of all pairs, with their counts, in plain floats.
pub(super) struct LowerTail {
    parts: Vec<(f64, Vec<(f64, f64)>)>,
}

/// Less than this, as a logarithm, is not among them.
const LEAST_SKETCHED: f64 = -40.0;

impl LowerTail {
    /// `log M(−θ)`.
    pub(super) fn log_moment(&self, order: f64) -> f64 {
        let one = |nodes: &[(f64, f64)]| -> f64 {
            nodes
                .iter()
                .map(|(loss, log_p)| exp(*log_p) * (expm1(-order * loss) - order * expm1(-loss)))
                .sum::<f64>()
        };
        self.parts.iter().map(|(count, nodes)| count * ln_1p(one(nodes))).sum()
    }
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
    /// Which part of the laws is meant.
    portion: Portion,
    /// What of P is outside of it, roughly.
    pub(super) outside: f64,
}

/// Where the nodes of a rule are, what it is for, and what it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideRule {
    pub(super) places: Places,
    portion: Portion,
    pub(super) error: f64,
    /// What it leaves of P and Q as they are, if that is known.
    pub(super) of_laws: Option<[f64; 2]>,
}

/// The spread of a cut, as a part of the deviation of the outcomes, at most.
const PARTS_OF_DEVIATION: f64 = 0.35;
/// By how many powers of e what is calm is closer to its largest loss where it is taken by itself, and where that ends, in spreads.
const CALMER: f64 = 1.5;
const CALM_END: f64 = 8.0;
/// Of more uses together than this the largest loss is far; of more than these not all are next to their own.
pub(super) const MOST_CALM: f64 = 5000.0;
const FEW_CALM: f64 = 300.0;
/// Outcomes that are not farther from the middle, in deviations, are not next to it either.
const LEAST_CALM: f64 = 1.0;
/// How far two cuts are apart at least, in spreads.
const LEAST_APART: f64 = 3.0;
/// Cuts that are tried to leave no more than what is allowed.
const ATTEMPTS: usize = 16;
/// By what part of itself a cut is moved for every logarithm too much that it leaves, and for how many at most.
const FARTHER: f64 = 0.04;
const MUCH_FARTHER: f64 = 10.0;
/// Where a cut law ends, in spreads beyond the cut: `erfc` is below 10⁻⁴⁴ there.
const END: f64 = 10.0;

/// All losses together take little away if they take less than this; and less than this part of what one use has is not next to what many have.
pub(super) const LITTLE: f64 = 0.3;
const PART_OF_ONE_USE: f64 = 0.5;

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
                    portion: Portion::Whole,
                    outside: 0.0,
                }),
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
    pub(super) fn are_known(&self) -> bool {
        self.normal_error.is_finite()
    }

    /// The composition without outcomes that hold a loss above a cut, which are expected to be fewer than `e^{log_mass}` on average.
    ///
    /// The sharpness is the spread of the cut, as a part of the length on which the ratio grows by e; all cuts of a composition
    /// have the same. `None` if no pair can be cut, or there is none so large.
    pub(super) fn without_rare(&self, log_mass: f64, sharpness: f64) -> Option<Self> {
        let mut loss = self.loss_of_mass(log_mass)?;
        for _ in 0..ATTEMPTS {
            let cuts: Vec<Option<Cut>> =
                self.others.iter().map(|factor| factor.cut(loss, sharpness)).collect();
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
            // A smooth cut leaves more than a sharp one.
            loss *= 1.0 + FARTHER * (1.0 + log_left - log_mass).min(MUCH_FARTHER);
        }
        None
    }

    /// `log` of how many losses are outside of what is meant, on average; in plain floats.
    fn log_outside(&self) -> f64 {
        ln(self.others.iter().map(|factor| factor.count * factor.outside).sum::<f64>())
    }

    /// A bound of the mass of all outcomes that are not meant, because one of their losses is above its cut: a loss of a tilt of 0.
    ///
    /// # Guarantee
    /// At most `Σ k P(above)`. Beyond the end of a cut, the weight that a smooth one would leave is below 10⁻²⁰ of what is there.
    pub(super) fn log_cut_off(&self) -> Option<f64> {
        let mut sum = 0.0;
        for factor in &self.others {
            if let Portion::Below(cut) = factor.portion {
                let [law] = factor.laws.as_slice() else { return None };
                sum += factor.count * law.mass_above(cut)? * (1.0 + 1e-9);
            }
        }
        Some(ln(sum + f64::MIN_POSITIVE) + 1e-9)
    }

    /// A bound of the mass of all outcomes of which a loss is beyond the end of its cut, weighted as if there were no end.
    ///
    /// # Guarantee
    /// At most `Σ k w(end) P(x > end)`, and `P(x > end) ≤ 2 P(above)`, for `1 − w ≥ 1/2` there.
    pub(super) fn log_beyond_ends(&self) -> Option<f64> {
        let place = |factor: &Factor| match factor.portion {
            Portion::Below(cut) => (cut.end - cut.at) / cut.spread,
            Portion::Whole | Portion::Above(_) | Portion::Between(..) => f64::INFINITY,
        };
        let least = self.others.iter().map(place).fold(f64::INFINITY, f64::min);
        Some(self.log_cut_off()? + log_erfc(least * (1.0 - 1e-12)) + 1e-9)
    }

    /// The composition without outcomes that hold a loss above a cut, if all pairs can be cut and are known to thirty digits.
    pub(super) fn below_cut(&self, loss: f64, sharpness: f64) -> Option<Self> {
        let can_be = self.is_wide() && self.hits.is_none();
        let below = |factor: &Factor| {
            let is_whole = factor.portion == Portion::Whole && factor.calm_law().is_some();
            let cut = factor.cut(loss, sharpness).filter(|_| is_whole)?;
            Some(factor.with_portion(Portion::Below(cut)))
        };
        let others = self.others.iter().map(below).collect::<Option<_>>().filter(|_| can_be)?;
        Some(Self { others, ..self.clone() })
    }

    /// The law of a single pair in terms of how far losses are above the smallest, and how often it is used.
    pub(super) fn rises(&self) -> Option<(RiseLaw, f64)> {
        let [factor] = self.others.as_slice() else { return None };
        let is_single = self.normal == 0.0 && self.hits.is_none() && factor.portion == Portion::Whole;
        Some((factor.calm_law().filter(|_| is_single)?.rises()?, factor.count))
    }

    /// Which parts of its pairs are meant, below and above a cut if there is one.
    pub(super) fn portions(&self) -> Vec<Portion> {
        let slices = self.hits.iter().flatten().flatten();
        let of_slices = slices.flat_map(|slice| [slice.below.portion, slice.above.portion]);
        self.others.iter().map(|factor| factor.portion).chain(of_slices).collect()
    }

    /// May `delta` be next to the total variation of a single pair that is used many times? That is between the one of one use and as many times
    /// that; in plain floats, and only where all losses together cannot take away more than so much.
    pub(super) fn may_be_next_to_most(&self, delta: f64, little: f64) -> bool {
        let [factor] = self.others.as_slice() else { return false };
        let Some(one) = factor.calm_law().and_then(RatioLaw::total_variation).filter(|_| factor.is_wide())
        else {
            return false;
        };
        self.take_less_than(little)
            && self.normal == 0.0
            && (PART_OF_ONE_USE * one..factor.count * one).contains(&delta)
    }

    /// The largest loss at the end of a cut, in plain floats.
    pub(super) fn loss_at_end(&self) -> Option<f64> {
        self.others.iter().try_fold(0.0, |largest: f64, factor| {
            let Portion::Below(cut) = factor.portion else { return None };
            Some(largest.max(factor.calm_law()?.loss_at(cut.end)?))
        })
    }

    /// Can all losses together not take away more than so much?
    pub(super) fn take_less_than(&self, little: f64) -> bool {
        self.smallest_loss().is_some_and(|loss| -loss.lower() < little)
    }

    /// Where the first pair is cut, and how sharply.
    #[cfg(test)]
    pub(super) fn cut_of_first(&self) -> Option<(f64, f64)> {
        match self.others[0].portion {
            Portion::Below(cut) => Some((cut.at, cut.spread)),
            Portion::Whole | Portion::Above(_) | Portion::Between(..) => None,
        }
    }

    /// How many spreads a smaller loss is below where a loss is cut, at least; in plain floats.
    pub(super) fn spreads_below_cut(&self, loss: f64, sharpness: f64, smaller: f64) -> Option<f64> {
        let spreads = self.others.iter().map(|factor| {
            let (cut, (place, ..)) = (factor.cut(loss, sharpness)?, factor.calm_law()?.place_of(smaller)?);
            Some((cut.at - place) / cut.spread)
        });
        spreads.reduce(|a, b| Some(a?.min(b?)))?
    }

    /// The smallest sum of losses, of pairs that are known to thirty digits.
    pub(super) fn smallest_loss(&self) -> Option<Enclosure> {
        self.others.iter().try_fold(Enclosure::ZERO, |sum, factor| {
            Some(sum + factor.calm_law()?.smallest_loss()? * Enclosure::point(factor.count))
        })
    }

    /// What has at least one loss above the cut of its pair, whatever the ends of the cuts.
    ///
    /// # Guarantee
    /// Enclosed. With `1 − qᵢ` of a pair below its cut, and `1 − qᵢ − sᵢ` under `P`, these are `1 − e^A` and `e^A − e^B`, where `A = Σ k log(1 − q)` and
    /// `B − A = Σ k log(1 − s/(1 − q))`.
    pub(super) fn above_cuts(&self) -> Option<AbovePart> {
        let (mut log_below, mut log_ratio) = (Ball::ZERO, Ball::ZERO);
        for factor in &self.others {
            let Portion::Below(cut) = factor.portion else { return None };
            let AbovePart { q, surplus } = factor.calm_law()?.above_part(cut)?;
            let count = Ball::from(factor.count);
            log_below = log_below + count * (-q).ln_1p();
            log_ratio = log_ratio + count * (-(surplus / (Ball::ONE - q))).ln_1p();
        }
        let surplus = -(log_below.exp() * log_ratio.exp_m1());
        let q = -log_below.exp_m1();
        (q.is_finite() && surplus.is_finite()).then_some(AbovePart { q, surplus })
    }

    /// A bound of what `Q` has of outcomes with a loss that is above the cut of its pair, and below another loss all the same.
    ///
    /// # Guarantee
    /// At most the sum over all uses, of which each may be the one.
    pub(super) fn above_with_loss_below(&self, loss: f64) -> Option<f64> {
        let mut sum = 0.0;
        for factor in &self.others {
            let Portion::Below(cut) = factor.portion else { return None };
            sum += factor.count * factor.calm_law()?.above_with_loss_below(cut, loss)? * (1.0 + 1e-9);
        }
        Some(sum)
    }

    /// What is above the cuts of all pairs, in pieces, of which each is as often as its pair is used.
    pub(super) fn cells_above(&self) -> Option<Vec<AboveCell>> {
        let mut all = Vec::new();
        for factor in &self.others {
            let Portion::Below(cut) = factor.portion else { return None };
            let log_count = ln(factor.count) + 1e-9;
            let cells = factor.calm_law()?.cells_above(cut)?;
            all.extend(cells.into_iter().map(|cell| AboveCell { log_q: cell.log_q + log_count, ..cell }));
        }
        Some(all)
    }

    /// `log M(−θ)` of all uses, for the search: with `E[e^{−θL} − 1 + θ(1 − e^{−L})]`, of which small losses have little.
    pub(super) fn lower_tail(&self) -> Option<LowerTail> {
        let parts =
            self.others.iter().map(|factor| Some((factor.count, factor.sketch(0.5, LEAST_SKETCHED)?)));
        Some(LowerTail { parts: parts.collect::<Option<_>>()? })
    }

    /// The largest loss of a composition of pairs that have one and can be cut below it, and of how many uses it is.
    pub(super) fn largest_calm_loss(&self) -> Option<(Enclosure, f64)> {
        if self.normal != 0.0 || self.hits.is_some() || self.others.is_empty() {
            return None;
        }
        self.others.iter().try_fold((Enclosure::ZERO, 0.0), |(sum, uses), factor| {
            let largest = factor.calm_law()?.largest_calm_loss()?;
            Some((sum + largest * Enclosure::point(factor.count), uses + factor.count))
        })
    }

    /// About where the saddle is if all uses are next to their largest losses; in plain floats.
    ///
    /// With n uses that are equally far from it, `u²/2` is about `log(1/δ)/n` for outcomes u deviations from the middle, and the way w to the largest
    /// loss grows by e for every `1/s` of them: `cw` is about `u/s + 1`.
    pub(super) fn calm_tilt(&self, goal: Goal) -> Option<f64> {
        let (largest, uses) = self.largest_calm_loss().filter(|(_, uses)| *uses <= FEW_CALM)?;
        let tilt = |law: &RatioLaw| {
            let (deviation, slope) = (law.deviation()?, law.whole_slope()?);
            let (deviations, way) = match goal {
                Goal::Epsilon { delta } => {
                    let deviations = (2.0 * -ln(delta) / uses).max(0.0).sqrt();
                    (deviations, law.way_to_largest(-deviations * deviation)?)
                }
                Goal::Delta { epsilon } => {
                    let way = (largest.midpoint() - epsilon) / uses;
                    (-law.place_below_largest(way)?.0 / deviation, way)
                }
            };
            let is_calm = deviations > LEAST_CALM;
            is_calm.then(|| (deviations / (slope * deviation) + 1.0) / way)
        };
        let tilts = self.others.iter().map(|factor| factor.calm_law().and_then(tilt));
        tilts.reduce(|a, b| Some(a?.max(b?)))?.filter(|tilt| tilt.is_finite())
    }

    /// What is below the largest loss by less than a way in every use, about, and what is not in at least one. They add up to it.
    pub(super) fn split_calm(&self, way: f64, sharpness: f64) -> Option<(Self, Self)> {
        let slices = self.others.iter().map(|factor| factor.calm_slice(way, sharpness));
        let slices: Vec<Slice> = slices.collect::<Option<_>>()?;
        let calm = Self { others: slices.iter().map(|slice| slice.below.clone()).collect(), ..self.clone() };
        Some((calm, Self { hits: Some(slices.into_iter().map(Some).collect()), ..self.clone() }))
    }

    /// What all uses have below their cuts: the logarithms of `M(0)` and of `M(−1)/M(0)`.
    ///
    /// # Guarantee
    /// Enclosed.
    pub(super) fn calm_part(&self) -> Option<CalmPart> {
        let nothing = CalmPart { log_mass: Enclosure::ZERO, log_drop: Enclosure::ZERO };
        self.others.iter().try_fold(nothing, |sum, factor| {
            let Portion::Below(cut) = factor.portion else { return None };
            let CalmPart { log_mass, log_drop } = factor.calm_law()?.calm_part(cut)?;
            let count = Enclosure::point(factor.count);
            Some(CalmPart {
                log_mass: sum.log_mass + log_mass * count,
                log_drop: sum.log_drop + log_drop * count,
            })
        })
    }

    /// The same with cuts that end where a use is below its largest loss by a way, or little more.
    pub(super) fn ending(&self, way: f64) -> Option<Self> {
        let others = self.others.iter().map(|factor| {
            let Portion::Below(cut) = factor.portion else { return None };
            let (place, _) = factor.calm_law()?.place_below_largest(way)?;
            let end = place + 1e-9 * (1.0 + place.abs());
            Some(Factor { portion: Portion::Below(Cut { end, ..cut }), ..factor.clone() })
        });
        Some(Self { others: others.collect::<Option<_>>()?, ..self.clone() })
    }

    /// The first λ for which `e^{−λ·way} Π E[e^{λw}]` is below `e^{wanted}`, where w is how far a use below its cut is from its largest loss and those
    /// that are farther than the way are left out; in plain floats.
    pub(super) fn calm_bound<const N: usize>(&self, way: f64, tilts: [f64; N], wanted: f64) -> Option<f64> {
        let nodes: Vec<(f64, Vec<(f64, f64)>)> = self
            .others
            .iter()
            .map(|factor| Some((factor.count, factor.calm_law()?.ways_up_to(way, factor.portion)?)))
            .collect::<Option<_>>()?;
        tilts.into_iter().find(|tilt| {
            let moment = |nodes: &[(f64, f64)]| -> f64 {
                ln(nodes.iter().map(|(way, log_p)| exp(log_p + tilt * way)).sum::<f64>())
            };
            let sum: f64 = nodes.iter().map(|(count, nodes)| count * moment(nodes)).sum();
            sum - tilt * way < wanted
        })
    }

    /// The logarithm of a bound of `M(−1)` of those outcomes below their cuts of which a use is below its largest loss by more than a way.
    ///
    /// # Guarantee
    /// At most the sum over all uses, of which each may be the one.
    pub(super) fn log_astray(&self, way: f64) -> Option<f64> {
        let mut sum = 0.0;
        for factor in &self.others {
            let Portion::Below(cut) = factor.portion else { return None };
            let law = factor.calm_law()?;
            let CalmPart { log_mass, log_drop } = law.calm_part(cut)?;
            sum += factor.count * exp(law.log_astray(cut, way)? - (log_mass + log_drop).lower());
        }
        let CalmPart { log_mass, log_drop } = self.calm_part()?;
        // Terms that underflow are less than this together.
        Some(ln(sum + f64::MIN_POSITIVE) + 1e-9 + (log_mass + log_drop).upper())
    }

    /// Is there a pair that [`split`](Self::split) would cut?
    pub(super) fn can_be_split(&self, loss: f64, sharpness: f64) -> bool {
        self.others.iter().any(|factor| factor.lower_cut(loss, sharpness).is_some())
    }

    /// Of a composition that was cut: the one that is cut at a smaller loss, and what has a loss in between. They add up to it.
    ///
    /// But for outcomes of less than `e^{log_mass}` on average: beyond its end, a smooth cut would leave as much.
    pub(super) fn split(&self, loss: f64, log_mass: f64, sharpness: f64) -> Option<(Self, Self)> {
        let parts: Vec<Option<(Factor, Slice)>> =
            self.others.iter().map(|factor| factor.split(loss, log_mass, sharpness)).collect();
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
    pub(super) fn gain(&self, loss: f64, sharpness: f64) -> f64 {
        self.others.iter().filter_map(|factor| factor.gain(loss, sharpness)).fold(0.0, f64::max)
    }

    /// How sharp a cut has to be for losses at its end to be no larger than that.
    pub(super) fn sharpness_for(&self, loss: f64, gain: f64) -> f64 {
        self.others.iter().filter_map(|factor| factor.sharpness_for(loss, gain)).fold(f64::INFINITY, f64::min)
    }

    /// So many times the composition.
    pub(super) fn times(&self, many: f64) -> Self {
        let others = self.others.iter().map(|factor| Factor { count: factor.count * many, ..factor.clone() });
        Self { normal: self.normal * many, others: others.collect(), ..self.clone() }
    }

    /// What of the composition cannot be cut.
    pub(super) fn without_cut(&self) -> Self {
        let others = self.others.iter().filter(|factor| !factor.can_be_cut()).cloned().collect();
        Self { others, hits: None, ..self.clone() }
    }

    /// The composition with P and Q swapped, if it has no infinite losses and is known to thirty digits.
    pub(super) fn mirrored(&self) -> Option<Self> {
        let is_whole = |factor: &Factor| {
            let has_no_infinite = factor.infinite == Enclosure::ZERO && factor.vanishing == Enclosure::ZERO;
            factor.portion == Portion::Whole && has_no_infinite
        };
        let can_be = self.is_wide() && self.hits.is_none() && self.others.iter().all(is_whole);
        let mirrored = |factor: &Factor| {
            let laws = factor.laws.iter().cloned().map(RatioLaw::swapped).collect();
            Factor { laws, ..factor.clone() }
        };
        can_be.then(|| Self { others: self.others.iter().map(mirrored).collect(), ..self.clone() })
    }

    /// Are large losses rarer than small ones are far from 0?
    pub(super) fn has_large_losses(&self) -> bool {
        self.others.iter().flat_map(|factor| &factor.laws).any(|law| !law.swapped)
    }

    /// Are all pairs known to thirty digits, and is no normal law among them?
    pub(super) fn is_wide(&self) -> bool {
        self.normal == 0.0 && self.others.iter().all(Factor::is_wide)
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

impl Factors {
    /// `(L, log kp)` of all pairs that can be cut, in plain floats.
    fn single_losses(&self) -> Option<Vec<(f64, f64)>> {
        let mut nodes = Vec::new();
        for factor in &self.others {
            let log_count = ln(factor.count);
            nodes.extend(
                factor.sketch(1.0, FARTHEST)?.into_iter().map(|(loss, log_p)| (loss, log_p + log_count)),
            );
        }
        nodes.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(nodes)
    }

    /// The loss above which there are about `e^{log_mass}` losses on average.
    pub(super) fn loss_of_mass(&self, log_mass: f64) -> Option<f64> {
        let mut sum = 0.0;
        let nodes = self.single_losses()?;
        let above = nodes.iter().find(|(_, log_p)| {
            sum += exp(log_p - log_mass);
            sum > 1.0
        })?;
        (above.0 > 0.0).then_some(above.0)
    }

    /// `log g(ε)`, if it took a single loss to exceed ε; in plain floats.
    pub(super) fn log_single(&self, epsilon: f64) -> f64 {
        self.single_losses().map_or(f64::NEG_INFINITY, |nodes| log_single(&nodes, epsilon))
    }
}

/// Down to here masses of single losses are listed.
const FARTHEST: f64 = -800.0;

fn log_single(nodes: &[(f64, f64)], epsilon: f64) -> f64 {
    let above = || nodes.iter().take_while(|(loss, _)| *loss > epsilon);
    let highest = above().map(|(_, log_p)| *log_p).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = above().map(|(loss, log_p)| exp(log_p - highest) * -expm1(epsilon - loss)).sum();
    highest + ln(sum)
}

impl Factor {
    /// An upper bound of `log M(−1/2)`, which is at most 0 (Hölder).
    fn log_affinity(&self) -> f64 {
        let middle = Complex::new(-0.5, 0.0);
        let sum: Option<f64> = self.laws.iter().map(|law| Some(law.mgf(middle)?.real().upper())).sum();
        sum.map_or(0.0, |moment| ln(moment.clamp(0.0, 1.0)) + 1e-15)
    }

    fn gain(&self, loss: f64, sharpness: f64) -> Option<f64> {
        let [law] = self.laws.as_slice() else { return None };
        let (cut, (_, growth, _)) = (self.cut(loss, sharpness)?, law.place_of(loss)?);
        Some(ln_1p(law.growth_of(loss)? * expm1((cut.end - cut.at) / growth)))
    }

    fn sharpness_for(&self, loss: f64, gain: f64) -> Option<f64> {
        let [law] = self.laws.as_slice() else { return None };
        let (_, growth, deviation) = law.place_of(loss)?;
        let sharpness = ln_1p(expm1(gain) / law.growth_of(loss)?) / END;
        // No cut is smoother than this.
        Some(if sharpness * growth < PARTS_OF_DEVIATION * deviation { sharpness } else { f64::INFINITY })
    }

    /// Where outcomes of a larger loss are cut off, and how sharply: the ratio and the density must not change much
    /// meanwhile.
    fn cut(&self, loss: f64, sharpness: f64) -> Option<Cut> {
        let [law] = self.laws.as_slice() else { return None };
        let (at, growth, deviation) = law.place_of(loss)?;
        let spread = (sharpness * growth).min(PARTS_OF_DEVIATION * deviation);
        Some(Cut { at, spread, end: END.mul_add(spread, at) })
    }

    /// Is there a place for a cut? Then there is one at every loss.
    fn can_be_cut(&self) -> bool {
        matches!(self.laws.as_slice(), [law] if law.place_of(1.0).is_some())
    }

    /// A cut at a smaller loss and the one there is, if they are far enough apart.
    fn lower_cut(&self, loss: f64, sharpness: f64) -> Option<(Cut, Cut)> {
        let Portion::Below(high) = self.portion else { return None };
        let low = self.cut(loss, sharpness)?;
        (low.at + LEAST_APART * low.spread < high.at).then_some((low, high))
    }

    /// What is below a smaller loss, as far as it matters, and both parts of a factor that is cut already.
    fn split(&self, loss: f64, log_mass: f64, sharpness: f64) -> Option<(Self, Slice)> {
        let (low, high) = self.lower_cut(loss, sharpness)?;
        let below = self.with_portion(Portion::Below(low));
        let log_left = ln(below.outside * self.count) - log_mass;
        let end = (log_left.max(0.0).sqrt() + 1.0).max(END).mul_add(low.spread, low.at).min(high.end);
        let smooth = Cut { end: f64::INFINITY, ..low };
        let slice = Slice {
            below: Self { portion: Portion::Below(Cut { end: high.end, ..low }), ..below.clone() },
            above: self.with_portion(Portion::Between(smooth, high)),
        };
        Some((Self { portion: Portion::Below(Cut { end, ..low }), ..below }, slice))
    }

    /// Is it what is next to the largest loss of a law?
    pub(super) fn is_calm(&self) -> bool {
        matches!(self.portion, Portion::Below(_)) && self.calm_law().and_then(RatioLaw::whole_slope).is_some()
    }

    /// Its law, if that is all of it.
    fn calm_law(&self) -> Option<&RatioLaw> {
        let [law] = self.laws.as_slice() else { return None };
        (self.infinite.upper() == 0.0 && self.vanishing.upper() == 0.0).then_some(law)
    }

    /// Both sides of a cut where the loss is below the largest by a way.
    fn calm_slice(&self, way: f64, sharpness: f64) -> Option<Slice> {
        let law = self.calm_law()?;
        let (at, growth) = law.place_below_largest(way)?;
        let spread = (sharpness * growth).min(PARTS_OF_DEVIATION * law.deviation()?);
        let cut = Cut { at, spread, end: f64::INFINITY };
        let portion = |portion: Portion| Self { portion, ..self.clone() };
        Some(Slice { below: portion(Portion::Below(cut)), above: portion(Portion::Above(cut)) })
    }

    fn with_portion(&self, portion: Portion) -> Self {
        let outside = match portion {
            Portion::Whole | Portion::Above(_) | Portion::Between(..) => 0.0,
            Portion::Below(cut) => {
                let laws = self.laws.iter();
                let nodes = laws.filter_map(|law| law.sketch(0.0, -9.0, Portion::Above(cut))).flatten();
                nodes.map(|(_, log_p)| exp(log_p)).sum()
            }
        };
        Self { portion, outside, ..self.clone() }
    }

    /// A rule for `M` on a line.
    pub(super) fn rule(&self, line: Line) -> Option<LossRule> {
        if let Some(rule) = self.calm_rule(line).or_else(|| self.rule_in_parts(line)) {
            return Some(rule);
        }
        let mut rules = self.laws.iter().map(|law| law.rule(line, self.portion));
        let first = rules.next()??;
        rules.try_fold(first, |sum, rule| Some(sum.and(rule?)))
    }

    /// The same for what is calm, in two parts: it is the calmer the farther from the cut it is, and there a rule takes far fewer nodes. `None` if
    /// what is meant is not of the kind, or too little of it.
    ///
    /// # Guarantee
    /// The first part ends some spreads beyond its cut, where the weight is `erfc(u)/2`, and losses do not exceed the largest.
    fn calm_rule(&self, line: Line) -> Option<LossRule> {
        let Portion::Below(high) = self.portion else { return None };
        let law = self.calm_law().filter(|_| high.end == f64::INFINITY)?;
        let (slope, largest) = (law.whole_slope()?, law.largest_calm_loss()?);
        let low = Cut { at: high.at - CALMER / slope, ..high };
        let ending = Cut { end: CALM_END.mul_add(low.spread, low.at), ..low };
        let near = law.rule(line, Portion::Between(low, high))?;
        let log_left = |tilt: f64| {
            let log = tilt * largest.upper() + log_erfc(CALM_END * (1.0 - 1e-9)) - LN_2;
            log + 1e-9 + 1e-14 * (tilt * largest.upper()).abs()
        };
        let size = |tilt: f64| {
            near.nodes.iter().map(|node| node.log_p + tilt * node.loss).fold(f64::NEG_INFINITY, f64::max)
        };
        let is_little = log_left(line.tilt) < size(line.tilt) + line.log_tolerance
            && log_left(line.beyond) < size(line.beyond) + line.log_tolerance_beyond;
        if !is_little || !line.direct || line.tilt <= 0.0 {
            return None;
        }
        let rule = law.rule(line, Portion::Below(ending))?.and(near);
        Some(LossRule {
            log_error: log_sum(rule.log_error, log_left(line.tilt)),
            log_error_beyond: log_sum(rule.log_error_beyond, log_left(line.beyond)),
            ..rule
        })
    }

    /// The same in two parts, of which the lower one takes far fewer nodes; `None` if it cannot be cut, or more than `M` itself is wanted.
    fn rule_in_parts(&self, line: Line) -> Option<LossRule> {
        let [law] = self.laws.as_slice() else { return None };
        // To look for the parts takes as long as a short rule.
        if !line.direct {
            return None;
        }
        let [below, above] = law.two_parts(self.portion, line)?;
        let rule = law.rule(line, below)?.and(law.rule(line, above)?);
        // Nodes are known to far more than a millionth, and what their rule leaves is next to nothing of what it leaves already.
        let log_left = |tilt: f64| {
            let logs = rule.nodes.iter().map(|node| node.log_p + tilt * node.loss);
            let highest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logs.map(|log| exp(log - highest)).sum();
            highest + ln(sum) + ln(line.left_by_parts()) + 1e-6
        };
        let log_error = log_sum(rule.log_error + 1e-9, log_left(line.tilt));
        let log_error_beyond = log_sum(rule.log_error_beyond + 1e-9, log_left(line.beyond));
        Some(LossRule { log_error, log_error_beyond, ..rule })
    }

    /// Rules for `M` on a line that add up to one, for nodes of more digits than doubles have; `None` if there are none.
    ///
    /// If it is not meant directly, all but what is above a cut knows what it leaves of both laws.
    pub(super) fn wide_rules(&self, line: Line) -> Option<Vec<WideRule>> {
        let [law] = self.laws.as_slice() else { return None };
        let rule = |portion: Portion| {
            let direct = line.direct || portion.is_above();
            let rule = law.rule(Line { direct, ..line }, portion)?;
            let of_laws = (!direct).then_some([rule.p_error, rule.q_error]);
            let error = exp(rule.log_error) * (1.0 + 1e-9);
            Some(WideRule { places: rule.places?, portion, error, of_laws })
        };
        let parts = law.two_parts(self.portion, line);
        let both = parts.and_then(|parts| parts.into_iter().map(rule).collect::<Option<Vec<_>>>());
        both.or_else(|| Some(vec![rule(self.portion)?]))
    }

    /// Nodes of a rule to thirty digits, tilted; `None` if the law is not known to as many.
    pub(super) fn wide_nodes(
        &self,
        rule: &WideRule,
        tilt: f64,
        numbers: impl Iterator<Item = usize>,
    ) -> Option<WideNodes> {
        let [law] = self.laws.as_slice() else { return None };
        law.wide_nodes(rule.places, rule.portion, tilt, numbers)
    }

    /// Pieces of both of its laws to thirty digits, and what they leave out.
    pub(super) fn wide_pieces(
        &self,
        rule: &WideRule,
        tilt: f64,
        numbers: impl Iterator<Item = usize>,
    ) -> Option<(LawPieces, f64)> {
        let [law] = self.laws.as_slice() else { return None };
        law.wide_pieces(rule.places, rule.portion, tilt, numbers)
    }

    /// Are its nodes known to thirty digits?
    fn is_wide(&self) -> bool {
        matches!(self.laws.as_slice(), [law] if law.normal.is_some())
    }

    /// `(L, log p)` for the search.
    pub(super) fn sketch(&self, reach: f64, log_trim: f64) -> Option<Vec<(f64, f64)>> {
        let mut nodes = Vec::new();
        for law in &self.laws {
            nodes.extend(law.sketch(reach, log_trim, self.portion)?);
        }
        Some(nodes)
    }

    /// Losses of the whole law, from the smallest to somewhat above the one given; for the search.
    pub(super) fn losses_up_to(&self, largest: f64) -> Option<Vec<LossAt>> {
        let [law] = self.laws.as_slice() else { return None };
        law.losses_up_to(largest)
    }

    /// Uniform pieces below the density of the tilted loss.
    pub(super) fn plateaus(&self, tilt: f64, log_scale: f64) -> Vec<Plateau> {
        self.laws.iter().flat_map(|law| law.plateaus(tilt, log_scale, self.portion)).collect()
    }

    /// The angle at which the density on a moved path has gained a factor e; 0 if no path can be moved.
    pub(super) fn turn_unit(&self) -> f64 {
        let [law] = self.laws.as_slice() else { return 0.0 };
        law.turn_unit(self.portion)
    }

    /// Bounds of `|M|` from moved paths.
    pub(super) fn shifted_paths(
        &self,
        tilt: f64,
        turns: impl Iterator<Item = f64>,
        log_scale: f64,
    ) -> Vec<ShiftedPath> {
        match self.laws.as_slice() {
            [law] => law.shifted_paths(tilt, turns, log_scale, self.portion),
            _ => Vec::new(),
        }
    }
}
