//! What sampling does to thousands of atoms, a vector of them at a time.

use super::Atom;
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::near_zero::{LARGEST_EXPONENT, LARGEST_GROWTH, LEAST_GROWTH, expm1_near_zero, ln_1p_near_zero},
    vectorised::vectorised,
};

/// Atoms that are taken at a time.
const LANES: usize = 64;
/// The error of a sampled loss that is computed in doubles from one that is a double, in units of u of itself.
const LOSS_ERROR_UNITS: f64 = 7.0;
/// The largest radius of a loss that is passed on by its slope.
const LARGEST_RADIUS: f64 = 0.1;
/// More than all underflows of a mass.
const UNDERFLOW: f64 = 1e-320;

/// The atoms of `((1−γ)Q + γP, Q)`, where `kept` is `1 − γ`: with the losses `f(L) = ln(1 − γ + γe^L)`, which have the digits of a double also near 0.
///
/// # Guarantee
/// All losses, and the masses under both laws, are enclosed. Most losses are next to 0 and take one evaluation of f, at the double h next to the middle of
/// the ball; the others are enclosed step by step ([`sampled_atom`]).
///
/// - `y = γ(e^h − 1)` is off by 4 u of itself, and `ln(1 + y)` has the condition number `y/((1 + y)ln(1 + y)) ≤ 1.194` from −0.29 on; with its own 2 u that
///   is less than [`LOSS_ERROR_UNITS`].
/// - `f′ = γe^L/(1 − γ + γe^L)` rises, and by at most `e^r` over a distance r, for `(log f′)′ = 1 − f′ ≤ 1`. So losses that are at most r from h are at most
///   `r f′(h) e^r` from `f(h)`, and `e^r ≤ 1 + r + r²`.
/// - The masses are sums of two products of numbers that are not negative: three roundings with the one that moves them outward, for which they are moved by four.
///   What underflows in a product is less than [`UNDERFLOW`], and where that is too little to be seen beside the sum, it is less than the fourth.
pub(crate) fn sampled(atoms: &[Atom], gamma: Enclosure, kept: Enclosure) -> Vec<Atom> {
    let mut sampled = Vec::with_capacity(atoms.len());
    let is_exact = gamma.lower() == gamma.upper() && gamma.lower() >= 0.0 && kept.lower() >= 0.0;
    let rate = gamma.lower();
    let (mut losses, mut slopes) = ([0.0; LANES], [0.0; LANES]);
    for some in atoms.chunks(LANES) {
        // (Those that are too large are not used.)
        for (loss, atom) in losses.iter_mut().zip(some) {
            *loss = atom.loss.approximate();
        }
        vectorised(
            #[inline(always)]
            || {
                for (loss, slope) in losses.iter_mut().zip(&mut slopes) {
                    let growth = expm1_near_zero(*loss);
                    let excess = rate * growth;
                    *slope = rate * (1.0 + growth) / (1.0 + excess);
                    let is_near = (LEAST_GROWTH..=LARGEST_GROWTH).contains(&excess);
                    *loss = if is_near { ln_1p_near_zero(excess) } else { f64::NAN };
                }
            },
        );
        let near = losses.iter().zip(&slopes);
        sampled.extend(some.iter().zip(near).map(|(atom, (&loss, &slope))| {
            let (middle, reach) =
                (atom.loss.midpoint(), atom.loss.radius() + atom.loss.midpoint().lo().abs());
            let is_near =
                middle.hi().abs() <= LARGEST_EXPONENT && reach <= LARGEST_RADIUS && loss.is_finite();
            let has_mass =
                atom.p.lower() >= 0.0 && atom.q.lower() >= 0.0 && atom.p.upper() + atom.q.upper() > 0.0;
            if !(is_near && is_exact && has_mass) {
                return sampled_atom(atom, gamma, kept);
            }
            let spread = reach * slope * (1.0 + reach + reach * reach);
            let radius = (spread + LOSS_ERROR_UNITS * UNIT_ROUNDOFF * loss.abs()) * (1.0 + 1e-9);
            // (A loss of 0 stays one.)
            let radius = if middle.hi() == 0.0 && reach == 0.0 { 0.0 } else { radius + f64::MIN_POSITIVE };
            let low = kept.lower() * atom.q.lower() + rate * atom.p.lower();
            let high = kept.upper() * atom.q.upper() + rate * atom.p.upper();
            let low = (low * (1.0 - 4.0 * UNIT_ROUNDOFF) - UNDERFLOW).max(0.0);
            let high = high * (1.0 + 4.0 * UNIT_ROUNDOFF) + UNDERFLOW;
            Atom {
                loss: Ball::new(DoubleDouble::from(loss), radius),
                p: Enclosure::new(low, high),
                q: atom.q,
            }
        }));
    }
    sampled
}

