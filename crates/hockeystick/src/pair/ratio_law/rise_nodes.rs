//! The nodes of a trapezoidal rule on a ray of the plane of rises, to thirty digits.

use super::{
    NormalRatio,
    rise::{LARGEST_RISE, LOG_SERIES, RiseLaw},
};
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    rounding::SQUARED_ROUNDOFF as UNIT,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::WideComplex,
};
use std::ops::Range;

/// Where the nodes of a rule on a ray are: rises `e^{from + jh}` turned by an angle, exactly.
#[derive(Clone, Copy, Debug)]
pub struct RayPlaces {
    /// The logarithm of the first.
    pub from: f64,
    /// h.
    pub step: f64,
    /// The angle.
    pub angle: f64,
}

/// Complex masses `h φ(x) dx/d log Y` at rises Y.
#[derive(Clone, Debug, Default)]
pub struct RiseNodes {
    /// `Y`.
    pub rises: WideComplexArray,
    /// The masses.
    pub weights: WideComplexArray,
    /// Their moduli, or a little more.
    pub sizes: Vec<f64>,
    /// What each mass is off at most.
    pub errors: Vec<f64>,
}

impl RiseNodes {
    /// What rises are off, relative to themselves: 2^-97 = 512u².
    pub const RISE_ERROR: f64 = 512.0 * UNIT;

    /// With others after them.
    pub fn append(&mut self, others: Self) {
        for i in 0..others.sizes.len() {
            self.rises.push(others.rises.at(i));
            self.weights.push(others.weights.at(i));
        }
        self.sizes.extend(others.sizes);
        self.errors.extend(others.errors);
    }
}

/// Outcomes beyond this are not looked at, nor are rises with a logarithm below the second, nor smaller odds than the third.
const LARGEST_OUTCOME: f64 = 16.0;
const LEAST_LOG_RISE: f64 = -80.0;
const LEAST_LOG_ODDS: f64 = -32.0;
/// Terms of a series below this part of the first are left out.
const NEGLIGIBLE: f64 = 1e-34;

