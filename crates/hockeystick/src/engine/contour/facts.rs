//! Estimates in plain floats, before any line is built: the saddle point, the line there, and the scales of losses that matter.

use super::{
    Accuracy,
    choose::Outlook,
    factors::Factors,
    line_plan::LinePlan,
    search::{Aim, Planned, Saddle, ScaleTable, best_line, saddle},
    target::Target,
    tuning::TUNING,
};
use crate::engine::Goal;
use hockeystick_numerics::special::ln;
use std::{cell::OnceCell, f64::consts::TAU};

/// A question about the finite losses of a composition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) factors: &'a Factors,
    pub(super) goal: Goal,
    pub(super) accuracy: Accuracy,
}

/// What is known of a question.
pub(super) struct Facts<'a> {
    pub(super) question: Question<'a>,
    pub(super) saddle: Saddle,
    /// One line for everything.
    pub(super) line: Planned,
    pub(super) target: Target,
    /// Was the target measured, or is it an estimate?
    is_measured: bool,
    /// Made when it is first needed: `None` if no pair can be cut.
    table: OnceCell<Option<ScaleTable>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(question: Question<'a>, saddle: Saddle, target: Target) -> Self {
        let line = best_line::plan(question.factors, &saddle, Aim::whole(target.needed));
        Self { question, saddle, line, target, is_measured: false, table: OnceCell::new() }
    }

    /// The facts for a new target: the measured one, or else the estimate from the table of scales.
    pub(super) fn aimed_at(self, measured: Option<Target>) -> Option<Self> {
        let target = measured.or_else(|| Some(self.target_by_scales(self.table()?)))?;
        let Self { question, table, .. } = self;
        let saddle = saddle::find(question.factors, Goal::Delta { epsilon: target.epsilon })?;
        Some(Self { table, is_measured: measured.is_some(), ..Self::new(question, saddle, target) })
    }

    pub(super) fn outlook(&self) -> Outlook {
        let line = self.line.line;
        Outlook {
            target: self.target,
            points: line.points,
            points_of_band: self.points_of_band(self.target.needed),
            expected_width: line.expected_width,
        }
    }

    /// The line for band-limited functions above and below.
    pub(super) fn band_limited(&self) -> LinePlan {
        let needed = self.target.needed_without_decay;
        let points = self.points_of_band(needed).clamp(TUNING.fewest_points, TUNING.most_points_of_band);
        LinePlan { points, expected_width: needed, ..self.line.line }
    }

    /// How many points it has for a width.
    ///
    /// Where losses have the density p near ε, the functions are apart by about `p(ε)τ²/8`, `τ = 2π/(Nh)`; and `p ≈ c(c + 1) g` at the saddle.
    fn points_of_band(&self, needed: f64) -> usize {
        let tilt = self.saddle.tilt;
        let height = TAU * (tilt * (tilt + 1.0) / (8.0 * needed)).sqrt();
        (height / self.line.line.step).ceil() as usize
    }

    pub(super) fn table(&self) -> Option<&ScaleTable> {
        let factors = self.question.factors;
        let table = || {
            let log_delta = match self.question.goal {
                Goal::Epsilon { delta } => ln(delta),
                Goal::Delta { epsilon } => factors.log_single(epsilon).min(0.0),
            };
            ScaleTable::new(factors, log_delta + ln(self.question.accuracy.aimed_at()))
        };
        self.table.get_or_init(table).as_ref()
    }

    /// The measured target. Before any measurement, the estimate from the table of scales: for rare losses it beats the saddle point.
    pub(super) fn target_by_scales(&self, table: &ScaleTable) -> Target {
        let Question { goal, accuracy, .. } = self.question;
        match goal {
            _ if self.is_measured => self.target,
            Goal::Delta { epsilon } => Target { log_delta: table.log_delta(epsilon), ..self.target },
            Goal::Epsilon { delta } => {
                let Some(epsilon) = table.epsilon(ln(delta)) else { return self.target };
                // If the two estimates agree, the saddle point's is the more accurate one.
                let is_close = (self.target.epsilon - epsilon).abs() <= TUNING.close * epsilon;
                let epsilon = if is_close { self.target.epsilon } else { epsilon };
                let slope = table.log_fall(epsilon) / epsilon;
                let slope = if slope > 0.0 { slope } else { self.saddle.tilt };
                self.target.moved(goal, accuracy, epsilon, slope)
            }
        }
    }
}
