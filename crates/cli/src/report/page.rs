//! What a person reads: a line that answers, facts about it, tables. As text or as Markdown.

use super::wrap::wrapped;
use crate::{style::Style, table::aligned, visible::visible};

/// An answer for people.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The line that answers.
    pub(crate) headline: String,
    /// A drawing in characters, left out of Markdown.
    pub(crate) drawing: Option<String>,
    /// What it rests on.
    pub(crate) facts: Vec<Fact>,
    /// Numbers side by side.
    pub(crate) tables: Vec<Table>,
    /// Paragraphs.
    pub(crate) prose: Vec<String>,
}

/// A name and what is to be said of it.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    name: &'static str,
    value: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Not broken into lines: somebody may want to copy it.
    Value,
    /// Words.
    Words,
    /// Words that should not be overlooked.
    Warning,
}

impl Fact {
    pub(crate) fn value(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), kind: Kind::Value }
    }

    pub(crate) fn words(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), kind: Kind::Words }
    }

    pub(crate) fn warning(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), kind: Kind::Warning }
    }
}

/// Columns with names.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// No line of words is longer.
const WIDTH: usize = 100;
const INDENT: &str = "  ";
const GAP: &str = "  ";

impl Page {
    pub(crate) fn text(&self, style: Style) -> String {
        let mut blocks = vec![];
        if !self.headline.is_empty() {
            blocks.push(style.headline(&visible(&self.headline)));
        }
        blocks.extend(self.drawing.clone());
        if !self.facts.is_empty() {
            blocks.push(self.facts(style));
        }
        blocks.extend(self.tables.iter().map(|table| table.text(style)));
        blocks.extend(self.prose.iter().map(|paragraph| wrapped(&visible(paragraph), WIDTH).join("\n")));
        blocks.join("\n\n")
    }

    fn facts(&self, style: Style) -> String {
        let width = self.facts.iter().map(|fact| fact.name.chars().count()).max().unwrap_or(0);
        let room = WIDTH - INDENT.len() - width - GAP.len();
        let mut lines = vec![];
        for fact in &self.facts {
            let values = match fact.kind {
                Kind::Value => vec![visible(&fact.value)],
                Kind::Words | Kind::Warning => wrapped(&visible(&fact.value), room),
            };
            for (number, value) in values.iter().enumerate() {
                let name = if number == 0 { fact.name } else { "" };
                let value = if fact.kind == Kind::Warning { style.warning(value) } else { value.clone() };
                let line = format!("{INDENT}{}{GAP}{value}", style.name(&format!("{name:width$}")));
                lines.push(line.trim_end().to_owned());
            }
        }
        lines.join("\n")
    }

    pub(crate) fn markdown(&self) -> String {
        let mut blocks = vec![];
        if !self.headline.is_empty() {
            blocks.push(format!("**{}**", visible(&self.headline)));
        }
        if !self.facts.is_empty() {
            let rows = self.facts.iter().map(|fact| vec![fact.name.to_owned(), fact.value.clone()]).collect();
            blocks.push(Table::new(&["", ""], rows).markdown());
        }
        blocks.extend(self.tables.iter().map(Table::markdown));
        blocks.extend(self.prose.iter().map(|paragraph| visible(paragraph)));
        blocks.join("\n\n")
    }
}

impl Table {
    pub(crate) fn new(header: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self { header: header.iter().map(|&name| name.to_owned()).collect(), rows }
    }

    fn text(&self, style: Style) -> String {
        let header: Vec<String> = self.header.iter().map(|name| format!("{INDENT}{name}")).collect();
        let mut rows = vec![header];
        rows.extend(
            self.rows.iter().map(|row| row.iter().map(|cell| format!("{INDENT}{}", visible(cell))).collect()),
        );
        let all = aligned(&rows);
        match all.split_once('\n') {
            Some((header, rows)) => format!("{}\n{rows}", style.name(header)),
            None => style.name(&all),
        }
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let escaped = |cell: &String| visible(cell).replace('|', "\\|");
        let mut lines = vec![line(self.header.clone()), line(vec!["---".to_owned(); self.header.len()])];
        lines.extend(self.rows.iter().map(|row| line(row.iter().map(escaped).collect())));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page {
            headline: "ε = 1".into(),
            facts: vec![
                Fact::value("expression", "x".repeat(120)),
                Fact::words("note", "word ".repeat(40)),
                Fact::warning("not as asked", "a | b"),
            ],
            tables: vec![Table::new(&["ε", "δ"], vec![vec!["1".into(), "0.5".into()]])],
            ..Page::default()
        }
    }

    #[test]
    fn words_are_broken_and_values_are_not() {
        let text = page().text(Style::PLAIN);
        assert!(text.contains(&"x".repeat(120)), "{text}");
        assert!(text.lines().filter(|line| line.contains("word")).all(|line| line.chars().count() <= WIDTH));
        assert!(text.starts_with("ε = 1\n\n  expression    xxx"), "{text}");
    }

    #[test]
    fn markdown_is_a_table_with_escaped_bars() {
        let markdown = page().markdown();
        assert!(
            markdown.starts_with("**ε = 1**\n\n|  |  |\n| --- | --- |\n| expression | xxx"),
            "{markdown}"
        );
        assert!(markdown.contains(r"| not as asked | a \| b |"), "{markdown}");
        assert!(markdown.ends_with("| ε | δ |\n| --- | --- |\n| 1 | 0.5 |"), "{markdown}");
    }
}
