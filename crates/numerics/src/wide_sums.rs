//! `Σ wⱼ e^{inθⱼ}` for n = 0, 1, 2, … with 106 bits.
//!
//! Where a result hardly differs from another one, doubles do not tell them apart. Terms that turn nearly alike all along are summed as a
//! polynomial in n that is turned as a whole; of the others each is turned by a product for each n, which takes a few nanoseconds.

use crate::{
    double_double::DoubleDouble,
    error_free::two_sum,
    rounding::SQUARED_ROUNDOFF as UNIT,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::{self, WideComplex},
};
use std::ops::Range;

/// Accumulators that do not wait for each other.
const LANES: usize = 16;
/// Terms that turn no farther than this from each other's middle have a polynomial, if there are so many: it takes as long as about half of them.
pub(crate) const FARTHEST: f64 = 6.0;
const LEAST_GROUP: usize = 24;
/// The powers it has, for `6^54/54!` is below 10⁻²⁹, and how many of these need more digits than doubles have: beyond, all of them are less than 2 · 10⁻¹⁵.
const POWERS: usize = 54;
const WIDE_POWERS: usize = 38;
/// Weights that are smaller than this part of the largest one are left out.
const NEGLIGIBLE: f64 = 1e-38;
/// Powers that are smaller are left out; with all nodes there are fewer than 10⁸.
const TINY: f64 = 1e-250;
pub(crate) const ALL_TINY: f64 = 1e8 * LARGEST * TINY;
/// What it leaves of the sum of all moduli, and `e^6`.
pub(crate) const LEFT: f64 = 1e-28;
const LARGEST: f64 = 404.0;
/// What roundings leave of a polynomial, in units of u² and of `e^6`.
const ROUNDINGS: f64 = 1280.0;

/// Weights at angles, for so many n.
#[derive(Clone, Debug, Default)]
pub struct WideSums {
    count: usize,
    groups: Groups,
    /// The weights of the others, and what turns them.
    weights: WideArray,
    turns: WideComplexArray,
    /// What the weights are off, together.
    uncertain: f64,
    /// `Σ |w|` times what the angle is off.
    turned: f64,
    /// `Σ |w|`, or a little more.
    mass: f64,
}

/// Terms that turn nearly alike, group by group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    groups: Vec<Group>,
    /// The number of terms in the largest.
    largest: usize,
}

/// One group: what turns it, and `Σ w (N(θ − θ₀))^m/m!` for all powers, where `N = count − 1` and θ₀ is its angle.
#[derive(Clone, Debug)]
struct Group {
    turn: WideComplex,
    moments: Vec<DoubleDouble>,
    terms: usize,
}

/// A sum, and what it may be off.
#[derive(Clone, Copy, Debug)]
pub struct WideSum {
    /// The value as computed.
    pub value: WideComplex,
    /// A bound of its distance from the truth.
    pub error: f64,
}

/// Numbers, and what each may be off.
#[derive(Clone, Debug, Default)]
pub struct Uncertain {
    /// The numbers as computed.
    pub values: WideArray,
    /// Bounds of their distances from the truth.
    pub errors: Vec<f64>,
}

impl Uncertain {
    /// Numbers that are off by nothing.
    #[cfg(test)]
    pub(crate) fn exactly(numbers: impl Iterator<Item = DoubleDouble>) -> Self {
        let mut values = WideArray::default();
        numbers.for_each(|x| values.push(x));
        Self { errors: vec![0.0; values.len()], values }
    }
}

