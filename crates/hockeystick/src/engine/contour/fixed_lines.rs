//! A composition that is remembered by its moments on fixed lines only: it takes as much memory for a thousand parts as for one.
//!
//! `K = Σ k log M` adds up point by point, and so do the bounds of `log |M|` beyond the last point. The lines that will be wanted are not
//! known beforehand. They are planned for several δ, and for several multiples of the composition at hand. All of them answer every
//! question.

use super::{
    Accuracy, ContourPlan, Outline, Recipe,
    bound::{self, Envelope},
    factors::Factors,
    line::{ComposedLine, Exactness, log_at_height},
    line_plan::LinePlan,
    search::{Aim, Sketch, best_line, saddle, searchable},
};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    engine::{Goal, masses},
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// A line is planned for each of these δ, which serves its neighbourhood.
const DELTAS: [f64; 3] = [1e-3, 1e-8, 1e-20];
/// And for so many times the composition at hand.
const GROWTH: [f64; 6] = [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0];
/// Periods are longer than planned by this factor, against aliasing at smaller δ.
const LONGER_PERIOD: f64 = 1.3;
/// No line has fewer points, for what comes later may decay more slowly; none has more.
const FEWEST_POINTS: usize = 256;
const MOST_POINTS: usize = 1024;
/// Errors of so many parts may add up.
const EXPECTED_PARTS: usize = 10_000;
/// Heights beyond the last point at which `|M|` is bounded.
const HEIGHTS: usize = 8;

/// The moments of a composition on fixed lines.
#[derive(Clone, Debug)]
pub struct FixedLines {
    lines: Vec<FixedLine>,
    infinite: Probability,
    largest: Enclosure,
}

#[derive(Clone, Debug)]
struct FixedLine {
    line: ComposedLine,
    /// Upper bounds of `log |M(c + it)|` for every t from each of the heights on.
    decay: [f64; HEIGHTS],
}

impl FixedLines {
    /// Empty lines, planned for a composition and for multiples of it. `None` if its moment generating function does not exist right of 0,
    /// or has no rule.
    pub fn suited_to(pairs: &[(SharedPair, u64)]) -> Option<Self> {
        let factors = searchable(Factors::new(pairs));
        if !factors.are_known() {
            return None;
        }
        let nothing = Factors::new(&[]);
        let mut lines = Vec::new();
        for growth in GROWTH {
            let grown = factors.times(growth);
            for delta in DELTAS {
                let saddle = saddle::find(&grown, Goal::Epsilon { delta })?;
                let needed = Accuracy::NARROW.aimed_at();
                let planned = best_line::plan(&grown, &saddle, Aim::whole(needed)).line;
                let points = (planned.points as f64 * LONGER_PERIOD) as usize;
                let line = LinePlan {
                    step: planned.step / LONGER_PERIOD,
                    points: points.clamp(FEWEST_POINTS, MOST_POINTS),
                    ..planned
                };
                let mut envelope = Envelope::new(&nothing, line.tilt, std::iter::empty());
                let line = ComposedLine::of(
                    &nothing,
                    &mut envelope,
                    line,
                    Exactness::of(Accuracy::NARROW.aimed_at()),
                )?;
                lines.push(FixedLine { line, decay: [0.0; HEIGHTS] });
            }
        }
        Some(Self { lines, infinite: Probability::ZERO, largest: Enclosure::ZERO })
    }

    /// Can a pair be added? It must have moments on every line.
    pub fn can_add(&self, pair: &SharedPair) -> bool {
        let factors = Factors::new(&[(pair.clone(), 1)]);
        factors.are_known() && Sketch::new(&factors, self.farthest()).is_some()
    }

    /// The same composed with more; `None` if there is no line on which all of it has a rule. Lines on which some of it has none are
    /// left out from then on.
    ///
    /// # Guarantee
    /// `M` of a composition is a product. Its logarithms add up, so do what they may be off and the bounds beyond the last point, each
    /// sum rounded to the safe side.
    #[must_use]
    pub fn with(&self, pairs: &[(SharedPair, u64)]) -> Option<Self> {
        let mut sum = self.clone();
        for part in pairs {
            sum.add(std::slice::from_ref(part))?;
        }
        Some(sum)
    }

