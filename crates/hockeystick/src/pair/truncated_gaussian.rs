//! Gaussian noise conditioned on `[−B, B]`.

use super::{
    Panel, Quadratic, RatioLaw, SharedPair,
    gaussian::{NormalPair, log_standard_density},
    loss_law::normal::upper_tail,
    shape::TruncatedPair,
};
use crate::mechanism::TruncatedGaussian;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::sync::Arc;

/// In units of σ, with `m = s/σ` and `b = B/σ`: the supports overlap on `[m − b, b]`, where the loss is `mx − m²/2`, at most
/// `mb − m²/2`. `P` is beyond with probability `(Φ(b) − Φ(b − m))/(1 − 2Φ(−b))`.
pub(super) fn pair(noise: &TruncatedGaussian) -> SharedPair {
    let sigma = Ball::from(noise.sigma());
    let (m, b) = (Ball::from(noise.sensitivity()) / sigma, Ball::from(noise.bound()) / sigma);
    let overlap = (b + b - m).enclosure();
    let beyond = upper_tail(b).value();
    let kept = within(b);
    let infinite = if overlap.upper() <= 0.0 {
        Probability::ZERO.opposite()
    } else {
        // Φ(b) − Φ(b − m) = P(b − m < X < b).
        let reached = upper_tail(b - m).value() - beyond;
        let missed = upper_tail(m - b).value() - beyond;
        Probability::from_both(reached / kept, missed / kept)
    };
    let (width, edge) = (m.approximate(), b.approximate());
    let panel = Panel {
        // (Not `width − edge`: where the bound is next to the sensitivity that has no digits.)
        from: (m - b).approximate(),
        to: edge,
        log_q: log_standard_density(1.0 / kept.midpoint()),
        ratio: vec![(1.0, Quadratic { constant: -0.5 * width * width, linear: width, square: 0.0 })],
    };
    let panels = if overlap.lower() > 0.0 { vec![panel] } else { vec![] };
    Arc::new(TruncatedPair {
        whole: Arc::new(NormalPair::new(m * m)),
        beyond,
        kept,
        infinite,
        largest: m * b - m * m * Ball::from(0.5),
        law: RatioLaw { panels, ..RatioLaw::default() },
    })
}

/// `P(|X| ≤ b) = 1 − 2Φ(−b)`; for small `b`, where that cancels, the density times the width:
/// `2bφ(b) ≤ P(|X| ≤ b) ≤ 2bφ(0)`, and better `2b(φ(0) − b²/6·φ(0)) ≤ … ≤ 2b(φ(0) − b²/6·φ(0) + b⁴/40·φ(0))`.
fn within(b: Ball) -> Enclosure {
    let beyond = upper_tail(b).value();
    let difference = (beyond * -2.0 + 1.0).clamp(0.0, 1.0);
    let at = b.enclosure();
    if at.upper() > 0.01 {
        return difference;
    }
    // The alternating series of the error function: φ(0) Σ (−1)ⁿ b^{2n+1}·2/(2ⁿ n!(2n+1)), between consecutive sums.
    let square = at * at;
    let four = square * square;
    let series = Enclosure::ONE - square / 6.0 + four / 40.0;
    let next = (four * square / 336.0).upper();
    at * 2.0 / Enclosure::SQRT_TWO_PI * (series + Enclosure::new(-next, 0.0))
}

#[cfg(test)]
mod tests {
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };

    /// `(s − B)/σ` is `−2⁻⁵²/3`; the difference of both quotients as rounded is half as much again.
    #[test]
    fn ends_next_to_0_have_all_their_digits() {
        let noise: Mechanism =
            "truncated_gaussian(sigma=3, bound=1.0000000000000002, sensitivity=1)".parse().unwrap();
        let law = dominating_pair(&noise, Direction::Remove).unwrap().ratio_law();
        let truth = -f64::EPSILON / 3.0;
        assert!((law.panels[0].from - truth).abs() <= f64::EPSILON * truth.abs(), "{:e}", law.panels[0].from);
    }
}
