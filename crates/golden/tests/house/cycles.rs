//! Who imports whom within a folder, and that nobody is imported back.

use crate::{
    modules::{Modules, Place},
    source::sources,
};
use std::collections::{BTreeMap, BTreeSet};

/// Folders whose cycles are still to be mended. The list may only become shorter.
const NOT_YET: [&str; 0] = [];

/// Names that lead back by their nature: the file that defines each, and why.
const RECURSIVE: [(&str, &str, &str); 4] = [
    ("expression", "Expression", "in Python, parameters of a sampler are expressions"),
    ("mechanism/catalogue", "Mechanism", "samplers and compositions hold mechanisms"),
    (
        "pair",
        "dominating_pair",
        "the pair of a sample, or of a composition, is made of the pairs of what is in it",
    ),
    ("pair", "pair_by", "the same, with engines for the curve of a composition"),
];

const CRATES: [&str; 12] = [
    "numerics",
    "digits",
    "plot",
    "golden",
    "chance",
    "hockeystick",
    "audit",
    "reproduce",
    "ledger",
    "cli",
    "python",
    "campaign",
];

/// The entries of a folder, its files and subfolders, and whom each names, with examples.
type Folder = BTreeMap<String, BTreeMap<String, String>>;

/// What a folder says of itself.
const FRONT: &str = "mod.rs";

/// What the entries of each folder name of each other.
fn folders(modules: &Modules) -> BTreeMap<Place, Folder> {
    let mut folders: BTreeMap<Place, Folder> = BTreeMap::new();
    for from in modules.places() {
        for (to, name) in modules.named_by(from) {
            let defined = to.join("/");
            let is_recursive =
                RECURSIVE.iter().any(|(place, known, _)| (*place, *known) == (&defined, &name));
            // Every module may name the error of its crate, which names the errors of modules.
            if is_recursive || defined == "error" {
                continue;
            }
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let entry = |place: &Place| place.get(shared).cloned().unwrap_or_else(|| FRONT.to_owned());
            let example = format!("{} names {name} of {defined}", from.join("/"));
            let folder = folders.entry(from[..shared].to_vec()).or_default();
            folder.entry(entry(from)).or_default().insert(entry(&to), example);
        }
    }
    folders
}

/// All that can be reached from an entry.
fn reached<'a>(folder: &'a Folder, start: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(entry) = pending.pop() {
        for next in folder.get(entry).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next.as_str()) {
                pending.push(next);
            }
        }
    }
    found
}

/// What is part of a cycle, by example.
fn cycles(folder: &Folder) -> Vec<&String> {
    let named = folder.iter().flat_map(|(from, named)| named.iter().map(move |named| (from, named)));
    let leads_back = |from: &String, to: &str| reached(folder, to).contains(from.as_str());
    named.filter(|(from, (to, _))| leads_back(from, to)).map(|(_, (_, example))| example).collect()
}

/// Is the place in a crate this folder, or below it?
fn is_below(folder: &str, name: &str, place: &Place) -> bool {
    format!("{name}/src/{}/", place.join("/")).starts_with(&format!("{folder}/"))
}

/// In no folder do entries name each other, directly or through others.
///
/// The entries of a folder are its files and its subfolders, each as a whole. An entry names another if something in it is a path
/// to what the other one defines. A re-export is no definition: who imports `super::Thing`, which `mod.rs` has from `thing.rs`, names
/// `thing.rs`, and `mod.rs` names it only if it uses it itself.
///
/// So `mod.rs` is either the roof of its folder, and uses the files below it, or the floor, and defines what they share. It is not both: what
/// a roof and its files share stands in a file of its own. Methods are not seen, for nobody names the file that has them.
#[test]
fn no_file_imports_what_imports_it() {
    let mut found = Vec::new();
    for name in CRATES {
        let modules = Modules::of(&sources(&format!("crates/{name}/src")));
        for (place, folder) in folders(&modules) {
            let path = format!("{name}/src/{}", place.join("/"));
            let cycles = cycles(&folder);
            let is_known =
                NOT_YET.iter().any(|known| path == *known || path.starts_with(&format!("{known}/")));
            if !is_known && !cycles.is_empty() {
                found.push(format!("{path}: {cycles:#?}"));
            }
        }
    }
    assert!(found.is_empty(), "entries of a folder name each other:\n{}", found.join("\n"));
}

#[test]
fn what_is_to_be_mended_is_still_broken() {
    for known in NOT_YET {
        let (name, _) = known.split_once("/src").expect("a folder of a crate");
        let modules = Modules::of(&sources(&format!("crates/{name}/src")));
        let is_broken = folders(&modules)
            .iter()
            .any(|(place, folder)| is_below(known, name, place) && !cycles(folder).is_empty());
        assert!(is_broken, "{known} has no cycles any more: take it off the list");
    }
}

#[test]
fn cycles_are_seen() {
    let source =
        |path: &str, text: &str| crate::source::Source::new(format!("crates/x/src/{path}"), text.to_owned());
    let examples = |sources: &[crate::source::Source]| {
        let folders = folders(&Modules::of(sources));
        folders.values().flat_map(|folder| cycles(folder).into_iter().cloned()).collect::<Vec<_>>()
    };
    // Through a re-export, and through a third file in a subfolder.
    let round = [
        source("a/mod.rs", "mod b; mod c; mod d; pub use b::B; pub(crate) use c::inner::{self, C as E};"),
        source("a/b.rs", "use super::{E, d}; struct B(E, d::D);"),
        source("a/c/mod.rs", "pub mod inner;"),
        source("a/c/inner.rs", "use crate::a::d::D; struct C(D);"),
        source("a/d.rs", "fn f(b: super::B) {}"),
    ];
    assert_eq!(
        examples(&round),
        ["a/b names C of a/c/inner", "a/b names D of a/d", "a/c/inner names D of a/d", "a/d names B of a/b"]
    );
    // The same with a roof that is used from below.
    let roof = [
        source("a/mod.rs", "mod b; pub use b::B; fn f(b: B) {}"),
        source("a/b.rs", "struct B; fn g() { super::f(B) }"),
    ];
    assert_eq!(examples(&roof), ["a/b names f of a", "a names B of a/b"]);
    let floor = [
        source(
            "a/mod.rs",
            "mod b; pub use b::B; struct A; use std::fmt; #[cfg(test)] mod tests { use super::B; }",
        ),
        source("a/b.rs", "use super::A; struct B(A); impl A { fn c(self) -> crate::a::B { B(self) } }"),
    ];
    assert_eq!(examples(&floor), [""; 0]);
}
