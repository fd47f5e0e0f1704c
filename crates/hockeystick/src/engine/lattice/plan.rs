//! Which tilt, which spacing, which window: from what is asked, not from the user.

use super::{
    compose::compose,
    composed::Composed,
    discretise::{Grid, buckets_down, buckets_up, connect_the_dots, merged},
    law::{LatticeLaw, Optimistic, Pessimistic},
    window::Window,
};
use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::Budget,
    pair::SharedPair,
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    probability::Probability,
    roots::{Tolerance, bracketed_root},
};

/// How losses are put on the lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discretisation {
    /// Connect the dots above, merged outcomes below: errors of the order of the squared spacing.
    ConnectTheDots,
    /// Rounded up and down: errors of the order of the spacing.
    Buckets,
}

/// What will be asked of the composition, so that the tilt can be chosen for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// δ at this ε.
    Delta {
        /// The ε.
        epsilon: f64,
    },
    /// ε at this δ.
    Epsilon {
        /// The δ.
        delta: f64,
    },
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticePlan {
    /// The spacing `Δ`.
    pub spacing: f64,
    /// The number of points of the window.
    pub length: usize,
    /// The tilt `c`.
    pub tilt: f64,
}

impl std::fmt::Display for LatticePlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} points {:.2e} apart, tilted by {:.4}", self.length, self.spacing, self.tilt)
    }
}

/// The composition is too large for a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a lattice takes at most {MOST_PARTS} different mechanisms, 10^9 uses and {MOST_POINTS} points, which this composition \
     exceeds"
)]
pub struct TooLarge;

/// A composition on a lattice: enclosed from both sides.
#[derive(Clone, Debug)]
pub struct Lattice {
    upper: Composed<Pessimistic>,
    lower: Composed<Optimistic>,
    infinite: Probability,
    largest: Enclosure,
    plan: LatticePlan,
}

/// The most different pairs.
const MOST_PARTS: usize = 256;
/// The most uses: round-off grows with their number.
const MOST_USES: f64 = 1e9;
/// The most points of a window.
const MOST_POINTS: usize = 1 << 20;
/// The most points of a single law: each costs some microseconds.
const MOST_CELLS: usize = 100_000;
/// Points of the rough law that tilt and spacing are chosen with.
const ROUGH_POINTS: f64 = 600.0;

impl Lattice {
    /// Composes each pair as often as its count says, finely enough for a relative width of `tolerance` if memory allows.
    pub fn compose(
        parts: &[(SharedPair, u64)],
        goal: Goal,
        tolerance: f64,
        discretisation: Discretisation,
    ) -> Result<Self, TooLarge> {
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        if parts.len() > MOST_PARTS || uses > MOST_USES {
            return Err(TooLarge);
        }
        let rough = Rough::new(parts, goal).ok_or(TooLarge)?;
        let tilt = rough.tilt();
        let mut spacing = rough.spacing(tilt, tolerance, discretisation);
        let mut best: Option<Self> = None;
        // The estimate of the spacing is usually right; if not, finer ones follow while memory allows.
        for _ in 0..3 {
            let Some(lattice) = Self::with(parts, &rough, tilt, spacing, discretisation) else { break };
            let is_enough = lattice.width(goal, &rough, tilt) <= tolerance;
            best = Some(lattice);
            if is_enough {
                break;
            }
            spacing *= 0.4;
        }
        // Too fine for the memory: as fine as it allows.
        let mut coarser = spacing;
        while best.is_none() && coarser < 10.0 {
            coarser *= 2.0;
            best = Self::with(parts, &rough, tilt, coarser, discretisation);
        }
        best.ok_or(TooLarge)
    }

    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    fn with(
        parts: &[(SharedPair, u64)],
        rough: &Rough,
        tilt: f64,
        spacing: f64,
        discretisation: Discretisation,
    ) -> Option<Self> {
        let mut upper_laws: Vec<(LatticeLaw<Pessimistic>, u64)> = Vec::new();
        let mut lower_laws: Vec<(LatticeLaw<Optimistic>, u64)> = Vec::new();
        for (pair, count) in parts {
            let grid = rough.grid(pair, spacing)?;
            let (upper, lower) = match discretisation {
                Discretisation::ConnectTheDots => (connect_the_dots(pair, grid), merged(pair, grid)),
                Discretisation::Buckets => (buckets_up(pair, grid), buckets_down(pair, grid)),
            };
            upper_laws.push((upper, *count));
            lower_laws.push((lower, *count));
        }
        let window = Window::around(&upper_laws, tilt, MOST_POINTS)?;
        let lower_window = Window::around(&lower_laws, tilt, MOST_POINTS)?;
        let infinite = (parts.iter()).fold(Probability::ZERO, |sum, (pair, count)| {
            let log_finite = pair.infinite_mass().complement().ln() * *count as f64;
            sum.or(Probability::from_both(-log_finite.exp_m1(), log_finite.exp()))
        });
        let largest = (parts.iter()).fold(Enclosure::ZERO, |sum, (pair, count)| {
            sum + pair.finite_losses().into_inner().1 * *count as f64
        });
        Some(Self {
            upper: compose(&upper_laws, tilt, window).ok()?,
            lower: compose(&lower_laws, tilt, lower_window).ok()?,
            infinite,
            largest,
            plan: LatticePlan { spacing, length: window.length, tilt },
        })
    }

