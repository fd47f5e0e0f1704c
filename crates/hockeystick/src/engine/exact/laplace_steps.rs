//! Equal Laplace losses: the law of their sum by B-splines.
//!
//! With atoms at `±c` and the density between, the law of one loss is `e^{(l−c)/2}` times the symmetric measure
//! `½δ₊ + ½δ₋ + ¼dl` ([Sommer19, App. A.3], with its errata). In the position `x`, with `l = c(2x − 1)`, it has atoms ½ at 0 and 1
//! and the density `a = c/2` between. So the sum of `k` has the measure
//!
//! `Σ_m C(k, m)·a^m·E^{k−m} N_m`, `E f(x) = ½f(x) + ½f(x − 1)`,
//!
//! with the cardinal B-splines `N_m`, the densities of sums of `m` uniform numbers. Between two knots it is a polynomial of
//! degree below `k`. `N_m(x) = (x·N_{m−1}(x) + (m − x)·N_{m−1}(x − 1))/(m − 1)` and Horner's rule in `E` have positive terms only,
//! and connect `x` with `x − 1` alone: so the pieces are computed at the same few points between all knots at once.
//!
//! Under a tilt `e^{λx}` everything keeps its form: the number of densities is binomial, `E` has the weights `1` and `e^λ`, over
//! their sum, and the B-splines have `λ/(e^λ − 1)` to the power `m`.

use super::{
    Effort, ExactKind, ExactPlan,
    convolution::TiltedLaw,
    pieces::{MOST_POINTS, Pieces, Points},
    sums::{Sums, SumsOf},
    tilt::{few_bits, saddle},
};
use crate::engine::Goal;
use hockeystick_numerics::{
    ball::Ball, limits::check, log_factorial::log_factorial, rounding::UNIT_ROUNDOFF, special::exp,
};
use std::sync::Arc;

/// The smallest and the largest distance: beyond, answers are elementary or exponentials leave the range of doubles.
const DISTANCES: std::ops::RangeInclusive<f64> = 1e-12..=40.0;
/// The largest tilt `λ`, distance included.
const LARGEST_TILT: f64 = 60.0;
/// By how much the logarithm of a density changes in one piece: its error is relative to its largest value.
const LARGEST_FALL: f64 = 4.0;
/// The part of `M` that need not decay on a line of ten digits.
const DECAYED: f64 = 1e-14;
/// What the polynomials may be off, as a part of the density.
const NARROW: f64 = 1e-15;
/// What all underflows add up to at most.
const UNDERFLOWS: f64 = 1e-290;
/// Multiplications for each point of each knot of each use.
const WORK: f64 = 6.0;

/// `K(θ)` of one use up to a constant times its count, and its slope: of `ln(cosh ρ + a·sinh ρ/ρ) − c/2` at `ρ = c(θ + ½)`.
fn cumulant(c: f64, count: f64, tilt: f64) -> (f64, f64) {
    let rho = c * (tilt + 0.5);
    let tanh = rho.tanh();
    let density = 0.5 * c * tanh / rho;
    // ln cosh ρ without overflow.
    let log_cosh = rho + (-2.0 * rho).exp().ln_1p() - std::f64::consts::LN_2;
    let slope = (tanh + 0.5 * c * (1.0 / rho - tanh / (rho * rho))) / (1.0 + density);
    (count * (log_cosh + density.ln_1p() - 0.5 * c), count * c * slope)
}

/// Composes `count` uses of the Laplace loss of this distance.
pub(super) fn compose(distance: Ball, count: u64, goal: Goal, effort: Effort) -> Option<(Sums, ExactPlan)> {
    let c = distance.approximate();
    if !DISTANCES.contains(&c) || count == 0 || count as f64 > 1e6 {
        return None;
    }
    let largest = (LARGEST_TILT - c) / (2.0 * c);
    let phi = few_bits(2.0 * c * saddle(goal, largest, |tilt| cumulant(c, count as f64, tilt)));
    let steps = Steps::new(distance, count, phi);
    let points = steps.points_wanted();
    let lanes = (steps.parts * (points + 1)) as f64;
    if points > MOST_POINTS || WORK * lanes * (count as f64).powi(2) > effort.multiplications(steps.decays())
    {
        return None;
    }
    let pieces = steps.pieces(points)?;
    let parts = steps.parts as f64;
    let step = distance * Ball::from(2.0 / parts);
    // Every law with a distance within the radius has ratios within e^{±radius} of this one, use by use.
    let blur = 1.01 * count as f64 * distance.radius();
    let of = SumsOf { step, offset: -(distance * Ball::from(count)), phi: phi / parts, blur, unlisted: 0.0 };
    let plan = ExactPlan {
        kind: ExactKind::Splines { points },
        step: 2.0 * c,
        terms: count as usize + 1,
        tilt: phi / (2.0 * c),
    };
    Some((Sums::over(of, steps.atoms(blur), Some(pieces)), plan))
}

