//! A pair given by its probabilities, in a file.
//!
//! In: two columns of probabilities, from a file or from values. Out: a pair, or what is wrong with the columns.
//!
//! # Guarantee
//! Bounds hold for the columns divided by their sums. More than 10⁻¹³ that is missing to 1 becomes an outcome that gives the data away,
//! so that the pair dominates every completion of its columns.
//! Columns that are off by more than 10⁻⁹ are refused.

mod column;
mod decimal;
mod outcome;

use super::{
    Atom, DiscretePair, NoPair, SharedPair,
    noted::Noted,
    two_columns::{self, FileContent, FileError, FileProblem},
};
use crate::{
    error::Error,
    mechanism::{PairFile, TwoColumns},
};
use column::Column;
use hockeystick_numerics::ball::Ball;
use outcome::{Outcome, Written};
use std::sync::Arc;

/// A pair that was read from a file, and what was done to it.
#[derive(Clone, Debug)]
pub struct FilePair {
    /// The pair.
    pub pair: DiscretePair,
    /// If a column did not add up to 1: what was made of the difference. To be shown with every answer.
    pub note: Option<String>,
}

/// The pair of a file, in the order of its columns.
pub(super) fn pair(file: &PairFile) -> Result<SharedPair, Error> {
    let FilePair { pair, note } = read_pair(file)?;
    let pair: SharedPair = Arc::new(pair);
    Ok(match note {
        Some(note) => Arc::new(Noted { pair, note }),
        None => pair,
    })
}

/// Reads a pair: one outcome per line or entry, its probability under P and under Q.
///
/// Columns are separated by a comma, a semicolon, a tab or blanks; a first line of names, blank lines and remarks after
/// `#` are skipped. Each number stands for the decimal that is written; of a list, for the shortest decimal of its double.
///
/// # Guarantee
/// Bounds hold for the columns divided by their sums. What is missing to 1, if it is more than round-off, becomes an outcome that
/// gives the data away: the pair then dominates every completion, and the columns as they are written. Columns that are off by
/// more than 10⁻⁹ are refused. Files are read line by line, and no further than to the first error.
pub fn read_pair(file: &PairFile) -> Result<FilePair, Error> {
    let (source, outcomes) = match file.columns() {
        TwoColumns::File(name) => {
            let mut rows = two_columns::rows(name, FileContent::Probabilities)?;
            let outcomes = rows.read(Outcome::read)?;
            if outcomes.is_empty() {
                return Err(rows.empty().into());
            }
            (name.as_str(), outcomes)
        }
        TwoColumns::Listed { first, second } => {
            let outcomes = listed(first, second)
                .map_err(|(at, problem)| FileError { line: Some(at), ..FileError::of(LISTED, problem) })?;
            (LISTED, outcomes)
        }
    };
    let column = |name, entry: fn(&Outcome) -> &Written| {
        Column::new(name, outcomes.iter().map(entry)).map_err(|problem| FileError::of(source, problem))
    };
    let (p, q) = (column("P", |outcome| &outcome.p)?, column("Q", |outcome| &outcome.q)?);
    let notes: Vec<String> = [&p, &q].into_iter().filter_map(Column::note).collect();
    let note = (!notes.is_empty()).then(|| format!("{source}: {}", notes.join("; ")));
    Ok(FilePair { pair: assemble(&outcomes, &p, &q)?, note })
}

/// What lists are called in messages, in place of the name of a file.
const LISTED: &str = "p and q";

/// The outcomes of two lists, or the first entry, counted from 1, that is none.
fn listed(p: &[f64], q: &[f64]) -> Result<Vec<Outcome>, (u64, FileProblem)> {
    (1..)
        .zip(p.iter().zip(q))
        .map(|(at, (&p, &q))| Outcome::of(p, q).map_err(|problem| (at, problem)))
        .collect()
}

/// The pair of the readings of both columns.
fn assemble(outcomes: &[Outcome], p: &Column, q: &Column) -> Result<DiscretePair, NoPair> {
    let (mut infinite, mut vanishing) = (p.missing(), q.missing());
    let mut atoms = Vec::new();
    for outcome in outcomes {
        let (read_p, read_q) = (p.read(&outcome.p), q.read(&outcome.q));
        if outcome.q.nearest == 0.0 {
            infinite = infinite + read_p;
        } else if outcome.p.nearest == 0.0 {
            vanishing = vanishing + read_q;
        } else {
            let is_alike = outcome.p.decimal == outcome.q.decimal;
            let loss = if is_alike { p.loss_if_alike(q) } else { (read_p / read_q).ln() };
            let mass = |read: Ball| read.enclosure().clamp(0.0, 1.0);
            atoms.push(Atom { loss, p: mass(read_p), q: mass(read_q) });
        }
    }
    let only = |mass: Ball| mass.enclosure().clamp(0.0, 1.0);
    DiscretePair::new(atoms, only(infinite), only(vanishing))
}
