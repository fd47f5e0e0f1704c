//! Answers from the classic theorems: (ε₀, δ₀) of each use first, then the composition of these.
//!
//! A mechanism whose losses are bounded is taken by its largest loss, with δ₀ the probability of an infinite one. Any other has
//! no ε₀ of its own: each of its uses gets the same δ₀ on top of that probability, and the smallest ε₀ that goes with it. That
//! share is chosen to make the result best; any choice is valid.

use super::answers::at_most;
use crate::{
    curve::{PairProfile, PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        classic::{
            DpPart, Guarantee, advanced, advanced_delta, basic, heterogeneous, heterogeneous_delta, optimal,
        },
        moments::{Conversion, RenyiCurve},
    },
    error::Error,
    pair::{Direction, Release, Releases, SharedMoments, SharedPair},
    query::Answer,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    minimize::minimize,
    roots::Tolerance,
    rounding::{add_up, sub_down},
};

/// Which theorem composes the guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theorem {
    Basic,
    Advanced,
    Optimal,
}

/// One mechanism of the composition.
enum Known {
    /// Its losses are bounded, in both directions.
    Bounded(Guarantee),
    /// They are not; the second number is the probability of an infinite one.
    Unbounded(SharedPair, f64),
    /// Only moments are known.
    Moments(SharedMoments),
}

struct Composition {
    parts: Vec<(Known, u64)>,
}

/// The answer for all directions: every guarantee holds in both.
pub(super) fn answer(
    releases: &Releases<'_>,
    direction: Direction,
    theorem: Theorem,
    goal: Goal,
) -> Result<Answer, Error> {
    let known = |part: &Release<'_>| Ok((known(part, direction)?, part.count));
    let parts = releases.parts().iter().map(known).collect::<Result<Vec<_>, Error>>()?;
    let composition = Composition { parts };
    let upper = match theorem {
        Theorem::Basic | Theorem::Advanced => composition.answer(theorem, goal),
        // For the same guarantees the optimal theorem is never above the basic one, but each has its own share of δ.
        Theorem::Optimal => composition.answer(theorem, goal).min(composition.answer(Theorem::Basic, goal)),
    };
    let infinite = Enclosure::new(0.0, composition.fixed_delta());
    Ok(at_most(goal, upper, infinite, direction))
}

fn known(part: &Release<'_>, direction: Direction) -> Result<Known, Error> {
    if part.has_moments_only() {
        return Ok(Known::Moments(part.moments(direction)?));
    }
    let pair = part.pair(direction)?;
    let infinite = pair.infinite_mass().value().upper().max(pair.vanishing_mass().value().upper());
    let (lowest, highest) = pair.finite_losses().into_inner();
    let largest = highest.upper().max(-lowest.lower()).max(0.0);
    Ok(if largest.is_finite() {
        Known::Bounded(Guarantee { epsilon: largest, delta: infinite })
    } else {
        Known::Unbounded(pair, infinite)
    })
}

impl Known {
    /// The guarantee of one use with a share of δ on top of what cannot be avoided; `None` if there is none.
    fn guarantee(&self, share: f64) -> Option<Guarantee> {
        match self {
            Self::Bounded(guarantee) => Some(*guarantee),
            Self::Unbounded(pair, infinite) => {
                let delta = add_up(*infinite, share);
                if !(delta > 0.0 && delta < 1.0) {
                    return None;
                }
                let smallest = |pair: SharedPair| smallest_epsilon(&PairProfile::new(pair), delta).0.upper();
                let other = if pair.is_self_dual() { 0.0 } else { smallest(pair.dual()) };
                let epsilon = smallest(SharedPair::clone(pair)).max(other);
                epsilon.is_finite().then_some(Guarantee { epsilon, delta })
            }
            Self::Moments(moments) => {
                let once = RenyiCurve::compose(vec![(SharedMoments::clone(moments), 1)]);
                let epsilon = once.epsilon(Conversion::Optimal, share).value;
                epsilon.is_finite().then_some(Guarantee { epsilon, delta: share })
            }
        }
    }

    /// The part of δ that no share changes.
    fn fixed_delta(&self) -> f64 {
        match self {
            Self::Bounded(guarantee) => guarantee.delta,
            Self::Unbounded(_, infinite) => *infinite,
            Self::Moments(_) => 0.0,
        }
    }

    fn needs_share(&self) -> bool {
        match self {
            Self::Bounded(_) => false,
            Self::Unbounded(..) | Self::Moments(_) => true,
        }
    }
}

/// How finely shares are sought, in the logarithm.
const WIDTH: f64 = 0.05;
/// The sizes that are looked at first, by their logarithms: down to e^−300, below which profiles are not inverted with ease.
const GRID: i32 = 16;
const STEP: f64 = 20.0;

impl Composition {
    fn parts(&self, share: f64) -> Option<Vec<DpPart>> {
        let part = |(known, count): &(Known, u64)| {
            Some(DpPart { guarantee: known.guarantee(share)?, count: *count })
        };
        self.parts.iter().map(part).collect()
    }

