//! A pair given by its probabilities, in a file.

mod column;
mod error;
mod line;

pub use error::{FileError, FileProblem};

use super::{Atom, DiscretePair, NoPair, SharedPair, noted::Noted};
use crate::{error::Error, mechanism::PairFile};
use column::Column;
use hockeystick_numerics::ball::Ball;
use line::Line;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    sync::Arc,
};

/// Longer files are refused, and not read to their end.
const MOST_LINES: u64 = 10_000_000;
/// Longer lines hold something else than two numbers.
const LONGEST_LINE: u64 = 10_000;

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

/// Reads a pair: one outcome per line, its probability under P and under Q.
///
/// Columns are separated by a comma, a semicolon, a tab or blanks; a first line of names, blank lines and comments after
/// `#` are skipped. Each number stands for the decimal that is written, which its double is next to.
///
/// # Guarantee
/// Bounds hold for the normalised columns. What is missing to 1, if it is more than round-off, becomes an outcome that gives
/// the data away: the pair then dominates every completion, and the columns as they are written. Columns that are off by
/// more than 10⁻⁹ are refused. Files are read line by line, and no further than to the first error.
pub fn read_pair(file: &PairFile) -> Result<FilePair, NoPair> {
    let fault = |line: Option<u64>, problem: FileProblem| {
        NoPair::File(FileError { file: file.file().to_owned(), line, problem })
    };
    let unreadable = |error: std::io::Error| fault(None, FileProblem::Unreadable(error.to_string()));
    let mut reader = BufReader::new(File::open(file.file()).map_err(unreadable)?);
    let (mut masses, mut text, mut number, mut is_named) = (Vec::new(), String::new(), 0, false);
    loop {
        text.clear();
        if (&mut reader).take(LONGEST_LINE).read_line(&mut text).map_err(unreadable)? == 0 {
            break;
        }
        number += 1;
        if number > MOST_LINES {
            return Err(fault(None, FileProblem::TooLong(MOST_LINES)));
        }
        if text.len() as u64 == LONGEST_LINE {
            return Err(fault(Some(number), FileProblem::LongLine(LONGEST_LINE)));
        }
        let may_be_header = masses.is_empty() && !is_named;
        match line::read(&text, may_be_header).map_err(|problem| fault(Some(number), problem))? {
            Line::Nothing => {}
            Line::Names => is_named = true,
            Line::Outcome { p, q, alike } => masses.push((p, q, alike)),
        }
    }
    if masses.is_empty() {
        return Err(fault(None, FileProblem::Empty));
    }
    let sum_fault = |problem| fault(None, problem);
    let p = Column::new("P", masses.iter().map(|mass| mass.0)).map_err(sum_fault)?;
    let q = Column::new("Q", masses.iter().map(|mass| mass.1)).map_err(sum_fault)?;
    let notes: Vec<String> = [&p, &q].into_iter().filter_map(Column::note).collect();
    let note = (!notes.is_empty()).then(|| format!("{}: {}", file.file(), notes.join("; ")));
    Ok(FilePair { pair: assemble(&masses, &p, &q)?, note })
}

/// The pair of the readings of both columns.
fn assemble(masses: &[(f64, f64, bool)], p: &Column, q: &Column) -> Result<DiscretePair, NoPair> {
    let (mut infinite, mut vanishing) = (p.missing(), q.missing());
    let mut atoms = Vec::new();
    for &(mass_p, mass_q, alike) in masses {
        let (read_p, read_q) = (p.read(mass_p), q.read(mass_q));
        if mass_q == 0.0 {
            infinite = infinite + read_p;
        } else if mass_p == 0.0 {
            vanishing = vanishing + read_q;
        } else {
            // What is written alike is the same probability, unless a column is changed.
            let is_even = alike && !p.is_changed() && !q.is_changed();
            let loss = if is_even { Ball::ZERO } else { (read_p / read_q).ln() };
            let mass = |read: Ball| read.enclosure().clamp(0.0, 1.0);
            atoms.push(Atom { loss, p: mass(read_p), q: mass(read_q) });
        }
    }
    let only = |mass: Ball| mass.enclosure().clamp(0.0, 1.0);
    DiscretePair::new(atoms, only(infinite), only(vanishing))
}
