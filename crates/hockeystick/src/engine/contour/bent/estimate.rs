//! The same integral in plain floats, to four digits and more: how far δ is from its largest value says how many it has to have.

use super::super::certain::Certain;
use crate::pair::RiseLaw;
use hockeystick_numerics::{
    double_double::DoubleDouble,
    special::{exp, ln},
    wide_complex::WideComplex,
};
use num_complex::Complex;
use std::{
    f64::consts::{FRAC_PI_2, PI, TAU},
    ops::Range,
};

/// How far the hyperbola is from the vertical and the ray from the real line, in units of `μs`.
const GAP: f64 = 1.4;
const TURN: f64 = 2.9;
/// Points and nodes are so many times a unit apart, and that is this part of `μs`.
const OF_POINTS: usize = 2;
const OF_NODES: usize = 3;
const PART_OF_UNIT: f64 = 0.11;
/// What may be left out of all uses together, as a logarithm: before the first outcome, and where a weight is taken for all or nothing.
const LOG_LEFT: f64 = -18.0;
/// How many more spreads than that takes there are beyond the cut, for the ray is turned.
const MORE_SPREADS: f64 = 1.8;
/// Where the hyperbola crosses the real line, as a part of the inverse of all that losses take away; but `e^{cY}` is not to gain more than this on the ray.
const CROSSING: f64 = 0.7;
const MOST_GAIN: f64 = 14.0;
/// The last point is where `e^{−z}` has fallen by this, as a logarithm, and nodes that have fallen as much are left out.
const LAST_FALL: f64 = 20.0;
/// No more nodes and points than these.
const MOST: f64 = 2000.0;

/// δ and what it falls by for every ε, both at ε = 0.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::contour) struct AtZero {
    pub(in crate::engine::contour) delta: f64,
    pub(in crate::engine::contour) fall: f64,
}

impl AtZero {
    /// Of all outcomes, those below the cut along a hyperbola.
    pub(in crate::engine::contour) fn new(certain: &Certain) -> Option<Self> {
        let (law, count) = certain.below().rises()?;
        let [delta, fall] = below(&law, count)?;
        let [more, faster] = certain.at_zero();
        let all = Self { delta: delta + more, fall: fall + faster };
        (all.delta > 0.0 && all.fall > 0.0 && all.delta.is_finite()).then_some(all)
    }
}

/// Nodes on a ray, and `e^{ae^{nu}}` for all sums and differences n of their numbers and those of points.
struct Nodes {
    /// The weights times `e^Y`.
    weights: Vec<Complex<f64>>,
    ahead: Table,
    behind: Table,
}

struct Table {
    first: i64,
    values: Vec<Complex<f64>>,
}

impl Table {
    fn new(scale: Complex<f64>, unit: f64, numbers: Range<i64>) -> Self {
        let first = numbers.start;
        let least = Complex::new(-LAST_FALL * 2.0, 0.0);
        let value = |n: i64| {
            let exponent = scale * exp(unit * n as f64);
            if exponent.re < least.re { Complex::new(0.0, 0.0) } else { exponent.exp() }
        };
        Self { first, values: numbers.map(value).collect() }
    }

    fn from(&self, number: i64) -> &[Complex<f64>] {
        &self.values[(number - self.first) as usize..]
    }
}

/// Of what is below the cut of a law that is used so many times.
fn below(law: &RiseLaw, count: f64) -> Option<[f64; 2]> {
    let sharpness = law.unit();
    let unit = PART_OF_UNIT * sharpness;
    let (at, spread) = law.cut();
    let taken = -(count * (-law.weight()).ln_1p().approximate());
    let log_left = LOG_LEFT - ln(count);
    let spreads = (-log_left).sqrt() + MORE_SPREADS;
    let (from, log_end) =
        (law.log_rise(-(-2.0 * log_left).sqrt()), law.log_rise(spreads.mul_add(spread, at)));
    let crossing = (CROSSING / taken).min(MOST_GAIN / exp(log_end));
    let angle = FRAC_PI_2 - GAP * sharpness;
    let scale = crossing / angle.cos();
    let node_step = unit * OF_NODES as f64;
    let nodes = ((log_end - from) / node_step).ceil();
    let point_step = unit * OF_POINTS as f64;
    let points = ((LAST_FALL / (crossing * taken)).acosh() / point_step).ceil() + 1.0;
    let is_usual = nodes < MOST && points < MOST && exp(log_end) < MOST_RISE && sharpness * TURN < FRAC_PI_2;
    if !is_usual {
        return None;
    }
    let (nodes, points) = (nodes as usize, points as usize);
    let nodes = Nodes::new(law, (from, log_left), (nodes, points), scale, unit)?;
    let mut sums = [0.0; 2];
    for j in 0..points {
        let s = Complex::new(point_step * j as f64, angle);
        let (z, slope) = (s.cosh() * scale, s.sinh() * scale);
        let log = nodes.sum(j).ln() * count - (z + 1.0) * taken;
        let share = if j == 0 { 0.5 } else { 1.0 };
        let term = slope * log.exp() / (z * (z + 1.0)) * (share * point_step / PI);
        sums[0] += term.im;
        sums[1] += (term * z).im;
    }
    Some(sums)
}
/// Larger rises are not looked at: the series of outcomes ends too late.
const MOST_RISE: f64 = 1.3;

