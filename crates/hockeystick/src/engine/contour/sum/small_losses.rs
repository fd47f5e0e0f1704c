//! `Σ p (e^{zL} − 1 − z(1 − e^{−L}))` along a vertical line, for losses near 0.
//!
//! The summand is of the order of `|z|² L²`. Adding up `p e^{zL}` instead would lose, for a million uses of a rarely sampled
//! mechanism, the six digits in which it agrees with 1.

use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, expm1},
    vectorised::vectorised,
};
use num_complex::Complex;

/// Short steps in a block, a power of 2. One long step leads from the start of a block to that of the next.
const STEPS: usize = 32;
/// Blocks between two direct evaluations.
const BLOCKS: usize = 16;
/// Lines of at most so many blocks take no long steps,
const FEW_BLOCKS: usize = 4;
/// but so many short ones between two direct evaluations.
const STEPS_ALONE: usize = 48;
/// Accumulators that are independent of each other.
pub(crate) const LANES: usize = 4;
/// The roundings of a step in units of u, relative to `|D| + |A||E| + |F|` as below.
const STEP_UNITS: f64 = 16.0;
/// What weights that underflow may contribute.
pub(crate) const UNDERFLOW: f64 = 1e-290;
/// Below this `|w|`, `e^w − 1 − w` is summed as a series.
const SERIES: f64 = 0.5;

/// Point masses at small losses.
#[derive(Clone, Debug, Default)]
pub(crate) struct SmallLosses {
    pub(crate) tilt: f64,
    pub(crate) weights: Vec<f64>,
    pub(crate) losses: Vec<f64>,
    /// `1 − e^{−L}`.
    pub(crate) drops: Vec<f64>,
    /// Sums of `p L² v`, `p (1 + e^{cL})` and `p |L| v`, with `v = max(e^{cL}, e^{−L}, 1)`.
    moments: [f64; 3],
    /// What the errors of weights and losses contribute, to be multiplied by `|z|(|z| + 1)`.
    uncertain: f64,
    /// How far a loss is off at most.
    farthest: f64,
}

impl SmallLosses {
    pub(crate) fn new(tilt: f64) -> Self {
        Self { tilt, ..Self::default() }
    }

    /// A mass `p`, of which a part `relative_error` is uncertain, at a loss known to `loss_error`.
    pub(crate) fn push(&mut self, p: f64, loss: f64, relative_error: f64, loss_error: f64) {
        let drop = -expm1(-loss);
        let growth = expm1(self.tilt * loss) + 1.0;
        let v = growth.max(1.0 - drop).max(1.0);
        let reach = loss.abs() + loss_error;
        self.weights.push(p);
        self.losses.push(loss);
        self.drops.push(drop);
        self.moments[0] += p * loss * loss * v;
        self.moments[1] += p * (1.0 + growth);
        self.moments[2] += p * loss.abs() * v;
        self.farthest = self.farthest.max(loss_error);
        // |D| ≤ |z||z+1| v L²/2 and |D′| ≤ |z||z+1| v |L|.
        self.uncertain += p * v * (1.0 + 1e-6) * (0.5 * reach * reach * relative_error + reach * loss_error);
    }

    /// A mass that is not summed: `p v` is at most this.
    pub(crate) fn ignore(&mut self, most: f64, loss: f64, loss_error: f64) {
        let reach = loss.abs() + loss_error;
        self.uncertain += most * (1.0 + 1e-6) * reach * reach;
    }

