//! The part of a law with losses of one sign.

use super::{Atom, Panel, RatioLaw, integrand::Integrand, level::Levels, rectangle::Rectangle};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, enclosure::Enclosure, special::exp};
use num_complex::Complex;
use std::cmp::Ordering;

impl RatioLaw {
    /// The outcomes with a positive loss ([`Ordering::Greater`]) or a negative one.
    ///
    /// # Guarantee
    /// Outcomes of which the sign of the loss cannot be told become atoms near 0 with a mass from 0 to all they may have.
    pub(crate) fn half(self, sign: Ordering) -> Self {
        let side = if self.swapped { sign.reverse() } else { sign };
        let mut atoms: Vec<Atom> = self.atoms.iter().filter_map(|atom| half_of_atom(atom, side)).collect();
        let mut panels = Vec::with_capacity(self.panels.len());
        for panel in self.wide_panels() {
            let split = Levels::new(panel).split(0.0);
            if let Some((_, to)) = split.left.filter(|&(found, _)| found == side) {
                panels.push(Panel { to, ..panel.clone() });
            }
            if let Some((_, from)) = split.right.filter(|&(found, _)| found == side) {
                panels.push(Panel { from, ..panel.clone() });
            }
            let from = split.left.map_or(panel.from, |(_, end)| end);
            let to = split.right.map_or(panel.to, |(_, start)| start);
            if from < to {
                atoms.push(undecided(panel, from, to));
            }
        }
        Self { atoms, panels, ..self }
    }
}

fn half_of_atom(atom: &Atom, side: Ordering) -> Option<Atom> {
    let loss = atom.loss.enclosure();
    let (is_inside, is_outside) = match side {
        Ordering::Greater => (loss.lower() > 0.0, loss.upper() <= 0.0),
        Ordering::Less => (loss.upper() < 0.0, loss.lower() >= 0.0),
        Ordering::Equal => (loss == Enclosure::ZERO, !loss.contains(0.0)),
    };
    let perhaps = |mass: Enclosure| mass.hull(Enclosure::ZERO);
    match (is_inside, is_outside) {
        (true, _) => Some(*atom),
        (false, true) => None,
        (false, false) => Some(Atom { p: perhaps(atom.p), q: perhaps(atom.q), ..*atom }),
    }
}

/// An interval around the outcome of loss 0, all or some or none of which belongs to a half.
fn undecided(panel: &Panel, from: f64, to: f64) -> Atom {
    let middle = 0.5 * from + 0.5 * to;
    let rectangle = Rectangle { middle, reach: (0.5 * to - 0.5 * from).next_up(), height: 0.0 };
    let integrand = Integrand::new(panel, Complex::ZERO);
    let most = |power: f64| {
        let mass =
            2.0 * rectangle.reach * exp(integrand.with_power(power).log_bound(rectangle)) * (1.0 + 1e-9);
        Enclosure::new(0.0, if mass < 1.0 { mass } else { 1.0 })
    };
    let levels = Levels::new(panel);
    let reach = |x: f64| {
        let value = levels.at(x);
        value.upper().max(-value.lower())
    };
    // The loss is monotone: at its ends it is farthest from 0.
    let loss = Ball::new(DoubleDouble::ZERO, reach(from).max(reach(to)));
    Atom { loss, p: most(1.0), q: most(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Quadratic;
    use proptest::prelude::*;

    /// `N(0, 1)` and the ratio `1 − γ + γe^{μx − μ²/2}`.
    fn sampled(mu: f64, gamma: f64) -> RatioLaw {
        let loss = Quadratic { constant: -0.5 * mu * mu, linear: mu, square: 0.0 };
        let panel = Panel {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            log_q: Quadratic { constant: -0.918_938_533_204_672_7, linear: 0.0, square: -0.5 },
            ratio: vec![(1.0 - gamma, Quadratic::default()), (gamma, loss)],
        };
        RatioLaw { panels: vec![panel], ..RatioLaw::default() }
    }

    proptest! {
        /// Without an atom of loss 0 the halves make up the whole, and what cannot be told hardly weighs.
        #[test]
        fn halves_make_up_the_whole(
            log_mu in -6f64..2.0,
            log_gamma in -15f64..-1e-3,
            z in (-2f64..2.0, -5f64..5.0),
            swapped: bool,
        ) {
            let law = RatioLaw { swapped, ..sampled(exp(log_mu), exp(log_gamma)) };
            let z = Complex::new(z.0, z.1);
            let part = |sign: Ordering| law.clone().half(sign);
            let (positive, negative) = (part(Ordering::Greater), part(Ordering::Less));
            let (whole, sum) = (law.mgf(z).unwrap(), positive.mgf(z).unwrap() + negative.mgf(z).unwrap());
            let size = law.mgf(Complex::new(z.re, 0.0)).unwrap().center().re;
            prop_assert!((whole.center() - sum.center()).norm() <= whole.radius() + sum.radius());
            prop_assert!(sum.radius() <= 1e-11 * size, "{sum:?}");
            // The sign of the loss is that of the half: M grows with z, or falls.
            let slope = |half: &RatioLaw| {
                let at = |re: f64| half.mgf(Complex::new(re, 0.0)).unwrap().center().re;
                at(0.25) - at(0.0)
            };
            prop_assert!(slope(&positive) > -1e-12 && slope(&negative) < 1e-12);
        }
    }

    #[test]
    fn atoms_of_loss_zero_are_in_no_half() {
        let atom = |loss: Ball| Atom { loss, p: 0.5.into(), q: 0.5.into() };
        let around = Ball::new(DoubleDouble::ZERO, 1e-20);
        let law =
            RatioLaw { atoms: vec![atom(Ball::ZERO), atom(around), atom(Ball::ONE)], ..RatioLaw::default() };
        let half = law.half(Ordering::Greater);
        assert_eq!(half.atoms.len(), 2);
        assert_eq!((half.atoms[0].p, half.atoms[1].p), (Enclosure::new(0.0, 0.5), 0.5.into()));
        assert!(half.half(Ordering::Less).atoms.len() == 1);
    }
}
