//! Help: what it says, and that every example in it works as shown.

use crate::run::run;
use insta::assert_snapshot;

#[test]
fn pages() {
    assert_snapshot!("help", run(&["--help"]).answered());
    assert_snapshot!("help_epsilon", run(&["epsilon", "--help"]).answered());
    assert_snapshot!("help_delta", run(&["delta", "-h"]).answered());
    assert_snapshot!("help_mechanisms", run(&["mechanisms", "--help"]).answered());
    assert_snapshot!("mechanisms", run(&["mechanisms"]).answered());
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

/// Every line `$ hockeystick …` of the help is run by a shell; an answer shown below it must overlap with the one that is
/// printed. The answers shown were checked against 40-digit evaluations of the closed forms by mpmath.
#[cfg(unix)]
#[test]
fn examples_work_as_shown() {
    use crate::run::{Run, isolated};
    use std::path::Path;

    let binary = Path::new(env!("CARGO_BIN_EXE_hockeystick"));
    let mut shown = 0;
    for command in [&["--help"][..], &["epsilon", "--help"], &["delta", "--help"], &["mechanisms", "--help"]]
    {
        let page = run(command).answered();
        let lines: Vec<&str> = page.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let Some(example) = line.strip_prefix("$ ") else { continue };
            let mut shell = isolated("sh");
            shell
                .args(["-c", example])
                .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()));
            let output = Run::from(shell.output().unwrap()).answered();
            let below = lines.get(number + 1).copied().unwrap_or("");
            assert!(
                below.is_empty() || overlap(below, output.lines().next().unwrap()),
                "{example}\n{output}"
            );
            shown += 1;
        }
    }
    assert!(shown >= 13, "only {shown} examples were found");
}

/// Whether two lines `ε = 2.5 ± 1e-9` speak of the same number. Their radii may differ: bounds become sharper with time.
#[cfg(unix)]
fn overlap(left: &str, right: &str) -> bool {
    let parts = |line: &str| -> (String, f64, f64) {
        let (symbol, interval) = line.split_once(" = ").unwrap();
        let (centre, radius) = interval.split_once(" ± ").unwrap();
        (symbol.to_owned(), centre.parse().unwrap(), radius.parse().unwrap())
    };
    let (left, right) = (parts(left), parts(right));
    let rounding = 4.0 * f64::EPSILON * left.1;
    left.0 == right.0 && (left.1 - right.1).abs() <= left.2 + right.2 + rounding
}