/// The constants of a composition under its tilt.
struct Steps {
    count: usize,
    c: f64,
    /// `c`, and the tilt `λ = c + φ`.
    distance: Ball,
    lambda: Ball,
    /// The odds of the density against an atom.
    density_odds: Ball,
    /// `ln` of the measure of one use.
    log_total: Ball,
    /// How likely how many uses have the density.
    weights: Vec<f64>,
    /// The number of equal parts, a power of two, of what is between two knots: densities that fall much are cut.
    parts: usize,
}

impl Steps {
    fn new(distance: Ball, count: u64, phi: f64) -> Self {
        let lambda = distance + Ball::from(phi);
        let shrunk = (-lambda).exp();
        // a(e^λ − 1)/λ over ½(1 + e^λ).
        let density_odds = distance * -(-lambda).exp_m1() / (lambda * (Ball::ONE + shrunk));
        let log_atoms = lambda + shrunk.ln_1p() - Ball::from(2.0).ln();
        let log_total = log_atoms + density_odds.ln_1p();
        let count = count as usize;
        let weights = binomial(count, density_odds.ln(), Ball::ZERO);
        let parts = ((lambda.approximate() / LARGEST_FALL).ceil().max(1.0) as usize).next_power_of_two();
        Self { count, c: distance.approximate(), distance, lambda, density_odds, log_total, weights, parts }
    }

    /// Is `|M|` negligible on a line where it has to be: all atoms, the part that does not decay, under the tilt?
    fn decays(&self) -> bool {
        self.weights[0] < DECAYED
    }

    /// So many points that the polynomials through them are within [`NARROW`] of typical pieces, or as many as make them exact:
    /// the bound by derivatives over the density, both without regard to where they are.
    fn points_wanted(&self) -> usize {
        let more_than = |number: usize| self.weights.iter().skip(number + 1).rev().sum::<f64>();
        let all = more_than(0);
        let mut factor = 2.0;
        for points in 1..=MOST_POINTS {
            factor *= self.growth() / points as f64;
            if points >= self.count || factor * more_than(points) <= NARROW * all {
                return points;
            }
        }
        MOST_POINTS + 1
    }

    /// The atoms at the knots: of `k` uses none has the density.
    fn atoms(&self, blur: f64) -> TiltedLaw {
        let no_density = -(self.density_odds.ln_1p() * Ball::from(self.count as u64));
        let mut weights = vec![0.0; self.count * self.parts + 1];
        for (j, weight) in binomial(self.count, self.lambda, no_density).into_iter().enumerate() {
            weights[j * self.parts] = weight;
        }
        TiltedLaw {
            first: 0,
            weights,
            log_scale: (self.log_total - self.distance) * Ball::from(self.count as u64),
            relative: (8.0 * self.count as f64 + 100.0) * UNIT_ROUNDOFF + blur,
            missing: UNDERFLOWS,
        }
    }