    /// The sums at `z = c + i n step`, n = 0 … count − 1, and what each may be off.
    ///
    /// # Guarantee
    /// With `D(z) = e^{zL} − 1 − z e`, `e = 1 − e^{−L}`, `E = e^{ihL} − 1` and `F = E − ih e`,
    /// `D(z + ih) = D + (D + z e) E + F` exactly. A rounding error is only turned by `1 + E`. Each step adds at most
    /// `16 u (|D| + |A||E| + |F|) + 2u |A| h|L|`, where `A = D + z e = e^{zL} − 1` and the last term is the rounded angle `hL`;
    /// with `Z = |z|(|z| + 1)`, `h ≤ |z|` and `|e| ≤ |L| v` for the z it leads to, from a smaller one, that is at most `16 u · 4.5 Z L² v`, and also
    /// `16 u (3(1 + e^{cL}) + 6|z||L|v)`. A block of steps starts where one long step leads to from the start of the block before, to which
    /// the same applies, for that step is at most `|z|` as well. The first of some blocks starts from a direct evaluation, whose angle
    /// `tL` is rounded twice, off by no more than a step is.
    pub(crate) fn sums(&self, step: f64, count: usize) -> (Vec<Complex<f64>>, Vec<f64>) {
        let nodes = self.weights.len();
        let padded = |values: &[f64]| {
            let mut padded = vec![0.0; nodes.div_ceil(LANES) * LANES];
            padded[..nodes].copy_from_slice(values);
            padded
        };
        let (weights, drops) = (padded(&self.weights), padded(&self.drops));
        let near = self.turn(step);
        // The number of steps is a power of 2, and the product exact. For few blocks it takes as long to find as it saves.
        let is_worth_it = count > FEW_BLOCKS * STEPS;
        let far = is_worth_it.then(|| self.turn(step * STEPS as f64));
        let length = drops.len();
        let (mut values, mut errors) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut at_block = Points { re: vec![0.0; length], im: vec![0.0; length] };
        let mut at = at_block.clone();
        for n in 0..count {
            let (long_steps, steps) = match far {
                Some(_) => (n / STEPS % BLOCKS, n % STEPS),
                None => (0, n % STEPS_ALONE),
            };
            let z = Complex::new(self.tilt, step * n as f64);
            if steps > 0 {
                let from = Complex::new(self.tilt, step * (n - 1) as f64);
                at.advance(from, &drops, &near);
            } else {
                match &far {
                    Some(far) if long_steps > 0 => {
                        let from = Complex::new(self.tilt, step * (n - STEPS) as f64);
                        at_block.advance(from, &drops, far);
                    }
                    Some(_) | None => at_block.evaluate(z, &self.losses, &self.drops),
                }
                at.clone_from(&at_block);
            }
            values.push(at.weighted_sum(&weights));
            errors.push(self.error(z, (long_steps + steps) as f64 + 1.0));
        }
        (values, errors)
    }

    /// What it takes to go from any point to the one that is `step` above.
    fn turn(&self, step: f64) -> Turn {
        let padded = self.losses.len().div_ceil(LANES) * LANES;
        let mut turn = Turn { re: vec![0.0; padded], im: vec![0.0; padded], change: vec![0.0; padded] };
        for (i, (&loss, &drop)) in self.losses.iter().zip(&self.drops).enumerate() {
            let Complex { re, im } = turned(step * loss);
            (turn.re[i], turn.im[i]) = (re, im);
            turn.change[i] = sine_less_angle(step * loss) + step * loss_less_drop(loss, drop);
        }
        turn
    }

    /// Rounding after `steps` steps, of the sum, and of weights and losses.
    fn error(&self, z: Complex<f64>, steps: f64) -> f64 {
        let size = z.norm();
        let second = size * (size + 1.0);
        let [squares, masses, spread] = self.moments;
        let adds = self.weights.len() as f64 / LANES as f64 + 4.0;
        let step =
            STEP_UNITS * UNIT_ROUNDOFF * (4.5 * second * squares).min(3.0 * masses + 6.0 * size * spread);
        let sum = UNIT_ROUNDOFF * adds * (0.5 * second * squares).min(masses + size * spread);
        let uncertain = second * self.uncertain * exp((size + 1.0) * self.farthest);
        // Weights below the normal range are off by up to 2^-1074, which v, no more than e³⁰, magnifies.
        (steps * step + sum + uncertain) * (1.0 + 1e-6) + UNDERFLOW * (1.0 + second)
    }
}

/// E and the imaginary part of F for every node, whose real part is that of E.
struct Turn {
    re: Vec<f64>,
    im: Vec<f64>,
    change: Vec<f64>,
}

/// `D(z)` for every node.
#[derive(Clone)]
struct Points {
    re: Vec<f64>,
    im: Vec<f64>,
}

impl Points {
    fn evaluate(&mut self, z: Complex<f64>, losses: &[f64], drops: &[f64]) {
        for (i, (&loss, &drop)) in losses.iter().zip(drops).enumerate() {
            let value = direct(z, loss, drop);
            (self.re[i], self.im[i]) = (value.re, value.im);
        }
    }

    /// One step of the recurrence from z for all nodes.
    fn advance(&mut self, z: Complex<f64>, drops: &[f64], turn: &Turn) {
        vectorised(
            #[inline(always)]
            || {
                let length = drops.len();
                let (re, im) = (&mut self.re[..length], &mut self.im[..length]);
                let (turn_re, turn_im, change) =
                    (&turn.re[..length], &turn.im[..length], &turn.change[..length]);
                for i in 0..length {
                    let a_re = re[i] + z.re * drops[i];
                    let a_im = im[i] + z.im * drops[i];
                    re[i] += a_re * turn_re[i] - a_im * turn_im[i] + turn_re[i];
                    im[i] += a_re * turn_im[i] + a_im * turn_re[i] + change[i];
                }
            },
        );
    }

