//! The outlines of letters, from the font that comes with the program (DejaVu Sans).

use crate::shape::{Anchor, RAISED_BY, RAISED_SIZE, Text};
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).expect("the font is part of the program"));

/// How wide a text is.
pub(crate) fn width(text: &Text) -> f64 {
    glyphs(text).last().map_or(0.0, |glyph| glyph.x + glyph.advance)
}

/// How wide a text of a size is.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    width(&Text { at: (0.0, 0.0), text: text.to_owned(), size, anchor: Anchor::Start, upward: false })
}

/// The text, or as much of its beginning and end as is no wider than `room`, with an ellipsis for the rest.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width_of(text, size) <= room {
        return text.to_owned();
    }
    let letters = whole_letters(text);
    let shortened = |kept: usize| {
        let (before, after) = (kept.div_ceil(2), kept / 2);
        [letters[..before].concat(), ELLIPSIS.to_owned(), letters[letters.len() - after..].concat()].concat()
    };
    let kept = (0..letters.len()).rev().find(|&kept| width_of(&shortened(kept), size) <= room);
    kept.map_or(String::new(), shortened)
}

const ELLIPSIS: &str = "…";

/// The letters of a text one by one; what is raised stays together.
fn whole_letters(text: &str) -> Vec<&str> {
    let mut letters = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let raised = rest.starts_with("^{").then(|| rest.find('}')).flatten();
        let (letter, remaining) = rest.split_at(raised.map_or(first.len_utf8(), |end| end + 1));
        letters.push(letter);
        rest = remaining;
    }
    letters
}

/// The outline of a text that begins at the origin, on the base line; y points down.
pub(crate) fn outline(text: &Text) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for glyph in glyphs(text) {
        let mut outline = Outline { builder: PathBuilder::new() };
        FACE.outline_glyph(glyph.id, &mut outline);
        let Some(path) = outline.builder.finish() else { continue };
        let scale = glyph.scale as f32;
        let placed = Transform::from_row(scale, 0.0, 0.0, -scale, glyph.x as f32, -glyph.raised as f32);
        if let Some(path) = path.transform(placed) {
            builder.push_path(&path);
        }
    }
    builder.finish()
}

struct Glyph {
    id: GlyphId,
    x: f64,
    advance: f64,
    scale: f64,
    raised: f64,
}

fn glyphs(text: &Text) -> Vec<Glyph> {
    let units = f64::from(FACE.units_per_em());
    let mut glyphs = vec![];
    let mut x = 0.0;
    for (run, is_raised) in text.runs() {
        let size = if is_raised { text.size * RAISED_SIZE } else { text.size };
        let raised = if is_raised { text.size * RAISED_BY } else { 0.0 };
        for character in run.chars() {
            // Glyph 0 is the box that stands for what a font does not have.
            let id = FACE.glyph_index(character).unwrap_or(GlyphId(0));
            let scale = size / units;
            let advance = f64::from(FACE.glyph_hor_advance(id).unwrap_or(0)) * scale;
            glyphs.push(Glyph { id, x, advance, scale, raised });
            x += advance;
        }
    }
    glyphs
}

struct Outline {
    builder: PathBuilder,
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.builder.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_trade_has_a_shape() {
        for character in "εδμσασ≤≥−·∞±≈Δτ…".chars() {
            assert!(FACE.glyph_index(character).is_some(), "{character}");
        }
        let text = |text: &str| Text {
            at: (0.0, 0.0),
            text: text.into(),
            size: 10.0,
            anchor: Anchor::Start,
            upward: false,
        };
        assert!(width(&text("10^{−5}")) < width(&text("10−5")));
        assert!(outline(&text("ε")).is_some() && outline(&text(" ")).is_none());
    }

    /// What is cut from the middle is as little as possible, and never half of something raised.
    #[test]
    fn long_text_loses_its_middle() {
        let name = "gaussian(sigma=1.5) * 10^{3} + laplace(scale=2) * 10^{6}";
        for room in [20.0, 60.0, 100.0, 200.0, 300.0] {
            let short = fitted(name, 12.0, room);
            assert!(width_of(&short, 12.0) <= room && short.contains('…'), "{short}");
            assert!(width_of(&short, 12.0) > room - 25.0, "{short}");
            assert_eq!(short.matches("^{").count(), short.matches('}').count(), "{short}");
        }
        assert_eq!(fitted(name, 12.0, 1000.0), name);
        assert_eq!(fitted(name, 12.0, 1.0), "");
    }
}
