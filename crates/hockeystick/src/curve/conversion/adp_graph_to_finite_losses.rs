//! ADP graph → finite losses.

use super::hockey_stick_to_tails::drop;
use crate::curve::{FiniteLosses, HockeyStick};
use crate::pair::Atom;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// The masses of the losses `y₁ < … < y_k` from `δ` at these points and at one below ([Sommer19, Lemma 6]).
///
/// The proof there finds `ω(∞) = δ(y_k)`, then one mass after the other from the top. Solved for all at once: between two
/// neighbouring losses `α ↦ δ` is a line of slope `−Q(L ≥ yⱼ)`, so
/// `Q(L ≥ yⱼ) = (δ(yⱼ₋₁) − δ(yⱼ))/(e^{yⱼ} − e^{yⱼ₋₁})`, the differences of these are the masses under `Q`, and
/// `ω(yⱼ) = e^{yⱼ} Q(L = yⱼ)`. No error is carried from one mass to the next.
///
/// # Guarantee
/// Encloses the masses if all finite losses are among `losses`, which must increase. `None` if they do not, or are empty.
pub fn adp_graph_to_finite_losses(
    curve: &(impl HockeyStick + ?Sized),
    losses: &[Ball],
) -> Option<FiniteLosses> {
    let first = *losses.first()?;
    let is_increasing = |pair: &[Ball]| (pair[1] - pair[0]).enclosure().lower() > 0.0;
    if !losses.windows(2).all(is_increasing) {
        return None;
    }
    let points: Vec<Ball> = std::iter::once(first - Ball::ONE).chain(losses.iter().copied()).collect();
    let values: Vec<Probability> = points.iter().map(|&epsilon| curve.hockey_stick(epsilon)).collect();
    // Q(L ≥ yⱼ) for j = 1, …, k, then 0.
    let run = |i: usize| points[i].exp_enclosure() * (points[i + 1] - points[i]).enclosure().exp_m1();
    let tails: Vec<Enclosure> = (0..losses.len())
        .map(|i| (drop(values[i], values[i + 1]) / run(i)).clamp(0.0, 1.0))
        .chain([Enclosure::ZERO])
        .collect();
    let atom = |(i, &loss): (usize, &Ball)| {
        let q = (tails[i] - tails[i + 1]).clamp(0.0, 1.0);
        Atom { loss, p: (loss.exp_enclosure() * q).clamp(0.0, 1.0), q }
    };
    Some(FiniteLosses {
        atoms: losses.iter().enumerate().map(atom).collect(),
        infinite_mass: values[losses.len()].value(),
        vanishing_mass: tails[0].one_minus().clamp(0.0, 1.0),
    })
}
