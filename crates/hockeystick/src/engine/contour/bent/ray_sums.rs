//! N at the points of a hyperbola, as sums over the nodes of a ray.
//!
//! `yY` is `−mY + (m/2)e^{iψ} e^s Y + (m/2)e^{−iψ} e^{−s} Y`. With points and nodes on grids of one unit of s and log Y, each of the last two terms is one of few numbers,
//! so that no exponential is taken twice.

use super::{
    Grid, UNDERFLOW,
    hyperbola::{Hyperbola, POINT_ERROR, Point},
    ray_rule::RayRule,
};
use crate::{
    pair::{RiseLaw, RiseNodes},
    two_threads::{both_or_none, halves},
};
use hockeystick_numerics::{
    double_double::DoubleDouble,
    rounding::SQUARED_ROUNDOFF as UNIT,
    special::quick,
    vectorised::vectorised,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::WideComplex,
    wide_sums::WideSum,
};
use std::{ops::Range, sync::LazyLock};

/// Rises up to this part of `1/|y|` are summed by their moments, of which there are so many: `2^{37}/37! < 10⁻³²`.
const LOW: f64 = 2.0;
const MOMENTS: usize = 37;
/// What is left out of that, and of powers that are too small to matter, as a part of all.
const LEFT_OF_MOMENTS: f64 = 1e-31;
/// Of a node powers below this part are left out: times `2^{37}` and a few, that is less than 10⁻³¹.
const NEGLIGIBLE_POWER: f64 = 1e-44;
/// So many errors are summed at once.
const LANES: usize = 4;
/// Moments are kept for every so many nodes.
const STRIDE: usize = 16;
/// Nodes with exponents below this are left out.
const NEGLIGIBLE: f64 = -80.0;
const EXP_NEGLIGIBLE: f64 = 1.9e-35;
/// What a node adds is off besides what its mass is, as a part of its size: three exponentials, each by 256u², and products by 32u²; and sums of them by what
/// [`WideComplexArray::sum_of_products`] says, 128u² and 2u² for every node.
const NODE_ERROR: f64 = 944.0 * UNIT;
const SUM_ERROR: f64 = 2.0 * UNIT;
/// And for every unit of the moduli of its exponents together, which are `e^{log}` of a sum with `log(m/2)`, and turned: besides what that logarithm is off, by 64u² and 128u², 8u² for products and angles, and
/// `3u²` of either of two sums, none of which is farther from 0 than 130.
const TURN_ERROR: f64 = 1000.0 * UNIT;
const MOST_LOG: f64 = 130.0;
/// The same of nodes that are summed by their moments, of which sixteen at a time are added to those before, and these multiplied: sums are off by 3u² each, no more than twenty and two for every
/// sixteenth node, and products by 5u²; and each of p factors of a power by 72u², 40u² for a step with y, and 21u² for every sixteenth node.
const MOMENTS_ERROR: f64 = 100.0 * UNIT;
const MOMENT_ERROR: f64 = 0.8 * UNIT;
const FACTORS_ERROR: f64 = 140.0 * UNIT;
const FACTOR_ERROR: f64 = 1.4 * UNIT;

/// Sums over nodes on a ray, of which those with small rises are summed by their moments.
pub(super) struct RaySums {
    nodes: RiseNodes,
    /// The weights of those from one on, times `e^{−mY}`.
    weights: WideComplexArray,
    first: usize,
    /// |Y|.
    rises: Vec<f64>,
    lows: Vec<Low>,
    /// Which nodes are summed one by one at a point.
    ranges: Vec<Range<usize>>,
    /// The sums of the sizes from each node on.
    beyond: Vec<f64>,
    /// `m`.
    scale: f64,
    /// What exponents are off, relative to themselves.
    turn_error: f64,
    grid: Grid,
    ahead: Table,
    behind: Table,
}

