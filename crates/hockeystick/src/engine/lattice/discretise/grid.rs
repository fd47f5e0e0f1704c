//! The stretch of the lattice that a pair is put on.

use crate::pair::SharedPair;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// The points `first·Δ, …, last·Δ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) spacing: f64,
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Grid {
    /// The point with this index, exactly.
    pub(super) fn point(&self, index: i64) -> Ball {
        Ball::product_of(index as f64, self.spacing)
    }

    /// Covers the losses of a pair: up to where at most `above` of `P`'s mass has a larger finite loss, and down to where at
    /// most `below` has a smaller one. Only the width of an answer depends on where exactly that is.
    ///
    /// `None` if that takes more than `most` points.
    pub(crate) fn covering(
        pair: &SharedPair,
        spacing: f64,
        above: f64,
        below: f64,
        most: usize,
    ) -> Option<Self> {
        let (lowest, highest) = pair.finite_losses().into_inner();
        let infinite = pair.infinite_mass().value().midpoint();
        let is_enough_above = |x: f64| pair.delta(Ball::from(x)).value().upper() - infinite <= above;
        let is_enough_below = |x: f64| pair.tails(Ball::from(-x)).p.complement().upper() <= below;
        let top = reach(highest, is_enough_above);
        let bottom = -reach(-lowest, is_enough_below);
        if !((top - bottom) / spacing < most as f64 && top.abs().max(bottom.abs()) / spacing < 1e15) {
            return None;
        }
        let first = (bottom / spacing).floor() as i64;
        let last = (top / spacing).ceil() as i64;
        Some(Self { spacing, first, last: last.max(first + 1) })
    }

    pub(crate) fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }
}

/// A number at which `is_enough` holds, not far beyond the first such; never beyond the end of the support.
fn reach(end: Enclosure, is_enough: impl Fn(f64) -> bool) -> f64 {
    let end = end.upper();
    let start = if end.is_finite() { end } else { 1.0 };
    if is_enough(-1e-12) && end <= 0.0 {
        return end.max(-700.0);
    }
    let mut high =
        start.abs().clamp(1e-6, 1e3).min(if end.is_finite() { end.max(1e-6) } else { f64::INFINITY });
    while !is_enough(high) && high < 1e6 && high < end {
        high = (high * 2.0).min(end);
    }
    let mut low = 0.0;
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high
}
