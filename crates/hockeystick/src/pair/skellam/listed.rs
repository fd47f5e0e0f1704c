//! The outcomes of Skellam noise, listed as far as the reach.

use crate::pair::{Atom, NoPair, shape::DiscretePair};
use hockeystick_numerics::{ball::Ball, bessel::bessel_ratios, enclosure::Enclosure, limits::check};

/// So many orders take some tenths of a millisecond.
const MANY: usize = 1024;

/// The pair with all outcomes as far as the reach.
pub(super) fn listed(variance: f64, reach: usize, shift: usize) -> Result<DiscretePair, NoPair> {
    let noise = Noise::new(variance, reach, shift);
    // The outcome x − reach, so that indices are not negative.
    let atoms = (0..=2 * reach + shift)
        .map(|x| {
            let (from_zero, from_shift) = (x.abs_diff(reach), x.abs_diff(reach + shift));
            Atom {
                loss: noise.log_ratio(from_shift, from_zero),
                p: noise.masses[from_shift],
                q: noise.masses[from_zero],
            }
        })
        .collect();
    Ok(DiscretePair::new(atoms, noise.left_out, noise.left_out)?.declared_self_dual())
}

/// `k·asinh(k/μ) − √(k² + μ²) + μ`: with `t = asinh(k/μ)` that is `kt − log E e^{tZ}`, so that `P(Z ≥ k) ≤ e^{−depth}`, and about as much.
pub(super) fn depth(variance: f64, k: f64) -> f64 {
    k * (k / variance).asinh() - k * k / (k.hypot(variance) + variance)
}

/// The first number at which the [`depth`] is so large.
pub(super) fn reach(variance: f64, depth: f64) -> f64 {
    let is_deep = |k: f64| self::depth(variance, k) >= depth;
    let (mut low, mut high) = (1.0, 2.0);
    while !is_deep(high) && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    while high - low > 1.0 {
        let middle = (0.5 * (low + high)).floor();
        if is_deep(middle) { high = middle } else { low = middle }
    }
    high
}

/// The law of the noise, by the distance from its centre.
struct Noise {
    /// `log f(k)/f(0)`.
    logs: Vec<Ball>,
    /// `f(k)`.
    masses: Vec<Enclosure>,
    /// What is beyond the reach on both sides.
    left_out: Enclosure,
}

impl Noise {
    fn new(variance: f64, reach: usize, shift: usize) -> Self {
        let ratios = bessel_ratios(variance, reach + shift + 1);
        let mut logs = vec![Ball::ZERO];
        for (order, ratio) in ratios.iter().enumerate() {
            if order % MANY == 0 {
                check();
            }
            logs.push(logs[logs.len() - 1] + ratio.ln());
        }
        let weights: Vec<Ball> = logs.iter().map(|log| log.exp()).collect();
        let one_side = weights[1..=reach].iter().fold(Ball::ZERO, |sum, weight| sum + *weight);
        // f(k + j) ≤ f(k) r_k^j.
        let last = ratios[reach].enclosure();
        let beyond = (logs[reach].exp_enclosure() * last / last.one_minus()).upper();
        let both = Enclosure::new(0.0, 2.0 * beyond);
        let total = Ball::ONE + one_side + one_side + Ball::from(both);
        let mass = |weight: &Ball| (*weight / total).enclosure().clamp(0.0, 1.0);
        // f(0) ≤ 1.
        Self { masses: weights.iter().map(mass).collect(), logs, left_out: both }
    }

    /// `log f(a)/f(b)`, exactly 0 half-way.
    fn log_ratio(&self, a: usize, b: usize) -> Ball {
        if a == b { Ball::ZERO } else { self.logs[a] - self.logs[b] }
    }
}
