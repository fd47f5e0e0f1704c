//! Strings in double quotes.
//!
//! Escapes: `\"`, `\\`, `\n`, `\r`, `\t`, and `\u{…}` with the hexadecimal number of a character.

use std::fmt;

/// Why a quoted string cannot be read, with the bytes at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum QuoteProblem {
    Unterminated,
    BadEscape { start: usize, end: usize },
}

/// Reads the string that starts with the opening quote `text[0]`: its value, and the bytes it takes.
pub(super) fn read(text: &str) -> Result<(String, usize), QuoteProblem> {
    let mut value = String::new();
    let mut at = 1;
    while let Some(character) = text[at..].chars().next() {
        match character {
            '"' => return Ok((value, at + 1)),
            // A string that runs over a line is almost always one whose end was forgotten.
            '\n' | '\r' => return Err(QuoteProblem::Unterminated),
            '\\' => {
                let (escaped, length) = read_escape(&text[at..]);
                let escaped = escaped.ok_or(QuoteProblem::BadEscape { start: at, end: at + length })?;
                value.push(escaped);
                at += length;
            }
            other => {
                value.push(other);
                at += other.len_utf8();
            }
        }
    }
    Err(QuoteProblem::Unterminated)
}

/// The character that the escape at the start of `text` stands for, if any, and the bytes it takes.
fn read_escape(text: &str) -> (Option<char>, usize) {
    let Some(letter) = text[1..].chars().next() else { return (None, 1) };
    let length = 1 + letter.len_utf8();
    let character = match letter {
        '"' | '\\' => Some(letter),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'u' => {
            return read_code(&text[length..])
                .map_or((None, length), |(code, more)| (Some(code), length + more));
        }
        _ => None,
    };
    (character, length)
}

/// Reads `{…}`: at most six hexadecimal digits.
fn read_code(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix('{')?.split_once('}')?;
    let hexadecimal = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| hexadecimal)?;
    Some((char::from_u32(code)?, digits.len() + 2))
}

/// Writes a string in double quotes, so that [`read`] gives it back.
pub(super) fn write(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    use fmt::Write;
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if control.is_control() => write!(f, "\\u{{{:x}}}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read() {
        assert_eq!(read(r#""a\"\\\n\u{e9}é" rest"#), Ok(("a\"\\\néé".to_owned(), 17)));
    }

    #[test]
    fn problems_are_located() {
        assert_eq!(read(r#""abc"#), Err(QuoteProblem::Unterminated));
        assert_eq!(read("\"abc\n\""), Err(QuoteProblem::Unterminated));
        assert_eq!(read("\"abc\\"), Err(QuoteProblem::BadEscape { start: 4, end: 5 }));
        assert_eq!(read(r#""a\d""#), Err(QuoteProblem::BadEscape { start: 2, end: 4 }));
        for bad in
            [r#""\u{}""#, r#""\u{110000}""#, r#""\u{d800}""#, r#""\u{+41}""#, r#""\u41""#, r#""\u{0000041}""#]
        {
            assert_eq!(read(bad), Err(QuoteProblem::BadEscape { start: 1, end: 3 }), "{bad}");
        }
    }
}
