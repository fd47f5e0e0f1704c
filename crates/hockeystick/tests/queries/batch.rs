//! Many questions at once: the same bits as one by one, equal ones once, limits for each.

use hockeystick::{
    Error, Query,
    engine::Goal,
    limits::Limits,
    mechanism::{Mechanism, Relation, Template},
    pair::{Bound, PiecewisePair, Releases},
    query::{
        Method, Shortfall, Target,
        batch::{Asked, Wanted, answers, calibrations, distinct, each_answer},
    },
};
use std::{ops::ControlFlow, sync::Arc, time::Duration};

const MECHANISMS: [&str; 9] = [
    "poisson(gaussian(sigma=1), rate=0.01) * 1000",
    "gaussian(sigma=2) * 10",
    "laplace(scale=5) * 2 + gaussian(sigma=3) * 5",
    "zcdp(rho=0.1)",
    "gaussian(sigma=2) * 4 + gaussian(sigma=2) * 6",
    "discrete_laplace(scale=3) * 2",
    "dp(epsilon=0.5, delta=1e-9) * 10",
    "gaussian(sigma=3) * 5 + laplace(scale=5) * 2",
    "pair(file=\"there is no such file.csv\")",
];

fn mechanisms() -> Vec<Mechanism> {
    MECHANISMS.iter().map(|text| text.parse().unwrap()).collect()
}

/// Questions that have answers, bounds and none, in two rounds.
fn questions(mechanisms: &[Mechanism]) -> Vec<Asked<'_>> {
    let goals = [
        Goal::Epsilon { delta: 1e-6 },
        Goal::Delta { epsilon: 1.0 },
        Goal::Epsilon { delta: f64::NAN },
        Goal::Epsilon { delta: 0.0 },
    ];
    let each = mechanisms.iter().flat_map(|mechanism| goals.map(|goal| (Query::new(mechanism), goal)));
    each.clone().chain(each).map(|(query, goal)| Asked { query, goal }).collect()
}

#[test]
fn answers_are_those_of_questions_alone() {
    let mechanisms = mechanisms();
    let questions = questions(&mechanisms);
    let together = answers(&questions);
    assert_eq!(together.len(), questions.len());
    for (asked, answer) in questions.iter().zip(together) {
        // A NaN in an error equals nothing.
        assert_eq!(format!("{:?}", asked.answer()), format!("{answer:?}"), "{asked:?}");
    }
}

#[test]
fn equal_parts_asked_the_same_are_one_question() {
    let mechanisms = mechanisms();
    let questions = questions(&mechanisms);
    // 4 + 6 uses are 10 uses; the order of parts may show in the last digit.
    assert_eq!(distinct(&questions).count(), 4 * (MECHANISMS.len() - 1));
    let first = &mechanisms[0];
    let goal = Goal::Epsilon { delta: 1e-6 };
    let different = [
        Query::new(first),
        Query::new(first).relation(Relation::Add),
        Query::new(first).method(Method::RdpOptimal),
        Query::new(first).tolerance(1e-3),
        Query::new(first).limits(Limits::USUAL),
    ];
    let asked = different.map(|query| Asked { query, goal });
    assert_eq!(distinct(&asked).count(), asked.len());
    let other = Asked { goal: Goal::Delta { epsilon: 1e-6 }, ..asked[0] };
    assert_eq!(distinct(&[asked[0], other]).count(), 2);
}

#[test]
fn pairs_of_ones_own_are_one_if_they_are_the_same() {
    let made = || {
        let pair = PiecewisePair::new(&[Bound::new(0.1, 1e-9).unwrap()]);
        Releases::of_pair("mine", Arc::new(pair), 10).unwrap()
    };
    let (one, other) = (made(), made());
    let asked = |releases| Asked { query: Query::of(releases), goal: Goal::Epsilon { delta: 1e-6 } };
    let all = [asked(&one), asked(&other), asked(&one)];
    assert_eq!(distinct(&all).count(), 2);
    let answers = answers(&all);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn each_question_has_its_own_limits() {
    let slow: Mechanism = "laplace(scale=1000) * 50000 + laplace(scale=1001) * 50000".parse().unwrap();
    let quick: Mechanism = "gaussian(sigma=2)".parse().unwrap();
    let limits = Limits { time: Some(Duration::ZERO), memory: None };
    let goal = Goal::Epsilon { delta: 1e-6 };
    let asked: Vec<Asked<'_>> = [&slow, &quick, &slow, &quick]
        .map(|mechanism| Asked { query: Query::new(mechanism).limits(limits), goal })
        .into();
    let answers = answers(&asked);
    for (at, answer) in answers.iter().enumerate() {
        let is_stopped = match answer {
            Ok(answer) => matches!(answer.shortfall(), Some(Shortfall::Stopped { .. })),
            Err(error) => matches!(error, Error::Stopped { .. }),
        };
        // A closed form may be done before anybody looks at a clock.
        assert!(is_stopped || at % 2 == 1, "{at}: {answer:?}");
    }
}

#[test]
fn answers_come_in_order_until_nobody_wants_more() {
    let mechanisms = mechanisms();
    let mut handed = Vec::new();
    let end = each_answer(
        &questions(&mechanisms),
        |answer| answer.is_ok(),
        |at, is_ok| {
            handed.push((at, is_ok));
            if at == 4 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
        },
    );
    assert_eq!(end, ControlFlow::Break("enough"));
    assert_eq!(handed[..3], [(0, true), (1, true), (2, false)]);
    assert_eq!(handed.len(), 5);
}

#[test]
fn calibrations_are_those_of_each_alone() {
    let templates = [
        "poisson(gaussian(sigma=?), rate=0.01) * 1000",
        "gaussian(sigma=?) * 10",
        "laplace(scale=20) + dp(epsilon=0.1) * ?",
    ];
    let templates: Vec<Template> = templates.iter().map(|text| Template::parse(text).unwrap()).collect();
    let targets = [
        Target::Guarantee { epsilon: 1.0, delta: 1e-6 },
        Target::Guarantee { epsilon: -1.0, delta: 1e-6 },
        Target::Advantage { at_most: 0.1 },
    ];
    let wanted: Vec<Wanted<'_>> = (templates.iter().chain(&templates))
        .flat_map(|template| {
            targets.map(|target| Wanted {
                template,
                target,
                relation: Relation::AddRemove,
                method: Method::Auto,
                tolerance: None,
                limits: Limits::NONE,
            })
        })
        .collect();
    for (wanted, found) in wanted.iter().zip(calibrations(&wanted)) {
        assert_eq!(format!("{:?}", wanted.calibration()), format!("{found:?}"));
    }
}