impl WideSums {
    /// For weights and as many angles, of which neighbours turn most alike. `None` if there is no turn by one of these.
    #[must_use]
    pub fn new(weights: &Uncertain, angles: &Uncertain, count: usize) -> Option<Self> {
        let mut sums = Self { count, ..Self::default() };
        let (mut kept, mut kept_angles) = (WideArray::default(), WideArray::default());
        let largest =
            weights.values.leading().iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        for i in 0..weights.values.len() {
            let (weight, angle) = (weights.values.at(i), angles.values.at(i));
            // Products of such small numbers may underflow, and take long.
            if weight.hi().abs() < NEGLIGIBLE * largest {
                sums.uncertain += weight.hi().abs() * (1.0 + 1e-12) + weights.errors[i];
                continue;
            }
            kept.push(weight);
            kept_angles.push(angle);
            let size = weight.hi().abs() * (1.0 + 1e-12) + weights.errors[i];
            sums.uncertain += weights.errors[i];
            sums.turned += size * angles.errors[i];
            sums.mass += size;
        }
        let mut single_angles = WideArray::default();
        let mut groups = Vec::new();
        let mut at = 0;
        while at < kept.len() {
            let (end, middle) = alike(&kept_angles.leading()[at..], count);
            match Group::new(&kept, &kept_angles, (at..at + end, middle), count) {
                Some(group) => {
                    groups.push(group);
                    at += end;
                }
                None => {
                    sums.weights.push(kept.at(at));
                    single_angles.push(kept_angles.at(at));
                    at += 1;
                }
            }
        }
        let largest = groups.iter().map(|group| group.terms).max().unwrap_or(0);
        sums.groups = Groups { groups, largest };
        sums.turns = single_angles.cis()?;
        let grouped = sums.groups.largest > 0;
        sums.uncertain += if grouped { ALL_TINY } else { 0.0 };
        // All that is not a number shows here.
        (sums.uncertain + sums.turned + sums.mass).is_finite().then_some(sums)
    }

    /// The number of terms that are turned one by one, or take as long.
    #[must_use]
    pub fn turned_terms(&self) -> usize {
        self.weights.len() + LEAST_GROUP / 2 * self.groups.groups.len()
    }

    /// The sums for n = 0 … count − 1.
    ///
    /// # Guarantee
    /// A term is turned n times, by a factor that is off by [`WideComplex::CIS_ERROR`] and what its angle is off, and each product is rounded. Of m terms
    /// in a lane the sum is off by 4mu² of the sum of their moduli, for it is split anew after each of them.
    /// Of a polynomial, the m-th coefficient is a sum of products of m + 1 numbers, over m!, and takes part in m/2 steps of Horner's rule; no
    /// more than 4m + 8 operations, each of which is rounded by 16u². As `Σ (4m + 8) 6^m/m! = 32e⁶`, they are off by 512u² of that with the
    /// square, what is taken from the angles and what these are multiplied by. Powers that are left out are less than 10⁻²⁹, and those that are summed in doubles are
    /// off by less than 40u of `2 · 10⁻¹⁵`. A group is turned as a term is, and for every eighth n by eight turns at once.
    #[must_use]
    pub fn along(&self) -> Vec<WideSum> {
        let mut terms = Terms::new(&self.weights);
        let turns = padded_parts(&self.turns);
        let of_sums = sum_error(self.weights.len());
        let of_groups = 2.0 * DoubleDouble::ARITHMETIC_ERROR * (self.groups.groups.len() + 1) as f64;
        let of_powers = LARGEST * powers_error(self.groups.largest) + LEFT;
        let of_each = of_sums + of_groups + of_powers + WideComplex::PRODUCT_ERROR;
        let groups = self.groups.along(self.count);
        let of_step = (WideComplex::CIS_ERROR + 1.2 * WideComplex::PRODUCT_ERROR) * self.mass + self.turned;
        let mut sums = Vec::with_capacity(self.count);
        for n in 0..self.count {
            let error = self.uncertain + of_each * self.mass + n as f64 * of_step;
            let value = terms.sum() + WideComplex { re: groups.re.at(n), im: groups.im.at(n) };
            let rounding = 4.0 * DoubleDouble::ARITHMETIC_ERROR * value.modulus();
            sums.push(WideSum { value, error: (error + rounding) * (1.0 + 1e-6) });
            if n + 1 < self.count {
                terms.advance(&turns);
            }
        }
        sums
    }
}

/// What the sum over so many terms in lanes is off, relative to the sum of their moduli.
pub(crate) fn sum_error(terms: usize) -> f64 {
    4.0 * UNIT * (terms / LANES + 2 * LANES) as f64
}

/// What a polynomial of so many terms is off, but for what it leaves, relative to the sum of all moduli.
pub(crate) fn powers_error(terms: usize) -> f64 {
    sum_error(terms) + UNIT * ROUNDINGS
}

