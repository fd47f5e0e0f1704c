//! A composition along a vertical line, and δ from it by the trapezoidal rule.

use super::{
    chernoff::log_kappa,
    decay::Envelope,
    factors::Factors,
    hits::{Avoided, Hits, log_sum},
    plan::Aim,
    small_losses::Blocks,
    tilted::{LogMoments, TiltedLaw},
    wide_terms::WideTerms,
};
use crate::{curve::Budget, pair, two_threads::both_or_none};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, expm1, ln, modulus},
    trigonometric_sum::TrigonometricSum,
};
use num_complex::Complex;
use std::{
    f64::consts::{PI, TAU},
    fmt,
};

/// Which line, and which points of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinePlan {
    /// `c`.
    pub tilt: f64,
    /// `h`: the points are `c + inh`. 0 if they are on a hyperbola through c.
    pub step: f64,
    /// The number of points with `n ≥ 0`.
    pub points: usize,
    /// `λ > c`, through which losses beyond a period are bounded. Between the poles, `−1 ≤ λ < c`.
    pub beyond: f64,
    /// The relative width of δ that is expected, round-off not counted.
    pub expected_width: f64,
}

impl LinePlan {
    /// Up to where its points go.
    pub(super) fn height(&self) -> f64 {
        self.step * (self.points - 1) as f64
    }
}

impl fmt::Display for LinePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.step == 0.0 {
            return write!(
                f,
                "{} points of a hyperbola through z = {:.4}, for losses that are not large enough by themselves",
                self.points, self.tilt
            );
        }
        write!(
            f,
            "{} points on Re z = {:.4}, {:.4} apart; the law wraps around after {:.4}; expected relative width of δ {:.0e}",
            self.points,
            self.tilt,
            self.step,
            TAU / self.step,
            self.expected_width
        )
    }
}

/// `K = Σ k log M` at the points of a line.
#[derive(Clone, Debug)]
pub(super) struct ComposedLine {
    pub(super) plan: LinePlan,
    /// `K(z_n)`.
    values: Vec<Complex<f64>>,
    /// What each may be off.
    errors: Vec<f64>,
    /// Upper bounds of `Re K(z_n)`.
    ceilings: Vec<f64>,
    /// What does not depend on ε, once all factors are added.
    terms: Terms,
    /// The summands to as many, if these are wanted.
    wide: Option<WideTerms>,
    /// An upper bound of `K(λ)`.
    pub(super) log_beyond: f64,
    /// `log` of a bound of `(1/π) ∫ |M(c + it)| dt/t²` from the last point on.
    log_tail: f64,
    /// `log` of a bound of `g` everywhere.
    log_most: f64,
}

/// What of a pair is meant, or below a cut.
struct Below {
    moments: LogMoments,
    log_beyond: f64,
}

/// What of a pair is above a cut.
struct Hit {
    count: f64,
    log_whole_beyond: f64,
    sums: Hits,
    avoided: Avoided,
}

/// The summands at ε = 0, relative to `M(c)`.
#[derive(Clone, Debug, Default)]
struct Terms {
    /// `M(z)/(M(c) z(z + 1))`, half of it for the first.
    values: TrigonometricSum,
    /// The sum of their moduli.
    mass: f64,
    /// The sum of their moduli times `|z|`.
    spread: f64,
    /// What they may be off together.
    error: f64,
}

/// What is known of an integral before it is summed.
struct Doubt {
    /// `M(c)e^{−cε}`.
    scale: Enclosure,
    /// What a summand of 1 is in δ, at most.
    unit: f64,
    /// What the rounding of exponents does to the sum.
    exponents: f64,
    /// What the errors of the terms make in δ.
    quadrature: f64,
    /// What is beyond the last point.
    truncation: f64,
}

/// A sum, and what it may be off.
pub(super) struct Sum {
    pub(super) value: Enclosure,
    roundoff: f64,
    quadrature: f64,
    truncation: f64,
}

