//! The four laws of a composition, and both ends of δ from them.

use super::{
    cells::{Cells, Part},
    composed::{ComposedLaw, FarTails, Normal},
    law::Law,
    transform::Transforms,
};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    engine::masses,
    pair::{LossLaw, SharedPair},
};
use hockeystick_numerics::{
    ball::Ball, enclosure::Enclosure, half_circle::HalfCircle, probability::Probability,
};
use std::{f64::consts::PI, fmt};

/// A composition by the discretised characteristic functions of its parts.
///
/// # Guarantee
/// Both ends of δ are proven, round-off included. The width is `k` times that of a cell or more: this is for comparison.
#[derive(Clone, Debug)]
pub struct CharacteristicGrid {
    laws: [ComposedLaw; 4],
    half: HalfCircle,
    infinite: Probability,
    largest: Enclosure,
    plan: GridPlan,
}

/// The number of cells, and of values of the characteristic functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPlan {
    /// The cells of all mechanisms together.
    pub cells: usize,
    /// The values of each characteristic function.
    pub frequencies: usize,
    /// The mean of `ΣL⁺ − ΣL⁻`.
    pub spread: f64,
}

impl fmt::Display for GridPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells, {} frequencies, losses {:.1e} apart", self.cells, self.frequencies, self.spread)
    }
}

/// Cells of all mechanisms together, at least and at most, and for each root of a use: a cell is about `5σ/n` wide where most losses are, so that
/// k of them come to some hundredths of the deviation `σ√k` of their sum. (The tails at 65,536 edges take two tenths of a second.)
const FEWEST_CELLS_OF_ALL: usize = 1 << 13;
const MOST_CELLS_OF_ALL: usize = 1 << 16;
const CELLS_PER_ROOT: f64 = 256.0;
/// The fewest cells of one mechanism.
const FEWEST_CELLS: usize = 64;
/// The fewest and the most frequencies, and the most cells times frequencies, turned one by one.
const FEWEST_FREQUENCIES: usize = 64;
const MOST_FREQUENCIES: usize = 1 << 13;
const WORK: usize = 1 << 24;
/// Densities are truncated at e to this power of their peak, over the count.
const LOG_TRIM: f64 = -46.0;
/// The window is as wide as the law down to e to this power.
const LOG_WINDOW: f64 = -42.0;
/// Frequencies are added until what they blur is this part of what the cells leave open.
const BLURRED: f64 = 0.1;

impl CharacteristicGrid {
    /// Composes pairs with their counts; `None` if a law has no cell, or the losses no scale.
    pub fn compose(pairs: &[(SharedPair, u64)]) -> Option<Self> {
        let uses: f64 = pairs.iter().map(|(_, count)| *count as f64).sum();
        let cells = (CELLS_PER_ROOT * uses.sqrt()) as usize;
        Self::compose_with(pairs, cells.clamp(FEWEST_CELLS_OF_ALL, MOST_CELLS_OF_ALL))
    }

