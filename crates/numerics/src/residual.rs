//! What rounding threw away: sums and products together with their exact residuals.

/// `a + b` as the rounded sum and its exact residual (Knuth, TAOCP vol. 2, §4.2.2, Theorem B).
///
/// # Guarantee
/// `sum + residual == a + b` exactly, unless the sum overflows.
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// `a · b` as the rounded product and its exact residual.
///
/// # Guarantee
/// `product + residual == a · b` exactly, unless the product overflows or the residual falls below
/// 2⁻¹⁰⁷⁴ (then it is off by less than that).
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_hold_the_bits_that_rounding_lost() {
        let tiny = 2f64.powi(-60);
        assert_eq!(two_sum(1.0, tiny), (1.0, tiny));
        assert_eq!(two_sum(tiny, 1.0), (1.0, tiny));
        let odd = 1.0 + 2f64.powi(-30);
        assert_eq!(two_product(odd, odd), (1.0 + 2f64.powi(-29), tiny));
    }
}
