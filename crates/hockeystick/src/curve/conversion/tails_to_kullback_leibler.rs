//! Tails → Kullback–Leibler divergence.

use super::{
    cells::{Cell, of_tails},
    moments_to_renyi::at_infinity,
};
use crate::curve::LossTails;
use hockeystick_numerics::enclosure::Enclosure;

/// `KL(P‖Q) = E_P[L]`, the mean loss: `D_1` ([Sommer19, Def. 8]).
///
/// `moment` may be some `λ > 0` with `M(λ) = E_P[e^{λL}]` if that is known: it bounds what unbounded losses contribute from
/// above, the tighter the larger `λ` is.
///
/// # Guarantee
/// Encloses the truth; the width is of order `resolution⁻²`. The upper end is infinite if losses are unbounded and no moment
/// is given, or an infinite loss is not excluded.
pub fn tails_to_kullback_leibler(
    tails: &(impl LossTails + ?Sized),
    moment: Option<(f64, Enclosure)>,
    resolution: usize,
) -> Enclosure {
    let sum = of_tails(tails, resolution)
        .iter()
        .filter(|cell| cell.p.upper() > 0.0)
        .fold(Enclosure::ZERO, |sum, cell| sum + mean(cell, moment));
    at_infinity(sum.clamp(0.0, f64::INFINITY), tails.support().infinite_mass.value())
}

/// `E_P[L; cell]`.
fn mean(cell: &Cell, moment: Option<(f64, Enclosure)>) -> Enclosure {
    if cell.from == f64::NEG_INFINITY {
        // E_P[|L|] = E_Q[|L| e^L], and |L| e^L rises up to −1; above it is at most 1/e.
        let edge = Enclosure::point(cell.to.min(-1.0));
        let most = (-edge * edge.exp() * cell.q).upper();
        return Enclosure::new(-most, (cell.p * cell.to).upper());
    }
    if cell.to == f64::INFINITY {
        // L ≤ b e^{λ(L−b)} for L ≥ b ≥ 1/λ.
        let bound = moment
            .filter(|(lambda, _)| lambda * cell.from > 1.0)
            .map(|(lambda, moment)| moment * cell.from * (Enclosure::point(-cell.from) * lambda).exp());
        return Enclosure::new((cell.p * cell.from).lower(), bound.map_or(f64::INFINITY, Enclosure::upper));
    }
    // g(u) = −log u is convex, and g″ = e^{2L}: Jensen from below.
    cell.p * (cell.center() + Enclosure::new(0.0, cell.spread()))
}
