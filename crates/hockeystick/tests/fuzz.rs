//! Readers against mutated bytes: no input panics, takes long or takes much memory; what is refused is pointed at, and what is accepted
//! is written down and read again as the same.
//!
//! Each run is short and the same every time. `bench/fuzz` makes it as long as is wanted.

use hockeystick::{
    Query,
    mechanism::{Mechanism, PairFile, ProfileFile, RenyiFile, Template, catalogue},
};
use hockeystick_chance::fuzz::Corpus;
use std::{fs, path::PathBuf};

fn corpus(folder: &str) -> Corpus {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "fuzz", folder].iter().collect();
    let words = catalogue().iter().flat_map(|entry| {
        entry.parameters.iter().map(|parameter| parameter.name).chain([entry.name, entry.example])
    });
    Corpus::of_folder(&path, &words.collect::<Vec<_>>())
}

fn is_written_and_read_again(mechanism: &Mechanism) {
    let text = mechanism.to_string();
    assert_eq!(text.parse::<Mechanism>().as_ref(), Ok(mechanism), "{text}");
    let json = serde_json::to_string(mechanism).unwrap();
    assert_eq!(serde_json::from_str::<Mechanism>(&json).unwrap(), *mechanism, "{json}");
}

#[test]
fn expressions() {
    let accepted = corpus("expression").feed(20_000, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let check = |error: &hockeystick::mechanism::ParseError| {
            let span = error.span();
            assert!(text.get(span.clone()).is_some(), "{span:?} is no place in {text:?}");
            assert!(error.line() >= 1 && error.column() >= 1);
            assert!(!error.to_string().is_empty());
            error.pointed_out_in(&text);
        };
        if let Ok(template) = Template::parse(&text).inspect_err(check) {
            let _ = template.fill(2.0).inspect_err(check);
        }
        match text.parse::<Mechanism>() {
            Ok(mechanism) => {
                is_written_and_read_again(&mechanism);
                true
            }
            Err(error) => {
                check(&error);
                false
            }
        }
    });
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn mechanisms_in_json() {
    let accepted = corpus("mechanism_json").feed(20_000, |bytes| {
        let read = serde_json::from_slice::<Mechanism>(bytes);
        if let Err(error) = &read {
            assert!(error.line() >= 1 || error.is_io(), "{error}");
        }
        read.inspect(is_written_and_read_again).is_ok()
    });
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn files_of_two_columns() {
    let path = std::env::temp_dir().join(format!("hockeystick-fuzz-{}.csv", std::process::id()));
    let name = path.to_str().unwrap().to_owned();
    let mechanisms: [Mechanism; 3] = [
        PairFile::new(&name).unwrap().into(),
        ProfileFile::new(&name).unwrap().into(),
        RenyiFile::new(&name).unwrap().into(),
    ];
    let mut turn = 0;
    let accepted = corpus("two_columns").feed(6000, |bytes| {
        fs::write(&path, bytes).unwrap();
        turn += 1;
        let is_example = turn <= 10;
        let some = if is_example { &mechanisms[..] } else { &mechanisms[turn % 3..][..1] };
        let mut is_accepted = false;
        for mechanism in some {
            match Query::new(mechanism).delta(0.5) {
                Ok(answer) => {
                    is_accepted = true;
                    let lower = answer.lower().unwrap_or(0.0);
                    assert!(0.0 <= lower && lower <= answer.upper() && answer.upper() <= 1.0, "{answer:?}");
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("hockeystick-fuzz"), "{text} names no file");
                }
            }
        }
        is_accepted
    });
    fs::remove_file(&path).unwrap();
    assert!(accepted > 100, "{accepted}");
}
