//! Trade-off → the area below it.

use crate::curve::TradeOff;
use hockeystick_numerics::enclosure::Enclosure;
use std::f64::consts::FRAC_PI_2;

/// `∫₀¹ f(x) dx`. The privacy region `{f(x) ≤ y ≤ 1 − x}` of [Asoodeh21, Sec. V] has the area `½ − ∫f`.
///
/// On a cell the chord lies above the convex `f`, and `f` above the lines through the neighbouring cells: what is between is at
/// most a triangle of height `(s₊ − s₋)w/4`. At the ends of the axis only one neighbour is there, and 0 is another line.
///
/// # Guarantee
/// Encloses the truth; the width is of order `1/cells²` for a smooth `f`.
pub fn trade_off_to_area(trade_off: &(impl TradeOff + ?Sized), cells: usize) -> Enclosure {
    let cells = cells.max(2);
    // Close together at both ends, where f is steep.
    let place = |i: usize| (FRAC_PI_2 * i as f64 / cells as f64).sin().powi(2);
    let xs: Vec<f64> = (0..=cells).map(|i| if i == cells { 1.0 } else { place(i) }).collect();
    let values: Vec<Enclosure> = xs.iter().map(|&x| trade_off.trade_off(x).value()).collect();
    let width = |i: usize| Enclosure::point(xs[i + 1]) - xs[i];
    let slope = |i: usize| (values[i + 1] - values[i]) / width(i);
    (0..cells).fold(Enclosure::ZERO, |sum, i| {
        let w = width(i);
        let chord = (values[i] + values[i + 1]) * w / 2.0;
        let gap = if i == 0 {
            // Above the line of the next cell.
            (values[0] - values[1] + slope(1) * w) / 2.0
        } else if i + 1 == cells {
            // Above 0 and the line of the cell before.
            let line = (values[i] + slope(i - 1) * w).clamp(0.0, 1.0);
            (values[i + 1] - line) / 2.0
        } else {
            (slope(i + 1) - slope(i - 1)) * w / 8.0
        };
        sum + chord - Enclosure::new(0.0, (gap * w).upper().max(0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        curve::conversion::HockeyStickToTradeOff,
        engine::{limit::gaussian_area, moments::PrivacyRegion},
        pair::{Direction, dominating_pair},
    };

    /// For two normal laws a distance μ apart the area is the chance that one draw exceeds the other: Φ(−μ/√2), here from
    /// mpmath for μ = 1 and μ = 3. For no privacy loss it is ½.
    #[test]
    fn areas_of_normal_laws() {
        for (sigma, area) in
            [("1", 0.239_750_061_093_476_7), ("0.333333333333333333", 0.016_947_426_762_344_63)]
        {
            let mechanism = format!("gaussian(sigma={sigma})").parse().unwrap();
            let pair = dominating_pair(&mechanism, Direction::Remove).unwrap();
            let found = trade_off_to_area(&HockeyStickToTradeOff(pair.as_ref()), 200);
            assert!(found.lower() <= area && area <= found.upper(), "{found:?}");
            assert!(found.width() < 2e-4, "{found:?}");
            let mu = 1.0 / sigma.parse::<f64>().unwrap();
            let closed = gaussian_area(mu);
            assert!((closed.midpoint() / area - 1.0).abs() < 1e-13, "{closed:?}");
        }
        let nothing = trade_off_to_area(&PrivacyRegion::of_order(2.0, 0.0), 50);
        assert!(nothing.lower() <= 0.5 && 0.5 <= nothing.upper() && nothing.width() < 1e-6, "{nothing:?}");
    }
}
