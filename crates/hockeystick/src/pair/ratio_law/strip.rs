//! For which powers `w` of the ratio `E_Q[r^w]` exists.

use super::{Listing, Panel, Quadratic, RatioLaw};
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// Quotients of coefficients are known to 8 u; ends are drawn in by twice as much.
const MARGIN: f64 = 16.0 * UNIT_ROUNDOFF;

impl RatioLaw {
    /// The open interval of `Re z` in which `M` exists; it contains `(−1, 0)`.
    pub fn strip(&self) -> (f64, f64) {
        let (low, high) = self.powers();
        if self.swapped { (-high, -low) } else { (low - 1.0, high - 1.0) }
    }

    /// The open interval of powers `Re w` for which `E_Q[r^w]` exists. That it exists in `[0, 1]`, both ends included, is
    /// known beforehand.
    pub(crate) fn powers(&self) -> (f64, f64) {
        if self.listing == Listing::Nothing {
            return (0.0, 1.0);
        }
        let mut range = (f64::NEG_INFINITY, f64::INFINITY);
        for panel in &self.panels {
            for (end, sign) in [(panel.from, -1.0), (panel.to, 1.0)] {
                if end.is_infinite() {
                    let (low, high) = at_infinity(panel, sign);
                    range = (range.0.max(low), range.1.min(high));
                }
            }
        }
        (range.0.min(0.0), range.1.max(1.0))
    }
}

/// The powers for which the integral converges at one end of the line.
///
/// There the fastest growing term decides, and in it the square, or the slope if there is none: `log_q + w·l` falls if
/// `leading(log_q) + w · leading(l) < 0`.
fn at_infinity(panel: &Panel, sign: f64) -> (f64, f64) {
    let growth = |l: &Quadratic| (l.square, sign * l.linear);
    let exponents = panel.ratio.iter().map(|(_, exponent)| growth(exponent));
    let fastest = exponents.fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |a, b| if b > a { b } else { a });
    let density = growth(&panel.log_q);
    let (fall, rise) =
        if density.0 != 0.0 || fastest.0 != 0.0 { (-density.0, fastest.0) } else { (-density.1, fastest.1) };
    let bound = fall / rise;
    if rise > 0.0 {
        (f64::NEG_INFINITY, bound * (1.0 - MARGIN))
    } else if rise < 0.0 {
        (bound * (1.0 - MARGIN), f64::INFINITY)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}
