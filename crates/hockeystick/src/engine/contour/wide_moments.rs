//! `M` of one use along a line to more digits than doubles have, and its powers.
//!
//! Many uses multiply what one is off: a relative error of thirty digits, raised to the power 10⁸, leaves twenty-two. Their `M` is all but 1, and of these it is
//! `M − 1` that is summed to as many digits, and squared as such until it is not small any more.

use super::{
    factors::{Factor, WideRule},
    line::LinePlan,
};
use crate::{
    pair::{Line, WideNodes},
    two_threads::halves,
};
use hockeystick_numerics::{
    double_double::DoubleDouble,
    special::{exp, expm1, ln},
    vectorised::vectorised,
    wide_complex::WideComplex,
    wide_excess::{WideExcess, WideLine},
    wide_sums::{Uncertain, WideSum, WideSums},
};
use std::ops::Range;

/// From so many nodes on a second thread makes one half of them.
const MANY_NODES: usize = 64;
/// More nodes that turn, times points, take too long: each takes three nanoseconds.
const MOST_WORK: usize = 10_000_000;
/// More uses are not looked at: up to here a count is exact as a double.
const MOST_USES: f64 = 1e15;
/// Beyond these, relative errors of 106 bits are not assured.
pub(super) const LARGEST: f64 = 1e120;
const SMALLEST: f64 = 1e-120;
/// What products that leave the range of 106 bits may be off.
pub(super) const UNDERFLOW: f64 = 1e-200;
/// From so many uses on the excess of `M` over 1 is summed; up to this modulus it is squared as such.
const MANY_USES: f64 = 30.0;
const LARGEST_EXCESS: f64 = 0.5;
const U: f64 = DoubleDouble::ARITHMETIC_ERROR;

/// At the points of a line.
#[derive(Clone, Debug)]
pub(super) struct WideMoments {
    sums: Vec<WideSum>,
    /// Are they less 1?
    are_excesses: bool,
}

/// A power, and what it may be off.
#[derive(Clone, Copy)]
pub(super) struct Power {
    pub(super) value: WideComplex,
    pub(super) error: f64,
}

impl WideMoments {
    /// Of a use of a factor, with rules that leave `e^{log_tolerance}` of `M(c)`.
    pub(super) fn new(factor: &Factor, plan: LinePlan, log_tolerance: f64) -> Option<Self> {
        let excess =
            if factor.count < MANY_USES { None } else { Self::summed(factor, plan, log_tolerance, true) };
        excess.or_else(|| Self::of_part(factor, plan, log_tolerance))
    }

    /// The same of what may be far less than 1.
    pub(super) fn of_part(factor: &Factor, plan: LinePlan, log_tolerance: f64) -> Option<Self> {
        Self::summed(factor, plan, log_tolerance, false)
    }

    fn summed(factor: &Factor, plan: LinePlan, log_tolerance: f64, are_excesses: bool) -> Option<Self> {
        let line = Line {
            tilt: plan.tilt,
            height: plan.height(),
            beyond: plan.tilt,
            log_tolerance,
            log_tolerance_beyond: log_tolerance,
            direct: !are_excesses,
        };
        let rules = factor.wide_rules(line)?;
        let is_in_parts = rules.len() > 1;
        // Of what is above a cut there is no excess.
        if are_excesses != rules.iter().any(|rule| rule.of_laws.is_some()) {
            return None;
        }
        let sums = |one: Vec<WideSum>, other: Vec<WideSum>| {
            one.into_iter().zip(other).map(|(one, other)| sum(one, other)).collect()
        };
        let of_rules = rules.into_iter().map(|rule| summed_by(factor, plan, rule));
        let mut sums: Vec<WideSum> = of_rules.reduce(|one, other| Some(sums(one?, other?)))??;
        if is_in_parts {
            // The first of them is M(c), but for 1.
            let most = sums[0].value.modulus() + sums[0].error + 1.0;
            sums.iter_mut().for_each(|sum| sum.error += line.left_by_parts() * most * (1.0 + 1e-9));
        }
        Some(Self { sums, are_excesses })
    }

