//! A stretch of outcomes with a density: where the loss takes a value, and what mass lies between two outcomes.

use super::{
    exponent::{size, slope, sum, value},
    kernel::{KERNEL_ERROR_UNITS, MOST_CURVED, STEEPEST, kernel},
    ratio::Ratio,
    wide::log_integral,
};
use crate::pair::{Panel, Quadratic};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p},
};

/// An interval of outcomes on which the loss is monotone, with infinite ends cut off.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// The outcome with the smallest loss.
    pub(crate) bottom: f64,
    /// The outcome with the largest loss.
    pub(crate) top: f64,
    /// `P`'s mass beyond the ends that were cut off: at most this.
    pub(crate) beyond: f64,
    /// What lies between finite ends, which are inside of the true ones, and these.
    pub(crate) slivers: Vec<Sliver>,
    log_q: Quadratic,
    ratio: Ratio,
    /// `log_q + lⱼ` for each term of the ratio.
    shifted: Vec<Quadratic>,
    /// Is the loss `−log r`, and `P`'s density that of the panel?
    is_swapped: bool,
}

/// Outcomes next to an end that may be there or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliver {
    /// No loss among them is larger.
    pub(crate) loss: f64,
    /// `P`'s mass of them is at most this.
    pub(crate) p: f64,
}

/// The loss of an outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// As computed.
    pub(crate) value: f64,
    /// A bound on its distance from the truth.
    pub(crate) error: f64,
    /// Its derivative by the outcome, in plain floats.
    pub(crate) slope: f64,
}

/// The mass between two outcomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    /// Under `P`.
    pub(crate) p: f64,
    /// Its relative error is at most this.
    pub(crate) error: f64,
    /// `log(P/Q)` of all of it.
    pub(crate) loss: f64,
    /// The absolute error of that loss is at most this.
    pub(crate) loss_error: f64,
}

/// From this many pieces on an interval is taken as a whole, if that is possible.
const FEW_PIECES: f64 = 4.0;
/// The most pieces that an interval is divided into.
const MOST_PIECES: f64 = 65536.0;

impl Stretch {
    /// Of a panel, cut where the logarithm of `P`'s density has fallen to `least`. `None` if that cannot be done, or the loss does
    /// not change.
    pub(crate) fn new(panel: &Panel, is_swapped: bool, least: f64) -> Option<Self> {
        let ratio = Ratio::new(&panel.ratio).filter(|ratio| ratio.terms.len() <= MOST_TERMS)?;
        let shifted: Vec<Quadratic> =
            ratio.terms.iter().map(|term| sum(panel.log_q, term.exponent)).collect();
        let mut stretch = Self {
            bottom: 0.0,
            top: 0.0,
            beyond: 0.0,
            slivers: Vec::new(),
            log_q: panel.log_q,
            ratio,
            shifted,
            is_swapped,
        };
        let from = stretch.cut(panel.from, panel.to, least)?;
        let to = stretch.cut(panel.to, panel.from, least)?;
        let (at_from, at_to) = (stretch.loss(from), stretch.loss(to));
        let is_usable =
            from < to && [at_from, at_to].iter().all(|loss| loss.value.is_finite() && loss.error < 1e-3);
        if !is_usable || at_from.value == at_to.value {
            return None;
        }
        (stretch.bottom, stretch.top) = if at_from.value < at_to.value { (from, to) } else { (to, from) };
        Some(stretch)
    }