/// How many of some angles, from the first on, are no farther from each other than the terms of a group, and their middle.
fn alike(angles: &[f64], count: usize) -> (usize, f64) {
    let farthest = 2.0 * FARTHEST / (count as f64 * (1.0 + 1e-9));
    let (mut least, mut most) = (angles[0], angles[0]);
    let end = angles.iter().position(|angle| {
        let (lower, upper) = (least.min(*angle), most.max(*angle));
        let is_alike = upper - lower <= farthest;
        if is_alike {
            (least, most) = (lower, upper);
        }
        !is_alike
    });
    (end.unwrap_or(angles.len()), 0.5 * (least + most))
}

impl Group {
    /// `None` if there are few, an angle is too far from the middle, which may be if it is rounded by much, or there is no turn by that.
    fn new(
        weights: &WideArray,
        angles: &WideArray,
        (range, middle): (Range<usize>, f64),
        count: usize,
    ) -> Option<Self> {
        if range.len() < LEAST_GROUP {
            return None;
        }
        let angle = DoubleDouble::from(middle);
        let (mut some, mut differences) = (WideArray::default(), WideArray::default());
        for i in range.clone() {
            some.push(weights.at(i));
            differences.push(angles.at(i) - angle);
        }
        let is_near = |difference: &f64| difference.abs() * count as f64 <= FARTHEST;
        let whole = count.saturating_sub(1) as f64;
        let is_group = differences.leading().iter().all(is_near);
        let turn = WideComplex::cis(angle).filter(|_| is_group)?;
        Some(Self { turn, moments: moments(some, &differences, whole), terms: range.len() })
    }
}

/// So many points at a time.
const POINTS: usize = 8;

/// `n/N` and `−(n/N)²` for so many n as fill all lanes.
struct Parts {
    x: WideArray,
    square: WideArray,
}

impl Parts {
    fn new(count: usize) -> Self {
        let whole = DoubleDouble::from(count.saturating_sub(1).max(1) as f64);
        let padded = count.div_ceil(POINTS) * POINTS;
        let x = WideArray::from_leading((0..padded).map(|n| n.min(count) as f64).collect()).map(
            #[inline(always)]
            |n| n / whole,
        );
        let square = x.clone().map(
            #[inline(always)]
            |x| -(x * x),
        );
        Self { x, square }
    }
}

impl Groups {
    /// One group that is not turned, of all terms.
    pub(crate) fn of_middle(weights: WideArray, angles: &WideArray, count: usize) -> Self {
        let largest = weights.len();
        let whole = count.saturating_sub(1) as f64;
        let group =
            Group { turn: WideComplex::ONE, moments: moments(weights, angles, whole), terms: largest };
        Self { groups: vec![group], largest }
    }

    /// Sets the coefficients of the first powers of all groups.
    pub(crate) fn replace_first(&mut self, coefficients: [DoubleDouble; 2]) {
        self.groups.iter_mut().for_each(|group| group.moments[..2].copy_from_slice(&coefficients));
    }

    /// The sums over all groups for n = 0 … count − 1, and some more.
    pub(crate) fn along(&self, count: usize) -> WideComplexArray {
        let parts = Parts::new(count);
        let padded = parts.x.len();
        let mut sums = WideComplexArray { re: WideArray::zeros(padded), im: WideArray::zeros(padded) };
        for group in &self.groups {
            group.add_to(&mut sums, &parts);
        }
        sums
    }
}

