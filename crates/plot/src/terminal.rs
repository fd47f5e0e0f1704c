//! A chart in characters: every cell holds eight dots.

use crate::chart::{Chart, Look};

/// The smallest drawing that shows anything.
const LEAST_COLUMNS: usize = 24;
const LEAST_ROWS: usize = 5;

pub(crate) fn write(chart: &Chart, columns: usize, rows: usize) -> String {
    let points = || chart.series.iter().flat_map(|series| series.points.iter().copied());
    let x = chart.x.fitted(points().map(|(x, _)| x));
    let y = chart.y.fitted(points().map(|(_, y)| y));
    let named: Vec<(f64, String)> = if chart.y.names.is_empty() {
        vec![]
    } else {
        chart.y.ticks(&y).into_iter().filter_map(|tick| Some((tick.at, tick.label?))).collect()
    };
    let ends = |(from, to): (f64, f64)| (short(from), short(to));
    let ((left, right), (bottom, top)) = (ends(x.ends()), ends(y.ends()));
    let labels: Vec<&str> = if named.is_empty() {
        vec![&bottom, &top]
    } else {
        named.iter().map(|(_, name)| name.as_str()).collect()
    };
    let margin = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    // Every name has one row.
    let rows = if named.is_empty() { rows.max(LEAST_ROWS) - 2 } else { named.len() };
    let columns = columns.max(LEAST_COLUMNS) - margin - 2;
    let mut dots = Dots { columns, rows, cells: vec![0; columns * rows] };
    for series in &chart.series {
        let place = |&(at_x, at_y): &(f64, f64)| {
            (x.shows(at_x) && y.shows(at_y)).then(|| (x.share(at_x), y.share(at_y)))
        };
        let places: Vec<Option<(f64, f64)>> = series.points.iter().map(place).collect();
        let mut joined = |ends: &[Option<(f64, f64)>]| {
            if let (Some(Some(from)), Some(Some(to))) = (ends.first(), ends.last()) {
                dots.line(*from, *to);
            }
        };
        match series.look {
            Look::Line | Look::Steps => places.windows(2).for_each(&mut joined),
            Look::Spans => places.chunks_exact(2).for_each(&mut joined),
            Look::Dots => places.chunks(1).for_each(&mut joined),
            // From the floor up to the point.
            Look::Bars => places.iter().flatten().for_each(|&(x, y)| joined(&[Some((x, 0.0)), Some((x, y))])),
        }
    }
    let mut lines = vec![];
    if !chart.y.label.is_empty() {
        lines.push(format!("{:margin$} {}", "", chart.y.label));
    }
    for (row, cells) in dots.cells.chunks(columns).enumerate() {
        let is_here = |at: f64| ((1.0 - at) * rows as f64).floor() as usize == row;
        let label = match named.iter().find(|(at, _)| is_here(*at)) {
            Some((_, name)) => name,
            None if named.is_empty() && row == 0 => &top,
            None if named.is_empty() && row + 1 == rows => &bottom,
            None => "",
        };
        let drawn: String = cells.iter().map(|&cell| braille(cell)).collect();
        lines.push(format!("{label:>margin$} ┤{drawn}").trim_end_matches('\u{2800}').to_owned());
    }
    lines.push(format!("{:margin$} └{}", "", "─".repeat(columns)));
    let middle = &chart.x.label;
    let used = left.chars().count() + right.chars().count() + middle.chars().count();
    let gap = columns.saturating_sub(used);
    let (before, after) = (gap / 2, gap - gap / 2);
    lines.push(format!("{:margin$}  {left}{:before$}{middle}{:after$}{right}", "", "", ""));
    lines.join("\n")
}

struct Dots {
    columns: usize,
    rows: usize,
    cells: Vec<u8>,
}

impl Dots {
    /// A line between two places, each from 0 to 1.
    fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let (width, height) = (self.columns as f64 * 2.0 - 1.0, self.rows as f64 * 4.0 - 1.0);
        let length = ((to.0 - from.0).abs() * width).max((to.1 - from.1).abs() * height);
        let steps = if length.is_finite() { length.ceil().clamp(1.0, 10_000.0) as usize } else { return };
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let (x, y) = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
                self.dot((x * width).round() as usize, ((1.0 - y) * height).round() as usize);
            }
        }
    }

    fn dot(&mut self, x: usize, y: usize) {
        // The order in which Unicode numbers the dots of a cell.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        self.cells[(y / 4) * self.columns + x / 2] |= BITS[y % 4][x % 2];
    }
}

fn braille(cell: u8) -> char {
    char::from_u32(0x2800 + u32::from(cell)).unwrap_or(' ')
}

/// Three digits.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-2..1e4).contains(&value.abs()) {
        let digits = (2.0 - value.abs().log10().floor()).max(0.0) as usize;
        let text = format!("{value:.digits$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        return text.to_owned();
    }
    let text = format!("{value:.1e}");
    text.replace(".0e", "e")
}
