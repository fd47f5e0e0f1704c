//! The likely outcomes of fair coins: those above the middle are the mirror images of those below.

use super::{
    coordinate::mode,
    likely::{Coins, WalkDown},
};
use crate::pair::{
    Atom, LikelyOutcomes, Listing, RatioLaw,
    shape::{INVISIBLE, logarithm, neighbours, product_error},
};
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, enclosure::Enclosure};
use pulp::Arch;

impl Coins {
    /// As for other coins, from the mode down only: half the products, and half the logarithms. `m(n − k) = m(k)`, so the reflection `x ↦ n + s − x` exchanges
    /// the masses of `P` and `Q`.
    ///
    /// # Guarantee
    /// That of [`likely`](crate::pair::shape::Listed::likely).
    pub(super) fn likely_of_fair(&self, at_mode: Ball, least: f64) -> Option<LikelyOutcomes> {
        let Self { n, chance, shift } = *self;
        let mode = mode(n, chance);
        let (middle, smallest) = (at_mode.midpoint(), least.exp());
        // (The dispatch is for fused multiplications.)
        let walk = Arch::new().dispatch(|| self.walk_down(middle, DoubleDouble::ONE, smallest))?;
        let WalkDown { lowest, known, left_out } = walk;
        let error = product_error(known.len());
        let with_mode = error + 1.1 * at_mode.radius() / at_mode.approximate();
        if with_mode.is_nan() || with_mode > INVISIBLE {
            return None;
        }
        let masses: Vec<Enclosure> =
            std::iter::once(middle).chain(known.iter().map(|(mass, _)| *mass)).map(neighbours).collect();
        // How far below the mode a number, or its mirror image, is.
        let depth = |k: u64| (mode - k.min(n - k)) as usize;
        let mass = |depth: usize| depth.checked_sub(1).map_or(middle, |below| known[below].0);
        let below = (lowest..).take_while(|x| 2 * x < n + shift).map(|x| {
            let (p, q) = (depth(x - shift), depth(x));
            let loss = match shift {
                // (Below the middle, x − 1 is below the mode.)
                1 => logarithm(known[p - 1].1, error),
                _ => logarithm(mass(p) / mass(q), 3.0 * error),
            };
            Atom { loss, p: masses[p], q: masses[q] }
        });
        let mut atoms: Vec<Atom> = Vec::with_capacity(2 * known.len() + 2);
        atoms.extend(below);
        let half = atoms.len();
        if (n + shift).is_multiple_of(2) {
            let mass = masses[depth((n - shift) / 2)];
            atoms.push(Atom { loss: Ball::ZERO, p: mass, q: mass });
        }
        for place in (0..half).rev() {
            let Atom { loss, p, q } = atoms[place];
            atoms.push(Atom { loss: -loss, p: q, q: p });
        }
        let law = RatioLaw { atoms, listing: Listing::Nothing, ..RatioLaw::default() };
        let missing = 2.0 * left_out;
        Some(LikelyOutcomes { laws: vec![law], missing_p: missing, missing_q: missing })
    }
}
