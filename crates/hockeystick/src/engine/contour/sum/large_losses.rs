//! `Σ w e^{itL}` for losses that are not small: by one transform if there are many, by rotation if not.

use hockeystick_numerics::{
    exponential_sums::{self, ExponentialSums},
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, modulus},
    vectorised::vectorised,
};
use num_complex::Complex;

const LANES: usize = 4;
/// Steps between two direct evaluations.
const BLOCK: usize = 48;
/// The rounding of a turn, that of `e^{ihL}` included, in units of u.
const TURN_UNITS: f64 = 10.0;
/// The largest angle in radians, from one point to the next, for which the transform is used. Beyond it the angle is too inaccurate.
const MAX_ANGLE: f64 = 1e4;

/// What weights that underflow may contribute.
const UNDERFLOW: f64 = 1e-300;

/// Point masses, already tilted.
#[derive(Clone, Debug, Default)]
pub(crate) struct LargeLosses {
    weights: Vec<f64>,
    losses: Vec<f64>,
    mass: f64,
    /// `Σ w |L|`.
    spread: f64,
    /// What errors of the weights contribute, and those of the losses, to be multiplied by `|z|`.
    uncertain: [f64; 2],
    /// How far a loss is off at most.
    farthest: f64,
}

impl LargeLosses {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn push(&mut self, weight: f64, loss: f64, relative_error: f64, loss_error: f64) {
        self.weights.push(weight);
        self.losses.push(loss);
        self.mass += weight;
        self.spread += weight * loss.abs();
        self.uncertain[0] += weight * relative_error;
        self.uncertain[1] += weight * loss_error;
        self.farthest = self.farthest.max(loss_error);
    }

    /// The sums at `t = n step`, n = 0 … count − 1, and what each may be off; `tilt` is c, through which an error of a loss
    /// changes a weight.
    ///
    /// # Guarantee
    /// What errors of weights and losses contribute is added to that of the sums as such.
    pub(crate) fn sums(&self, tilt: f64, step: f64, count: usize) -> (Vec<Complex<f64>>, Vec<f64>) {
        let is_worth_it = exponential_sums::is_worth_it(self.weights.len(), count);
        let (values, mut errors) = if is_worth_it && !self.is_far(step) {
            let sums = ExponentialSums::new(&self.weights, &self.losses, step, count);
            (sums.values, sums.errors)
        } else {
            self.turned(step, count)
        };
        for (n, error) in errors.iter_mut().enumerate() {
            let size = modulus(Complex::new(tilt, step * n as f64));
            // (1 + a) e^x − 1 ≤ (a + x) e^x.
            let uncertain = (self.uncertain[0] + size * self.uncertain[1]) * exp(size * self.farthest);
            *error = (*error + uncertain) * (1.0 + 1e-6) + UNDERFLOW;
        }
        (values, errors)
    }

    /// Do losses turn so often from one point to the next that a transform would not know where they are?
    fn is_far(&self, step: f64) -> bool {
        self.losses.iter().any(|loss| step * loss.abs() > MAX_ANGLE)
    }

    /// The sums by rotation, with what each may be off for weights and losses as they are.
    ///
    /// # Guarantee
    /// A block of turns starts from `e^{itL}` with the angle rounded twice, and each turn is rounded like a complex product.
    fn turned(&self, step: f64, count: usize) -> (Vec<Complex<f64>>, Vec<f64>) {
        let nodes = self.weights.len();
        let padded = nodes.div_ceil(LANES) * LANES;
        let (mut turn_re, mut turn_im) = (vec![0.0; padded], vec![0.0; padded]);
        for (i, &loss) in self.losses.iter().enumerate() {
            let turn = cis(step * loss);
            (turn_re[i], turn_im[i]) = (turn.re, turn.im);
        }
        let (mut re, mut im) = (vec![0.0; padded], vec![0.0; padded]);
        let (mut values, mut errors) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for n in 0..count {
            let t = step * n as f64;
            let since = n % BLOCK;
            if since == 0 {
                for (i, (&weight, &loss)) in self.weights.iter().zip(&self.losses).enumerate() {
                    let value = cis(t * loss) * weight;
                    (re[i], im[i]) = (value.re, value.im);
                }
            } else {
                vectorised(
                    #[inline(always)]
                    || turn(&mut re, &mut im, &turn_re, &turn_im),
                );
            }
            values.push(vectorised(
                #[inline(always)]
                || sum(&re, &im),
            ));
            let turns = TURN_UNITS * (since as f64 + 1.0) + padded as f64 / LANES as f64 + 4.0;
            errors.push(UNIT_ROUNDOFF * (turns * self.mass + 3.0 * t * self.spread));
        }
        (values, errors)
    }
}

/// One turn of all of them.
#[inline(always)]
fn turn(re: &mut [f64], im: &mut [f64], turn_re: &[f64], turn_im: &[f64]) {
    let length = re.len();
    let (im, turn_re, turn_im) = (&mut im[..length], &turn_re[..length], &turn_im[..length]);
    for i in 0..length {
        (re[i], im[i]) = (re[i] * turn_re[i] - im[i] * turn_im[i], re[i] * turn_im[i] + im[i] * turn_re[i]);
    }
}

#[inline(always)]
fn sum(re: &[f64], im: &[f64]) -> Complex<f64> {
    let (mut real, mut imaginary) = ([0.0; LANES], [0.0; LANES]);
    for (x, y) in re.chunks_exact(LANES).zip(im.chunks_exact(LANES)) {
        for lane in 0..LANES {
            real[lane] += x[lane];
            imaginary[lane] += y[lane];
        }
    }
    Complex::new(real.iter().sum(), imaginary.iter().sum())
}
