//! Where to begin.
//!
//! A bound by moments takes a tenth of a millisecond wherever it is asked, and meets a target at a number not far from the one
//! that is looked for. Far from there a composition can take seconds: few uses of rare samples that reveal much.

use super::{
    bracket::{self, Found},
    domain::Domain,
    problem::Problem,
    real,
    target::Target,
};
use crate::query::Method;

/// Moments of losses much larger than any that is asked for take seconds each.
const LARGEST: f64 = 1e4;
/// How far from the target the guess may be, in standard deviations.
const CLOSE: f64 = 0.25;

/// The domain, beginning where a bound by moments meets the target if it does anywhere. It is only a guess.
pub(super) fn near(problem: &Problem<'_>, domain: Domain) -> Domain {
    moments_root(problem, &domain).unwrap_or(domain)
}

fn moments_root(problem: &Problem<'_>, domain: &Domain) -> Option<Domain> {
    let is_ordinary = matches!(problem.target, Target::Guarantee { epsilon, .. } if epsilon <= LARGEST);
    let is_asked = is_ordinary && problem.method == Method::Auto;
    // Closed forms take no time, wherever they are asked.
    let is_cheap = || Problem { method: Method::ClosedForm, ..*problem }.read(domain.start).is_ok();
    if !is_asked || is_cheap() {
        return None;
    }
    let moments = Problem { method: Method::Rdp, ..*problem };
    let Found::Bracket { meets, misses } = bracket::between(&moments, domain).ok()? else { return None };
    let at = real::search_between(&moments, meets, misses, CLOSE).root;
    let at = if domain.whole { at.round() } else { at };
    problem.family.fill(at).ok()?;
    Some(domain.near(at, misses.at))
}
