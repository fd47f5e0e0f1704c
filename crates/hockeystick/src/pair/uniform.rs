//! Uniform noise: two intervals of the same width, a distance `s` apart.

use super::{Atom, SharedPair, shape::DiscretePair};
use crate::{error::Error, mechanism::Uniform};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// Where the intervals `[0, w]` and `[s, s + w]` overlap the densities are equal and the loss is 0; elsewhere, with
/// probability `min(1, s/w)` under either law, the outcome gives the input away. Both directions agree by reflection.
pub(super) fn pair(uniform: &Uniform) -> Result<SharedPair, Error> {
    let (width, shift) = (uniform.width(), uniform.sensitivity());
    if shift >= width {
        let pair = DiscretePair::new(Vec::new(), Enclosure::ONE, Enclosure::ONE)?;
        return Ok(Arc::new(pair.declared_self_dual()));
    }
    let only = Enclosure::point(shift) / Enclosure::point(width);
    // w − s is exact as the sum of two doubles.
    let rest = (Ball::from(width) - Ball::from(shift)) / Ball::from(width);
    let shared = rest.enclosure().clamp(0.0, 1.0);
    let atoms = vec![Atom { loss: Ball::ZERO, p: shared, q: shared }];
    Ok(Arc::new(DiscretePair::new(atoms, only, only)?.declared_self_dual()))
}