/// From here on `e^L` is taken out of the logarithm; before, it is far from overflow.
const LARGE_LOSS: f64 = 250.0;

/// With the loss `ln(1 − γ + γe^L)`, which has the digits of a double also near 0.
fn sampled_atom(atom: &Atom, gamma: Enclosure, kept: Enclosure) -> Atom {
    let change = gamma * atom.loss.exp_m1_enclosure();
    let loss = if atom.loss.approximate() > LARGE_LOSS {
        atom.loss.enclosure() + (gamma + kept * (-atom.loss).exp_enclosure()).ln()
    } else if change.lower() < -0.5 {
        // Two positive parts, so that nothing cancels.
        (kept + gamma * atom.loss.exp_enclosure()).ln()
    } else {
        change.ln_1p()
    };
    Atom { loss: Ball::from(loss), p: kept * atom.q + gamma * atom.p, q: atom.q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `ln(1 − γ + γe^L)` in 106-bit balls.
    fn exact(loss: Ball, rate: f64) -> Ball {
        (Ball::from(rate) * loss.exp_m1()).ln_1p()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// The losses at both ends of the ball and in its middle are inside, and so are both masses; and the ball is hardly wider than it has to be.
        #[test]
        fn sampled_atoms_are_enclosed(
            rate in prop_oneof![1e-7f64..1e-3, 1e-3f64..1.0],
            loss in prop_oneof![-0.75f64..0.75, -1e-6f64..1e-6, -3f64..3.0],
            low_part in -1f64..1.0,
            radius in prop_oneof![Just(0.0), 1e-12f64..1e-2],
            (p, q) in (1e-12f64..1.0, 1e-12f64..1.0),
        ) {
            let low_part = Ball::from(low_part * 0.5 * UNIT_ROUNDOFF * loss);
            let middle = (Ball::from(loss) + low_part).midpoint();
            let atom = Atom {
                loss: Ball::new(middle, radius),
                p: Enclosure::relative(p, 1e-15),
                q: Enclosure::relative(q, 1e-15),
            };
            let kept = (Ball::ONE - Ball::from(rate)).enclosure();
            // Others beside it must not matter.
            let atoms = vec![atom; 70];
            let found = sampled(&atoms, Enclosure::point(rate), kept);
            prop_assert_eq!(found.len(), 70);
            prop_assert!(found.iter().all(|one| *one == found[0]));
            let found = found[0];
            let around = found.loss.enclosure();
            for end in [-radius, 0.0, radius] {
                let there = exact(Ball::new(middle, 0.0) + Ball::from(end), rate).enclosure();
                prop_assert!(around.lower() <= there.lower() && there.upper() <= around.upper(), "{end}: {found:?}");
            }
            let here = exact(Ball::new(middle, 0.0), rate).approximate();
            let slope = exact(Ball::new(middle, 0.0) + Ball::from(radius), rate).approximate() - here;
            prop_assert!(found.loss.radius() <= 1.02 * slope + 2e-15 * here.abs() + 1e-300, "{slope:e} {found:?}");
            for (p, q, mass) in [
                (atom.p.lower(), atom.q.lower(), found.p.lower()),
                (atom.p.upper(), atom.q.upper(), found.p.upper()),
            ] {
                let sum = (Ball::ONE - Ball::from(rate)) * Ball::from(q) + Ball::from(rate) * Ball::from(p);
                let difference = (Ball::from(mass) - sum).approximate();
                prop_assert!(difference.abs() <= 8.0 * UNIT_ROUNDOFF * mass);
                prop_assert_eq!(difference > 0.0, mass == found.p.upper());
            }
            prop_assert_eq!(found.q, atom.q);
        }
    }

    /// No loss, no mass, and losses that are no numbers.
    #[test]
    fn ends_are_no_surprise() {
        let kept = Enclosure::point(0.75);
        let sampled_one = |loss: Ball, p: Enclosure, q: Enclosure| {
            sampled(&[Atom { loss, p, q }], Enclosure::point(0.25), kept)[0]
        };
        let half = Enclosure::point(0.5);
        assert_eq!(sampled_one(Ball::ZERO, half, half).loss, Ball::ZERO);
        assert_eq!(sampled_one(Ball::from(0.5), Enclosure::ZERO, Enclosure::ZERO).p, Enclosure::ZERO);
        let tiny = Enclosure::point(f64::from_bits(1));
        let mass = sampled_one(Ball::from(0.5), tiny, tiny).p;
        assert!(mass.lower() == 0.0 && mass.upper() > 0.0 && mass.upper() < 1e-319);
        let unbounded = Ball::new(DoubleDouble::ZERO, f64::INFINITY);
        assert!(!sampled_one(unbounded, half, half).loss.is_finite());
        let far = sampled_one(Ball::from(400.0), half, half).loss;
        assert!((far.approximate() - (400.0 + 0.25f64.ln())).abs() < 1e-12);
    }
}
