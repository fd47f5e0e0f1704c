//! The stretch of the lattice that a pair is put on.

use super::super::outcomes::Atom;
use hockeystick_numerics::ball::Ball;

/// The points `first·Δ + offset, …, last·Δ + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Grid {
    pub(in super::super) spacing: f64,
    pub(in super::super) first: i64,
    pub(in super::super) last: i64,
    /// How far the points are moved from multiples of `Δ`.
    pub(in super::super) offset: f64,
    /// Are there losses below the first point?
    pub(in super::super) is_cut_below: bool,
    /// Are there finite losses above the last point?
    pub(in super::super) is_cut_above: bool,
}

impl Grid {
    /// The point with this index, exactly.
    pub(super) fn point(&self, index: i64) -> Ball {
        Ball::product_of(index as f64, self.spacing) + Ball::from(self.offset)
    }

    /// The point with this index, rounded: within 2 units of what it is made of.
    pub(super) fn near(&self, index: i64) -> f64 {
        index as f64 * self.spacing + self.offset
    }

    /// The index of the last point that is not above a loss, up to rounding.
    pub(super) fn below(&self, loss: f64) -> i64 {
        ((loss - self.offset) / self.spacing).floor() as i64
    }

    /// The index of the first point that is not below a loss, up to rounding.
    pub(super) fn above(&self, loss: f64) -> i64 {
        ((loss - self.offset) / self.spacing).ceil() as i64
    }

    /// Does it matter whether an atom is on the lattice? Cells have a mass of the order of the spacing.
    pub(super) fn is_coarse_for(&self, atom: &Atom) -> bool {
        atom.p.midpoint() > 10.0 * self.spacing
    }

    /// The same number of points, moved up by less than a spacing so that `loss` is one of them.
    pub(super) fn through(self, loss: f64) -> Self {
        let offset = loss - self.below(loss) as f64 * self.spacing;
        Self { offset: offset.clamp(0.0, self.spacing), ..self }
    }

    pub(in super::super) fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }
}
