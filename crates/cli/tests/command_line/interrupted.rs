//! Files that are written whole or not at all, sweeps that go on where they were interrupted, and help that nobody gets.

use crate::run::{Run, binary, isolated, run};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::Duration,
};

/// A sweep of 40 rows.
const SWEEP: [&str; 8] = [
    "sweep",
    "poisson(gaussian(sigma={s}), rate=0.01) * {k}",
    "--grid",
    "s=1:5:20",
    "--grid",
    "k=100,1000",
    "--delta",
    "1e-6",
];

fn sweep(more: &[&str]) -> Run {
    run(&[&SWEEP[..], more].concat())
}

fn part(out: &Path) -> PathBuf {
    PathBuf::from(format!("{}.part", out.display()))
}

/// The names of the files of a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Without what a process leaves that is killed while it writes the whole file.
fn lasting(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| !name.starts_with(".hockeystick-")).collect()
}

#[test]
fn a_sweep_that_was_killed_goes_on_and_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows.csv");
    let name = out.to_str().unwrap();
    let uninterrupted = sweep(&[]).answered();
    for rows in [1, 7, 25] {
        let mut child = binary().args(SWEEP).args(["--out", name, "--resume"]).spawn().unwrap();
        // Killed as soon as there are so many rows; a machine that is faster than this has finished.
        while child.try_wait().unwrap().is_none() {
            let kept = fs::read_to_string(part(&out)).unwrap_or_default().lines().count();
            if kept > rows {
                child.kill().unwrap();
            }
            thread::sleep(Duration::from_micros(200));
        }
        child.wait().unwrap();
        if !out.exists() {
            assert_eq!(lasting(folder.path()), ["rows.csv.part"]);
        }
    }
    sweep(&["--out", name, "--resume"]).answered();
    assert_eq!(fs::read_to_string(&out).unwrap(), uninterrupted);
    assert_eq!(lasting(folder.path()), ["rows.csv"]);
}

/// The system ends the process in the middle of a row: a file may not grow beyond one block.
#[cfg(target_os = "linux")]
#[test]
fn a_torn_row_is_answered_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows.json");
    let name = out.to_str().unwrap();
    let arguments = [&SWEEP[..], &["--format", "json", "--out", name]].concat();
    let limited = isolated("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_hockeystick")])
        .args(&arguments)
        .output()
        .unwrap();
    assert_ne!(limited.status.code(), Some(0));
    let kept = fs::read_to_string(part(&out)).unwrap();
    assert!(!kept.ends_with('\n') && kept.lines().count() > 2, "{kept}");
    // Without being asked to, nothing goes on and nothing is lost.
    let refused = run(&arguments);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("add --resume to go on with it"), "{refused:?}");
    assert_eq!(fs::read_to_string(part(&out)).unwrap(), kept);
    // Another sweep does not take the rows.
    let other = run(&[&arguments[..], &["--resume", "--relation", "add"]].concat());
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("holds rows of another sweep"), "{other:?}");
    let resumed = run(&[&arguments[..], &["--resume"]].concat()).answered();
    assert!(resumed.contains("rows.json: 40 rows"), "{resumed}");
    assert_eq!(fs::read_to_string(&out).unwrap(), sweep(&["--format", "json"]).answered());
}

#[test]
fn rows_are_written_as_soon_as_they_are_known() {
    use std::io::{BufRead, BufReader};
    let arguments = ["sweep", "gdp(mu={m})", "--grid", "m=0.01:5:100000", "--delta", "1e-6"];
    let mut child = binary().args(arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Vec<String> = lines.by_ref().take(3).map(Result::unwrap).collect();
    assert!(first[0].starts_with("m,lower") && first[1].starts_with("0.01,"), "{first:?}");
    // A reader that goes away ends it, and is no failure.
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Where a file may not grow, what was there before is there after.
#[cfg(target_os = "linux")]
#[test]
fn a_chart_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["svg", "png"] {
        let chart = folder.path().join(format!("chart.{extension}"));
        let name = chart.to_str().unwrap().to_owned();
        let arguments = ["profile", "gdp(mu=1)", "--plot", &name];
        let limited = |before: &str| {
            let command = format!("{before}ulimit -f 1; exec \"$0\" \"$@\"");
            let mut shell = isolated("sh");
            shell.args(["-c", &command, env!("CARGO_BIN_EXE_hockeystick")]).args(arguments);
            Run::from(shell.output().unwrap())
        };
        assert_ne!(limited("").code, Some(0));
        assert!(!chart.exists());
        run(&arguments).answered();
        let whole = fs::read(&chart).unwrap();
        // Killed in the middle, and told that there is no room.
        assert_ne!(limited("").code, Some(0));
        assert_eq!(fs::read(&chart).unwrap(), whole);
        let refused = limited("trap '' XFSZ; ");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("cannot be written"), "{refused:?}");
        assert_eq!(fs::read(&chart).unwrap(), whole);
        fs::remove_file(&chart).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn drawings_of_papers_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let mut shell = isolated("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_hockeystick")]);
    shell.args(["reproduce", "zhu22", "--figure", "fig4", "--out", out]);
    let run = Run::from(shell.output().unwrap());
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(names(&folder.path().join("zhu22")), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_no_success() {
    for arguments in [&["--help"][..], &["-h"], &["epsilon", "--help"], &["--version"], &["help", "run"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = binary().args(arguments).stdout(Stdio::from(full)).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"), "{arguments:?}");
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = binary().args(SWEEP).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
