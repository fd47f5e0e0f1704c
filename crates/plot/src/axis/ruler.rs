//! The length of an axis, and places on it.

use super::{described::Axis, scale::Scale};

/// The room at an end, as a share of the axis.
const ROOM: f64 = 0.03;
/// An axis that is shorter than this part of its largest number is made longer: labels have no more digits.
const SHORTEST: f64 = 1e-11;

/// An axis with its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    pub(super) scale: Scale,
    pub(super) from: f64,
    pub(super) to: f64,
    /// There is no number to be shown: neither are ticks.
    pub(super) is_empty: bool,
}

impl Ruler {
    /// Where a number is, from 0 to 1 along the axis and beyond its ends.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (self.scale.position(value) - self.from) / (self.to - self.from)
    }

    pub(crate) fn shows(&self, value: f64) -> bool {
        self.scale.shows(value)
    }

    /// Where areas begin: at 0, or at the lower end if 0 is not shown.
    pub(crate) fn floor(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.share(0.0).clamp(0.0, 1.0),
            Scale::Logarithmic => 0.0,
        }
    }

    #[cfg(test)]
    pub(crate) fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => (self.from, self.to),
            Scale::Logarithmic => (10f64.powf(self.from), 10f64.powf(self.to)),
        }
    }

    /// The same with some room at the ends, so that no curve touches the frame. Where nothing is below 0, neither is the axis.
    pub(crate) fn with_room(self) -> Self {
        let room = ROOM * (self.to - self.from);
        let is_above = self.scale == Scale::Linear && self.from >= 0.0;
        let is_below = self.scale == Scale::Linear && self.to <= 0.0;
        let floor = if is_above { 0.0 } else { f64::NEG_INFINITY };
        let ceiling = if is_below { 0.0 } else { f64::INFINITY };
        Self { from: (self.from - room).max(floor), to: (self.to + room).min(ceiling), ..self }
    }
}

impl Axis {
    /// The axis with a range that shows `values`, or the one that was asked for.
    pub(crate) fn fitted(&self, values: impl Iterator<Item = f64>) -> Ruler {
        let shown = values.chain(self.included).filter(|&value| self.scale.shows(value));
        let positions = shown.map(|value| self.scale.position(value));
        let (low, high) =
            positions.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let (from, to) = match self.range {
            Some((from, to)) => (self.scale.position(from), self.scale.position(to)),
            None => (low, high),
        };
        // A difference of logarithms is a ratio.
        let size = match self.scale {
            Scale::Linear => from.abs().max(to.abs()),
            Scale::Logarithmic => 1.0,
        };
        let ruler = |from, to, is_empty| Ruler { scale: self.scale, from, to, is_empty };
        match from.partial_cmp(&to) {
            Some(std::cmp::Ordering::Less) if to - from > SHORTEST * size => ruler(from, to, false),
            Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal) => {
                let beside = match self.scale {
                    Scale::Linear if size > 0.0 => 0.1 * size,
                    Scale::Linear | Scale::Logarithmic => 0.5,
                };
                ruler(from - beside, to + beside, false)
            }
            Some(std::cmp::Ordering::Greater) | None => ruler(0.0, 1.0, true),
        }
    }

    /// The same with room for bars: half of the smallest distance of two of them on either side.
    pub(crate) fn fitted_around(
        &self,
        values: impl Iterator<Item = f64>,
        bars: impl Iterator<Item = f64>,
    ) -> Ruler {
        let ruler = self.fitted(values);
        let mut places: Vec<f64> =
            bars.filter(|&bar| self.scale.shows(bar)).map(|bar| self.scale.position(bar)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
        let room = 0.5 * gaps.fold(f64::INFINITY, f64::min);
        match places[..] {
            [first, .., last] if self.range.is_none() && room.is_finite() => {
                Ruler { from: ruler.from.min(first - room), to: ruler.to.max(last + room), ..ruler }
            }
            _ => ruler,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room at the end of an axis must not suggest that what is never negative could be.
    #[test]
    fn room_does_not_cross_zero() {
        let ends = |values: [f64; 2]| Axis::linear("").fitted(values.into_iter()).with_room().ends();
        assert_eq!(ends([0.01, 1.0]).0, 0.0);
        assert_eq!(ends([0.0, 1.0]), (0.0, 1.03));
        assert_eq!(ends([-1.0, 0.0]), (-1.03, 0.0));
        assert!(ends([-0.01, 1.0]).0 < -0.01 && ends([0.5, 1.0]).0 > 0.4);
    }

    #[test]
    fn what_cannot_be_shown_does_not_stretch_an_axis() {
        let ruler = Axis::logarithmic("").fitted([0.0, f64::INFINITY, f64::NAN, 1.0, 100.0].into_iter());
        assert_eq!(ruler.ends(), (1.0, 100.0));
        assert_eq!(ruler.share(10.0), 0.5);
        assert_eq!(Axis::linear("").including(0.0).fitted([1.0, 2.0].into_iter()).ends(), (0.0, 2.0));
        assert!(Axis::linear("").fitted(std::iter::empty()).ticks(6.0).is_empty());
    }

    /// One number has an axis of its own size around it: neither from −0.5 to 0.5 around 10⁻⁹ nor a unit around 10⁹.
    #[test]
    fn one_number_is_in_the_middle_of_an_axis_of_its_size() {
        for value in [1e-9, 3.0, 1e9, -2e-300, 1e300] {
            let ruler = Axis::linear("").fitted([value].into_iter());
            let (from, to) = ruler.ends();
            assert!(from < value && value < to && to - from < 0.21 * value.abs(), "{from} {value} {to}");
            assert!((ruler.share(value) - 0.5).abs() < 1e-9);
        }
        assert_eq!(Axis::linear("").fitted([0.0].into_iter()).ends(), (-0.5, 0.5));
    }

    #[test]
    fn the_largest_doubles_have_a_place() {
        let ruler = Axis::linear("").fitted([-f64::MAX, f64::MAX].into_iter()).with_room();
        assert!((ruler.share(0.0) - 0.5).abs() < 1e-9 && ruler.ticks(6.0).len() < 20);
    }
}
