//! Who may know whom.

use crate::source::{Source, root, sources};
use std::{collections::BTreeSet, fs};

/// The modules of the library, and what each may name of the others. Dependencies point left only.
const MODULES: [(&str, &[&str]); 7] = [
    ("mechanism", &[]),
    ("composition", &["error", "mechanism"]),
    ("pair", &["error", "mechanism", "composition"]),
    ("curve", &["pair"]),
    ("engine", &["error", "composition", "pair", "curve"]),
    ("plan", &["error", "mechanism", "composition", "pair", "curve", "engine"]),
    ("query", &["error", "mechanism", "composition", "pair", "curve", "engine", "plan"]),
];

const CRATES: [(&str, &[&str]); 12] = [
    ("numerics", &[]),
    ("digits", &[]),
    ("plot", &[]),
    ("golden", &[]),
    ("chance", &[]),
    ("hockeystick", &["numerics"]),
    ("audit", &["hockeystick", "numerics"]),
    ("reproduce", &["hockeystick", "numerics", "plot"]),
    ("ledger", &["hockeystick"]),
    ("cli", &["hockeystick", "numerics", "digits", "plot", "audit", "reproduce", "ledger"]),
    ("python", &["hockeystick", "digits", "plot", "audit", "ledger"]),
    ("campaign", &["hockeystick", "golden", "chance"]),
];

/// The modules of its crate that a source names: `crate::a`, `crate::{a, b}`, and `super::a` out of the last folder.
fn named(source: &Source) -> BTreeSet<String> {
    let (_, below) = source.path.split_once("/src/").expect("a source");
    let depth = below.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
    let mut found = BTreeSet::new();
    let mut i = 0;
    while i < tokens.len() {
        let mut at = i + 1;
        let reaches_root = match tokens[i] {
            "crate" => true,
            "super" => {
                let mut climbed = 1;
                while tokens[at..].starts_with(&[":", ":", "super"]) {
                    (climbed, at) = (climbed + 1, at + 3);
                }
                climbed >= depth
            }
            _ => false,
        };
        if reaches_root && tokens[at..].starts_with(&[":", ":"]) {
            found.extend(first_names(&tokens[at + 2..]));
        }
        i = at;
    }
    found
}

/// `a` of `a::b`; `a` and `b` of `{a::c, b}`.
fn first_names(tokens: &[&str]) -> Vec<String> {
    if tokens.first() != Some(&"{") {
        return tokens.first().map(|&name| vec![name.to_owned()]).unwrap_or_default();
    }
    let (mut depth, mut names, mut is_first) = (0, Vec::new(), false);
    for &token in tokens {
        match token {
            "{" => (depth, is_first) = (depth + 1, depth == 0),
            "}" => depth -= 1,
            "," => is_first = depth == 1,
            name => {
                if is_first {
                    names.push(name.to_owned());
                }
                is_first = false;
            }
        }
        if depth == 0 {
            break;
        }
    }
    names
}

#[test]
fn paths_are_read() {
    let names = |path: &str, text: &str| {
        named(&Source::new(format!("crates/x/src/{path}"), text.to_owned())).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(
        names("a/b.rs", "use crate::{pair::{Atom, x}, curve}; crate::error::E"),
        ["curve", "error", "pair"]
    );
    assert_eq!(names("a/b.rs", "use super::{c, super::plan::d}; super::super::query::x()"), ["query"]);
    assert_eq!(names("a/mod.rs", "use super::engine::x;"), ["engine"]);
}

#[test]
fn modules_know_only_what_is_left_of_them() {
    for (module, known) in MODULES {
        let below = format!("crates/hockeystick/src/{module}");
        let sources = sources("crates/hockeystick/src");
        let mut seen = 0;
        for source in sources.iter().filter(|source| {
            source.path == format!("{below}.rs") || source.path.starts_with(&format!("{below}/"))
        }) {
            seen += 1;
            for name in named(source) {
                let is_module = name == "error" || MODULES.iter().any(|(module, _)| *module == name);
                assert!(
                    !is_module || name == module || known.contains(&name.as_str()),
                    "{} names {name}, of which {module} knows nothing",
                    source.path
                );
            }
        }
        assert!(seen > 0, "there is no {module}");
    }
}

#[test]
fn crates_know_only_what_is_left_of_them() {
    for (name, known) in CRATES {
        let manifest =
            fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).expect("a manifest");
        let dependencies = manifest.split("\n[").filter(|table| {
            let title = table.lines().next().unwrap_or_default();
            title.contains("dependencies]") && !title.contains("dev-dependencies]")
        });
        for line in dependencies.flat_map(str::lines) {
            let Some((crate_name, _)) = line.split_once([' ', '.', '=']) else { continue };
            let Some(rest) = crate_name.strip_prefix("hockeystick") else { continue };
            let other = if rest.is_empty() { "hockeystick" } else { rest.trim_start_matches('-') };
            assert!(known.contains(&other), "crates/{name} depends on {other}, of which it knows nothing");
        }
    }
}

