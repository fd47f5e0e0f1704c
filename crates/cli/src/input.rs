//! The expression: an argument, or standard input.

use crate::failure::Failure;
use hockeystick::mechanism::{Files, MAX_TEXT_BYTES, Mechanism};
use std::io::{self, Read};

/// The argument that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The mechanism that `argument`, or standard input if it is `-`, describes.
pub(crate) fn mechanism(argument: &str, files: &Files) -> Result<Mechanism, Failure> {
    let text = text(argument)?;
    files.mechanism(&text).map_err(|error| Failure::Expression { text, error })
}

/// The argument itself, or standard input if it is `-`.
pub(crate) fn text(argument: &str) -> Result<String, Failure> {
    if argument == STANDARD_INPUT { text_of(io::stdin().lock()) } else { Ok(argument.to_owned()) }
}

/// All of a reader's text. One byte more than is allowed is enough to refuse it, so an endless reader ends here.
fn text_of(reader: impl Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    reader.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(Failure::StandardInput)?;
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(Failure::StandardInputTooLong { most: MAX_TEXT_BYTES });
    }
    String::from_utf8(bytes)
        .map_err(|error| Failure::StandardInputNotText { valid_up_to: error.utf8_error().valid_up_to() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_is_refused() {
        assert!(matches!(text_of(io::repeat(b'(')), Err(Failure::StandardInputTooLong { .. })));
    }

    #[test]
    fn the_longest_text_is_read_whole() {
        let longest = io::repeat(b' ').take(MAX_TEXT_BYTES as u64);
        assert_eq!(text_of(longest).unwrap().len(), MAX_TEXT_BYTES);
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let error = text_of(&b"gdp\xff"[..]).unwrap_err();
        assert!(matches!(error, Failure::StandardInputNotText { valid_up_to: 3 }));
    }
}
