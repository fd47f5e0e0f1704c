//! The outcomes of a pair: stretches with a density, and atoms.
//!
//! In: a pair. Out: its outcomes, with the mass between any two of them.
//!
//! Masses come from closed forms of the densities in plain floats, each with a relative error bound. Tails are never subtracted.
//!
//! # Guarantee
//! Every mass under `P` and `Q` is within its stated error.

mod exponent;
mod integrate;
mod kernel;
mod mass;
mod ratio;
mod stretch;
mod wide;

pub(crate) use mass::Mass;
pub(crate) use stretch::{Loss, Stretch};

use crate::pair::{LikelyOutcomes, Merging, SharedPair};
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::check,
    rounding::{UNIT_ROUNDOFF, add_up, sub_down},
    special::near_zero::{LARGEST_GROWTH, LEAST_GROWTH, ln_1p_near_zero},
};

/// An outcome with positive probability.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    /// Its loss, or the merged loss of several outcomes.
    pub(crate) loss: Enclosure,
    /// Its probability under `P`.
    pub(crate) p: Enclosure,
    /// The range of the losses of merged outcomes.
    pub(crate) span: Enclosure,
}

/// Losses whose enclosures are wider than this, relatively and absolutely, are those of merged outcomes.
const NARROW: f64 = 1e-12;

impl Atom {
    /// One outcome, or several with the same loss.
    pub(crate) fn one(loss: Enclosure, p: Enclosure) -> Self {
        Self { loss, p, span: loss }
    }

    /// One outcome or several, with the probabilities under both laws: `log(p/q)` is the merged loss.
    fn of(span: Enclosure, p: Enclosure, q: Enclosure) -> Self {
        if span.width() <= NARROW * (1.0 + span.midpoint().abs()) || q.lower() <= 0.0 {
            return Self::one(span, p);
        }
        Self { loss: log_ratio(p, q).intersection(span), p, span }
    }

    /// Is it merged from several outcomes?
    pub(crate) fn is_wide(&self) -> bool {
        self.span != self.loss
    }
}

/// `log(p/q)` of two probabilities.
///
/// # Guarantee
/// Encloses it. If the ratio is close to 1, it is `log(1 + y)` with `y = (p̄ − q̄)/q̄` for the midpoints `p̄` and `q̄`. The error of a midpoint is half the
/// width and one rounding, or three if its halves are subnormal; that of its logarithm is at most that over the lower end. y has a relative
/// error of 2 u, and `log(1 + y)`, below 0.35, one of less than `1.2 · 2 + 2` u: together less than `2 · 3 + 1.6` u beside the widths.
fn log_ratio(p: Enclosure, q: Enclosure) -> Enclosure {
    let growth = (p.midpoint() - q.midpoint()) / q.midpoint();
    let are_normal = p.lower() > f64::MIN_POSITIVE && q.lower() > f64::MIN_POSITIVE;
    if !are_normal || !(LEAST_GROWTH..=LARGEST_GROWTH).contains(&growth) {
        return (p / q).ln();
    }
    let log = ln_1p_near_zero(growth);
    let widths = p.width() / p.lower() + q.width() / q.lower();
    let error = (0.5 * widths + 8.0 * UNIT_ROUNDOFF) * (1.0 + 1e-9);
    Enclosure::new(sub_down(log, error), add_up(log, error))
}

/// All outcomes with a finite loss.
#[derive(Clone, Debug)]
pub(crate) struct Outcomes {
    pub(crate) stretches: Vec<Stretch>,
    /// In the order of their losses.
    pub(crate) atoms: Vec<Atom>,
    /// A bound on `P`'s mass of atoms that are not listed.
    pub(crate) missing: f64,
}

impl Outcomes {
    /// Of a pair, without densities and atoms below `e^least`. `None` if it does not list all outcomes.
    pub(crate) fn of(pair: &SharedPair, least: f64) -> Option<Self> {
        Self::merged(pair, least, Merging::Nothing)
    }