impl Nodes {
    fn new(
        law: &RiseLaw,
        (from, log_left): (f64, f64),
        (nodes, points): (usize, usize),
        scale: f64,
        unit: f64,
    ) -> Option<Self> {
        let sharpness = law.unit();
        let (turn, step) = (TURN * sharpness, unit * OF_NODES as f64);
        let (at, spread) = law.cut();
        let weight = |i: usize| -> Option<Complex<f64>> {
            let log_rise = Complex::new(step.mul_add(i as f64, from), turn);
            let rise = log_rise.exp();
            let outcome = law.outcome(log_rise);
            // dx/d log Y = Y/(1 − e^{−Y})/μ.
            let slope = if rise.norm() < 1e-4 { 1.0 + 0.5 * rise } else { rise / (1.0 - (-rise).exp()) };
            let place = (outcome - at) / spread;
            let beyond = place.im.mul_add(place.im, -place.re * place.re);
            let share = if beyond > log_left {
                let place =
                    WideComplex { re: DoubleDouble::from(place.re), im: DoubleDouble::from(place.im) };
                let share = place.half_erfc()?;
                Complex::new(share.re.hi(), share.im.hi())
            } else {
                Complex::new(if place.re > 0.0 { 0.0 } else { 1.0 }, 0.0)
            };
            let density = (-0.5 * outcome * outcome + rise).exp() / TAU.sqrt();
            Some(density * slope * share * (step * spread / sharpness))
        };
        let weights = (0..nodes).map(weight).collect::<Option<Vec<_>>>()?;
        let angle = FRAC_PI_2 - GAP * sharpness;
        let last_node = (OF_NODES * nodes) as i64;
        let last_point = (OF_POINTS * points) as i64;
        let first = Complex::new(ln(0.5 * scale) + from, turn);
        let ahead = Table::new((first + Complex::new(0.0, angle)).exp(), unit, 0..last_node + last_point);
        let behind = Table::new((first - Complex::new(0.0, angle)).exp(), unit, -last_point..last_node);
        Some(Self { weights, ahead, behind })
    }

    /// N at a point.
    fn sum(&self, point: usize) -> Complex<f64> {
        let number = (OF_POINTS * point) as i64;
        let (ahead, behind) = (self.ahead.from(number), self.behind.from(-number));
        let factors = ahead.iter().step_by(OF_NODES).zip(behind.iter().step_by(OF_NODES));
        self.weights.iter().zip(factors).map(|(weight, (a, b))| weight * a * b).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::{bent::Bent, factors::Factors},
        pair::{Direction, SharedPair, dominating_pair},
    };
    use proptest::prelude::*;

    fn pair(sigma: f64, rate: f64) -> SharedPair {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap()
    }

    fn certain(factors: &Factors, sharpness: f64, log_part: f64) -> Certain {
        let taken = -factors.smallest_loss().unwrap().lower();
        Certain::nearest(factors, 0.0, ln(taken) + log_part, sharpness).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Of one use there is a closed form.
        #[test]
        fn one_use_has_its_closed_form((sigma, log_rate) in (0.3f64..2.0, -6f64..-1.2)) {
            let rate = 10f64.powf(log_rate);
            let pair = pair(sigma, rate);
            let factors = Factors::new(&[(pair.clone(), 1)]);
            let sharpness = if rate < 0.01 { 0.2 } else { 0.12 };
            let found = AtZero::new(&certain(&factors, sharpness, -17.0)).unwrap();
            let at = |epsilon: f64| pair.ratio_laws()[0].single_delta(epsilon).unwrap();
            let delta = at(0.0).approximate();
            prop_assert!((found.delta - delta).abs() <= 1e-5 * delta, "{:e} {delta:e}", found.delta);
            let step = 1e-4 * rate;
            let fall = (at(-step) - at(step)).approximate() / (2.0 * step);
            prop_assert!((found.fall - fall).abs() <= 1e-3 * fall, "{:e} {fall:e}", found.fall);
        }

        /// Of more uses there is what is proven. With more noise many uses are off by more, and have lines that are short.
        #[test]
        fn many_uses_are_next_to_what_is_proven(
            (sigma, log_rate, log_uses) in (0.3f64..0.8, -6f64..-1.5, 0.7f64..8.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let uses = exp(log_uses).min(0.1 / rate).max(1.0) as u64;
            let factors = Factors::new(&[(pair(sigma, rate), uses)]);
            let Some(found) = AtZero::new(&certain(&factors, 0.2, -17.0)) else { return Ok(()) };
            let certain = certain(&factors, 0.16, -30.0);
            let (law, count) = certain.below().rises().unwrap();
            let taken = certain.most_taken();
            let Ok(bent) = Bent::new(law, count, -0.02 * taken, ln(taken) - 30.0, 0.3) else { return Ok(()) };
            let delta = (certain.ball(0.0) + bent.ball(0.0)).approximate();
            prop_assert!((found.delta - delta).abs() <= 1e-4 * delta, "{:e} {delta:e}", found.delta);
        }
    }
}
