//! Rényi divergences of a composition: the sum of those of its parts, enclosed.

use super::{Query, arguments::check, bound::curve};
use crate::{error::Error, pair::Direction};
use hockeystick_numerics::enclosure::Enclosure;

impl Query<'_> {
    /// The Rényi divergence of order `α ≥ 1` of the composition: the larger of the directions that the relation asks for. At
    /// `α = 1` it is the Kullback–Leibler divergence, at `α = ∞` the largest loss. The method of the query is not used.
    ///
    /// ```
    /// use hockeystick::{Query, mechanism::Mechanism};
    ///
    /// // k uses of Gaussian noise: D_α = kα/(2σ²).
    /// let mechanism: Mechanism = "gaussian(sigma=2) * 10".parse()?;
    /// let divergence = Query::new(&mechanism).renyi(3.0)?;
    /// assert!(divergence.lower() <= 3.75 && 3.75 <= divergence.upper());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Guarantee
    /// Encloses the truth, round-off included; infinite where the moment does not exist or a loss is infinite. Of mechanisms
    /// that are known by upper bounds alone, the lower end is 0.
    pub fn renyi(&self, alpha: f64) -> Result<Enclosure, Error> {
        check(
            alpha >= 1.0,
            "order",
            alpha,
            "1 or above",
            "use an order of 2 or so, or inf for the largest loss",
        )?;
        let question = self.question()?;
        let mut largest = Enclosure::ZERO;
        for &direction in Direction::of(self.relation) {
            let curve = curve(question.releases(), direction)?;
            largest = largest.max(curve.divergence(alpha));
            if curve.is_symmetric() {
                break;
            }
        }
        Ok(largest)
    }
}