/// All nodes before one.
struct Low {
    end: usize,
    /// A bound r of their rises.
    rise: f64,
    /// `Σ w (Y/r)^p/p!`.
    moments: [WideComplex; MOMENTS],
    /// The sums of their sizes and of what their masses are off, and of these times |Y|.
    sizes: [f64; 2],
    errors: [f64; 2],
}

/// `e^{ae^{nu}}` for n from a number on, one list for each rest of n by how many units nodes are apart.
struct Table {
    first: i64,
    lists: Vec<WideComplexArray>,
}

/// `1/p` from 1 on.
pub(super) static INVERSES: LazyLock<[DoubleDouble; MOMENTS]> =
    LazyLock::new(|| std::array::from_fn(|p| DoubleDouble::ONE / DoubleDouble::from(p as f64 + 1.0)));

impl Table {
    /// With `|a| = e^{log_size}` and an angle, for numbers in a range; `None` if an exponent is too large.
    fn new(log_size: DoubleDouble, angle: DoubleDouble, grid: Grid, numbers: Range<i64>) -> Option<Self> {
        let turn = WideComplex::cis(angle)?;
        let rest = grid.of_nodes as i64;
        let first = numbers.start.div_euclid(rest) * rest;
        let count = (numbers.end - first).div_euclid(rest) + 1;
        let mut lists = Vec::with_capacity(grid.of_nodes);
        for offset in 0..rest {
            let mut logs = WideArray::default();
            for k in 0..count {
                logs.push(
                    log_size + DoubleDouble::from_product(grid.unit, (first + offset + k * rest) as f64),
                );
            }
            let sizes = logs.exp();
            let part = |part: DoubleDouble| {
                sizes.clone().map(
                    #[inline(always)]
                    |size| size * part,
                )
            };
            lists.push(WideComplexArray { re: part(turn.re), im: part(turn.im) }.exp()?);
        }
        Some(Self { first, lists })
    }

    /// The list that a number is on, and its place there.
    fn from(&self, number: i64) -> (&WideComplexArray, usize) {
        let rest = self.lists.len() as i64;
        let from = number - self.first;
        (&self.lists[from.rem_euclid(rest) as usize], from.div_euclid(rest) as usize)
    }
}