    /// `Σ kδ₀` without any share.
    fn fixed_delta(&self) -> f64 {
        let parts: Vec<DpPart> = (self.parts.iter())
            .map(|(known, count)| DpPart {
                guarantee: Guarantee { epsilon: 0.0, delta: known.fixed_delta() },
                count: *count,
            })
            .collect();
        basic(&parts).delta
    }

    /// How many uses need a share.
    fn sharing(&self) -> f64 {
        self.parts.iter().filter(|(known, _)| known.needs_share()).map(|(_, count)| *count as f64).sum()
    }

    /// The upper bound by a theorem.
    fn answer(&self, theorem: Theorem, goal: Goal) -> f64 {
        match goal {
            Goal::Delta { epsilon } => self.delta(theorem, epsilon),
            Goal::Epsilon { delta } => self.epsilon(theorem, delta),
        }
    }

    fn delta(&self, theorem: Theorem, epsilon: f64) -> f64 {
        let at = |share: f64| self.parts(share).map_or(1.0, |parts| delta_of(theorem, &parts, epsilon));
        let uses = self.sharing();
        if uses == 0.0 {
            return at(0.0);
        }
        // Coarsely over all sizes first: too small a share leaves nothing but 1.
        let largest = -(uses + 1.0).ln();
        let value = |log: f64| {
            let parts = self.parts(log.exp());
            parts.map_or(1.0, |parts| rough_delta_of(theorem, &parts, epsilon)).max(1e-320).ln()
        };
        let grid = (0..GRID).map(|i| largest - STEP * f64::from(i)).map(|log| (value(log), log));
        let start = grid.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(largest, |(_, log)| log);
        let found = minimize(value, start - STEP, (start + STEP).min(largest), Tolerance::absolute(WIDTH));
        found.map_or(1.0, |minimum| at(minimum.at.exp())).min(at(start.exp()))
    }

    fn epsilon(&self, theorem: Theorem, delta: f64) -> f64 {
        let room = sub_down(delta, self.fixed_delta());
        let uses = self.sharing();
        // A share of 1 leaves nothing for the theorem; rounding down keeps the sum below δ.
        let at = |part_of_room: f64| {
            let share = if uses == 0.0 { 0.0 } else { room * part_of_room / uses * (1.0 - 1e-12) };
            self.parts(share).map_or(f64::INFINITY, |parts| epsilon_of(theorem, &parts, delta))
        };
        if room < 0.0 || (room == 0.0 && uses > 0.0) {
            return f64::INFINITY;
        }
        if theorem == Theorem::Basic || uses == 0.0 {
            return at(1.0);
        }
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let rough = |x: f64| {
            let parts = self.parts(room * logistic(x) / uses);
            parts.map_or(f64::INFINITY, |parts| match theorem {
                Theorem::Basic | Theorem::Advanced => epsilon_of(theorem, &parts, delta),
                Theorem::Optimal => heterogeneous(&parts, (delta - basic(&parts).delta).max(1e-320)).epsilon,
            })
        };
        let found = minimize(rough, -12.0, 12.0, Tolerance::absolute(WIDTH));
        found.map_or(f64::INFINITY, |minimum| at(logistic(minimum.at)))
    }
}

fn delta_of(theorem: Theorem, parts: &[DpPart], epsilon: f64) -> f64 {
    match theorem {
        Theorem::Basic => {
            let sum = basic(parts);
            if sum.epsilon <= epsilon { sum.delta } else { 1.0 }
        }
        Theorem::Advanced => advanced_delta(parts, epsilon),
        Theorem::Optimal => match optimal(parts) {
            Ok(profile) => profile.delta(epsilon).delta.value().upper(),
            Err(_) => heterogeneous_delta(parts, epsilon),
        },
    }
}

/// About the same without sums over outcomes: good enough to choose the share with.
fn rough_delta_of(theorem: Theorem, parts: &[DpPart], epsilon: f64) -> f64 {
    match theorem {
        Theorem::Basic | Theorem::Advanced => delta_of(theorem, parts, epsilon),
        Theorem::Optimal => heterogeneous_delta(parts, epsilon),
    }
}

fn epsilon_of(theorem: Theorem, parts: &[DpPart], delta: f64) -> f64 {
    // A little less, for the roundings between the slack and the δ that it leads to.
    let slack = sub_down(delta, basic(parts).delta) * (1.0 - 1e-12);
    let is_enough =
        |guarantee: Guarantee| if guarantee.delta <= delta { guarantee.epsilon } else { f64::INFINITY };
    match theorem {
        Theorem::Basic => is_enough(basic(parts)),
        Theorem::Advanced if slack > 0.0 => is_enough(advanced(parts, slack)),
        Theorem::Advanced => f64::INFINITY,
        Theorem::Optimal => match optimal(parts) {
            Ok(profile) => smallest_epsilon(&profile, delta).0.upper(),
            // 1 − (1 − δ̃)Π(1 − δ)^k ≤ δ̃ + Σ kδ.
            Err(_) if slack > 0.0 => is_enough(heterogeneous(parts, slack)),
            Err(_) => f64::INFINITY,
        },
    }
}
