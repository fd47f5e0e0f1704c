//! Randomised response: `(p, 1−p)` against `(1−p, p)`.

use super::{
    Atom, LossLaw, SharedPair,
    shape::{DiscretePair, logistic},
};
use crate::{
    error::Error,
    mechanism::{RandomizedResponse, ResponseParameter},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// Two outcomes: the loss is `±ξ` with `ξ = |ln(p/(1−p))|` and odds `e^ξ : 1`; swapping the outcomes swaps the directions.
pub(super) fn pair(response: &RandomizedResponse) -> Result<SharedPair, Error> {
    let xi = xi(response);
    let (likely, unlikely) = match response.parameter() {
        ResponseParameter::Epsilon(_) => (logistic(xi), logistic(-xi)),
        ResponseParameter::Truth(p) => {
            let lie = Ball::ONE - Ball::from(p);
            if p >= 0.5 { (Ball::from(p), lie) } else { (lie, Ball::from(p)) }
        }
    };
    symmetric(xi, likely, unlikely, None)
}

/// An outcome of probability `likely` against `unlikely` with the loss `ξ`, its mirror image, and what tells nothing,
/// of probability `still` under both. Without that the loss composes in closed form.
pub(super) fn symmetric(
    xi: Ball,
    likely: Ball,
    unlikely: Ball,
    still: Option<Ball>,
) -> Result<SharedPair, Error> {
    let mut atoms = two_sided(xi, likely, unlikely).to_vec();
    atoms.extend(still.map(|chance| {
        let mass = chance.enclosure().clamp(0.0, 1.0);
        Atom { loss: Ball::ZERO, p: mass, q: mass }
    }));
    let pair = DiscretePair::new(atoms, Enclosure::ZERO, Enclosure::ZERO)?;
    Ok(Arc::new(match still {
        None => pair.with_law(LossLaw::TwoPoint { xi, at_infinity: 0.0 }),
        Some(_) => pair.declared_self_dual(),
    }))
}

/// An outcome of probability `likely` against `unlikely`, and its mirror image.
pub(super) fn two_sided(xi: Ball, likely: Ball, unlikely: Ball) -> [Atom; 2] {
    let (likely, unlikely) = (likely.enclosure().clamp(0.0, 1.0), unlikely.enclosure().clamp(0.0, 1.0));
    [Atom { loss: -xi, p: unlikely, q: likely }, Atom { loss: xi, p: likely, q: unlikely }]
}

fn xi(response: &RandomizedResponse) -> Ball {
    match response.parameter() {
        ResponseParameter::Epsilon(epsilon) => Ball::from(epsilon),
        ResponseParameter::Truth(p) => {
            // 1 − p is exact as the sum of two doubles.
            let (truth, lie) = (Ball::from(p), Ball::ONE - Ball::from(p));
            if p >= 0.5 { (truth / lie).ln() } else { (lie / truth).ln() }
        }
    }
}
