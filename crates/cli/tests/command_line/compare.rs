//! Every method side by side.

use crate::run::run;
use insta::assert_snapshot;
use serde_json::Value;

const GAUSSIAN: [&str; 4] = ["compare", "gaussian(sigma=10) * 100", "--delta", "1e-5"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

/// Times differ from run to run, and with them the width of their column.
fn without_times(text: &str) -> String {
    let is_time = |cell: &str| cell.ends_with(" ms") || cell == "time";
    let line = |line: &str| {
        let cells: Vec<&str> =
            line.split("  ").filter(|cell| !cell.is_empty() && !is_time(cell.trim())).collect();
        cells.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join(" | ")
    };
    // The engines that compose laws have their own tests, and digits that change with their parameters.
    let is_other = |line: &&str| {
        ["exact", "contour", "lattice", "tangents", "buckets", "riemann", "fourier", "afa", "double"]
            .iter()
            .any(|name| line.trim_start().starts_with(name))
    };
    text.lines().filter(|line| !is_other(line)).map(line).collect::<Vec<_>>().join("\n")
}

/// What is certified here was checked against 40-digit evaluations of the closed form by mpmath; the classic conversion is
/// ½ + √(2 log 10⁵) = 5.298525912…; the other methods are tested in the library.
#[test]
fn text() {
    let text = run(&GAUSSIAN).answered();
    assert_snapshot!("compare_text", without_times(&text));
    assert!(text.contains("≤ 5.298525912") || text.contains("≤ 5.298525913"), "{text}");
}

#[test]
fn json_has_every_method_with_its_guarantee() {
    let output = run(&with(&GAUSSIAN, &["--format", "json"])).answered();
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["query"], "compare");
    let truth = report["truth"]["upper"].as_f64().unwrap();
    let methods = report["methods"].as_array().unwrap();
    let of = |name: &str| methods.iter().find(|row| row["method"] == name).unwrap();
    for name in [
        "closed-form",
        "rdp",
        "rdp-classic",
        "rdp-optimal",
        "markov",
        "clt",
        "berry-esseen",
        "nagaev",
        "kov",
        "basic",
        "advanced",
    ] {
        let row = of(name);
        assert!(
            row["elapsed_ms"].as_f64().unwrap() >= 0.0 && !row["why"].as_str().unwrap().is_empty(),
            "{row}"
        );
        match row["guarantee"].as_str().unwrap() {
            "upper-bound" => {
                assert!(row["lower"].is_null() && row["upper"].as_f64().unwrap() >= truth, "{row}");
                let gap = &row["gap"];
                assert!(
                    gap[0].as_f64().unwrap() <= gap[1].as_f64().unwrap() && gap[1].as_f64().unwrap() >= 1.0,
                    "{row}"
                );
            }
            "certified" => assert!(row["lower"].as_f64().unwrap() <= truth, "{row}"),
            "estimate" => assert_eq!(name, "clt"),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn csv_has_a_row_for_every_method() {
    let output = run(&["compare", "laplace(scale=2)", "--epsilon", "0.25", "--format", "csv"]).answered();
    let mut lines = output.lines();
    assert_eq!(
        lines.next().unwrap(),
        "expression,relation,epsilon,method,lower,upper,guarantee,gap_lower,gap_upper,elapsed_ms,why,error"
    );
    let rows: Vec<&str> = lines.collect();
    assert!(
        rows.len() >= 12 && rows.iter().all(|row| row.starts_with("laplace(scale=2),add-remove,0.25,")),
        "{output}"
    );
    // An estimate says so wherever it is printed.
    assert!(rows.iter().filter(|row| row.contains(",clt,")).all(|row| row.contains(",estimate,")));
}

/// No pair is the worst case of a bound on moments: methods that need one say so, the others answer.
#[test]
fn moments_alone_have_no_certified_truth() {
    let text = run(&["compare", "zcdp(rho=0.5)", "--delta", "1e-5"]).answered();
    assert_snapshot!("compare_moments_only", without_times(&text));
}

#[test]
fn one_number_must_be_given() {
    let neither = run(&["compare", "gdp(mu=1)"]);
    assert_eq!(neither.code, Some(2));
    assert!(neither.stderr.contains("--delta") && neither.stderr.contains("--epsilon"), "{}", neither.stderr);
    assert_eq!(run(&["compare", "gdp(mu=1)", "--delta", "1e-5", "--epsilon", "1"]).code, Some(2));
}

/// An estimate offers nothing to quote, and says what it is.
#[test]
fn the_central_limit_theorem_is_an_estimate_everywhere() {
    for format in ["text", "json", "csv", "markdown"] {
        let output = run(&[
            "epsilon",
            "laplace(scale=10) * 100",
            "--delta",
            "1e-5",
            "--method",
            "clt",
            "--format",
            format,
        ])
        .answered();
        assert!(output.contains("estimate"), "{output}");
    }
}
