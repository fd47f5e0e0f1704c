//! The outcomes of a pair that are likely enough to matter, and how likely the others are together.

use super::{Atom, Listing, RatioLaw, sampled_atoms::sampled};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, rounding::UNIT_ROUNDOFF};

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
    let mut rest = atoms.iter();
    let Some(mut first) = rest.next() else { return groups };
    let mut group = Group::of(first);
    for atom in rest {
        let own = Group::of(atom);
        let both = group.and(&own);
        if both.high - both.low <= widths.at(own.low) {
            group = both;
        } else {
            groups.push(group.atom(first));
            (group, first) = (own, atom);
        }
    }
    groups.push(group.atom(first));
    groups
}

/// Atoms that are listed as one.
///
/// # Guarantee
/// All losses are between the ends. The masses are sums of numbers that are not negative, rounded to nearest: with as many terms as there are atoms they are off by as
/// many roundings, less one.
#[derive(Clone, Copy)]
struct Group {
    low: f64,
    high: f64,
    /// Lower and upper ends of the masses.
    p: [f64; 2],
    q: [f64; 2],
    count: f64,
}

impl Group {
    #[inline]
    fn of(atom: &Atom) -> Self {
        // More than the distance of the ends by more than the roundings of this and of the ends.
        let middle = atom.loss.midpoint();
        let reach = (atom.loss.radius() + middle.lo().abs()) * (1.0 + 16.0 * UNIT_ROUNDOFF)
            + 4.0 * UNIT_ROUNDOFF * middle.hi().abs();
        // (All losses if it is no number.)
        let loss = Enclosure::new(middle.hi() - reach, middle.hi() + reach);
        let ends = |mass: Enclosure| [mass.lower().max(0.0), mass.upper()];
        Self { low: loss.lower(), high: loss.upper(), p: ends(atom.p), q: ends(atom.q), count: 1.0 }
    }

    #[inline]
    fn and(&self, other: &Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            p: [self.p[0] + other.p[0], self.p[1] + other.p[1]],
            q: [self.q[0] + other.q[0], self.q[1] + other.q[1]],
            count: self.count + other.count,
        }
    }

    /// As one atom; of one, as it was.
    fn atom(&self, first: &Atom) -> Atom {
        if self.count == 1.0 {
            return *first;
        }
        let rounded = (self.count + 1.0) * UNIT_ROUNDOFF;
        let mass =
            |[low, high]: [f64; 2]| Enclosure::new(low * (1.0 - rounded), high * (1.0 + 2.0 * rounded));
        Atom { loss: Ball::from(Enclosure::new(self.low, self.high)), p: mass(self.p), q: mass(self.q) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every atom is in one group, in order; losses are inside, masses are the sums, and groups are as wide as they may be, but no wider.
        #[test]
        fn merged_atoms_are_sums(
            steps in prop::collection::vec((0f64..1e-3, 1e-9f64..1.0, prop_oneof![Just(0.0), 1e-12f64..1e-4]), 1..300),
            width in prop_oneof![Just(0.0), 1e-5f64..2e-2],
        ) {
            let mut loss = -0.1;
            let atoms: Vec<Atom> = (steps.iter())
                .map(|(step, mass, radius)| {
                    loss += step;
                    let middle = (Ball::from(loss) + Ball::from(loss * 1e-17)).midpoint();
                    let (p, q) = (Enclosure::relative(*mass, 1e-15), Enclosure::relative(mass * (-loss).exp(), 1e-15));
                    Atom { loss: Ball::new(middle, *radius), p, q }
                })
                .collect();
            let zone = (f64::NEG_INFINITY, f64::INFINITY, 1.0);
            let groups = merged(&atoms, &Widths { width, zones: [zone; ZONES] });
            let mut rest = atoms.as_slice();
            for group in &groups {
                let around = group.loss.enclosure();
                // As many as add up to its mass; the ends of masses are added up in 106 bits.
                let (mut sums, mut count) = ([Ball::ZERO; 4], 0);
                while sums[0].approximate() < 0.999_999_999 * group.p.lower() {
                    let one = rest[count];
                    let own = one.loss.enclosure();
                    prop_assert!(around.lower() <= own.lower() && own.upper() <= around.upper());
                    let ends = [one.p.lower(), one.p.upper(), one.q.lower(), one.q.upper()];
                    sums = std::array::from_fn(|i| sums[i] + Ball::from(ends[i]));
                    count += 1;
                }
                let ends = [group.p.lower(), group.p.upper(), group.q.lower(), group.q.upper()];
                for (i, (sum, end)) in sums.iter().zip(ends).enumerate() {
                    let outward = (*sum - Ball::from(end)).approximate() * if i % 2 == 0 { 1.0 } else { -1.0 };
                    let most = 6.0 * count as f64 * UNIT_ROUNDOFF * end * f64::from(u8::from(count > 1));
                    prop_assert!(outward >= 0.0 && outward <= most);
                }
                prop_assert!(count == 1 || around.width() <= width * (1.0 + 1e-9) + 1e-15);
                if count == 1 {
                    prop_assert_eq!(*group, rest[0]);
                }
                if let Some(next) = rest.get(count) {
                    prop_assert!(around.hull(next.loss.enclosure()).width() >= width * (1.0 - 1e-9) - 1e-15);
                }
                rest = &rest[count..];
            }
            prop_assert!(rest.is_empty());
        }
    }
}
