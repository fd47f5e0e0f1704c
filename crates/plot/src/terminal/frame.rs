//! What stands around a drawing of characters: labels, marks and numbers.

use super::legend::clipped;
use crate::{
    axis::{Tick, plain},
    chart::Chart,
    scene::Scene,
};

/// One number for so many rows and columns.
const ROWS_A_LABEL: f64 = 3.0;
const COLUMNS_A_LABEL: f64 = 12.0;
/// Labels beside the drawing take no more than this part of its width.
const WIDEST: f64 = 0.35;

/// The places of all marks and their labels, in characters.
pub(super) struct Frame {
    columns: usize,
    margin: usize,
    left: Vec<(usize, String)>,
    right: Vec<(usize, String)>,
    below: Vec<(usize, String)>,
    has_right: bool,
}

impl Frame {
    pub(super) fn of(chart: &Chart, scene: &Scene<'_>, columns: usize, rows: usize) -> Self {
        let widest = (WIDEST * columns as f64) as usize;
        let upright = |ticks: Vec<Tick>| -> Vec<(usize, String)> {
            labelled(ticks)
                .map(|(at, label)| (place(1.0 - at, rows, DOWN), clipped(&label, widest)))
                .collect()
        };
        let labels = (rows as f64 / ROWS_A_LABEL).max(2.0);
        let left = upright(chart.y.ticks(&scene.y, labels));
        let right = chart.right.as_ref().zip(scene.right.as_ref());
        let right = right.map(|(axis, ruler)| upright(axis.ticks(ruler, labels)));
        let width =
            |labels: &[(usize, String)]| labels.iter().map(|(_, label)| length(label)).max().unwrap_or(0);
        let margin = width(&left);
        // A blank and the frame on the left; the same on the right if there is an axis.
        let beside = right.as_deref().map_or(0, |right| width(right) + 2);
        let columns = columns.saturating_sub(margin + 2 + beside).max(8);
        let labels = (columns as f64 / COLUMNS_A_LABEL).max(2.0);
        let below = labelled(chart.x.ticks(&scene.x, labels));
        let below = below.map(|(at, label)| (place(at, columns, ACROSS), label)).collect();
        let has_right = right.is_some();
        Self { columns, margin, left, right: right.unwrap_or_default(), below, has_right }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn margin(&self) -> usize {
        self.margin + 2
    }

    /// The drawing with all that stands around it.
    pub(super) fn around(&self, chart: &Chart, drawing: &[String]) -> Vec<String> {
        let Self { columns, margin, .. } = *self;
        let mut lines = vec![];
        let right = chart.right.as_ref().map_or("", |axis| axis.label.as_str());
        if !chart.y.label.is_empty() || !right.is_empty() {
            let room = columns + 2;
            let right = clipped(right, room / 2);
            let label = clipped(&chart.y.label, room.saturating_sub(length(&right) + 1));
            let gap = room.saturating_sub(length(&label) + length(&right));
            lines.push(format!("{:margin$} {label}{:gap$}{right}", "", ""));
        }
        let of_row = |labels: &[(usize, String)], row: usize| {
            labels.iter().find(|(at, _)| *at == row).map(|(_, label)| label.clone())
        };
        for (row, cells) in drawing.iter().enumerate() {
            let (edge, label) = match of_row(&self.left, row) {
                Some(label) => ('┤', label),
                None => ('│', String::new()),
            };
            let right = match of_row(&self.right, row) {
                Some(label) => format!("├ {label}"),
                None if self.has_right => "│".to_owned(),
                None => String::new(),
            };
            lines.push(format!("{label:>margin$} {edge}{cells}{right}"));
        }
        let is_marked = |column: usize| self.below.iter().any(|(at, _)| *at == column);
        let edge: String = (0..columns).map(|column| if is_marked(column) { '┬' } else { '─' }).collect();
        lines.push(format!("{:margin$} └{edge}{}", "", if self.has_right { "┘" } else { "" }));
        if !self.below.is_empty() {
            lines.push(format!("{:margin$}  {}", "", self.numbers()));
        }
        if !chart.x.label.is_empty() {
            let label = clipped(&plain_text(&chart.x.label), columns);
            let gap = (columns - length(&label)) / 2;
            lines.push(format!("{:margin$}  {:gap$}{label}", "", ""));
        }
        lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// The numbers below, each below its mark; one that would run into another is left out.
    fn numbers(&self) -> String {
        let mut line = String::new();
        for (column, label) in &self.below {
            let width = length(label);
            let start = column.saturating_sub(width / 2).min(self.columns.saturating_sub(width));
            let end = length(&line);
            if end > 0 && start < end + 1 {
                continue;
            }
            line += &" ".repeat(start - end);
            line += label;
        }
        line
    }
}

/// The dots of a cell.
const ACROSS: usize = 2;
const DOWN: usize = 4;

/// The cell of a share of the length, where the drawing has it.
fn place(share: f64, cells: usize, dots: usize) -> usize {
    ((share.clamp(0.0, 1.0) * (cells * dots - 1) as f64).round() as usize) / dots
}

fn labelled(ticks: Vec<Tick>) -> impl Iterator<Item = (f64, String)> {
    ticks.into_iter().filter_map(|tick| Some((tick.at, plain(&tick.label?))))
}

/// Without the marks of raised letters.
fn plain_text(text: &str) -> String {
    text.replace("^{", "^").replace('}', "")
}

fn length(text: &str) -> usize {
    text.chars().count()
}
