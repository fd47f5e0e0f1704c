//! Which file names what of which other file.
//!
//! In: the sources of a crate. Out: for each file the files that define what it names, re-exports followed to their source.

use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// The place of a file in its crate: `["pair", "shape"]` for `pair/shape.rs` and for `pair/shape/mod.rs`.
pub(crate) type Place = Vec<String>;

/// The files of a crate.
pub(crate) struct Modules {
    files: BTreeMap<Place, File>,
}

/// What is read of one file.
#[derive(Default)]
struct File {
    /// What its `use` declarations bring in: the name here, and the path as it is written.
    imports: Vec<Import>,
    /// Paths that stand in its code, as they are written.
    paths: BTreeSet<Vec<String>>,
    /// Names that stand in its code.
    names: BTreeSet<String>,
}

struct Import {
    name: String,
    path: Vec<String>,
    /// Does it only hand a name on? `pub use`, whatever the `pub` is restricted to.
    is_reexport: bool,
}

impl Modules {
    /// Of the sources below `src/` of one crate.
    pub(crate) fn of(sources: &[Source]) -> Self {
        let has_library = sources.iter().any(|source| source.path.ends_with("/src/lib.rs"));
        let files = sources.iter().filter(|source| !has_library || !source.path.ends_with("/src/main.rs"));
        Self { files: files.map(|source| (place(&source.path), File::read(&source.tokens))).collect() }
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.files.keys()
    }

    /// What this file names of others: the file that defines it, and its name there.
    pub(crate) fn named_by(&self, place: &Place) -> BTreeSet<(Place, String)> {
        let file = &self.files[place];
        let used =
            file.imports.iter().filter(|import| !import.is_reexport || file.names.contains(&import.name));
        let paths = used.map(|import| import.path.clone()).chain(file.paths.iter().cloned());
        let found = paths.filter_map(|path| self.definition(&self.path_from_root(place, &path)?));
        found.filter(|(defined, _)| defined != place).collect()
    }

    /// A path that is written in a file, from the root of the crate; `None` for what other crates define.
    fn path_from_root(&self, place: &Place, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let from = |start: &[String]| Some([start, rest].concat());
        match first.as_str() {
            "crate" => from(&[]),
            "self" => from(place),
            "super" => {
                let climbed = path.iter().take_while(|step| *step == "super").count();
                Some([&place[..place.len().checked_sub(climbed)?], &path[climbed..]].concat())
            }
            name => {
                let child = [place.as_slice(), std::slice::from_ref(first)].concat();
                if self.files.contains_key(&child) {
                    return from(&child);
                }
                let import = self.files[place].imports.iter().find(|import| import.name == name)?;
                if import.path.first() == Some(first) {
                    return None;
                }
                from(&self.path_from_root(place, &import.path)?)
            }
        }
    }

    /// The file that defines what a path from the root leads to, and its name; `None` for a file itself, of which nothing is
    /// named yet.
    fn definition(&self, path: &[String]) -> Option<(Place, String)> {
        let mut place = Place::new();
        for (at, step) in path.iter().enumerate() {
            let below = [place.as_slice(), std::slice::from_ref(step)].concat();
            if self.files.contains_key(&below) {
                place = below;
                continue;
            }
            let handed_on = self.files[&place].imports.iter().find(|import| import.name == *step);
            return match handed_on.and_then(|import| self.path_from_root(&place, &import.path)) {
                Some(source) => self.definition(&[source.as_slice(), &path[at + 1..]].concat()),
                None => Some((place, step.clone())),
            };
        }
        None
    }
}

/// `crates/x/src/a/b.rs` and `crates/x/src/a/b/mod.rs` are at `a`, `b`; the root is nowhere.
fn place(path: &str) -> Place {
    let (_, below) = path.split_once("/src/").expect("a source");
    let below = below.trim_end_matches(".rs");
    if ["lib", "main"].contains(&below) {
        return Place::new();
    }
    below.trim_end_matches("/mod").split('/').map(str::to_owned).collect()
}

impl File {
    fn read(tokens: &[String]) -> Self {
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let mut file = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "use" {
                let end = at + tokens[at..].iter().position(|&token| token == ";").expect("an end");
                let is_reexport = at > 0 && ["pub", ")"].contains(&tokens[at - 1]);
                let mut tree = Tree { tokens: &tokens[at + 1..end], is_reexport, imports: Vec::new() };
                tree.read(&[]);
                file.imports.append(&mut tree.imports);
                at = end;
                continue;
            }
            if tokens[at] == "mod" {
                at += 2;
                continue;
            }
            let mut path = vec![tokens[at].to_owned()];
            let mut end = at + 1;
            while is_word(tokens[at]) && tokens[end..].starts_with(&[":", ":"]) {
                let Some(next) = tokens.get(end + 2).filter(|next| is_word(next)) else { break };
                path.push((*next).to_owned());
                end += 3;
            }
            if path.len() > 1 {
                file.names.insert(path[0].clone());
                file.paths.insert(path);
            } else {
                file.names.insert(path.remove(0));
            }
            at = end;
        }
        file
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// What stands between `use` and its semicolon.
struct Tree<'a> {
    tokens: &'a [&'a str],
    is_reexport: bool,
    imports: Vec<Import>,
}

impl Tree<'_> {
    /// Reads up to a comma or a closing brace that belongs to what is around it.
    fn read(&mut self, before: &[String]) {
        let mut path = before.to_vec();
        let mut name = None;
        while let Some((&token, rest)) = self.tokens.split_first() {
            match token {
                "{" => {
                    self.tokens = rest;
                    while self.tokens.first().is_some_and(|&token| token != "}") {
                        self.read(&path);
                        self.tokens = self.tokens.strip_prefix(&[","]).unwrap_or(self.tokens);
                    }
                    self.tokens = self.tokens.strip_prefix(&["}"]).unwrap_or(self.tokens);
                    return;
                }
                "}" | "," => break,
                "as" => {
                    name = rest.first().map(|&name| name.to_owned());
                    self.tokens = &rest[1..];
                }
                ":" => self.tokens = rest,
                // `{self, …}` is what stands before the brace.
                "self" if !path.is_empty() => self.tokens = rest,
                step => {
                    path.push(step.to_owned());
                    self.tokens = rest;
                }
            }
        }
        assert!(path.last().is_none_or(|last| last != "*"), "a star hides what is named: {path:?}");
        if let Some(name) = name.or_else(|| path.last().cloned()) {
            self.imports.push(Import { name, path, is_reexport: self.is_reexport });
        }
    }
}