impl RaySums {
    /// For the points of a hyperbola.
    pub(super) fn new(law: &RiseLaw, rule: &RayRule, hyperbola: &Hyperbola, grid: Grid) -> Option<Self> {
        let (first, second) = halves(rule.count, true, |some| law.nodes(rule.places, some));
        let mut nodes = first?;
        if let Some(second) = second {
            nodes.append(second?);
        }
        let rises: Vec<f64> = (0..nodes.sizes.len()).map(|i| nodes.rises.at(i).modulus()).collect();
        let [least, most] = hyperbola.norms();
        let first = rises.partition_point(|size| size * most <= LOW);
        let last = rises.partition_point(|size| size * least <= LOW);
        let mut lows: Vec<Low> = vec![];
        if first > 0 {
            lows.push(Low::after(None, &nodes, &rises, 0..first));
        }
        for end in (first + STRIDE..=last).step_by(STRIDE) {
            lows.push(Low::after(lows.last(), &nodes, &rises, end - STRIDE..end));
        }
        let (re, im) = (nodes.rises.re.leading(), nodes.rises.im.leading());
        let range = |Point { y, .. }: &Point| {
            let (y_re, y_im) = (y.re.hi(), y.im.hi());
            let norm = y_re.hypot(y_im) * (1.0 + 1e-12);
            let low = lows.partition_point(|low| low.rise * norm <= LOW);
            let from = low.checked_sub(1).map_or(0, |i| lows[i].end);
            let is_negligible = |i: usize| y_re * re[i] - y_im * im[i] < NEGLIGIBLE;
            // Exponents grow or fall all along a ray.
            let to = if is_negligible(rises.len() - 1) {
                from + (from..rises.len()).collect::<Vec<_>>().partition_point(|i| !is_negligible(*i))
            } else {
                rises.len()
            };
            from..to
        };
        let ranges: Vec<Range<usize>> = hyperbola.points.iter().map(range).collect();
        let number =
            |j: usize, i: usize, sign: i64| (grid.of_nodes * i) as i64 + sign * (grid.of_points * j) as i64;
        let numbers = |sign: i64| {
            let ends = ranges.iter().enumerate().filter(|(_, range)| !range.is_empty());
            let ends = ends.map(|(j, range)| (number(j, range.start, sign), number(j, range.end, sign)));
            ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).map_or(0..1, |(from, to)| from..to + 1)
        };
        let log_scale = DoubleDouble::from(0.5 * hyperbola.scale).ln();
        let half = log_scale + DoubleDouble::from(rule.places.from);
        let turn_error = TURN_ERROR + 1.01 * DoubleDouble::ln_error(log_scale.hi());
        let (node, point) = (DoubleDouble::from(rule.places.angle), DoubleDouble::from(hyperbola.angle));
        let farthest = |number: i64| grid.unit.mul_add(number as f64, half.hi()).abs().max(half.hi().abs());
        let ends = [1, -1].map(numbers).map(|numbers| farthest(numbers.start).max(farthest(numbers.end)));
        if ends.iter().any(|end| end.is_nan() || *end > MOST_LOG - 5.0) {
            return None;
        }
        let (ahead, behind) = both_or_none(
            || Table::new(half, node + point, grid, numbers(1)),
            || Table::new(half, node - point, grid, numbers(-1)),
        )?;
        let scale = hyperbola.scale;
        let mut falls = WideComplexArray::default();
        let minus = DoubleDouble::from(-scale);
        (first..nodes.rises.len()).for_each(|i| falls.push(nodes.rises.at(i).times_real(minus)));
        let weights = nodes.weights.from(first).times(&falls.exp()?);
        let mut beyond = nodes.sizes.clone();
        beyond.push(0.0);
        for i in (0..nodes.sizes.len()).rev() {
            beyond[i] = (beyond[i] + beyond[i + 1]) * (1.0 + 1e-12);
        }
        Some(Self {
            nodes,
            weights,
            first,
            rises,
            lows,
            ranges,
            beyond,
            scale,
            turn_error,
            grid,
            ahead,
            behind,
        })
    }

    /// N at the point with a number, which is y, with what a rule may leave of it.
    ///
    /// # Guarantee
    /// Enclosed: each node is off by what is said above, and two sums are one. Where nodes are summed by their moments `t = |yY| ≤ 2`, and of what all powers have, `e^t ≤ 1 + 3.2t`, the p-th counts p times for its factors, `te^t ≤ 7.4t`.
    pub(super) fn at(&self, number: usize, y: WideComplex, left: f64) -> WideSum {
        let range = self.ranges[number].clone();
        let low = self.lows.iter().rfind(|low| low.end == range.start);
        let (low, mut error) = low.map_or((WideComplex::ZERO, 0.0), |low| {
            let end = low.end as f64;
            let of_each = MOMENTS_ERROR + MOMENT_ERROR * end + LEFT_OF_MOMENTS;
            let of_factors = FACTORS_ERROR + FACTOR_ERROR * end + RiseNodes::RISE_ERROR + POINT_ERROR;
            let norm = y.modulus() * (1.0 + 1e-9);
            let all = |[sum, first]: [f64; 2]| 3.2f64.mul_add(norm * first, sum);
            let of_sizes = all(low.sizes) * of_each + 7.4 * norm * low.sizes[1] * of_factors;
            (low.sum(y), (all(low.errors) + of_sizes) * (1.0 + 1e-6))
        });
        error += self.beyond[range.end] * EXP_NEGLIGIBLE;
        let (y_re, y_im) = (y.re.hi(), y.im.hi());
        let moduli = self.scale * (1.0 + (self.grid.point_step() * number as f64).cosh()) * (1.0 + 1e-9);
        let [re, im] =
            [&self.nodes.rises.re, &self.nodes.rises.im].map(|part| &part.leading()[range.clone()]);
        let [rises, sizes, errors] =
            [&self.rises, &self.nodes.sizes, &self.nodes.errors].map(|list| &list[range.clone()]);
        let of_all = NODE_ERROR + SUM_ERROR * range.len() as f64;
        let of_turns = self.turn_error * moduli;
        error += vectorised(
            #[inline(always)]
            || {
                let mut sums = [0.0; LANES];
                let chunks = re.len() / LANES;
                let of_node = |i: usize| {
                    let growth = quick::exp(y_re * re[i] - y_im * im[i]);
                    growth * (errors[i] + sizes[i] * (of_all + of_turns * rises[i]))
                };
                for chunk in 0..chunks {
                    for (lane, sum) in sums.iter_mut().enumerate() {
                        *sum += of_node(chunk * LANES + lane);
                    }
                }
                (chunks * LANES..re.len()).map(of_node).sum::<f64>() + sums.iter().sum::<f64>()
            },
        ) * (1.0 + 1e-6);
        if range.is_empty() {
            return WideSum { value: low, error: (error + left) * (1.0 + 1e-6) + UNDERFLOW };
        }
        let (i, j) = ((self.grid.of_nodes * range.start) as i64, (self.grid.of_points * number) as i64);
        let lists =
            [(&self.weights, range.start - self.first), self.ahead.from(i + j), self.behind.from(i - j)];
        let high = WideComplexArray::sum_of_products(lists, range.len());
        WideSum { value: low + high, error: (error + left) * (1.0 + 1e-6) + UNDERFLOW }
    }
}