    fn weighted_sum(&self, weights: &[f64]) -> Complex<f64> {
        vectorised(
            #[inline(always)]
            || {
                let (mut real, mut imaginary) = ([0.0; LANES], [0.0; LANES]);
                let points = self.re.chunks_exact(LANES).zip(self.im.chunks_exact(LANES));
                for (w, (x, y)) in weights.chunks_exact(LANES).zip(points) {
                    for lane in 0..LANES {
                        real[lane] += w[lane] * x[lane];
                        imaginary[lane] += w[lane] * y[lane];
                    }
                }
                Complex::new(real.iter().sum(), imaginary.iter().sum())
            },
        )
    }
}

/// `e^{ix} − 1`.
fn turned(x: f64) -> Complex<f64> {
    let half = cis(0.5 * x);
    Complex::new(-2.0 * half.im * half.im, 2.0 * half.im * half.re)
}

/// `sin x − x`.
fn sine_less_angle(x: f64) -> f64 {
    if x.abs() < SERIES {
        let (square, mut term, mut sum) = (x * x, -x * x * x / 6.0, 0.0);
        for k in 2..12 {
            sum += term;
            term *= -square / (f64::from(2 * k) * f64::from(2 * k + 1));
        }
        sum
    } else {
        cis(x).im - x
    }
}

/// `L − (1 − e^{−L})`.
pub(crate) fn loss_less_drop(loss: f64, drop: f64) -> f64 {
    if loss.abs() < SERIES { exponential_rest(Complex::new(-loss, 0.0)).re } else { loss - drop }
}

/// `2/k!` for k = 2 … 16: the next term is below 2⁻¹⁵ · 2/17!, less than 2⁻⁶⁰ of the first.
const SERIES_COEFFICIENTS: [f64; 15] = {
    let mut coefficients = [1.0; 15];
    let mut k = 1;
    while k < 15 {
        coefficients[k] = coefficients[k - 1] / (k + 2) as f64;
        k += 1;
    }
    coefficients
};

/// `e^w − 1 − w` by its series, for |w| < 1/2.
fn exponential_rest(w: Complex<f64>) -> Complex<f64> {
    let mut sum = Complex::new(0.0, 0.0);
    for coefficient in SERIES_COEFFICIENTS.iter().rev() {
        sum = sum * w + coefficient;
    }
    sum * w * w * 0.5
}

