//! Laplace noise conditioned on `[−B, B]`.

use super::{Atom, Panel, Quadratic, RatioLaw, SharedPair, laplace::LaplacePair, shape::TruncatedPair};
use crate::mechanism::TruncatedLaplace;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::sync::Arc;

/// In units of the scale, with `d = s/b` and `β = B/b`: the supports overlap on `[d − β, β]`, where the loss is
/// `|x| − |x − d|`, at most `d` if `β > d` and `2β − d` otherwise.
pub(super) fn pair(noise: &TruncatedLaplace) -> SharedPair {
    let scale = Ball::from(noise.scale());
    let (d, beta) = (Ball::from(noise.sensitivity()) / scale, Ball::from(noise.bound()) / scale);
    let half = Ball::from(0.5);
    let beyond = (-beta).exp_enclosure() * 0.5;
    let kept = -(-beta).enclosure().exp_m1();
    let gap = (beta - d).enclosure();
    let overlap = (beta + beta - d).enclosure();
    let infinite = if overlap.upper() <= 0.0 {
        Probability::ZERO.opposite()
    } else if gap.lower() >= 0.0 {
        // ½(e^{−(β−d)} − e^{−β}) = ½e^{−β}(e^d − 1), over 1 − e^{−β}.
        Probability::from_value(beyond * d.enclosure().exp_m1() / kept)
    } else {
        // What is missed lies below β − d < 0: ½(e^{β−d} − e^{−β}) = ½e^{−β}(e^{2β−d} − 1).
        let missed = beyond * overlap.exp_m1().clamp(0.0, f64::INFINITY) / kept;
        Probability::from_complement(missed.clamp(0.0, 1.0))
    };
    let largest = if gap.midpoint() > 0.0 { d } else { beta + beta - d };
    Arc::new(TruncatedPair {
        whole: Arc::new(LaplacePair::new(d)),
        beyond,
        kept,
        infinite,
        largest,
        law: law(d, beta, kept, half),
    })
}

/// Atoms at `±d` from the flat stretches, if the bound leaves any, and the density in between.
fn law(d: Ball, beta: Ball, kept: Enclosure, half: Ball) -> RatioLaw {
    let (distance, edge) = (d.approximate(), beta.approximate());
    let mut law = RatioLaw::default();
    if (beta - d).approximate() > 0.0 {
        // d < x < β: ½(1 − e^{−(β−d)}) under P, e^{−d} times that under Q.
        let often = -(d - beta).enclosure().exp_m1().clamp(-1.0, 0.0) * half.enclosure() / kept;
        let rarely = often * (-d).exp_enclosure();
        law.atoms.push(Atom { loss: d, p: often, q: rarely });
        law.atoms.push(Atom { loss: -d, p: rarely, q: often });
    }
    // (Not `distance − edge`: where the bound is next to the sensitivity that has no digits.)
    let (from, to) = ((d - beta).approximate().max(0.0), distance.min(edge));
    if from < to {
        law.panels.push(Panel {
            from,
            to,
            log_q: Quadratic { constant: -(2.0 * kept.midpoint()).ln(), linear: -1.0, square: 0.0 },
            ratio: vec![(1.0, Quadratic { constant: -distance, linear: 2.0, square: 0.0 })],
        });
    }
    law
}

#[cfg(test)]
mod tests {
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };

    /// `(s − B)/b` is `2⁻⁵²/3`; the difference of both quotients as rounded is half as much again.
    #[test]
    fn ends_next_to_0_have_all_their_digits() {
        let noise: Mechanism =
            "truncated_laplace(scale=3, bound=1, sensitivity=1.0000000000000002)".parse().unwrap();
        let law = dominating_pair(&noise, Direction::Remove).unwrap().ratio_law();
        let truth = f64::EPSILON / 3.0;
        assert!((law.panels[0].from - truth).abs() <= f64::EPSILON * truth, "{:e}", law.panels[0].from);
    }
}
