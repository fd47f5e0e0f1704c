//! What the end of the rays makes in the integral, which is not on the real line.

use super::{hyperbola::Hyperbola, paths::Paths};
use crate::pair::log_bound;
use hockeystick_numerics::special::{exp, expm1, ln, ln_1p};
use num_complex::Complex;
use std::f64::consts::PI;

/// In so many pieces the sides of the strip are looked at.
const SIDES: usize = 8;

/// A bound of that.
///
/// # Guarantee
/// N ends at a rise of the real line, and what is summed ends at one with another angle: V more, which is on the way between. With B of all on the real line,
/// `|(B + V)^k − B^k| ≤ kV(B + V)^{k−1}`. Up the vertical line through the crossing −c both are largest at −c, and `∫ dt/|y|² = π/2c`, for `|z| = |y − 1| ≥ |y|` there.
///
/// The sum over s ≥ 0 and its integral differ by what is on the edges, and by `(1/π) ∫ Re(G(iy) − G(−iy)) dy/(e^{2πy/h} − 1)` on both sides of s = 0, where the hyperbolas cross the real line. Of a function that is real on the real
/// line that is nothing, so that V is left. The real part q of G is at most `mR kV(B + V)^{k−1}` with the kernel R, and its slope that times `m(kY + e + 2/|y|) + 1` with the largest
/// rise Y and the most e that all losses take away and ε adds; and `∫ y dy/(e^{2πy/h} − 1) = h²/24`. Beyond the nearer edge q itself is counted.
pub(super) fn bound(paths: &Paths, hyperbola: &Hyperbola, step: f64) -> f64 {
    let Hyperbola { scale, angle, crossing, edges, .. } = *hyperbola;
    let arc = paths.law.arc(paths.log_end, [0.0, paths.turn], paths.piece());
    let count = paths.count;
    // k V (B + V)^{k−1} with the powers, where y is between two numbers.
    let log_excess = |least: f64, most: f64| {
        let log_v = log_bound(arc.iter(), Complex::new(most, 0.0), None);
        let log_b = paths.log_real(most);
        let log_all = log_b + ln_1p(exp(log_v - log_b));
        ln(count) + log_v - log_all + paths.log_powers(log_all, Complex::new(least, 0.0))
    };
    let at_crossing = exp(log_excess(-crossing, -crossing));
    let nearer = edges[0].min(edges[1]);
    let beyond = step * exp(-2.0 * PI * nearer / step) * scale / (crossing * crossing);
    let mut sum = at_crossing / (2.0 * crossing) + at_crossing * beyond;
    let rise = exp(paths.log_end);
    for (edge, sign) in edges.into_iter().zip([1.0f64, -1.0]) {
        let mut steepest: f64 = 0.0;
        for i in 0..SIDES {
            let [from, to] = [i, i + 1].map(|i| edge * i as f64 / SIDES as f64);
            let [a, b] = [from, to].map(|y| scale * (sign.mul_add(y, angle).cos() - 1.0));
            let (least, most) = (a.min(b), a.max(b));
            let slope = scale * (count * rise + paths.farthest_fall() - 2.0 / most) + 1.0;
            steepest = steepest.max(scale * slope * exp(log_excess(least, most) - 2.0 * ln(-most)));
            let weight =
                if i == 0 { step * step / 24.0 } else { (to - from) * to / expm1(2.0 * PI * from / step) };
            sum += steepest * weight / PI;
        }
    }
    sum * (1.0 + 1e-6)
}
