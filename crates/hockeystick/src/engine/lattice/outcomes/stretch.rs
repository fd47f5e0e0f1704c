//! A stretch of outcomes with a density: its ends, its losses, and their inverse.

use super::{
    exponent::{slope, sum, value},
    ratio::Ratio,
};
use crate::pair::{Panel, Quadratic};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};

/// An interval of outcomes on which the loss is monotone, with infinite ends truncated.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// The outcome with the smallest loss.
    pub(crate) bottom: f64,
    /// The outcome with the largest loss.
    pub(crate) top: f64,
    /// A bound on `P`'s mass of the truncated ends.
    pub(crate) beyond: f64,
    /// Outcomes between the ends used here and the true finite ends.
    pub(crate) slivers: Vec<Sliver>,
    pub(super) log_q: Quadratic,
    pub(super) ratio: Ratio,
    /// `log_q + lⱼ` for each term of the ratio.
    pub(super) shifted: Vec<Quadratic>,
    /// Is the loss `−log r`, and `P`'s density that of the panel?
    pub(super) is_swapped: bool,
}

/// Outcomes near an end that may or may not belong to the support.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliver {
    /// A bound on their losses.
    pub(crate) loss: f64,
    /// A bound on their mass under `P`.
    pub(crate) p: f64,
}

/// The loss of an outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// Its computed value.
    pub(crate) value: f64,
    /// A bound on its error.
    pub(crate) error: f64,
    /// Its derivative by the outcome, in plain floats.
    pub(crate) slope: f64,
}

/// The most terms of a ratio.
pub(crate) const MOST_TERMS: usize = 16;

impl Stretch {
    /// Of a panel, truncated where the log density of `P` falls below `least`. `None` if that is not possible, or the loss is constant.
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

    /// A finite end in place of `end`, opposite to `other`; records the truncated mass.
    fn cut(&mut self, end: f64, other: f64, least: f64) -> Option<f64> {
        if end.is_finite() {
            let density = self.log_density(end);
            // A finite end has an error of 4 units, and so has the density there. An optimistic law must not contain outcomes outside of the
            // support, so the stretch ends slightly inside; the rest is a sliver, on which the loss is monotone.
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
        // From beyond all peaks outwards, until the density is small enough.
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
        // A concave exponent lies below its tangent: the tail is at most the density over the decay rate.
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

    /// The terms `(log w, l)` of `P`'s density `Σ w e^l`.
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

    /// The smallest length scale of the densities, in plain floats: a standard deviation, or a length of decay.
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

    /// An outcome whose loss is about `target`, by Newton's method from `start`, and its loss. Always within the stretch.
    ///
    /// After the last step the loss is not evaluated again if the tangent is proven to be accurate enough. A NaN start (from a slope that
    /// underflowed) becomes the middle.
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
}
