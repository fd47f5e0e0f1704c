//! One row of the file: a composition, a relation, a δ, and why it may be short of a goal.

use hockeystick::mechanism::{Compose, Mechanism, Relation};
use hockeystick_golden::Row;

pub(crate) struct Question {
    /// As in the file: `{a..b}` stands for a parameter that differs from copy to copy.
    pub(crate) expression: String,
    pub(crate) copies: u32,
    pub(crate) mechanism: Mechanism,
    pub(crate) relation: Relation,
    pub(crate) delta: f64,
    /// Empty if the goals are to be met.
    pub(crate) reason: String,
}

impl Question {
    pub(crate) fn read(row: &Row) -> Result<Self, Box<dyn std::error::Error>> {
        let (expression, copies) = (row.text("expression").to_owned(), row.number("copies"));
        Ok(Self {
            mechanism: mechanism(&expression, copies)?,
            expression,
            copies,
            relation: row.text("relation").parse()?,
            delta: row.number("delta"),
            reason: row.text("reason").to_owned(),
        })
    }
}

/// All copies composed.
fn mechanism(expression: &str, copies: u32) -> Result<Mechanism, Box<dyn std::error::Error>> {
    let Some((before, between, after)) = placeholder(expression) else {
        return Ok(expression.parse()?);
    };
    let (from, to) = between.split_once("..").ok_or("a placeholder is written {from..to}")?;
    let (from, to): (f64, f64) = (from.parse()?, to.parse()?);
    let value = |copy: u32| from + (to - from) * f64::from(copy) / f64::from(copies.max(2) - 1);
    let parts: Result<Vec<Mechanism>, _> =
        (0..copies).map(|copy| format!("{before}{:?}{after}", value(copy)).parse()).collect();
    Ok(Compose::new(parts?).ok_or("there is one copy at least")?)
}

/// What is before, in and after the braces.
fn placeholder(expression: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = expression.split_once('{')?;
    let (between, after) = rest.split_once('}')?;
    Some((before, between, after))
}
