//! The nodes of a trapezoidal rule on a ray of the plane of rises, to thirty digits.

use super::{
    Cut, NormalRatio,
    rise::{LARGEST_RISE, LOG_SERIES, RiseLaw},
};
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    special::exp,
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

/// Complex masses `h φ(x) w(x) dx/d log Y` at rises Y.
#[derive(Clone, Debug, Default)]
pub struct RiseNodes {
    /// `Y`.
    pub rises: WideComplexArray,
    /// The masses.
    pub weights: WideComplexArray,
    /// Each is off by no more than [`RiseNodes::ERROR`] of these, which are no smaller than its modulus.
    pub sizes: Vec<f64>,
}

impl RiseNodes {
    /// What a weight is off, as a part of its size: 2^-83. Rises are off by [`RISE_ERROR`](Self::RISE_ERROR) of themselves.
    pub const ERROR: f64 = 1.0339757656912846e-25;
    /// 2^-94.
    pub const RISE_ERROR: f64 = 5.048709793414476e-29;

    /// With others after them.
    pub fn append(&mut self, others: Self) {
        for i in 0..others.sizes.len() {
            self.rises.push(others.rises.at(i));
            self.weights.push(others.weights.at(i));
        }
        self.sizes.extend(others.sizes);
    }
}

/// Outcomes beyond this are not looked at, nor are rises with a logarithm below the second, nor smaller odds than the third.
const LARGEST_OUTCOME: f64 = 16.0;
const LEAST_LOG_RISE: f64 = -60.0;
const LEAST_LOG_ODDS: f64 = -32.0;
/// Terms of a series below this part of the first are left out.
const NEGLIGIBLE: f64 = 1e-34;
/// From so many spreads on, beyond how far it is turned, a weight is all or nothing but for `e^{−80}`.
const SATURATED: f64 = 80.0;

