//! The distribution of the privacy loss.
//!
//! In: the curves of a question. Out: tails and cells of the loss, and what a drawing of its distribution shows.
//!
//! # Guarantee
//! All probabilities are enclosed.

mod atoms;
mod shape;

pub use atoms::LossAtom;
pub use shape::{LossKind, LossShape};

use super::{Curves, even_grid, grid::two_digits};
use crate::curve::{LossTails, conversion::HockeyStickToTails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// How likely losses above a number are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossTail {
    /// The number.
    pub loss: f64,
    /// `P(L > loss)`, with the record.
    pub with: Enclosure,
    /// `Q(L > loss)`, without it.
    pub without: Enclosure,
}

/// How likely losses between two numbers are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossCell {
    /// Losses above this.
    pub from: f64,
    /// Losses up to this.
    pub to: f64,
    /// `P(from < L ≤ to)`, with the record.
    pub with: Enclosure,
    /// `Q(from < L ≤ to)`, without it.
    pub without: Enclosure,
}

/// Losses rarer than this are of no interest to a drawing.
const RARE: f64 = 1e-5;

impl Curves<'_> {
    /// The chances of a loss `L = log dP/dQ` above `loss`, with `P` the output with the record and `Q` the one without.
    ///
    /// # Guarantee
    /// Both enclosures contain the truth; at an atom, with and without it.
    pub fn loss_tail(&self, loss: f64) -> LossTail {
        let tails = HockeyStickToTails(&self.presence()).loss_tails(Ball::from(loss));
        LossTail { loss, with: tails.p.value(), without: tails.q.value() }
    }

    /// The chances of a loss between each two neighbours of `edges`, which increase.
    ///
    /// # Guarantee
    /// All enclosures contain the truth.
    pub fn loss_cells(&self, edges: &[f64]) -> Vec<LossCell> {
        let tails: Vec<LossTail> = edges.iter().map(|&edge| self.loss_tail(edge)).collect();
        let between = |a: Enclosure, b: Enclosure| (a - b).clamp(0.0, 1.0);
        let cell = |pair: &[LossTail]| LossCell {
            from: pair[0].loss,
            to: pair[1].loss,
            with: between(pair[0].with, pair[1].with),
            without: between(pair[0].without, pair[1].without),
        };
        tails.windows(2).map(cell).collect()
    }

    /// `count` losses, evenly spaced, that all but a few outcomes lie between.
    pub fn interesting_losses(&self, count: usize) -> Vec<f64> {
        let [ahead, behind] = [self.presence(), self.presence().reversed()].map(|curve| {
            let mut high = 1e-3;
            while high < 1e4 && curve.at(high).value().upper() > RARE {
                high *= 1.2;
            }
            // Bounded losses end with some room beside the last of them.
            two_digits(high.min(1.1 * curve.largest()).max(1e-3))
        });
        even_grid(-behind, ahead, count)
    }
}