impl Sum {
    /// Of a number between 0 and 1 that aliases raise by no more than `aliasing`.
    pub(super) fn above_by(self, aliasing: f64) -> Integral {
        let Self { value, roundoff, quadrature, truncation } = self;
        let off = (roundoff + quadrature + truncation) * (1.0 + 1e-12);
        if !(off + aliasing).is_finite() {
            let budget = Budget { truncation: 0.5, ..Budget::default() };
            return Integral { bounds: Enclosure::new(0.0, 1.0), budget };
        }
        let low = Enclosure::point(value.lower()) - off - aliasing;
        let high = Enclosure::point(value.upper()) + off;
        let bounds = Enclosure::new(low.lower().min(high.upper()), high.upper()).clamp(0.0, 1.0);
        let budget =
            Budget { aliasing: 0.5 * aliasing, truncation, quadrature, roundoff, ..Budget::default() };
        Integral { bounds, budget }
    }
}

/// δ of the finite losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integral {
    pub(super) bounds: Enclosure,
    pub(super) budget: Budget,
}

impl Integral {
    pub(super) fn relative_width(&self) -> f64 {
        self.bounds.width() / self.bounds.upper().max(f64::MIN_POSITIVE)
    }

    /// Of the swapped pair at ε, from what the pair has at −ε: `H_α(Q‖P) = 1 − α + α H_{1/α}(P‖Q)`.
    pub(super) fn mirrored(self, epsilon: f64) -> Self {
        let epsilon = Enclosure::point(epsilon);
        let bounds = self.bounds * epsilon.exp() - epsilon.exp_m1();
        Self { bounds: bounds.clamp(0.0, 1.0), ..self }
    }

    /// Of two disjoint sets of outcomes.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { bounds: self.bounds + other.bounds, budget: self.budget + other.budget }
    }

    /// From a sum that aliases raise, and from which what is beyond the last point is missing.
    fn of_wide(sum: Ball, truncation: f64, aliasing: f64) -> Self {
        let off = truncation + aliasing;
        if !(sum.is_finite() && off.is_finite()) {
            let budget = Budget { truncation: 0.5, ..Budget::default() };
            return Self { bounds: Enclosure::new(0.0, 1.0), budget };
        }
        let bounds = off_by(sum, truncation, aliasing).enclosure();
        let roundoff = 0.5 * bounds.width() - truncation - 0.5 * aliasing;
        let budget = Budget {
            aliasing: 0.5 * aliasing,
            truncation,
            roundoff: roundoff.max(sum.radius()),
            ..Budget::default()
        };
        Self { bounds: bounds.clamp(0.0, 1.0), budget }
    }

    /// Is its width no more than this part of `e^{log_delta}`, or of itself, as a logarithm?
    pub(super) fn is_within(&self, log_delta: f64, log_part: f64) -> bool {
        ln(self.bounds.width()) <= log_delta + log_part || self.relative_width() <= exp(log_part)
    }
}

/// A number of which a sum is known that aliases raise by no more than `aliasing`, and from which no more than `truncation` is missing or too much.
fn off_by(sum: Ball, truncation: f64, aliasing: f64) -> Ball {
    if !(truncation + aliasing).is_finite() {
        return Ball::new(sum.midpoint(), f64::INFINITY);
    }
    let raised = Ball::from(Enclosure::new(0.0, aliasing));
    let sum = sum - raised;
    Ball::new(sum.midpoint(), (sum.radius() + truncation) * (1.0 + 1e-12))
}

