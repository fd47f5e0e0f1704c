//! The same integral in plain floats, to six digits and more: how far δ is from its largest value says how many it has to have.

use crate::pair::RiseLaw;
use hockeystick_numerics::special::{exp, ln};
use num_complex::Complex;
use std::{
    f64::consts::{FRAC_PI_2, PI, TAU},
    ops::Range,
};

/// How far the hyperbola is turned beyond the vertical, and the ray from the real line, as parts of the angle of a bent integral.
const TURNED: f64 = 0.5;
const TURN: f64 = 0.8;
/// How far the rays are on which nodes are as good as nothing, as a part of the same.
const DISTANCE: f64 = 0.27;
/// How exact nodes are to be for all uses together, as a logarithm; how far apart points of one use are, and how many times more of them there are for every power of e of the uses.
const LOG_EXACT: f64 = 17.0;
const POINT_STEP: f64 = 0.11;
const MORE_POINTS: f64 = 0.17;
/// Outcomes before this, and for every power of e that there are uses more, are left out: as a logarithm.
const LOG_LEFT: f64 = 17.0;
/// Where the hyperbola crosses the real line, as a part of the inverse of all that losses take away.
const CROSSING: f64 = 6.0;
/// The last point is where `e^{−y}` has fallen by this, as a logarithm, from the real line on, and rays end where it has at the crossing; nodes that have fallen by twice as much are left out.
const LAST_FALL: f64 = 27.0;
/// Rays do not end farther away, and rises end there.
const MOST_RISE: f64 = 3.0;
/// No more nodes and points than these.
const MOST: f64 = 3000.0;

/// δ and what it falls by for every ε, both at ε = 0.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::contour) struct AtZero {
    pub(in crate::engine::contour) delta: f64,
    pub(in crate::engine::contour) fall: f64,
}

/// Nodes on a ray, and `e^{ae^{nu}}` for all sums and differences n of their numbers and those of points.
struct Nodes {
    /// The weights times `e^{−mY}`.
    weights: Vec<Complex<f64>>,
    ahead: Table,
    behind: Table,
    /// How many times farther apart points are than nodes.
    of_points: usize,
}

struct Table {
    first: i64,
    values: Vec<Complex<f64>>,
}

impl Table {
    fn new(scale: Complex<f64>, unit: f64, numbers: Range<i64>) -> Self {
        let first = numbers.start;
        let value = |n: i64| {
            let exponent = scale * exp(unit * n as f64);
            if exponent.re < -2.0 * LAST_FALL { Complex::new(0.0, 0.0) } else { exponent.exp() }
        };
        Self { first, values: numbers.map(value).collect() }
    }

    fn from(&self, number: i64) -> &[Complex<f64>] {
        &self.values[(number - self.first) as usize..]
    }
}

impl AtZero {
    /// Of a law that is used so many times, with rises turned by no more than an angle. `δ(0) = g′(0)`, and `δ′(0) = −1 + g′(0) − g″(0)` with the derivative of g′.
    pub(in crate::engine::contour) fn new(law: &RiseLaw, count: f64, turn: f64) -> Option<Self> {
        let taken = -(count * (-law.weight()).ln_1p().approximate());
        // Where rays end nothing is to be left, of any use.
        let fall_of_rays = (LAST_FALL + ln(count)) / (TURN * turn).cos();
        let crossing = (CROSSING / taken).max(fall_of_rays / MOST_RISE);
        let angle = FRAC_PI_2 - TURNED * turn;
        let scale = crossing / (1.0 - angle.cos());
        // What is common in many uses falls only where y is next to the imaginary line, so that other hyperbolas are not far.
        let point_step = POINT_STEP * turn / (1.0 + MORE_POINTS * ln(count));
        let unit = (TAU * DISTANCE * turn / (LOG_EXACT + ln(count))).min(point_step);
        let of_points = (point_step / unit).floor().max(1.0);
        let point_step = unit * of_points;
        let from = law.log_rise(-(2.0 * (LOG_LEFT + ln(count))).sqrt());
        let log_end = ln(fall_of_rays / crossing);
        let nodes = ((log_end - from) / unit).ceil();
        let points =
            (((LAST_FALL + scale * taken) / (scale * taken * angle.cos())).acosh() / point_step).ceil();
        let is_usual = (1.0..MOST).contains(&nodes) && (1.0..MOST).contains(&points);
        if !is_usual {
            return None;
        }
        let (count_of_nodes, points) = (nodes as usize, points as usize + 1);
        let last = (log_end, count_of_nodes);
        let nodes = Nodes::new(law, last, (points, of_points as usize), (scale, angle), (TURN * turn, unit));
        let (mut delta, mut slope_of_delta) = (0.0, 0.0);
        for j in 0..points {
            let s = Complex::new(point_step * j as f64, angle);
            let (y, slope) = ((s.cosh() - 1.0) * scale, s.sinh() * scale);
            let power = (nodes.sum(j).ln() * count - y * taken).exp();
            let share = if j == 0 { 0.5 } else { 1.0 };
            let term = slope * power / (y * (y - 1.0)) * (share * point_step / PI);
            delta += term.im;
            slope_of_delta += (term * y).im;
        }
        let found = Self { delta, fall: 1.0 - delta + slope_of_delta };
        (found.delta > 0.0 && found.fall > 0.0 && found.delta.is_finite()).then_some(found)
    }
}

