//! A line while it is drawn: pair by pair, of which nothing is kept but the sums.

use super::{ComposedLine, Exactness};
use crate::engine::contour::{
    bound::Envelope,
    factors::{CutPair, Factor, Factors},
    law,
    line_plan::LinePlan,
    sum::{Avoided, Hits, LogMoments, TiltedLaw, log_sum},
    tuning::TUNING,
};
use hockeystick_numerics::{
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
};

/// The sums over the pairs added so far.
pub(super) struct Drawing {
    line: ComposedLine,
    exactness: Exactness,
    /// What is above the cuts, if only outcomes with such a loss are meant.
    hits: Option<HitSums>,
}

/// The sums of a pair, or of its part below a cut.
struct Below {
    moments: LogMoments,
    log_beyond: f64,
}

/// The sums of what is above the cuts.
#[derive(Default)]
struct HitSums {
    /// `log k H(λ)/M(λ)` of each.
    log_each: Vec<f64>,
    mass: f64,
    avoided: Avoided,
}

impl Drawing {
    /// Of the normal losses only.
    pub(super) fn new(factors: &Factors, plan: LinePlan, exactness: Exactness) -> Self {
        Self::on(ComposedLine::of_normal(factors, plan), factors, exactness)
    }

    /// The same without them.
    pub(super) fn of_nothing(factors: &Factors, plan: LinePlan, exactness: Exactness) -> Self {
        Self::on(ComposedLine::of_normal(&Factors::of_normal(0.0, 0.0), plan), factors, exactness)
    }

    fn on(line: ComposedLine, factors: &Factors, exactness: Exactness) -> Self {
        Self { line, exactness, hits: factors.hits.is_some().then(HitSums::default) }
    }

    /// Adds a pair, and returns an upper bound of its `log M(c)`, of which an estimate is asked for left of 0. `None` if the pair has no
    /// rule for the line, or only one of too many nodes.
    pub(super) fn add(
        &mut self,
        factor: &Factor,
        slice: Option<&CutPair>,
        log_moment: impl Fn() -> f64,
    ) -> Option<f64> {
        check();
        let plan = self.line.plan;
        let Exactness { log_tolerance, log_tolerance_beyond, most_direct } = self.exactness;
        let count = factor.count;
        // Between the poles M(c) may be far below 1.
        let log_size = if plan.tilt < 0.0 { log_moment().min(0.0) } else { 0.0 };
        let below = slice.map_or(factor, |slice| &slice.below);
        let wanted = law::RuleSpec {
            tilt: plan.tilt,
            height: plan.height(),
            beyond: plan.beyond,
            log_tolerance: log_tolerance - ln(count) + log_size,
            log_tolerance_beyond: log_tolerance_beyond - ln(count),
            direct: count <= most_direct,
        };
        let along = || {
            let rule = below.rule(wanted)?;
            let law = TiltedLaw::new(below, wanted, &rule);
            let is_too_much = law.work(plan.points) > TUNING.most_work;
            (!is_too_much)
                .then(|| Below { moments: law.along(plan.step, plan.points), log_beyond: law.log_beyond })
        };
        // The part above the cut comes first: if it has no rule, nothing else need be summed.
        let (above, Below { mut moments, mut log_beyond }) = match slice {
            Some(slice) => {
                let wanted = law::RuleSpec { log_tolerance, ..wanted };
                let hits = Hits::new(wanted, &slice.above.rule(wanted)?);
                let above = hits.along(plan.step, plan.points);
                (Some((hits, above)), along()?)
            }
            None => (None, along()?),
        };
        if let Some((sums, along)) = above {
            let avoided = sums.join(count, &mut moments, &along);
            // A slice is given up if M(c) is this inaccurate.
            if moments.errors[0].is_nan() || moments.errors[0] >= KNOWN {
                return None;
            }
            log_beyond = log_sum(log_beyond, sums.log_beyond);
            let hits = self.hits.get_or_insert_default();
            hits.log_each.push(ln(count) + sums.log_beyond - log_beyond);
            hits.mass += count * sums.mass;
            hits.avoided = std::mem::take(&mut hits.avoided).and(avoided);
        }
        for n in 0..plan.points {
            // For a pair that is cut, `Avoided` carries the error.
            let error = if slice.is_some() { 0.0 } else { count * moments.errors[n] };
            self.line.add(n, moments.values[n] * count, error, count * moments.ceilings[n]);
        }
        self.line.add_beyond(count * log_beyond);
        Some(moments.ceilings[0])
    }

    /// Together with other pairs on the same line.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.line.absorb(&other.line);
        if let (Some(hits), Some(more)) = (&mut self.hits, other.hits) {
            hits.log_each.extend(more.log_each);
            hits.mass += more.mass;
            hits.avoided = std::mem::take(&mut hits.avoided).and(more.avoided);
        }
        self
    }

    /// What `K` is so far, on its points.
    pub(super) fn line(self) -> ComposedLine {
        self.line
    }

    /// If that is meant, only of outcomes with at least one loss above its cut.
    pub(super) fn finished(mut self) -> ComposedLine {
        if let Some(hits) = self.hits {
            self.line.keep(&hits);
        }
        self.line
    }
}

impl ComposedLine {
    /// The same before its end is known; the envelope is told what was found.
    pub(crate) fn of(
        factors: &Factors,
        envelope: &mut Envelope,
        plan: LinePlan,
        exactness: Exactness,
    ) -> Option<Self> {
        let mut drawing = Drawing::new(factors, plan, exactness);
        for (index, factor) in factors.others.iter().enumerate() {
            let slice = factors.slice(index);
            let ceiling = drawing.add(factor, slice, || envelope.log_moment(index))?;
            envelope.set_ceiling(index, ceiling);
        }
        Some(drawing.finished())
    }

    /// Restricts to outcomes with at least one loss above its cut: `log M` becomes `log F`.
    ///
    /// # Guarantee
    /// `F(λ) ≤ Σ k H(λ) M(λ)^{k−1} …`, and `F(0) ≤ Σ k H(0)` bounds g.
    fn keep(&mut self, hits: &HitSums) {
        let highest = hits.log_each.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = hits.log_each.iter().map(|log| exp(log - highest)).sum();
        self.add_beyond((highest + ln(sum) + 1e-9 + 1e-15 * highest.abs()).min(0.0));
        self.log_most = (ln(hits.mass) + 1e-9).min(0.0);
        if hits.log_each.is_empty() {
            return;
        }
        for (n, (log, error)) in hits.avoided.log_hits().into_iter().enumerate() {
            self.values[n] += log;
            self.errors[n] += error + 2.0 * UNIT_ROUNDOFF * self.values[n].l1_norm();
            let most = self.ceilings[n];
            self.ceilings[n] = most + hits.avoided.ceiling(n) + 1e-15 * (most.abs() + 1.0);
        }
    }
}

/// If `log M(c)` of a pair has a larger error, its slice would be all error.
const KNOWN: f64 = 0.1;
