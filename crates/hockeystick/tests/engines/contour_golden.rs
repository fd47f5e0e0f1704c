//! Compositions of every kind, up to 10⁹ uses, against references: δ(ε) and ε(δ), by whatever engine is planned and by the
//! contour engine itself.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query, composition,
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        contour::{Accuracy, Contour},
    },
    mechanism::{Mechanism, Relation},
    pair::{Direction, SharedPair, dominating_pair},
};
use hockeystick_golden::{Row, rows};
use hockeystick_numerics::enclosure::Enclosure;

/// One row in this many: the contour's δ takes milliseconds, a lattice or an inverse up to a second.
const EPSILON_STRIDE: usize = 3;
const QUERY_STRIDE: usize = 4;
const QUERY_EPSILON_STRIDE: usize = 12;

struct Case {
    mechanism: Mechanism,
    relation: Relation,
    epsilon: f64,
    row: Row,
}

impl Case {
    fn new(row: Row) -> Option<Self> {
        let epsilon: f64 = row.number("epsilon");
        (epsilon >= 0.0).then(|| Self {
            mechanism: row.text("expression").parse().unwrap(),
            relation: row.text("direction").parse().unwrap(),
            epsilon,
            row,
        })
    }

    fn pairs(&self) -> Vec<(SharedPair, u64)> {
        let direction = Direction::of(self.relation)[0];
        let parts = composition::parts(&self.mechanism).unwrap();
        let pair = |part: &composition::Part<'_>| dominating_pair(part.mechanism, direction).unwrap();
        parts.iter().map(|part| (pair(part), part.count)).collect()
    }

    fn contour(&self, goal: Goal) -> Option<Contour> {
        Contour::compose(&self.pairs(), goal, Accuracy::NARROW)
    }

    /// The relative width, if the bounds enclose the reference.
    fn check_delta(&self, bounds: Enclosure) -> f64 {
        let truth = self.row.reference("delta");
        assert!(
            truth.is_at_least(bounds.lower()) && truth.is_at_most(bounds.upper()),
            "{} {} at ε = {}: {bounds:?} misses {}",
            self.mechanism,
            self.relation,
            self.epsilon,
            self.row.text("delta")
        );
        bounds.width() / bounds.upper().max(f64::MIN_POSITIVE)
    }

    /// Doubles at or below, and at or above, the reference of δ.
    fn targets(&self) -> Option<[f64; 2]> {
        let nearest: f64 = self.row.number("delta");
        let (below, above) = (nearest.next_down(), nearest.next_up());
        (below > 0.0 && above < 1.0).then_some([below, above])
    }

    /// A larger δ is granted for at most the reference's ε, a smaller one is refused for less.
    fn check_epsilon(&self, [refused, granted]: [Enclosure; 2]) -> f64 {
        assert!(
            granted.lower() <= self.epsilon && self.epsilon <= refused.upper(),
            "{} {} at δ = {}: {granted:?} and {refused:?} miss ε = {}",
            self.mechanism,
            self.relation,
            self.row.text("delta"),
            self.epsilon
        );
        granted.width() / granted.upper().max(f64::MIN_POSITIVE)
    }
}

/// Widths, for what is printed.
#[derive(Default)]
struct Widths(Vec<f64>);

impl Widths {
    fn report(mut self, name: &str) {
        self.0.sort_by(f64::total_cmp);
        let Some(last) = self.0.len().checked_sub(1) else { return };
        let at = |share: f64| self.0[(last as f64 * share) as usize];
        println!(
            "{name}: {} cases enclosed, relative width {:.0e} (median), {:.0e} (90 %), {:.0e} (99 %), {:.0e} (widest)",
            self.0.len(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        );
    }
}

fn cases(skip: usize, stride: usize) -> impl Iterator<Item = Case> {
    rows("composition/contour").into_iter().skip(skip).step_by(stride).filter_map(Case::new)
}

#[test]
fn the_contour_engine_encloses_delta() {
    let mut widths = Widths::default();
    for case in cases(0, 1) {
        if let Some(contour) = case.contour(Goal::Delta { epsilon: case.epsilon }) {
            widths.0.push(case.check_delta(contour.delta(case.epsilon).delta.value()));
        }
    }
    assert!(widths.0.len() > 800, "{}", widths.0.len());
    widths.report("contour, δ(ε)");
}

#[test]
fn the_contour_engine_encloses_epsilon() {
    let mut widths = Widths::default();
    for case in cases(0, EPSILON_STRIDE) {
        let Some(targets) = case.targets() else { continue };
        if let Some(contour) = case.contour(Goal::Epsilon { delta: targets[0] }) {
            widths.0.push(case.check_epsilon(targets.map(|delta| smallest_epsilon(&contour, delta).0)));
        }
    }
    assert!(widths.0.len() > 100, "{}", widths.0.len());
    widths.report("contour, ε(δ)");
}

#[test]
fn queries_enclose_delta() {
    let mut widths = Widths::default();
    for case in cases(1, QUERY_STRIDE) {
        let answer = Query::new(&case.mechanism).relation(case.relation).delta(case.epsilon).unwrap();
        widths.0.push(case.check_delta(Enclosure::new(answer.lower().unwrap(), answer.upper())));
    }
    widths.report("query, δ(ε)");
}

#[test]
fn queries_enclose_epsilon() {
    let mut widths = Widths::default();
    for case in cases(3, QUERY_EPSILON_STRIDE) {
        let Some(targets) = case.targets() else { continue };
        let bounds = targets.map(|delta| {
            let answer = Query::new(&case.mechanism).relation(case.relation).epsilon(delta).unwrap();
            Enclosure::new(answer.lower().unwrap(), answer.upper())
        });
        widths.0.push(case.check_epsilon(bounds));
    }
    widths.report("query, ε(δ)");
}