    /// The sums of these and others that are not less 1.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.sums.iter_mut().zip(other.sums).for_each(|(one, other)| *one = sum(*one, other));
        self
    }

    /// `M^k` at a point.
    ///
    /// # Guarantee
    /// As [`power`] and [`power_of_excess`] say.
    pub(super) fn power(&self, n: usize, count: f64) -> Option<Power> {
        if self.are_excesses { power_of_excess(self.sums[n], count) } else { power(self.sums[n], count) }
    }
}

/// What a rule makes of it: `M`, or `M − 1` if it knows what it leaves of both laws.
fn summed_by(factor: &Factor, plan: LinePlan, rule: WideRule) -> Option<Vec<WideSum>> {
    let count = rule.places.count;
    // Every other node, for those that turn farthest are next to each other.
    let some = |parts: Range<usize>| {
        let numbers = (0..count).filter(|j| parts.contains(&(j % 2)));
        if rule.of_laws.is_some() {
            excesses(factor, plan, &rule, numbers)
        } else {
            wholes(factor, plan, &rule, numbers)
        }
    };
    let (mut first, second) = halves(2, count > MANY_NODES, some);
    if let (Some(first), Some(second)) = (&mut first, second) {
        for (one, other) in first.iter_mut().zip(second?) {
            *one = sum(*one, other);
        }
    }
    let mut sums = first?;
    // `Σ p − 1` and z times `Σ pe^{−L} − Σ p` are 0 but for these.
    let [p, q] = rule.of_laws.unwrap_or_default();
    for (n, sum) in sums.iter_mut().enumerate() {
        sum.error += rule.error + (p + size(plan, n) * (p + q)) * (1.0 + 1e-9);
    }
    Some(sums)
}

/// A little more than `|z|` at a point.
fn size(plan: LinePlan, n: usize) -> f64 {
    plan.tilt.hypot(plan.step * n as f64) * (1.0 + 1e-12)
}

/// `M` of some nodes.
fn wholes(
    factor: &Factor,
    plan: LinePlan,
    rule: &WideRule,
    numbers: impl Iterator<Item = usize>,
) -> Option<Vec<WideSum>> {
    let WideNodes { losses, weights, left_out } = factor.wide_nodes(rule, plan.tilt, numbers)?;
    let step = DoubleDouble::from(plan.step);
    let values = losses.values.map(
        #[inline(always)]
        |loss| loss * step,
    );
    let of_product = |(error, angle): (&f64, &f64)| {
        1.01 * plan.step * error + 2.0 * DoubleDouble::ARITHMETIC_ERROR * angle.abs()
    };
    let errors = losses.errors.iter().zip(values.leading()).map(of_product).collect();
    let sums = WideSums::new(&weights, &Uncertain { values, errors }, plan.points)?;
    if sums.turned_terms() * plan.points > MOST_WORK {
        return None;
    }
    let mut sums = sums.along();
    sums.iter_mut().for_each(|sum| sum.error += left_out);
    Some(sums)
}

/// `M − 1` of some nodes.
fn excesses(
    factor: &Factor,
    plan: LinePlan,
    rule: &WideRule,
    numbers: impl Iterator<Item = usize>,
) -> Option<Vec<WideSum>> {
    let (pieces, left_out) = factor.wide_pieces(rule, plan.tilt, numbers)?;
    let sums = WideExcess::new(&pieces, WideLine { tilt: plan.tilt, step: plan.step, count: plan.points })?;
    if sums.turned_terms() * plan.points > MOST_WORK {
        return None;
    }
    let mut sums = sums.along();
    // Of M, of P, and z times what is left of Q and P.
    sums.iter_mut().enumerate().for_each(|(n, sum)| sum.error += left_out * (2.0 + 2.0 * size(plan, n)));
    Some(sums)
}

fn sum(a: WideSum, b: WideSum) -> WideSum {
    let value = a.value + b.value;
    let rounding = 2.0 * U * value.modulus();
    WideSum { value, error: (a.error + b.error + rounding) * (1.0 + 1e-12) }
}

