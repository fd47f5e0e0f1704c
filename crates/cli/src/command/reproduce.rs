//! `hockeystick reproduce`: the figures and tables of five papers, drawn again.

use super::Outcome;
use crate::{failure::Failure, progress::Progress, table, visible::visible, whole_file::write_whole};
use hockeystick_reproduce::{
    Document, Entry, Figure, Paper, Verdict, csv, draw_all, index, page, papers, sheet,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Draw the figures and tables of the five papers again, with a page that compares
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Reproduce {
    /// Which papers: asoodeh21, doroshenko22, koskela21, sommer19 or zhu22; all of them if none is named
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,

    /// Only these figures, say fig3 or table2
    #[arg(long, value_name = "FIGURE")]
    figure: Vec<String>,

    /// The folder to write to, made if it is not there
    #[arg(long, short = 'o', value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// How charts are written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t)]
    format: ChartFormat,

    /// List what can be drawn, and draw nothing
    #[arg(long)]
    list: bool,
}

/// How charts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum ChartFormat {
    /// Vector drawings
    #[default]
    Svg,
    /// Pixels; the pages still refer to the vector drawings, which are written too
    Png,
}

const EXAMPLES: &str = include_str!("examples/reproduce.txt");

impl Reproduce {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let chosen = self.chosen()?;
        let text = if self.list { listed(&chosen) } else { self.draw(&chosen)? };
        Ok(Outcome { text, shortfall: None })
    }

    /// The papers and figures that were asked for.
    fn chosen(&self) -> Result<Vec<(&'static Paper, Vec<&'static Entry>)>, Failure> {
        let known = papers();
        let is_named = |paper: &Paper| {
            self.papers.is_empty() || self.papers.iter().any(|name| name.eq_ignore_ascii_case(paper.id))
        };
        if let Some(unknown) =
            self.papers.iter().find(|name| !known.iter().any(|paper| name.eq_ignore_ascii_case(paper.id)))
        {
            let names: Vec<&str> = known.iter().map(|paper| paper.id).collect();
            return Err(Failure::Request(format!(
                "there is no paper {unknown:?}; the papers are {}",
                names.join(", ")
            )));
        }
        let wanted = |entry: &&Entry| {
            self.figure.is_empty() || self.figure.iter().any(|name| name.eq_ignore_ascii_case(entry.id))
        };
        let chosen: Vec<(&Paper, Vec<&Entry>)> = (known.into_iter().filter(|paper| is_named(paper)))
            .map(|paper| (paper, paper.entries.iter().filter(wanted).collect()))
            .collect();
        let is_drawn = |name: &String| {
            chosen.iter().flat_map(|(_, entries)| entries).any(|entry| name.eq_ignore_ascii_case(entry.id))
        };
        match self.figure.iter().find(|name| !is_drawn(name)) {
            Some(unknown) => Err(Failure::Request(format!(
                "there is no figure {unknown:?} in these papers; --list shows all of them"
            ))),
            None => Ok(chosen),
        }
    }

    fn draw(&self, chosen: &[(&'static Paper, Vec<&'static Entry>)]) -> Result<String, Failure> {
        let entries: Vec<&Entry> = chosen.iter().flat_map(|(_, entries)| entries.iter().copied()).collect();
        let progress = Progress::new(entries.len());
        let mut drawn = draw_all(&entries, |_| progress.step()).into_iter();
        drop(progress);
        let mut documents = vec![];
        for (paper, entries) in chosen.iter().filter(|(_, entries)| !entries.is_empty()) {
            let mut figures = vec![];
            for (entry, figure) in entries.iter().zip(drawn.by_ref()) {
                let figure = figure
                    .map_err(|failure| Failure::Request(format!("{} {}: {failure}", paper.id, entry.id)))?;
                figures.push((*entry, figure));
            }
            documents.push(Document { paper, figures });
        }
        for document in &documents {
            self.write(document)?;
        }
        if self.papers.is_empty() && self.figure.is_empty() {
            put(&self.out, "index.md", index(&documents).as_bytes())?;
        }
        Ok(documents.iter().map(|document| self.summary(document)).collect::<Vec<_>>().join("\n"))
    }

    fn write(&self, document: &Document<'_>) -> Result<(), Failure> {
        let folder = self.out.join(document.paper.id);
        for (entry, figure) in &document.figures {
            let sheet = sheet(entry, figure);
            put(&folder, &format!("{}.svg", entry.id), sheet.svg().as_bytes())?;
            put(&folder, &format!("{}.csv", entry.id), csv(figure).as_bytes())?;
            if self.format == ChartFormat::Png {
                let name = format!("{}.png", entry.id);
                let failure = |error| file_failure(&folder.join(&name), &format!("{error}"));
                put(&folder, &name, &sheet.png().map_err(failure)?)?;
            }
        }
        put(&folder, "index.md", page(document).as_bytes())
    }

    /// One line on each paper.
    fn summary(&self, document: &Document<'_>) -> String {
        let claims = || document.figures.iter().flat_map(|(_, figure): &(_, Figure)| &figure.claims);
        let held = claims().filter(|claim| claim.verdict == Verdict::Holds).count();
        let names: Vec<&str> = document.figures.iter().map(|(entry, _)| entry.id).collect();
        let claims = match claims().count() {
            0 => String::new(),
            all => format!("; {held} of {all} claims hold"),
        };
        format!(
            "{}: {}{claims}",
            visible(&self.out.join(document.paper.id).join("index.md").display().to_string()),
            names.join(", ")
        )
    }
}

fn listed(chosen: &[(&'static Paper, Vec<&'static Entry>)]) -> String {
    let rows: Vec<Vec<String>> = (chosen.iter())
        .flat_map(|(paper, entries)| {
            entries
                .iter()
                .map(|entry| [paper.id, entry.id, entry.name, entry.title].map(str::to_owned).to_vec())
        })
        .collect();
    table::aligned(&rows)
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    let written = fs::create_dir_all(folder).and_then(|()| write_whole(&path, bytes));
    written.map_err(|error| file_failure(&path, &format!("cannot be written: {error}")))
}

fn file_failure(path: &Path, message: &str) -> Failure {
    Failure::File { name: path.display().to_string(), message: message.to_owned() }
}
