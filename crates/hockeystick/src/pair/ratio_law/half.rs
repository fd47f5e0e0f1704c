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
    pub(in crate::pair) fn half(self, sign: Ordering) -> Self {
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