    /// A finite end in place of `end`, which is across from `other`; notes the mass beyond.
    fn cut(&mut self, end: f64, other: f64, least: f64) -> Option<f64> {
        if end.is_finite() {
            let density = self.log_density(end);
            // A finite end is within 4 units, and so is the density there. A law below must not have what may not be there, so the stretch
            // ends a little inside; what lies between is a sliver, on which the loss is monotone.
            let inward = if other > end { 1.0 } else { -1.0 };
            let [inside, outside] = [8.0, -8.0].map(|units| end + inward * units * UNIT_ROUNDOFF * end.abs());
            let [at_inside, at_outside] = [inside, outside].map(|x| self.loss(x));
            self.slivers.push(Sliver {
                loss: (at_inside.value + at_inside.error).max(at_outside.value + at_outside.error),
                p: 32.0 * UNIT_ROUNDOFF * end.abs() * exp(density.min(700.0)),
            });
            return Some(inside);
        }
        let sign = end.signum();
        // From beyond all peaks outward, until the density has fallen.
        let peaks =
            self.densities().map(|(_, l)| if l.square < 0.0 { -0.5 * l.linear / l.square } else { 0.0 });
        let mut near = peaks.fold(0.0f64, |far, peak| far.max(sign * peak)) * sign;
        if other.is_finite() {
            near = if sign > 0.0 { near.max(other) } else { near.min(other) };
        }
        let mut step = 1e-3 * near.abs().max(1e-3);
        while self.log_density(near + sign * step) > least {
            step *= 2.0;
            if step > 1e12 {
                return None;
            }
        }
        let (mut low, mut high) = (0.0, step);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if self.log_density(near + sign * middle) > least { low = middle } else { high = middle }
        }
        let cut = near + sign * high;
        // A concave exponent lies below its tangent: what is beyond is at most the density over its steepness.
        let beyond: f64 = (self.densities())
            .map(|(log_weight, l)| {
                let fall = -sign * slope(l, cut);
                let height = exp(log_weight + value(l, cut));
                if l.square <= 0.0 && fall > 0.0 { height / fall } else { f64::INFINITY }
            })
            .sum();
        self.beyond += 1.001 * beyond + f64::MIN_POSITIVE;
        beyond.is_finite().then_some(cut)
    }

    /// The terms `(log w, l)` of which `P`'s density is the sum of `w e^l`.
    fn densities(&self) -> impl Iterator<Item = (f64, Quadratic)> + '_ {
        let constant = if self.is_swapped { Some(0.0) } else { self.ratio.log_constant };
        let terms = if self.is_swapped { &[] } else { self.ratio.terms.as_slice() };
        let others = terms.iter().zip(&self.shifted).map(|(term, shifted)| (term.log_weight, *shifted));
        constant.map(|log_weight| (log_weight, self.log_q)).into_iter().chain(others)
    }

    /// The logarithm of `P`'s density, in plain floats.
    pub(crate) fn log_density(&self, x: f64) -> f64 {
        let q = value(self.log_q, x);
        if self.is_swapped { q } else { q + self.ratio.at(x).0.log }
    }

    /// The narrowest feature of the densities, in plain floats: a standard deviation, or a length of decay.
    pub(crate) fn scale(&self) -> f64 {
        let whole = (self.top - self.bottom).abs();
        (self.densities()).fold(whole, |least, (_, l)| {
            let own = if l.square < 0.0 { (-0.5 / l.square).sqrt() } else { 1.0 / l.linear.abs() };
            if own > 0.0 { least.min(own) } else { least }
        })
    }

    /// The loss of the outcome `x`.
    ///
    /// # Guarantee
    /// `|value − truth| ≤ error`.
    #[inline]
    pub(crate) fn loss(&self, x: f64) -> Loss {
        let (ratio, slope) = self.ratio.at(x);
        let sign = if self.is_swapped { -1.0 } else { 1.0 };
        Loss { value: sign * ratio.log, error: ratio.error, slope: sign * slope }
    }

    /// An outcome whose loss is about `target`, by Newton's method from `start`, and its loss. Never beyond the ends.
    ///
    /// The last step is not followed by another look at the loss where the tangent is proven to be good enough. A start that is no number,
    /// made from a slope that underflowed, say, is as good as the middle.
    pub(crate) fn outcome(&self, target: f64, start: f64, within: f64) -> (f64, Loss) {
        let clamp = |x: f64| x.clamp(self.bottom.min(self.top), self.bottom.max(self.top));
        let mut x = clamp(if start.is_nan() { 0.5 * (self.bottom + self.top) } else { start });
        let mut loss = self.loss(x);
        let (mut low, mut high) = (self.bottom, self.top);
        for _ in 0..100 {
            let excess = loss.value - target;
            if excess.abs() <= within + loss.error {
                break;
            }
            if excess < 0.0 {
                low = x
            } else {
                high = x
            }
            let newton = x - excess / loss.slope;
            let is_inside = (newton > low.min(high)) && (newton < low.max(high));
            let next = if is_inside { newton } else { 0.5 * (low + high) };
            if next == x {
                break;
            }
            let off = self.ratio.off_tangent(x, next - x);
            if is_inside && off <= within {
                let value = loss.value + (next - x) * loss.slope;
                let rounding = 4.0 * UNIT_ROUNDOFF * (value.abs() + excess.abs());
                return (next, Loss { value, error: loss.error + off + rounding, slope: loss.slope });
            }
            x = next;
            loss = self.loss(x);
        }
        (x, loss)
    }

    /// The mass between two outcomes, in either order.
    ///
    /// # Guarantee
    /// The errors bound the distance from the truth, for every law whose coefficients are within the units that [`Quadratic`] and
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
        if count.is_nan() || count > MOST_PIECES {
            return Mass { p: 0.0, error: f64::INFINITY, loss: 0.0, loss_error: f64::INFINITY };
        }
        if count > FEW_PIECES
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

    /// The mass of a long interval, by error functions. `None` if that is not possible, or the masses are too far apart for doubles.
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
        // The means of the exponentials themselves, in place of those relative to the middle.
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
        // What moves log_q moves both masses, and their ratio by no more than that times the range of losses here, half a unit.
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

