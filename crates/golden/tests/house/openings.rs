//! What a file says at its top.

use crate::source::{root, sources};

/// The first line of a file is for the reader who opens it.
#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> = sources("crates")
        .into_iter()
        .filter(|source| source.opening().chars().count() < 12)
        .map(|source| source.path)
        .collect();
    assert!(silent.is_empty(), "no words at the top, `//! …`, of {silent:#?}");
}

/// A folder is a layer, or part of one: its `mod.rs` says what comes in, what goes out, and what that is worth.
#[test]
fn every_folder_says_what_comes_in_and_what_goes_out() {
    for source in
        ["crates/hockeystick/src", "crates/numerics/src", "crates/ledger/src"].into_iter().flat_map(sources)
    {
        if source.path.ends_with("/mod.rs") {
            let opening = source.opening();
            for word in ["In: ", "Out: ", "Guarantee"] {
                assert!(opening.contains(word), "{} does not say `{word}`: {opening}", source.path);
            }
        }
    }
}

/// What a folder is for stands inside of it, in its `mod.rs`, never beside it.
#[test]
fn folders_are_alike() {
    for source in sources("crates") {
        let folder = source.path.trim_end_matches(".rs");
        assert!(!root().join(folder).is_dir(), "{} belongs into {folder}/mod.rs", source.path);
    }
}
