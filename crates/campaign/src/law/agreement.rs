//! Whatever is proven about the same number, in whatever way, must be true of one number.

use super::{findings::Findings, subject::Subject};
use crate::oracle::{Asked, Bounds};
use hockeystick::{mechanism::Relation, query::Method};
use hockeystick_chance::Random;

/// Methods that enclose, and that take little time.
pub const ENCLOSING: [Method; 3] = [Method::ClosedForm, Method::ExactSums, Method::Contour];

/// Methods without a lower end, or with one that says little.
pub const BOUNDING: [Method; 9] = [
    Method::Rdp,
    Method::RdpClassic,
    Method::RdpOptimal,
    Method::Markov,
    Method::BerryEsseen,
    Method::Nagaev,
    Method::Kov,
    Method::Basic,
    Method::Advanced,
];

/// Methods that are here as they were published: slow, and wide.
pub const PUBLISHED: [Method; 5] =
    [Method::Tangents, Method::Buckets, Method::Riemann, Method::Fourier, Method::AfaGrid];

/// δ(ε) inverts ε(δ).
pub(super) fn inverse(subject: &Subject<'_>, _: &mut Random, findings: &mut Findings) {
    let (case, Bounds { lower, upper }) = (subject.case, subject.epsilon);
    let target = case.delta;
    if upper.is_finite()
        && let Some(there) = findings.ask(subject, &case.mechanism, Method::Auto, Asked::Delta(upper))
    {
        findings.expect(there.lower <= target, || {
            format!("ε({target:e}) ≤ {upper:?}, but δ there ≥ {:e}", there.lower)
        });
    }
    if lower > 0.0
        && lower.is_finite()
        && let Some(there) = findings.ask(subject, &case.mechanism, Method::Auto, Asked::Delta(lower))
    {
        findings.expect(there.upper >= target, || {
            format!("ε({target:e}) ≥ {lower:?}, but δ there ≤ {:e}", there.upper)
        });
    }
}

/// The relation of both directions is the worse of the two.
pub(super) fn directions(subject: &Subject<'_>, _: &mut Random, findings: &mut Findings) {
    let case = subject.case;
    if case.relation != Relation::AddRemove {
        return;
    }
    let ask = |relation| {
        subject.oracle.ask(&case.mechanism, relation, Method::Auto, Asked::Epsilon(case.delta)).ok()
    };
    if let (Some(add), Some(remove)) = (ask(Relation::Add), ask(Relation::Remove)) {
        let worse = Bounds { lower: add.lower.max(remove.lower), upper: add.upper.max(remove.upper) };
        findings.expect(subject.epsilon.meets(worse), || {
            format!("ε({:e}) in {:?}, but add in {add:?}, remove in {remove:?}", case.delta, subject.epsilon)
        });
    }
}

/// The engines that enclose, and that take little time.
pub(super) fn engines(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    overlap(subject, random, findings, &ENCLOSING);
}

/// Bounds without a lower end.
pub(super) fn upper_bounds(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let first = random.below(BOUNDING.len() as u64) as usize;
    let some = [BOUNDING[first], BOUNDING[(first + 1 + random.below(8) as usize) % BOUNDING.len()]];
    overlap(subject, random, findings, &some);
}

/// The lattice.
pub(super) fn lattice(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    overlap(subject, random, findings, &[Method::Lattice]);
}

/// One of the methods that are here as they were published: slow, and wide.
pub(super) fn published(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings) {
    let method = *random.one_of(&PUBLISHED);
    overlap(subject, random, findings, &[method]);
}

/// δ between the bounds of ε, by each of the methods.
fn overlap(subject: &Subject<'_>, random: &mut Random, findings: &mut Findings, methods: &[Method]) {
    let case = subject.case;
    let Some(middle) = subject.middle() else { return };
    // Also where the line or lattice of the answer was not made for.
    let at = if random.chance(0.7) { middle } else { middle * random.uniform(0.3, 1.5) };
    let asked = Asked::Delta(at);
    let mut proven = vec![];
    for &method in [Method::Auto].iter().chain(methods) {
        if let Some(bounds) = findings.ask(subject, &case.mechanism, method, asked) {
            proven.push((method, bounds));
        } else if method == Method::Auto {
            return;
        }
    }
    for (i, (first, one)) in proven.iter().enumerate() {
        for (second, other) in &proven[i + 1..] {
            findings.expect(one.meets(*other), || {
                format!("δ({at:?}) in {one:?} by {first}, {other:?} by {second}")
            });
        }
    }
}

#[test]
fn every_method_that_proves_something_is_asked() {
    for method in Method::all().filter(|method| !method.only_estimates()) {
        let groups = [&ENCLOSING[..], &BOUNDING, &PUBLISHED, &[Method::Auto, Method::Lattice]];
        assert_eq!(groups.iter().filter(|group| group.contains(&method)).count(), 1, "{method}");
    }
}