/// The most terms of a ratio.
pub(crate) const MOST_TERMS: usize = 16;

/// Masses below this have lost digits, and sums of them.
const FEWER_DIGITS: f64 = 1e-290;

/// Masses of adjacent pieces, added up.
struct PieceSum {
    p: f64,
    /// About the smallest loss of a piece, or 0 if that is near: masses under `Q` are taken times `e^{reference}`, for on their own they may
    /// be too small for doubles where those under `P` are not.
    reference: f64,
    q: f64,
    /// `P − Q`, for a reference of 0.
    excess: f64,
    /// The largest relative error of a piece.
    error: f64,
    /// The sum of the pieces' errors of `log(P/Q)`, weighted with `Q`.
    loss_error: f64,
    /// The smallest and the largest loss of a piece.
    losses: Option<(f64, f64)>,
}

impl PieceSum {
    /// Nothing yet, of pieces with losses from about this one on.
    fn from(smallest: f64) -> Self {
        let reference = if smallest.abs() <= 1.0 { 0.0 } else { smallest };
        Self { p: 0.0, reference, q: 0.0, excess: 0.0, error: 0.0, loss_error: 0.0, losses: None }
    }

    fn add(&mut self, piece: Mass) {
        if piece.p <= 0.0 {
            return;
        }
        let q = piece.p * exp(self.reference - piece.loss);
        self.p += piece.p;
        self.q += q;
        self.excess += if self.reference == 0.0 { q * expm1(piece.loss) } else { 0.0 };
        self.error = self.error.max(piece.error);
        self.loss_error += q * piece.loss_error;
        let (low, high) = self.losses.unwrap_or((piece.loss, piece.loss));
        self.losses = Some((low.min(piece.loss), high.max(piece.loss)));
    }

    /// `log(ΣP/ΣQ)`, with `Q = Pe^{−l}` of each piece: an error of `l` enters with the piece's share of `Q`, one of the mass moves both
    /// sums and so changes the mean loss by no more than itself times the range of losses. What is rounded in the sums is relative
    /// to them, and to the largest `|e^l − 1|` where the mean is taken from the excess. Of masses that are too small nothing is known.
    fn total(self, count: f64) -> Mass {
        let (low, high) = self.losses.unwrap_or_default();
        let roundings = (count + 12.0) * UNIT_ROUNDOFF;
        let error = self.error + roundings;
        if self.p < FEWER_DIGITS || self.q < FEWER_DIGITS {
            return Mass { p: self.p, error, loss: high, loss_error: f64::INFINITY };
        }
        let relative = self.excess / self.q;
        let is_near = self.reference == 0.0 && relative.abs() < 0.5;
        let loss = if is_near { ln_1p(relative) } else { self.reference + ln(self.p / self.q) };
        let growth = if is_near { expm1(high).abs().max(expm1(low).abs()) } else { 1.0 };
        let own = self.loss_error / self.q;
        let spread = 2.0 * error * (high - low);
        let rounding = 2.0 * UNIT_ROUNDOFF * (loss.abs() + 2.0 * self.reference.abs());
        let loss_error = (own + spread + 4.0 * roundings * growth + rounding) * (1.0 + 1e-6);
        Mass { p: self.p, error, loss, loss_error }
    }
}

/// How much `log r` can vary within `half` of `middle`: it is steepest where its steepest term is alone.
fn log_range(ratio: &Ratio, middle: f64, half: f64) -> f64 {
    let steepest = (ratio.terms.iter())
        .map(|term| slope(term.exponent, middle).abs() + 2.0 * half * term.exponent.square.abs())
        .fold(0.0, f64::max);
    2.0 * half * steepest
}
