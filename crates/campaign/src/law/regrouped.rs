//! Repeating is composing: `m * k` is `m * a + m * (k − a)`, in any order.

use super::{findings::Findings, subject::Subject};
use crate::{
    oracle::Asked,
    worse::{parts, uses},
};
use hockeystick::{
    mechanism::{Algebra, Compose},
    query::Method,
};
use hockeystick_chance::Random;

pub(super) fn regrouped(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let case = subject.case;
    let mut parts = parts(&case.mechanism);
    let which = random.below(parts.len() as u64) as usize;
    let (mechanism, count) = uses(&parts[which]);
    if count >= 2 {
        let some = 1 + random.below(count - 1);
        parts[which] = mechanism.clone().repeat(count - some);
        parts.push(mechanism.repeat(some));
    }
    let first = random.below(parts.len() as u64) as usize;
    parts.rotate_left(first);
    // Regrouped sums are composed as such where the composition is nested.
    if parts.len() >= 3 && random.chance(0.5) {
        let rest = parts.split_off(1);
        parts.extend(Compose::new(rest).map(|rest| rest.repeat(1)));
    }
    let Some(other) = Compose::new(parts) else { return };
    if other == case.mechanism {
        return;
    }
    if let Some(found) = findings.ask(subject, &other, Method::Auto, Asked::Epsilon(case.delta)) {
        findings.expect(subject.epsilon.meets(found), || {
            format!("ε({:e}) in {:?}, but of {other} in {found:?}", case.delta, subject.epsilon)
        });
    }
}
