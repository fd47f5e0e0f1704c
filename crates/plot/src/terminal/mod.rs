//! A chart in characters.
//!
//! In: a [`Chart`] and how many characters there are. Out: lines of text: the drawing with marks and numbers along its axes, and a legend.
//!
//! # Guarantee
//! No line is wider than asked for, or than the smallest drawing that shows anything. One series alone is drawn with the eight dots of a
//! Braille cell; of several each has a character of its own, so that they can be told apart without colours.

mod canvas;
mod frame;
mod legend;

use crate::{
    chart::Chart,
    layout::NOTHING,
    scene::{Mark, Scene},
};
use canvas::Canvas;
use legend::Glyphs;

/// The smallest drawing that shows anything.
const LEAST_COLUMNS: usize = 24;
const LEAST_ROWS: usize = 3;
/// The rows above and below the drawing: the label of the vertical axis, the frame, the numbers below it and their label.
const OTHER_ROWS: usize = 4;

pub(crate) fn write(chart: &Chart, columns: usize, rows: usize) -> String {
    let scene = Scene::of(chart);
    let columns = columns.max(LEAST_COLUMNS);
    // Every name has one row.
    let rows = match chart.y.names.len() {
        0 => rows.saturating_sub(OTHER_ROWS).max(LEAST_ROWS),
        names => names,
    };
    let frame = frame::Frame::of(chart, &scene, columns, rows);
    let glyphs = Glyphs::of(&scene);
    let mut canvas = Canvas::new(frame.columns(), rows);
    for (number, drawn) in scene.series.iter().enumerate() {
        drawn.marks.iter().for_each(|mark| draw(&mut canvas, number, mark));
    }
    if scene.is_empty() {
        canvas.write(NOTHING);
    }
    let drawing = canvas.lines(&glyphs);
    [frame.around(chart, &drawing), legend::lines(&scene, &glyphs, frame.margin(), columns)]
        .concat()
        .join("\n")
}

fn draw(canvas: &mut Canvas, series: usize, mark: &Mark) {
    match mark {
        Mark::Line(places) => {
            places.windows(2).for_each(|ends| canvas.line(series, ends[0], ends[1]));
        }
        Mark::Dot(place) => canvas.dot(series, *place),
        Mark::Band(corners) => canvas.area(corners),
        // The line above says as much.
        Mark::Shade(_) => {}
        Mark::Bar(bar) => canvas.bar(series, *bar),
        Mark::Stem { foot, head, lane } => canvas.stem(series, *foot, *head, *lane),
    }
}
