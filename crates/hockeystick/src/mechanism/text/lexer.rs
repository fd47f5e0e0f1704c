//! Text to tokens.

use super::super::decimal::{self, NumberProblem};
use super::super::words::quoted;
use super::error::{ParseError, Problem, Span};
use super::quote::{self, QuoteProblem};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name,
    Number(f64),
    Text(String),
    Hole,
    Open,
    Close,
    Comma,
    Equals,
    Plus,
    Minus,
    Star,
    Slash,
    End,
}

/// Reads one token after another.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn next(&mut self) -> Result<(Token, Span), ParseError> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(self.take(Token::End, 0)) };
        match first {
            '(' => Ok(self.take(Token::Open, 1)),
            ')' => Ok(self.take(Token::Close, 1)),
            ',' => Ok(self.take(Token::Comma, 1)),
            '=' => Ok(self.take(Token::Equals, 1)),
            '+' => Ok(self.take(Token::Plus, 1)),
            '-' => Ok(self.take(Token::Minus, 1)),
            '*' => Ok(self.take(Token::Star, 1)),
            '/' => Ok(self.take(Token::Slash, 1)),
            '?' => Ok(self.take(Token::Hole, 1)),
            '"' => self.string(rest),
            '0'..='9' | '.' => self.number(rest),
            'a'..='z' | 'A'..='Z' | '_' => Ok(self.take(Token::Name, name_length(rest))),
            other => Err(self.stray(other)),
        }
    }

    fn take(&mut self, token: Token, length: usize) -> (Token, Span) {
        let span = Span { start: self.at, end: self.at + length };
        self.at = span.end;
        (token, span)
    }

    fn error(&self, start: usize, end: usize, problem: Problem) -> ParseError {
        ParseError::new(self.text, Span { start: self.at + start, end: self.at + end }, problem)
    }

    fn number(&mut self, rest: &str) -> Result<(Token, Span), ParseError> {
        let length = number_length(rest);
        let written = &rest[..length];
        let found = quoted(written);
        let problem = match decimal::read(written) {
            Ok(value) => return Ok(self.take(Token::Number(value), length)),
            Err(NumberProblem::Malformed) => Problem::MalformedNumber { found },
            Err(NumberProblem::Overflow) => Problem::Overflow { found },
            Err(NumberProblem::Underflow) => Problem::Underflow { found },
        };
        Err(self.error(0, length, problem))
    }

    fn string(&mut self, rest: &str) -> Result<(Token, Span), ParseError> {
        match quote::read(rest) {
            Ok((value, length)) => Ok(self.take(Token::Text(value), length)),
            Err(QuoteProblem::Unterminated) => Err(self.error(0, 1, Problem::UnterminatedText)),
            Err(QuoteProblem::BadEscape { start, end }) => {
                Err(self.error(start, end, Problem::Escape { found: quoted(&rest[start..end]) }))
            }
        }
    }

    fn stray(&self, character: char) -> ParseError {
        let cure = match character {
            '\'' | '“' | '”' | '‘' | '’' | '`' => "texts take double quotes, \"…\"",
            '×' | '·' | '⋅' => "write * for repetition",
            '−' | '–' => "write - for a minus sign",
            '÷' => "write / for a division",
            '^' => "write a power as a product, as in 2*2*2",
            '√' => "write sqrt(2) for a square root",
            ':' => "write = between a name and its value",
            ';' => "separate parameters by a comma",
            '[' | '{' | ']' | '}' => "write ( and ), and lists as texts such as \"0,1,2\"",
            _ => "expressions consist of names, numbers, texts in double quotes, and ( ) , = + - * / ?",
        };
        let found = quoted(character.encode_utf8(&mut [0; 4]));
        self.error(0, character.len_utf8(), Problem::Character { found, cure })
    }
}

/// Whether a word is the name of a function of numbers.
pub(super) fn is_function(word: &str) -> bool {
    word == "sqrt"
}

/// Whether a word stands for infinity or not-a-number.
pub(super) fn is_not_finite(word: &str) -> bool {
    ["inf", "infinity", "nan"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| is_word(*byte)).count()
}

/// Takes in letters too, so that `1.0abc` is refused as one bad number and not as two tokens.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 1;
    while let Some(&byte) = bytes.get(length) {
        let signed_exponent = matches!(byte, b'+' | b'-') && matches!(bytes[length - 1], b'e' | b'E');
        if !is_word(byte) && byte != b'.' && !signed_exponent {
            break;
        }
        length += 1;
    }
    length
}