impl ComposedLine {
    /// Evaluates every factor along the line; `None` if a pair has no rule for it, or only one of too many nodes.
    pub(super) fn new(
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
    pub(super) fn of(
        factors: &Factors,
        envelope: &mut Envelope,
        plan: LinePlan,
        exactness: Exactness,
    ) -> Option<Self> {
        let height = plan.height();
        let Exactness { log_tolerance, most_direct, blocks } = exactness;
        let mut line = Self::of_normal(factors, plan);
        let mut hits: Vec<Hit> = Vec::new();
        for (index, factor) in factors.others.iter().enumerate() {
            check();
            let count = factor.count;
            // Between the poles M(c) may be far below 1.
            let log_size = if plan.tilt < 0.0 { envelope.log_moment(index).min(0.0) } else { 0.0 };
            let slice = factors.hits.as_ref().and_then(|hits| hits[index].as_ref());
            let below = slice.map_or(factor, |slice| &slice.below);
            let wanted = pair::Line {
                tilt: plan.tilt,
                height,
                beyond: plan.beyond,
                log_tolerance: log_tolerance - ln(count) + log_size,
                log_tolerance_beyond: LOG_TOLERANCE_BEYOND - ln(count),
                direct: count <= most_direct || below.is_calm(),
            };
            let along = || {
                let rule = below.rule(wanted)?;
                let law = TiltedLaw::new(below, wanted, &rule, plan.points);
                let is_too_much = law.work(plan.points) > MOST_WORK;
                (!is_too_much).then(|| Below {
                    moments: law.along(plan.step, plan.points, blocks),
                    log_beyond: law.log_beyond,
                })
            };
            // Where there is no rule for what is above, that is seen before anything else is summed.
            let (above, Below { mut moments, mut log_beyond }) = match slice {
                Some(slice) => {
                    let wanted = pair::Line { log_tolerance, ..wanted };
                    let above = || {
                        let rule = slice.above.rule(wanted)?;
                        let hits = Hits::new(wanted, &rule);
                        let along = hits.along(plan.step, plan.points);
                        Some((hits, along))
                    };
                    let (above, below) = both_or_none(above, along)?;
                    (Some(above), below)
                }
                None => (None, along()?),
            };
            if let Some((sums, along)) = above {
                let avoided = sums.join(count, &mut moments, &along);
                // The envelope takes M(c) as known but for this.
                if moments.errors[0].is_nan() || moments.errors[0] >= KNOWN {
                    return None;
                }
                log_beyond = log_sum(log_beyond, sums.log_beyond);
                hits.push(Hit { count, log_whole_beyond: log_beyond, sums, avoided });
            }
            envelope.raise(index, moments.ceilings[0]);
            for n in 0..plan.points {
                // Of what is cut, hits know what is off.
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

    /// Sums it to more digits than doubles have, if the factors that it was drawn for are known to as many, by rules that are exact to
    /// `e^{log_tolerance}`, relative to `M(c)` and divided by the number of uses.
    pub(super) fn widened(self, factors: &Factors, log_tolerance: f64) -> Self {
        let wide = self.wide.or_else(|| WideTerms::new(factors, self.plan, log_tolerance));
        Self { wide, ..self }
    }

    /// Is it summed to more digits than doubles have?
    pub(super) fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// `g(ε)` with as many digits as there are.
    pub(super) fn ball(&self, epsilon: f64) -> Ball {
        let Some(wide) = &self.wide else { return Ball::from(self.integral(epsilon).bounds) };
        off_by(wide.sum(epsilon), self.doubt(epsilon).truncation, self.aliasing(epsilon))
    }

    /// How wide `g(ε)` is.
    pub(super) fn width(&self, epsilon: f64) -> f64 {
        if self.is_wide() { 2.0 * self.ball(epsilon).radius() } else { self.integral(epsilon).bounds.width() }
    }

    /// Does what its digits leave in doubt exceed what may be left, and would no more than what is enough be left with more of them?
    pub(super) fn lacks_digits(&self, epsilon: f64, most: f64, enough: f64) -> bool {
        let Budget { aliasing, truncation, quadrature, roundoff, .. } = self.integral(epsilon).budget;
        let is_missing = quadrature + roundoff > 0.5 * most && aliasing + truncation <= 0.5 * enough;
        is_missing && self.wide.is_none()
    }

    /// With what is beyond the last point bounded by `e^{log_tail}`.
    pub(super) fn ended(mut self, log_tail: f64) -> Self {
        self.terms = Terms::of(&self);
        self.log_tail = log_tail;
        self
    }

    /// Multiplies by another law on the same line. Its end is to be found anew.
    pub(super) fn absorb(&mut self, other: &Self) {
        for n in 0..self.plan.points {
            self.add(n, other.values[n], other.errors[n], other.ceilings[n]);
        }
        self.add_beyond(other.log_beyond);
        self.wide = None;
    }

    /// Of all outcomes, keeps those with a hit.
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
            wide: None,
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

    /// `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]`.
    ///
    /// # Guarantee
    /// The infinite trapezoidal sum is `Σ_m e^{cBm} g(ε + Bm)`, `B = 2π/h`: at least g(ε), and above it by at most
    /// `g₀/(e^{cB} − 1) + κ(λ) M(λ) e^{−λε}/(e^{(λ−c)B} − 1)` with `κ(λ) = λ^λ/(1+λ)^{1+λ}` and `g ≤ g₀ ≤ 1`. What is beyond the last point is
    /// bounded by an envelope of `|M|` that falls, and every term by its own error.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        if let Some(wide) = &self.wide {
            let truncation = self.doubt(epsilon).truncation;
            let (sum, aliasing) = (wide.sum(epsilon), self.aliasing(epsilon));
            return Integral::of_wide(sum, truncation, aliasing);
        }
        self.sum(epsilon).above_by(self.aliasing(epsilon))
    }

    /// The trapezoidal sum of `(1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1))`, and what of it is in doubt.
    pub(super) fn sum(&self, epsilon: f64) -> Sum {
        let step = self.plan.step;
        let (sum, rounding) = self.terms.values.real_part(epsilon * step);
        let Doubt { scale, unit, exponents, quadrature, truncation } = self.doubt(epsilon);
        let value = Enclosure::point(sum)
            * scale
            * (Enclosure::point(step) / Enclosure::new(PI.next_down(), PI.next_up()));
        let roundoff = (rounding + exponents) * unit + 0.5 * value.width() + 1e-320;
        Sum { value, roundoff, quadrature, truncation }
    }

    /// What its errors leave in doubt at least, without the sum.
    pub(super) fn least_width(&self, epsilon: f64) -> f64 {
        let Doubt { quadrature, truncation, .. } = self.doubt(epsilon);
        2.0 * (truncation + if self.wide.is_some() { 0.0 } else { quadrature })
    }

    /// What of the error is known without the sum.
    fn doubt(&self, epsilon: f64) -> Doubt {
        let LinePlan { tilt, step, .. } = self.plan;
        let highest = self.values[0].re - tilt * epsilon;
        // The exponents are rounded: c ε, ε t, and their sums.
        let exponents = UNIT_ROUNDOFF
            * (4.0 * epsilon.abs() * self.terms.spread + (4.0 * highest.abs() + 2.0) * self.terms.mass);
        let slack = 1e-15 * (self.log_tail.abs() + (tilt * epsilon).abs() + highest.abs()) + 1e-9;
        let tail = exp(self.log_tail - tilt * epsilon - highest + slack);
        let scale = Enclosure::point(highest).exp();
        let unit = scale.upper() * step / PI * (1.0 + 1e-12);
        Doubt {
            scale,
            unit,
            exponents,
            quadrature: self.terms.error * unit,
            truncation: tail * scale.upper() * (1.0 + 1e-12),
        }
    }

    /// What the sum may exceed g(ε) by.
    fn aliasing(&self, epsilon: f64) -> f64 {
        let LinePlan { tilt, step, beyond, .. } = self.plan;
        if !(tilt > 0.0 && beyond > tilt) {
            return f64::INFINITY;
        }
        let period = TAU / step * (1.0 - 1e-15);
        let below = repeated(self.log_most, tilt * period);
        let size = self.log_beyond.abs() + (beyond * epsilon).abs();
        let log = log_kappa(beyond) + self.log_beyond - beyond * epsilon + 8.0 * UNIT_ROUNDOFF * size;
        let above = repeated(log, (beyond - tilt) * period);
        (below + above) * (1.0 + 1e-9)
    }
}

/// A bound that an envelope gives relative to its unit and the normal law, as it is.
pub(super) fn log_at_height(factors: &Factors, envelope: &Envelope, tilt: f64, log: f64) -> f64 {
    let normal = 0.5 * factors.normal * tilt * (tilt + 1.0);
    let unit = envelope.log_unit();
    let rounding =
        (1e-14 + factors.normal_error) * normal.abs() + 1e-15 * (unit.abs() + normal.abs() + log.abs());
    unit + normal + log + rounding
}

/// An upper bound of `K(c)`.
pub(super) fn log_moment(factors: &Factors, tilt: f64) -> Option<f64> {
    let normal =
        0.5 * factors.normal * tilt * (tilt + 1.0) * (1.0 + factors.normal_error + 8.0 * UNIT_ROUNDOFF);
    let mut sum = normal;
    for factor in &factors.others {
        let wanted = pair::Line {
            tilt,
            height: 0.0,
            beyond: tilt,
            log_tolerance: LOG_TOLERANCE - ln(factor.count),
            log_tolerance_beyond: LOG_TOLERANCE_BEYOND,
            direct: factor.count <= FEW || factor.is_calm(),
        };
        let law = TiltedLaw::new(factor, wanted, &factor.rule(wanted)?, 1);
        let term = factor.count * law.along(1.0, 1, Blocks::LONG).ceilings[0];
        sum += term + 4.0 * UNIT_ROUNDOFF * (term.abs() + sum.abs());
    }
    Some(sum)
}

/// `Σ e^{log − m·fall}` over m = 1, 2, …, or a little more. `e^{fall}` may overflow.
pub(super) fn repeated(log: f64, fall: f64) -> f64 {
    let slack = 1e-15 * (log.abs() + fall) + 1e-9;
    exp(log - fall + slack) / -expm1(-fall * (1.0 - 1e-9))
}

impl Terms {
    fn of(line: &ComposedLine) -> Self {
        let LinePlan { tilt, step, points, .. } = line.plan;
        let highest = line.values[0].re;
        let mut terms = Self::default();
        for n in 0..points {
            let z = Complex::new(tilt, step * n as f64);
            let share = if n == 0 { 0.5 } else { 1.0 };
            let kernel = Complex::new(share, 0.0) / (z * (z + 1.0));
            let (size, exponent) = (modulus(kernel) * (1.0 + 1e-14), line.values[n]);
            let error = line.errors[n] + 2.0 * UNIT_ROUNDOFF * (modulus(exponent) + highest.abs());
            if error < 0.5 {
                let weight = exp(exponent.re - highest);
                terms.values.push(cis(exponent.im) * weight * kernel);
                terms.mass += weight * size;
                terms.spread += weight * size * modulus(z);
                // e^x − 1 ≤ x + x² for x ≤ 1, and a dozen roundings.
                terms.error += weight * size * (error + error * error + 16.0 * UNIT_ROUNDOFF);
            } else {
                terms.values.push(Complex::new(0.0, 0.0));
                let ceiling = line.ceilings[n];
                let slack = 1e-15 * (ceiling.abs() + highest.abs()) + 1e-9;
                terms.error += exp(ceiling - highest + slack) * size;
            }
        }
        terms.error *= 1.0 + 1e-6;
        terms
    }
}

/// How exact `M` is along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exactness {
    /// Rules are made exact to this, relative to `M(c)` and divided by the number of uses.
    pub(super) log_tolerance: f64,
    /// Up to so many uses of a pair its `M` is summed as it is, which is faster.
    pub(super) most_direct: f64,
    /// How points are reached where it is not.
    pub(super) blocks: Blocks,
}

impl Exactness {
    /// Ten digits and more.
    pub(super) const USUAL: Self =
        Self { log_tolerance: LOG_TOLERANCE, most_direct: FEW, blocks: Blocks::LONG };
    /// The same for as many as are aimed at.
    pub(super) fn of(self, aim: Aim) -> Self {
        Self { log_tolerance: self.log_tolerance + aim.log_accuracy - Aim::WHOLE.log_accuracy, ..self }
    }

