//! The law of a group of uses, rounded to a grid, and how far its measure may be off.

use super::{
    extent::Extents,
    ladder::{Ladder, Stage},
};
use crate::engine::lattice::{Buffers, Inverted, LatticeLaw, Optimistic, Pessimistic, Spectrum};
use hockeystick_numerics::{enclosure::Enclosure, limits::check, rounding::UNIT_ROUNDOFF, special::exp};

/// To which side a law is rounded.
pub(in crate::engine::published) trait Side: Sized {
    /// Up?
    const IS_UP: bool;
}

impl Side for Pessimistic {
    const IS_UP: bool = true;
}

impl Side for Optimistic {
    const IS_UP: bool = false;
}

/// A law on a grid that is near one on its side of the truth.
///
/// # Guarantee
/// There is a law on the side of the truth, with the relative error of `law`, whose masses times `e^{cx}` (offsets apart) are within
/// `drift·S` in the 1-norm of those of `law`. `S ≥ Σ m e^{cx}` is `law.log_moment_above(c)`.
#[derive(Clone, Debug)]
pub(in crate::engine::published) struct Group<S> {
    pub(in crate::engine::published) law: LatticeLaw<S>,
    pub(in crate::engine::published) drift: f64,
}

/// What a product of groups is made of.
pub(in crate::engine::published) type Parts<S> = Vec<(Group<S>, u64)>;

/// Exponents of masses beyond this are left to other engines: nothing underflows within.
const FARTHEST: f64 = 600.0;
/// A bound on what underflows of a mass, in units of the scale.
const UNDERFLOW: f64 = 1e-60;
/// Weights per block, when a tilt is taken off.
const BLOCK: usize = 64;

/// Groups of uses under a tilt.
pub(in crate::engine::published) struct Composition {
    pub(in crate::engine::published) tilt: f64,
    pub(in crate::engine::published) extents: Extents,
    /// The part of the tilted mass of one use whose loss does not matter.
    pub(in crate::engine::published) share: f64,
}

impl Composition {
    /// Groups by the stages of a ladder, and what is left over, all on the grid of the last stage with their counts. `None` if a law has too
    /// wide a range for doubles.
    pub(in crate::engine::published) fn groups<S: Side + Clone>(
        &self,
        law: LatticeLaw<S>,
        ladder: &Ladder,
        uses: u64,
    ) -> Option<Parts<S>> {
        let last = ladder.stages.last()?;
        let ratio = |to: f64, from: f64| (to / from).round() as i64;
        let mut group = Group { law, drift: 0.0 };
        let (mut laws, mut size, mut parts) = (uses, 1, Vec::new());
        for (i, stage) in ladder.stages.iter().enumerate() {
            let is_last = i + 1 == ladder.stages.len();
            let left = if is_last { laws } else { laws % stage.uses };
            if left > 0 {
                let spacing = group.law.spacing;
                parts.push((group.clone().coarser(ratio(last.spacing, spacing), self.tilt)?, left));
            }
            if !is_last {
                let spacing = group.law.spacing;
                group = group.coarser(ratio(stage.spacing, spacing), self.tilt)?;
                size *= stage.uses;
                group = self.composed(&group, *stage, size)?;
                laws /= stage.uses;
            }
        }
        Some(parts)
    }

