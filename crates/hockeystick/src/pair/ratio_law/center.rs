//! A first look at the law of the loss in plain floats, so that the certified integrals know what to aim at.

use super::{
    RatioLaw,
    cover::{Bounded, Trimmed},
    integrand::Integrand,
    loss_excess::h,
    mgf::LOG_TOLERANCE,
    peak,
    portion::Portion,
};
use hockeystick_numerics::special::{exp, ln};
use num_complex::Complex;

/// A double near the mean of the loss, and rough absolute moments about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Center {
    /// c.
    pub(crate) at: f64,
    /// `E|L − c|^k` for k = 0 … 3, not normalised.
    pub(crate) sizes: [f64; 4],
    /// `E[e^{−L} − 1 + L]`, not normalised.
    pub(crate) excess: f64,
}

/// Losses closer together than this count as equal when tolerances are chosen.
const SMALLEST_SPREAD: f64 = 1e-14;

impl Center {
    /// Of the finite losses of all parts together, under P; `None` if there is no mass.
    pub(crate) fn guess(parts: &[&RatioLaw]) -> Option<Self> {
        let samples: Vec<(f64, f64)> = parts.iter().flat_map(|law| samples(law)).collect();
        let mass: f64 = samples.iter().map(|&(_, mass)| mass).sum();
        let at = samples.iter().map(|&(loss, mass)| loss * mass).sum::<f64>() / mass;
        let size = |power: i32| {
            let sum: f64 = samples.iter().map(|&(loss, mass)| (loss - at).abs().powi(power) * mass).sum();
            sum.max(mass * SMALLEST_SPREAD.powi(power))
        };
        let excess: f64 =
            samples.iter().filter(|&&(_, mass)| mass > 0.0).map(|&(loss, mass)| mass * h(loss)).sum();
        let excess = excess.max(mass * SMALLEST_SPREAD.powi(2));
        let sizes = [mass, size(1), size(2), size(3)];
        (mass > 0.0 && at.is_finite()).then_some(Self { at, sizes, excess })
    }

    /// The standard deviation, roughly.
    pub(crate) fn spread(&self) -> f64 {
        (self.sizes[2] / self.sizes[0]).sqrt()
    }

    /// The same for `log r` in the place of the loss.
    pub(crate) fn of_log_ratio(self, law: &RatioLaw) -> Self {
        Self { at: if law.swapped { -self.at } else { self.at }, ..self }
    }
}

/// Losses of a law with their masses under P.
fn samples(law: &RatioLaw) -> Vec<(f64, f64)> {
    let (theta, sign) = law.weights();
    let weigh = |p: f64, q: f64| if theta == 0.0 { q } else { p };
    let atoms = law.atoms.iter();
    let mut samples: Vec<(f64, f64)> =
        atoms.map(|a| (sign * a.loss.approximate(), weigh(a.p.midpoint(), a.q.midpoint()))).collect();
    for panel in law.wide_panels() {
        let integrand = Integrand::new(panel, Complex::new(theta, 0.0));
        let peak = peak::find(&integrand, panel.from, panel.to);
        let log_tolerance = peak.log_height + ln(peak.width) + LOG_TOLERANCE;
        let bounds = Bounded::new(&integrand, log_tolerance, Portion::Whole);
        let partition = Trimmed::new(panel, peak, &bounds).partition(&[], &bounds);
        partition.nodes(|x, weight, _| {
            let log = integrand.ratio.plain(x);
            samples.push((sign * log, weight * exp(theta.mul_add(log, integrand.log_q.at(x)))));
        });
    }
    samples
}
