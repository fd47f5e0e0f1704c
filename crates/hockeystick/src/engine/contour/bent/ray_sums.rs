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
    rounding::UNIT_ROUNDOFF,
    special::{exp, quick},
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
/// The same of nodes that are summed by their moments: a power of their rises is a product of p factors, each with roundings of 72u², and takes as many steps of 40u², where p is 2 on the average; each node is
/// added, and with every sixteenth all moments before are multiplied, 6u² for every node in all.
const MOMENTS_ERROR: f64 = 250.0 * UNIT;
const MOMENT_ERROR: f64 = 8.0 * UNIT;
/// u².
const UNIT: f64 = UNIT_ROUNDOFF * UNIT_ROUNDOFF;

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
    /// The sums of their sizes, and of what their masses are off.
    size: f64,
    error: f64,
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
        Some(Self { nodes, weights, first, rises, lows, ranges, beyond, scale, turn_error, grid, ahead, behind })
    }

    /// N at the point with a number, which is y, with what a rule may leave of it.
    ///
    /// # Guarantee
    /// Enclosed: each node is off by what is said above, where `|yY| ≤ 2` for those that are summed by their moments, and two sums are one.
    pub(super) fn at(&self, number: usize, y: WideComplex, left: f64) -> WideSum {
        let range = self.ranges[number].clone();
        let low = self.lows.iter().rfind(|low| low.end == range.start);
        let (low, mut error) = low.map_or((WideComplex::ZERO, 0.0), |low| {
            let turned = LOW * (RiseNodes::RISE_ERROR + POINT_ERROR);
            let relative = MOMENTS_ERROR + MOMENT_ERROR * low.end as f64 + turned + LEFT_OF_MOMENTS;
            (low.sum(y), exp(LOW) * (1.0 + 1e-9) * (low.error + low.size * relative))
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
                let (mut size, mut error) = (0.0, 0.0);
                if let Some(before) = before {
                    let ratio = DoubleDouble::from(before.rise) / DoubleDouble::from(rise);
                    let mut power = DoubleDouble::ONE;
                    for (moment, old) in moments.iter_mut().zip(&before.moments) {
                        *moment = old.times_real(power);
                        power = power * ratio;
                    }
                    (size, error) = (before.size, before.error);
                }
                let inverse = DoubleDouble::ONE / DoubleDouble::from(rise);
                for i in some.clone() {
                    let place = nodes.rises.at(i).times_real(inverse);
                    let mut power = nodes.weights.at(i);
                    let negligible = NEGLIGIBLE_POWER * nodes.sizes[i];
                    for (moment, next) in moments.iter_mut().zip(inverses) {
                        *moment = *moment + power;
                        power = (power * place).times_real(*next);
                        if power.re.hi().abs() + power.im.hi().abs() < negligible {
                            break;
                        }
                    }
                    size += nodes.sizes[i];
                    error += nodes.errors[i];
                }
                Self { end: some.end, rise, moments, size, error }
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
