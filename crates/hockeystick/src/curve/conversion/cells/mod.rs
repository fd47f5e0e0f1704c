//! Integrals over the loss from the probabilities of cells `(from, to]` under both `P` and `Q`.
//!
//! In: tails or a trade-off curve, and edges. Out: the masses of cells, and integrals of smooth functions over them.
//!
//! The two probabilities say more than one: within a cell `E_P[e^{−L}] = Q(cell)`, so the mean of `u = e^{−L}` is known and
//! only its variance is not. For a smooth `g`, Taylor's formula around that mean gives
//! `|E_P[g(u); cell] − P(cell)·g(ū)| ≤ P(cell)·½ max|g″|·Var(u)`, and `Var(u) ≤ (e^{−from} − e^{−to})²/4` (Popoviciu).
//! Cells of width `w` thus have an error of order `w²` that is bounded, not estimated.
//!
//! # Guarantee
//! Every integral is enclosed; finer edges narrow it by the square of their distance.

mod of_tails;
mod of_trade_off;

pub(super) use of_tails::of_tails;
pub(super) use of_trade_off::of_trade_off;

use hockeystick_numerics::{ball::Ball, disc::Disc, double_double::DoubleDouble, enclosure::Enclosure};
use num_complex::Complex;

/// Splits are off the middle so that they do not fall on atoms at round losses, where a tail cannot be told from the next.
const SPLIT: f64 = 0.487_119;

/// The probabilities of the finite losses in `(from, to]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) p: Enclosure,
    pub(super) q: Enclosure,
}

impl Cell {
    fn is_finite(&self) -> bool {
        self.from.is_finite() && self.to.is_finite()
    }

    /// `−log` of the mean of `e^{−L}` in the cell.
    pub(super) fn center(&self) -> Enclosure {
        let ratio = (self.q / self.p).clamp(0.0, f64::INFINITY);
        (-ratio.ln()).clamp(self.from, self.to)
    }

    /// A bound on `Var(u)·e^{2L}/2` in the cell: `(e^{to − from} − 1)²/8`.
    pub(super) fn spread(&self) -> f64 {
        let range = (Enclosure::point(self.to) - self.from).exp_m1();
        (range * range / 8.0).upper()
    }

    /// `E_P[e^{zL}; cell]`: here `g(u) = u^{−z}` and `|g″| = |z(z + 1)|·e^{(Re z + 2)L}`.
    fn moment(&self, z: Complex<f64>) -> Disc {
        if self.p.upper() == 0.0 {
            return Disc::ZERO;
        }
        if !self.is_finite() {
            return self.wide_moment(z.re);
        }
        let center = self.center();
        let modulus = self.p * (center * z.re).exp();
        let disc = Disc::polar(modulus, ball(center) * Ball::from(z.im));
        let curvature = (z * (z + 1.0)).norm() * (1.0 + 1e-14);
        let largest = (Enclosure::point(if z.re > 0.0 { self.to } else { self.from }) * z.re).exp();
        let error = (self.p * largest * self.spread() * curvature).upper();
        Disc::new(disc.center(), (disc.radius() + error) * (1.0 + 1e-14))
    }

    /// A bound for a cell without a finite end. Hölder: `∫ p^{1+σ} q^{−σ} ≤ P^{1+σ} Q^{−σ}` for `−1 ≤ σ ≤ 0`.
    fn wide_moment(&self, sigma: f64) -> Disc {
        let radius = if (-1.0..=0.0).contains(&sigma) {
            let power = |x: Enclosure, exponent: f64| {
                if exponent == 0.0 { Enclosure::ONE } else { (x.ln() * exponent).exp() }
            };
            (power(self.p, 1.0 + sigma) * power(self.q, -sigma)).upper()
        } else {
            f64::INFINITY
        };
        Disc::new(Complex::new(0.0, 0.0), radius)
    }
}

/// `M(z)` summed over all cells.
pub(super) fn moment(cells: &[Cell], z: Complex<f64>) -> Disc {
    cells.iter().fold(Disc::ZERO, |sum, cell| sum + cell.moment(z))
}

fn ball(x: Enclosure) -> Ball {
    let middle = x.midpoint();
    let radius = (x - middle).upper().max((Enclosure::point(middle) - x).upper());
    Ball::new(DoubleDouble::from(middle), radius)
}
