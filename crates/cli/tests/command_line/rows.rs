//! Sweeps over the rows of a file.

use crate::run::{run, run_with_input};
use std::{fs, path::Path};

const STEP: &str = "gaussian(sigma={sigma}) * {k}";
const CSV: &str = "run,sigma,k,delta\na,1,100,1e-6\nb,1,,1e-6\n\"c, d\",-1,100,1e-6\ne,1,100,1e-6\nf,1\ng,2,10,x\nh,2,1e1,1/1000\n";
const JSON: &str = "{\"run\":\"a\",\"sigma\":1,\"k\":100,\"delta\":1e-6}\n{\"sigma\":null}\n[]\n{\"sigma\":\"sqrt(4)\",\"k\":10,\"delta\":1e-3}\n{\"sigma\":[1]}\n";

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn rows_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "runs.csv", CSV);
    let swept = run(&["sweep", STEP, "--rows", &file]);
    assert_eq!(swept.code, Some(1));
    assert!(swept.stderr.contains("4 of 7 points have no answer"), "{}", swept.stderr);
    insta::assert_snapshot!(swept.stdout);
    let piped = run_with_input(&["sweep", STEP, "--rows", "-"], CSV.as_bytes());
    assert_eq!(piped.stdout, swept.stdout);
    // Each row is what it is alone.
    let alone = run(&["epsilon", "gaussian(sigma=1) * 100", "--delta", "1e-6", "--format", "csv"]);
    let ends = |line: &str| line.split(',').filter_map(|cell| cell.parse::<f64>().ok()).collect::<Vec<_>>();
    let (lower, upper) = {
        let row = ends(swept.stdout.lines().nth(1).unwrap());
        (row[3], row[4])
    };
    let alone = ends(alone.answered().lines().nth(1).unwrap());
    assert!(alone.contains(&lower) && alone.contains(&upper), "{alone:?}");
}

#[test]
fn rows_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "runs.jsonl", JSON);
    let swept = run(&["sweep", STEP, "--rows", &file, "--format", "json"]);
    assert_eq!(swept.code, Some(1));
    insta::assert_snapshot!(swept.stdout);
}

#[test]
fn rows_of_expressions() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "expression,epsilon\n\"dp(epsilon=1, delta=0.5)\",0\n\"gdp(mu=1)\",1\ngausian(sigma=1),1\n,1\n";
    let file = written(folder.path(), "expressions.csv", text);
    let swept = run(&["sweep", "--rows", &file, "--format", "text"]);
    assert_eq!(swept.code, Some(1));
    insta::assert_snapshot!(swept.stdout);
    let many: String = (0..500).map(|k| format!("gdp(mu=1) * {},1\n", 1 + k % 3)).collect();
    let file = written(folder.path(), "many.csv", &format!("expression,epsilon\n{many}"));
    let swept = run(&["sweep", "--rows", &file]).answered();
    assert_eq!(swept.lines().count(), 501);
    assert_eq!(swept.lines().nth(1), swept.lines().nth(499));
}

#[test]
fn an_interrupted_sweep_over_rows_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (written(folder.path(), "runs.csv", CSV), folder.path().join("out.csv"));
    let name = out.to_str().unwrap();
    let arguments = ["sweep", STEP, "--rows", &file, "--out", name, "--resume"];
    run(&arguments);
    let whole = fs::read_to_string(&out).unwrap();
    assert_eq!(whole.lines().count(), 8);
    // The rows of another file are those of another sweep.
    let part = folder.path().join("out.csv.part");
    fs::write(&part, "hockeystick sweep 0123\n").unwrap();
    let other = run(&arguments);
    assert!(other.code == Some(2) && other.stderr.contains("holds rows of another sweep"), "{other:?}");
}

#[test]
fn what_does_not_fit_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expression, more, reason) in [
        (CSV, "gdp(mu={mu})", &[][..], "there is no column mu"),
        (CSV, STEP, &["--delta", "1e-6"][..], "a column for delta is the question"),
        ("sigma\n1\n", "gaussian(sigma={sigma})", &[][..], "there is no question"),
        ("sigma,lower\n1,2\n", "gaussian(sigma={sigma})", &["--delta", "0.1"][..], "rename that of the rows"),
        ("epsilon,delta\n1,2\n", "gdp(mu=1)", &[][..], "columns for epsilon and delta"),
        ("sigma\n", "gaussian(sigma={sigma})", &["--delta", "0.1"][..], "has no rows"),
        ("sigma\n-1\n", "gaussian(sigma={sigma})", &["--delta", "0.1"][..], "no row has an answer"),
    ] {
        let file = written(folder.path(), "rows.csv", text);
        let refused = run(&[&["sweep", expression, "--rows", &file], more].concat());
        assert!(refused.code == Some(2) && refused.stderr.contains(reason), "{reason}: {refused:?}");
    }
    let file = written(folder.path(), "rows.csv", CSV);
    let refused = run(&["sweep", "--rows", &file]);
    assert!(refused.stderr.contains("a column called expression"), "{refused:?}");
    assert!(run(&["sweep", STEP, "--delta", "0.1"]).code == Some(2));
}