    /// The same, with outcomes of nearly the same loss merged.
    pub(crate) fn merged(pair: &SharedPair, least: f64, merging: Merging) -> Option<Self> {
        check();
        let LikelyOutcomes { laws, missing_p: missing, .. } = pair.merged_outcomes(least, merging);
        let (mut stretches, mut atoms) = (Vec::new(), Vec::new());
        for law in &laws {
            for panel in law.panels.iter().filter(|panel| panel.from < panel.to && !panel.ratio.is_empty()) {
                stretches.push(Stretch::new(panel, law.swapped, least)?);
            }
            let own = law.atoms.iter().map(|atom| {
                let loss = atom.loss.enclosure();
                if law.swapped { Atom::of(-loss, atom.q, atom.p) } else { Atom::of(loss, atom.p, atom.q) }
            });
            atoms.extend(own.filter(|atom| atom.p.upper() > 0.0));
        }
        if atoms.iter().any(|atom| !atom.span.lower().is_finite() || !atom.span.upper().is_finite()) {
            return None;
        }
        atoms.sort_by(|a, b| a.loss.upper().total_cmp(&b.loss.upper()));
        let outcomes = Self { stretches, atoms, missing };
        // If outcomes are not listed, masses do not add up.
        let finite = pair.infinite_mass().complement().midpoint();
        ((outcomes.total() - finite).abs() <= 1e-6).then_some(outcomes)
    }

    /// Is an atom merged from several outcomes?
    pub(crate) fn are_merged(&self) -> bool {
        self.atoms.iter().any(Atom::is_wide)
    }

    /// The likeliest atom.
    pub(crate) fn likeliest_atom(&self) -> Option<&Atom> {
        self.atoms.iter().max_by(|a, b| a.p.midpoint().total_cmp(&b.p.midpoint()))
    }

    /// The indices of the two likeliest atoms, the likelier first.
    pub(crate) fn likeliest_atoms(&self) -> [Option<usize>; 2] {
        let (mut places, mut masses) = ([None; 2], [f64::NEG_INFINITY; 2]);
        for (place, atom) in self.atoms.iter().enumerate() {
            let mass = atom.p.midpoint();
            if mass > masses[0] {
                (places, masses) = ([Some(place), places[0]], [mass, masses[0]]);
            } else if mass > masses[1] {
                (places[1], masses[1]) = (Some(place), mass);
            }
        }
        places
    }

    /// `P`'s total mass, rounded.
    fn total(&self) -> f64 {
        let atoms: f64 = self.atoms.iter().map(|atom| atom.p.midpoint()).sum();
        let stretches: f64 =
            self.stretches.iter().map(|stretch| stretch.mass(stretch.bottom, stretch.top).p).sum();
        atoms + stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::ball::Ball;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// The logarithms of the ratios at both ends are inside, and not far from the ends.
        #[test]
        fn logarithms_of_ratios_are_enclosed(
            // (In the range in which balls have all their digits.)
            log_p in -200f64..0.0,
            log_ratio_near in prop_oneof![-0.5f64..0.5, -1e-6f64..1e-6, -50f64..50.0],
            widths in prop_oneof![Just((0.0, 0.0)), (1e-16f64..1e-10, 1e-16f64..1e-3)],
        ) {
            let around = |x: f64, width: f64| Enclosure::new(x, (x * (1.0 + width)).max(x));
            let (p, q) = (around(log_p.exp(), widths.0), around((log_p - log_ratio_near).exp(), widths.1));
            let found = log_ratio(p, q);
            let log = |p: f64, q: f64| (Ball::from(p) / Ball::from(q)).ln().enclosure();
            let (low, high) = (log(p.lower(), q.upper()), log(p.upper(), q.lower()));
            prop_assert!(found.lower() <= low.lower() && high.upper() <= found.upper());
            let slack = 40.0 * UNIT_ROUNDOFF * (1.0 + log_ratio_near.abs()) + 1e-3 * (widths.0 + widths.1);
            prop_assert!(low.lower() - found.lower() <= slack && found.upper() - high.upper() <= slack);
        }
    }
}
