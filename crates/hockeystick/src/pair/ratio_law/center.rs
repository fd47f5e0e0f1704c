//! A first look at the law of `log r` in plain floats, so that the certified integrals know what to aim at.

use super::{
    RatioLaw,
    cover::{Plain, Trimmed},
    integrand::Integrand,
    mgf::LOG_TOLERANCE,
    peak,
};
use hockeystick_numerics::special::{exp, ln};
use num_complex::Complex;

/// A double near the mean of `log r`, and rough absolute moments about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Center {
    /// c.
    pub(super) at: f64,
    /// `E|log r − c|^k` for k = 0 … 3, not normalised.
    pub(super) sizes: [f64; 4],
}

/// Losses closer together than this count as equal when tolerances are chosen.
const SMALLEST_SPREAD: f64 = 1e-14;

impl Center {
    /// Under the weights `E_Q[r^θ ·]`; `None` if there is no mass.
    pub(super) fn guess(law: &RatioLaw, theta: f64) -> Option<Self> {
        let weigh = |p: f64, q: f64| if theta == 0.0 { q } else { p };
        let atoms = law.atoms.iter();
        let mut samples: Vec<(f64, f64)> =
            atoms.map(|a| (a.loss.approximate(), weigh(a.p.midpoint(), a.q.midpoint()))).collect();
        for panel in law.wide_panels() {
            let integrand = Integrand::new(panel, Complex::new(theta, 0.0));
            let peak = peak::find(&integrand, panel.from, panel.to);
            let log_tolerance = peak.log_height + ln(peak.width) + LOG_TOLERANCE;
            let bounds = Plain { integrand: &integrand, log_tolerance };
            let partition = Trimmed::new(panel, peak, &bounds).partition(&[], &bounds);
            partition.nodes(|x, weight, _| {
                let log = integrand.ratio.plain(x);
                samples.push((log, weight * exp(theta.mul_add(log, integrand.log_q.at(x)))));
            });
        }
        let mass: f64 = samples.iter().map(|&(_, mass)| mass).sum();
        let at = samples.iter().map(|&(log, mass)| log * mass).sum::<f64>() / mass;
        let size = |power: i32| {
            let sum: f64 = samples.iter().map(|&(log, mass)| (log - at).abs().powi(power) * mass).sum();
            sum.max(mass * SMALLEST_SPREAD.powi(power))
        };
        (mass > 0.0 && at.is_finite()).then(|| Self { at, sizes: [mass, size(1), size(2), size(3)] })
    }

    /// The standard deviation, roughly.
    pub(super) fn spread(&self) -> f64 {
        (self.sizes[2] / self.sizes[0]).sqrt()
    }
}
