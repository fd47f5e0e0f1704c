//! Questions where an accountant is most likely to be wrong, against answers of many digits that share no code with it.
//!
//! In: rows of `testdata/generate/attack.py`. Out: what does not enclose the truth, and what is wide though the truth stands still.

use crate::{
    law::{BOUNDING, ENCLOSING},
    oracle::{Asked, Bounds, Library, Oracle, Refusal, guarded},
};
use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_golden::{Decimal, Row};
use std::time::{Duration, Instant};

/// An interval may be as wide as this part of the truth, besides what the truth itself moves.
pub const WIDEST: f64 = 1e-3;
/// And as this, in any case: the narrowest that an answer has to be.
const NARROW: f64 = 1e-11;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Intervals and bounds that were held against the truth.
    pub comparisons: u64,
    /// Questions without any answer, and why.
    pub refused: Vec<String>,
    /// What does not enclose, and panics.
    pub violations: Vec<String>,
    /// Answers that are wider than they need be.
    pub wide: Vec<String>,
    /// Widths of automatic answers relative to the truth, for those that stand still.
    pub widths: Vec<f64>,
    /// What took longest, and how long.
    pub slowest: Option<(Duration, String)>,
}

impl Report {
    /// The width that this part of the answers does not exceed.
    pub fn width_at(&mut self, quantile: f64) -> f64 {
        self.widths.sort_by(f64::total_cmp);
        let last = self.widths.len().saturating_sub(1);
        self.widths.get((last as f64 * quantile) as usize).copied().unwrap_or(0.0)
    }
}

/// Holds every method that answers against each row: the automatic one to width, too.
pub fn check(rows: &[Row], mut progress: impl FnMut(usize, &Report)) -> Report {
    let mut report = Report::default();
    for (number, row) in rows.iter().enumerate() {
        progress(number, &report);
        Question::of(row).ask_all(number, &mut report);
    }
    report
}

struct Question<'a> {
    row: &'a Row,
    mechanism: Mechanism,
    relation: Relation,
    asked: Asked,
    /// `None` if no finite number will do.
    truth: Option<Decimal>,
    moves: f64,
}

impl<'a> Question<'a> {
    fn of(row: &'a Row) -> Self {
        let at = row.number("at");
        Self {
            row,
            mechanism: row.text("expression").parse().unwrap_or_else(|error| panic!("{row:?}: {error}")),
            relation: row.text("relation").parse().unwrap_or_else(|error| panic!("{row:?}: {error}")),
            asked: match row.text("question") {
                "delta" => Asked::Delta(at),
                "epsilon" => Asked::Epsilon(at),
                other => panic!("no question {other}"),
            },
            truth: (row.text("truth") != "inf").then(|| row.reference("truth")),
            moves: row.number("moves"),
        }
    }

    fn ask_all(&self, number: usize, report: &mut Report) {
        let start = Instant::now();
        match self.automatic() {
            Ok(bounds) => {
                self.compare(Method::Auto, bounds, report);
                self.measure(bounds, report);
            }
            Err(Refusal::Refused(why)) => report.refused.push(format!("{self}: {why}")),
            Err(refusal) => report.violations.push(format!("{self}: {refusal:?}")),
        }
        let mut methods = ENCLOSING.to_vec();
        methods.extend([BOUNDING[number % BOUNDING.len()], BOUNDING[(number / 2 + 4) % BOUNDING.len()]]);
        for method in methods {
            match Library.ask(&self.mechanism, self.relation, method, self.asked) {
                Ok(bounds) => self.compare(method, bounds, report),
                Err(Refusal::Refused(_)) => {}
                Err(refusal) => report.violations.push(format!("{self} by {method}: {refusal:?}")),
            }
        }
        let took = start.elapsed();
        if report.slowest.as_ref().is_none_or(|(longest, _)| took > *longest) {
            report.slowest = Some((took, self.to_string()));
        }
    }

    /// As people ask: without a tolerance, so that the answer is as narrow as it comes.
    fn automatic(&self) -> Result<Bounds, Refusal> {
        let query = Query::new(&self.mechanism).relation(self.relation);
        let answer = guarded(|| match self.asked {
            Asked::Delta(epsilon) => query.delta(epsilon),
            Asked::Epsilon(delta) => query.epsilon(delta),
        })?
        .map_err(|error| Refusal::Refused(error.to_string()))?;
        Ok(Bounds { lower: answer.lower().unwrap_or(0.0), upper: answer.upper() })
    }

    fn compare(&self, method: Method, bounds: Bounds, report: &mut Report) {
        report.comparisons += 1;
        let encloses = match &self.truth {
            Some(truth) => truth.is_at_least(bounds.lower) && truth.is_at_most(bounds.upper),
            None => bounds.upper == f64::INFINITY,
        };
        if !encloses {
            report.violations.push(format!("{self}: {method} says {bounds:?}"));
        }
    }

    fn measure(&self, bounds: Bounds, report: &mut Report) {
        let Some(truth) = &self.truth else { return };
        if self.moves == f64::INFINITY {
            return;
        }
        let size = truth.ratio(&Decimal::exactly(1.0));
        let width = bounds.upper - bounds.lower - self.moves;
        report.widths.push(if size > 0.0 { (width / size).max(0.0) } else { 0.0 });
        let floor = match self.asked {
            Asked::Epsilon(_) => NARROW,
            // A δ has to have its digits however small it is, down to the smallest doubles.
            Asked::Delta(_) => 1e-320,
        };
        if width.is_nan() || width > (WIDEST * size).max(floor) {
            report.wide.push(format!("{self}: {bounds:?}"));
        }
    }
}

impl std::fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { mechanism, relation, asked, .. } = self;
        write!(f, "{mechanism} | {relation} | {asked:?} | truth {}", self.row.text("truth"))
    }
}
