//! The Fourier accountant as published: losses on a fixed grid, no tilt, an absolute error bound ([Koskela21, Sec. 4 and 5]).

use super::buckets::BUCKETS;
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    engine::{
        Goal,
        lattice::{
            Buffers, Estimate, Grid, Inverted, LatticeLaw, LooseAtoms, Optimistic, Options, Outcomes,
            Pessimistic, PointMasses, Scales, Spectrum, Strides, TUNING, spacing_of_gap,
        },
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability, rounding::UNIT_ROUNDOFF};
use std::marker::PhantomData;

/// `δ` of one mechanism used `count` times, by [Koskela21, Alg. 1] on the right and the left grid of `n` points in `[−L, L)`.
///
/// # Guarantee
/// `δ^L(ε) − E ≤ δ(ε) ≤ δ^R(ε) + E` with the bound E of [Koskela21, Thm 10] for truncation and periodisation (at the best of several λ,
/// where the paper takes λ = L/2), and with a bound on round-off, which the theorem leaves out. E is absolute: below a δ of about 10⁻¹²
/// nothing is left of the lower end, and the tilted lattice does better.
#[derive(Clone, Debug)]
pub struct Fourier {
    upper: Side<Pessimistic>,
    lower: Side<Optimistic>,
    infinite: Probability,
    largest: Enclosure,
}

/// One grid's law, composed.
#[derive(Clone, Debug)]
struct Side<S> {
    spacing: f64,
    /// The index of the first point, −n/2.
    first: i64,
    /// `Σ_{m ≥ n} b_m` and `Σ_{m ≥ n} b_m e^{−(x_m − x_n)}`.
    tails: Vec<[f64; 2]>,
    /// A bound on truncation and periodisation.
    truncation: f64,
    /// A bound on round-off.
    roundoff: f64,
    log_finite: Enclosure,
    offset: Enclosure,
    log_factor: f64,
    side: PhantomData<S>,
}

/// Log densities below this underflow.
const LEAST: f64 = -740.0;
/// The share of the tolerance for the bound of Theorem 10.
const SMALL_PART: f64 = 0.05;

impl Fourier {
    /// Composes `count` uses of a pair. `None` if that is not possible on a grid with so many points.
    pub fn compose(pair: &SharedPair, count: u64, goal: Goal, options: Options) -> Option<Self> {
        let outcomes = Outcomes::of(pair, LEAST);
        let law = outcomes.as_ref().map_or_else(
            || PointMasses::of_tails(pair),
            |outcomes| PointMasses::of_outcomes(outcomes, LEAST, 1),
        );
        if law.is_empty() {
            return None;
        }
        let k = count as f64;
        let log_finite = pair.infinite_mass().complement().ln() * k;
        let infinite = Probability::from_both(-log_finite.exp_m1(), log_finite.exp());
        let half = half_length(&law, k, goal, options.tolerance);
        let estimate = Estimate::new(vec![(law, k)], goal, infinite.value().midpoint());
        let saddle = estimate.saddle();
        let gap = BUCKETS.gap(k, LooseAtoms::default(), saddle.tilt);
        let allowed = TUNING.gap_share * estimate.allowed(saddle, options.tolerance);
        let wanted = spacing_of_gap(gap, allowed, saddle);
        let points = ((2.0 * half / wanted).ceil().clamp(64.0, 1e15) as usize).next_power_of_two();
        let points = points.min(options.most_points.next_power_of_two());
        let (lowest, highest) = pair.finite_losses().into_inner();
        let (spacing, middle) = (2.0 * half / points as f64, (points / 2) as i64);
        let grid = Grid {
            spacing,
            first: -middle,
            last: middle - 1,
            offset: 0.0,
            is_cut_below: lowest.lower() < -half,
            is_cut_above: highest.upper() > half - 2.0 * spacing,
            strides: Strides::NONE,
            lost_per_variance: 0.5,
        };
        let up = BUCKETS.pessimistic(pair, outcomes.as_ref(), grid);
        let down = BUCKETS.optimistic(pair, outcomes.as_ref(), grid);
        Some(Self {
            upper: Side::compose(&up, count, points, half)?,
            lower: Side::compose(&down, count, points, half)?,
            infinite,
            largest: highest * k,
        })
    }
}

/// An estimate of the L for which the bound of Theorem 10 is small: `min_λ (max(kα⁺, kα⁻) + log(3k/E))/λ`.
fn half_length(law: &PointMasses, uses: f64, goal: Goal, tolerance: f64) -> f64 {
    let delta = match goal {
        Goal::Epsilon { delta } => delta,
        Goal::Delta { .. } => 1e-12,
    };
    let wanted = (3.0 * uses / (SMALL_PART * tolerance * delta).max(1e-20)).ln();
    let length = |order: f64| {
        let largest = law.log_moment(order)[0].max(law.log_moment(-order)[0]).max(0.0);
        (uses * largest + wanted) / order
    };
    (0..80).map(|i| length(1e-3 * 1.25f64.powi(i))).filter(|length| length.is_finite()).fold(1e9, f64::min)
}

