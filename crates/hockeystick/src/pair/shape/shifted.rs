//! A pair composed with one that has finitely many losses.

use super::super::{Atom, DominatingPair, Listing, Panel, Quadratic, RatioLaw, SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// A kernel composed with a discrete pair: given the discrete outcome `j`, the loss is that of the kernel plus `Lⱼ`.
///
/// `δ(ε) = P(∞) + Σ pⱼ·δ_kernel(ε − Lⱼ)`, `1 − δ(ε) = Σ pⱼ·(1 − δ_kernel(ε − Lⱼ))`: sums of positive terms.
#[derive(Clone, Debug)]
pub(in super::super) struct ShiftedPair {
    kernel: SharedPair,
    outcomes: Vec<Atom>,
    /// The discrete pair's `P(L = ∞)` and `Q(L = −∞)`.
    infinite: Probability,
    vanishing: Probability,
    is_self_dual: bool,
    notes: Vec<String>,
}

/// The most outcomes of the discrete pair.
const MOST_OUTCOMES: usize = 2_000;

/// What a law leaves out, less than 10⁻³⁰ for those in use, grows by up to `e^{|w|·max|Lⱼ|}`: to no more than 10⁻¹⁸ of that.
const LARGEST_GROWTH: f64 = 27.0;

impl ShiftedPair {
    /// Composes the two, if the second has finitely many losses, and few enough: every question sums over them.
    pub(in super::super) fn compose(kernel: SharedPair, discrete: &SharedPair) -> Option<Self> {
        let outcomes = discrete.all_outcomes()?.to_vec();
        if outcomes.len() > MOST_OUTCOMES {
            return None;
        }
        let is_self_dual = kernel.is_self_dual() && discrete.is_self_dual();
        let (infinite, vanishing) = (discrete.infinite_mass(), discrete.vanishing_mass());
        let notes = [kernel.notes(), discrete.notes()].concat();
        Some(Self { kernel, outcomes, infinite, vanishing, is_self_dual, notes })
    }

    /// The largest `|Lⱼ|`, at least 1.
    fn largest_loss(&self) -> f64 {
        self.outcomes.iter().map(|outcome| outcome.loss.approximate().abs()).fold(1.0, f64::max)
            * (1.0 + 1e-9)
    }

    /// `base + Σ weight(outcome)·term(ε − loss)`.
    fn sum(
        &self,
        base: Enclosure,
        epsilon: Ball,
        weight: impl Fn(&Atom) -> Enclosure,
        term: impl Fn(Ball) -> Enclosure,
    ) -> Enclosure {
        let total = (self.outcomes.iter())
            .fold(base, |sum, outcome| sum + weight(outcome) * term(epsilon - outcome.loss));
        total.clamp(0.0, 1.0)
    }
}

fn swapped(atom: &Atom) -> Atom {
    Atom { loss: -atom.loss, p: atom.q, q: atom.p }
}

/// Both factors' mass at the same infinity.
fn either(a: Probability, b: Probability) -> Probability {
    a.or(b)
}

impl DominatingPair for ShiftedPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        let value = self.sum(self.infinite.value(), epsilon, |o| o.p, |rest| self.kernel.delta(rest).value());
        let complement =
            self.sum(Enclosure::ZERO, epsilon, |o| o.p, |rest| self.kernel.delta(rest).complement());
        Probability::from_both(value, complement)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        let p = self.sum(self.infinite.value(), epsilon, |o| o.p, |rest| self.kernel.tails(rest).p.value());
        let q = self.sum(Enclosure::ZERO, epsilon, |o| o.q, |rest| self.kernel.tails(rest).q.value());
        Tails { p: Probability::from_value(p), q: Probability::from_value(q) }
    }

    fn infinite_mass(&self) -> Probability {
        either(self.infinite, self.kernel.infinite_mass())
    }

    fn vanishing_mass(&self) -> Probability {
        either(self.vanishing, self.kernel.vanishing_mass())
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (low, high) = self.kernel.finite_losses().into_inner();
        let losses = self.outcomes.iter().map(|o| o.loss.enclosure());
        let lowest = losses.clone().reduce(|a, b| -((-a).max(-b))).unwrap_or(Enclosure::ZERO);
        let highest = losses.reduce(Enclosure::max).unwrap_or(Enclosure::ZERO);
        low + lowest..=high + highest
    }

    fn ratio_law(&self) -> RatioLaw {
        let kernel = self.kernel.ratio_law();
        let mut law = RatioLaw {
            swapped: kernel.swapped,
            listing: match kernel.listing {
                Listing::UpToPower(largest) => {
                    Listing::UpToPower(largest.min(LARGEST_GROWTH / self.largest_loss()))
                }
                listing @ (Listing::Everything | Listing::Nothing) => listing,
            },
            ..RatioLaw::default()
        };
        for outcome in &self.outcomes {
            // In the order that the kernel's law is written in.
            let shift = if kernel.swapped { swapped(outcome) } else { *outcome };
            law.atoms.extend(kernel.atoms.iter().map(|atom| Atom {
                loss: atom.loss + shift.loss,
                p: atom.p * shift.p,
                q: atom.q * shift.q,
            }));
            law.panels.extend(kernel.panels.iter().map(|panel| shifted(panel, &shift)));
        }
        law
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self {
            kernel: self.kernel.dual(),
            outcomes: self.outcomes.iter().map(swapped).collect(),
            infinite: self.vanishing,
            vanishing: self.infinite,
            is_self_dual: self.is_self_dual,
            notes: self.notes.clone(),
        })
    }

    fn is_self_dual(&self) -> bool {
        self.is_self_dual
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// The panel with `Q`'s mass scaled and the loss moved.
fn shifted(panel: &Panel, outcome: &Atom) -> Panel {
    let odds = outcome.loss.exp_enclosure().midpoint();
    let log_q = Quadratic { constant: panel.log_q.constant + outcome.q.midpoint().ln(), ..panel.log_q };
    Panel { log_q, ratio: panel.ratio.iter().map(|&(w, l)| (w * odds, l)).collect(), ..panel.clone() }
}