impl Group {
    /// Adds `e^{inθ₀} Σ a (in/N)^m`, a real and an imaginary polynomial in the square; of the highest powers doubles have digits enough.
    fn add_to(&self, sums: &mut WideComplexArray, parts: &Parts) {
        // The first turns, and the one by as many points.
        let mut turned = [[0.0; POINTS]; 4];
        let mut turn = WideComplex::ONE;
        for lane in 0..POINTS {
            for (list, part) in turned.iter_mut().zip(turn.halves()) {
                list[lane] = part;
            }
            turn = turn * self.turn;
        }
        let farther = turn.halves();
        let ((xs, x_lows), (squares, square_lows)) = (parts.x.halves(), parts.square.halves());
        let ((re, re_low), (im, im_low)) = (sums.re.halves_mut(), sums.im.halves_mut());
        vectorised(
            #[inline(always)]
            || {
                for chunk in 0..xs.len() / POINTS {
                    let range = chunk * POINTS..(chunk + 1) * POINTS;
                    let [x, x_low, square, square_low]: [&[f64; POINTS]; 4] =
                        [xs, x_lows, squares, square_lows].map(|list| lanes(&list[range.clone()]));
                    let mut values = [[0.0; POINTS]; 4];
                    let [even, even_low, odd, odd_low] = &mut values;
                    for pair in self.moments[WIDE_POWERS..].chunks_exact(2).rev() {
                        for lane in 0..POINTS {
                            even[lane] = even[lane] * square[lane] + pair[0].hi();
                            odd[lane] = odd[lane] * square[lane] + pair[1].hi();
                        }
                    }
                    for pair in self.moments[..WIDE_POWERS].chunks_exact(2).rev() {
                        for lane in 0..POINTS {
                            let square = DoubleDouble::of_halves(square[lane], square_low[lane]);
                            let next = DoubleDouble::of_halves(even[lane], even_low[lane]) * square + pair[0];
                            (even[lane], even_low[lane]) = (next.hi(), next.lo());
                        }
                        for lane in 0..POINTS {
                            let square = DoubleDouble::of_halves(square[lane], square_low[lane]);
                            let next = DoubleDouble::of_halves(odd[lane], odd_low[lane]) * square + pair[1];
                            (odd[lane], odd_low[lane]) = (next.hi(), next.lo());
                        }
                    }
                    let (re, re_low) = (&mut re[range.clone()], &mut re_low[range.clone()]);
                    let (im, im_low) = (&mut im[range.clone()], &mut im_low[range.clone()]);
                    for lane in 0..POINTS {
                        let imaginary = DoubleDouble::of_halves(odd[lane], odd_low[lane])
                            * DoubleDouble::of_halves(x[lane], x_low[lane]);
                        let turn = turned.map(|list| list[lane]);
                        let value = [even[lane], even_low[lane], imaginary.hi(), imaginary.lo()];
                        let [a, a_low, b, b_low] = wide_complex::product(turn, value);
                        let real = DoubleDouble::of_halves(re[lane], re_low[lane])
                            + DoubleDouble::of_halves(a, a_low);
                        let imaginary = DoubleDouble::of_halves(im[lane], im_low[lane])
                            + DoubleDouble::of_halves(b, b_low);
                        (re[lane], re_low[lane]) = (real.hi(), real.lo());
                        (im[lane], im_low[lane]) = (imaginary.hi(), imaginary.lo());
                    }
                    for lane in 0..POINTS {
                        let next = wide_complex::product(turned.map(|list| list[lane]), farther);
                        for (list, part) in turned.iter_mut().zip(next) {
                            list[lane] = part;
                        }
                    }
                }
            },
        );
    }
}

/// The lanes of a list that is as long.
#[inline(always)]
fn lanes(list: &[f64]) -> &[f64; POINTS] {
    list.try_into().expect("as many as there are lanes")
}

/// `Σ w (Nθ)^m/m!` for all powers.
fn moments(weights: WideArray, angles: &WideArray, whole: f64) -> Vec<DoubleDouble> {
    if weights.is_empty() {
        return vec![];
    }
    let whole = DoubleDouble::from(whole);
    let angles = angles.clone().map(
        #[inline(always)]
        |angle| angle * whole,
    );
    let (mut terms, mut factorial) = (weights, DoubleDouble::ONE);
    let mut moments = Vec::with_capacity(POWERS);
    for m in 0..POWERS {
        if m > 0 {
            terms = terms.zip(
                &angles,
                #[inline(always)]
                |term, angle| {
                    let next = term * angle;
                    // Products of such small numbers may underflow, and take long.
                    if next.hi().abs() < TINY { DoubleDouble::ZERO } else { next }
                },
            );
            factorial = factorial * DoubleDouble::from(m as f64);
        }
        moments.push(sum_of(&terms) / factorial);
    }
    moments
}

