//! The Fourier accountant as published: losses on a fixed grid, no tilt, an absolute error bound ([Koskela21, Sec. 4 and 5]).

use super::{
    buckets::BUCKETS,
    staged::{Composition, Extents, Facts, Group, Ladder, Side as Rounded, most_accurate, total_drift},
};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    engine::{
        Goal,
        lattice::{
            Buffers, Estimate, Grid, Inverted, LossRange, Optimistic, Options, Outcomes, Pessimistic,
            PointMasses, Scales, Spectrum, TUNING,
        },
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability, rounding::UNIT_ROUNDOFF};
use std::{fmt, marker::PhantomData};

/// `δ` of one mechanism used `count` times, by [Koskela21, Alg. 1] on the right and the left grid of `n` points in `[−L, L)`; in stages, if one
/// transform is not as accurate as wanted: then the algorithm is applied to groups of uses, whose own error is added.
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
    plan: FourierPlan,
}

/// The window and the stages of the discrete Fourier accountant.
#[derive(Clone, Debug, PartialEq)]
pub struct FourierPlan {
    /// `L`.
    pub half: f64,
    /// Which uses on which grid.
    pub ladder: Ladder,
}

impl fmt::Display for FourierPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; L = {:.4}", self.ladder, self.half)
    }
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
    /// A bound on what all groups are off: their tails, and round-off.
    drift: f64,
    log_finite: Enclosure,
    offset: Enclosure,
    log_factor: f64,
    side: PhantomData<S>,
}

/// Log densities below this underflow.
const LEAST: f64 = -740.0;
/// A law that is made from tails has this many points at most: each takes ten microseconds.
const MOST_TAILS: f64 = 50_000.0;
/// The part of the allowed width of δ for the bound of Theorem 10.
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
        let estimate = Estimate::new(vec![(law.clone(), k)], goal, infinite.value().midpoint());
        let saddle = estimate.saddle();
        let asked = estimate.allowed(saddle, options.tolerance);
        let (lowest, highest) = pair.finite_losses().into_inner();
        let prepared = |allowed: f64| {
            let share = TUNING.negligible * allowed * saddle.delta / (2.0 * k);
            let range = (law.bottom(share).max(lowest.lower()), law.top(share).min(highest.upper()));
            let within = law.within(range.0, range.1);
            let window = Window::of(&within, k, SMALL_PART * allowed * saddle.delta);
            let extents = Extents::new(&within, 0.0, share, count);
            let facts = Facts {
                uses: count,
                lengths: (0..=count.ilog2()).map(|j| extents.length(1 << j)).collect(),
                period: 2.0 * window.half,
                range: range.1 - range.0,
                per_rounding: saddle.tilt,
                per_first: 0.0,
                wanted: TUNING.gap_share * asked,
                coarsest: f64::INFINITY,
                most_points: options.most_points.next_power_of_two(),
                most_cells: if outcomes.is_some() { options.most_points as f64 } else { MOST_TAILS },
            };
            Some((most_accurate(&facts)?, window, range, Composition { tilt: 0.0, extents, share }))
        };
        let (ladder, ..) = prepared(asked)?;
        let (ladder, window, (bottom, top), composition) = prepared(ladder.reachable(asked))?;
        let range = LossRange::plain(bottom, top);
        let grid = Grid::covering(&pair.finite_losses(), &range, ladder.first, 0.0)?;
        let (up, down) = BUCKETS.both(pair, outcomes.as_ref(), grid);
        let (up, down) = (composition.groups(up, &ladder, count)?, composition.groups(down, &ladder, count)?);
        Some(Self {
            upper: Side::compose(&up, &ladder, window.order)?,
            lower: Side::compose(&down, &ladder, window.order)?,
            infinite,
            largest: highest * k,
            plan: FourierPlan { half: window.half, ladder },
        })
    }

    /// What was chosen.
    pub fn plan(&self) -> &FourierPlan {
        &self.plan
    }
}

