//! Workload files against mutated bytes: see `crates/hockeystick/tests/fuzz.rs`.

use super::Workload;
use crate::failure::Failure;
use hockeystick::mechanism::Mechanism;
use hockeystick_chance::fuzz::Corpus;
use std::path::PathBuf;

const WORDS: [&str; 24] = [
    "title",
    "relation",
    "\"replace\"",
    "[[groups]]",
    "[[targets]]",
    "groups",
    "targets",
    "name",
    "mechanism",
    "count",
    "training",
    "examples",
    "batch",
    "epochs",
    "steps",
    "noise",
    "epsilon",
    "delta",
    "advantage",
    "tpr",
    "fpr",
    "\"gaussian(sigma=1)\"",
    "{ examples = 100, batch = 10, epochs = 1, noise = 1 }",
    "\"\"\"",
];

fn feed(folder: &str, is_json: bool) -> u64 {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "fuzz", folder].iter().collect();
    Corpus::of_folder(&path, &WORDS).feed(8000, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        match Workload::of_text("workload", &text, is_json) {
            Ok(workload) => {
                check(&workload);
                true
            }
            Err(failure) => {
                let Failure::File { name, message } = failure else { panic!("not a failure of the file") };
                assert!(name.contains(", line ") && !message.is_empty(), "{name}: {message}");
                false
            }
        }
    })
}

/// What the commands take for granted. Whether the numbers of a target are in range, the question itself decides.
fn check(workload: &Workload) {
    assert!(!workload.groups.is_empty());
    let whole = workload.whole();
    assert_eq!(whole.to_string().parse::<Mechanism>().as_ref(), Ok(&whole));
    for goal in &workload.targets {
        assert!(!goal.groups.is_empty() && goal.groups.iter().all(|&group| group < workload.groups.len()));
        workload.composed(&goal.groups);
    }
}

#[test]
fn toml_files() {
    let accepted = feed("workload_toml", false);
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn json_files() {
    let accepted = feed("workload_json", true);
    assert!(accepted > 200, "{accepted}");
}
