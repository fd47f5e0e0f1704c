//! Text from elsewhere, fit to be shown: nothing in it moves the cursor, colours a terminal, or breaks out of its line.

/// The text with control characters, line ends and marks that reorder a line written as escapes.
pub(crate) fn visible(text: &str) -> String {
    escaped(text, |_| false)
}

/// The same for text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    escaped(text, |character| character == '\n')
}

fn escaped(text: &str, is_welcome: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) && !is_welcome(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Does it act on a terminal or on the order of a line, or is it not seen at all?
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_escaped_and_what_is_read_is_not() {
        assert_eq!(visible("a\u{1b}[31m\nβ\u{9b}\u{202e}"), "a\\u{1b}[31m\\nβ\\u{9b}\\u{202e}");
        assert_eq!(visible_lines("a\nb\rc"), "a\nb\\rc");
        assert_eq!(visible("ε = 1 ± 2, “漢字”"), "ε = 1 ± 2, “漢字”");
    }
}
