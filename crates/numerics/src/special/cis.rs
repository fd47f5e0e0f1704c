//! e^{ix}: a point on the unit circle.

use num_complex::Complex;

/// Normwise relative error bound of [`cis`] in units of u (see the [module](super) for the convention).
pub const CIS_ERROR_UNITS: f64 = 1.05;

/// `e^{ix} = cos x + i sin x`.
///
/// # Guarantee
/// |computed − exact| ≤ [`CIS_ERROR_UNITS`]·u: both parts are within 1.05 u of themselves, and their squares add up to 1.
///
/// # Accuracy
/// Sine and cosine were correctly rounded in the samples below, as `pxfm` claims them to be: 1 u at most.
#[must_use]
pub fn cis(x: f64) -> Complex<f64> {
    let (sine, cosine) = pxfm::f_sincos(x);
    Complex::new(cosine, sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounding::UNIT_ROUNDOFF;

    #[test]
    fn agrees_with_references() {
        // mpmath 1.4.1, mp.dps = 60.
        for (x, cosine, sine) in REFERENCES {
            let distance = (cis(x) - Complex::new(cosine.0, sine.0) - Complex::new(cosine.1, sine.1)).norm();
            assert!(distance <= CIS_ERROR_UNITS * UNIT_ROUNDOFF, "{x}: off by {distance:e}");
        }
    }

    /// A reference in two parts: the nearest double and what it leaves over.
    type Parts = (f64, f64);

    const REFERENCES: [(f64, Parts, Parts); 6] = [
        (0.5, (0.8775825618903728, -4.2623149864279997e-17), (0.479425538604203, -5.103969860556013e-18)),
        (3.0, (-0.9899924966004454, -4.2060261566099734e-17), (0.1411200080598672, 8.577269787017502e-18)),
        (
            -22.0,
            (-0.9999608263946371, -8.51603380017413e-19),
            (0.008851309290403876, -2.8485303089220057e-19),
        ),
        (
            1234.5678,
            (-0.9969507414140119, 3.7057717162849634e-17),
            (0.07803344920002027, -2.762970751686303e-18),
        ),
        (
            -98765.4321,
            (0.9991073293084041, 1.7861034252799937e-17),
            (-0.04224386964079158, -1.7729969398797433e-18),
        ),
        (
            1.2763913940190206e+16,
            (0.32300880042718544, 5.179843038373303e-18),
            (-0.9463959609204757, -2.975722855666652e-17),
        ),
    ];
}