impl Nodes {
    fn new(
        law: &RiseLaw,
        (log_end, nodes): (f64, usize),
        (points, of_points): (usize, usize),
        (scale, angle): (f64, f64),
        (turn, unit): (f64, f64),
    ) -> Self {
        let from = unit.mul_add(0.5 - nodes as f64, log_end);
        let mu = law.mu();
        let weight = |i: usize| {
            let log_rise = Complex::new(unit.mul_add(i as f64, from), turn);
            let rise = log_rise.exp();
            let outcome = law.outcome(log_rise);
            // dx/d log Y = Y/(1 − e^{−Y})/μ.
            let slope = if rise.norm() < 1e-4 { 1.0 + 0.5 * rise } else { rise / (1.0 - (-rise).exp()) };
            (-0.5 * outcome * outcome - rise * scale).exp() * slope * (unit / (mu * TAU.sqrt()))
        };
        let weights = (0..nodes).map(weight).collect();
        let last_point = (of_points * points) as i64;
        let first = Complex::new(ln(0.5 * scale) + from, turn);
        let turned = Complex::new(0.0, angle);
        let ahead = Table::new((first + turned).exp(), unit, 0..nodes as i64 + last_point);
        let behind = Table::new((first - turned).exp(), unit, -last_point..nodes as i64);
        Self { weights, ahead, behind, of_points }
    }

    /// N at a point.
    fn sum(&self, point: usize) -> Complex<f64> {
        let number = (self.of_points * point) as i64;
        let factors = self.ahead.from(number).iter().zip(self.behind.from(-number));
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Of one use there is a closed form.
        #[test]
        fn one_use_has_its_closed_form((sigma, log_rate) in (0.3f64..3.0, -6f64..-0.7)) {
            let rate = 10f64.powf(log_rate);
            let pair = pair(sigma, rate);
            let law = pair.ratio_laws()[0].rises().unwrap();
            let found = AtZero::new(&law, 1.0, (1.6 / sigma).min(1.0)).unwrap();
            let at = |epsilon: f64| pair.ratio_laws()[0].single_delta(epsilon).unwrap();
            let delta = at(0.0).approximate();
            prop_assert!((found.delta - delta).abs() <= 1e-6 * delta, "{:e} {delta:e}", found.delta);
            let step = 1e-4 * rate;
            let fall = (at(-step) - at(step)).approximate() / (2.0 * step);
            prop_assert!((found.fall - fall).abs() <= 1e-3 * fall, "{:e} {fall:e}", found.fall);
        }

        /// Of more uses there is what is proven.
        #[test]
        fn many_uses_are_next_to_what_is_proven(
            (sigma, log_rate, log_uses) in (0.3f64..2.0, -6f64..-1.0, 0.7f64..10.0),
        ) {
            let rate = 10f64.powf(log_rate);
            let uses = exp(log_uses).min(0.25 / rate).max(1.0) as u64;
            let turn = (1.6 / sigma).min(1.0);
            let (law, count) = Factors::new(&[(pair(sigma, rate), uses)]).rises().unwrap();
            let taken = rate * count;
            let Ok(bent) = Bent::new(law, count, [-0.02 * taken, 0.02 * taken], ln(taken) - 30.0, 0.8 * turn) else { return Ok(()) };
            let delta = bent.ball(0.0).approximate();
            let found = AtZero::new(&law, count, turn).unwrap();
            prop_assert!((found.delta - delta).abs() <= 1e-5 * delta, "{:e} {delta:e}", found.delta);
        }
    }
}