    /// The same with about so many cells of all mechanisms together: [Zhu22, Exp. 3] has 10⁵. Their tails are most of the work.
    pub fn compose_with(pairs: &[(SharedPair, u64)], most_cells: usize) -> Option<Self> {
        let mut variance = Ball::ZERO;
        let mut others = Vec::new();
        for (pair, count) in pairs {
            match pair.loss_law() {
                Some(LossLaw::Normal { mu_squared }) => variance = variance + mu_squared * Ball::from(*count),
                Some(LossLaw::TwoPoint { .. } | LossLaw::Laplace { .. }) | None => {
                    others.push((pair, *count as f64));
                }
            }
        }
        if !variance.is_finite() {
            return None;
        }
        let bounds = variance.enclosure();
        let error = if bounds.upper() > 0.0 { bounds.width() / bounds.upper() } else { 0.0 };
        let normal = Normal { variance: bounds.midpoint(), error };
        let share = (most_cells / others.len().max(1)).max(FEWEST_CELLS);
        let parts: Vec<Part> = others
            .iter()
            .map(|(pair, count)| Part {
                cells: Cells::of(pair.as_ref(), share, LOG_TRIM - count.ln()),
                count: *count,
            })
            .collect();
        if parts.iter().any(|part| part.cells.len() == 0) {
            return None;
        }
        let deviation = deviation(&parts, normal)?;
        let tails = Law::ALL.map(|law| FarTails::new(&parts, normal, law, deviation));
        let to = tails.iter().map(|tails| tails.end(true, LOG_WINDOW)).fold(0.0, f64::max);
        let from = tails.iter().map(|tails| tails.end(false, LOG_WINDOW)).fold(0.0, f64::min);
        let window = to - from;
        if !(window > 0.0 && window.is_finite()) {
            return None;
        }
        let cells: usize = parts.iter().map(|part| part.cells.len()).sum();
        let spread: f64 = parts.iter().map(|part| part.count * part.cells.spread()).sum();
        let spacing = PI / window;
        let wanted = (2.0 * window / (BLURRED * spread.max(f64::MIN_POSITIVE))).min(1e9) as usize;
        let mut frequencies = wanted.clamp(FEWEST_FREQUENCIES, MOST_FREQUENCIES);
        let cost = |frequencies| {
            parts.iter().map(|part| Transforms::cost(&part.cells, spacing, frequencies)).sum::<usize>()
        };
        while frequencies > FEWEST_FREQUENCIES && cost(frequencies) > WORK {
            frequencies = (frequencies * 3 / 4).max(FEWEST_FREQUENCIES);
        }
        let transforms: Vec<Transforms> =
            parts.iter().map(|part| Transforms::new(&part.cells, spacing, frequencies)).collect();
        let mut tails = tails.into_iter();
        let laws = Law::ALL.map(|law| {
            let tails = tails.next().expect("as many as there are laws");
            ComposedLaw::new(&parts, &transforms, normal, law, (spacing, frequencies), tails)
        });
        Some(Self {
            laws,
            half: HalfCircle::new(frequencies),
            infinite: masses::infinite_mass(pairs),
            largest: masses::largest_finite_loss(pairs),
            plan: GridPlan { cells, frequencies, spread },
        })
    }

    /// How it was composed.
    pub fn plan(&self) -> GridPlan {
        self.plan
    }

    fn law(&self, law: Law) -> &ComposedLaw {
        match law {
            Law::LowP => &self.laws[0],
            Law::HighP => &self.laws[1],
            Law::LowQ => &self.laws[2],
            Law::HighQ => &self.laws[3],
        }
    }
}

/// The standard deviation of the composed loss, roughly, and 1 if all losses are 0; `None` if that is no number.
fn deviation(parts: &[Part], normal: Normal) -> Option<f64> {
    let mut variance = normal.variance;
    let mut size = 0.0f64;
    for part in parts {
        let cells = &part.cells;
        let moment = |power: i32| -> f64 {
            let middle = |j: usize| 0.5 * (cells.low[j] + cells.high[j]);
            (0..cells.len()).map(|j| cells.p[j] * middle(j).powi(power)).sum()
        };
        variance += part.count * (moment(2) - moment(1) * moment(1)).max(0.0);
        size = size.max(part.count * cells.high.iter().fold(0.0, |size: f64, loss| size.max(loss.abs())));
    }
    // A constant loss has no scale.
    let deviation = variance.sqrt().max(1e-6 * size);
    let deviation = if deviation == 0.0 { 1.0 } else { deviation };
    (deviation > 0.0 && deviation.is_finite()).then_some(deviation)
}

impl PrivacyProfile for CharacteristicGrid {
    fn delta(&self, epsilon: f64) -> Evaluation {
        if epsilon >= self.largest.upper() {
            return Evaluation::exact(self.infinite, 0.0);
        }
        let above = |law: Law| self.law(law).above(&self.half, epsilon);
        let (high_p, low_p) = (above(Law::HighP), above(Law::LowP));
        let (high_q, low_q) = (above(Law::HighQ), above(Law::LowQ));
        let factor = Enclosure::point(epsilon).exp();
        let infinite = self.infinite.value();
        let (at_least, at_most) = (infinite.lower(), infinite.upper());
        let upper = (infinite + high_p.upper() - factor.lower() * low_q.lower()).upper().clamp(at_most, 1.0);
        // (If e^ε overflows the lower end is 0.)
        let over = if high_q.upper() > 0.0 { (factor * high_q.upper()).upper() } else { 0.0 };
        let lower = if over < 1.0 { (infinite + low_p.lower() - over).lower() } else { 0.0 };
        let bounds = Enclosure::new(lower.clamp(at_least, upper), upper);
        let half = 0.5 * bounds.width();
        let blurred = |p: Enclosure, q: Enclosure| 0.5 * p.width() + 0.5 * factor.upper() * q.width();
        let truncation = (0.5 * (blurred(high_p, low_q) + blurred(low_p, high_q))).min(half);
        let budget = Budget { discretisation: half - truncation, truncation, ..Budget::default() };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }
}
