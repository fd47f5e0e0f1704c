//! What is said of a paper, and of each of its figures.

use crate::{Failure, Figure};

/// A figure or table that can be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in files and on the command line: `fig3`.
    pub id: &'static str,
    /// Its name in the paper: `Fig. 3`.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Draws it.
    pub draw: fn() -> Result<Figure, Failure>,
}

/// A paper.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its name in files and on the command line: `zhu22`.
    pub id: &'static str,
    /// How it is cited: `Zhu22`.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its authors, and where it appeared.
    pub authors: &'static str,
    /// What holds for the whole page.
    pub notes: &'static [&'static str],
    /// Its figures and tables, in order.
    pub entries: &'static [Entry],
    /// What is not drawn, and why.
    pub left_out: &'static [&'static str],
}