impl Low {
    /// With some more nodes.
    fn after(before: Option<&Self>, nodes: &RiseNodes, rises: &[f64], some: Range<usize>) -> Self {
        let rise = rises[some.end - 1] * (1.0 + 1e-12);
        let inverses = &*INVERSES;
        vectorised(
            #[inline(always)]
            || {
                let mut moments = [WideComplex::ZERO; MOMENTS];
                let (mut sizes, mut errors) = ([0.0; 2], [0.0; 2]);
                if let Some(before) = before {
                    let ratio = DoubleDouble::from(before.rise) / DoubleDouble::from(rise);
                    let mut power = DoubleDouble::ONE;
                    for (moment, old) in moments.iter_mut().zip(&before.moments) {
                        *moment = old.times_real(power);
                        power = power * ratio;
                    }
                    (sizes, errors) = (before.sizes, before.errors);
                }
                let inverse = DoubleDouble::ONE / DoubleDouble::from(rise);
                for from in some.clone().step_by(STRIDE) {
                    let mut together = [WideComplex::ZERO; MOMENTS];
                    let some = from..(from + STRIDE).min(some.end);
                    for (i, distance) in some.clone().zip(&rises[some]) {
                        let place = nodes.rises.at(i).times_real(inverse);
                        let mut power = nodes.weights.at(i);
                        let negligible = NEGLIGIBLE_POWER * nodes.sizes[i];
                        for (moment, next) in together.iter_mut().zip(inverses) {
                            *moment = *moment + power;
                            power = (power * place).times_real(*next);
                            if power.re.hi().abs() + power.im.hi().abs() < negligible {
                                break;
                            }
                        }
                        for (sums, of_node) in [(&mut sizes, nodes.sizes[i]), (&mut errors, nodes.errors[i])]
                        {
                            sums[0] += of_node;
                            sums[1] += of_node * distance;
                        }
                    }
                    for (moment, more) in moments.iter_mut().zip(together) {
                        *moment = *moment + more;
                    }
                }
                Self { end: some.end, rise, moments, sizes, errors }
            },
        )
    }

    fn sum(&self, y: WideComplex) -> WideComplex {
        vectorised(
            #[inline(always)]
            || {
                let scaled = y.times_real(DoubleDouble::from(self.rise));
                self.moments.iter().rev().fold(WideComplex::ZERO, |sum, moment| sum * scaled + *moment)
            },
        )
    }
}
