//! Help: what it says, and that every example in it works as shown.

use crate::run::run;
use insta::assert_snapshot;

/// Every command.
const COMMANDS: [&str; 16] = [
    "epsilon",
    "delta",
    "dpsgd",
    "calibrate",
    "profile",
    "tradeoff",
    "losses",
    "risk",
    "compare",
    "explain",
    "run",
    "sweep",
    "reproduce",
    "mechanisms",
    "completions",
    "man",
];

#[test]
fn pages() {
    assert_snapshot!("help", run(&["--help"]).answered());
    assert_snapshot!("help_epsilon", run(&["epsilon", "--help"]).answered());
    assert_snapshot!("help_delta", run(&["delta", "-h"]).answered());
    assert_snapshot!("help_calibrate", run(&["calibrate", "--help"]).answered());
    assert_snapshot!("help_dpsgd", run(&["dpsgd", "--help"]).answered());
    assert_snapshot!("help_run", run(&["run", "--help"]).answered());
    assert_snapshot!("help_mechanisms", run(&["mechanisms", "--help"]).answered());
    assert_snapshot!("mechanisms", run(&["mechanisms"]).answered());
}

#[test]
fn every_page_is_listed_and_fits_a_terminal() {
    let overview = run(&["--help"]).answered();
    for command in COMMANDS {
        assert!(overview.contains(&format!("\n  {command} ")), "{command}");
        let page = run(&[command, "--help"]).answered();
        assert!(page.contains("Examples:"), "{command}");
        let longest =
            page.lines().filter(|line| !line.starts_with("Usage")).map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{command}: {longest:?}");
    }
    assert!(run(&["mechanisms"]).answered().lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn version() {
    assert_eq!(run(&["--version"]).answered(), format!("hockeystick {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_is_bad_input_answered_with_help() {
    let run = run(&[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Examples:"));
}

/// Every line `$ hockeystick …` of the help and of the README is run by a shell, in a folder of its own with the example
/// files; an answer shown below it must agree with the one that is printed. The answers shown were checked against 40-digit
/// evaluations of the closed forms by mpmath and Arb.
#[cfg(unix)]
#[test]
fn examples_work_as_shown() {
    use std::{fs, path::Path};

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::temp_dir().join(format!("hockeystick-examples-{}", std::process::id()));
    fs::create_dir_all(folder.join("examples")).unwrap();
    for file in fs::read_dir(root.join("examples")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join("examples").join(file.file_name())).unwrap();
    }
    let mut shown = 0;
    for command in std::iter::once(None).chain(COMMANDS.map(Some)) {
        let page = run(&[command.as_slice(), &["--help"]].concat()).answered();
        shown += examples(&page, &folder);
    }
    assert!(shown >= 35, "only {shown} examples were found in the help");
    let in_readme = examples(&fs::read_to_string(root.join("README.md")).unwrap(), &folder);
    assert!(in_readme >= 3, "only {in_readme} examples were found in the README");
    fs::remove_dir_all(folder).unwrap();
}

/// Runs all examples of a text and returns how many there are.
#[cfg(unix)]
fn examples(text: &str, folder: &std::path::Path) -> usize {
    use crate::run::{Run, isolated};
    use std::path::Path;

    let binary = Path::new(env!("CARGO_BIN_EXE_hockeystick"));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut shown = 0;
    for (number, line) in lines.iter().enumerate() {
        let Some(example) = line.strip_prefix("$ ") else { continue };
        let mut shell = isolated("sh");
        shell
            .args(["-c", example])
            .current_dir(folder)
            .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()));
        let output = Run::from(shell.output().unwrap()).answered();
        let below = lines.get(number + 1).copied().unwrap_or("");
        let is_answer = below.contains(" = ") && !below.starts_with("$ ");
        assert!(!is_answer || agree(below, output.lines().next().unwrap()), "{example}\n{output}");
        shown += 1;
    }
    shown
}

/// Whether two lines `ε = 2.5 ± 1e-9` speak of the same number. Their radii may differ: bounds become sharper with time. A
/// calibrated number has no radius; what is shown may be off by a billionth.
#[cfg(unix)]
fn agree(left: &str, right: &str) -> bool {
    let parts = |line: &str| -> (String, f64, f64) {
        let (symbol, interval) = line.split_once(" = ").unwrap();
        let (centre, radius) = interval.split_once(" ± ").unwrap_or((interval, "0"));
        (symbol.to_owned(), centre.parse().unwrap(), radius.parse().unwrap())
    };
    let (left, right) = (parts(left), parts(right));
    let slack = if left.2 > 0.0 { 4.0 * f64::EPSILON } else { 1e-9 } * left.1;
    left.0 == right.0 && (left.1 - right.1).abs() <= left.2 + right.2 + slack
}
