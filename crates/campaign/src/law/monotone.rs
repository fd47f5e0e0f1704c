//! Smaller δ, more uses, less noise: never a smaller ε.

use super::{findings::Findings, subject::Subject};
use crate::{oracle::Asked, worse};
use hockeystick::{mechanism::Mechanism, query::Method};
use hockeystick_chance::Random;

pub(super) fn smaller_delta(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let (case, lower) = (subject.case, subject.epsilon.lower);
    let smaller = case.delta * random.log_uniform(1e-3, 1.0);
    if lower == 0.0 || smaller == 0.0 {
        return;
    }
    let asked = Asked::Epsilon(smaller);
    if let Some(other) = findings.ask(subject, &case.mechanism, Method::Auto, asked) {
        findings.expect(lower <= other.upper, || {
            format!("ε({:e}) ≥ {lower:?}, but ε({smaller:e}) ≤ {:?}", case.delta, other.upper)
        });
    }
}

pub(super) fn more_uses(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    spends_more(subject, random, findings, worse::more_uses);
}

pub(super) fn less_noise(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    spends_more(subject, random, findings, worse::less_noise);
}

fn spends_more(
    subject: &Subject<'_>,
    random: &mut Random,
    findings: &mut Findings,
    change: fn(&Mechanism, &mut Random) -> Option<Mechanism>,
) {
    let (case, lower) = (subject.case, subject.epsilon.lower);
    if lower == 0.0 {
        return;
    }
    let Some(worse) = worse::with_one_changed(&case.mechanism, random, change) else { return };
    if let Some(other) = findings.ask(subject, &worse, Method::Auto, Asked::Epsilon(case.delta)) {
        findings.expect(lower <= other.upper, || {
            format!("ε({:e}) ≥ {lower:?}, but of {worse} ≤ {:?}", case.delta, other.upper)
        });
    }
}
