//! Many calibrations.

use super::Distinct;
use crate::{
    error::Error,
    mechanism::{Relation, Template},
    query::{Calibration, CalibrationError, Method, Target, calibrate},
};
use hockeystick_numerics::limits::{Limits, within};
use std::{convert::Infallible, ops::ControlFlow};

/// An expression with one `?`, and what the number in its place is to meet.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The expression.
    pub template: &'a Template,
    /// What is to be met.
    pub target: Target,
    /// Which datasets are neighbours.
    pub relation: Relation,
    /// How answers are computed.
    pub method: Method,
    /// The relative width wanted of them.
    pub tolerance: Option<f64>,
    /// How long this one may take, and how much memory it may hold.
    pub limits: Limits,
}

impl Wanted<'_> {
    /// The number for this one alone.
    pub fn calibration(&self) -> Result<Calibration, CalibrationError> {
        let Self { template, target, relation, method, tolerance, limits } = *self;
        within(limits, || calibrate(template, target, relation, method, tolerance))
            .unwrap_or_else(|why| Err(Error::Stopped { why }.into()))
    }
}

/// The numbers for all of them, in their order, on all cores. What is wanted twice is searched once.
///
/// ```
/// use hockeystick::{limits::Limits, mechanism::{Relation, Template}, query::{Method, Target, batch::{Wanted, calibrations}}};
///
/// let template = Template::parse("gaussian(sigma=?) * 100")?;
/// let wanted = |epsilon| Wanted {
///     template: &template,
///     target: Target::Guarantee { epsilon, delta: 1e-6 },
///     relation: Relation::AddRemove,
///     method: Method::Auto,
///     tolerance: None,
///     limits: Limits::NONE,
/// };
/// let found = calibrations(&[wanted(1.0), wanted(2.0)]).into_iter().collect::<Result<Vec<_>, _>>()?;
/// assert!(found[0].value() > found[1].value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Guarantee
/// Each is the same as [`Wanted::calibration`].
pub fn calibrations(wanted: &[Wanted<'_>]) -> Vec<Result<Calibration, CalibrationError>> {
    let distinct = distinct_calibrations(wanted);
    let mut found = Vec::with_capacity(wanted.len());
    let all: ControlFlow<Infallible> = distinct.in_order(
        |at| wanted[at].calibration(),
        |_, calibration| {
            found.push(calibration);
            ControlFlow::Continue(())
        },
    );
    let ControlFlow::Continue(()) = all;
    found
}

/// Which of them are the same.
pub fn distinct_calibrations(wanted: &[Wanted<'_>]) -> Distinct {
    let key = |wanted: &Wanted<'_>| {
        let Wanted { template, target, relation, method, tolerance, limits } = wanted;
        format!("{} {target:?} {relation:?} {method:?} {tolerance:?} {limits:?}", template.text())
    };
    Distinct::of(wanted.iter().map(key), |a, b| wanted[a].template == wanted[b].template)
}