impl RiseLaw {
    /// Some nodes; `None` if the law is not known as well there.
    ///
    /// # Guarantee
    /// As [`RiseNodes`] says. With μ and w known to 2^-100 of themselves, where `0.25 ≤ μ < 10`, `|log Y| ≤ 60` and `|log ρ| ≤ 32`:
    /// - A rise is off by 2^-96 for its exponential, 2^-95 for the turn and 2^-101 for the product, and by 2^-96 for the exponent.
    /// - `log ρ` is off by 2^-91, and the sum of it, of `log Y` and of the series by less than 2^-92 more, so that x is off by 2^-90/μ, and by 2^-97 for what follows; `|x| ≤ 16`.
    /// - `−x²/2` is off by 16 times that, which is less than 2^-84 + 2^-93, and its exponential by as much.
    /// - The weight of the cut is off by 2^-90/(sμ) of `e^{v² − u²}`, for its derivative is `e^{−ζ²}/(s√π)`, where `sμ ≥ 0.08`, and by 2^-88 of that for what
    ///   [`WideComplex::half_erfc`] says. Where it is taken for 0 or 1 it is off by half of it, which is below `e^{−80}`: that is counted with the size of a weight 0.
    ///
    /// That is less than 2^-83 of `|h φ dx|` times the larger of the weight and `e^{v² − u²}`.
    pub fn nodes(&self, places: RayPlaces, some: Range<usize>) -> Option<RiseNodes> {
        let NormalRatio { weight, mu } = self.ratio;
        let Cut { at, spread, .. } = self.cut;
        let is_usual = (0.25..10.0).contains(&self.mu)
            && spread * self.mu >= 0.08
            && at.abs() < LARGEST_OUTCOME
            && self.log_odds > LEAST_LOG_ODDS;
        if !is_usual {
            return None;
        }
        let log_odds = (weight.ln() - (-weight).ln_1p()).midpoint();
        let inverse = (Ball::ONE / mu).midpoint();
        let half = (mu / Ball::from(2.0)).midpoint();
        let constant = (Ball::from(places.step) / (mu * (Ball::from(2.0) * Ball::pi()).sqrt())).midpoint();
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
        let (mut exponents, mut slopes) = (WideComplexArray::default(), Vec::with_capacity(count));
        let mut outcomes = Vec::with_capacity(count);
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
                    slopes.push(WideComplex::ONE + half_rise + slope);
                    outcomes.push(outcome);
                    nodes.rises.push(rise);
                }
            },
        );
        if outcomes.iter().any(|outcome| outcome.modulus() > LARGEST_OUTCOME) {
            return None;
        }
        let densities = exponents.exp()?;
        let spread = DoubleDouble::from(spread);
        for i in 0..count {
            let mass = (densities.at(i) * slopes[i]).times_real(constant);
            let place = WideComplex {
                re: (outcomes[i].re - DoubleDouble::from(at)) / spread,
                im: outcomes[i].im / spread,
            };
            let (u, v) = (place.re.hi(), place.im.hi());
            let beyond = v.mul_add(v, -(u * u));
            // What is left out is at most half of e^{v² − u²}.
            let (share, least) = match beyond < -SATURATED {
                true if u > 0.0 => (WideComplex::ZERO, 0.5 * exp(beyond) / RiseNodes::ERROR),
                true => (WideComplex::ONE, 0.0),
                false => (place.half_erfc()?, exp(beyond)),
            };
            let largest = share.modulus().max(least);
            nodes.weights.push(mass * share);
            nodes.sizes.push(mass.modulus() * largest * (1.0 + 1e-9) + 1e-290);
        }
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
    use proptest::prelude::*;

    fn law(sigma: f64, rate: f64) -> RatioLaw {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap().ratio_laws().remove(0)
    }

    /// `Σ w e^{yY}` and `Σ size |e^{yY}|`.
    fn sum(nodes: &RiseNodes, y: WideComplex) -> (WideComplex, f64) {
        let (mut sum, mut size) = (WideComplex::ZERO, 0.0);
        for i in 0..nodes.sizes.len() {
            let growth = (nodes.rises.at(i) * y).exp().unwrap();
            sum = sum + nodes.weights.at(i) * growth;
            size += nodes.sizes[i] * growth.modulus();
        }
        (sum, size)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// A moment is the same on every ray, and the one that nodes on the real line of outcomes have.
        #[test]
        fn rays_agree_to_all_digits(
            (sigma, log_rate) in (0.35f64..1.6, -6f64..-1.5),
            (at, unit, tilt) in (0f64..2.0, 0.16f64..0.25, 0f64..3.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let law = law(sigma, rate);
            let cut = Cut { at, spread: unit * sigma, end: f64::INFINITY };
            let rises = law.rises_below(cut).unwrap();
            let log_end = rises.log_rise(at + 10.0 * cut.spread);
            prop_assume!(log_end < LARGEST_RISE.ln() - 0.1);
            let y = 1.0 + tilt * exp(-rises.log_rise(at));
            let wide_y = WideComplex::real(DoubleDouble::from(y));
            let on_ray = |angle: f64| {
                let step = 0.02;
                let count = ((log_end - rises.log_rise(-12.0)) / step) as usize;
                let places = RayPlaces { from: step.mul_add(-(count as f64), log_end), step, angle };
                sum(&rises.nodes(places, 0..count).unwrap(), wide_y)
            };
            let sums = [0.8 * unit, 1.9 * unit].map(on_ray);
            let off = (sums[0].0 - sums[1].0).modulus();
            let allowed = RiseNodes::ERROR * (sums[0].1 + sums[1].1) + 1e-24 * sums[0].0.modulus();
            prop_assert!(off <= allowed, "{off:e} {allowed:e}");
            // The same in doubles, over outcomes: `Σ h φ w (1 + v)^y`.
            let step = 0.2 * cut.spread;
            let count = ((at + 10.0 * cut.spread + 12.0) / step) as usize;
            let direct: f64 = (0..count).map(|i| {
                let x = step.mul_add(i as f64, -12.0);
                let v = rate / (1.0 - rate) * (x / sigma - 0.5 / (sigma * sigma)).exp();
                let weight = 0.5 * hockeystick_numerics::special::erfc((x - at) / cut.spread);
                step * (-0.5 * x * x + y * v.ln_1p()).exp() / std::f64::consts::TAU.sqrt() * weight
            }).sum();
            prop_assert!((sums[0].0.re.hi() - direct).abs() <= 1e-11 * direct, "{:e} {direct:e}", sums[0].0.re.hi());
            prop_assert!(sums[0].0.im.hi().abs() <= allowed * 2.0 + 1e-24 * direct);
        }
    }

    #[test]
    fn what_is_not_known_as_well_has_no_nodes() {
        let cut = Cut { at: 1.0, spread: 0.1, end: f64::INFINITY };
        let places = RayPlaces { from: -12.0, step: 0.1, angle: 0.3 };
        assert!(law(0.5, 1e-3).rises_below(cut).unwrap().nodes(places, 0..20).is_some());
        let sharp = Cut { spread: 0.01, ..cut };
        assert!(law(0.5, 1e-3).rises_below(sharp).unwrap().nodes(places, 0..20).is_none());
        let large = RayPlaces { from: 0.0, ..places };
        assert!(law(0.5, 1e-3).rises_below(cut).unwrap().nodes(large, 0..20).is_none());
        assert!(law(0.5, 0.7).rises_below(cut).is_none());
    }
}
