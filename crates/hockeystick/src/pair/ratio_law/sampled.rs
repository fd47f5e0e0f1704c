//! What sampling does to a ratio law.

use super::{Atom, Panel, Quadratic, RatioLaw};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

impl RatioLaw {
    /// The law of `(1 − γ + γr)`: `P` becomes `(1−γ)Q + γP`, and `Q` stays.
    ///
    /// `vanishing` is `Q`'s mass where `P` has none; it becomes an atom with the ratio `1 − γ`. The law must be that of a
    /// pair in its original order.
    pub fn sampled(self, gamma: Ball, vanishing: Enclosure) -> Self {
        debug_assert!(!self.swapped, "a sampler is given the pair for removing a record");
        let kept = Ball::ONE - gamma;
        let mut atoms: Vec<Atom> = self.atoms.iter().map(|atom| sampled_atom(atom, gamma, kept)).collect();
        if vanishing.upper() > 0.0 {
            atoms.push(Atom { loss: kept.ln(), p: kept.enclosure() * vanishing, q: vanishing });
        }
        let panels = self.panels.iter().cloned().map(|panel| sampled_panel(panel, gamma, kept)).collect();
        // The sampled ratio lies between 1 and the ratio: what is left out is as harmless as before.
        Self { atoms, panels, ..self }
    }
}

fn sampled_atom(atom: &Atom, gamma: Ball, kept: Ball) -> Atom {
    let loss = if atom.loss.approximate() <= 1.0 {
        (gamma * atom.loss.exp_m1()).ln_1p()
    } else {
        // ln(1 − γ + γe^L) = L + ln(γ + (1−γ)e^{−L}), without overflow.
        atom.loss + (gamma + kept * (-atom.loss).exp()).ln()
    };
    Atom { loss, p: kept.enclosure() * atom.q + gamma.enclosure() * atom.p, q: atom.q }
}

fn sampled_panel(panel: Panel, gamma: Ball, kept: Ball) -> Panel {
    let scale = gamma.approximate();
    let mut ratio: Vec<(f64, Quadratic)> = panel.ratio.iter().map(|&(w, l)| (scale * w, l)).collect();
    match ratio.iter_mut().find(|(_, l)| *l == Quadratic::default()) {
        Some((weight, _)) => *weight += kept.approximate(),
        None => ratio.push((kept.approximate(), Quadratic::default())),
    }
    Panel { ratio, ..panel }
}