/// `e^{zL} − 1 − z(1 − e^{−L})`.
fn direct(z: Complex<f64>, loss: f64, drop: f64) -> Complex<f64> {
    let w = z * loss;
    let rest =
        if w.norm() < SERIES { exponential_rest(w) } else { cis(w.im) * (expm1(w.re) + 1.0) - 1.0 - w };
    rest + z * loss_less_drop(loss, drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure};
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    /// `cos y − 1` and `sin y` by their series, for |y| < 1.
    fn turned_exactly(y: Ball) -> (Ball, Ball) {
        let (mut cosine, mut sine, mut term) = (Ball::ZERO, y, y);
        for k in 2..40u64 {
            term = term * y / Ball::from(k);
            let signed = if k % 4 < 2 { term } else { -term };
            if k % 2 == 0 { cosine = cosine + signed } else { sine = sine + signed }
        }
        (cosine, sine)
    }

    /// `Σ D(c + it)` to some hundred bits, but for what cancels of `zL`.
    fn exactly(tilt: f64, t: Ball, losses: &[f64]) -> (Ball, Ball) {
        let (mut re, mut im) = (Ball::ZERO, Ball::ZERO);
        for &loss in losses {
            let (x, y) = (Ball::from(tilt) * Ball::from(loss), t * Ball::from(loss));
            let drop = -(-Ball::from(loss)).exp_m1();
            let (cosine_less_one, sine) = turned_by_any(y);
            re = re + x.exp() * cosine_less_one + (x.exp_m1() - Ball::from(tilt) * drop);
            im = im + x.exp() * sine - t * drop;
        }
        (re, im)
    }

    /// `cos y − 1` and `sin y`, after as many quarters of a turn as there are.
    fn turned_by_any(y: Ball) -> (Ball, Ball) {
        let quarters = (y.approximate() / FRAC_PI_2).round();
        // π/2 to 106 bits and more.
        let quarter = Ball::from(FRAC_PI_2)
            + Ball::from(6.123_233_995_736_766e-17)
            + Ball::from(Enclosure::new(-1.6e-33, 0.0));
        let (cosine_less_one, sine) = turned_exactly(y - Ball::from(quarters) * quarter);
        let cosine = cosine_less_one + Ball::ONE;
        match quarters.rem_euclid(4.0) as u8 {
            0 => (cosine_less_one, sine),
            1 => (-sine - Ball::ONE, cosine),
            2 => (-cosine - Ball::ONE, -sine),
            _ => (sine - Ball::ONE, -cosine),
        }
    }

    proptest! {
        /// Far up the line it is the angle `tL` that is rounded, and `e^{cL}` magnifies it: beyond all blocks.
        #[test]
        fn angles_far_up_the_line_are_rounded_too(
            loss in 0.3f64..1.0,
            tilt in 1f64..28.0,
            step in 0.5f64..40.0,
        ) {
            let points = 600;
            let mut small = SmallLosses::new(tilt);
            small.push(1.0, loss, UNIT_ROUNDOFF, 0.0);
            let (values, errors) = small.sums(step, points);
            for (n, (value, error)) in values.iter().zip(&errors).enumerate() {
                let t = Ball::from(step) * Ball::from(n as u64);
                let modulus = (Ball::from(tilt) * Ball::from(loss)).exp_enclosure();
                let turned = Disc::polar(modulus, t * Ball::from(loss));
                let drop = -(-Ball::from(loss)).exp_m1();
                let re = turned.real() - Enclosure::ONE - (Ball::from(tilt) * drop).enclosure();
                let im = turned.imaginary() - (t * drop).enclosure();
                let off = |a: f64, b: Enclosure| (b.lower() - a).max(a - b.upper()).max(0.0);
                let distance = off(value.re, re).hypot(off(value.im, im));
                prop_assert!(distance <= *error, "{n}: off by {distance:e}, {error:e} allowed");
            }
        }

        /// Whatever losses are small on a line, wherever it is: between the poles, through 0, next to it and far right, with angles from
        /// next to nothing to thousands of turns, through several direct evaluations.
        #[test]
        fn every_line_and_every_small_loss(
            losses in prop::collection::vec((prop::bool::ANY, -12f64..0.0), 1..4),
            (kind, part, log_tilt) in (0usize..4, 0f64..1.0, -12f64..4.0),
            log_step in -12f64..4.0,
            (is_far, count) in (prop::bool::weighted(0.3), prop_oneof![2usize..70, 500usize..1100]),
        ) {
            let tilt: f64 = [0.0, -part, part, 10f64.powf(log_tilt)][kind];
            let step = 10f64.powf(log_step);
            let size = tilt.hypot(step * count as f64);
            let largest = if is_far { (0.1 / (size * (size + 1.0))).sqrt().clamp(1.0, 30.0) } else { 1.0 };
            let largest = largest.min(30.0 / tilt.abs()) * 0.999;
            let mut small = SmallLosses::new(tilt);
            let losses: Vec<f64> = losses
                .iter()
                .map(|&(up, log)| largest * 10f64.powf(if is_far { log / 12.0 } else { log }) * if up { 1.0 } else { -1.0 })
                .collect();
            for &loss in &losses {
                small.push(0.125, loss, 0.0, 0.0);
            }
            let (values, errors) = small.sums(step, count);
            for (n, (value, error)) in values.iter().zip(&errors).enumerate() {
                let (re, im) = exactly(tilt, Ball::from(step) * Ball::from(n as u64), &losses);
                let eighth = Ball::from(0.125);
                let off = |a: f64, b: Ball| {
                    let b = (b * eighth - Ball::from(a)).enclosure();
                    b.lower().max(-b.upper()).max(0.0)
                };
                let distance = off(value.re, re).hypot(off(value.im, im));
                // A reference that is not far more exact would hide what is off.
                let doubt = re.radius().max(im.radius());
                prop_assert!(doubt <= 0.05 * error, "{n}: known to {doubt:e}, {error:e} allowed");
                prop_assert!(distance <= *error, "{n}: off by {distance:e}, {error:e} allowed");
            }
        }

        #[test]
        fn the_rest_of_the_exponential(x in -0.3f64..0.3) {
            let truth = (Ball::from(x).exp() - Ball::ONE - Ball::from(x)).enclosure().midpoint();
            let value = exponential_rest(Complex::new(x, 0.0)).re;
            prop_assert!((value - truth).abs() <= 1e-15 * truth + 1e-31);
        }
    }
}
