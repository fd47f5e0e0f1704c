//! `K = Σ k log M` of a composition at the points of a vertical line.

use super::{
    Exactness,
    terms::{Ratio, Terms},
};
use crate::engine::contour::{
    bound::Envelope,
    factors::Factors,
    law,
    line_plan::LinePlan,
    sum::{Avoided, Hits, LogMoments, TiltedLaw, log_sum},
    tuning::TUNING,
};
use hockeystick_numerics::{
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln, modulus},
};
use num_complex::Complex;

/// `K = Σ k log M` at the points of a line.
#[derive(Clone, Debug)]
pub(crate) struct ComposedLine {
    pub(crate) plan: LinePlan,
    /// `K(z_n)`.
    pub(super) values: Vec<Complex<f64>>,
    /// What each may be off.
    errors: Vec<f64>,
    /// Upper bounds of `Re K(z_n)`.
    ceilings: Vec<f64>,
    /// What does not depend on ε, once all factors are added.
    pub(super) terms: Terms,
    /// An upper bound of `K(λ)`.
    pub(crate) log_beyond: f64,
    /// `log` of a bound of `(1/π) ∫ |M(c + it)| dt/t²` from the last point on.
    pub(super) log_tail: f64,
    /// `log` of a bound of `g` everywhere.
    pub(super) log_most: f64,
}

/// The sums of a pair, or of its part below a cut.
struct Below {
    moments: LogMoments,
    log_beyond: f64,
}

/// The sums of a pair's part above a cut.
struct Hit {
    count: f64,
    log_whole_beyond: f64,
    sums: Hits,
    avoided: Avoided,
}

impl ComposedLine {
    /// Evaluates every factor along the line; `None` if a pair has no rule for it, or only one of too many nodes.
    pub(crate) fn new(
        factors: &Factors,
        mut envelope: Envelope,
        plan: LinePlan,
        exactness: Exactness,
    ) -> Option<Self> {
        let line = Self::of(factors, &mut envelope, plan, exactness)?;
        let height = plan.height();
        Some(line.ended(log_at_height(factors, &envelope, plan.tilt, envelope.log_tail(height))))
    }

    /// The same before its end is known; the envelope is told what was found.
    pub(crate) fn of(
        factors: &Factors,
        envelope: &mut Envelope,
        plan: LinePlan,
        exactness: Exactness,
    ) -> Option<Self> {
        let height = plan.height();
        let Exactness { log_tolerance, most_direct } = exactness;
        let mut line = Self::of_normal(factors, plan);
        let mut hits: Vec<Hit> = Vec::new();
        for (index, factor) in factors.others.iter().enumerate() {
            check();
            let count = factor.count;
            // Between the poles M(c) may be far below 1.
            let log_size = if plan.tilt < 0.0 { envelope.log_moment(index).min(0.0) } else { 0.0 };
            let slice = factors.hits.as_ref().and_then(|hits| hits[index].as_ref());
            let below = slice.map_or(factor, |slice| &slice.below);
            let wanted = law::RuleSpec {
                tilt: plan.tilt,
                height,
                beyond: plan.beyond,
                log_tolerance: log_tolerance - ln(count) + log_size,
                log_tolerance_beyond: LOG_TOLERANCE_BEYOND - ln(count),
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
                hits.push(Hit { count, log_whole_beyond: log_beyond, sums, avoided });
            }
            envelope.set_ceiling(index, moments.ceilings[0]);
            for n in 0..plan.points {
                // For a pair that is cut, `Avoided` carries the error.
                let error = if slice.is_some() { 0.0 } else { count * moments.errors[n] };
                line.add(n, moments.values[n] * count, error, count * moments.ceilings[n]);
            }
            line.add_beyond(count * log_beyond);
        }
        if factors.hits.is_some() {
            line.keep(hits);
        }
        Some(line)
    }

    /// With what is beyond the last point bounded by `e^{log_tail}`.
    pub(crate) fn ended(mut self, log_tail: f64) -> Self {
        self.terms = Terms::of(self.plan, &self.values, &self.errors, &self.ceilings);
        self.log_tail = log_tail;
        self
    }

    /// `M(z_n)/M(c)`.
    pub(super) fn ratio(&self, n: usize) -> Ratio {
        Ratio::of(self.values[n], self.errors[n], self.ceilings[n], self.values[0].re)
    }

    /// The same without its values but for the first, once all terms are made.
    pub(super) fn without_values(mut self) -> Self {
        self.values = vec![self.values[0]];
        (self.errors, self.ceilings) = (Vec::new(), Vec::new());
        self
    }

    /// Multiplies by another law on the same line. Call [`ended`](Self::ended) again afterwards.
    pub(crate) fn absorb(&mut self, other: &Self) {
        for n in 0..self.plan.points {
            self.add(n, other.values[n], other.errors[n], other.ceilings[n]);
        }
        self.add_beyond(other.log_beyond);
    }

