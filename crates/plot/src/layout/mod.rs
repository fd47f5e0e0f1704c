//! A chart as shapes.
//!
//! In: a [`Chart`]. Out: a [`Drawing`] in pixels, which SVG and PNG draw alike.
//!
//! # Guarantee
//! All shapes lie on the sheet: text that is too long loses its middle, and legends that find no room in the frame stand below it.

mod axes;
mod frame;
mod legend;
#[cfg(test)]
mod tests;

use crate::{
    chart::Chart,
    scene::{Mark, Scene},
    shape::{Anchor, Drawing, Shape},
};
use frame::{HEIGHT, LABEL_SIZE, WIDTH, text};

pub(crate) fn shapes(chart: &Chart) -> Drawing {
    let scene = Scene::of(chart);
    let sides = axes::Sides::of(chart, &scene);
    let frame = sides.frame(chart);
    let mut shapes = sides.grid(frame);
    // Dots and heads last: a line that goes through them would hide them.
    for is_on_top in [false, true] {
        for drawn in &scene.series {
            let marks = drawn.marks.iter().filter(|mark| is_dot(mark) == is_on_top);
            shapes.extend(marks.flat_map(|mark| frame.shapes(mark, drawn.pen)));
        }
    }
    shapes.extend(sides.shapes(chart, frame));
    if scene.is_empty() {
        let middle = (0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
        shapes.push(Shape::Text(text(NOTHING, LABEL_SIZE, middle, Anchor::Middle)));
    }
    let legend = legend::shapes(&scene, frame);
    shapes.extend(legend.shapes);
    Drawing { width: WIDTH, height: HEIGHT + legend.below, shapes }
}

/// What an empty chart says.
pub(crate) const NOTHING: &str = "there is no point to be shown";

fn is_dot(mark: &Mark) -> bool {
    match mark {
        Mark::Dot(_) | Mark::Stem { .. } => true,
        Mark::Line(_) | Mark::Band(_) | Mark::Shade(_) | Mark::Bar(_) => false,
    }
}
