//! Mean, variance and third absolute central moment of the finite loss.

use super::super::Moments;
use super::{Listing, RatioLaw, center::Center, central};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// What a law of the ratio does not list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unlisted {
    /// `P(|L| < ∞)`.
    finite: Enclosure,
    /// `Q(L = −∞) − P(L = ∞)`.
    unmatched: Enclosure,
}

impl Unlisted {
    /// Of a pair with `P(L = ∞)` and `Q(L = −∞)`. If it is self-dual both masses are the same, and their difference is 0.
    pub(crate) fn of(infinite: Probability, vanishing: Probability, is_self_dual: bool) -> Self {
        let unmatched = if is_self_dual {
            Enclosure::ZERO
        } else {
            let direct = vanishing.value() - infinite.value();
            direct.intersection(infinite.complement() - vanishing.complement())
        };
        Self { finite: infinite.complement(), unmatched }
    }
}

/// What outcomes that are left out of a law may add to a moment, see [`Listing`].
const LEFT_OUT: f64 = 1e-300;

impl RatioLaw {
    /// Mean, variance and third absolute central moment of the finite loss, conditioned on being finite; `None` if no loss
    /// is finite or a moment is not known to exist.
    ///
    /// # Guarantee
    /// Each enclosure holds for every law whose coefficients are within the stated 4 u of these. A mean much smaller than the
    /// standard deviation is known to some u of the standard deviation only: that is all a rounded law determines.
    /// The moments of a pair are better known.
    pub fn moments(&self) -> Option<Moments> {
        moments(&[self], None)
    }
}

/// The moments of all finite losses of the parts together.
///
/// # Guarantee
/// If it is known what is not listed, the mean keeps its digits even where it is much smaller than the standard deviation:
/// `E_P[L] = E_P[e^{−L} − 1 + L] + Q(L = −∞) − P(L = ∞)`, over finite losses.
///
/// # Implementation
/// Under the weights `E_Q[r^θ ·]` of each part, θ = 1 (θ = 0 for a swapped law, whose loss is `−log r`), with c a double near
/// the mean of L and `D_k = E(L − c)^k`,
///
/// ```text
/// mean = c + D₁/D₀,   variance = D₂/D₀ − (D₁/D₀)²,   third = E|L − c|³/D₀ + e,   |e| ≤ 3d(√(D₂/D₀) + d)²,   d = |D₁/D₀|
/// ```
///
/// the last because `||y − d|³ − |y|³| ≤ 3d(|y| + d)²`.
pub(crate) fn moments(parts: &[&RatioLaw], unlisted: Option<Unlisted>) -> Option<Moments> {
    if parts.iter().any(|law| law.listing == Listing::Nothing) {
        return None;
    }
    let center = Center::guess(parts)?;
    let [mass, first, second, third] = parts
        .iter()
        .flat_map(|law| central::of_law(law, &center))
        .fold([Enclosure::ZERO; 4], |sums, part| std::array::from_fn(|k| sums[k] + part[k]));
    let mass = unlisted.map_or(mass, |known| mass.intersection(known.finite));
    if mass.lower() <= 0.0 {
        return None;
    }
    let shift = first / mass;
    let mut mean = shift + center.at;
    if let Some(known) = unlisted.filter(|_| center.at.abs() < center.spread() && center.excess.is_finite()) {
        let excess = parts.iter().fold(Enclosure::ZERO, |sum, law| sum + law.excess(&center));
        mean = mean.intersection((excess + known.unmatched) / mass);
    }
    let shift = shift.intersection(mean - center.at);
    let about_center = second / mass;
    let variance = (about_center - shift * shift).clamp(0.0, f64::INFINITY);
    let off = Enclosure::point(shift.upper().max(-shift.lower()));
    let spread = Enclosure::point(about_center.upper()).sqrt() + off;
    let moved = (off * 3.0 * spread * spread).upper();
    let third_absolute = (third / mass + Enclosure::new(-moved, moved)).clamp(0.0, f64::INFINITY);
    let is_complete = parts.iter().all(|law| law.listing == Listing::Everything);
    let left_out = if is_complete { 0.0 } else { LEFT_OUT };
    let widened = |moment: Enclosure| moment + Enclosure::new(-left_out, left_out);
    let known = [mean, variance, third_absolute].iter().all(|x| x.width().is_finite());
    known.then(|| Moments {
        mean: widened(mean),
        variance: widened(variance).clamp(0.0, f64::INFINITY),
        third_absolute: widened(third_absolute).clamp(0.0, f64::INFINITY),
    })
}
