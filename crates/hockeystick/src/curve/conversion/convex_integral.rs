//! `∫₀^E e^{κε} h(e^ε) dε` for a convex decreasing `h`, enclosed from its values on a grid.

use super::hockey_stick_to_tails::drop;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// The integral over `[0, end]`, of a hockey-stick curve `h` as a function of `ε`.
///
/// On a cell the chord lies above `h`, and its integral against `α^{κ−1} dα` is elementary. The slopes of `h` in the cell
/// lie between those of the secants next to it, `s₋ ≤ s₊`, so `h` is at most `(s₊ − s₋)·Δα/4` below the chord, and the area
/// between them is at most that of a triangle of this height.
///
/// # Guarantee
/// Encloses the integral; the width is of order `(end/cells)²`.
pub(super) fn integral(h: impl Fn(Ball) -> Probability, kappa: f64, end: f64, cells: usize) -> Enclosure {
    let width = end / cells as f64;
    // One more cell on each side, for the secants. Positions are doubles, and their differences exact in a ball.
    let grid: Vec<f64> = (-1..=cells as i64 + 1).map(|i| i as f64 * width).collect();
    let values: Vec<Probability> = grid.iter().map(|&epsilon| h(Ball::from(epsilon))).collect();
    let step = |i: usize| (Ball::from(grid[i + 1]) - Ball::from(grid[i])).enclosure();
    let alpha = |i: usize| Enclosure::point(grid[i]).exp();
    let run = |i: usize| alpha(i) * step(i).exp_m1();
    let slopes: Vec<Enclosure> =
        (0..grid.len() - 1).map(|i| -(drop(values[i], values[i + 1]) / run(i)).clamp(0.0, 1.0)).collect();

    let mut sum = Enclosure::ZERO;
    for i in 1..=cells {
        let weight = (Enclosure::point(grid[i]) * kappa).exp();
        // ∫ e^{κε} dε and ∫ e^{κε}(e^ε − αᵢ) dε over the cell.
        let (level, ramp) = (growth(kappa, step(i)), growth(kappa + 1.0, step(i)));
        let chord = values[i].value() * level + slopes[i] * alpha(i) * (ramp - level);
        let height = (slopes[i + 1] - slopes[i - 1]).clamp(0.0, 1.0) * run(i) / 4.0;
        // α^{κ−1} at its largest in the cell, over αᵢ^{κ−1}; with dα = run this is an area.
        let bend = (step(i) * (kappa - 1.0)).exp().max(Enclosure::ONE);
        let area = height * (step(i).exp_m1() / 2.0) * bend;
        sum = sum + weight * (chord - Enclosure::new(0.0, area.upper()));
    }
    sum
}

/// `∫₀^w e^{κx} dx`.
fn growth(kappa: f64, width: Enclosure) -> Enclosure {
    if kappa == 0.0 { width } else { (width * kappa).exp_m1() / kappa }
}