/// `Σ_{ℓ=1}^{n} e^{ℓa}`, rounded up.
fn geometric(a: f64, n: f64) -> f64 {
    let sum = if (a * n).abs() < 1e-9 {
        n * (1.0 + 2e-9)
    } else {
        (a + (a * n).exp_m1().abs().ln()).exp() / a.exp_m1().abs()
    };
    sum * (1.0 + 1e-9)
}

/// The bound of [Koskela21, Thm 10], as the sums of its proof: `2e^{kα⁺} + Σ_{ℓ<k} e^{ℓα⁺} + Σ_{ℓ≤k} e^{ℓα⁻}`, times
/// `e^{−Lλ}/(1 − e^{−Lλ})`. Where α⁺ or α⁻ is 0 the quotients that are printed have no value, and the sums have.
fn theorem_10<S>(law: &LatticeLaw<S>, uses: f64, half: f64) -> f64 {
    let bound = |order: f64| {
        let (up, down) = (law.log_moment_above(order), law.log_moment_above(-order));
        let sums = 2.0 * (uses * up).exp() + geometric(up, (uses - 1.0).max(0.0)) + geometric(down, uses);
        // An overflow must not make the bound 0.
        let fall = (half * order).exp_m1();
        if fall.is_finite() { sums / fall } else { f64::INFINITY }
    };
    let best = (0..16).map(|i| bound(0.5 * half * 0.6f64.powi(i - 6))).filter(|bound| bound.is_finite());
    best.fold(f64::INFINITY, f64::min) * (1.0 + 1e-6)
}

impl<S> Side<S> {
    fn compose(law: &LatticeLaw<S>, count: u64, points: usize, half: f64) -> Option<Self> {
        let truncation = theorem_10(law, count as f64, half);
        let mut spectrum = Spectrum::new(points, law.spacing, 0.0, [0.0, 1.0], 0.0).ok()?;
        let mut buffers = Buffers::taken();
        spectrum.add(law, count, &mut buffers).ok()?;
        let Inverted { mut masses, scales } = spectrum.invert(&mut buffers).ok()?;
        buffers.give_back();
        let Scales { distance, shift, log_scale, log_finite, offset, log_factor } = scales;
        // Index 0 of the transform is the sum with all losses smallest; the grid begins at −n/2.
        let first = -((points / 2) as i64);
        masses.0.rotate_left((first - shift).rem_euclid(points as i64) as usize);
        let scale = log_scale.exp();
        let decay = (-law.spacing).exp();
        let mut sums = [0.0; 2];
        let mut tails: Vec<[f64; 2]> = masses.0.iter().map(|&mass| [mass * scale.midpoint(), 0.0]).collect();
        for tail in tails.iter_mut().rev() {
            sums = [sums[0] + tail[0], sums[1] * decay + tail[0]];
            *tail = sums;
        }
        // Every point has a weight below 1: ‖e‖₁ ≤ √n‖e‖₂. The running sums add n roundings.
        let size = points as f64;
        let roundoff = distance * size.sqrt() * scale.upper() + 6.0 * size * UNIT_ROUNDOFF + scale.width();
        let (spacing, side) = (law.spacing, PhantomData);
        Some(Self { spacing, first, tails, truncation, roundoff, log_finite, offset, log_factor, side })
    }

    /// `Σ_{ℓ ≥ ℓ_ε} (1 − e^{ε−x_ℓ}) b_ℓ`, with round-off, and the mass at infinity.
    fn value(&self, epsilon: f64) -> (Enclosure, Enclosure) {
        let at = Enclosure::point(epsilon) - self.offset;
        // (Indices far beyond the grid saturate.)
        let index = ((at.lower() / self.spacing).floor() as i64).saturating_add(1);
        let place = index.saturating_sub(self.first).max(0) as usize;
        let sum = self.tails.get(place).map_or(Enclosure::ZERO, |[a, b]| {
            let y = Enclosure::point((self.first + place as i64) as f64) * self.spacing - at;
            Enclosure::point(*a) - (-y).exp() * *b
        });
        let undecided = 2.0 * at.width() + 1e-14 * (at.upper().abs() + self.spacing);
        let off = self.roundoff + undecided;
        let factor = Enclosure::new(-self.log_factor, self.log_factor).exp();
        (sum * factor + Enclosure::new(-off, off), (-self.log_finite.exp_m1()).clamp(0.0, 1.0))
    }
}

impl PrivacyProfile for Fourier {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let ((up, up_infinite), (down, down_infinite)) =
            (self.upper.value(epsilon), self.lower.value(epsilon));
        let high = (up + up_infinite + self.upper.truncation).clamp(0.0, 1.0).upper();
        let low = (down - self.lower.truncation).clamp(0.0, 1.0) + down_infinite;
        let bounds = Enclosure::new(low.lower().min(high), high);
        let half = 0.5 * bounds.width();
        let truncation = self.upper.truncation.min(half);
        let roundoff = self.upper.roundoff.min(half - truncation);
        let budget = Budget {
            discretisation: half - truncation - roundoff,
            truncation,
            roundoff,
            ..Budget::default()
        };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }
}
