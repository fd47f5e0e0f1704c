//! `E (S − b)₊` and `E (b − S)₊` for the mean `S = (W₁ + … + W_t)/t`: where to cut, which line, which cells.
//!
//! Searches run on a coarse law in plain numbers; any choice gives a valid bound.

use super::{
    cells::{Edge, Tail, between, law, sketch},
    line::{Line, Measure, ORDERS, Side, some_of},
};
use crate::pair::SharedPair;
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits,
    special::{exp, expm1, ln, ln_1p, quick},
};

/// One question about the mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge<'a> {
    pub(super) base: &'a SharedPair,
    pub(super) steps: u64,
    pub(super) tail: Tail,
    /// b.
    pub(super) threshold: Enclosure,
    /// The relative width wanted.
    pub(super) relative: f64,
}

/// Cells of the coarse law, and for answers wider than this.
const COARSE: usize = 400;
const COARSER: usize = 160;
const WIDE: f64 = 1e-5;
/// Cells of the fine laws, at most.
const MOST_CELLS: f64 = 40_000.0;
/// Points of a line, at most: five times as many fit into one transform of 2¹⁹.
const MOST_POINTS: usize = 104_857;
/// The part of the width that cells, and that the end of a line, may have.
const SHARE: f64 = 0.45;
/// Periods are at most so many times 1/c.
const MOST_PERIODS: f64 = 400.0;
/// What is cut off on the right, relative to a guess of the answer.
const CUT: f64 = 1e-11;
/// Below this nothing is looked for.
const SMALLEST: f64 = 1e-290;
/// Outcomes with less of Q than this are one cell at the left end.
const LEFT_END: f64 = 1e-20;
/// Losses of W are looked for up to here on both sides.
const LARGEST_LOSS: f64 = 700.0;

/// A tilt, and ln of about what the hinge is there.
#[derive(Clone, Copy, Debug)]
struct Saddle {
    tilt: f64,
    log_size: f64,
}

/// Sums over all cells, or those in which some W is at least that of a cell: `marked..`.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Cells that count at all.
    cells: usize,
    marked: Option<usize>,
    saddle: Saddle,
}

