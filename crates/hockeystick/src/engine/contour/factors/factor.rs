//! One pair of a composition, and the parts into which it is cut.

use crate::{
    engine::contour::{
        law::{LossAt, LossRule, MovedPath, Plateau, RuleSpec},
        tuning::TUNING,
    },
    pair::{Cut, Portion, RatioLaw, SharedPair},
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    special::{exp, expm1, ln, ln_1p},
};
use num_complex::Complex;
use std::sync::Arc;

/// A pair and how often it is used.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    laws: Laws,
    /// `k`.
    pub(crate) count: f64,
    /// `P(L = ∞)`.
    pub(crate) infinite: Enclosure,
    /// `Q(L = −∞)`.
    pub(crate) vanishing: Enclosure,
    /// The part of the laws that this factor stands for.
    pub(super) portion: Portion,
    /// An estimate of P's mass outside that part.
    pub(crate) outside: f64,
}

/// The laws of a pair: listed once, or whenever they are needed where very many pairs would fill the memory.
#[derive(Clone, Debug)]
enum Laws {
    Listed(Arc<[RatioLaw]>),
    Of(SharedPair),
}

/// A pair cut in two: what is below a cut and what is above add up to it.
#[derive(Clone, Debug)]
pub(crate) struct CutPair {
    pub(crate) below: Factor,
    pub(crate) above: Factor,
}

/// Where a cut law ends, in spreads beyond the cut: `erfc` is below 10⁻⁴⁴ there.
const END: f64 = 10.0;

impl Factor {
    /// All of a pair. Its laws are listed whenever they are needed.
    pub(super) fn unlisted(pair: &SharedPair, count: u64) -> Self {
        Self {
            laws: Laws::Of(SharedPair::clone(pair)),
            count: count as f64,
            infinite: pair.infinite_mass().value(),
            vanishing: pair.vanishing_mass().value(),
            portion: Portion::Whole,
            outside: 0.0,
        }
    }

    /// The same with its laws listed once and for all.
    pub(crate) fn listed(self) -> Self {
        Self { laws: Laws::Listed(self.laws()), ..self }
    }

    /// The same, so often.
    pub(crate) fn used(self, count: f64) -> Self {
        Self { count, ..self }
    }

    /// The laws of the pair.
    pub(super) fn laws(&self) -> Arc<[RatioLaw]> {
        match &self.laws {
            Laws::Listed(laws) => Arc::clone(laws),
            Laws::Of(pair) => pair.ratio_laws().into(),
        }
    }

    /// An upper bound of `log M(−1/2)`, which is at most 0 (Hölder).
    pub(super) fn log_affinity(&self) -> f64 {
        let middle = Complex::new(-0.5, 0.0);
        let sum: Option<f64> = self.laws().iter().map(|law| Some(law.mgf(middle)?.real().upper())).sum();
        sum.map_or(0.0, |moment| ln(moment.clamp(0.0, 1.0)) + 1e-15)
    }

    /// Up to where `M` exists right of 0, and the laws say something of it.
    pub(crate) fn strip_end(&self) -> f64 {
        let end = |law: &RatioLaw| law.strip().1.min(law.largest_listed());
        self.laws().iter().map(end).fold(f64::INFINITY, f64::min)
    }

    /// An upper bound of the mass above the cut, but for a rounding; 0 if nothing is cut off.
    pub(super) fn mass_cut_off(&self) -> Option<f64> {
        let Portion::Below(cut) = self.portion else { return Some(0.0) };
        let laws = self.laws();
        let [law] = &*laws else { return None };
        law.mass_above(cut)
    }

    pub(super) fn gain(&self, loss: f64, relative_spread: f64) -> Option<f64> {
        let laws = self.laws();
        let [law] = &*laws else { return None };
        let (cut, (_, growth, _)) = (self.cut(loss, relative_spread)?, law.place_of(loss)?);
        Some(ln_1p(law.growth_of(loss)? * expm1((cut.end - cut.at) / growth)))
    }

    pub(super) fn relative_spread_for(&self, loss: f64, gain: f64) -> Option<f64> {
        let laws = self.laws();
        let [law] = &*laws else { return None };
        let (_, growth, deviation) = law.place_of(loss)?;
        let relative_spread = ln_1p(expm1(gain) / law.growth_of(loss)?) / END;
        // No cut is smoother than this.
        Some(if relative_spread * growth < TUNING.cut_of_deviation * deviation {
            relative_spread
        } else {
            f64::INFINITY
        })
    }

