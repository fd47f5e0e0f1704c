//! Noisy SGD by the moments that \[Asoodeh21\] takes for it: an approximation.

/// The moments of noisy SGD as [Asoodeh21, Sec. IV-B and V] takes them from Abadi et al. (2016, Lemma 3): `D_α ≈ ρα` per step with
/// `ρ = q²/((1 − q)σ²)`.
///
/// **Never a guarantee.** The lemma has terms of higher order, which are left out. A guarantee needs the exact moments of the
/// sampled Gaussian: `poisson(gaussian(sigma=σ), rate=q)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisySgd {
    /// The chance q of each record to be in a batch.
    pub rate: f64,
    /// The noise multiplier σ.
    pub sigma: f64,
}

impl NoisySgd {
    /// `ρ = q²/((1 − q)σ²)` of one step.
    pub fn approximate_rho(&self) -> f64 {
        self.rate * self.rate / ((1.0 - self.rate) * self.sigma * self.sigma)
    }

    /// The whole orders for which the lemma is stated: `1 < α ≤ 1 + σ² log(1/(qσ))`, none unless `q < 1/(16σ)`.
    pub fn orders(&self) -> Vec<f64> {
        if self.rate >= 1.0 / (16.0 * self.sigma) {
            return Vec::new();
        }
        let largest = 1.0 - self.sigma * self.sigma * (self.rate * self.sigma).ln();
        (2..=largest.min(1e4) as u64).map(|order| order as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [Asoodeh21, Fig. 4 and Sec. V]: σ = 4, q = 0.001 has ρ = 10⁻⁶/15.984; σ = 0.7, q = 256/60000 allows the orders 2 and 3.
    #[test]
    fn parameters_of_the_paper() {
        let sgd = NoisySgd { rate: 0.001, sigma: 4.0 };
        assert!((sgd.approximate_rho() * 15.984e6 - 1.0).abs() < 1e-12);
        assert_eq!(NoisySgd { rate: 256.0 / 60000.0, sigma: 0.7 }.orders(), [2.0, 3.0]);
        assert!(NoisySgd { rate: 0.1, sigma: 0.7 }.orders().is_empty());
    }
}