/// `M^k`.
///
/// # Guarantee
/// Where M is known to a part η of it, as [`WideComplex::power`] says; where it is not, or is tiny, nothing is said but how large it may be.
pub(super) fn power(moment: WideSum, count: f64) -> Option<Power> {
    if !is_count(count) {
        return None;
    }
    let size = moment.value.modulus();
    let relative = moment.error / size * (1.0 + 1e-9) + 2.0 * WideComplex::PRODUCT_ERROR;
    let log = count * ln(size);
    if log > ln(LARGEST) || !moment.error.is_finite() {
        return None;
    }
    let is_known = count * relative < 0.5 && log > ln(SMALLEST);
    Some(if is_known {
        let value = moment.value.power(count as u64);
        Power { value, error: value.modulus() * expm1(count * relative) * (1.0 + 1e-9) }
    } else {
        Power::at_most(count * ln((size + moment.error) * (1.0 + 1e-9)))
    })
}

fn is_count(count: f64) -> bool {
    (1.0..=MOST_USES).contains(&count) && count.fract() == 0.0
}

/// `(1 + E)^k`.
///
/// # Guarantee
/// Enclosed. While the excess is small, `2E + E²` and `E + E₀ + EE₀` are off by a part of themselves in every step; from there on powers are, and what they are
/// off is multiplied no oftener than what made them large. Where they are tiny nothing is said but how large they may be.
fn power_of_excess(excess: WideSum, count: f64) -> Option<Power> {
    if !is_count(count) || !excess.error.is_finite() {
        return None;
    }
    let first = WideComplex::ONE + excess.value;
    let size = first.modulus();
    let log = count * ln(size);
    if log > ln(LARGEST) {
        return None;
    }
    if log.is_nan() || log <= ln(SMALLEST) {
        return Some(Power::at_most(count * ln((size + excess.error) * (1.0 + 1e-9))));
    }
    let base = Power { value: first, error: (excess.error + 2.0 * U * size) * (1.0 + 1e-9) };
    let power = vectorised(
        #[inline(always)]
        || {
            let n = count as u64;
            let mut small = Power { value: excess.value, error: excess.error };
            let mut bits = (0..n.ilog2()).rev();
            for bit in bits.by_ref() {
                small = small.excess_of_product(small);
                if n >> bit & 1 == 1 {
                    small = small.excess_of_product(Power { value: excess.value, error: excess.error });
                }
                if small.value.modulus() > LARGEST_EXCESS {
                    break;
                }
            }
            let value = WideComplex::ONE + small.value;
            let rounding = 2.0 * U * value.modulus();
            let mut power = Power { value, error: (small.error + rounding) * (1.0 + 1e-9) };
            for bit in bits {
                power = power.times(power);
                if n >> bit & 1 == 1 {
                    power = power.times(base);
                }
            }
            power
        },
    );
    power.error.is_finite().then_some(power)
}

