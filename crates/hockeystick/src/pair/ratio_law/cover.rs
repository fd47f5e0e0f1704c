//! From a panel to a partition: cut the tails, then certify the pieces between the breakpoints.

use super::{
    Panel, integrand::Integrand, partition::Partition, peak::Peak, portion::Portion, rectangle::Rectangle,
    side::Side, tail,
};
use hockeystick_numerics::special::exp;

/// The bounds of an integrand, both as logarithms and in units of the tolerance.
pub(crate) trait Bounds {
    /// Of its modulus on a rectangle; infinite where it is not known to be analytic.
    fn inside(&self, rectangle: Rectangle) -> f64;
    /// Of the integral of its modulus from `x` to an end of the line.
    fn beyond(&self, x: f64, side: Side) -> f64;
    /// There is nothing right of here.
    fn end(&self) -> f64 {
        f64::INFINITY
    }
}

/// `e^{log_q} r^w`, or a portion of it, to a tolerance given by its logarithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded<'a> {
    pub(crate) integrand: &'a Integrand,
    pub(crate) log_tolerance: f64,
    pub(crate) portion: Portion,
    /// By how much its weight bends, or that of another portion that is to be had from the same nodes.
    pub(crate) bend: f64,
}

impl<'a> Bounded<'a> {
    pub(crate) fn new(integrand: &'a Integrand, log_tolerance: f64, portion: Portion) -> Self {
        Self { integrand, log_tolerance, portion, bend: portion.bend() }
    }
}

impl Bounds for Bounded<'_> {
    /// A weight is no larger than 1 on the real line only.
    fn inside(&self, rectangle: Rectangle) -> f64 {
        let weight = self.bend * rectangle.height * rectangle.height;
        self.integrand.log_bound(rectangle) + weight - self.log_tolerance
    }

    fn beyond(&self, x: f64, side: Side) -> f64 {
        tail::log_bound(self.integrand, self.portion, x, side) - self.log_tolerance
    }

    fn end(&self) -> f64 {
        self.portion.end()
    }
}

/// A panel without its tails, which are counted in `error` (in units of the tolerance).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trimmed {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) error: f64,
}

impl Trimmed {
    /// Cuts infinite ends where what is beyond is within the tolerance, if there is such a point.
    pub(crate) fn new(panel: &Panel, peak: Peak, bounds: &impl Bounds) -> Self {
        let mut error = 0.0;
        let mut end = |end: f64, side: Side| {
            if end.is_finite() {
                return end;
            }
            let (x, log) = tail::cut(peak, side, |x| bounds.beyond(x, side));
            error += exp(log);
            x
        };
        let (from, to) = (end(panel.from, Side::Left), end(panel.to, Side::Right).min(bounds.end()));
        Self { from, to, error }
    }

    /// What is left of two integrands on the same panel.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to), error: self.error + other.error }
    }

    /// Certified pieces, split at the points given. No pieces if a tail has no bound.
    pub(crate) fn partition(self, breaks: &[f64], bounds: &impl Bounds) -> Partition {
        self.split(Partition::with_error(self.error), breaks, bounds)
    }

    /// The same with no more than so many intervals to look at.
    pub(crate) fn limited_partition(self, most_intervals: usize, bounds: &impl Bounds) -> Partition {
        self.split(Partition::with_error(self.error).limited_to(most_intervals), &[], bounds)
    }

    fn split(self, mut partition: Partition, breaks: &[f64], bounds: &impl Bounds) -> Partition {
        let mut from = self.from;
        for &to in breaks.iter().filter(|&&x| self.from < x && x < self.to).chain([&self.to]) {
            if self.error.is_finite() {
                partition.add(from, to, &|rectangle| bounds.inside(rectangle));
            }
            from = to;
        }
        partition
    }
}