    /// For lines that are summed with more digits besides.
    pub(super) const DIRECT: Self = Self { most_direct: f64::INFINITY, ..Self::USUAL };
    /// The same for no more than usual of a δ that is asked for: of more uses than usual digits are enough.
    pub(super) const ROUGH: Self = Self { most_direct: MANY, ..Self::USUAL };
    /// As many as there are: for δ hardly below its value at ε = 0.
    pub(super) const ALL: Self = Self { log_tolerance: -39.0, most_direct: 0.0, blocks: Blocks::SHORT };
}

/// The rules are made exact to this unless more is asked for.
const LOG_TOLERANCE: f64 = -34.0;
/// `M(λ)^k` is a factor of a bound: two digits are enough.
const LOG_TOLERANCE_BEYOND: f64 = -5.0;
/// Up to so many uses of a pair its `M` is summed as it is.
const FEW: f64 = 300.0;
/// The same where ten digits are enough.
const MANY: f64 = 5000.0;
/// Where `log M(c)` of a pair is off by more, nothing is left of what is above a cut.
const KNOWN: f64 = 0.1;
/// Nodes times points: each costs a nanosecond or two.
const MOST_WORK: usize = 8_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{curve::PrivacyProfile, engine::closed_form::ClosedForm, pair::LossLaw};
    use hockeystick_numerics::ball::Ball;
    use proptest::prelude::*;

