//! What is asked of a number, and how far from the target a reading finds it.

use super::{
    domain::end,
    error::CalibrationError,
    family::Family,
    target::{Reading, Target, Verdict},
};
use crate::{
    mechanism::{Mechanism, Relation},
    query::{Method, Query},
};
use hockeystick_numerics::limits::check;

/// The relative tolerance of a rough reading. Far from the target it is enough.
const ROUGH: f64 = 0.1;
/// An uncertainty below this will not become smaller by asking for it.
const SHARP: f64 = 1e-9;
/// Nor will one above this: no engine came near the tolerance. Such a reading only says that the target is not proven to be met.
const VAGUE: f64 = 1.0;

/// What is asked, without the number.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) family: &'a dyn Family,
    pub(super) target: Target,
    pub(super) relation: Relation,
    pub(super) method: Method,
    pub(super) tolerance: Option<f64>,
    /// Are all directions asked on the way, and not only the one that spends most where the search begins?
    pub(super) is_cautious: bool,
}

/// A number and what was read off there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) at: f64,
    pub(super) reading: Reading,
}

impl Point {
    /// Is the target proven to be met?
    pub(super) fn is_met(&self) -> bool {
        self.reading.verdict == Verdict::Meets
    }

    /// Does the reading tell how far from the target the mechanism is?
    pub(super) fn is_informative(&self) -> bool {
        self.reading.uncertainty < VAGUE
    }
}

impl Problem<'_> {
    pub(super) fn query<'m>(&self, mechanism: &'m Mechanism) -> Query<'m> {
        let query = Query::new(mechanism).relation(self.relation).method(self.method);
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
    }

    /// A number on the way to the next one, or that one; nothing if none is allowed there.
    pub(super) fn allowed(&self, from: f64, next: f64) -> Option<f64> {
        let fits = |value: f64| self.family.is_quick() || self.family.fill(value).is_ok();
        let reached = end(from, next, self.family.hole().whole, fits);
        (reached != from).then_some(reached)
    }

    /// How far from the target the mechanism is with this number.
    pub(super) fn read(&self, at: f64) -> Result<Point, CalibrationError> {
        check();
        let mechanism = self.family.fill(at)?;
        Ok(Point { at, reading: self.target.read(&self.query(&mechanism))? })
    }

    /// Does the mechanism with this number meet the target, and does its answer in the terms of the target say so too?
    pub(super) fn is_answered_within(&self, at: f64) -> bool {
        check();
        let is_within = |at| -> Result<bool, CalibrationError> {
            let mechanism = self.family.fill(at)?;
            let query = self.query(&mechanism);
            Ok(self.target.is_within(&self.target.answer(&query, false)?)
                && self.target.read(&query)?.verdict == Verdict::Meets)
        };
        is_within(at).unwrap_or(false)
    }

    /// The same, roughly if that is enough to tell on which side of the target the number is.
    pub(super) fn read_as_needed(&self, at: f64) -> Result<Point, CalibrationError> {
        let rough = Self { tolerance: Some(self.tolerance.unwrap_or(0.0).max(ROUGH)), ..*self }.read(at)?;
        let Reading { excess, uncertainty, .. } = rough.reading;
        let is_enough = !(SHARP..VAGUE).contains(&uncertainty) || excess.abs() > 3.0 * uncertainty;
        if is_enough { Ok(rough) } else { self.read(at) }
    }

    /// The same question for the direction that spends most at `point`: enough for a search, and half the work. What it finds is
    /// proven for that direction only.
    pub(super) fn in_direction_of(&self, point: &Point) -> Self {
        if self.is_cautious { *self } else { Self { relation: point.reading.binding, ..*self } }
    }
}
