//! How far a Gauss–Legendre rule can be off: the bound on a Bernstein ellipse.

/// The ellipse with foci ±1 and semi-axes `(ρ ± 1/ρ)/2`, ρ > 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BernsteinEllipse {
    rho: f64,
    log_rho: f64,
}

impl BernsteinEllipse {
    /// The ellipse of the parameter `rho` > 1.
    #[must_use]
    pub fn new(rho: f64) -> Self {
        Self { rho, log_rho: crate::special::ln(rho) }
    }

    /// `(ρ + 1/ρ)/2`, rounded up: how far the ellipse reaches along the interval.
    #[must_use]
    pub fn semi_major(self) -> f64 {
        (0.5 * (self.rho + 1.0 / self.rho)).next_up()
    }

    /// `(ρ − 1/ρ)/2`, rounded up: how far it reaches off the interval.
    #[must_use]
    pub fn semi_minor(self) -> f64 {
        (0.5 * (self.rho - 1.0 / self.rho)) * (1.0 + 8.0 * f64::EPSILON)
    }

    /// `log (64/15 · ρ^{−2N}/(1 − ρ^{−2}))`, a little too large, for the rule of N = `points` ≥ 2 points.
    ///
    /// # Guarantee
    /// If f is analytic in the ellipse, stretched to an interval of half-width h, and |f| ≤ B there, the rule is within
    /// h·B·e^{log_error} of the integral over the interval.
    ///
    /// Proof (Trefethen, *Approximation Theory and Approximation Practice*, Thm 19.3): the Chebyshev coefficients of f are
    /// at most 2Bρ^{−k}. The rule is exact below degree 2N and for all odd degrees; from the even `k ≥ 2N` it is off by at
    /// most `2 + 2/(k² − 1) ≤ 32/15` each.
    #[must_use]
    pub fn log_error(self, points: usize) -> f64 {
        let below_one = -crate::special::ln_1p(-1.0 / (self.rho * self.rho));
        1.450_833 + below_one - 2.0 * points as f64 * self.log_rho + 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::gauss_legendre::GaussLegendre;

    #[test]
    fn bounds_the_error_of_a_pole() {
        // 1/(x − 2) has its pole on the ellipse of ρ = 2 + √3; |1/(x − 2)| ≤ 1/(2 − semi_major) inside a smaller one.
        let exact = -(3f64.ln());
        for points in [2, 4, 8] {
            let rule = GaussLegendre::new(points).unwrap();
            let error = (rule.integrate(|x| 1.0 / (x - 2.0), &[-1.0, 1.0]).unwrap().value - exact).abs();
            let ellipse = BernsteinEllipse::new(3.4);
            let bound = ellipse.log_error(points).exp() / (2.0 - ellipse.semi_major());
            assert!(error <= bound && bound <= 1e3 * error, "{points} points: {error:e} against {bound:e}");
        }
    }
}
