//! N at the points of a hyperbola, as sums over the nodes of a ray.
//!
//! `yY` is `−mY + (m/2)e^{iψ} e^s Y + (m/2)e^{−iψ} e^{−s} Y`. With points and nodes on grids of one unit of s and log Y, each of the last two terms is one of few numbers,
//! so that no exponential is taken twice.

use super::{
    Grid, UNDERFLOW,
    hyperbola::{Hyperbola, Point},
    ray_rule::RayRule,
};
use crate::{
    pair::{RiseLaw, RiseNodes},
    two_threads::{both_or_none, halves},
};
use hockeystick_numerics::{
    double_double::DoubleDouble,
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
const LEFT_OF_MOMENTS: f64 = 1e-28;
/// Of a node powers below this part are left out: times `2^{37}` and a few, that is less than 10⁻²⁸.
const NEGLIGIBLE_POWER: f64 = 1e-40;
/// So many errors are summed at once.
const LANES: usize = 4;
/// Moments are kept for every so many nodes.
const STRIDE: usize = 16;
/// Nodes with exponents below this are left out.
const NEGLIGIBLE: f64 = -80.0;
const EXP_NEGLIGIBLE: f64 = 1.9e-35;
/// What a node is off at a point, as a part of its size, and for every unit of the moduli of its exponents together: 2^-82 and 2^-89.
///
/// Nodes are off by [`RiseNodes::ERROR`], exponentials by three times 2^-94, products and sums by less than 2^-88 for 4000 of them. Points are off by 2^-91 of themselves, nodes
/// and entries of tables by 2^-92, but for `log(m/2)`, which is off by 2^-96 of itself and below 60.
const NODE_ERROR: f64 = 2.067951531382569e-25;
const TURN_ERROR: f64 = 1.6155871338926322e-27;

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
    /// The sum of their sizes.
    size: f64,
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
        let half = DoubleDouble::from(0.5 * hyperbola.scale).ln() + DoubleDouble::from(rule.places.from);
        let (node, point) = (DoubleDouble::from(rule.places.angle), DoubleDouble::from(hyperbola.angle));
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
        Some(Self { nodes, weights, first, rises, lows, ranges, beyond, scale, grid, ahead, behind })
    }

    /// N at the point with a number, which is y, with what a rule may leave of it.
    ///
    /// # Guarantee
    /// Moments take at most 250 steps of forty roundings, less than 2^-88 of all.
    pub(super) fn at(&self, number: usize, y: WideComplex, left: f64) -> WideSum {
        let range = self.ranges[number].clone();
        let low = self.lows.iter().rfind(|low| low.end == range.start);
        let (low, mut error) = low.map_or((WideComplex::ZERO, 0.0), |low| {
            let error = low.size * exp(LOW) * (2.0 * NODE_ERROR + LOW * TURN_ERROR + LEFT_OF_MOMENTS);
            (low.sum(y), error)
        });
        error += self.beyond[range.end] * EXP_NEGLIGIBLE;
        let (y_re, y_im) = (y.re.hi(), y.im.hi());
        let moduli = self.scale * (1.0 + (self.grid.point_step() * number as f64).cosh()) * (1.0 + 1e-9);
        let [re, im] =
            [&self.nodes.rises.re, &self.nodes.rises.im].map(|part| &part.leading()[range.clone()]);
        let [rises, sizes] = [&self.rises, &self.nodes.sizes].map(|sizes| &sizes[range.clone()]);
        error += vectorised(
            #[inline(always)]
            || {
                let mut sums = [0.0; LANES];
                let chunks = re.len() / LANES;
                let of_node = |i: usize| {
                    let size = sizes[i] * quick::exp(y_re * re[i] - y_im * im[i]);
                    size * (NODE_ERROR + TURN_ERROR * rises[i] * moduli)
                };
                for chunk in 0..chunks {
                    for (lane, sum) in sums.iter_mut().enumerate() {
                        *sum += of_node(chunk * LANES + lane);
                    }
                }
                (chunks * LANES..re.len()).map(of_node).sum::<f64>() + sums.iter().sum::<f64>()
            },
        ) * (1.0 + 1e-9);
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
                let mut size = 0.0;
                if let Some(before) = before {
                    let ratio = DoubleDouble::from(before.rise) / DoubleDouble::from(rise);
                    let mut power = DoubleDouble::ONE;
                    for (moment, old) in moments.iter_mut().zip(&before.moments) {
                        *moment = old.times_real(power);
                        power = power * ratio;
                    }
                    size = before.size;
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
                }
                Self { end: some.end, rise, moments, size }
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
