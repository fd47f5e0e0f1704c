//! The loss of an outcome, and the outcomes with a loss.

use super::{Listing, RatioLaw, level::Levels};
use hockeystick_numerics::enclosure::Enclosure;

/// An outcome of a law: one of its atoms, or a point of one of its panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The atom with this index.
    Atom(usize),
    /// A point of a panel.
    Point {
        /// The index of the panel.
        panel: usize,
        /// Its coordinate.
        x: f64,
    },
}

/// Outcomes among which all those with a loss are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preimage {
    /// The atom with this index: its loss cannot be told from that one.
    Atom(usize),
    /// An interval of a panel that contains every point with that loss.
    Interval {
        /// The index of the panel.
        panel: usize,
        /// The lower end, perhaps −∞.
        from: f64,
        /// The upper end, perhaps ∞.
        to: f64,
    },
}

impl RatioLaw {
    /// The loss of an outcome; `None` if there is no such outcome.
    ///
    /// # Guarantee
    /// Contains the loss for every law whose coefficients are within the stated 4 u of these.
    pub fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        let log_ratio = match outcome {
            Outcome::Atom(index) => self.atoms.get(index)?.loss.enclosure(),
            Outcome::Point { panel, x } => {
                let panel = self.panels.get(panel)?;
                let is_inside = panel.from <= x && x <= panel.to && x.is_finite();
                if !is_inside || panel.ratio.is_empty() {
                    return None;
                }
                Levels::new(panel).at(x)
            }
        };
        Some(if self.swapped { -log_ratio } else { log_ratio })
    }

    /// The outcomes whose loss may be `loss`: the inverse of [`loss`](Self::loss). A loss at which the ratio is constant has a
    /// whole interval. `None` if outcomes are not listed.
    ///
    /// # Guarantee
    /// Every listed outcome with that loss is in one of the sets, for every law whose coefficients are within the stated 4 u of
    /// these; points farther out than 10¹⁰⁰ are not looked at.
    pub fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        if self.listing == Listing::Nothing {
            return None;
        }
        let level = if self.swapped { -loss } else { loss };
        let atoms = self.atoms.iter().enumerate().filter(|(_, atom)| atom.loss.enclosure().contains(level));
        let atoms = atoms.map(|(index, _)| Preimage::Atom(index));
        let panels = self.panels.iter().enumerate().filter(|(_, panel)| !panel.ratio.is_empty());
        let intervals = panels.filter_map(|(index, panel)| {
            let split = Levels::new(panel).split(level);
            let from = split.left.map_or(panel.from, |(_, end)| end);
            let to = split.right.map_or(panel.to, |(_, start)| start);
            // Where everything is on one side, nothing is left.
            let is_empty = split.right.is_none() && from == panel.to;
            (!is_empty).then_some(Preimage::Interval { panel: index, from, to })
        });
        Some(atoms.chain(intervals).collect())
    }
}
