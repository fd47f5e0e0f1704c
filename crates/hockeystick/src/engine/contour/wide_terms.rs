//! The summands of a line to more digits than doubles have.
//!
//! Next to ε = 0, δ is the total variation but for as little as one likes, and an ε of nine digits takes that many more of δ. With 106 bits
//! nothing has to be avoided that would lose some of them: powers are powers, and what has a hit is the difference of all and what has none.

use super::{
    factors::{Factor, Factors, WideRule},
    line::LinePlan,
};
use crate::{
    pair::{LEFT_BY_PARTS, Line, WideNodes},
    two_threads::halves,
};
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    special::{exp, expm1, ln},
    vectorised::vectorised,
    wide_complex::WideComplex,
    wide_sums::{Uncertain, WideSum, WideSums},
};
use std::{ops::Range, sync::OnceLock};

/// From so many nodes on a second thread makes one half of them.
const MANY_NODES: usize = 64;
/// More nodes that turn, times points, take too long: each takes three nanoseconds.
const MOST_WORK: usize = 10_000_000;
/// More uses are not looked at: up to here a count is exact as a double.
const MOST_USES: f64 = 1e15;
/// Beyond these, relative errors of 106 bits are not assured.
const LARGEST: f64 = 1e120;
const SMALLEST: f64 = 1e-120;

/// `M(z)/(z(z + 1))` at the points of a line, half of it for the first.
#[derive(Clone, Debug)]
pub(super) struct WideTerms {
    tilt: f64,
    step: f64,
    values: Vec<WideComplex>,
    /// What they may be off together.
    error: f64,
    /// The sums of their moduli, and of these times their number.
    mass: f64,
    turned: f64,
    /// What small angles multiply.
    powers: OnceLock<Vec<DoubleDouble>>,
}

/// Up to this angle of the last term the sum is one over powers of it, of which there are so many: `1.5^{34}/34! < 4 · 10⁻³³`.
const SMALL: f64 = 1.5;
const POWERS: usize = 34;
/// What these are off, with what is left of them: 2^-90.
const POWERS_ERROR: f64 = 8.077935669463161e-28;

/// A power, and what it may be off.
#[derive(Clone, Copy)]
pub(super) struct Power {
    pub(super) value: WideComplex,
    pub(super) error: f64,
}

impl WideTerms {
    /// With rules that leave `e^{log_tolerance}` of `M(c)` and divided by the number of uses; `None` if a factor is not known to as many digits, or all of
    /// it takes too long.
    pub(super) fn new(factors: &Factors, plan: LinePlan, log_tolerance: f64) -> Option<Self> {
        if !factors.is_wide() {
            return None;
        }
        let one = Power { value: WideComplex::ONE, error: 0.0 };
        // Products of all factors, and of what is below the cuts.
        let mut products = vec![[one; 2]; plan.points];
        for (index, factor) in factors.others.iter().enumerate() {
            let slice = factors.hits.as_ref().and_then(|hits| hits[index].as_ref());
            let of_each = log_tolerance - ln(factor.count);
            let below = moments(slice.map_or(factor, |slice| &slice.below), plan, of_each)?;
            let above = match slice {
                Some(slice) => Some(moments(&slice.above, plan, log_tolerance)?),
                None => None,
            };
            for (n, product) in products.iter_mut().enumerate() {
                let all = above.as_ref().map_or(below[n], |above| sum(below[n], above[n]));
                let [of_all, of_below] = product;
                *of_all = of_all.times(power(all, factor.count)?);
                if factors.hits.is_some() {
                    *of_below = of_below.times(power(below[n], factor.count)?);
                }
            }
        }
        let mut terms = Self {
            tilt: plan.tilt,
            step: plan.step,
            values: vec![],
            error: 0.0,
            mass: 0.0,
            turned: 0.0,
            powers: OnceLock::new(),
        };
        for (n, [of_all, of_below]) in products.into_iter().enumerate() {
            let moment = if factors.hits.is_some() { of_all.less(of_below) } else { of_all };
            terms.push(n, moment);
        }
        (terms.mass < LARGEST && terms.error.is_finite()).then_some(terms)
    }

