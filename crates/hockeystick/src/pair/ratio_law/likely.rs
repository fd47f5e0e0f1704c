//! The outcomes of a pair that are likely enough to matter, and how likely the others are together.

use super::{Atom, Listing, RatioLaw, sampled_atoms::sampled};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// What [`Listing::UpToPower`] leaves out at most.
const NEGLIGIBLE: f64 = 1e-315;

/// Which outcomes may be listed as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Merging {
    /// None that have different losses.
    Nothing,
    /// Those with losses that are no further apart than this, or not much.
    Within(Widths),
    /// Those next to each other, so that about as many are left, if that is worth it.
    Into(usize),
}

impl Merging {
    /// For the pair with `P` and `Q` swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Within(widths) => Self::Within(widths.mapped(|loss| -loss, 1.0)),
            Self::Nothing | Self::Into(_) => self,
        }
    }
}

/// How far losses may be apart: further on the far sides of losses next to which little depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widths {
    /// In the middle.
    pub width: f64,
    /// A loss below which, one above which, and how many times as far apart losses may be there; the farther, the more.
    pub zones: [(f64, f64, f64); ZONES],
}

/// Zones beside the middle.
pub const ZONES: usize = 2;

impl Widths {
    /// At a loss.
    pub fn at(&self, loss: f64) -> f64 {
        let factor = |factor: f64, zone: &(f64, f64, f64)| {
            if loss < zone.0 || loss > zone.1 { factor.max(zone.2) } else { factor }
        };
        self.width * self.zones.iter().fold(1.0, factor)
    }

    /// For losses that are mapped one to one, with distances that are so many times as large.
    #[must_use]
    pub fn mapped(&self, map: impl Fn(f64) -> f64, times: f64) -> Self {
        let zones = self.zones.map(|(below, above, factor)| {
            let (first, last) = (map(below), map(above));
            (first.min(last), first.max(last), factor)
        });
        Self { width: self.width * times, zones }
    }
}

/// A list is not merged unless there are so many times as many as are wanted: it has to be made again later.
const WORTH_MERGING: usize = 8;

/// Outcomes that are so unlikely have no say in where the others are.
const UNLIKELY: f64 = 1e-300;

/// Laws of the ratio that may leave out rare outcomes.
///
/// # Guarantee
/// What both `P` and `Q` can produce is listed in one of the laws, or has at most these probabilities together.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyOutcomes {
    /// What is listed. These are no laws to take moments of.
    pub laws: Vec<RatioLaw>,
    /// At least the probability under `P` of what is not.
    pub missing_p: f64,
    /// The same under `Q`.
    pub missing_q: f64,
}

impl LikelyOutcomes {
    /// Everything that laws list.
    pub fn all(laws: Vec<RatioLaw>) -> Self {
        let missing: f64 = laws
            .iter()
            .map(|law| match law.listing {
                Listing::Everything => 0.0,
                Listing::UpToPower(_) => NEGLIGIBLE,
                Listing::Nothing => 1.0,
            })
            .sum();
        Self { laws, missing_p: missing, missing_q: missing }
    }

    /// With atoms next to each other merged: the ball of a merged one holds the losses of all, its probabilities are their sums.
    #[must_use]
    pub fn merged(self, merging: Merging) -> Self {
        let laws = self.laws.into_iter().map(|law| {
            let merging = if law.swapped { merging.swapped() } else { merging };
            let widths = match merging {
                Merging::Nothing => return law,
                Merging::Within(widths) => widths,
                Merging::Into(count) if law.atoms.len() <= WORTH_MERGING * count => return law,
                Merging::Into(count) => {
                    let likely =
                        law.atoms.iter().filter(|atom| atom.p.upper().max(atom.q.upper()) > UNLIKELY);
                    let losses = likely.map(|atom| atom.loss.approximate());
                    let [low, high] = losses.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], loss| {
                        [loss.min(low), loss.max(high)]
                    });
                    let zone = (f64::NEG_INFINITY, f64::INFINITY, 1.0);
                    Widths { width: (high - low) / count as f64, zones: [zone; ZONES] }
                }
            };
            RatioLaw { atoms: merged(&law.atoms, &widths), ..law }
        });
        Self { laws: laws.collect(), ..self }
    }

    /// Those of the pair with `P` and `Q` swapped.
    pub fn swapped(self) -> Self {
        let laws = self.laws.into_iter().map(RatioLaw::swapped).collect();
        Self { laws, missing_p: self.missing_q, missing_q: self.missing_p }
    }

    /// Those of `((1−γ)Q + γP, Q)`, where `vanishing` is `Q`'s mass without any of `P`. Losses are enclosed by doubles, which takes a tenth
    /// of the time that the digits for moments do. `(1−γ)Q + γP` has no more of what is left out than the larger of the two.
    pub fn sampled(self, gamma: Ball, vanishing: Enclosure) -> Self {
        let (share, kept) = (gamma.enclosure(), (Ball::ONE - gamma).enclosure());
        let laws = self.laws.into_iter().map(|law| {
            let mut atoms = sampled(&law.atoms, share, kept);
            let panels = RatioLaw { atoms: Vec::new(), ..law }.sampled(gamma, vanishing);
            atoms.extend(panels.atoms);
            RatioLaw { atoms, ..panels }
        });
        let missing_p = self.missing_p.max(self.missing_q);
        Self { laws: laws.collect(), missing_p, missing_q: self.missing_q }
    }
}

/// Merges atoms as long as their losses are no further apart than the widths say.
fn merged(atoms: &[Atom], widths: &Widths) -> Vec<Atom> {
    let mut groups: Vec<Atom> = Vec::new();
    let mut span: Option<Enclosure> = None;
    for atom in atoms {
        let own = atom.loss.enclosure();
        let common =
            span.map(|span| span.hull(own)).filter(|common| common.width() <= widths.at(own.lower()));
        match (groups.last_mut(), common) {
            (Some(group), Some(common)) => {
                *group = Atom { loss: Ball::from(common), p: group.p + atom.p, q: group.q + atom.q };
                span = Some(common);
            }
            _ => {
                groups.push(*atom);
                span = Some(own);
            }
        }
    }
    groups
}