    fn normal_line(variance: f64, plan: LinePlan) -> ComposedLine {
        let factors = Factors { normal: variance, normal_error: 0.0, others: vec![], hits: None };
        let envelope = Envelope::new(&factors, plan.tilt, std::iter::empty());
        ComposedLine::new(&factors, envelope, plan, Exactness::USUAL).unwrap()
    }

    fn encloses(variance: f64, plan: LinePlan, epsilon: f64) -> (Enclosure, Enclosure) {
        let law = LossLaw::Normal { mu_squared: Ball::from(variance) };
        let truth = ClosedForm::compose(vec![(law, 1)]).unwrap().delta(epsilon).delta.value();
        (normal_line(variance, plan).integral(epsilon).bounds, truth)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// A plan may be as bad as it likes, and ε far from the one it was made for.
        #[test]
        fn every_line_gives_a_valid_bound(
            log_variance in -12f64..8.0,
            deviations in 0.1f64..40.0,
            farther in 0.0f64..30.0,
            period in 0.5f64..60.0,
            points in 2usize..60,
            at in -3f64..45.0,
        ) {
            let variance = exp(log_variance);
            let deviation = variance.sqrt();
            let plan = LinePlan {
                tilt: deviations / deviation,
                step: TAU / (period * deviation),
                points,
                beyond: (deviations + farther) / deviation,
                expected_width: 1.0,
            };
            let epsilon = (at * deviation + 0.5 * variance).max(0.0);
            let (bounds, truth) = encloses(variance, plan, epsilon);
            prop_assert!(
                bounds.lower() <= truth.upper() && truth.lower() <= bounds.upper(),
                "{bounds:?} misses {truth:?}"
            );
        }
    }

