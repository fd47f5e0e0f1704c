//! The planner as data: a table of questions, and which engine answers each.

use hockeystick::{Answer, Query, mechanism::Mechanism, plan::Plan};

/// One question of the table.
struct Case<'a> {
    line: &'a str,
    mechanism: Mechanism,
    fields: Vec<&'a str>,
}

impl<'a> Case<'a> {
    /// `expression | relation | question | tolerance | method | engine | reason`, where a reason may contain the bar.
    fn new(line: &'a str) -> Self {
        let fields: Vec<&str> = line.splitn(7, '|').map(str::trim).collect();
        assert_eq!(fields.len(), 7, "{line}");
        Self { line, mechanism: fields[0].parse().unwrap(), fields }
    }

    fn ask(&self) -> Answer {
        let query = Query::new(&self.mechanism)
            .relation(self.fields[1].parse().unwrap())
            .method(self.fields[4].parse().unwrap());
        let query =
            if self.fields[3] == "-" { query } else { query.tolerance(self.fields[3].parse().unwrap()) };
        let answer = match self.fields[2].split_once(" at ").unwrap() {
            ("epsilon", delta) => query.epsilon(delta.parse().unwrap()),
            ("delta", epsilon) => query.delta(epsilon.parse().unwrap()),
            (question, _) => panic!("{question} is no question"),
        };
        answer.unwrap_or_else(|error| panic!("{}: {error}", self.line))
    }

    /// What a field says of a direction: the same of each, if there is no slash in it.
    fn of_direction(&self, field: usize, index: usize) -> &'a str {
        let each: Vec<_> = self.fields[field].split(" / ").collect();
        each[index.min(each.len() - 1)]
    }
}

/// The engine without its parameters.
fn engine(plan: &Plan) -> String {
    let text = plan.engine.to_string();
    let name = text.split(':').next().unwrap_or_default();
    if text.contains("; and lattice") { format!("{name} and lattice") } else { name.to_owned() }
}

#[test]
fn every_question_is_answered_as_planned() {
    let lines = include_str!("../plans.txt").lines().filter(|line| !line.starts_with('#'));
    let mut wrong = Vec::new();
    for case in lines.map(Case::new) {
        let answer = case.ask();
        assert!(!answer.plans().is_empty(), "{}", case.line);
        for (i, plan) in answer.plans().iter().enumerate() {
            if engine(plan) != case.of_direction(5, i) || !plan.reason.contains(case.of_direction(6, i)) {
                wrong.push(format!(
                    "{}\n  {:?}: {} because {}",
                    case.line, plan.direction, plan.engine, plan.reason
                ));
            }
        }
        // An answer is signed with the method of a plan that led to it.
        assert!(answer.plans().iter().any(|plan| plan.engine.method() == answer.method()), "{}", case.line);
        // The width that was asked for is reached, or the answer says that it is not.
        if let (Ok(wanted), Some(lower)) = (case.fields[3].parse::<f64>(), answer.lower()) {
            let reached = (answer.upper() - lower) / answer.upper();
            assert!(reached <= wanted || answer.shortfall().is_some(), "{}: {reached:e}", case.line);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
