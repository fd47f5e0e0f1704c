//! Cells of characters, and what was drawn in each.

use super::legend::Glyphs;
use crate::scene::{Place, Rectangle};

/// The dots of a cell, from left to right and from top to bottom.
const ACROSS: usize = 2;
const DOWN: usize = 4;
/// The order in which Unicode numbers the dots of a cell.
const BITS: [[u8; ACROSS]; DOWN] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// What was drawn in a cell: what is later in this list hides what is before it.
#[derive(Clone, Debug, Default)]
struct Cell {
    is_in_band: bool,
    has_stem: bool,
    /// The dots of lines, and whose lines they are.
    dots: u8,
    lines: Vec<usize>,
    /// Whose points these are.
    points: Vec<usize>,
    letter: Option<char>,
}

pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![Cell::default(); columns * rows] }
    }

    /// The dot of a place in the unit square, from the upper left corner.
    fn dot_of(&self, (x, y): Place) -> (usize, usize) {
        let (across, down) = ((self.columns * ACROSS - 1) as f64, (self.rows * DOWN - 1) as f64);
        ((x.clamp(0.0, 1.0) * across).round() as usize, ((1.0 - y.clamp(0.0, 1.0)) * down).round() as usize)
    }

    fn cell_of(&self, place: Place) -> (usize, usize) {
        let (x, y) = self.dot_of(place);
        (x / ACROSS, y / DOWN)
    }

    fn cell(&mut self, column: usize, row: usize) -> &mut Cell {
        &mut self.cells[row * self.columns + column]
    }

    /// All dots between two places.
    pub(super) fn line(&mut self, series: usize, from: Place, to: Place) {
        let ((x, y), (right, down)) = (self.dot_of(from), self.dot_of(to));
        let steps = x.abs_diff(right).max(y.abs_diff(down)).max(1);
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let between =
                |from: usize, to: usize| (from as f64 + share * (to as f64 - from as f64)).round() as usize;
            let (x, y) = (between(x, right), between(y, down));
            let cell = self.cell(x / ACROSS, y / DOWN);
            cell.dots |= BITS[y % DOWN][x % ACROSS];
            note(&mut cell.lines, series);
        }
    }

    pub(super) fn dot(&mut self, series: usize, place: Place) {
        let (column, row) = self.cell_of(place);
        note(&mut self.cell(column, row).points, series);
    }

    /// A line upwards with a head. Stems at the same place stand side by side.
    pub(super) fn stem(&mut self, series: usize, foot: Place, head: Place, (lane, lanes): (usize, usize)) {
        let (middle, bottom) = self.cell_of(foot);
        let (_, top) = self.cell_of(head);
        let first = middle.saturating_sub(lanes / 2).min(self.columns.saturating_sub(lanes));
        let column = (first + lane).min(self.columns - 1);
        (top.min(bottom)..=top.max(bottom)).for_each(|row| self.cell(column, row).has_stem = true);
        note(&mut self.cell(column, top).points, series);
    }

    pub(super) fn bar(&mut self, series: usize, bar: Rectangle) {
        let ((left, top), (right, bottom)) =
            (self.cell_of((bar.left, bar.top)), self.cell_of((bar.right, bar.bottom)));
        for column in left..=right.saturating_sub(1).max(left) {
            (top..=bottom).for_each(|row| note(&mut self.cell(column, row).points, series));
        }
    }

    /// The cells whose middle is in an area.
    pub(super) fn area(&mut self, corners: &[Place]) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let middle = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
                let place = (middle(column, self.columns), 1.0 - middle(row, self.rows));
                if is_within(place, corners) {
                    self.cell(column, row).is_in_band = true;
                }
            }
        }
    }

    /// Words in the middle.
    pub(super) fn write(&mut self, words: &str) {
        let (row, start) = (self.rows / 2, self.columns.saturating_sub(words.chars().count()) / 2);
        let room = self.columns - start;
        for (at, letter) in words.chars().take(room).enumerate() {
            self.cell(start + at, row).letter = Some(letter);
        }
    }

    pub(super) fn lines(&self, glyphs: &Glyphs) -> Vec<String> {
        let characters = |(row, cells): (usize, &[Cell])| {
            cells.iter().enumerate().map(|(column, cell)| cell.character(glyphs, column + row)).collect()
        };
        self.cells.chunks(self.columns).enumerate().map(characters).collect()
    }
}

impl Cell {
    /// Of several series with a line or a point here, neighbouring cells show one after the other.
    fn character(&self, glyphs: &Glyphs, turn: usize) -> char {
        let of =
            |series: &[usize]| series.get(turn % series.len().max(1)).map(|&series| glyphs.of_series(series));
        let line = || {
            if glyphs.is_needed() {
                of(&self.lines)
            } else {
                Some(self.dots).filter(|&dots| dots > 0).map(braille)
            }
        };
        let stem = self.has_stem.then_some('│');
        let band = self.is_in_band.then_some('·');
        self.letter.or_else(|| of(&self.points)).or_else(line).or(stem).or(band).unwrap_or(' ')
    }
}

fn note(list: &mut Vec<usize>, series: usize) {
    if !list.contains(&series) {
        list.push(series);
    }
}

fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// Is a place inside a closed line? A ray to the right crosses it an odd number of times.
fn is_within((x, y): Place, corners: &[Place]) -> bool {
    let mut is_inside = false;
    for (at, &(x1, y1)) in corners.iter().enumerate() {
        let (x0, y0) = corners[(at + corners.len() - 1) % corners.len()];
        if (y0 > y) != (y1 > y) && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0) {
            is_inside = !is_inside;
        }
    }
    is_inside
}
