//! Which character a series has, and what it stands for.

use crate::{
    chart::Look,
    scene::{Drawn, Scene},
};

/// In this order: characters of plain text, which are as wide in every terminal.
const GLYPHS: &str = "*+ox#@%&=$abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ";
/// What stands between two entries.
const GAP: usize = 3;

/// The characters of all series of a scene.
pub(super) struct Glyphs {
    of: Vec<char>,
    is_needed: bool,
}

impl Glyphs {
    /// A series without a name that looks like an earlier one has the character of that.
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let mut of: Vec<char> = vec![];
        let mut free = GLYPHS.chars().cycle();
        for (number, drawn) in scene.series.iter().enumerate() {
            let earlier = scene.series[..number].iter().position(|other| other.pen == drawn.pen);
            let known = earlier.filter(|_| drawn.series.name.is_empty()).map(|earlier| of[earlier]);
            let glyph = known.or_else(|| if drawn.series.is_empty() { Some(' ') } else { free.next() });
            of.push(glyph.unwrap_or(' '));
        }
        let lines = scene.series.iter().filter(|drawn| !drawn.series.is_empty());
        Self { of, is_needed: lines.count() > 1 }
    }

    pub(super) fn of_series(&self, series: usize) -> char {
        self.of.get(series).copied().unwrap_or(' ')
    }

    /// Are there several series, which have to be told apart?
    pub(super) fn is_needed(&self) -> bool {
        self.is_needed
    }

    fn sample(&self, number: usize, drawn: &Drawn<'_>) -> String {
        match drawn.series.look {
            Look::Line | Look::Steps | Look::Spans if !self.is_needed => "⠤⠤".to_owned(),
            Look::Line | Look::Steps | Look::Spans | Look::Dots | Look::Bars | Look::Stems => {
                self.of_series(number).to_string()
            }
        }
    }
}

/// The entries in as many columns as fit.
pub(super) fn lines(scene: &Scene<'_>, glyphs: &Glyphs, margin: usize, columns: usize) -> Vec<String> {
    let room = columns.saturating_sub(margin);
    let numbered = scene.series.iter().enumerate();
    let named = numbered.filter(|(_, drawn)| !drawn.series.name.is_empty() && !drawn.series.is_empty());
    let entries: Vec<String> = named
        .map(|(number, drawn)| {
            clipped(&format!("{} {}", glyphs.sample(number, drawn), drawn.series.name), room)
        })
        .collect();
    let widest = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0) + GAP;
    let across = ((room + GAP) / widest).max(1);
    let rows = entries.len().div_ceil(across);
    let row = |row: usize| {
        let cells = entries.iter().skip(row).step_by(rows.max(1)).map(|entry| format!("{entry:<widest$}"));
        format!("{:margin$}{}", "", cells.collect::<String>()).trim_end().to_owned()
    };
    (0..rows).map(row).collect()
}

/// The text, or its beginning and end with an ellipsis between, as long as there is room for.
pub(super) fn clipped(text: &str, room: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let (before, after) = (kept.div_ceil(2), kept / 2);
    let ellipsis = if room > 0 { "…" } else { "" };
    letters[..before].iter().collect::<String>()
        + ellipsis
        + &letters[letters.len() - after..].iter().collect::<String>()
}
