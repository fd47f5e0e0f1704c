//! One suite over every mechanism × direction × sampler: enclosures hold the references, and the laws of pairs hold.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
};
use hockeystick_golden::{Decimal, Row, rows};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Every file of references, one per mechanism.
const FILES: &[&str] = &[
    "gaussian",
    "gdp",
    "laplace",
    "truncated_gaussian",
    "truncated_laplace",
    "gaussian_mixture",
    "gaussian_variance",
];

fn pair_of(row: &Row) -> SharedPair {
    let mechanism: Mechanism =
        row.text("expression").parse().unwrap_or_else(|error| panic!("{row:?}: {error}"));
    let direction = match row.text("direction") {
        "remove" => Direction::Remove,
        "add" => Direction::Add,
        other => panic!("no direction {other}"),
    };
    dominating_pair(&mechanism, direction).unwrap_or_else(|error| panic!("{mechanism}: {error}"))
}

/// How wide enclosures are, relative to the truth.
#[derive(Default)]
struct Widths {
    all: Vec<f64>,
}

impl Widths {
    fn check(&mut self, row: &Row, column: &str, enclosure: Enclosure) {
        let truth = row.reference(column);
        assert!(
            truth.is_at_least(enclosure.lower()) && truth.is_at_most(enclosure.upper()),
            "{} {} at ε = {}: {column} is {}, not in [{:e}, {:e}]",
            row.text("expression"),
            row.text("direction"),
            row.text("epsilon"),
            row.text(column),
            enclosure.lower(),
            enclosure.upper()
        );
        if !truth.is_zero() {
            self.all.push(Decimal::exactly(enclosure.width()).ratio(&truth));
        }
    }

    fn at(&mut self, quantile: f64) -> f64 {
        self.all.sort_by(f64::total_cmp);
        self.all.get(((self.all.len() - 1) as f64 * quantile) as usize).copied().unwrap_or(0.0)
    }
}

#[test]
fn enclosures_hold_the_references() {
    for file in FILES {
        let mut widths = Widths::default();
        let references = rows(&format!("pair/{file}"));
        for row in &references {
            let pair = pair_of(row);
            let epsilon = Ball::from(row.number::<f64>("epsilon"));
            widths.check(row, "delta", pair.delta(epsilon).value());
            let mut others = Widths::default();
            let tails = pair.tails(epsilon);
            others.check(row, "p_tail", tails.p.value());
            others.check(row, "q_tail", tails.q.value());
            others.check(row, "p_infinite", pair.infinite_mass().value());
            others.check(row, "q_only", pair.vanishing_mass().value());
        }
        println!(
            "{file}: {} rows, relative width of δ: median {:.1e}, 90 % below {:.1e}, widest {:.1e}",
            references.len(),
            widths.at(0.5),
            widths.at(0.9),
            widths.at(1.0)
        );
    }
}
