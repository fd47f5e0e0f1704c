//! Equispaced sums on the line.

use super::WeightedSum;
use std::ops::RangeInclusive;

/// h Σ f(c + jh) over the given integers j: the trapezoidal rule for ∫ f on the whole line, cut where the
/// caller has bounded the tails.
///
/// # Why equispaced
/// By Poisson summation the infinite sum minus the integral is exactly Σ_{m≠0} e^{2πimc/h} f̂(2πm/h). If f is
/// analytic and integrable in a strip |Im x| ≤ y, then |f̂(ξ)| ≤ N e^{−y|ξ|} with N = max over both edges of
/// ∫ |f(x ± iy)| dx, so the error is at most 2N/(e^{2πy/h} − 1): each halving of h squares it (Trefethen &
/// Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56, 2014, Theorem 5.1). No Gauss
/// rule does better on the line, and nodes can be reused between halvings.
///
/// # Guarantee
/// |value − h Σ f(c + jh)| ≤ summation_error + 3u·absolute, f at the *rounded* nodes counting as exact. Nodes
/// are rounded twice, off by at most u·(|jh| + |node|): the caller's f must say what that means for it.
pub fn trapezoid(
    mut f: impl FnMut(f64) -> f64,
    center: f64,
    step: f64,
    indices: RangeInclusive<i64>,
) -> WeightedSum {
    indices.map(|j| step * f(j as f64 * step + center)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaussian_converges_geometrically() {
        let density = |x: f64| crate::special::exp(-0.5 * x * x);
        let exact = std::f64::consts::TAU.sqrt();
        // f̂(2π/h)/f̂(0) = exp(−2π²/h²), twice: both aliases.
        for step in [2.0, 1.5, 1.0] {
            let sum = trapezoid(density, 0.0, step, -40..=40);
            let aliases = 2.0 * (-0.5 * (std::f64::consts::TAU / step).powi(2)).exp();
            let error = sum.value / exact - 1.0;
            assert!((error - aliases).abs() < 1e-3 * aliases, "step {step}: {error} against {aliases}");
        }
    }

    #[test]
    fn absolute_sum_sees_what_cancels() {
        let sum = trapezoid(|x| x, 0.0, 0.5, -4..=4);
        assert_eq!((sum.value, sum.absolute, sum.summation_error), (0.0, 5.0, 0.0));
    }
}
