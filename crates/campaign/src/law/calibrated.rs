//! What calibration says meets a target is not shown to miss it by a question, and the other way round.

use super::{findings::Findings, subject::Subject};
use crate::oracle::{Asked, Refusal, guarded};
use hockeystick::{
    mechanism::Template,
    query::{Method, Outcome, Target, calibrate},
};
use hockeystick_chance::Random;

pub(super) fn calibrated(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let case = subject.case;
    let templates = templates(&case.mechanism.to_string());
    if templates.is_empty() || !subject.epsilon.upper.is_finite() {
        return;
    }
    let text = random.one_of(&templates);
    let Ok(template) = Template::parse(text) else { return };
    let epsilon = subject.epsilon.upper * random.uniform(0.5, 2.0);
    let target = Target::Guarantee { epsilon, delta: case.delta };
    let outcome = guarded(|| calibrate(&template, target, case.relation, Method::Auto, Some(0.05)));
    let calibration = match outcome {
        Ok(Ok(calibration)) => calibration,
        Ok(Err(_)) => return,
        Err(Refusal::Panicked(what) | Refusal::Malformed(what) | Refusal::Refused(what)) => {
            findings.broken.push(format!("{text} calibrated to ε = {epsilon:?} panics: {what}"));
            return;
        }
    };
    let (meets, misses) = match calibration.outcome() {
        Outcome::Found { value, too_little } => (Some(value), too_little),
        Outcome::EveryValue { value } => (Some(value), None),
        Outcome::Impossible { .. } => (None, None),
    };
    for (value, is_met) in [(meets, true), (misses, false)] {
        let Some(mechanism) = value.and_then(|value| template.fill(value).ok()) else { continue };
        if let Some(delta) = findings.ask(subject, &mechanism, Method::Auto, Asked::Delta(epsilon)) {
            let holds = if is_met { delta.lower <= case.delta } else { delta.upper > case.delta };
            findings.expect(holds, || {
                let word = if is_met { "meet" } else { "miss" };
                format!(
                    "{mechanism} is said to {word} ({epsilon:?}, {:e}), but δ is in {delta:?}",
                    case.delta
                )
            });
        }
    }
}

/// The expression with each of its numbers in turn replaced by `?`, outside of quotes.
fn templates(expression: &str) -> Vec<String> {
    let mut templates = vec![];
    for (position, sign) in expression.match_indices(['=', '*']) {
        let (before, after) = expression.split_at(position + 1);
        let start = if sign == "*" { 1 } else { 0 };
        let length = after[start..].find([',', ')', ' ']).unwrap_or(after.len() - start);
        if after[start..start + length].parse::<f64>().is_ok() {
            templates.push(format!("{before}{}?{}", &after[..start], &after[start + length..]));
        }
    }
    templates
}

#[test]
fn every_number_outside_of_quotes_has_its_turn() {
    let found = templates("poisson(gaussian(sigma=1), rate=0.5) * 7 + pair(p=\"0,1\", q=\"1,0\")");
    assert_eq!(found.len(), 3);
    assert!(found[2].contains("* ? + pair"), "{found:?}");
    assert!(found.iter().all(|text| Template::parse(text).is_ok()));
}