    /// The law of `stage.uses` groups, which are `size` uses: the masses of a window, the tilt taken off.
    fn composed<S: Side>(&self, group: &Group<S>, stage: Stage, size: u64) -> Option<Group<S>> {
        check();
        let (c, spacing, length) = (self.tilt, stage.spacing, stage.points as f64);
        let count = stage.uses as f64;
        let extent = self.extents.of(size);
        let harmless = self.share * size as f64;
        let mut spectrum = Spectrum::new(stage.points, spacing, c, extent.orders, harmless).ok()?;
        let mut buffers = Buffers::taken();
        spectrum.add(&group.law, stage.uses, &mut buffers).ok()?;
        let (_, _, orders, log_moments) = spectrum.aliasing();
        let Inverted { masses: mut window, scales } = spectrum.invert(&mut buffers).ok()?;
        buffers.give_back();
        // The window is put around the middle of the range.
        let middle = 0.5 * (extent.bottom + extent.top) / spacing;
        let first = (middle - 0.5 * length).round();
        let ends = [(first - 1.0) * spacing, (first + length) * spacing];
        let scale = scales.log_scale.midpoint();
        let exponents = ends.map(|end| (scale - c * end).abs().max((c * end).abs()));
        let farthest = exponents[0].max(exponents[1]).max(scale.abs());
        if !(farthest < FARTHEST && first.abs() < 1e9) {
            return None;
        }
        let first = first as i64;
        let turned = (first - scales.shift).rem_euclid(stage.points as i64) as usize;
        window.0.rotate_left(turned);
        let weights: [f64; BLOCK] = std::array::from_fn(|i| exp(-c * spacing * i as f64));
        let mut masses = Vec::with_capacity(stage.points);
        for (block, tilted) in window.0.chunks(BLOCK).enumerate() {
            let start = exp(scale - c * (spacing * (first + (block * BLOCK) as i64) as f64));
            masses.extend(tilted.iter().zip(&weights).map(|(mass, weight)| mass.max(0.0) * weight * start));
        }
        // Outside of the window: what is missing, and once more where it was wrapped to.
        let outside = |i: usize| {
            let log = log_moments[i] - (orders[i] - c) * ends[i];
            log + 8.0 * UNIT_ROUNDOFF * (log_moments[i].abs() + (orders[i] - c).abs() * ends[i].abs()) + 1e-9
        };
        // Exponents, exponentials and products of both weights.
        let rounding = (8.0 * farthest + 32.0) * UNIT_ROUNDOFF + scales.log_scale.width();
        let mass_at_infinity = -scales.log_finite.exp_m1();
        let law = LatticeLaw {
            spacing,
            first,
            masses,
            infinite: side::<S>(mass_at_infinity).clamp(0.0, 1.0),
            offset: side::<S>(scales.offset),
            error: (scales.log_factor.exp_m1() + rounding) * (1.0 + 1e-3),
            side: group.law.side,
        };
        if !law.is_sound() {
            return None;
        }
        let own = law.log_moment_above(c);
        let before = group.law.log_moment_above(c);
        let carried = (count * group.drift.ln_1p()).exp_m1() * exp(count * before - own);
        let computed =
            (scales.distance * length.sqrt() + length * UNDERFLOW) * exp(scales.log_scale.upper() - own);
        let left_out = 2.0 * (exp(outside(0) - own) + exp(outside(1) - own));
        // The true masses have their relative errors there, too: what is off has them.
        let drift = (carried + computed + left_out) * (1.0 + law.error) * (1.0 + 1e-6);
        drift.is_finite().then_some(Group { law, drift })
    }
}

/// The end of an enclosure that is on the safe side.
fn side<S: Side>(bounds: Enclosure) -> f64 {
    if S::IS_UP { bounds.upper() } else { bounds.lower() }
}

impl<S: Side> Group<S> {
    /// On every `ratio`-th point, a power of two: every loss rounded up, or down ([Koskela21, Lemma 6]).
    ///
    /// # Guarantee
    /// Rounding keeps the side, and moves no mass farther than the new spacing, which multiplies its tilted mass by `e^{crΔ}` at most.
    fn coarser(self, ratio: i64, tilt: f64) -> Option<Self> {
        if ratio == 1 {
            return Some(self);
        }
        let Self { law, drift } = self;
        let place = |index: i64| {
            if S::IS_UP { -(-index).div_euclid(ratio) } else { index.div_euclid(ratio) }
        };
        let (first, last) = (place(law.first), place(law.first + law.masses.len() as i64 - 1));
        let mut masses = vec![0.0; (last - first + 1) as usize];
        for (mass, index) in law.masses.iter().zip(law.first..) {
            masses[(place(index) - first) as usize] += mass;
        }
        let spacing = law.spacing * ratio as f64;
        let before = law.log_moment_above(tilt);
        // A sum of positive terms has a rounding for each.
        let error = (law.error + ratio as f64 * UNIT_ROUNDOFF) * (1.0 + 1e-3);
        let law = LatticeLaw { spacing, first, masses, error, ..law };
        let growth = if S::IS_UP { tilt * spacing } else { 0.0 };
        let change = exp(before + growth - law.log_moment_above(tilt));
        let drift = drift * change * (1.0 + law.error) * (1.0 + 1e-9);
        law.is_sound().then_some(Self { law, drift })
    }
}

/// `Π (1 + driftᵢ)^{kᵢ} − 1`, and the sum of `kᵢ log Sᵢ`.
pub(in crate::engine::published) fn total_drift<S>(parts: &[(Group<S>, u64)], tilt: f64) -> (f64, f64) {
    let log: f64 = parts.iter().map(|(group, count)| *count as f64 * group.drift.ln_1p()).sum();
    let scales = parts.iter().map(|(group, count)| *count as f64 * group.law.log_moment_above(tilt));
    // (Terms may cancel: the round-off is that of their magnitudes.)
    let log_scale: f64 = scales.map(|scale| scale + 1e-12 * scale.abs()).sum();
    (log.exp_m1() * (1.0 + 1e-9), log_scale)
}