impl Power {
    /// Of which nothing is known but the logarithm of a bound.
    fn at_most(log: f64) -> Self {
        Self { value: WideComplex::ZERO, error: exp(log.max(ln(SMALLEST))) * (1.0 + 1e-6) }
    }

    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let [a, b] = [self, other].map(|power| power.value.modulus() * (1.0 + 1e-12));
        let error = a * other.error + b * self.error + self.error * other.error;
        Self { value, error: (error + WideComplex::PRODUCT_ERROR * a * b) * (1.0 + 1e-9) + UNDERFLOW }
    }

    /// `(1 + a)(1 + b) − 1 = a + b(1 + a)`.
    ///
    /// # Guarantee
    /// What a is off is multiplied by `|1 + b|`, what b is by `|1 + a|`; the product is rounded, and so are the sums.
    #[inline(always)]
    fn excess_of_product(self, other: Self) -> Self {
        let more = WideComplex::ONE + self.value;
        let product = other.value * more;
        let value = self.value + product;
        let [one, two] =
            [self, other].map(|excess| (WideComplex::ONE + excess.value).modulus() * (1.0 + 1e-12));
        let carried = one * other.error + two * self.error + self.error * other.error;
        let rounded = (WideComplex::PRODUCT_ERROR + U) * product.modulus() + U * value.modulus();
        Self { value, error: (carried + rounded) * (1.0 + 1e-6) + UNDERFLOW }
    }

    pub(super) fn less(self, other: Self) -> Self {
        let value = self.value - other.value;
        let rounding = 2.0 * U * value.modulus();
        Self { value, error: (self.error + other.error + rounding) * (1.0 + 1e-9) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::factors::Factors,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::ball::Ball;
    use proptest::prelude::*;

    fn factor(text: &str, direction: Direction, uses: u64) -> Factors {
        Factors::new(&[(dominating_pair(&text.parse().unwrap(), direction).unwrap(), uses)])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Powers of what exceeds 1 are those of all of it, and known far better if there are many.
        #[test]
        fn powers_of_excesses_are_powers(
            (log_sigma, log_rate, log_uses) in (-0.5f64..2.0, -6f64..-0.1, 4f64..18.0),
            (deviations, log_height, points) in (0.3f64..3.0, -1f64..1.2, 2usize..150),
            (is_swapped, cut) in (any::<bool>(), prop::option::of((0.5f64..3.0, 0.1f64..0.3))),
        ) {
            let (sigma, rate) = (10f64.powf(log_sigma), 10f64.powf(log_rate));
            let direction = if is_swapped { Direction::Add } else { Direction::Remove };
            let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
            let factors = factor(&text, direction, exp(log_uses) as u64);
            let factors = match cut.filter(|_| !is_swapped) {
                Some((loss, sharpness)) => factors.below_cut(loss, sharpness),
                None => Some(factors),
            };
            let Some(factors) = factors else { return Ok(()) };
            let factor = &factors.others[0];
            // About as far as the common losses of all uses turn.
            let unit = 1.0 / (rate * (expm1(1.0 / (sigma * sigma)) * factor.count).sqrt()).min(30.0);
            let height = unit * 10f64.powf(log_height);
            let plan = LinePlan {
                tilt: (deviations * unit).min(20.0), step: height / points as f64, points, ..LinePlan::default()
            };
            let log_tolerance = -60.0 - ln(factor.count);
            let (Some(excess), Some(whole)) = (
                WideMoments::summed(factor, plan, log_tolerance, true),
                WideMoments::summed(factor, plan, log_tolerance, false),
            ) else { return Ok(()) };
            prop_assert!(excess.are_excesses && !whole.are_excesses);
            for n in [0, points / 2, points - 1] {
                let off = (WideComplex::ONE + excess.sums[n].value - whole.sums[n].value).modulus();
                prop_assert!(off <= excess.sums[n].error + whole.sums[n].error + 4.0 * U, "{n}: {off:e}");
                let (Some(one), Some(other)) = (excess.power(n, factor.count), whole.power(n, factor.count)) else { continue };
                let off = (one.value - other.value).modulus();
                prop_assert!(off <= one.error + other.error, "{n}: {off:e} {:e} {:e}", one.error, other.error);
                let log = factor.count * excess.sums[n].value.modulus();
                let size = whole.sums[0].value.modulus().powf(factor.count).max(1.0);
                let is_usual = size < 1e10 && sigma > 0.5 && factor.outside == 0.0;
                prop_assert!(!is_usual || one.error <= 1e-22 * (1.0 + log) * size, "{n}: {:e}", one.error);
            }
        }
    }

    /// `(1 + 10⁻⁸)^{10⁸}`, with digits that 1 + 10⁻⁸ does not have.
    #[test]
    fn digits_below_one_are_kept() {
        let excess = WideSum {
            value: WideComplex::real(DoubleDouble::from(1e-8) + DoubleDouble::from(1e-26)),
            error: 1e-40,
        };
        let Power { value, error } = power_of_excess(excess, 1e8).unwrap();
        let log = Ball::from(1e8) * (Ball::from(1e-8) + Ball::from(1e-26)).ln_1p();
        let off = (Ball::new(value.re, 0.0) - log.exp()).approximate().abs();
        assert!(off <= error + log.exp().radius(), "{off:e} {error:e}");
        assert!(error < 1e-28, "{error:e}");
        for (count, value) in [(0.5, 1e-8), (1e16, 1e-8), (1e8, 1.0)] {
            let excess = WideSum { value: WideComplex::real(DoubleDouble::from(value)), error: 0.0 };
            assert!(power_of_excess(excess, count).is_none());
        }
        // What is next to nothing is only bounded.
        let nothing = WideSum { value: WideComplex::real(DoubleDouble::from(-1.0)), error: 1e-30 };
        let Power { value, error } = power_of_excess(nothing, 1e3).unwrap();
        assert!(value == WideComplex::ZERO && error < 1e-119);
    }
}
