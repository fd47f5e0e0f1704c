//! The points of a grid for the losses of a pair.

use super::tuning::{STRIDES, TUNING, WIDTHS};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::ops::RangeInclusive;

/// The points `first·Δ + offset, …, last·Δ + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) spacing: f64,
    pub(crate) first: i64,
    pub(crate) last: i64,
    /// The offset of the points from multiples of `Δ`.
    pub(crate) offset: f64,
    /// Are there losses below the first point?
    pub(crate) is_cut_below: bool,
    /// Are there finite losses above the last point?
    pub(crate) is_cut_above: bool,
    /// Where cells may be wider than a spacing.
    pub(crate) strides: Strides,
    /// The cost of a lost variance relative to that of a loss rounded down: `(c + 1)/2`.
    pub(crate) lost_per_variance: f64,
}

/// Where cells may be wider than one spacing, because the outcomes there contribute little.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strides {
    /// From these indices up, for each width.
    pub(crate) from: [i64; STRIDES],
    /// Up to these indices.
    pub(crate) to: [i64; STRIDES],
}

impl Strides {
    /// One spacing everywhere.
    pub(crate) const NONE: Self = Self { from: [i64::MAX; STRIDES], to: [i64::MIN; STRIDES] };
}

/// The losses of one use that matter, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LossRange {
    pub(crate) bottom: f64,
    pub(crate) top: f64,
    /// Below and above these losses cells may be as wide as each of the widths.
    pub(crate) rare_below: [f64; STRIDES],
    pub(crate) rare_above: [f64; STRIDES],
}

impl LossRange {
    /// All losses matter alike.
    pub(crate) fn plain(bottom: f64, top: f64) -> Self {
        let (rare_below, rare_above) = ([f64::NEG_INFINITY; STRIDES], [f64::INFINITY; STRIDES]);
        Self { bottom, top, rare_below, rare_above }
    }
}

impl Grid {
    /// The points that cover the finite losses of a pair within a range. `None` if indices would not be exact.
    pub(crate) fn covering(
        losses: &RangeInclusive<Enclosure>,
        range: &LossRange,
        spacing: f64,
        tilt: f64,
    ) -> Option<Self> {
        let (lowest, highest) = (losses.start().lower(), losses.end().upper());
        let is_cut_below = lowest < range.bottom - spacing;
        let is_cut_above = highest > range.top + spacing;
        let low = if is_cut_below { range.bottom } else { lowest };
        let high = if is_cut_above { range.top } else { highest };
        // Indices, and sums of 10⁹ of them, must be exact in 64 bits.
        let reach = low.abs().max(high.abs()) / spacing;
        if reach.is_nan() || reach >= 1e9 {
            return None;
        }
        let (first, last) = ((low / spacing).floor() as i64 - 2, (high / spacing).ceil() as i64 + 2);
        let last = last.max(first + 4);
        // The cost of a cell goes with the square of its width only while e^{cL} varies little across it.
        let is_narrow = |level: usize| spacing * WIDTHS[level] as f64 * (tilt + 1.0) <= TUNING.widest_cell;
        let index = |loss: f64| ((loss / spacing).clamp(-2e9, 2e9) as i64).clamp(first - 1, last + 1);
        let mut strides = Strides::NONE;
        let are_all_alike = range.rare_above[0] == f64::INFINITY && range.rare_below[0] == f64::NEG_INFINITY;
        for level in (0..STRIDES).take_while(|level| !are_all_alike && is_narrow(*level)) {
            strides.from[level] = index(range.rare_above[level]);
            strides.to[level] = index(range.rare_below[level]);
        }
        let lost_per_variance = 0.5 * (tilt + 1.0);
        Some(Self {
            spacing,
            first,
            last,
            offset: 0.0,
            is_cut_below,
            is_cut_above,
            strides,
            lost_per_variance,
        })
    }

    /// The point with this index, exactly.
    pub(crate) fn point(&self, index: i64) -> Ball {
        Ball::product_of(index as f64, self.spacing) + Ball::from(self.offset)
    }

    /// The point with this index, with a rounding error of 2 units of both terms.
    pub(crate) fn near(&self, index: i64) -> f64 {
        index as f64 * self.spacing + self.offset
    }

    /// The index of the last point at or below a loss, up to rounding.
    pub(crate) fn below(&self, loss: f64) -> i64 {
        ((loss - self.offset) / self.spacing).floor() as i64
    }

    /// The index of the first point at or above a loss, up to rounding.
    pub(crate) fn above(&self, loss: f64) -> i64 {
        ((loss - self.offset) / self.spacing).ceil() as i64
    }

    /// The width of a cell that starts at an index and lies above it (`sign > 0`) or below, in spacings.
    pub(crate) fn stride(&self, index: i64, sign: f64) -> i64 {
        let Strides { from, to } = &self.strides;
        let mut stride = 1;
        for ((from, to), width) in from.iter().zip(to).zip(WIDTHS) {
            let (low, high) = if sign > 0.0 { (index, index + width) } else { (index - width, index) };
            if low < *from && high > *to {
                break;
            }
            stride = width;
        }
        stride
    }

    /// Does it matter whether an atom of this mass is a point? Cells have a mass of the order of the spacing.
    pub(crate) fn is_coarse_for(&self, mass: f64) -> bool {
        mass > TUNING.heavy_atom * self.spacing
    }

    /// The grid shifted up by less than a spacing, so that `loss` is one of its points.
    pub(crate) fn through(self, loss: f64) -> Self {
        let offset = loss - self.below(loss) as f64 * self.spacing;
        Self { offset: offset.clamp(0.0, self.spacing), ..self }
    }

    /// The midpoints of this grid.
    pub(crate) fn half_way(self) -> Self {
        Self { offset: self.offset + 0.5 * self.spacing, ..self }
    }

    pub(crate) fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }
}