    /// The relative width that the goal will see, roughly.
    fn width(&self, goal: Goal, rough: &Rough, tilt: f64) -> f64 {
        match goal {
            Goal::Delta { epsilon } => 1.0 - self.lower.lower(epsilon) / self.upper.upper(epsilon),
            Goal::Epsilon { .. } => {
                let epsilon = rough.log_moment(tilt)[1].max(1e-12);
                let (low, high) = (self.lower.lower(epsilon), self.upper.upper(epsilon));
                // d log δ/dε is about −c.
                (high / low).ln() / (tilt * epsilon)
            }
        }
    }
}

impl PrivacyProfile for Lattice {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let (low, high) = (self.lower.lower(epsilon), self.upper.upper(epsilon));
        let value = self.upper.value(epsilon);
        let bounds = Enclosure::new(low.min(high), high);
        let known = value.aliasing + value.roundoff;
        let half = 0.5 * bounds.width();
        let budget = Budget {
            discretisation: (half - known).max(0.0),
            aliasing: value.aliasing.min(half),
            roundoff: value.roundoff.min(half),
            ..Budget::default()
        };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }
}

/// A rough picture of the composition, from which tilt and spacing are chosen. Nothing is proven with it.
struct Rough {
    laws: Vec<(LatticeLaw<Pessimistic>, u64)>,
    goal: Goal,
    uses: f64,
}

impl Rough {
    fn new(parts: &[(SharedPair, u64)], goal: Goal) -> Option<Self> {
        let uses = parts.iter().map(|(_, count)| *count as f64).sum();
        let mut rough = Self { laws: Vec::new(), goal, uses };
        for (pair, count) in parts {
            let (lowest, highest) = rough.span(pair)?;
            let grid = rough.grid(pair, ((highest - lowest) / ROUGH_POINTS).max(1e-12))?;
            rough.laws.push((connect_the_dots(pair, grid), *count));
        }
        Some(rough)
    }

    /// The losses that matter, roughly.
    fn span(&self, pair: &SharedPair) -> Option<(f64, f64)> {
        let mut spacing = 1e-6;
        loop {
            if let Some(grid) = self.grid(pair, spacing) {
                return Some((grid.first as f64 * spacing, grid.last as f64 * spacing));
            }
            spacing *= 100.0;
            if spacing > 1e9 {
                return None;
            }
        }
    }

    /// How much of the mass of one use may be cut off above and below.
    fn grid(&self, pair: &SharedPair, spacing: f64) -> Option<Grid> {
        let target = match self.goal {
            Goal::Epsilon { delta } => delta,
            Goal::Delta { epsilon } => {
                // One use alone tells how small δ can be at most.
                pair.delta(Ball::from(epsilon)).value().upper().max(1e-300)
            }
        };
        Grid::covering(pair, spacing, target * 1e-13 / self.uses, 1e-16 / self.uses, MOST_CELLS)
    }

    fn log_moment(&self, tilt: f64) -> [f64; 3] {
        self.laws.iter().fold([0.0; 3], |sum, (law, count)| {
            let one = law.log_moment(tilt);
            std::array::from_fn(|i| sum[i] + one[i] * *count as f64)
        })
    }

    /// The saddle point of `K(c) − cε − log c(c+1)`, or for a given δ the tilt at which the saddle-point estimate is δ.
    fn tilt(&self) -> f64 {
        let residual = |log_tilt: f64| {
            let c = log_tilt.exp();
            let [value, mean, variance] = self.log_moment(c);
            match self.goal {
                Goal::Delta { epsilon } => mean - epsilon - 1.0 / c - 1.0 / (c + 1.0),
                Goal::Epsilon { delta } => {
                    let estimate = value
                        - c * mean
                        - (c * (c + 1.0)).ln()
                        - 0.5 * (std::f64::consts::TAU * variance.max(1e-12)).ln();
                    delta.ln() - estimate
                }
            }
        };
        let (low, high) = (1e-3f64.ln(), 1e5f64.ln());
        match bracketed_root(residual, low, high, Tolerance::absolute(0.02)) {
            Ok(bracket) => bracket.lower.exp(),
            Err(_) if residual(low) > 0.0 => low.exp(),
            Err(_) => high.exp(),
        }
    }

    /// The spacing for which the two laws should differ by the tolerance: rounding to two neighbours adds up to `Δ²/4` to the
    /// variance of a use, rounding up `Δ/2` to its mean.
    fn spacing(&self, tilt: f64, tolerance: f64, discretisation: Discretisation) -> f64 {
        let [_, mean, variance] = self.log_moment(tilt);
        let relative_to = match self.goal {
            Goal::Delta { .. } => tilt,
            Goal::Epsilon { .. } => 1.0 / mean.abs().max(1e-9),
        };
        let wanted = tolerance / relative_to;
        let spacing = match discretisation {
            Discretisation::ConnectTheDots => (2.0 * wanted / (self.uses * (tilt + 1.0))).sqrt(),
            Discretisation::Buckets => wanted / self.uses,
        };
        // Never so coarse that the composed law has no shape, and never finer than any law could fill.
        spacing.min((variance / 100.0).sqrt()).clamp(1e-9, 1.0)
    }
}
