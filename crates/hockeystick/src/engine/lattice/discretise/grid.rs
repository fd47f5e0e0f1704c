//! The stretch of the lattice that a pair is put on.

use super::super::outcomes::Atom;
use hockeystick_numerics::ball::Ball;

/// The points `first·Δ + offset, …, last·Δ + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) spacing: f64,
    pub(crate) first: i64,
    pub(crate) last: i64,
    /// How far the points are moved from multiples of `Δ`.
    pub(crate) offset: f64,
    /// Are there losses below the first point?
    pub(crate) is_cut_below: bool,
    /// Are there finite losses above the last point?
    pub(crate) is_cut_above: bool,
    /// Where cells may be wider than a spacing.
    pub(crate) strides: Strides,
    /// What a lost variance costs, in units of a loss that is rounded down: half the tilt plus one.
    pub(crate) lost_per_variance: f64,
}

/// How many widths beyond one spacing there are.
pub(crate) const STRIDES: usize = 7;
/// In spacings. They are odd, so that the middles of all cells are half-way between points.
pub(crate) const WIDTHS: [i64; STRIDES] = [3, 5, 9, 17, 33, 65, 129];

/// Where cells may be wider than one spacing: little depends on outcomes there.
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

impl Grid {
    /// The point with this index, exactly.
    pub(crate) fn point(&self, index: i64) -> Ball {
        Ball::product_of(index as f64, self.spacing) + Ball::from(self.offset)
    }

    /// The point with this index, rounded: within 2 units of what it is made of.
    pub(crate) fn near(&self, index: i64) -> f64 {
        index as f64 * self.spacing + self.offset
    }

    /// The index of the last point that is not above a loss, up to rounding.
    pub(crate) fn below(&self, loss: f64) -> i64 {
        ((loss - self.offset) / self.spacing).floor() as i64
    }

    /// The index of the first point that is not below a loss, up to rounding.
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

    /// Does it matter whether an atom is on the lattice? Cells have a mass of the order of the spacing.
    pub(crate) fn is_coarse_for(&self, atom: &Atom) -> bool {
        atom.p.midpoint() > 10.0 * self.spacing
    }

    /// The same number of points, moved up by less than a spacing so that `loss` is one of them.
    pub(crate) fn through(self, loss: f64) -> Self {
        let offset = loss - self.below(loss) as f64 * self.spacing;
        Self { offset: offset.clamp(0.0, self.spacing), ..self }
    }

    /// The points in the middle between these.
    pub(crate) fn half_way(self) -> Self {
        Self { offset: self.offset + 0.5 * self.spacing, ..self }
    }

    pub(crate) fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }
}
