//! The summands of a line to more digits than doubles have.
//!
//! Next to ε = 0, δ is the total variation but for as little as one likes, and an ε of nine digits takes that many more of δ. With 106 bits
//! nothing has to be avoided that would lose some of them: powers are powers, and what has a hit is the difference of all and what has none.

use super::{
    factors::Factors,
    line::LinePlan,
    wide_moments::{LARGEST, Power, UNDERFLOW, WideMoments},
};
use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, special::ln, vectorised::vectorised, wide_complex::WideComplex,
};
use std::sync::OnceLock;

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
            let below = WideMoments::new(slice.map_or(factor, |slice| &slice.below), plan, of_each)?;
            let all = match slice {
                Some(slice) => {
                    Some(below.clone().and(WideMoments::of_part(&slice.above, plan, log_tolerance)?))
                }
                None => None,
            };
            for (n, product) in products.iter_mut().enumerate() {
                let [of_all, of_below] = product;
                *of_all = of_all.times(all.as_ref().unwrap_or(&below).power(n, factor.count)?);
                if factors.hits.is_some() {
                    *of_below = of_below.times(below.power(n, factor.count)?);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair};
    use hockeystick_numerics::special::exp;
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
