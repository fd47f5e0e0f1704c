//! Connect the dots from the curve alone: δ at the points of the grid determines the law.

use super::{
    super::super::{
        grid::Grid,
        law::{LatticeLaw, Pessimistic},
    },
    monotone::falling_from_the_right,
};
use crate::pair::SharedPair;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// The law whose curve joins the points `(e^{iΔ}, δ(iΔ))` by straight lines ([Doroshenko22, Alg. 1], with the erratum for
/// truncated grids): the curve is convex, so it lies below its chords.
///
/// On the chord from `iΔ` to `(i+1)Δ` the slope is `−(hᵢ − hᵢ₊₁)/(αᵢ₊₁ − αᵢ)`, so `P`'s mass above is
/// `hᵢ + (hᵢ − hᵢ₊₁)/(e^Δ − 1)`. Below the first point all mass is moved to it; above the last, what remains of δ becomes
/// infinite.
///
/// # Guarantee
/// At least as much mass above every loss as a law whose δ is at least that of the pair.
pub(crate) fn connect_the_dots(pair: &SharedPair, grid: Grid) -> LatticeLaw<Pessimistic> {
    let curve: Vec<Enclosure> = (grid.first..=grid.last).map(|i| pair.delta(grid.point(i)).value()).collect();
    let ratio = Ball::from(grid.spacing).exp_m1().enclosure();
    let mut tails: Vec<f64> = curve
        .windows(2)
        .map(|dots| {
            let fall = (dots[0] - dots[1]).clamp(0.0, 1.0);
            (dots[0] + fall / ratio).upper().min(1.0)
        })
        .collect();
    tails.push(curve.last().map_or(1.0, |last| last.upper()));
    falling_from_the_right(&mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, 1.0, &tails, grid.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::lattice::grid::Strides,
        pair::{Direction, dominating_pair},
    };

    /// Regression: a law made from tails on points that are moved up once forgot that they are, and was below the truth.
    #[test]
    fn moved_points_stay_moved() {
        let pair = dominating_pair(&"gaussian(sigma=1)".parse().unwrap(), Direction::Remove).unwrap();
        let (spacing, offset) = (0.1, 0.04);
        let law = connect_the_dots(
            &pair,
            Grid {
                spacing,
                first: -120,
                last: 120,
                offset,
                is_cut_below: true,
                is_cut_above: true,
                strides: Strides::NONE,
                lost_per_variance: 1.0,
            },
        );
        let delta = |epsilon: f64| {
            let loss = |index: i64| index as f64 * spacing + law.offset;
            let shares = (law.first..)
                .zip(&law.masses)
                .map(|(i, mass)| mass * (-(epsilon - loss(i)).exp_m1()).max(0.0));
            shares.sum::<f64>() + law.infinite
        };
        for i in -20..20 {
            let dot = f64::from(i) * spacing + offset;
            let truth = |epsilon: f64| pair.delta(Ball::from(epsilon)).value().midpoint();
            assert!((delta(dot) - truth(dot)).abs() < 1e-9, "{dot}");
            assert!(delta(dot + 0.05) > truth(dot + 0.05), "{dot}");
        }
    }

    /// [Doroshenko22, Alg. 1] as printed puts h(+∞) = 0 at infinity when the grid ends at ε = 1, and answers δ(1) = 0. The truth
    /// for σ = 1 is 0.1269…
    #[test]
    fn a_grid_that_ends_early_is_still_pessimistic() {
        let mechanism = "gaussian(sigma=1)".parse().unwrap();
        let pair = dominating_pair(&mechanism, Direction::Remove).unwrap();
        let law = connect_the_dots(
            &pair,
            Grid {
                spacing: 0.01,
                first: -500,
                last: 100,
                offset: 0.0,
                is_cut_below: true,
                is_cut_above: true,
                strides: Strides::NONE,
                lost_per_variance: 1.0,
            },
        );
        assert!((0.1269..0.1270).contains(&law.infinite), "{}", law.infinite);
        let total: f64 = law.masses.iter().sum::<f64>() + law.infinite;
        assert!((total - 1.0).abs() < 1e-12);
    }
}
