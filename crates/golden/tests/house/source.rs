//! Source files as the rules of the house see them: code without comments, texts and tests, in tokens.
//!
//! In: the text of a file. Out: its tokens in order, and the texts it holds. Good enough for code that is formatted by
//! `rustfmt`; not a parser.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One source file.
pub(crate) struct Source {
    /// Its path from the root of the repository, with `/` between folders.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
    /// Identifiers, numbers and single signs, outside of tests.
    pub(crate) tokens: Vec<String>,
    /// What stands between quotes, outside of tests.
    pub(crate) literals: Vec<String>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All Rust files below a folder of the repository.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    let mut pending = vec![root.join(folder)];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a listed file").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let shown = path.strip_prefix(&root).expect("below the root").to_string_lossy();
                let text = fs::read_to_string(&path).expect("a text");
                found.push(Source::new(shown.replace('\\', "/"), text));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} holds no sources");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Source {
    pub(crate) fn new(path: String, text: String) -> Self {
        let (mut tokens, mut literals) = scan(&text);
        // Files of tests are `tests.rs`, or below `tests/`.
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            tokens.clear();
            literals.clear();
        }
        let tokens = without_tests(tokens);
        let literals = literals.into_iter().filter(|(place, _)| tokens.iter().any(|(at, _)| at == place));
        let literals = literals.map(|(_, text)| text).collect();
        let tokens = tokens.into_iter().map(|(_, token)| token).collect();
        Self { path, text, tokens, literals }
    }

    /// The comment that opens the file.
    pub(crate) fn opening(&self) -> String {
        let lines = self.text.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

/// Where a token stands among all tokens of the file, and the token.
type Placed = (usize, String);

/// The stand-in for a text between quotes.
const TEXT: &str = "\"\"";

fn scan(text: &str) -> (Vec<Placed>, Vec<Placed>) {
    let letters: Vec<char> = text.chars().collect();
    let (mut tokens, mut literals): (Vec<Placed>, Vec<Placed>) = (Vec::new(), Vec::new());
    let mut i = 0;
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    while i < letters.len() {
        let rest = &letters[i..];
        match rest {
            ['/', '/', ..] => i += rest.iter().position(|&letter| letter == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => {
                i += rest.windows(2).position(|two| two == ['*', '/']).map_or(rest.len(), |at| at + 2);
            }
            ['r', '"', ..] | ['r', '#', '"' | '#', ..] => {
                let hashes = rest[1..].iter().take_while(|&&letter| letter == '#').count();
                let close: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                let body: String = rest[hashes + 2..].iter().collect();
                let end = body.find(&close).unwrap_or(body.len());
                literals.push((tokens.len(), body[..end].to_owned()));
                tokens.push((tokens.len(), TEXT.to_owned()));
                i += hashes + 2 + body[..end].chars().count() + close.len();
            }
            ['"', ..] => {
                let mut end = 1;
                while end < rest.len() && rest[end] != '"' {
                    end += if rest[end] == '\\' { 2 } else { 1 };
                }
                literals.push((tokens.len(), rest[1..end.min(rest.len())].iter().collect()));
                tokens.push((tokens.len(), TEXT.to_owned()));
                i += end + 1;
            }
            // A character, not the name of a lifetime.
            ['\'', '\\', ..] => {
                i += 4 + rest[3..].iter().position(|&letter| letter == '\'').unwrap_or(rest.len() - 4)
            }
            ['\'', _, '\'', ..] => i += 3,
            [letter, ..] if letter.is_whitespace() => i += 1,
            [letter, ..] if is_word(*letter) => {
                let length = rest.iter().take_while(|&&letter| is_word(letter)).count();
                tokens.push((tokens.len(), rest[..length].iter().collect()));
                i += length;
            }
            [letter, ..] => {
                tokens.push((tokens.len(), letter.to_string()));
                i += 1;
            }
            [] => break,
        }
    }
    (tokens, literals)
}

/// Leaves out what `#[cfg(test)]` stands before: up to its closing brace, or its semicolon.
fn without_tests(tokens: Vec<Placed>) -> Vec<Placed> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let marked = tokens[i..].iter().map(|(_, token)| token.as_str()).take(marker.len()).eq(marker);
        if !marked {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        i += marker.len();
        while i < tokens.len() {
            let token = tokens[i].1.as_str();
            i += 1;
            depth += match token {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
            if depth == 0 && (token == "}" || token == ";") {
                break;
            }
        }
    }
    kept
}

#[test]
fn comments_texts_and_tests_are_left_out() {
    let text = "use a::b; // c\nfn d() { f(\"x * y\", r#\"z \"q\" w\"#, '\\'', 'e', &'g h) }\n#[cfg(test)]\nmod tests { fn i() {} }\nj";
    let source = Source::new("k.rs".to_owned(), text.to_owned());
    assert_eq!(source.tokens.join(" "), "use a : : b ; fn d ( ) { f ( \"\" , \"\" , , , & ' g h ) } j");
    assert_eq!(source.literals, ["x * y", "z \"q\" w"]);
}
