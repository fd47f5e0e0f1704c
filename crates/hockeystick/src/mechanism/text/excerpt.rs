//! Part of a text that is too long to show, with a mark under the place in question.

use std::ops::Range;

/// How many characters of a line are shown.
const WINDOW: usize = 60;
const INDENT: &str = "    ";

/// The line of `text` in which `span` (in bytes) begins, clipped to a window around it, and carets under the span.
///
/// Empty if there is nothing but space to show.
pub fn excerpt(text: &str, span: Range<usize>) -> String {
    let line_start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[span.start..].find('\n').map_or(text.len(), |newline| span.start + newline);
    let line: Vec<char> = text[line_start..line_end].chars().map(visible).collect();
    if line.iter().all(|character| character.is_whitespace()) {
        return String::new();
    }
    let column = text[line_start..span.start].chars().count();
    let marked = text[span.start..span.end.clamp(span.start, line_end)].chars().count().max(1);

    // The end of the text, one after the last character, can be marked too.
    let last_start = (line.len() + 1).saturating_sub(WINDOW);
    let start = column.saturating_sub(WINDOW / 2).min(last_start);
    let end = (start + WINDOW).min(line.len());
    let before: String = if start > 0 { "…".to_owned() } else { String::new() };
    let after = if end < line.len() { "…" } else { "" };

    let shown: String = line[start..end].iter().collect();
    let padding = before.chars().chain(line[start..column].iter().copied()).map(width).sum::<usize>();
    let marked_end = (column + marked).min(end);
    let carets = line
        .get(column..marked_end)
        .map_or(1, |marked| marked.iter().map(|c| width(*c)).sum::<usize>())
        .max(1);
    format!("{INDENT}{before}{shown}{after}\n{INDENT}{}{}", " ".repeat(padding), "^".repeat(carets))
}

/// What is shown in place of a character that would move the cursor or reorder the line.
fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            '\u{fffd}'
        }
        other if other.is_control() => '\u{fffd}',
        other => other,
    }
}

/// How many columns a terminal gives to a character: the blocks of Unicode that are wide or combine, roughly.
fn width(character: char) -> usize {
    match character {
        '\u{0300}'..='\u{036f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, span: Range<usize>) -> (String, String) {
        let excerpt = excerpt(text, span);
        let (line, carets) = excerpt.split_once('\n').unwrap();
        (line.trim_start().to_owned(), carets[INDENT.len()..].to_owned())
    }

    #[test]
    fn the_span_is_underlined() {
        assert_eq!(lines("gdp(nu=1)", 4..6), ("gdp(nu=1)".into(), "    ^^".into()));
        assert_eq!(lines("gdp(mu=1) +", 11..11), ("gdp(mu=1) +".into(), "           ^".into()));
    }

    #[test]
    fn only_the_line_in_question_is_shown() {
        assert_eq!(lines("a +\nbad\n+ c", 4..11), ("bad".into(), "^^^".into()));
        assert_eq!(lines("a +\r\nbad\r\n", 5..8), ("bad\u{fffd}".into(), "^^^".into()));
    }

    #[test]
    fn a_long_line_is_clipped_on_both_sides() {
        let text = format!("{}bad{}", "x".repeat(500), "y".repeat(500));
        let (line, carets) = lines(&text, 500..503);
        assert_eq!(line, format!("…{}bad{}…", "x".repeat(30), "y".repeat(27)));
        assert_eq!(carets, format!("{}^^^", " ".repeat(31)));
    }

    #[test]
    fn the_end_of_a_long_line_can_be_marked() {
        let (line, carets) = lines(&"x".repeat(1000), 1000..1000);
        assert_eq!(line, format!("…{}", "x".repeat(59)));
        assert_eq!(carets, format!("{}^", " ".repeat(60)));
    }

    #[test]
    fn a_span_longer_than_the_window_ends_with_it() {
        let (line, carets) = lines(&"x".repeat(1000), 0..1000);
        assert_eq!((line.chars().count(), carets.len()), (61, 60));
    }

    #[test]
    fn wide_and_combining_characters_keep_the_caret_in_place() {
        assert_eq!(lines("漢字?", 6..7).1, "    ^");
        assert_eq!(lines("e\u{301}?", 3..4).1, " ^");
        assert_eq!(lines("漢", 0..3).1, "^^");
        assert_eq!(lines("\t?", 1..2), ("?".into(), " ^".into()));
    }

    #[test]
    fn nothing_is_shown_of_space() {
        assert_eq!(excerpt("", 0..0), "");
        assert_eq!(excerpt(" \n ", 0..3), "");
    }

    proptest::proptest! {
        #[test]
        fn any_span_of_any_text_can_be_shown(text in "(?s).{0,200}", from in 0usize..200, length in 0usize..200) {
            let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = boundaries[from.min(boundaries.len() - 1)];
            let end = boundaries[(from + length).min(boundaries.len() - 1)];
            let shown = excerpt(&text, start..end);
            proptest::prop_assert!(shown.lines().all(|line| line.chars().count() <= 4 + WINDOW + 2 + WINDOW));
            proptest::prop_assert!(shown.is_empty() || shown.contains('^'));
        }
    }
}
