//! Where a threshold lies, for a loss that is spread over `[−r, r]`.

use super::Tails;
use hockeystick_numerics::{ball::Ball, probability::Probability};

/// Which of `ε < −r`, `−r ≤ ε < r` and `r ≤ ε` cannot be excluded. At least one holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    below: bool,
    inside: bool,
    above: bool,
}

impl Stretch {
    /// The stretches that some number in `epsilon` may lie in, `r` being some number in `reach`.
    pub(super) fn of(epsilon: Ball, reach: Ball) -> Self {
        let (over, under) = ((epsilon - reach).enclosure(), (epsilon + reach).enclosure());
        Self {
            below: under.lower() < 0.0,
            inside: under.upper() >= 0.0 && over.lower() < 0.0,
            above: over.upper() >= 0.0,
        }
    }

    /// A quantity with one formula for each stretch: the hull of those that may apply.
    ///
    /// # Guarantee
    /// Each formula need only enclose the truth on its own stretch.
    pub(super) fn select<T: Hull>(
        self,
        below: impl FnOnce() -> T,
        inside: impl FnOnce() -> T,
        above: impl FnOnce() -> T,
    ) -> T {
        let first = self.below.then(below);
        let second = self.inside.then(inside);
        let third = self.above.then(above);
        [first, second, third].into_iter().flatten().reduce(T::hull).expect("some stretch holds")
    }
}

/// What can be one of two.
pub(super) trait Hull {
    /// The smallest enclosure of both.
    fn hull(self, other: Self) -> Self;
}

impl Hull for Probability {
    fn hull(self, other: Self) -> Self {
        Self::hull(self, other)
    }
}

impl Hull for Tails {
    fn hull(self, other: Self) -> Self {
        Self { p: self.p.hull(other.p), q: self.q.hull(other.q) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::double_double::DoubleDouble;

    #[test]
    fn the_ends_belong_to_the_right_stretch() {
        let of = |epsilon: f64| {
            let stretch = Stretch::of(Ball::from(epsilon), Ball::from(0.1));
            (stretch.below, stretch.inside, stretch.above)
        };
        assert_eq!(of(-0.1f64.next_up()), (true, false, false));
        assert_eq!(of(-0.1), (false, true, false));
        assert_eq!(of(0.1f64.next_down()), (false, true, false));
        assert_eq!(of(0.1), (false, false, true));
    }

    #[test]
    fn what_cannot_be_told_is_kept() {
        let around = Ball::new(DoubleDouble::from(0.1), 1e-30);
        let stretch = Stretch::of(around, Ball::from(0.1));
        assert_eq!((stretch.below, stretch.inside, stretch.above), (false, true, true));
        let one = Probability::ZERO.opposite();
        let either = stretch.select(|| unreachable!(), || one, || Probability::ZERO);
        assert_eq!(either, Probability::UNKNOWN);
        let nothing = Stretch::of(Ball::from(f64::NAN), Ball::from(0.1));
        assert_eq!((nothing.below, nothing.inside, nothing.above), (true, true, true));
    }
}