    /// Restricts to outcomes with at least one loss above its cut: `log M` becomes `log F`.
    ///
    /// # Guarantee
    /// `F(λ) ≤ Σ k H(λ) M(λ)^{k−1} …`, and `F(0) ≤ Σ k H(0)` bounds g.
    fn keep(&mut self, hits: Vec<Hit>) {
        let log_each = |hit: &Hit| ln(hit.count) + hit.sums.log_beyond - hit.log_whole_beyond;
        let highest = hits.iter().map(log_each).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = hits.iter().map(|hit| exp(log_each(hit) - highest)).sum();
        self.add_beyond((highest + ln(sum) + 1e-9 + 1e-15 * highest.abs()).min(0.0));
        let mass: f64 = hits.iter().map(|hit| hit.count * hit.sums.mass).sum();
        self.log_most = (ln(mass) + 1e-9).min(0.0);
        let Some(avoided) = hits.into_iter().map(|hit| hit.avoided).reduce(Avoided::and) else { return };
        for (n, (log, error)) in avoided.log_hits().into_iter().enumerate() {
            self.values[n] += log;
            self.errors[n] += error + 2.0 * UNIT_ROUNDOFF * self.values[n].l1_norm();
            let most = self.ceilings[n];
            self.ceilings[n] = most + avoided.ceiling(n) + 1e-15 * (most.abs() + 1.0);
        }
    }

    /// `K(z) = μ² z(z + 1)/2`.
    fn of_normal(factors: &Factors, plan: LinePlan) -> Self {
        let variance = factors.normal;
        let relative = factors.normal_error + 8.0 * UNIT_ROUNDOFF;
        let values: Vec<Complex<f64>> = (0..plan.points)
            .map(|n| {
                let z = Complex::new(plan.tilt, plan.step * n as f64);
                z * (z + 1.0) * (0.5 * variance)
            })
            .collect();
        let size = |n: usize| {
            let z = Complex::new(plan.tilt, plan.step * n as f64);
            0.5 * variance * modulus(z) * modulus(z + 1.0) * relative
        };
        let errors: Vec<f64> = (0..plan.points).map(size).collect();
        let ceilings = values.iter().zip(&errors).map(|(value, error)| value.re + error).collect();
        let at_beyond = 0.5 * variance * plan.beyond * (plan.beyond + 1.0);
        let log_beyond = at_beyond + relative * at_beyond.abs();
        Self {
            plan,
            values,
            errors,
            ceilings,
            terms: Terms::default(),
            log_beyond,
            log_tail: 0.0,
            log_most: 0.0,
        }
    }

    /// Adds to `K(z_n)`; the sum is rounded, and so was the product with a count.
    fn add(&mut self, n: usize, value: Complex<f64>, error: f64, ceiling: f64) {
        self.values[n] += value;
        let rounding = 2.0 * UNIT_ROUNDOFF * (modulus(value) + modulus(self.values[n]));
        self.errors[n] += error * (1.0 + 1e-9) + rounding;
        self.ceilings[n] += ceiling;
        self.ceilings[n] += 4.0 * UNIT_ROUNDOFF * (self.ceilings[n].abs() + ceiling.abs());
    }

    fn add_beyond(&mut self, log: f64) {
        self.log_beyond += log;
        self.log_beyond += 4.0 * UNIT_ROUNDOFF * (self.log_beyond.abs() + log.abs());
    }
}

/// Converts a bound relative to the envelope's unit and the normal law's `M(c)` to an absolute one.
pub(crate) fn log_at_height(factors: &Factors, envelope: &Envelope, tilt: f64, log: f64) -> f64 {
    let normal = 0.5 * factors.normal * tilt * (tilt + 1.0);
    let unit = envelope.log_unit();
    let rounding =
        (1e-14 + factors.normal_error) * normal.abs() + 1e-15 * (unit.abs() + normal.abs() + log.abs());
    unit + normal + log + rounding
}

/// An upper bound of `K(c)`.
pub(crate) fn log_moment(factors: &Factors, tilt: f64) -> Option<f64> {
    let normal =
        0.5 * factors.normal * tilt * (tilt + 1.0) * (1.0 + factors.normal_error + 8.0 * UNIT_ROUNDOFF);
    let mut sum = normal;
    for factor in &factors.others {
        let wanted = law::RuleSpec {
            tilt,
            height: 0.0,
            beyond: tilt,
            log_tolerance: LOG_TOLERANCE_OF_BOUND - ln(factor.count),
            log_tolerance_beyond: LOG_TOLERANCE_BEYOND,
            direct: factor.count <= TUNING.direct_uses_below_cuts,
        };
        let law = TiltedLaw::new(factor, wanted, &factor.rule(wanted)?);
        let term = factor.count * law.along(1.0, 1).ceilings[0];
        sum += term + 4.0 * UNIT_ROUNDOFF * (term.abs() + sum.abs());
    }
    Some(sum)
}

/// `M(λ)^k` is only a factor of the aliasing bound: two digits are enough.
const LOG_TOLERANCE_BEYOND: f64 = -5.0;
/// In a bound by one moment, `M(c)^k` is the bound itself: rules are as exact as doubles.
const LOG_TOLERANCE_OF_BOUND: f64 = -34.0;
/// If `log M(c)` of a pair has a larger error, its slice would be all error.
const KNOWN: f64 = 0.1;
