//! Mean, variance and third absolute central moment of the finite loss.

use super::super::Moments;
use super::{RatioLaw, center::Center, central};
use hockeystick_numerics::enclosure::Enclosure;

impl RatioLaw {
    /// Mean, variance and third absolute central moment of the finite loss, conditioned on being finite; `None` if no loss
    /// is finite or a moment is not known to exist.
    ///
    /// # Guarantee
    /// Each enclosure holds for every law whose coefficients are within the stated 4 u of these. A mean much smaller than the
    /// standard deviation is known to some u of the standard deviation only: that is all a rounded law determines.
    ///
    /// # Implementation
    /// Under the weights `E_Q[r^θ ·]`, θ = 1 (θ = 0 for the swapped law, whose loss is `−log r`), with c a double near the mean
    /// of `log r` and `D_k = E(log r − c)^k`,
    ///
    /// ```text
    /// mean = c + D₁/D₀,   variance = D₂/D₀ − (D₁/D₀)²,   third = E|log r − c|³/D₀ + e,   |e| ≤ 3d(√(D₂/D₀) + d)²,   d = |D₁/D₀|
    /// ```
    ///
    /// the last because `||y − d|³ − |y|³| ≤ 3d(|y| + d)²`.
    pub fn moments(&self) -> Option<Moments> {
        let theta = if self.swapped { 0.0 } else { 1.0 };
        let center = Center::guess(self, theta)?;
        let (low, high) = self.powers();
        let margin = (theta - low).min(high - theta);
        let atoms = self.atoms.iter().map(|atom| central::of_atom(atom, theta, center.at));
        let panels = self.wide_panels().map(|panel| central::of_panel(panel, theta, &center, margin));
        let [mass, first, second, third] = atoms
            .chain(panels)
            .fold([Enclosure::ZERO; 4], |sums, part| std::array::from_fn(|k| sums[k] + part[k]));
        if mass.lower() <= 0.0 {
            return None;
        }
        let shift = first / mass;
        let mean = shift + center.at;
        let about_center = second / mass;
        let variance = (about_center - shift * shift).clamp(0.0, f64::INFINITY);
        let off = Enclosure::point(shift.upper().max(-shift.lower()));
        let spread = Enclosure::point(about_center.upper()).sqrt() + off;
        let moved = (off * 3.0 * spread * spread).upper();
        let third_absolute = (third / mass + Enclosure::new(-moved, moved)).clamp(0.0, f64::INFINITY);
        let known = [mean, variance, third_absolute].iter().all(|x| x.width().is_finite());
        known.then_some(Moments { mean: if self.swapped { -mean } else { mean }, variance, third_absolute })
    }
}
