//! Sums that know how wrong they can be.

use crate::error_free::two_sum;
use crate::rounding::UNIT_ROUNDOFF;

/// A compensated sum (Neumaier 1974; Ogita, Rump & Oishi 2005, Algorithm 4.4) with a running error bound.
///
/// ```
/// use hockeystick_numerics::summation::CompensatedSum;
/// let sum: CompensatedSum = [1e16, 1.0, -1e16].into_iter().collect();
/// assert_eq!(sum.value(), 1.0);
/// assert!(sum.error_bound() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CompensatedSum {
    sum: f64,
    /// The rounded sum of the residuals of `sum`.
    compensation: f64,
    /// Σ |compensation| over all its states: u times this bounds the rounding of `compensation`.
    wear: f64,
    terms: f64,
}

impl CompensatedSum {
    /// The empty sum.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one term.
    pub fn add(&mut self, term: f64) {
        let (sum, residual) = two_sum(self.sum, term);
        self.sum = sum;
        self.compensation += residual;
        self.wear += self.compensation.abs();
        self.terms += 1.0;
    }

    /// Adds all terms of another sum.
    ///
    /// Its exact sum is that of its two parts but for what the second was rounded, which `wear` keeps.
    pub fn absorb(&mut self, other: &Self) {
        self.add(other.sum);
        self.add(other.compensation);
        self.wear += other.wear;
        self.terms += other.terms;
    }

    /// The sum, rounded once. Not a number if a partial sum overflowed.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.sum + self.compensation
    }

    /// A bound on the distance between [`value`](Self::value) and the exact sum of the terms.
    ///
    /// # Guarantee
    /// |value − Σ terms| ≤ error_bound; infinite if the value is not finite.
    ///
    /// Proof: the residuals of the partial sums are exact, so the exact sum is `sum` plus the exact sum of
    /// the residuals. The latter is kept with one rounding per term, each at most u·|compensation|. The last
    /// addition has a known residual. The factors above 1 cover the roundings of this bound itself, for fewer
    /// than 2⁵⁰ terms. Additions do not underflow.
    #[must_use]
    pub fn error_bound(&self) -> f64 {
        let (value, residual) = two_sum(self.sum, self.compensation);
        if !value.is_finite() {
            return f64::INFINITY;
        }
        if self.wear == 0.0 {
            return residual.abs();
        }
        let wear = UNIT_ROUNDOFF * self.wear * (1.0 + 2.0 * self.terms * UNIT_ROUNDOFF);
        ((residual.abs() + wear) * (1.0 + 8.0 * UNIT_ROUNDOFF)).next_up()
    }
}

impl Extend<f64> for CompensatedSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        terms.into_iter().for_each(|term| self.add(term));
    }
}

impl FromIterator<f64> for CompensatedSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::new();
        sum.extend(terms);
        sum
    }
}