    /// The pieces between the knots.
    ///
    /// # Guarantee
    /// Each step of a B-spline takes six roundings, each of Horner's rule five, the weight of each term five for each use.
    ///
    /// The polynomial through the values at `n` Chebyshev points is off by at most `2·4^{−n}/n!` times the `n`th derivative. That
    /// of `N_m` is at most `2^n E^n N_{m−n}`, so the sum of these with the weights of `m` is a bound. A B-spline is a mean of the
    /// one before over a unit interval: between two knots it is at most the sum of its values at both, and constant for `m = 1`.
    fn pieces(&self, points: usize) -> Option<Pieces> {
        let (k, parts) = (self.count, self.parts);
        let nodes = Arc::new(Points::new(points));
        // The lanes of each part are its lower end and its points.
        let lanes = parts * (points + 1);
        let in_parts = |share: f64| (0..parts).map(move |part| (part as f64 + share) / parts as f64);
        let shares: Vec<f64> =
            [0.0].into_iter().chain(nodes.nodes.iter().copied()).flat_map(in_parts).collect();
        let lambda = self.lambda;
        let (shrunk, grown) = ((-lambda).exp(), lambda.exp());
        let keep = (Ball::ONE / (Ball::ONE + grown)).approximate();
        let shift = (Ball::ONE / (Ball::ONE + shrunk)).approximate();
        let lower = (lambda / lambda.exp_m1()).approximate();
        let upper = (-(lambda / (-lambda).exp_m1())).approximate();
        let weights = &self.weights;
        let derivative_factor = self.derivative_factor(points);
        let last = weights.iter().rposition(|&weight| weight > 0.0)?;

        let mut splines = vec![0.0; k * lanes];
        let mut sums = vec![0.0; k * lanes];
        let mut derivatives = vec![0.0; k * parts];
        splines[..lanes].fill(lower);
        for m in 1..=k {
            check();
            let derivative_weight = weights.get(m + points).map_or(0.0, |weight| derivative_factor * weight);
            let (low, high) = (lower / (m as f64 - 1.0), upper / (m as f64 - 1.0));
            for i in (0..m).rev() {
                let (before, from) = splines.split_at_mut(i * lanes);
                let here = &mut from[..lanes];
                if m > 1 && m <= last {
                    let (at, left) = (i as f64, (m - i) as f64);
                    if i > 0 {
                        let before = &before[(i - 1) * lanes..];
                        for ((value, below), share) in here.iter_mut().zip(before).zip(&shares) {
                            *value = low * (at + share) * *value + high * (left - share) * below;
                        }
                    } else {
                        here.iter_mut().zip(&shares).for_each(|(value, share)| *value *= low * share);
                    }
                }
                let (before, from) = sums.split_at_mut(i * lanes);
                let (sum, spline) = (&mut from[..lanes], &splines[i * lanes..(i + 1) * lanes]);
                let weight = if m <= last { weights[m] } else { 0.0 };
                if i > 0 {
                    let before = &before[(i - 1) * lanes..];
                    for ((sum, below), spline) in sum.iter_mut().zip(before).zip(spline) {
                        *sum = keep * *sum + shift * below + weight * spline;
                    }
                } else {
                    sum.iter_mut().zip(spline).for_each(|(sum, spline)| *sum = keep * *sum + weight * spline);
                }
                let (before, from) = derivatives.split_at_mut(i * parts);
                for (part, spline) in spline[..parts].iter().enumerate() {
                    let below = if i > 0 { before[(i - 1) * parts + part] } else { 0.0 };
                    from[part] = keep * from[part] + shift * below + derivative_weight * spline;
                }
            }
        }

        // In units of the lower end of each part, and densities in parts.
        let unit = |part: usize| exp(lambda.approximate() * part as f64 / parts as f64) / parts as f64;
        let units: Vec<f64> = (0..parts).map(unit).collect();
        let next_unit = exp(-lambda.approximate() / parts as f64);
        let relative = (20.0 * k as f64 + 200.0) * UNIT_ROUNDOFF;
        let at_ends = |values: &[f64], stride: usize| -> Vec<f64> {
            let end = |at: usize| {
                values.get(at / parts * stride + at % parts).copied().unwrap_or(0.0) * units[at % parts]
            };
            let bound = |at: usize| (1.0 + 2.0 * relative) * (end(at) + next_unit * end(at + 1)) + UNDERFLOWS;
            (0..k * parts).map(bound).collect()
        };
        let largest = at_ends(&sums, lanes);
        let doubts = at_ends(&derivatives, parts);
        let doubts =
            doubts.iter().zip(&largest).map(|(doubt, most)| 1.01 * doubt + 4.0 * relative * most).collect();
        let mut values = Vec::with_capacity(k * parts * points);
        for cell in sums.chunks(lanes) {
            for (part, unit) in units.iter().enumerate() {
                values.extend((1..=points).map(|point| unit * cell[point * parts + part]));
            }
        }
        Pieces::new(nodes, self.c / parts as f64, values, largest, doubts)
    }

    /// `2·4^{−n}/n!` times `2^n` and what turns the weight of `m + n` densities into that of `E^{k−m} N_m` in the bound of the
    /// derivatives: `a` over the odds, `ρ coth ρ`, for each.
    fn derivative_factor(&self, points: usize) -> f64 {
        (1..=points).fold(2.0 * (1.0 + 1e-9), |product, l| product * self.growth() / l as f64)
    }

    /// `½ρ coth ρ` with `ρ = λ/2`: about how much a derivative is larger than the density, with the half of Chebyshev's points;
    /// in parts.
    fn growth(&self) -> f64 {
        let rho = 0.5 * self.lambda.approximate();
        0.5 * rho / rho.tanh() / self.parts as f64
    }
}

/// `C(k, j)·e^{j·log_odds}/(1 + e^{log_odds})^k` times `e^log_factor`, by recurrence from the largest.
///
/// # Guarantee
/// Within `4k + 20` roundings of the truth; what underflows is 0.
fn binomial(k: usize, log_odds: Ball, log_factor: Ball) -> Vec<f64> {
    let odds = log_odds.exp();
    let share = 1.0 / (1.0 + (-log_odds.approximate()).exp());
    let mode = (((k + 1) as f64 * share) as usize).min(k);
    let log_all =
        if log_odds.approximate() > 0.0 { log_odds + (-log_odds).exp().ln_1p() } else { odds.ln_1p() };
    let ways = log_factorial(k as u64) - log_factorial(mode as u64) - log_factorial((k - mode) as u64);
    let log_largest = ways + log_odds * Ball::from(mode as u64) - log_all * Ball::from(k as u64) + log_factor;
    let mut weights = vec![0.0; k + 1];
    weights[mode] = log_largest.exp_enclosure().midpoint();
    let (odds, inverse) = (odds.approximate(), (-log_odds).exp().approximate());
    for j in mode..k {
        weights[j + 1] = weights[j] * ((k - j) as f64 / (j + 1) as f64) * odds;
    }
    for j in (0..mode).rev() {
        weights[j] = weights[j + 1] * ((j + 1) as f64 / (k - j) as f64) * inverse;
    }
    weights
}