impl RiseLaw {
    /// Some nodes; `None` if the law is not known as well there.
    ///
    /// # Guarantee
    /// As [`RiseNodes`] says. Sums are off by 3u² of themselves, products by 5u², complex ones by 32u², and so:
    /// - A rise with `|log Y| ≤ 80` is off by 64u² for its exponential, 128u² for the turn, 5u² for the product and `3u²|log Y|` for the exponent.
    /// - The n-th term of the series passes n steps of 35u² and has n squares, each off by 1056u²: with `|Y|²/39 ≤ 1/4`, all of it is off by `84u²|Y|²`, and the slope by three times that; half the rise is
    ///   off by `256u²|Y|`, and `log Y` by `3u²|log Y|`. Of three sums each is rounded, and the first is no larger than 3.
    /// - The outcome x is off by what the sum is, over μ, by 5u² and what `1/μ` is off of the quotient, by what half of μ is, and by `3u²|x|`; `x²/2` by |x| times that and `16u²|x|²`.
    /// - The exponential is off by as much and 256u², the slope as said, over itself, and by 8u² for its sums; two products and the constant are off by 37u² and what that is.
    pub fn nodes(&self, places: RayPlaces, some: Range<usize>) -> Option<RiseNodes> {
        let NormalRatio { weight, mu } = self.ratio;
        let is_usual = (0.25..10.0).contains(&self.mu) && self.log_odds > LEAST_LOG_ODDS;
        if !is_usual {
            return None;
        }
        let log_odds = weight.ln() - (-weight).ln_1p();
        let inverse = Ball::ONE / mu;
        let half = mu / Ball::from(2.0);
        let constant = Ball::from(places.step) / (mu * (Ball::from(2.0) * Ball::pi()).sqrt());
        let off = [log_odds, inverse, half, constant].map(Ball::radius);
        let [log_odds, inverse, half, constant] = [log_odds, inverse, half, constant].map(Ball::midpoint);
        let turn = WideComplex::cis(DoubleDouble::from(places.angle))?;
        let real = WideComplex::real;
        let mut logs = WideArray::default();
        for j in some {
            logs.push(DoubleDouble::from(places.from) + DoubleDouble::from_product(places.step, j as f64));
        }
        if logs.leading().iter().any(|log| *log < LEAST_LOG_RISE || *log > LARGEST_RISE.ln()) {
            return None;
        }
        let sizes = logs.clone().exp();
        let count = logs.len();
        let mut nodes = RiseNodes::default();
        let (mut exponents, mut slopes) = (WideComplexArray::default(), WideComplexArray::default());
        let mut farthest: f64 = 0.0;
        let mut relative = Vec::with_capacity(count);
        vectorised(
            #[inline(always)]
            || {
                for i in 0..count {
                    let rise = turn.times_real(sizes.at(i));
                    let half_rise = WideComplex { re: rise.re.halved(), im: rise.im.halved() };
                    let [log, slope] = log_series(rise);
                    let log_rise = WideComplex { re: logs.at(i), im: DoubleDouble::from(places.angle) };
                    let sum = log + half_rise + log_rise - real(log_odds);
                    let outcome = WideComplex { re: sum.re * inverse + half, im: sum.im * inverse };
                    let square = outcome * outcome;
                    exponents.push(WideComplex { re: -square.re.halved(), im: -square.im.halved() });
                    slopes.push((WideComplex::ONE + half_rise + slope).times_real(constant));
                    let slope_size = (WideComplex::ONE + half_rise + slope).modulus();
                    let (x, y, log) = (outcome.modulus(), rise.modulus(), logs.leading()[i].abs());
                    let of_sum = UNIT * (84.0 * y * y + 256.0 * y + 3.0 * (log + 9.0 + log + sum.modulus()));
                    let of_outcome = (of_sum + off[0]) * inverse.hi()
                        + sum.modulus() * (5.0 * UNIT * inverse.hi() + off[1])
                        + off[2]
                        + 3.0 * UNIT * x;
                    let of_slope = UNIT * (256.0 * y + 252.0 * y * y + 8.0 * (1.0 + y)) / slope_size;
                    let of_constants = UNIT * (256.0 + 37.0 + 5.0) + off[3] / constant.hi();
                    relative.push(1.01 * (x * (of_outcome + 16.0 * UNIT * x) + of_slope + of_constants));
                    farthest = farthest.max(x);
                    nodes.rises.push(rise);
                }
            },
        );
        if farthest > LARGEST_OUTCOME {
            return None;
        }
        nodes.weights = exponents.exp()?.times(&slopes);
        nodes.sizes = (0..count).map(|i| nodes.weights.at(i).modulus() * (1.0 + 1e-9) + 1e-290).collect();
        nodes.errors = nodes.sizes.iter().zip(&relative).map(|(size, relative)| size * relative).collect();
        Some(nodes)
    }
}