    fn push(&mut self, n: usize, moment: Power) {
        let z = WideComplex {
            re: DoubleDouble::from(self.tilt),
            im: DoubleDouble::from_product(self.step, n as f64),
        };
        let kernel = (z * (z + WideComplex::ONE)).inverse();
        let share = if n == 0 { 0.5 } else { 1.0 };
        let value = WideComplex::real(DoubleDouble::from(share)) * moment.value * kernel;
        let size = value.modulus() * (1.0 + 1e-12);
        self.values.push(value);
        self.error += moment.error * kernel.modulus() * (1.0 + 1e-12) + KERNEL_ERROR * size + UNDERFLOW;
        self.mass += size;
        self.turned += n as f64 * size;
    }

    /// The trapezoidal sum of `(1/2πi) ∫ M(z) e^{−εz} dz/(z(z + 1))` over the points of the line.
    ///
    /// # Guarantee
    /// Enclosed.
    pub(super) fn sum(&self, epsilon: f64) -> Ball {
        let last = self.step * self.values.len() as f64;
        let (sum, off) = if (epsilon * last).abs() <= SMALL {
            self.turned_little(DoubleDouble::from_product(self.step, epsilon))
        } else {
            self.turned_by(DoubleDouble::from_product(self.step, epsilon))
        };
        let fall = (-Ball::product_of(self.tilt, epsilon)).exp();
        Ball::new(sum, (self.error + off) * (1.0 + 1e-6)) * fall * Ball::from(self.step) / Ball::pi()
    }

    /// `Σ Re(vₙ e^{−inα})`, and what that is off.
    ///
    /// # Guarantee
    /// The n-th term is turned n times; every product and every sum is rounded.
    fn turned_by(&self, angle: DoubleDouble) -> (DoubleDouble, f64) {
        let Some(turn) = WideComplex::cis(-angle) else { return (DoubleDouble::ZERO, f64::INFINITY) };
        let (mut at, mut sum) = (WideComplex::ONE, DoubleDouble::ZERO);
        for value in &self.values {
            sum = sum + (*value * at).re;
            at = at * turn;
        }
        let of_turns = (WideComplex::CIS_ERROR + WideComplex::PRODUCT_ERROR) * self.turned;
        let of_sums = DoubleDouble::ARITHMETIC_ERROR * (self.values.len() as f64 + 1.0);
        (sum, of_turns + (WideComplex::PRODUCT_ERROR + of_sums) * self.mass)
    }

    /// The same for a small angle: `Σ Re((−i)^p Σ vₙ (n/N)^p) (Nα)^p/p!`, with N terms.
    ///
    /// # Guarantee
    /// Of N terms each power is a sum, that is off by N roundings of `Σ |v|`, and has a product and a quotient for each power, and two more roundings where it is
    /// multiplied by the angle: no more than 250 in all. Together powers are `e^{1.5} Σ |v|` at most.
    fn turned_little(&self, angle: DoubleDouble) -> (DoubleDouble, f64) {
        let whole = angle * DoubleDouble::from(self.values.len() as f64);
        let powers = self.powers.get_or_init(|| self.powers());
        let sum = powers.iter().rev().fold(DoubleDouble::ZERO, |sum, power| sum * whole + *power);
        let of_sums = 4.5 * DoubleDouble::ARITHMETIC_ERROR * (self.values.len() as f64 + 1.0);
        (sum, (POWERS_ERROR + of_sums) * self.mass + UNDERFLOW)
    }

    fn powers(&self) -> Vec<DoubleDouble> {
        let whole = DoubleDouble::from(self.values.len() as f64);
        let mut powers = vec![DoubleDouble::ZERO; POWERS];
        vectorised(
            #[inline(always)]
            || {
                for (n, value) in self.values.iter().enumerate() {
                    let part = DoubleDouble::from(n as f64) / whole;
                    let square = -(part * part);
                    let (mut even, mut odd) = (value.re, value.im * part);
                    for pair in powers.chunks_exact_mut(2) {
                        (pair[0], pair[1]) = (pair[0] + even, pair[1] + odd);
                        (even, odd) = (even * square, odd * square);
                    }
                }
            },
        );
        let mut factorial = DoubleDouble::ONE;
        for (p, power) in powers.iter_mut().enumerate().skip(1) {
            factorial = factorial * DoubleDouble::from(p as f64);
            *power = *power / factorial;
        }
        powers
    }
}

/// The error of `1/(z(z + 1))` and of the products with it, relative to them: 2^-98 of the inverse, and less for the others.
const KERNEL_ERROR: f64 = 1.3e-29;
/// What products that leave the range of 106 bits may be off.
const UNDERFLOW: f64 = 1e-200;

