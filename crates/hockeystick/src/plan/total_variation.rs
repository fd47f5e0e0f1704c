//! Compositions that spend nothing: δ is granted already at ε = 0, and nothing need be composed to see it.

use super::{Engine, Method, Plan, Request};
use crate::pair::Direction;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use num_complex::Complex;

/// A little less than 1, for what is only roughly a bound.
const ROUGHLY: f64 = 0.9;

impl Request<'_> {
    /// The plan if `δ(0) ≤ delta` is proven without composing anything. Methods as they were published answer as they would, and
    /// so do mechanisms without a pair: with the reason.
    pub(crate) fn spends_nothing(&self, delta: f64) -> Option<Plan> {
        match self.method {
            Method::Auto | Method::ExactSums | Method::Contour | Method::Lattice => {}
            Method::ClosedForm
            | Method::Tangents
            | Method::Buckets
            | Method::Riemann
            | Method::Fourier
            | Method::Afa
            | Method::AfaGrid
            | Method::DoubleQuadrature
            | Method::Rdp
            | Method::RdpClassic
            | Method::RdpOptimal
            | Method::Markov
            | Method::Clt
            | Method::BerryEsseen
            | Method::Nagaev
            | Method::Kov
            | Method::Basic
            | Method::Advanced => return None,
        }
        // The distance is symmetric, and adding is the dual of removing: one direction speaks for all.
        let direction = Direction::of(self.relation)[0];
        let bound = self.total_variation(direction, delta)?;
        let method = if self.method == Method::Auto { Method::ClosedForm } else { self.method };
        let reason = "the distances of all uses together are no larger than δ";
        Some(Plan { direction, engine: Engine::TotalVariation { method, bound }, reason })
    }

    /// An upper bound of `δ(0)` that is at most `delta`.
    ///
    /// # Guarantee
    /// `δ(0)` is the distance of total variation. That of a product is at most the sum `Σ k·d` of the distances, and at most
    /// `√(1 − Π M(−½)^{2k})`, by the affinity `M(−½) = ∫ √(pq)`.
    fn total_variation(&self, direction: Direction, delta: f64) -> Option<f64> {
        let pairs = self.releases.pairs(direction).ok()?;
        let (mut sum, mut squares) = (Enclosure::ZERO, 0.0);
        for (pair, count) in &pairs {
            let distance = pair.delta(Ball::ZERO).value();
            let count = *count as f64;
            squares += count * distance.lower() * distance.lower();
            // Each use alone, and roughly what the affinity says at best.
            if distance.lower() > delta || ROUGHLY * squares.sqrt() > delta {
                return None;
            }
            sum = sum + distance * count;
        }
        if sum.upper() <= delta {
            return Some(sum.upper());
        }
        let mut log_affinity = Enclosure::ZERO;
        for (pair, count) in pairs {
            let affinity = pair.mgf(Complex::new(-0.5, 0.0))?.real().clamp(0.0, 1.0);
            log_affinity = log_affinity + affinity.ln() * (2.0 * count as f64);
        }
        let bound = (-log_affinity.exp_m1()).clamp(0.0, 1.0).sqrt().upper();
        (bound <= delta).then_some(bound)
    }
}
