//! The pair of a profile that is known at some points only.
//!
//! In: points `(ε, δ)` with δ an upper bound. Out: the pair of the largest profile that they allow.
//!
//! # Guarantee
//! It dominates every mechanism that keeps to the bounds.

mod bound;
mod hull;
mod segment;
mod vertex;

pub use bound::{Bound, InvalidBound};

use super::super::{Atom, DominatingPair, RatioLaw, SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use segment::{Segment, Share};
use std::{ops::RangeInclusive, sync::Arc};
pub(super) use vertex::Vertex;

/// The worst pair that agrees with a list of [`Bound`]s on a privacy profile.
///
/// **The curve.** A true profile `f(α)`, `α = e^ε`, is convex and decreasing with `f(0) = 1` and `f(α) ≥ (1 − α)₊`
/// ([Zhu22, Lemma 9]). Let `f(αᵢ) ≤ δᵢ`. Between two points of which it is below, a convex function is below their chord;
/// right of a point a decreasing function is below its height; and `f(0) = 1`. So `f ≤ H`, the lower convex hull of
/// `(0, 1)`, the points `(αᵢ, δᵢ)` and the horizontal line to the right of the lowest: the largest curve that agrees with the
/// bounds ([Zhu22, Cor. 26]). Leaving out a bound moves `H` up. As every point is above `(1 − α)₊`, which is convex, so is
/// `H`: it is the curve of a pair. The hull of the points themselves would be no bound for a function that is not convex.
///
/// **The pair.** `H` is piecewise linear, so the loss is discrete: corners are atoms, the lowest `δᵢ` is the mass at `∞`.
/// A bound at `ε = ∞` says that the mass at infinity is small; but a convex decreasing function with that limit may stay
/// arbitrarily close to the lowest finite `δᵢ` for as long as one likes, so it does not lower `H` anywhere.
///
/// **Negative ε.** If no bound has `ε < 0`, they are taken to hold for both directions of a symmetric relation, which is what a
/// profile for `ε ≥ 0` means. Then `f(α) ≤ 1 − α + αH(1/α)` for `α < 1` ([Zhu22, Lemma 31, Lemma 46]): the image of each
/// point is a point too. The map `(α, H) ↦ (1/α, 1 − (1 − H)/α)` takes lines to lines, above to above, and `(0, 1)` to the
/// horizontal direction, so the hull of all is its own image: the pair is self-dual. If some bound has `ε < 0`, they are
/// taken as they are, for one direction, `P` being the side that sees the record; the other one follows by swapping.
///
/// # Guarantee
/// Enclosures contain the values of a curve `≥ H` that has its corners in given points `(e^{εᵢ}, δᵢ)`, exactly: it differs from
/// `H` by points within the round-off of balls (10⁻²⁸) of the line past them. Atoms lie at the doubles `εᵢ` and `−εᵢ`.
#[derive(Clone, Debug)]
pub struct PiecewisePair {
    /// Losses ascend, each with positive mass.
    corners: Vec<Vertex>,
    self_dual: bool,
}

impl PiecewisePair {
    /// The worst pair below all bounds. Without any, it is `H = 1`: nothing is known.
    pub fn new(bounds: &[Bound]) -> Self {
        let mut points: Vec<Vertex> = bounds.iter().filter_map(|bound| bound.vertex()).collect();
        let self_dual = bounds.iter().all(|bound| bound.epsilon() >= 0.0);
        if self_dual {
            let images: Vec<Vertex> =
                points.iter().filter(|point| point.loss > 0.0).map(|point| point.mirrored()).collect();
            points.extend(images);
        }
        let corners = hull::lower_hull(points);
        Self { corners: if self_dual { hull::symmetric(corners) } else { corners }, self_dual }
    }

    /// The pair whose curve is the lower hull of `(0, 1)`, these points and the horizontal line to the right of the lowest, for one direction.
    pub(super) fn hull(points: Vec<Vertex>) -> Self {
        Self { corners: hull::lower_hull(points), self_dual: false }
    }

    /// The number of corners of the curve, that is of finite losses.
    pub fn corners(&self) -> usize {
        self.corners.len()
    }

    /// The line on which `epsilon` lies, or its two ends if that cannot be told.
    ///
    /// The right end of a line belongs to the next one.
    fn segment(&self, epsilon: Ball) -> Result<Segment<'_>, (f64, f64)> {
        let ends = epsilon.enclosure();
        let index = |at: f64| self.corners.partition_point(|corner| corner.loss <= at);
        let (first, last) = (index(ends.lower()), index(ends.upper()));
        if first == last {
            let from = first.checked_sub(1).map(|before| &self.corners[before]);
            Ok(Segment { from, to: self.corners.get(first) })
        } else {
            Err((ends.lower(), ends.upper()))
        }
    }

    /// Around a corner, from the ends: everything here decreases.
    fn between<T>((lower, upper): (f64, f64), at: impl Fn(Ball) -> T, hull: impl Fn(T, T) -> T) -> Option<T> {
        (lower.is_finite() && upper.is_finite()).then(|| hull(at(Ball::from(lower)), at(Ball::from(upper))))
    }

    fn atom(&self, index: usize) -> Atom {
        let at = &self.corners[index];
        let before = index.checked_sub(1).map(|before| &self.corners[before]);
        let mass = hull::mass(before, at, self.corners.get(index + 1));
        let loss = Ball::from(at.loss);
        let (p, q) = if at.loss > 0.0 { (mass, mass * (-loss).exp()) } else { (mass * loss.exp(), mass) };
        let probability = |mass: Ball| mass.enclosure().clamp(0.0, 1.0);
        Atom { loss, p: probability(p), q: probability(q) }
    }
}

