//! The PRV Accountant's style: a lattice law with the right mean, and the error of its theorem on both sides.

use crate::{
    Failure,
    asked::{How, epsilons, mechanism},
    panel::Sample,
};
use hockeystick::{Query, engine::published::coupling_error, query::Method};
use hockeystick_numerics::enclosure::Enclosure;

/// The part of δ that the theorem may spend.
const FAILURE: f64 = 1e-3;

/// What it would answer: the ε of a law with the right mean, off by the error of its theorem on both sides.
pub(super) fn prv(
    text: &str,
    counts: &[u64],
    spacing: f64,
    delta: f64,
) -> Result<Vec<(f64, Enclosure)>, Failure> {
    let failure = FAILURE * delta;
    let at = |&count: &u64| {
        let composed = mechanism(&format!("{text} * {count}"))?;
        let ends = [delta + failure, delta - failure].map(|delta| Query::new(&composed).epsilon(delta));
        let [low, high] = ends;
        let low = low?.lower().ok_or(Failure::Missing("the lower end of ε"))?;
        let error = Enclosure::point(coupling_error(spacing, count, failure));
        let bounds = Enclosure::point(low) - error;
        Ok((
            count as f64,
            Enclosure::new(bounds.lower().max(0.0), (Enclosure::point(high?.upper()) + error).upper()),
        ))
    };
    counts.iter().map(at).collect()
}

/// How many points its lattice has: from `−L` to `L`, where `L` is 3 more than the largest of `ε_k(η/4)`, `ε_1(η/(8k))` and the
/// error, the first two by Rényi divergences (Gopi, Lee and Wutschitz 2021, Remark 5.6, and their program).
pub(super) fn prv_points(
    text: &str,
    counts: &[u64],
    spacing: f64,
    delta: f64,
) -> Result<Vec<Sample>, Failure> {
    let failure = FAILURE * delta;
    let reach = |text: String, failure: f64| -> Result<f64, Failure> {
        let reached = epsilons(&[(0.0, mechanism(&text)?)], How::removing(Method::Rdp), failure)?;
        Ok(reached.first().map_or(0.0, |sample| sample.y))
    };
    let at = |&count: &u64| {
        let composed = reach(format!("{text} * {count}"), failure / 4.0)?;
        let one = reach(text.to_owned(), failure / (8.0 * count as f64))?;
        let end = 3.0 + composed.max(one).max(coupling_error(spacing, count, failure));
        Ok(Sample::plain(count as f64, 2.0 * (end / spacing).ceil() + 2.0))
    };
    counts.iter().map(at).collect()
}
