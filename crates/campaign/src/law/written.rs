//! What is written down and read again is the same mechanism, and gets the same answer to the last bit.

use super::{findings::Findings, subject::Subject};
use crate::oracle::Asked;
use hockeystick::{mechanism::Mechanism, query::Method};
use hockeystick_chance::Random;

pub(super) fn written(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let case = subject.case;
    let text = case.mechanism.to_string();
    let from_text = text.parse::<Mechanism>().ok();
    findings
        .expect(from_text.as_ref() == Some(&case.mechanism), || format!("{text} is read as {from_text:?}"));
    let json = serde_json::to_string(&case.mechanism).unwrap_or_default();
    let from_json = serde_json::from_str::<Mechanism>(&json).ok();
    findings
        .expect(from_json.as_ref() == Some(&case.mechanism), || format!("{json} is read as {from_json:?}"));
    let (way, again) = if random.chance(0.5) { ("text", from_text) } else { ("JSON", from_json) };
    let Some(again) = again else { return };
    if let Some(found) = findings.ask(subject, &again, Method::Auto, Asked::Epsilon(case.delta)) {
        findings.expect(subject.epsilon.is_same(found), || {
            format!("ε({:e}) in {:?}, but after {way} in {found:?}", case.delta, subject.epsilon)
        });
    }
}
