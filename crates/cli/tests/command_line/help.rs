//! Help: what it says. That its examples work as shown is tested with the documentation.

use crate::run::run;
use insta::assert_snapshot;

/// Every command.
pub(crate) const COMMANDS: [&str; 18] = [
    "epsilon",
    "delta",
    "dpsgd",
    "calibrate",
    "profile",
    "tradeoff",
    "losses",
    "risk",
    "audit",
    "compare",
    "explain",
    "run",
    "sweep",
    "ledger",
    "reproduce",
    "mechanisms",
    "completions",
    "man",
];

/// A page without the answers below its commands, which are held to what is printed with the documentation.
fn page(arguments: &[&str]) -> String {
    let mut is_answer = false;
    let kept = |line: &&str| {
        let is_command = line.trim_start().starts_with("$ ");
        is_answer = !line.trim().is_empty() && (is_answer || is_command);
        !is_answer || is_command
    };
    run(arguments).answered().lines().filter(kept).collect::<Vec<_>>().join("\n")
}

#[test]
fn pages() {
    assert_snapshot!("help", page(&["--help"]));
    assert_snapshot!("help_epsilon", page(&["epsilon", "--help"]));
    assert_snapshot!("help_delta", page(&["delta", "-h"]));
    assert_snapshot!("help_calibrate", page(&["calibrate", "--help"]));
    assert_snapshot!("help_dpsgd", page(&["dpsgd", "--help"]));
    assert_snapshot!("help_run", page(&["run", "--help"]));
    assert_snapshot!("help_mechanisms", page(&["mechanisms", "--help"]));
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
    let is_narrow = |page: &str| page.lines().all(|line| line.chars().count() <= 100);
    assert!(is_narrow(&run(&["mechanisms"]).answered()));
}

#[test]
fn version() {
    assert_eq!(run(&["--version"]).answered(), format!("hockeystick {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_is_bad_input_answered_with_help() {
    let run = run(&[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Commands:") && run.stderr.contains("epsilon"), "{run:?}");
}
