//! Sums of numbers that are known by their logarithms.

use super::{exp, ln_1p};
use crate::summation::CompensatedSum;

/// The constant c in the absolute error bound of [`log_sum_exp`].
pub const LOG_SUM_EXP_ERROR_UNITS: f64 = 2.5;

/// ln Σ e^{xᵢ}. −∞ for an empty slice, +∞ if an element is, NaN if an element is.
///
/// # Guarantee
/// For n finite elements, |computed − exact| ≤ c·u·(1 + ln n + |exact|) with c =
/// [`LOG_SUM_EXP_ERROR_UNITS`], for n ≤ 2⁴⁰. An absolute bound, because the value may be zero while the
/// elements are not.
///
/// Proof: let d ≥ 0 be the distances below the maximum m, and r = Σ e^{−d} without the maximum itself. Each
/// term has relative error at most (d + 1.05)u, their compensated sum adds u. So ln(1 + r) is off by
/// at most u·(Σ d e^{−d} + 2.1 r)/(1 + r); the first part is an entropy less ln(1 + r), hence at most
/// ln n − ln(1 + r). The logarithm adds 1.05 u ln(1 + r) ≤ 1.05 u ln n, the addition of m adds u|exact|.
///
/// # Implementation
/// m + ln(1 + r), with the maximum left out of the sum so that small terms next to it are not lost.
#[must_use]
pub fn log_sum_exp(logarithms: &[f64]) -> f64 {
    if logarithms.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let Some((position, &maximum)) = logarithms.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)) else {
        return f64::NEG_INFINITY;
    };
    if maximum.is_infinite() {
        return maximum;
    }
    let others = logarithms.iter().enumerate().filter(|(i, _)| *i != position).map(|(_, x)| exp(x - maximum));
    maximum + ln_1p(others.collect::<CompensatedSum>().value())
}
