//! Figures as pages, charts and tables.

use crate::{Claim, Entry, Figure, Paper, Source, Verdict, digits::digits};
use hockeystick_plot::Sheet;

/// A paper with the figures of it that were drawn.
pub struct Document<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its figures, in order.
    pub figures: Vec<(&'a Entry, Figure)>,
}

/// A number with so many significant digits, but never below or never above it: what is written of a bound is one.
fn outward(value: f64, most: usize, is_upper: bool) -> String {
    let text = format!("{value:.*e}", most - 1);
    let rounded: f64 = text.parse().unwrap_or(value);
    let is_inside = if is_upper { rounded < value } else { rounded > value };
    if !is_inside {
        return digits(value, most);
    }
    let power: i32 = text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let unit = 10f64.powi(power - most as i32 + 1);
    digits(if is_upper { rounded + unit } else { rounded - unit }, most)
}

/// The chart of a figure.
pub fn sheet(entry: &Entry, figure: &Figure) -> Sheet {
    let title = format!("{}: {}", entry.name, entry.title);
    let start = Sheet::new(title, figure.columns);
    figure.panels.iter().fold(start, |sheet, panel| sheet.chart(panel.chart()))
}

/// Digits of a number in a table: more would differ between processors.
const TABLE_DIGITS: usize = 7;

/// The numbers of a figure: one row for each point, in `panel,series,x,y,lower,upper`.
pub fn csv(figure: &Figure) -> String {
    let bound = |value: Option<f64>, is_upper: bool| {
        value.map_or(String::new(), |value| outward(value, TABLE_DIGITS, is_upper))
    };
    let mut lines = vec!["panel,series,x,y,lower,upper".to_owned()];
    for panel in &figure.panels {
        for curve in &panel.curves {
            let start = format!("{},{}", quoted(&panel.title), quoted(&curve.name));
            lines.extend(curve.samples.iter().map(|sample| {
                let [x, y] = [sample.x, sample.y].map(|value| digits(value, TABLE_DIGITS));
                format!("{start},{x},{y},{},{}", bound(sample.lower, false), bound(sample.upper, true))
            }));
        }
    }
    lines.join("\n") + "\n"
}

/// After RFC 4180, without the marks for raised letters.
fn quoted(text: &str) -> String {
    let text = &text.replace("^{", "^").replace('}', "");
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The page of a paper, in Markdown.
pub fn page(document: &Document<'_>) -> String {
    let Document { paper, figures } = document;
    let mut lines = vec![
        format!("# {}", paper.title),
        String::new(),
        format!("{} Cited as [{}].", paper.authors, paper.key),
        String::new(),
        "Written by `hockeystick reproduce`; do not edit. Tables hold the numbers of each chart: `lower` and `upper` are bounds where \
         the method has them, rounded outward to seven digits."
            .to_owned(),
        String::new(),
    ];
    lines.extend(paper.notes.iter().flat_map(|note| [(*note).to_owned(), String::new()]));
    for (entry, figure) in figures {
        lines.extend(section(entry, figure));
    }
    if !paper.left_out.is_empty() {
        lines.extend(["## Not drawn".to_owned(), String::new()]);
        lines.extend(paper.left_out.iter().map(|reason| format!("- {reason}")));
        lines.push(String::new());
    }
    lines.join("\n")
}

fn section(entry: &Entry, figure: &Figure) -> Vec<String> {
    let Entry { id, name, title, .. } = entry;
    let mut lines = vec![
        format!("## {name}: {title}"),
        String::new(),
        format!("![{name}]({id}.svg)"),
        String::new(),
        format!("Numbers: [{id}.csv]({id}.csv)"),
        String::new(),
        "| parameter | value | from |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    lines.extend(figure.parameters.iter().map(|parameter| {
        let source = match parameter.source {
            Source::Paper => "the paper",
            Source::Chosen => "chosen here: not in the text",
        };
        format!("| {} | {} | {source} |", parameter.name, parameter.value)
    }));
    lines.push(String::new());
    lines.extend(list("What we get", figure.findings.iter().map(String::as_str)));
    lines.extend(list("What the paper says", figure.said.iter().copied()));
    lines.extend(list("Where they differ, and why", figure.differences.iter().copied()));
    lines.extend(claims(&figure.claims));
    lines
}

fn list<'a>(title: &str, items: impl Iterator<Item = &'a str>) -> Vec<String> {
    let items: Vec<String> = items.map(|item| format!("- {item}")).collect();
    if items.is_empty() {
        return vec![];
    }
    [vec![format!("**{title}**"), String::new()], items, vec![String::new()]].concat()
}

fn claims(claims: &[Claim]) -> Vec<String> {
    if claims.is_empty() {
        return vec![];
    }
    let row = |claim: &Claim| {
        let verdict = match claim.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Differs(why) => format!("differs: {why}"),
        };
        format!("| {} | {} | {} | {verdict} |", claim.text, claim.printed, claim.shown)
    };
    let head = ["| claim | paper | here | |", "| --- | --- | --- | --- |"].map(str::to_owned);
    [head.to_vec(), claims.iter().map(row).collect(), vec![String::new()]].concat()
}

/// The page that leads to all papers, in Markdown.
pub fn index(documents: &[Document<'_>]) -> String {
    let mut lines = vec![
        "# Five papers, drawn again".to_owned(),
        String::new(),
        "Every figure and table that can be computed from the text of a paper, as `hockeystick reproduce` draws it. Do not edit: \
         run the command."
            .to_owned(),
        String::new(),
        "| paper | drawn |".to_owned(),
        "| --- | --- |".to_owned(),
    ];
    for Document { paper, figures } in documents {
        let names: Vec<&str> = figures.iter().map(|(entry, _)| entry.name).collect();
        lines.push(format!(
            "| [[{}]]({}/index.md) {} | {} |",
            paper.key,
            paper.id,
            paper.title,
            names.join(", ")
        ));
    }
    lines.extend(["", "## Numbers that the texts claim", ""].map(str::to_owned));
    let all: Vec<Claim> = documents
        .iter()
        .flat_map(|document| document.figures.iter().flat_map(|(_, figure)| figure.claims.clone()))
        .collect();
    lines.extend(claims(&all));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{digits, outward};

    #[test]
    fn numbers_are_short() {
        assert_eq!(digits(0.1 + 0.2, 7), "0.3");
        assert_eq!(digits(1.0 / 3.0, 4), "0.3333");
        assert_eq!(digits(1.23456e-9, 3), "1.23e-9");
        assert_eq!(digits(f64::INFINITY, 4), "inf");
        assert_eq!(digits(65536.0, 4), "65540");
    }

    #[test]
    fn bounds_stay_bounds() {
        for value in [1.0 / 3.0, 2.0 / 3.0, 1e-9 / 7.0, 0.999_999_99, 123_456_789.0, 0.0] {
            let (low, high) = (outward(value, 4, false), outward(value, 4, true));
            let [low, high] = [low, high].map(|text| text.parse::<f64>().unwrap());
            assert!(low <= value && value <= high && high - low <= 2e-3 * value, "{low} {value} {high}");
        }
        assert_eq!(outward(0.25, 4, true), "0.25");
        assert_eq!(outward(f64::INFINITY, 4, true), "inf");
    }
}