/// `log((e^Y − 1)/Y) − Y/2`, and `Y` times its derivative.
#[inline(always)]
fn log_series(rise: WideComplex) -> [WideComplex; 2] {
    let square = rise * rise;
    let (mut sum, mut slope) = (WideComplex::ZERO, WideComplex::ZERO);
    let ratio = square.modulus() / 39.0;
    let count = LOG_SERIES.len().min((NEGLIGIBLE.ln() / ratio.ln()).ceil() as usize + 1);
    for (n, coefficient) in LOG_SERIES[..count].iter().enumerate().rev() {
        sum = (sum + WideComplex::real(*coefficient)) * square;
        slope = (slope + WideComplex::real(*coefficient * DoubleDouble::from(2.0 * n as f64 + 2.0))) * square;
    }
    [sum, slope]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, RatioLaw, dominating_pair};
    use hockeystick_numerics::special::{exp, ln};
    use proptest::prelude::*;

    fn law(sigma: f64, rate: f64) -> RatioLaw {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap().ratio_laws().remove(0)
    }

    /// `Σ w e^{yY}`, and what that is off at most.
    fn sum(nodes: &RiseNodes, y: WideComplex) -> (WideComplex, f64) {
        let (mut sum, mut off) = (WideComplex::ZERO, 0.0);
        for i in 0..nodes.sizes.len() {
            let growth = (nodes.rises.at(i) * y).exp().unwrap();
            sum = sum + nodes.weights.at(i) * growth;
            let turned = nodes.rises.at(i).modulus() * y.modulus();
            let relative = turned * (RiseNodes::RISE_ERROR + 32.0 * UNIT)
                + UNIT * (300.0 + 3.0 * nodes.sizes.len() as f64);
            off += (nodes.errors[i] + nodes.sizes[i] * relative) * growth.modulus();
        }
        (sum, off)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// A moment is the same on every ray, and the one that nodes on the real line of outcomes have.
        #[test]
        fn rays_agree_to_all_digits(
            (sigma, log_rate) in (0.35f64..1.6, -6f64..-1.5),
            (angles, log_tilt) in ([0f64..0.5, 0.5f64..0.9], 4.6f64..8.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let rises = law(sigma, rate).rises().unwrap();
            // Beyond the end nothing is left of `e^{yY}`, on neither ray.
            let y = -exp(log_tilt);
            let log_end = ln(110.0 / -y).min(ln(1.2));
            let end = |angle: f64| rises.outcome(num_complex::Complex::new(log_end, angle)).norm();
            prop_assume!([0.0, angles[0], angles[1]].into_iter().all(|angle| end(angle) < 15.9));
            let wide_y = WideComplex::real(DoubleDouble::from(y));
            let on_ray = |angle: f64| {
                let step = 0.02;
                let count = ((log_end - rises.log_rise(-14.0)) / step) as usize;
                let places = RayPlaces { from: log_end - step * count as f64, step, angle };
                sum(&rises.nodes(places, 0..count).unwrap(), wide_y)
            };
            let sums = angles.map(on_ray);
            let off = (sums[0].0 - sums[1].0).modulus();
            // The rules themselves leave less than that.
            let allowed = sums[0].1 + sums[1].1 + 1e-28 * sums[0].0.modulus();
            prop_assert!(off <= allowed, "{off:e} {allowed:e}");
            // The same in doubles, over outcomes: `Σ h φ (1 + v)^y`.
            let step = 0.01;
            let direct: f64 = (-1200..1200).map(|i| {
                let x = step * f64::from(i);
                let v = rate / (1.0 - rate) * (x / sigma - 0.5 / (sigma * sigma)).exp();
                step * (-0.5 * x * x + y * v.ln_1p()).exp() / std::f64::consts::TAU.sqrt()
            }).sum();
            prop_assert!((sums[0].0.re.hi() - direct).abs() <= 1e-11 * direct, "{:e} {direct:e}", sums[0].0.re.hi());
            prop_assert!(sums[0].0.im.hi().abs() <= allowed);
            prop_assert!(allowed <= 1e-24 * direct, "{allowed:e} {direct:e}");
        }
    }

    #[test]
    fn what_is_not_known_as_well_has_no_nodes() {
        let places = RayPlaces { from: -12.0, step: 0.1, angle: 0.3 };
        assert!(law(0.5, 1e-3).rises().unwrap().nodes(places, 0..20).is_some());
        let large = RayPlaces { from: 0.0, ..places };
        assert!(law(0.5, 1e-3).rises().unwrap().nodes(large, 0..20).is_none());
        let small = RayPlaces { from: -81.0, ..places };
        assert!(law(0.5, 1e-3).rises().unwrap().nodes(small, 0..20).is_none());
        assert!(law(5.0, 1e-3).rises().unwrap().nodes(places, 0..20).is_none());
        assert!(law(0.5, 0.7).rises().is_none() && law(0.5, 1e-3).swapped().rises().is_none());
    }
}
