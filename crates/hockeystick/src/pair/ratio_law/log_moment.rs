//! `K(λ) = log M(λ)` for real λ, also where `M(λ)` is larger than every double.

use super::{
    Atom, Panel, RatioLaw,
    cover::{Bounded, Trimmed},
    integrand::Integrand,
    mgf::{LOG_TOLERANCE, quadrature},
    peak,
    portion::Portion,
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    special::{exp, ln},
};
use num_complex::Complex;

impl RatioLaw {
    /// `log E_P[e^{λL}; |L| < ∞]`, or `None` outside the strip.
    ///
    /// # Guarantee
    /// Encloses the truth for every law whose coefficients are within the stated 4 u of these.
    ///
    /// # Implementation
    /// As for `M`, but every part is kept relative to the height of its peak, and the parts are added by their logarithms.
    pub fn log_moment(&self, lambda: f64) -> Option<Enclosure> {
        let power = if self.swapped { -lambda } else { 1.0 + lambda };
        let (low, high) = self.powers();
        let exists = low < power && power < high || (0.0..=1.0).contains(&power);
        if !(exists && lambda.is_finite()) {
            return None;
        }
        let atoms = self.atoms.iter().map(|atom| log_of_atom(atom, lambda, self.swapped));
        let panels = self.wide_panels().map(|panel| log_of_panel(panel, power));
        let parts: Vec<Enclosure> = atoms.chain(panels).collect();
        let largest = parts.iter().map(|part| part.upper()).fold(f64::NEG_INFINITY, f64::max);
        if !largest.is_finite() {
            return Some(Enclosure::ENTIRE);
        }
        let sum = parts.iter().fold(Enclosure::ZERO, |sum, &part| sum + (part - largest).exp());
        Some(sum.ln() + largest)
    }
}

/// `log p + λL`.
fn log_of_atom(atom: &Atom, lambda: f64, swapped: bool) -> Enclosure {
    let (p, loss) = if swapped { (atom.q, -atom.loss) } else { (atom.p, atom.loss) };
    p.ln() + (Ball::from(lambda) * loss).enclosure()
}

/// `log ∫ e^{log_q} r^w` over a panel.
fn log_of_panel(panel: &Panel, power: f64) -> Enclosure {
    let integrand = Integrand::new(panel, Complex::new(power, 0.0));
    let peak = peak::find(&integrand, panel.from, panel.to);
    let log_tolerance = peak.log_height + ln(peak.width) + LOG_TOLERANCE;
    let bounds = Bounded::new(&integrand, log_tolerance, Portion::Whole);
    let partition = Trimmed::new(panel, peak, &bounds).partition(&[], &bounds);
    let scaled = quadrature(&integrand, &partition, peak.log_height, log_tolerance - peak.log_height);
    let misplaced: f64 = integrand.misplaced_by_logarithm(panel).map(|log| exp(log - peak.log_height)).sum();
    let radius = (scaled.radius() + misplaced) * (1.0 + 1e-6);
    let value = Enclosure::point(scaled.center().re) + Enclosure::new(-radius, radius);
    value.clamp(0.0, f64::INFINITY).ln() + peak.log_height
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Quadratic;

    /// N(1, σ²) against N(0, σ²): K = λ(λ + 1)/(2σ²), far beyond the logarithm of the largest double.
    #[test]
    fn moments_beyond_the_doubles_have_a_logarithm() {
        let line = Panel {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            log_q: Quadratic { constant: -0.918_938_533_204_672_7, linear: 0.0, square: -0.5 },
            ratio: vec![(1.0, Quadratic { constant: -2.0, linear: 2.0, square: 0.0 })],
        };
        let law = RatioLaw { panels: vec![line], ..RatioLaw::default() };
        for lambda in [0.5, 10.0, 100.0, 1e4] {
            let truth = 2.0 * lambda * (lambda + 1.0);
            let found = law.log_moment(lambda).unwrap();
            assert!(found.lower() <= truth && truth <= found.upper(), "{lambda}: {found:?} {truth}");
            assert!(found.width() <= 1e-10 * (1.0 + truth), "{lambda}: {found:?}");
        }
    }
}
