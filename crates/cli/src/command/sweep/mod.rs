//! `hockeystick sweep`: a question over a grid of parameters, or over the rows of a file, in parallel.
//!
//! Rows are handed on in their order as soon as they are known: as CSV to standard output, or to a file beside that of
//! `--out`, from which an interrupted sweep is taken up again.

mod arguments;
mod grid;
mod kept;
mod points;
mod row;
mod shown;
mod stream;
mod table;

use super::Outcome;
use crate::{
    failure::Failure,
    input,
    report::{Format, Page},
    style::Style,
    visible::visible,
    whole_file::write_whole,
};
use arguments::EXPRESSION;
use grid::MOST_POINTS;
use hockeystick::mechanism::Pattern;
use kept::Kept;
use points::Points;
use row::Row;
use stream::{Stop, Stream};

pub(super) use arguments::Sweep;
pub(super) use table::{Cell, Table};

/// How many points are not answered, or not as asked.
fn shortfall(rows: &[Row]) -> Option<String> {
    let total = rows.len();
    let unanswered = rows.iter().filter(|row| row.answer.is_err()).count();
    let reasons: Vec<&String> =
        rows.iter().filter_map(|row| row.answer.as_ref().ok()?.shortfall.as_ref()).collect();
    let unanswered = (unanswered > 0).then(|| format!("{unanswered} of {total} points have no answer"));
    let not_as_asked = reasons.first().map(|first| {
        format!("{} of {total} points are not answered as asked; the first: {first}", reasons.len())
    });
    let all: Vec<String> = [unanswered, not_as_asked].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

impl Sweep {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.plot.check(self.format())?;
        let (table, rows) = match &self.rows {
            Some(path) => Table::of(path).map(|(table, text)| (Some(table), text))?,
            None => (None, String::new()),
        };
        let text = match (&self.expression, &table) {
            (Some(expression), _) => input::text(expression)?,
            (None, Some(table)) if table.names.iter().any(|name| name == EXPRESSION) => {
                format!("{{{EXPRESSION}}}")
            }
            (None, _) => {
                return Err(Failure::Request(format!(
                    "there is no expression; give one with names in braces, or a column called {EXPRESSION}"
                )));
            }
        };
        let points = Points { sweep: self, table, pattern: Pattern::read(&text) };
        points.check()?;
        let total = points.count();
        if self.rows.is_none() && total > MOST_POINTS {
            return Err(Failure::Request(format!(
                "the grid has {total} points, but at most {MOST_POINTS} are answered; make it coarser"
            )));
        }
        let (mut kept, known) = match &self.out {
            Some(out) => {
                let (kept, known) = Kept::open(out, &self.digest(&text, &rows), self.resume)?;
                (Some(kept), known)
            }
            None => (None, vec![]),
        };
        let known: Vec<Row> =
            known.into_iter().take(total).enumerate().map(|(at, answer)| points.row(at, answer)).collect();
        let is_streamed = self.out.is_none() && self.format() == Format::Csv;
        let mut stream = Stream::new(points.header());
        let mut handed_on = 0;
        let first_new = known.len();
        let rows = points.answers(known, |row| {
            handed_on += 1;
            if let Some(kept) = kept.as_mut().filter(|_| handed_on > first_new) {
                kept.keep(&row.answer).map_err(Stop::Failed)?;
            }
            if is_streamed { stream.push(points.line(row), row.answer.is_ok()) } else { Ok(()) }
        });
        let rows = match rows {
            Ok(rows) => rows,
            Err(Stop::NobodyReads) => return Ok(Outcome { text: String::new(), shortfall: None }),
            Err(Stop::Failed(failure)) => return Err(failure),
        };
        let failures = rows.iter().filter(|row| row.answer.is_err()).count();
        if failures == total
            && let Some(Row { answer: Err(reason), .. }) = rows.first()
        {
            let none = if self.rows.is_some() { "no row" } else { "no point of the grid" };
            return Err(Failure::Request(format!("{none} has an answer; the first: {reason}")));
        }
        let drawing = self.plot.draw(|| Ok(points.chart(&rows)))?;
        let text = match self.format() {
            Format::Csv if is_streamed => String::new(),
            Format::Csv => points.table(&rows),
            Format::Json => points.objects(&rows),
            Format::Text => {
                let style = if self.out.is_some() { Style::default() } else { Style::of_output() };
                Page { drawing, ..points.page(&rows) }.text(style)
            }
            Format::Markdown => points.page(&rows).markdown(),
        };
        let text = match (&self.out, kept) {
            (Some(out), Some(kept)) => {
                write_whole(out, (text + "\n").as_bytes()).map_err(|error| Failure::File {
                    name: out.display().to_string(),
                    message: format!("cannot be written: {error}"),
                })?;
                kept.remove()?;
                format!("{}: {total} rows", visible(&out.display().to_string()))
            }
            _ => text,
        };
        Ok(Outcome { text, shortfall: shortfall(&rows) })
    }
}
