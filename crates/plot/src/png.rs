//! Shapes as pixels.

use crate::{
    letters,
    palette::{Colour, INK, PAPER},
    shape::{Anchor, Drawing, Point, Shape, Text},
};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// Pixels per unit of the drawing.
const SCALE: f64 = 2.0;

/// The picture could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the picture could not be made: it is too large for memory")]
pub struct NotDrawn;

pub(crate) fn write(drawing: &Drawing) -> Result<Vec<u8>, NotDrawn> {
    let pixels = |length: f64| (length * SCALE).round() as u32;
    let mut picture = Pixmap::new(pixels(drawing.width), pixels(drawing.height)).ok_or(NotDrawn)?;
    picture.fill(Color::from_rgba8(PAPER[0], PAPER[1], PAPER[2], 255));
    for shape in &drawing.shapes {
        draw(&mut picture, shape);
    }
    picture.encode_png().map_err(|_| NotDrawn)
}

fn draw(picture: &mut Pixmap, shape: &Shape) {
    let scaled = Transform::from_scale(SCALE as f32, SCALE as f32);
    match shape {
        Shape::Line { points, colour, width, dashes } => {
            let stroke = Stroke {
                width: *width as f32,
                line_cap: LineCap::Butt,
                line_join: LineJoin::Round,
                dash: StrokeDash::new(dashes.to_vec(), 0.0),
                ..Stroke::default()
            };
            if let Some(path) = path(points, false) {
                picture.stroke_path(&path, &paint(*colour, 1.0), &stroke, scaled, None);
            }
        }
        Shape::Area { points, colour, opacity } => {
            if let Some(path) = path(points, true) {
                picture.fill_path(&path, &paint(*colour, *opacity), FillRule::Winding, scaled, None);
            }
        }
        Shape::Dot { at: (x, y), radius, colour } => {
            if let Some(path) = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32) {
                picture.fill_path(&path, &paint(*colour, 1.0), FillRule::Winding, scaled, None);
            }
        }
        Shape::Text(text) => {
            if let Some(path) = letters::outline(text) {
                picture.fill_path(
                    &path,
                    &paint(INK, 1.0),
                    FillRule::Winding,
                    placed(text).post_concat(scaled),
                    None,
                );
            }
        }
    }
}

/// Moves a text that begins at the origin to its place.
fn placed(text: &Text) -> Transform {
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5 * letters::width(text),
        Anchor::End => letters::width(text),
    };
    let turn = if text.upward { -90.0 } else { 0.0 };
    Transform::from_translate(-shift as f32, 0.0)
        .post_rotate(turn)
        .post_translate(text.at.0 as f32, text.at.1 as f32)
}

fn path(points: &[Point], is_closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    builder.move_to(first.0 as f32, first.1 as f32);
    for (x, y) in rest {
        builder.line_to(*x as f32, *y as f32);
    }
    if is_closed {
        builder.close();
    }
    builder.finish()
}

fn paint([red, green, blue]: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint.anti_alias = true;
    paint
}
