//! The pair of a sampled mechanism.

use crate::pair::{
    Atom, Bounds, Details, DominatingPair, LikelyOutcomes, Merging, RatioLaw, SharedPair, Tails,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{convert::Infallible, ops::RangeInclusive, sync::Arc};

/// `(W, Q)` with `W = (1−γ)Q + γP`, or `(Q, W)`, over a base pair `(P, Q)` ([Zhu22, Thm 11]).
///
/// The loss of `(W, Q)` is `log(1 − γ + γe^L)`, an increasing function of the loss `L` of the base. So with
/// `a = log((e^ε − 1 + γ)/γ)`,
///
/// `H_{e^ε}(W‖Q) = γ·H_{e^a}(P‖Q)` if `e^ε > 1 − γ`, and `1 − e^ε` otherwise;
///
/// `H_{e^ε}(Q‖W) = f·H_β(Q‖P)` with `f = 1 − e^ε(1−γ)`, `β = γe^ε/f` if `f > 0`, and 0 otherwise.
///
/// Products of positive numbers: relative accuracy is inherited from the base.
#[derive(Clone, Debug)]
pub(super) struct SampledPair {
    base: SharedPair,
    rate: f64,
    /// Those of the base, sampled: what a pair can be processed into, its sample can be processed into that sample of.
    bounds: Option<Bounds>,
    /// Is it `(Q, W)`?
    swapped: bool,
}

/// By how much sampled losses may be further apart than γ times those of the base, before it is asked for closer ones.
const STEEPER: f64 = 1.1;

/// `(W, Q)`, in the form that knows most about itself.
pub(super) fn removing(base: SharedPair, rate: f64) -> SharedPair {
    // With notes there is something to pass on, which the plain discrete pair would forget.
    if !base.notes().is_empty() {
        return Arc::new(SampledPair::remove(base, rate));
    }
    let own = base.details().and_then(|details| details.sampled(rate));
    own.unwrap_or_else(|| Arc::new(SampledPair::remove(base, rate)))
}

/// `(Q, W)`, in the form that knows most about itself.
pub(super) fn adding(base: SharedPair, rate: f64) -> SharedPair {
    removing(base, rate).dual()
}

impl SampledPair {
    /// `(W, Q)`, for a rate in (0, 1).
    fn remove(base: SharedPair, rate: f64) -> Self {
        let sampled = |pair: &SharedPair| Ok::<_, Infallible>(removing(Arc::clone(pair), rate));
        let bounds = base.bounds().and_then(|bounds| bounds.map(sampled).ok());
        Self { base, rate, bounds, swapped: false }
    }

    fn gamma(&self) -> Ball {
        Ball::from(self.rate)
    }

    /// `1 − γ`, exactly.
    fn kept(&self) -> Ball {
        Ball::ONE - self.gamma()
    }

    /// The loss `a` of the base where the sampled loss is ε: `ln(1 + (e^ε − 1)/γ)`; `None` if it may be −∞ or less.
    fn base_loss(&self, epsilon: Ball) -> Option<Ball> {
        let loss = if epsilon.approximate() <= 1.0 {
            (epsilon.exp_m1() / self.gamma()).ln_1p()
        } else {
            // The same without overflow: ε − ln γ + ln(1 − (1−γ)e^{−ε}).
            epsilon - self.gamma().ln() + (-(self.kept() * (-epsilon).exp())).ln_1p()
        };
        loss.is_finite().then_some(loss)
    }

    /// The loss `ln(1 − γ + γe^L)` of an outcome with loss `L` in the base.
    fn sampled_loss(&self, loss: Enclosure) -> Enclosure {
        let gamma = self.gamma().enclosure();
        let small = loss.clamp(f64::NEG_INFINITY, 1.0);
        let large = loss.clamp(1.0, f64::INFINITY);
        let near = (gamma * small.exp_m1()).ln_1p();
        let far = large + (gamma + self.kept().enclosure() * (-large).exp()).ln();
        if loss.upper() <= 1.0 {
            near
        } else if loss.lower() >= 1.0 {
            far
        } else {
            near.hull(far)
        }
    }

    /// `f = 1 − e^ε(1−γ) = γ − (1−γ)(e^ε − 1)`.
    fn factor(&self, epsilon: Ball) -> Ball {
        self.gamma() - self.kept() * epsilon.exp_m1()
    }

    /// `ln β = ε + ln γ − ln f`, the loss of the swapped base where the sampled loss is ε.
    fn swapped_loss(&self, epsilon: Ball, factor: Ball) -> Option<Ball> {
        let loss = epsilon + self.gamma().ln() - factor.ln();
        loss.is_finite().then_some(loss)
    }

    fn delta_removed(&self, epsilon: Ball) -> Probability {
        let gamma = self.gamma().enclosure();
        let floor = (epsilon - self.kept().ln()).enclosure();
        if floor.upper() <= 0.0 {
            return Probability::from_both(-epsilon.enclosure().exp_m1(), epsilon.exp_enclosure());
        }
        match self.base_loss(epsilon) {
            Some(loss) if floor.lower() > 0.0 => {
                let base = self.base.delta(loss);
                Probability::from_both(
                    gamma * base.value(),
                    self.kept().enclosure() + gamma * base.complement(),
                )
            }
            // Around 1 − γ the base loss is out of range. Below it δ is 1 − e^ε, above it at most γ, and a ball may hold both.
            _ => {
                let below = (-epsilon.enclosure().exp_m1()).clamp(0.0, 1.0);
                let most = gamma.upper();
                Probability::from_value(Enclosure::new(below.lower().min(most), below.upper().max(most)))
            }
        }
    }

    fn delta_added(&self, epsilon: Ball) -> Probability {
        // Beyond this, e^ε(1−γ) ≥ 1 and no outcome has so large a loss.
        let ceiling = (epsilon + self.kept().ln()).enclosure();
        if ceiling.lower() >= 0.0 {
            return Probability::ZERO;
        }
        let factor = self.factor(epsilon);
        let size = factor.enclosure().clamp(0.0, 1.0);
        match self.swapped_loss(epsilon, factor) {
            Some(loss) if ceiling.upper() < 0.0 => {
                let base = self.base.dual().delta(loss);
                let complement = size.one_minus() + size * base.complement();
                Probability::from_both(size * base.value(), complement)
            }
            _ => Probability::from_value(Enclosure::new(0.0, size.upper())),
        }
    }

    fn tails_removed(&self, epsilon: Ball) -> Tails {
        let floor = (epsilon - self.kept().ln()).enclosure();
        let all = Probability::ZERO.opposite();
        if floor.upper() < 0.0 {
            return Tails { p: all, q: all };
        }
        match self.base_loss(epsilon) {
            Some(loss) if floor.lower() >= 0.0 => {
                let base = self.base.tails(loss);
                Tails { p: self.mixed(base.q, base.p), q: base.q }
            }
            // At the smallest loss it cannot be told how much of Q lies above.
            _ => Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN },
        }
    }

    fn tails_added(&self, epsilon: Ball) -> Tails {
        let ceiling = (epsilon + self.kept().ln()).enclosure();
        if ceiling.lower() >= 0.0 {
            return Tails { p: Probability::ZERO, q: Probability::ZERO };
        }
        match self.swapped_loss(epsilon, self.factor(epsilon)) {
            Some(loss) if ceiling.upper() < 0.0 => {
                // Of the swapped base: p is Q's and q is P's.
                let base = self.base.dual().tails(loss);
                Tails { p: base.p, q: self.mixed(base.p, base.q) }
            }
            _ => Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN },
        }
    }

    /// `(1−γ)·not_sampled + γ·sampled`.
    fn mixed(&self, not_sampled: Probability, sampled: Probability) -> Probability {
        let (gamma, kept) = (self.gamma().enclosure(), self.kept().enclosure());
        Probability::from_both(
            kept * not_sampled.value() + gamma * sampled.value(),
            kept * not_sampled.complement() + gamma * sampled.complement(),
        )
    }

    /// `γ·P(L = ∞)`: what only `W` has.
    fn only_sampled(&self) -> Probability {
        self.mixed(Probability::ZERO, self.base.infinite_mass())
    }
}