/// `M` of a factor along the line.
fn moments(factor: &Factor, plan: LinePlan, log_tolerance: f64) -> Option<Vec<WideSum>> {
    let line = Line {
        tilt: plan.tilt,
        height: plan.height(),
        beyond: plan.tilt,
        log_tolerance,
        log_tolerance_beyond: log_tolerance,
        direct: true,
    };
    let rules = factor.wide_rules(line)?.into_iter().map(|rule| moments_by(factor, plan, rule));
    let sums = |one: Vec<WideSum>, other: Vec<WideSum>| {
        one.into_iter().zip(other).map(|(one, other)| sum(one, other)).collect()
    };
    let mut sums: Vec<WideSum> = rules.reduce(|one, other| Some(sums(one?, other?)))??;
    // The first of them is M(c).
    let left = LEFT_BY_PARTS * (sums[0].value.modulus() + sums[0].error) * (1.0 + 1e-9);
    sums.iter_mut().for_each(|sum| sum.error += left);
    Some(sums)
}

/// What a rule makes of it.
fn moments_by(factor: &Factor, plan: LinePlan, rule: WideRule) -> Option<Vec<WideSum>> {
    let count = rule.places.count;
    let step = DoubleDouble::from(plan.step);
    // Every other node, for those that turn farthest are next to each other.
    let some = |parts: Range<usize>| {
        let numbers = (0..count).filter(|j| parts.contains(&(j % 2)));
        let WideNodes { losses, weights, left_out } = factor.wide_nodes(&rule, plan.tilt, numbers)?;
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
    };
    let (mut first, second) = halves(2, count > MANY_NODES, some);
    if let (Some(first), Some(second)) = (&mut first, second) {
        for (one, other) in first.iter_mut().zip(second?) {
            *one = sum(*one, other);
        }
    }
    let mut sums = first?;
    sums.iter_mut().for_each(|sum| sum.error += rule.error);
    Some(sums)
}

fn sum(a: WideSum, b: WideSum) -> WideSum {
    let value = a.value + b.value;
    let rounding = 2.0 * DoubleDouble::ARITHMETIC_ERROR * value.modulus();
    WideSum { value, error: (a.error + b.error + rounding) * (1.0 + 1e-12) }
}

/// `M^k`.
///
/// # Guarantee
/// Where M is known to a part η of it, as [`WideComplex::power`] says; where it is not, or is tiny, nothing is said but how large it may be.
pub(super) fn power(moment: WideSum, count: f64) -> Option<Power> {
    if !(1.0..=MOST_USES).contains(&count) || count.fract() != 0.0 {
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
        let most = count * ln((size + moment.error) * (1.0 + 1e-9));
        Power { value: WideComplex::ZERO, error: exp(most.max(ln(SMALLEST))) * (1.0 + 1e-6) }
    })
}

impl Power {
    fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let [a, b] = [self, other].map(|power| power.value.modulus() * (1.0 + 1e-12));
        let error = a * other.error + b * self.error + self.error * other.error;
        Self { value, error: (error + WideComplex::PRODUCT_ERROR * a * b) * (1.0 + 1e-9) + UNDERFLOW }
    }

    fn less(self, other: Self) -> Self {
        let value = self.value - other.value;
        let rounding = 2.0 * DoubleDouble::ARITHMETIC_ERROR * value.modulus();
        Self { value, error: (self.error + other.error + rounding) * (1.0 + 1e-9) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        /// Powers of a small angle and turns by it are the same sum.
        #[test]
        fn powers_are_turns(
            (sigma, log_rate, log_uses) in (0.4f64..3.0, -5f64..-0.3, 0f64..8.0),
            (points, part) in (1usize..400, prop_oneof![-1f64..1.0, -1e-6f64..1e-6]),
        ) {
            let text = format!("poisson(gaussian(sigma={sigma}), rate={})", 10f64.powf(log_rate));
            let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
            let factors = Factors::new(&[(pair, exp(log_uses) as u64)]);
            let plan = LinePlan { tilt: 2.0, step: 0.7, points, beyond: 4.0, expected_width: 0.0 };
            let Some(terms) = WideTerms::new(&factors, plan, -50.0) else { return Ok(()) };
            let angle = DoubleDouble::from(SMALL * part / points as f64);
            let (powers, off) = terms.turned_little(angle);
            let (turns, also_off) = terms.turned_by(angle);
            let apart = (powers - turns).hi().abs();
            prop_assert!(apart <= off + also_off, "{apart:e} {off:e} {also_off:e}");
            prop_assert!(off <= 1e-25 * terms.mass + UNDERFLOW);
        }
    }
}