    /// The cut at a loss. Its spread is so small that neither the ratio nor the density changes much across it.
    pub(super) fn cut(&self, loss: f64, relative_spread: f64) -> Option<Cut> {
        let laws = self.laws();
        let [law] = &*laws else { return None };
        let (at, growth, deviation) = law.place_of(loss)?;
        let spread = (relative_spread * growth).min(TUNING.cut_of_deviation * deviation);
        Some(Cut { at, spread, end: END.mul_add(spread, at) })
    }

    /// Is there a place for a cut? Then there is one at every loss.
    pub(super) fn can_be_cut(&self) -> bool {
        matches!(&*self.laws(), [law] if law.place_of(1.0).is_some())
    }

    /// A cut at a smaller loss and the one there is, if they are far enough apart, and if losses above it are not far below `e^{log_mass}`.
    ///
    /// Where another pair has losses that this one never reaches, this one is not cut: of next to nothing there is no rule.
    pub(super) fn lower_cut(&self, loss: f64, log_mass: f64, relative_spread: f64) -> Option<(Cut, Cut)> {
        let Portion::Below(high) = self.portion else { return None };
        let low = self.cut(loss, relative_spread)?;
        let laws = self.laws();
        let [law] = &*laws else { return None };
        let log_p = law.panels[0].log_q.at(low.at) + loss;
        let is_reached = log_p + ln(self.count) > TUNING.log_never * log_mass;
        (is_reached && low.at + TUNING.cuts_apart * low.spread < high.at).then_some((low, high))
    }

    /// Cuts a factor again, at a smaller loss: the part below, ended where it is negligible, and the slice between both cuts.
    pub(super) fn split(&self, loss: f64, log_mass: f64, relative_spread: f64) -> Option<(Self, CutPair)> {
        let (low, high) = self.lower_cut(loss, log_mass, relative_spread)?;
        let below = self.with_portion(Portion::Below(low));
        let log_left = ln(below.outside * self.count) - log_mass;
        let end = (log_left.max(0.0).sqrt() + 1.0).max(END).mul_add(low.spread, low.at).min(high.end);
        let smooth = Cut { end: f64::INFINITY, ..low };
        let slice = CutPair {
            below: Self { portion: Portion::Below(Cut { end: high.end, ..low }), ..below.clone() },
            above: self.with_portion(Portion::Between(smooth, high)),
        };
        Some((Self { portion: Portion::Below(Cut { end, ..low }), ..below }, slice))
    }

    pub(super) fn with_portion(&self, portion: Portion) -> Self {
        let outside = match portion {
            Portion::Whole | Portion::Above(_) | Portion::Between(..) => 0.0,
            Portion::Below(cut) => {
                let laws = self.laws();
                let nodes =
                    laws.iter().filter_map(|law| law.sketch(0.0, -9.0, Portion::Above(cut))).flatten();
                nodes.map(|(_, log_p)| exp(log_p)).sum()
            }
        };
        Self { portion, outside, ..self.clone() }
    }

    /// A rule for `M` on a line.
    pub(crate) fn rule(&self, line: RuleSpec) -> Option<LossRule> {
        let laws = self.laws();
        let mut rules = laws.iter().map(|law| law.rule(line, self.portion));
        let first = rules.next()??;
        rules.try_fold(first, |sum, rule| Some(sum.and(rule?)))
    }

    /// `(L, log p)` for the search.
    pub(crate) fn sketch(&self, reach: f64, log_trim: f64) -> Option<Vec<(f64, f64)>> {
        let mut nodes = Vec::new();
        for law in &*self.laws() {
            nodes.extend(law.sketch(reach, log_trim, self.portion)?);
        }
        Some(nodes)
    }

    /// Losses of the whole law, from the smallest to somewhat above the one given; for the search.
    pub(crate) fn losses_up_to(&self, largest: f64) -> Option<Vec<LossAt>> {
        let laws = self.laws();
        let [law] = &*laws else { return None };
        law.losses_up_to(largest)
    }

    /// Uniform pieces below the density of the tilted loss.
    pub(crate) fn plateaus(&self, tilt: f64, log_scale: f64) -> Vec<Plateau> {
        self.laws().iter().flat_map(|law| law.plateaus(tilt, log_scale, self.portion)).collect()
    }

    /// The angle at which the density on a moved path has gained a factor e; 0 if no path can be moved.
    pub(crate) fn turn_unit(&self) -> f64 {
        let laws = self.laws();
        let [law] = &*laws else { return 0.0 };
        law.turn_unit(self.portion)
    }

    /// Bounds of `|M|` from moved paths.
    pub(crate) fn moved_paths(
        &self,
        tilt: f64,
        turns: impl Iterator<Item = f64>,
        log_scale: f64,
    ) -> Vec<MovedPath> {
        match &*self.laws() {
            [law] => law.moved_paths(tilt, turns, log_scale, self.portion),
            _ => Vec::new(),
        }
    }
}
