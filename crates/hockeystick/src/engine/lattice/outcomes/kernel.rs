//! `J(s, κ) = ∫₋₁¹ e^{st + κt²} dt`, the integral for the masses of short intervals.

/// The largest `|s|` that [`kernel`] takes.
pub(crate) const STEEPEST: f64 = 0.25;
/// The largest `|κ|` that [`kernel`] takes.
pub(crate) const MOST_CURVED: f64 = 1.0 / 32.0;
/// The relative error of [`kernel`] in units of roundoff.
pub(crate) const KERNEL_ERROR_UNITS: f64 = 4.0;

/// The range of `|s|` and `|κ|` for the shorter series.
const SHORT: (f64, f64) = (1.0 / 32.0, 1.0 / 2048.0);
/// The first even term beyond the longer series.
const END: usize = 18;

/// `1/n`.
const RECIPROCALS: [f64; END + 1] = {
    let mut table = [0.0; END + 1];
    let mut n = 1;
    while n <= END {
        table[n] = 1.0 / n as f64;
        n += 1;
    }
    table
};

/// `J(s, κ)` for `|s| ≤` [`STEEPEST`] and `|κ| ≤` [`MOST_CURVED`]: with `e^{st+κt²} = Σ aₙtⁿ` it is `2 Σ aₙ/(n+1)` over even n, and
/// `(n+1)aₙ₊₁ = s·aₙ + 2κ·aₙ₋₁`. Where both are small, the terms to n = 8 are written out.
///
/// # Guarantee
/// Relative error at most [`KERNEL_ERROR_UNITS`]·u for exact `s` and `κ`.
///
/// Truncation: `|aₙ| ≤ e^{|s|R+|κ|R²}/Rⁿ` for every R (Cauchy). With R = 80 and 10 the numerator is `e^{5.625} < 278`, so they
/// add up to less than `2·278/(11·80¹⁰)` and `2·278/(19·10¹⁸)`, both below `0.2u·J` because `J ≥ 2e^{−|κ|}`. Rounding: `aₙ` has an error of at
/// most 4nu times its value for `|s|` and `|κ|`, and those add up to `e^{|s|+|κ|} − 1 − |s| < 0.08` from n = 2 on; the terms from n = 2 on are
/// added first, so their roundings are below 0.4u and the 1 is added last.
#[inline]
pub(crate) fn kernel(s: f64, curvature: f64) -> f64 {
    let k = curvature;
    if s.abs() <= SHORT.0 && k.abs() <= SHORT.1 {
        let q = s * s;
        let eighth = q * (q * (q * (q / 40320.0 + k / 720.0) + k * k / 48.0) + k * k * k / 12.0);
        let sixth = q * (q * (q / 720.0 + k / 24.0) + k * k / 4.0) + k * k * k / 6.0;
        let fourth = q * (q / 24.0 + k / 2.0) + k * k / 2.0;
        let second = q / 2.0 + k;
        return 2.0
            * (1.0
                + (second / 3.0 + (fourth / 5.0 + (sixth / 7.0 + (eighth + k * k * k * k / 24.0) / 9.0))));
    }
    let twice = 2.0 * k;
    let (mut before, mut now, mut sum) = (1.0, s, 0.0);
    let mut n = 2;
    while n < END {
        let even = (s * now + twice * before) * RECIPROCALS[n];
        sum += even * RECIPROCALS[n + 1];
        let odd = (s * even + twice * now) * RECIPROCALS[n + 1];
        (before, now) = (even, odd);
        n += 2;
    }
    2.0 * (1.0 + sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

    /// Against `2 sinh(s)/s`, and against `√(π/κ)·erf(√κ)` for negative curvature −κ.
    #[test]
    fn closed_forms_are_met() {
        for i in 1..=200 {
            let s = STEEPEST * f64::from(i) / 200.0;
            let exact = 2.0 * s.sinh() / s;
            assert!((kernel(s, 0.0) / exact - 1.0).abs() < 8.0 * UNIT_ROUNDOFF, "{s}");
            assert_eq!(kernel(s, 0.0), kernel(-s, 0.0));
            let curvature = MOST_CURVED * f64::from(i) / 200.0;
            let root = curvature.sqrt();
            let exact = (std::f64::consts::PI).sqrt() / root * hockeystick_numerics::special::erf(root);
            assert!((kernel(0.0, -curvature) / exact - 1.0).abs() < 10.0 * UNIT_ROUNDOFF, "{curvature}");
        }
    }

    /// Completing the square: `∫ e^{st+κt²}` over two halves is that over the whole.
    #[test]
    fn halves_add_up() {
        for i in 0..100 {
            let s = STEEPEST * (f64::from(i) / 50.0 - 1.0);
            let curvature = -MOST_CURVED * f64::from(i % 10) / 10.0;
            let half = |m: f64| {
                0.5 * (s * m + curvature * m * m).exp()
                    * kernel(0.5 * (s + 2.0 * curvature * m), 0.25 * curvature)
            };
            let parts = half(-0.5) + half(0.5);
            assert!((parts / kernel(s, curvature) - 1.0).abs() < 12.0 * UNIT_ROUNDOFF, "{s} {curvature}");
        }
    }
}