/// An estimate of the L for which the bound E of Theorem 10 is as small as wanted, and of the best λ.
#[derive(Clone, Copy, Debug)]
struct Window {
    half: f64,
    order: f64,
}

impl Window {
    /// `min_λ (max(kα⁺, kα⁻) + log(3k/E))/λ`.
    fn of(law: &PointMasses, uses: f64, wanted: f64) -> Self {
        let log = (3.0 * uses / wanted.max(1e-20)).ln();
        let window = |order: f64| {
            let largest = law.log_moment(order)[0].max(law.log_moment(-order)[0]).max(0.0);
            Self { half: (uses * largest + log) / order, order }
        };
        let windows =
            (0..80).map(|i| window(1e-3 * 1.25f64.powi(i))).filter(|window| window.half.is_finite());
        windows
            .fold(Self { half: 1e9, order: 1.0 }, |best, one| if one.half < best.half { one } else { best })
    }
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
/// `e^{−Lλ}/(1 − e^{−Lλ})`. Where α⁺ or α⁻ is 0 the quotients that are printed have no value, and the sums have. Of groups of different
/// uses, `ℓα` is the sum for the first ℓ of them.
///
/// # Guarantee
/// The transform wraps the law of the sum S around, so that its error is at most `2P(S ≥ L) + P(S < −L)`: the last terms of these sums.
fn theorem_10<S>(parts: &[(Group<S>, u64)], half: f64, order: f64) -> f64 {
    let bound = |order: f64| {
        // `Σ_ℓ e^{ℓα}`, and its last term.
        let sums = |order: f64| {
            parts.iter().fold([0.0, 1.0], |[sum, last], (group, count)| {
                let (log, count) = (group.law.log_moment_above(order), *count as f64);
                [sum + last * geometric(log, count), last * (count * log).exp() * (1.0 + 1e-9)]
            })
        };
        let ([up, last], [down, _]) = (sums(order), sums(-order));
        // An overflow must not make the bound 0.
        let fall = (half * order).exp_m1();
        if fall.is_finite() { (last + up + down) / fall } else { f64::INFINITY }
    };
    // About the best λ, and the paper's L/2.
    let orders = (-7..=7).map(|i| order * 1.15f64.powi(i)).chain([0.5 * half]);
    let best = orders.map(bound).filter(|bound| bound.is_finite());
    best.fold(f64::INFINITY, f64::min) * (1.0 + 1e-6)
}

impl<S: Rounded> Side<S> {
    fn compose(parts: &[(Group<S>, u64)], ladder: &Ladder, order: f64) -> Option<Self> {
        let (law, points) = (&parts.first()?.0.law, ladder.points());
        // Exact: the points are a power of two.
        let half = 0.5 * points as f64 * law.spacing;
        let mut spectrum = Spectrum::new(points, law.spacing, 0.0, [0.0, 1.0], 0.0).ok()?;
        let mut buffers = Buffers::taken();
        for (group, count) in parts {
            spectrum.add(&group.law, *count, &mut buffers).ok()?;
        }
        let Inverted { mut masses, scales } = spectrum.invert(&mut buffers).ok()?;
        buffers.give_back();
        let Scales { distance, shift, log_scale, log_finite, offset, log_factor } = scales;
        // The bound is that of the stored masses.
        let truncation = theorem_10(parts, half, order) * log_factor.exp();
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
        // What groups are off, as measures.
        let (drift, log_total) = total_drift(parts, 0.0);
        let drift = drift * log_total.exp() * (1.0 + 1e-9);
        let (spacing, side) = (law.spacing, PhantomData);
        Some(Self {
            spacing,
            first,
            tails,
            truncation,
            roundoff,
            drift,
            log_finite,
            offset,
            log_factor,
            side,
        })
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
        let off = self.roundoff + self.drift + undecided;
        let factor = Enclosure::new(-self.log_factor, self.log_factor).exp();
        ((sum + Enclosure::new(-off, off)) * factor, (-self.log_finite.exp_m1()).clamp(0.0, 1.0))
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
        let roundoff = (self.upper.roundoff + self.upper.drift).min(half - truncation);
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
