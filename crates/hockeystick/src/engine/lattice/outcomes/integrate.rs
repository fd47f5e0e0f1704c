//! The mass of a stretch between two outcomes, under both laws.

use super::super::tuning::TUNING;
use super::{
    exponent::{size, slope, value},
    kernel::{KERNEL_ERROR_UNITS, MOST_CURVED, STEEPEST, kernel},
    mass::{Mass, PieceSum},
    ratio::Ratio,
    stretch::{MOST_TERMS, Stretch},
    wide::log_integral,
};
use crate::pair::Quadratic;
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};

impl Stretch {
    /// The mass between two outcomes, in either order.
    ///
    /// # Guarantee
    /// The errors hold for every law whose coefficients are within the errors that [`Quadratic`] and
    /// [`Panel`] allow; the outcomes count as exact.
    pub(crate) fn mass(&self, a: f64, b: f64) -> Mass {
        let (low, high) = (a.min(b), a.max(b));
        let half = 0.5 * (high - low);
        let reach = low.abs().max(high.abs());
        let steep = |l: &Quadratic| slope(*l, low).abs().max(slope(*l, high).abs()) * half;
        let steepest = self.shifted.iter().map(steep).fold(steep(&self.log_q), f64::max);
        let curved = |l: &Quadratic| l.square.abs() * half * half;
        let most_curved = self.shifted.iter().map(curved).fold(curved(&self.log_q), f64::max);
        if steepest <= STEEPEST && most_curved <= MOST_CURVED {
            return self.piece(0.5 * (low + high), half, reach);
        }
        let count = (steepest / STEEPEST).max((most_curved / MOST_CURVED).sqrt()).ceil().max(2.0);
        if count.is_nan() || count > TUNING.most_pieces {
            return Mass { p: 0.0, error: f64::INFINITY, loss: 0.0, loss_error: f64::INFINITY };
        }
        if count > TUNING.few_pieces
            && let Some(mass) = self.long(low, high)
        {
            return mass;
        }
        let edge = |i: f64| if i == count { high } else { low + (high - low) * (i / count) };
        let mut sum = PieceSum::from(self.loss(low).value.min(self.loss(high).value));
        for i in 0..count as u32 {
            let (from, to) = (edge(f64::from(i)), edge(f64::from(i) + 1.0));
            sum.add(self.piece(0.5 * (from + to), 0.5 * (to - from), from.abs().max(to.abs())));
        }
        sum.total(count)
    }

    /// The mass of a long interval, by error functions. `None` if an exponent is convex, or the ratio of the masses underflows.
    fn long(&self, low: f64, high: f64) -> Option<Mass> {
        let under_q = log_integral(self.log_q, low, high)?;
        let mut factors = [0.0; MOST_TERMS];
        let mut units = under_q.error_units;
        for (factor, l) in factors.iter_mut().zip(&self.shifted) {
            let under_p = log_integral(*l, low, high)?;
            *factor = exp(under_p.log - under_q.log);
            if !factor.is_normal() {
                return None;
            }
            units = units.max(under_p.error_units);
        }
        // The means of the exponentials themselves, not relative to the middle.
        let rounding = |log: f64| 2.0 * log.abs() + 8.0;
        let log =
            self.ratio.mean_of(&factors, 2.0 * units + rounding(under_q.log), low.abs().max(high.abs()));
        let error = (units + rounding(under_q.log)) * UNIT_ROUNDOFF;
        Some(if self.is_swapped {
            Mass { p: exp(under_q.log), error, loss: -log.log, loss_error: log.error }
        } else {
            let error = (error + log.error + (log.log.abs() + 2.0) * UNIT_ROUNDOFF) * (1.0 + 1e-6);
            Mass { p: exp(under_q.log + log.log), error, loss: log.log, loss_error: log.error }
        })
    }

    /// The mass of a short interval: `∫ e^{l} = h e^{l(m)} J(h l′(m), h² l″/2)` for each exponent.
    ///
    /// Errors in units, relative: coefficients of the exponents (8 for the constant, or at least 8 in all, 4 else), three
    /// roundings of an exponent, the rounded middle (`u|m|·|l′|`, at most twice the size), the arguments of `J` (4 of a number below 1/4),
    /// `J` itself, exponential and products.
    fn piece(&self, middle: f64, half: f64, reach: f64) -> Mass {
        let curvature = |l: Quadratic| l.square * half * half;
        let under_q = kernel(half * slope(self.log_q, middle), curvature(self.log_q));
        let mut factors = [0.0; MOST_TERMS];
        for (factor, l) in factors.iter_mut().zip(&self.shifted) {
            *factor = kernel(half * slope(*l, middle), curvature(*l)) / under_q;
        }
        let log = self.ratio.mean(middle, reach, &factors, 2.0 * KERNEL_ERROR_UNITS + 4.0);
        let height = value(self.log_q, middle);
        let density_size = size(self.log_q, reach);
        let units = 9.2 * density_size + 8.0 + KERNEL_ERROR_UNITS + 8.0;
        let error = units * UNIT_ROUNDOFF;
        // A relative error of the density of Q changes both masses, and their log ratio by at most that times the range of losses.
        let loss_error = log.error + error * log_range(&self.ratio, middle, half);
        if self.is_swapped {
            Mass { p: half * exp(height) * under_q, error, loss: -log.log, loss_error }
        } else {
            let p = half * exp(height + log.log) * under_q;
            let more = (height.abs() + log.log.abs() + 2.0) * UNIT_ROUNDOFF;
            Mass { p, error: (error + log.error + more) * (1.0 + 1e-6), loss: log.log, loss_error }
        }
    }
}

/// A bound on the variation of `log r` within `half` of `middle`: its derivative is a mean of those of its terms.
fn log_range(ratio: &Ratio, middle: f64, half: f64) -> f64 {
    let steepest = (ratio.terms.iter())
        .map(|term| slope(term.exponent, middle).abs() + 2.0 * half * term.exponent.square.abs())
        .fold(0.0, f64::max);
    2.0 * half * steepest
}