/// What a mechanism is called in expressions.
fn names_of_mechanisms() -> Vec<String> {
    let mut names = Vec::new();
    for source in sources("crates/hockeystick/src/mechanism") {
        let stated = source.text.split("const NAME: &'static str = \"").skip(1);
        names.extend(stated.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn engines_know_no_mechanism_by_name() {
    let names = names_of_mechanisms();
    for folder in ["engine", "curve", "plan"] {
        for source in sources(&format!("crates/hockeystick/src/{folder}")) {
            for literal in &source.literals {
                let is_name = |name: &String| literal == name || literal.contains(&format!("{name}("));
                assert!(!names.iter().any(is_name), "{} names a mechanism: {literal:?}", source.path);
            }
        }
    }
}

/// Who reads an error in Python, or in a program in Rust, has no command line: only the command line speaks of its flags.
#[test]
fn only_the_command_line_speaks_of_flags() {
    let is_flag = |word: &str| {
        word.strip_prefix("--")
            .is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()))
    };
    for source in ["crates/hockeystick/src", "crates/numerics/src", "crates/plot/src", "crates/python/src"]
        .into_iter()
        .flat_map(sources)
    {
        for literal in &source.literals {
            let flag = literal.split([' ', '`', '(', '"']).find(|&word| is_flag(word));
            assert!(flag.is_none(), "{} speaks of {flag:?}: {literal:?}", source.path);
        }
    }
}

/// Words that only the layers above know.
#[test]
fn numbers_and_charts_know_nothing_of_privacy() {
    for source in
        ["crates/numerics/src", "crates/digits/src", "crates/plot/src"].into_iter().flat_map(sources)
    {
        for token in &source.tokens {
            for part in token.split('_') {
                let word = part.to_lowercase();
                assert!(
                    !["privacy", "mechanism", "epsilon", "delta", "dominating", "composition"]
                        .contains(&word.as_str())
                        || token == "EPSILON",
                    "{} speaks of privacy: {token}",
                    source.path
                );
            }
        }
    }
}

/// Only `composition.rs` looks into a repetition, and so only it multiplies counts.
#[test]
fn one_place_multiplies_by_a_count() {
    let outside = sources("crates/hockeystick/src").into_iter().filter(|source| {
        !source.path.contains("/src/mechanism/") && !source.path.ends_with("/src/composition.rs")
    });
    for source in outside.chain(
        ["cli", "python", "ledger"].into_iter().flat_map(|name| sources(&format!("crates/{name}/src"))),
    ) {
        let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
        for window in tokens.windows(7) {
            let opens = window[..5] == ["Mechanism", ":", ":", "Repeat", "("] && window[5] != "_";
            assert!(!opens, "{} looks into a repetition", source.path);
            let multiplies = window[0].ends_with("count") && window[1] == "." && window[2].ends_with("_mul");
            let named = |token: &str| token.ends_with("count") || token.ends_with("counts");
            let product = named(window[0]) && window[1] == "*" && named(window[2]);
            assert!(!multiplies && !product, "{} multiplies counts: {window:?}", source.path);
        }
    }
}

/// Edges ask; they do not compute with what is asked about.
#[test]
fn edges_do_no_arithmetic_on_epsilon_and_delta() {
    for source in ["crates/cli/src", "crates/python/src", "crates/ledger/src"].into_iter().flat_map(sources) {
        let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
        for (i, &token) in tokens.iter().enumerate() {
            let before = tokens[..i].last().copied().unwrap_or_default();
            let is_function = ["exp", "exp_m1", "exp2", "ln", "ln_1p", "powf", "mul_add"].contains(&token);
            assert!(!(is_function && before == "."), "{} computes: .{token}", source.path);
            if ["epsilon", "delta"].contains(&token) {
                assert!(
                    !is_operand(&tokens, i),
                    "{} computes with {token}: {:?}",
                    source.path,
                    around(&tokens, i)
                );
            }
        }
    }
}

/// Messages of the library are read on the command line, in Python and in Rust: none speaks of the flags of one of them.
#[test]
fn the_library_knows_no_flags() {
    for source in ["crates/hockeystick/src", "crates/python/src"].into_iter().flat_map(sources) {
        for literal in &source.literals {
            let is_flag = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
            let named = literal.split("--").skip(1).any(is_flag);
            assert!(!named, "{} speaks of a flag: {literal:?}", source.path);
        }
    }
}

fn around<'a>(tokens: &'a [&'a str], i: usize) -> &'a [&'a str] {
    &tokens[i.saturating_sub(4)..(i + 5).min(tokens.len())]
}

/// Does an arithmetic sign stand beside the value that ends, or begins, at this name?
fn is_operand(tokens: &[&str], i: usize) -> bool {
    let is_sign = |token: &str| ["+", "-", "*", "/", "%"].contains(&token);
    let mut after = i + 1;
    if tokens[after..].starts_with(&["(", ")"]) {
        after += 2;
    }
    let sign_after =
        tokens.get(after).is_some_and(|sign| is_sign(sign)) && tokens.get(after + 1) != Some(&">");
    // `self.epsilon` begins at `self`.
    let mut start = i;
    while start >= 2 && tokens[start - 1] == "." {
        start -= 2;
    }
    let ends_value = |token: &str| {
        token == ")" || token == "]" || token.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let is_keyword = |token: &str| ["return", "in", "if", "match", "else", "mut"].contains(&token);
    let sign_before = start >= 2
        && is_sign(tokens[start - 1])
        && ends_value(tokens[start - 2])
        && !is_keyword(tokens[start - 2]);
    sign_after || sign_before
}

#[test]
fn arithmetic_is_seen() {
    let is_seen = |text: &str| {
        let source = Source::new("x.rs".to_owned(), text.to_owned());
        let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
        (0..tokens.len()).any(|i| tokens[i] == "epsilon" && is_operand(&tokens, i))
    };
    for text in ["2.0 * epsilon", "epsilon + 1.0", "self.epsilon() - x", "f(x) / self.epsilon"] {
        assert!(is_seen(text), "{text}");
    }
    for text in ["*epsilon", "f(-1.0, epsilon)", "|epsilon| -> f64", "match *epsilon {", "(a, *epsilon)"] {
        assert!(!is_seen(text), "{text}");
    }
}
