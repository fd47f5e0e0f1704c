//! The weights of the sides of a cut to thirty digits.
//!
//! Of the two sides of a cut one has at most a half everywhere, and that is the one that is computed: the other is what it leaves of 1.

use super::{Cut, Portion};
use hockeystick_numerics::{double_double::DoubleDouble, wide_array::WideArray, wide_sums::Uncertain};

/// So many spreads below a cut, what is above it need not be looked at: `erfc(8)/2 < 6 · 10⁻³⁰`.
const FAR_BELOW: f64 = 8.0;
const FAR_REST: f64 = 1e-29;
/// More than what is left beyond the largest number of spreads.
const LEAST_REST: f64 = 1e-273;
const U: f64 = DoubleDouble::ARITHMETIC_ERROR;

/// The smaller sides of a cut at many outcomes.
struct SmallSides {
    sides: Uncertain,
    /// Is it what is below, for the outcome is above the cut?
    is_below: Vec<bool>,
}

impl SmallSides {
    /// What is below the cut as a whole number and a number of at most one half, with what it is off.
    fn below(&self, i: usize) -> (f64, DoubleDouble, f64) {
        let (side, error) = (self.sides.values.at(i), self.sides.errors[i]);
        if self.is_below[i] { (0.0, side, error) } else { (1.0, -side, error) }
    }
}

impl Cut {
    /// Outcomes are off by U of themselves; from `far` spreads below the cut on, the smaller sides are only bounded by [`FAR_REST`].
    ///
    /// # Guarantee
    /// The place `u = (x − a)/s` is off by `U((|x| + |a|)/s + 2|u|)`, and `|d log erfc(u)/du| ≤ 2u + 1.2` for u ≥ 0.
    fn small_sides(self, outcomes: &WideArray, far: f64) -> SmallSides {
        let (at, spread) = (DoubleDouble::from(self.at), DoubleDouble::from(self.spread));
        let places = outcomes.clone().map(
            #[inline(always)]
            |x| (x - at) / spread,
        );
        let mut is_below: Vec<bool> = places.leading().iter().map(|place| *place > 0.0).collect();
        let mut sides = Uncertain { values: WideArray::default(), errors: vec![] };
        let (mut numbers, mut distances) = (vec![], WideArray::default());
        for (i, x) in outcomes.leading().iter().enumerate() {
            let place = places.at(i);
            let error = if *x > self.end {
                is_below[i] = true;
                0.0
            } else if place.hi() < -far {
                FAR_REST
            } else if place.hi().abs() > WideArray::LARGEST_ERFC {
                LEAST_REST
            } else {
                numbers.push(i);
                distances.push(if place.hi() < 0.0 { -place } else { place });
                1.0
            };
            sides.errors.push(error);
        }
        let computed = distances.clone().half_erfc();
        let mut values = vec![DoubleDouble::ZERO; outcomes.len()];
        for (n, i) in numbers.into_iter().enumerate() {
            let (x, place, side) = (outcomes.leading()[i], distances.leading()[n], computed.at(n));
            let moved = U * ((x.abs() + self.at.abs()) / self.spread + 4.0 * place);
            let relative = WideArray::half_erfc_error(place) + (2.0 * place + 1.3) * moved;
            values[i] = side;
            // e^t − 1 ≤ 1.01 t for small t; where it is not, a share is still between 0 and 1.
            sides.errors[i] = if relative < 1e-3 { 1.02 * relative * side.hi() } else { 1.0 };
        }
        values.into_iter().for_each(|value| sides.values.push(value));
        SmallSides { sides, is_below }
    }
}

impl Portion {
    /// Its weights at outcomes that are off by U of themselves, and what these leave of 1; `None` for what is above a cut.
    ///
    /// # Guarantee
    /// The errors are bounds, and small against either that is small.
    pub(super) fn wide_sides(self, outcomes: &WideArray) -> Option<[Uncertain; 2]> {
        let nothing = || Uncertain { values: WideArray::default(), errors: vec![] };
        let (mut shares, mut rests) = (nothing(), nothing());
        let sides = match self {
            Self::Whole => None,
            Self::Below(cut) => Some(cut.small_sides(outcomes, f64::INFINITY)),
            Self::Above(_) | Self::Between(..) => return None,
        };
        for i in 0..outcomes.len() {
            let (is_below, side, error) = match &sides {
                Some(SmallSides { sides, is_below }) => (is_below[i], sides.values.at(i), sides.errors[i]),
                None => (false, DoubleDouble::ZERO, 0.0),
            };
            let [small, large] = if is_below { [&mut shares, &mut rests] } else { [&mut rests, &mut shares] };
            small.values.push(side);
            small.errors.push(error);
            large.values.push(DoubleDouble::ONE - side);
            large.errors.push(1.01 * (error + 4.0 * U));
        }
        Some([shares, rests])
    }