/// High and low halves of real and imaginary parts, with zeros up to a whole number of lanes.
fn padded_parts(numbers: &WideComplexArray) -> [Vec<f64>; 4] {
    let length = numbers.re.len().div_ceil(LANES) * LANES;
    let [re, im] = [&numbers.re, &numbers.im].map(WideArray::halves);
    [re.0, re.1, im.0, im.1].map(|half| {
        let mut padded = half.to_vec();
        padded.resize(length, 0.0);
        padded
    })
}

/// The terms for one n: high and low halves of real and imaginary parts.
struct Terms {
    parts: [Vec<f64>; 4],
}

impl Terms {
    fn new(weights: &WideArray) -> Self {
        let zeros = WideArray::zeros(weights.len());
        Self { parts: padded_parts(&WideComplexArray { re: weights.clone(), im: zeros }) }
    }

    fn advance(&mut self, turns: &[Vec<f64>; 4]) {
        vectorised(
            #[inline(always)]
            || {
                let length = self.parts[0].len();
                let [c, c_low, d, d_low] = turns.each_ref().map(|list| &list[..length]);
                let [a, a_low, b, b_low] = self.parts.each_mut().map(|list| &mut list[..length]);
                for i in 0..length {
                    [a[i], a_low[i], b[i], b_low[i]] = wide_complex::product(
                        [a[i], a_low[i], b[i], b_low[i]],
                        [c[i], c_low[i], d[i], d_low[i]],
                    );
                }
            },
        );
    }

    fn sum(&self) -> WideComplex {
        let [re, re_low, im, im_low] = &self.parts;
        WideComplex { re: sum_of_halves(re, re_low), im: sum_of_halves(im, im_low) }
    }
}

pub(crate) fn sum_of(numbers: &WideArray) -> DoubleDouble {
    let (high, low) = numbers.halves();
    let whole = high.len() / LANES * LANES;
    let rest = (whole..high.len()).fold(DoubleDouble::ZERO, |sum, i| sum + numbers.at(i));
    sum_of_halves(&high[..whole], &low[..whole]) + rest
}

/// The sum of numbers in two halves, a whole number of lanes of them.
fn sum_of_halves(high: &[f64], low: &[f64]) -> DoubleDouble {
    vectorised(
        #[inline(always)]
        || {
            let (mut sums, mut rests) = ([0.0; LANES], [0.0; LANES]);
            for (high, low) in high.chunks_exact(LANES).zip(low.chunks_exact(LANES)) {
                for lane in 0..LANES {
                    let (sum, rest) = two_sum(sums[lane], high[lane]);
                    // Where the high halves cancel, what is left is not below their sum.
                    (sums[lane], rests[lane]) = two_sum(sum, rests[lane] + (rest + low[lane]));
                }
            }
            halve::<8>(&mut sums, &mut rests);
            halve::<4>(&mut sums, &mut rests);
            halve::<2>(&mut sums, &mut rests);
            halve::<1>(&mut sums, &mut rests);
            DoubleDouble::of_halves(sums[0], rests[0])
        },
    )
}