impl Hinge<'_> {
    /// # Guarantee
    /// Contains the truth; `[0, ∞]` where nothing is found.
    pub(super) fn enclosed(&self) -> Enclosure {
        let nothing = Enclosure::new(0.0, f64::INFINITY);
        // Right of this W alone puts S beyond b, or W alone is not below it.
        let whole = ln(self.steps as f64 * self.threshold.upper()) + 1e-12;
        if !whole.is_finite() {
            return nothing;
        }
        let Some((coarse, saddle)) = self.coarse(whole) else {
            return self.without_line(whole);
        };
        let last = coarse[coarse.len() - 1];
        let large = match self.tail {
            Tail::Right => self.large(last.loss, last.loss >= whole),
            Tail::Left => Enclosure::ZERO,
        };
        let parts = self.parts(&coarse, saddle);
        // In units of the largest: what is known already need not be known to more digits.
        let answer = parts
            .iter()
            .map(|part| part.saddle.log_size)
            .chain([ln(large.lower())])
            .fold(f64::NEG_INFINITY, f64::max);
        parts.iter().fold(large, |sum, part| {
            let relative =
                self.relative * exp((answer - part.saddle.log_size).min(12.0)) / parts.len() as f64;
            sum + self.part(&coarse, *part, relative)
        })
    }

    /// Where no sum of outcomes that are not negligible is on the side that counts: S is at most b if every W is, and no less if no W is.
    fn without_line(&self, whole: f64) -> Enclosure {
        let steps = self.steps as f64;
        match self.tail {
            Tail::Right => {
                let (from, to) =
                    (Edge::at(self.base, ln(self.threshold.lower()) - 1e-12), Edge::at(self.base, whole));
                let most = between(from.p, to.p) + between(from.q, to.q) * steps;
                self.large(whole, true) + Enclosure::new(0.0, most.upper())
            }
            Tail::Left => {
                let below = Edge::at(self.base, ln(self.threshold.upper()) + 1e-12).q.complement();
                Enclosure::new(0.0, (self.threshold * below * steps).upper())
            }
        }
    }

    fn part(&self, coarse: &[Edge], part: Part, relative: f64) -> Enclosure {
        let Part { saddle, .. } = part;
        let (edges, first_marked) = self.fine(coarse, part, relative);
        let steps = self.steps as f64;
        let period = period_of(&self.cells(coarse), part, steps, saddle.log_size + ln(0.02 * relative));
        let line = Line::at(saddle.tilt, period, SHARE * relative, MOST_POINTS);
        let of = |side| {
            let law = |edges: &[Edge]| law(edges, self.tail, side, self.threshold, steps);
            match first_marked {
                None => Measure { plain: law(&edges), marked: None },
                Some(first) => Measure { plain: law(&edges[..=first]), marked: Some(law(&edges[first..])) },
            }
        };
        let above = line.bound(&of(Side::Above), self.steps, Side::Above, f64::INFINITY);
        let below = line.bound(&of(Side::Below), self.steps, Side::Below, above);
        // Bounds that cross would contradict each other.
        if below <= above { Enclosure::new(below, above) } else { Enclosure::new(0.0, f64::INFINITY) }
    }

    /// One line for all sums, or one for those without a large W and one for the others, whichever is less in all: where one large W is what makes a sum
    /// large, sums have two scales.
    fn parts(&self, coarse: &[Edge], saddle: Saddle) -> Vec<Part> {
        let all = coarse.len() - 1;
        let whole = Part { cells: all, marked: None, saddle };
        if self.tail == Tail::Left {
            return vec![whole];
        }
        let cells = self.cells(coarse);
        // The W that alone makes a sum of others at their mean as large as b.
        let enough = self.steps as f64 * (self.threshold.midpoint() - 1.0) + 1.0;
        let mut best = (saddle.log_size - ln(2.0), vec![whole]);
        for factor in [0.25, 0.5, 0.8, 1.0, 1.3, 1.8] {
            let cut = coarse.partition_point(|edge| edge.ratio.midpoint() < factor * enough);
            if cut < 3 || cut + 2 > all {
                continue;
            }
            let small = saddle_of(&cells[..cut], None, self.steps as f64);
            let large = saddle_of(&cells, Some(cut), self.steps as f64);
            let (Some(small), Some(large)) = (small, large) else { continue };
            let size = small.log_size.max(large.log_size);
            if size < best.0 {
                let small = Part { cells: cut, marked: None, saddle: small };
                let large = Part { cells: all, marked: Some(cut), saddle: large };
                best = (size, vec![small, large]);
            }
        }
        best.1
    }

    /// Mass and place of each cell, in plain numbers.
    fn cells(&self, edges: &[Edge]) -> Vec<(f64, f64)> {
        let (steps, threshold) = (self.steps as f64, self.threshold.midpoint());
        let sign = if self.tail == Tail::Right { 1.0 } else { -1.0 };
        sketch(edges).into_iter().map(|(mass, mean)| (mass, sign * (mean - threshold) / steps)).collect()
    }

    /// What comes from outcomes with some W beyond a loss ℓ (P and Q of them p and q): `E[(S − b)₊; some W > e^ℓ]`, and the infinite losses. With
    /// r = 1 − q it is at least
    ///
    /// ```text
    /// E[S − b; some] = p + (1 − p)(1 − r^{t−1}) − b(1 − rᵗ),
    /// ```
    ///
    /// and that is all of it if S ≥ b wherever some W is beyond; otherwise it is at most `E[S; some]`.
    fn large(&self, loss: f64, is_whole: bool) -> Enclosure {
        let Edge { p, q, .. } = Edge::at(self.base, loss);
        let steps = self.steps as f64;
        let most = p.value() + p.complement() * some_of(q.value(), steps - 1.0);
        let least = (most - self.threshold * some_of(q.value(), steps)).clamp(0.0, f64::INFINITY);
        if is_whole { least } else { Enclosure::new(least.lower(), most.upper()) }
    }

    /// Cells of one width in the loss, as far as they matter, and a tilt.
    fn coarse(&self, whole: f64) -> Option<(Vec<Edge>, Saddle)> {
        let (smallest, largest) = self.base.finite_losses().into_inner();
        let first = self.left_end().max(smallest.lower() - 1e-9);
        let mut guess = 1e-2;
        for _ in 0..80 {
            let end = match self.tail {
                Tail::Right => whole.min(self.right_end(CUT * guess)),
                Tail::Left => whole,
            }
            .min(largest.upper() + 1e-9);
            if first >= end || end.is_nan() {
                return None;
            }
            let cells = if self.relative < WIDE { COARSE } else { COARSER };
            let width = (end - first) / cells as f64;
            let mut edges = vec![Edge::zero()];
            edges.extend(
                (0..=cells)
                    .map(|k| Edge::at(self.base, if k == cells { end } else { first + k as f64 * width })),
            );
            let is_whole = end >= whole || end > largest.upper();
            let Some(saddle) = saddle_of(&self.cells(&edges), None, self.steps as f64) else {
                // Too much was cut off for any sum to be large.
                if is_whole || self.tail == Tail::Left || guess <= SMALLEST {
                    return None;
                }
                guess = (1e-4 * guess).max(SMALLEST);
                continue;
            };
            if self.tail == Tail::Left || is_whole || saddle.log_size >= ln(guess) {
                // Where no loss is beyond, nothing is.
                return Some((edges, saddle));
            }
            if guess <= SMALLEST {
                return None;
            }
            guess = (0.01 * exp(saddle.log_size)).max(SMALLEST);
        }
        None
    }

    /// Cells in each coarse one in proportion to the cube root of what it adds to the gap, `Σ m (Δw)²` under the tilt; and the first edge of those marked.
    fn fine(&self, coarse: &[Edge], part: Part, relative: f64) -> (Vec<Edge>, Option<usize>) {
        let steps = self.steps as f64;
        let Saddle { tilt, .. } = part.saddle;
        let cells = &self.cells(coarse)[..part.cells];
        let tilted: Vec<f64> = cells.iter().map(|(mass, x)| mass * exp(tilt * x)).collect();
        let first = part.marked.unwrap_or(part.cells);
        // Of a marked value there is about one.
        let (plain, marked): (f64, f64) = (tilted[..first].iter().sum(), tilted[first..].iter().sum());
        let shares: Vec<f64> = (tilted.iter().zip(coarse.windows(2)).enumerate())
            .map(|(cell, (weight, ends))| {
                let width = ends[1].ratio.midpoint() - ends[0].ratio.midpoint();
                let weight = if cell < first { weight / plain } else { weight / marked / steps };
                (weight * width * width).cbrt()
            })
            .collect();
        let sum: f64 = shares.iter().sum();
        let scaled = tilt * tilt * sum.powi(3) / (8.0 * steps * SHARE * relative);
        let count = scaled.sqrt().clamp(1.0, MOST_CELLS);
        let mut edges = Vec::with_capacity(coarse.len() + count as usize);
        let mut first_marked = None;
        for (cell, (ends, share)) in coarse.windows(2).zip(shares).enumerate() {
            if part.marked == Some(cell) {
                first_marked = Some(edges.len());
            }
            edges.push(ends[0]);
            let parts = if ends[0].loss.is_finite() { (count * share / sum).ceil().max(1.0) } else { 1.0 };
            let width = (ends[1].loss - ends[0].loss) / parts;
            let inner = (1..parts as usize).map(|k| ends[0].loss + k as f64 * width);
            edges.extend(inner.map(|loss| Edge::at(self.base, loss)));
            limits::check();
        }
        edges.push(coarse[part.cells]);
        (edges, first_marked)
    }

    /// Below it there is next to nothing of Q, or W is next to nothing.
    fn left_end(&self) -> f64 {
        let is_beyond = |loss: f64| {
            let below = Edge::at(self.base, loss).q.complement().upper();
            below >= LEFT_END
        };
        let lowest = ln(1e-6 * self.threshold.midpoint());
        switch(is_beyond, -LARGEST_LOSS, LARGEST_LOSS).max(if self.tail == Tail::Left {
            lowest
        } else {
            -LARGEST_LOSS
        })
    }

    /// Beyond it outcomes weigh less than `weight`.
    fn right_end(&self, weight: f64) -> f64 {
        let steps = self.steps as f64;
        let is_light = |loss: f64| {
            let Edge { p, q, .. } = Edge::at(self.base, loss);
            p.value().upper() + steps * q.value().upper() <= weight
        };
        switch(is_light, -LARGEST_LOSS, LARGEST_LOSS)
    }
}

