//! What is read, and what is shown, of input that nobody trusts.

use crate::run::{Run, run, run_with_input};
use std::fs;

fn refused(run: &Run, part: &str) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains(part), "{run:?}");
}

#[cfg(unix)]
#[test]
fn expressions_name_files_in_their_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("good.csv"), "0 0.5\n1 0.1\n").unwrap();
    fs::write(folder.path().join("secret.csv"), "0 0.5\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret.csv"), inside.join("link.csv")).unwrap();
    let files = inside.to_str().unwrap();
    let ask = |name: &str| {
        run(&["delta", &format!("profile(file={name:?})"), "--epsilon", "0.5", "--files", files])
    };
    ask("good.csv").answered();
    for outside in ["../secret.csv", "link.csv", "/etc/passwd", "/etc/no-such-file"] {
        refused(&ask(outside), "is not inside of the folder");
    }
    refused(&run(&["delta", "gdp(mu=1)", "-e", "1", "--files", "/no/such"]), "this is no folder");
    let name = folder.path().join("secret.csv");
    let expression = format!("poisson(pair(file={name:?}), rate={{q}})");
    let sweep = run(&["sweep", &expression, "--grid", "q=0.1,0.2", "--delta", "0.1", "--files", files]);
    refused(&sweep, "is not inside of the folder");
}

#[test]
fn files_of_a_workload_are_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("curve.csv"), "0 0.5\n1 0.1\n").unwrap();
    let workload = |name: &str| {
        let path = folder.path().join("workload.toml");
        let text = format!(
            "[[groups]]\nname = \"g\"\nmechanism = 'profile(file={name:?})'\n[[targets]]\nepsilon = 0.5\n"
        );
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let path = workload("curve.csv");
    let answer = run(&["run", &path, "--format", "json"]).answered();
    assert!(answer.contains("curve.csv"), "{answer}");
    run(&["delta", "--file", &path, "--epsilon", "0.5"]).answered();
    let confined = folder.path().to_str().unwrap();
    run(&["run", &path, "--files", confined]).answered();
    refused(&run(&["run", &workload("../x.csv"), "--files", confined]), "is not inside of the folder");
}

#[test]
fn errors_do_not_quote_what_files_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shadow");
    for secret in ["root:$6$salt$hash:19000:0:99999:7:::", "hunter2 hunter3", "\u{1b}[31mred 1"] {
        fs::write(&path, format!("1 2\n{secret}\n")).unwrap();
        for mechanism in ["pair", "profile", "renyi"] {
            let run = run(&["epsilon", &format!("{mechanism}(file={path:?})"), "--delta", "1e-5"]);
            refused(&run, "shadow");
            assert!(
                !secret.split_whitespace().any(|word| word.len() > 1 && run.stderr.contains(word)),
                "{run:?}"
            );
        }
    }
}

/// Nothing that acts on a terminal, and every line is one of ours.
fn assert_harmless(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{run:?}");
        assert!(!text.lines().any(|line| line.starts_with("INJECTED")), "{run:?}");
    }
}

#[test]
fn names_titles_and_paths_reach_no_terminal_raw() {
    const EVIL: &str = "x\\u001b[2J\\u009b31m\\u202e\\r\\nINJECTED";
    let text = format!(
        "title = \"{EVIL}\"\n[[groups]]\nname = \"{EVIL}\"\nmechanism = \"gdp(mu=1)\"\n\
         [[targets]]\nname = \"{EVIL}\"\ndelta = 1e-5\nepsilon = 9\n"
    );
    for format in ["text", "markdown", "csv"] {
        let run = run_with_input(&["run", "-", "--format", format], text.as_bytes());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_harmless(&run);
        assert!(run.stdout.contains("\\u{1b}[2J") && run.stdout.contains("\\r\\nINJECTED"), "{run:?}");
    }
    let evil = "x\u{1b}[2J\u{9b}\u{202e}\nINJECTED";
    let file = format!("pair(file={evil:?})");
    let unknown = text.replace("delta = 1e-5", "delta = 1e-5\ngroups = [\"no\"]");
    for run in [
        run(&["epsilon", evil, "--delta", "1e-5"]),
        run(&["epsilon", &file, "--delta", "1e-5"]),
        run(&["epsilon", "--file", evil, "--delta", "1e-5"]),
        run(&["run", evil]),
        run(&[evil]),
        run(&["epsilon", "gdp(mu=1)", "--delta", evil]),
        run(&["profile", "gdp(mu=1)", "--plot", &format!("{evil}.svg.no")]),
        run(&["sweep", &format!("{evil}{{m}}"), "--grid", "m=1,2", "--delta", "1e-5"]),
        run(&["reproduce", evil]),
        run_with_input(&["run", "-"], unknown.as_bytes()),
    ] {
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(!run.stderr.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\r']), "{run:?}");
    }
}

#[test]
fn cells_of_a_table_are_no_formulas() {
    for name in ["=1+2", "+cmd", "-x", "@SUM(A1)", "\\t=1"] {
        let text = format!(
            "[[groups]]\nname = \"{name}\"\nmechanism = \"gdp(mu=1)\"\n[[targets]]\nname = \"{name}\"\ndelta = 1e-5\n"
        );
        let table = run_with_input(&["run", "-", "--format", "csv"], text.as_bytes()).answered();
        let row = table.lines().nth(1).unwrap();
        assert!(row.starts_with('\''), "{table}");
        assert!(row.split(',').all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{table}");
    }
    // Numbers below 0 are numbers.
    let losses = run(&["losses", "gdp(mu=1)", "--points", "5", "--format", "csv"]).answered();
    assert!(losses.lines().any(|line| line.starts_with('-')), "{losses}");
}