    fn add(&mut self, part: &[(SharedPair, u64)]) -> Option<()> {
        let factors = Factors::new(part);
        if !factors.are_known() {
            return None;
        }
        let sketch = Sketch::new(&factors, self.farthest())?;
        let added = |mut line: FixedLine| {
            line.add(&factors, &sketch)?;
            Some(line)
        };
        self.lines = std::mem::take(&mut self.lines).into_iter().filter_map(added).collect();
        self.infinite = self.infinite.or(masses::infinite_mass(part));
        self.largest = self.largest + masses::largest_finite_loss(part);
        (!self.lines.is_empty()).then_some(())
    }

    fn farthest(&self) -> f64 {
        self.lines.iter().map(|line| line.line.plan.beyond).fold(0.0, f64::max)
    }

    /// Numbers that are stored: as many for one part as for a million.
    pub fn stored(&self) -> usize {
        self.lines.iter().map(|line| 4 * line.line.plan.points + HEIGHTS).sum()
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// δ(ε) of all that was added.
    pub fn profile(&self) -> FixedProfile {
        let lines = self.lines.iter().map(FixedLine::ended).collect();
        FixedProfile { lines, infinite: self.infinite, largest: self.largest }
    }
}

impl FixedLine {
    fn add(&mut self, factors: &Factors, sketch: &Sketch) -> Option<()> {
        let plan = self.line.plan;
        let mut envelope = Envelope::new(factors, plan.tilt, sketch.values(plan.tilt));
        self.line.absorb(&ComposedLine::of(
            factors,
            &mut envelope,
            plan,
            Exactness::of(Accuracy::NARROW.aimed_at()).of_parts(EXPECTED_PARTS),
        )?);
        for (sum, t) in self.decay.iter_mut().zip(bound::tail_heights(plan.height())) {
            let log = log_at_height(factors, envelope.log_unit(), plan.tilt, envelope.log_at(t));
            *sum += log;
            *sum += 1e-15 * (sum.abs() + log.abs());
        }
        Some(())
    }

    fn ended(&self) -> ComposedLine {
        let log_tail = bound::log_tail(self.line.plan.height(), HEIGHTS, |i, _| self.decay[i]);
        self.line.clone().ended(log_tail)
    }
}

/// δ(ε) as the intersection of the enclosures of all fixed lines.
#[derive(Debug)]
pub struct FixedProfile {
    lines: Vec<ComposedLine>,
    infinite: Probability,
    largest: Enclosure,
}

impl FixedProfile {
    /// The line that is narrowest at ε, and what it is expected to leave of δ.
    pub fn plan(&self, epsilon: f64) -> Option<ContourPlan> {
        let width = |line: &ComposedLine| line.integral(epsilon).relative_width();
        let best = self.lines.iter().min_by(|a, b| width(a).total_cmp(&width(b)))?;
        let line = LinePlan { expected_width: width(best), ..best.plan };
        Some(ContourPlan { recipe: Recipe::Line, pieces: vec![Outline::Line(line)] })
    }
}

impl PrivacyProfile for FixedProfile {
    /// # Guarantee
    /// Every line encloses the truth, so their intersection does.
    fn delta(&self, epsilon: f64) -> Evaluation {
        if epsilon >= self.largest.upper() {
            return Evaluation::exact(self.infinite, 0.0);
        }
        let mut bounds = Enclosure::UNIT_INTERVAL;
        let (mut narrowest, mut budget) = (f64::INFINITY, Budget { truncation: 0.5, ..Budget::default() });
        for line in &self.lines {
            let found = line.integral(epsilon);
            bounds = bounds.intersection(found.bounds);
            if found.bounds.width() < narrowest {
                (narrowest, budget) = (found.bounds.width(), found.budget);
            }
        }
        let value = (self.infinite.value() + bounds).clamp(0.0, 1.0);
        Evaluation { delta: Probability::from_value(value), budget }
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }
}