/// `log M(c)` over sums of so many values, or those with some cell from `marked` on.
fn log_moment(cells: &[(f64, f64)], marked: Option<usize>, steps: f64, tilt: f64) -> f64 {
    let largest = cells.iter().fold(f64::NEG_INFINITY, |most, (_, x)| most.max(tilt * x));
    let sum = |cells: &[(f64, f64)]| -> f64 {
        cells.iter().map(|(mass, x)| mass * quick::exp(tilt * x - largest)).sum()
    };
    let all = sum(cells);
    let some = marked.map_or(0.0, |first| ln(-expm1(steps * ln_1p(-sum(&cells[first..]) / all))));
    steps * (ln(all) + largest) + some
}

/// Where `log M(c) − 2 log c` is smallest.
fn saddle_of(cells: &[(f64, f64)], marked: Option<usize>, steps: f64) -> Option<Saddle> {
    if !cells.iter().any(|(mass, x)| *mass > 0.0 && *x > 0.0) {
        return None;
    }
    let size = |log_tilt: f64| log_moment(cells, marked, steps, exp(log_tilt)) - 2.0 * log_tilt;
    let log_tilt = golden(&size, -20.0, 60.0);
    let (tilt, log_size) = (exp(log_tilt), size(log_tilt));
    (tilt.is_finite() && log_size.is_finite()).then_some(Saddle { tilt, log_size })
}

/// The period, in units of 1/c, beyond which images add less than `e^{log_share}`.
fn period_of(cells: &[(f64, f64)], part: Part, steps: f64, log_share: f64) -> f64 {
    let tilt = part.saddle.tilt;
    let right = ORDERS.map(|factor| {
        let moment = log_moment(&cells[..part.cells], part.marked, steps, factor * tilt);
        (moment - ln(factor * tilt) - log_share) / (factor - 1.0)
    });
    let right = right.into_iter().filter(|reach| reach.is_finite()).fold(f64::INFINITY, f64::min);
    let left = (-log_share - ln(tilt)).max(1.0);
    (left + ln(left)).max(right.min(MOST_PERIODS)).max(2.0)
}

/// Where a monotone statement becomes true.
fn switch(is_true: impl Fn(f64) -> bool, from: f64, to: f64) -> f64 {
    let (mut low, mut high) = (from, to);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if is_true(middle) { high = middle } else { low = middle }
    }
    high
}

/// The place of the minimum of a convex function, nearly.
fn golden(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let ratio = 0.618_033_988_749_895;
    let (mut low, mut high) = (from, to);
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..22 {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = f(right);
        }
    }
    0.5 * (low + high)
}