    /// Its weights at outcomes that are off by U of themselves.
    ///
    /// # Guarantee
    /// The errors are bounds, small against a weight that is small, but for what [`FAR_REST`] leaves of one that is next to 1.
    pub(super) fn wide_shares(self, outcomes: &WideArray) -> Uncertain {
        let mut shares = Uncertain { values: WideArray::default(), errors: vec![] };
        let mut push = |whole: f64, parts: [(DoubleDouble, f64); 2]| {
            let [(a, a_error), (b, b_error)] = parts;
            shares.values.push(DoubleDouble::from(whole) + (a + b));
            let size = whole.abs() + a.hi().abs() + b.hi().abs();
            shares.errors.push(1.01 * (a_error + b_error + 4.0 * U * size));
        };
        const NONE: (DoubleDouble, f64) = (DoubleDouble::ZERO, 0.0);
        let all = 0..outcomes.len();
        match self {
            Self::Whole => all.for_each(|_| push(1.0, [NONE; 2])),
            Self::Below(cut) => {
                let sides = cut.small_sides(outcomes, FAR_BELOW);
                all.map(|i| sides.below(i))
                    .for_each(|(whole, part, error)| push(whole, [(part, error), NONE]));
            }
            Self::Above(cut) => {
                let sides = cut.small_sides(outcomes, f64::INFINITY);
                all.map(|i| sides.below(i))
                    .for_each(|(whole, part, error)| push(1.0 - whole, [(-part, error), NONE]));
            }
            Self::Between(low, high) => {
                let [low, high] = [low, high].map(|cut| cut.small_sides(outcomes, f64::INFINITY));
                for i in all {
                    let [(whole, part, error), (less, less_part, less_error)] = [high.below(i), low.below(i)];
                    push(whole - less, [(part, error), (-less_part, less_error)]);
                }
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::special::exp;
    use proptest::prelude::*;

    fn of(numbers: &[f64]) -> WideArray {
        let mut array = WideArray::default();
        numbers.iter().for_each(|x| array.push(DoubleDouble::from(*x)));
        array
    }

    proptest! {
        #[test]
        fn shares_add_up(at in -3f64..3.0, spread in 0.05f64..2.0, apart in 3f64..20.0, xs in prop::collection::vec(-40f64..40.0, 1..20)) {
            let low = Cut { at, spread, end: f64::INFINITY };
            let high = Cut { at: at + apart * spread, spread, end: at + (apart + 5.0) * spread };
            let outcomes = of(&xs);
            let [below_low, above_low, below, above, between] = [
                Portion::Below(low), Portion::Above(low), Portion::Below(high), Portion::Above(high),
                Portion::Between(Cut { end: high.end, ..low }, high),
            ].map(|portion| portion.wide_shares(&outcomes));
            for (i, x) in xs.iter().enumerate() {
                for (one, other) in [(&below_low, &above_low), (&below, &above)] {
                    let off = one.values.at(i) + other.values.at(i) - DoubleDouble::ONE;
                    prop_assert!(off.hi().abs() <= one.errors[i] + other.errors[i]);
                }
                if *x < high.end {
                    let off = below_low.values.at(i) + between.values.at(i) - below.values.at(i);
                    prop_assert!(off.hi().abs() <= below_low.errors[i] + between.errors[i] + below.errors[i]);
                } else {
                    prop_assert_eq!(between.values.at(i), DoubleDouble::ZERO);
                }
                prop_assert!(above.errors[i] <= 1e-24 * above.values.at(i).hi() + 1e-272);
                prop_assert!(between.errors[i] <= 1e-24 * between.values.at(i).hi() + 1e-272, "{} {:e}", x, between.errors[i]);
                prop_assert!(below.errors[i] <= 1e-24 * below.values.at(i).hi() + 1e-272);
            }
        }

        /// As doubles know them.
        #[test]
        fn shares_are_what_weights_are(at in -3f64..3.0, spread in 0.1f64..2.0, x in -30f64..30.0) {
            let cut = Cut { at, spread, end: at + 7.0 * spread };
            for portion in [Portion::Below(cut), Portion::Above(cut)] {
                let share = portion.wide_shares(&of(&[x])).values.at(0).hi();
                let weight = portion.weighed(x, x.abs());
                let allowed = 1e-15 * (weight.error + weight.log.max(-700.0).abs() + 8.0);
                prop_assert!((share - exp(weight.log)).abs() <= allowed * share + 1e-272, "{share:e}");
            }
        }
    }

    /// Far from a cut a share is known to more digits than doubles have, however it was cut.
    #[test]
    fn nothing_is_left_beyond_the_end() {
        let cut = Cut { at: 1.5, spread: 0.25, end: 4.0 };
        let outcomes = of(&[-3.0, 4.5]);
        let [below, above] =
            [Portion::Below(cut), Portion::Above(cut)].map(|portion| portion.wide_shares(&outcomes));
        assert!(below.errors[0] < 1e-28 && above.errors[0] < 1e-100);
        assert_eq!((below.values.at(1), above.values.at(1)), (DoubleDouble::ZERO, DoubleDouble::ONE));
    }
}