/// Adds so many lanes to as many others, so that none waits for another.
#[inline(always)]
fn halve<const N: usize>(sums: &mut [f64; LANES], rests: &mut [f64; LANES]) {
    for lane in 0..N {
        let sum = DoubleDouble::of_halves(sums[lane], rests[lane])
            + DoubleDouble::of_halves(sums[lane + N], rests[lane + N]);
        (sums[lane], rests[lane]) = (sum.hi(), sum.lo());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Against a turn of each term by n times its angle.
        #[test]
        fn sums_are_as_exact_as_stated(
            terms in prop::collection::vec((-12f64..2.0, prop_oneof![-4f64..4.0, -0.05f64..0.05, -1e-3f64..1e-3], -1f64..1.0), 1..60),
            count in 1usize..300,
        ) {
            let wide = |x: f64, t: f64| DoubleDouble::from_sum(x, x * t * 2f64.powi(-54));
            let terms: Vec<(DoubleDouble, DoubleDouble)> =
                terms.into_iter().map(|(log, angle, t)| (wide(10f64.powf(log), t), wide(angle, -t))).collect();
            let (weights, angles) =
                (Uncertain::exactly(terms.iter().map(|term| term.0)), Uncertain::exactly(terms.iter().map(|term| term.1)));
            let mass: f64 = terms.iter().map(|(weight, _)| weight.hi()).sum();
            let along = WideSums::new(&weights, &angles, count).unwrap().along();
            prop_assert_eq!(along.len(), count);
            for n in [0, count / 2, count - 1] {
                let mut truth = WideComplex::ZERO;
                for (weight, angle) in &terms {
                    let turn = WideComplex::cis(*angle * DoubleDouble::from(n as u64)).unwrap();
                    truth = truth + WideComplex::real(*weight) * turn;
                }
                // The angle of the reference is rounded to 2^-102 of 1200.
                let of_reference = mass * (WideComplex::CIS_ERROR + 1300.0 * DoubleDouble::ARITHMETIC_ERROR);
                let off = (along[n].value - truth).modulus();
                prop_assert!(off <= along[n].error + of_reference, "{n}: {off:e} {:e}", along[n].error);
                prop_assert!(along[n].error <= mass * 1e-28 * (n as f64 + 80.0), "{n}: {:e}", along[n].error);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Neighbours that turn nearly alike are summed together, far from the angle 0 and next to it.
        #[test]
        fn groups_are_as_exact_as_stated(
            (from, log_length, bend) in (-3f64..3.0, -5f64..-0.5, 0f64..3.0),
            (nodes, count) in (60usize..400, 2usize..300),
            log_falls in -20f64..20.0,
        ) {
            let length = 10f64.powf(log_length);
            let terms: Vec<(DoubleDouble, DoubleDouble)> = (0..nodes)
                .map(|j| {
                    let part = j as f64 / nodes as f64;
                    let weight = DoubleDouble::from_sum((log_falls * part).exp(), 1e-18 * part);
                    let angle = DoubleDouble::from_sum(length * (bend * part).exp(), from) + DoubleDouble::from(1e-19 * part);
                    (weight, angle)
                })
                .collect();
            let (weights, angles) =
                (Uncertain::exactly(terms.iter().map(|term| term.0)), Uncertain::exactly(terms.iter().map(|term| term.1)));
            let mass: f64 = terms.iter().map(|(weight, _)| weight.hi()).sum();
            let sums = WideSums::new(&weights, &angles, count).unwrap();
            let span = length * bend.exp_m1() * bend.exp() * count as f64;
            prop_assert!(span > 6.0 || sums.groups.largest > LEAST_GROUP, "{span}");
            let along = sums.along();
            for n in [0, 1, count / 2, count - 1] {
                let mut truth = WideComplex::ZERO;
                for (weight, angle) in &terms {
                    let turn = WideComplex::cis(*angle * DoubleDouble::from(n as u64)).unwrap();
                    truth = truth + WideComplex::real(*weight) * turn;
                }
                let size = 8.0 * count as f64;
                let of_reference = mass * (WideComplex::CIS_ERROR + (size + nodes as f64) * DoubleDouble::ARITHMETIC_ERROR);
                let off = (along[n].value - truth).modulus();
                prop_assert!(off <= along[n].error + of_reference, "{n}: {off:e} {:e}", along[n].error);
                prop_assert!(along[n].error <= mass * 1e-28 * (n as f64 + 120.0), "{n}: {:e}", along[n].error);
                // They are off by less than what is stated of as many turns.
                prop_assert!(off <= mass * 1e-28 * (n as f64 + 10.0), "{n}: {off:e}");
            }
        }
    }

    #[test]
    fn what_is_off_is_counted() {
        let number = |error: f64, x: f64| Uncertain {
            errors: vec![error],
            ..Uncertain::exactly([DoubleDouble::from(x)].into_iter())
        };
        let along = WideSums::new(&number(1e-20, 1.0), &number(1e-21, 1.0), 3).unwrap().along();
        assert!(along[0].error >= 1e-20 && along[2].error >= 1.2e-20 && along[2].error < 1.3e-20);
        for angle in [1e300, f64::NAN] {
            assert!(WideSums::new(&number(0.0, 1.0), &number(0.0, angle), 3).is_none());
        }
        assert!(WideSums::new(&number(0.0, f64::NAN), &number(0.0, 1.0), 3).is_none());
    }
}
