//! `h(y) = e^{−y} − 1 + y` without cancellation: in plain floats, and of an atom.

use super::Atom;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, rounding::UNIT_ROUNDOFF, special::expm1};

/// Up to here h is summed as a series.
const SMALL: f64 = 0.5;
/// `1/k!` for k = 2 … 17. The series is cut where what follows is below `0.5^{16}·2/18! < 10⁻²⁰` of its first term.
const COEFFICIENTS: [f64; 16] = {
    let mut coefficients = [0.5; 16];
    let mut k = 1;
    while k < 16 {
        coefficients[k] = coefficients[k - 1] / (k as f64 + 2.0);
        k += 1;
    }
    coefficients
};
/// The error of [`h`] for y ≥ −1 in units of u times h: the coefficients are within 16 u, but only the first few count; the
/// worst is the difference beyond [`SMALL`], where `|e^{−y} − 1| + |y| ≤ 11·h`.
pub(super) const H_ERROR: f64 = 40.0;

/// `h(y)` in plain floats.
pub(super) fn h(y: f64) -> f64 {
    if y.abs() <= SMALL {
        let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum: f64, c| sum.mul_add(-y, *c));
        y * y * sum
    } else {
        expm1(-y) + y
    }
}

/// `p·h(L)`, or `q + p(L − 1)` where L is not small.
pub(super) fn of_atom(atom: &Atom, swapped: bool) -> Enclosure {
    let (p, q, loss) = if swapped { (atom.q, atom.p, -atom.loss) } else { (atom.p, atom.q, atom.loss) };
    let y = loss.enclosure();
    let size = y.upper().max(-y.lower());
    let value = if size <= SMALL {
        let sum = COEFFICIENTS.iter().rev().fold(Ball::ZERO, |sum, &c| {
            // Each coefficient is within 16 u of 1/k!.
            let coefficient = Ball::from(c) * Ball::new(1.0.into(), 16.0 * UNIT_ROUNDOFF);
            coefficient - sum * loss
        });
        let largest = Enclosure::point(size);
        // L² of a ball around 0 is not negative.
        let square = (y * y).clamp(0.0, (largest * largest).upper());
        p * square * (sum.enclosure() + Enclosure::new(-1e-20, 1e-20))
    } else {
        q + p * (y - 1.0)
    };
    value.clamp(0.0, f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::special::exp;
    use proptest::prelude::*;

    proptest! {
        /// Against 106 bits, in which the difference keeps 60 bits even for y = 2⁻²³.
        #[test]
        fn h_keeps_its_digits(size in -16f64..3.5, negative: bool) {
            let y = if negative { -exp(size).min(1.0) } else { exp(size) };
            let exact = ((-Ball::from(y)).exp_m1() + Ball::from(y)).enclosure();
            let allowed = H_ERROR * UNIT_ROUNDOFF * exact.upper() + exact.width();
            prop_assert!((h(y) - exact.midpoint()).abs() <= allowed, "{y}: {} {exact:?}", h(y));
        }

        #[test]
        fn atoms_agree(y in -0.6f64..0.6, q in 0.01f64..1.0) {
            let loss = Ball::from(y);
            let p = Enclosure::point(q) * loss.exp_enclosure();
            let atom = Atom { loss, p, q: q.into() };
            let exact = ((-loss).exp_m1() + loss).enclosure() * p;
            for (swapped, atom) in [(false, atom), (true, Atom { loss: -loss, p: atom.q, q: atom.p })] {
                let found = of_atom(&atom, swapped);
                prop_assert!(found.overlaps(exact) && found.width() <= 1e-13 * found.upper() + 1e-300, "{found:?} {exact:?}");
            }
        }
    }
}
