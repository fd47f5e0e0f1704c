//! δ near 1: the complement has digits of its own, down to 10⁻¹³, and ε is as narrow as anywhere.

use hockeystick::{
    Query, composition,
    curve::PrivacyProfile,
    engine::{
        Goal,
        contour::{Accuracy, Contour},
    },
    mechanism::{Mechanism, Relation},
    pair::{Direction, Releases, SharedPair, dominating_pair},
    plan::{Method, Request},
};
use hockeystick_golden::{Row, rows};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

struct Case {
    mechanism: Mechanism,
    relation: Relation,
    epsilon: f64,
    row: Row,
}

impl Case {
    fn all() -> impl Iterator<Item = Self> {
        rows("composition/complement").into_iter().map(|row| Self {
            mechanism: row.text("expression").parse().unwrap(),
            relation: row.text("direction").parse().unwrap(),
            epsilon: row.number("epsilon"),
            row,
        })
    }

    fn uses(&self) -> u64 {
        composition::parts(&self.mechanism).unwrap().iter().map(|part| part.count).sum()
    }

    fn pairs(&self) -> Vec<(SharedPair, u64)> {
        let direction = Direction::of(self.relation)[0];
        let parts = composition::parts(&self.mechanism).unwrap();
        let pair = |part: &composition::Part<'_>| dominating_pair(part.mechanism, direction).unwrap();
        parts.iter().map(|part| (pair(part), part.count)).collect()
    }

    /// The relative width of the complement, if it and δ itself are enclosed.
    fn check(&self, delta: Probability) -> f64 {
        let (truth, missing) = (self.row.reference("missing"), delta.complement());
        assert!(
            truth.is_at_least(missing.lower()) && truth.is_at_most(missing.upper()),
            "{self}: {missing:?} misses {}",
            self.row.text("missing")
        );
        let value = delta.value();
        assert!(value.overlaps(missing.one_minus()), "{self}: {value:?} and {missing:?}");
        missing.width() / missing.upper()
    }

    /// Doubles that are certainly below, and certainly above, the reference of δ.
    fn targets(&self) -> [f64; 2] {
        let missing: f64 = self.row.number("missing");
        let middle = Enclosure::point(missing).one_minus();
        [middle.lower().next_down().next_down(), middle.upper().next_up().next_up()]
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} at ε = {}", self.mechanism, self.relation, self.epsilon)
    }
}

/// |M| decays along a line with many uses of a continuous loss.
#[test]
fn lines_between_the_poles_enclose_the_complement() {
    let mut many = 0;
    for case in Case::all() {
        let goal = Goal::Delta { epsilon: case.epsilon };
        let Some(contour) = Contour::compose(&case.pairs(), goal, Accuracy::NARROW) else { continue };
        let width = case.check(contour.delta(case.epsilon).delta);
        let has_atoms_only = case.mechanism.to_string().starts_with("randomized_response(epsilon=1)");
        if case.uses() >= 40 && !has_atoms_only {
            assert!(width <= 1e-8, "{case}: {width:.1e}");
            many += 1;
        }
    }
    assert!(many > 100, "{many}");
}

/// By whatever engine is planned.
#[test]
fn delta_has_its_digits_near_one() {
    for case in Case::all() {
        let releases = Releases::of(&case.mechanism).unwrap();
        let request = Request {
            releases: &releases,
            relation: case.relation,
            method: Method::Auto,
            tolerance: 1e-9,
            goal: Goal::Delta { epsilon: case.epsilon },
        };
        let composed = request.compose().unwrap().remove(0);
        let width = case.check(composed.profile.delta(case.epsilon).delta);
        // Two uses of a sampled mechanism are left to a lattice.
        let allowed = if case.uses() == 2 { 1e-6 } else { 1e-8 };
        assert!(width <= allowed, "{case}: {width:.1e} by {}", composed.plan.engine);
    }
}

#[test]
fn epsilon_is_as_narrow_near_one_as_anywhere() {
    let mut widest = 0.0f64;
    for case in Case::all().filter(|case| case.epsilon > 0.0 && case.uses() != 2) {
        let [refused, granted] = case.targets().map(|delta| {
            let answer = Query::new(&case.mechanism).relation(case.relation).epsilon(delta).unwrap();
            Enclosure::new(answer.lower().unwrap(), answer.upper())
        });
        assert!(
            granted.lower() <= case.epsilon && case.epsilon <= refused.upper(),
            "{case}: {granted:?} and {refused:?} miss it"
        );
        // Where 1 − δ is below 10⁻¹⁰ the next double of δ is a visible step.
        if case.row.number::<f64>("missing") > 1e-9 {
            widest = widest.max(granted.width() / granted.upper());
        }
    }
    assert!(widest < 1e-8, "{widest:.1e}");
}

/// ε = 0 spends too little or enough: far below the mean of the loss, δ is above every target.
#[test]
fn a_delta_that_is_reached_at_no_epsilon_costs_nothing() {
    let step: Mechanism = "poisson(gaussian(sigma=1), rate=0.01) * 1000000".parse().unwrap();
    let answer = Query::new(&step).epsilon(1.0 - 1e-12).unwrap();
    assert_eq!((answer.lower(), answer.upper()), (Some(0.0), 0.0));
    let above = Query::new(&step).epsilon(1.0 - 1e-9).unwrap();
    assert!(above.lower().unwrap() > 4.2 && above.upper() < 4.4, "{above:?}");
}