impl DominatingPair for SampledPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        if self.swapped { self.delta_added(epsilon) } else { self.delta_removed(epsilon) }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        if self.swapped { self.tails_added(epsilon) } else { self.tails_removed(epsilon) }
    }

    fn infinite_mass(&self) -> Probability {
        if self.swapped { Probability::ZERO } else { self.only_sampled() }
    }

    fn vanishing_mass(&self) -> Probability {
        if self.swapped { self.only_sampled() } else { Probability::ZERO }
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (lowest, highest) = self.base.finite_losses().into_inner();
        let vanishing = self.base.vanishing_mass().value();
        let bottom = self.kept().ln().enclosure();
        let low = if vanishing.lower() > 0.0 || lowest.upper() == f64::NEG_INFINITY {
            bottom
        } else if vanishing.upper() > 0.0 || lowest.lower() == f64::NEG_INFINITY {
            // Whether there is an outcome at the bottom is not known.
            bottom.hull(self.sampled_loss(Enclosure::point(lowest.upper())))
        } else {
            self.sampled_loss(lowest)
        };
        let high = if highest.lower() == f64::INFINITY { highest } else { self.sampled_loss(highest) };
        if self.swapped { -high..=-low } else { low..=high }
    }

    fn ratio_law(&self) -> RatioLaw {
        let law = self.base.ratio_law().sampled(self.gamma(), self.base.vanishing_mass().value());
        if self.swapped { law.swapped() } else { law }
    }

    fn dual(&self) -> SharedPair {
        let bounds = self.bounds.as_ref().map(Bounds::dual);
        Arc::new(Self { swapped: !self.swapped, bounds, ..self.clone() })
    }

    fn is_self_dual(&self) -> bool {
        false
    }

    fn notes(&self) -> Vec<String> {
        self.base.notes()
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for SampledPair {
    fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    fn is_known_by_curve(&self) -> bool {
        self.base.is_known_by_curve()
    }

    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        let base = self.base.likely_outcomes(least);
        let likely = match base.laws.as_slice() {
            [law] if !law.swapped => base.sampled(self.gamma(), self.base.vanishing_mass().value()),
            _ => return LikelyOutcomes::all(vec![self.ratio_law()]),
        };
        if self.swapped { likely.swapped() } else { likely }
    }

    /// Losses of the base that are far apart may be close to each other here: by `γe^L` at most, for small ones.
    fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        let base = |merging: Merging| {
            let base = self.base.merged_outcomes(least, merging);
            match base.laws.as_slice() {
                [law] if !law.swapped => base.sampled(self.gamma(), self.base.vanishing_mass().value()),
                _ => LikelyOutcomes::all(vec![
                    self.base.ratio_law().sampled(self.gamma(), self.base.vanishing_mass().value()),
                ]),
            }
        };
        let merging = if self.swapped { merging.swapped() } else { merging };
        let likely = match merging {
            Merging::Within(widths) => {
                let rate = self.rate;
                let loss = |loss: f64| (loss.exp_m1() / rate).max(-1.0).ln_1p();
                let wide = base(Merging::Within(widths.mapped(loss, 1.0 / (STEEPER * rate).min(1.0))));
                let is_fine = |atom: &Atom| {
                    let ends = atom.loss.enclosure();
                    ends.width() <= 1.1 * widths.at(ends.lower()).max(widths.at(ends.upper()))
                };
                if wide.laws.iter().flat_map(|law| &law.atoms).all(is_fine) {
                    wide
                } else {
                    base(Merging::Within(widths.mapped(loss, 1.0)))
                }
            }
            Merging::Nothing | Merging::Into(_) => base(merging),
        };
        if self.swapped { likely.swapped() } else { likely }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::double_double::DoubleDouble;

    /// A sum with a discrete loss asks for δ at balls around it: at a rate of 10⁻³⁰⁸ the upper end was γ where the ball reaches below 0.
    #[test]
    fn a_ball_around_the_smallest_loss_holds_both_sides_of_it() {
        for text in ["poisson(laplace(scale=2), rate=2.3e-308)", "poisson(gaussian(sigma=2), rate=1e-300)"] {
            let mechanism: Mechanism = text.parse().unwrap();
            let pair = dominating_pair(&mechanism, Direction::Remove).unwrap();
            let delta = pair.delta(Ball::new(DoubleDouble::ZERO, 1e-15)).value();
            let at_lower_end = pair.delta(Ball::from(-1e-15)).value();
            assert!(
                delta.upper() >= at_lower_end.lower() && at_lower_end.lower() > 9e-16,
                "{text}: {delta:?}"
            );
            assert!(delta.lower() <= 1e-300, "{text}: {delta:?}");
        }
    }
}