fn probability(share: Share) -> Probability {
    Probability::from_both(share.value.enclosure(), share.complement.enclosure())
}

impl DominatingPair for PiecewisePair {
    fn delta(&self, epsilon: Ball) -> Probability {
        match self.segment(epsilon) {
            // On a corner the line is not needed, nor its round-off.
            Ok(Segment { from: Some(corner), .. }) if epsilon == Ball::from(corner.loss) => {
                probability(Share { value: corner.value, complement: corner.complement })
            }
            Ok(segment) => probability(segment.at(epsilon)),
            Err(ends) => {
                Self::between(ends, |at| self.delta(at), Probability::hull).unwrap_or(Probability::UNKNOWN)
            }
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        match self.segment(epsilon) {
            Ok(segment) => Tails { p: probability(segment.p_tail()), q: probability(segment.q_tail()) },
            Err(ends) => {
                let hull = |a: Tails, b: Tails| Tails { p: a.p.hull(b.p), q: a.q.hull(b.q) };
                let unknown = Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN };
                Self::between(ends, |at| self.tails(at), hull).unwrap_or(unknown)
            }
        }
    }

    fn infinite_mass(&self) -> Probability {
        probability(Segment { from: self.corners.last(), to: None }.p_tail())
    }

    fn vanishing_mass(&self) -> Probability {
        probability(Segment { from: None, to: self.corners.first() }.q_tail()).opposite()
    }

    /// Without a finite loss, 0 and 0: from there on `δ` is the mass at infinity.
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let loss = |corner: Option<&Vertex>| Enclosure::point(corner.map_or(0.0, |corner| corner.loss));
        loss(self.corners.first())..=loss(self.corners.last())
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw {
            atoms: (0..self.corners.len()).map(|index| self.atom(index)).collect(),
            ..RatioLaw::default()
        }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self {
            corners: self.corners.iter().rev().map(|corner| corner.mirrored()).collect(),
            self_dual: self.self_dual,
        })
    }

    fn is_self_dual(&self) -> bool {
        self.self_dual
    }
}

#[cfg(test)]
mod tests;