    /// Aliases only ever raise a sum; what is missing may be of either sign.
    #[test]
    fn sums_are_off_to_the_sides_that_they_may_be() {
        let bounds = off_by(Ball::from(1.0), 0.125, 0.5).enclosure();
        assert!(bounds.lower() <= 0.375 && bounds.upper() >= 1.125);
        assert!(bounds.lower() > 0.374 && bounds.upper() < 1.126);
        for (truncation, aliasing) in [(0.0, f64::INFINITY), (f64::INFINITY, 0.0), (f64::NAN, 0.0)] {
            let ball = off_by(Ball::from(1.0), truncation, aliasing);
            assert_eq!((ball.approximate(), ball.radius()), (1.0, f64::INFINITY));
        }
    }

    /// `e^{(λ−c)B}` overflows here, and the law still wraps around by more than a thousandth.
    #[test]
    fn an_overflow_is_not_taken_for_no_aliasing() {
        let plan = LinePlan { tilt: 1.0, step: TAU / 698.0, points: 3000, beyond: 2.02, expected_width: 1.0 };
        let line = normal_line(277.0, plan);
        let wrapped = |m: f64| {
            let law = LossLaw::Normal { mu_squared: Ball::from(277.0) };
            let there = ClosedForm::compose(vec![(law, 1)]).unwrap().delta(698.0 * m).delta.value();
            // e^{cBm} in two factors, neither of which overflows.
            there.midpoint() * exp(349.0 * m) * exp(349.0 * m)
        };
        assert!(line.aliasing(0.0) >= wrapped(1.0), "{:e} < {:e}", line.aliasing(0.0), wrapped(1.0));
    }

    /// At δ = 10⁻³⁰⁵, `e^{cB}` overflows too, and its inverse is a visible part of δ.
    #[test]
    fn tiny_aliases_are_counted() {
        let plan = LinePlan { tilt: 30.0, step: TAU / 24.0, points: 300, beyond: 60.0, expected_width: 1.0 };
        assert!(normal_line(1.0, plan).aliasing(37.0) >= 2.0e-313);
    }

    /// `λ ≤ c` proves nothing about losses beyond a period.
    #[test]
    fn a_line_without_room_on_its_right_says_nothing() {
        for beyond in [0.5, 1.0] {
            let plan = LinePlan { tilt: 1.0, step: 0.5, points: 100, beyond, expected_width: 1.0 };
            assert_eq!(normal_line(1.0, plan).aliasing(1.0), f64::INFINITY);
        }
    }
}
