//! An estimate is never taken for a guarantee, whatever the format.

use crate::run::run;
use serde_json::Value;

const QUESTION: [&str; 4] = ["epsilon", "poisson(gaussian(sigma=2), rate=0.01) * 1500", "--delta", "1e-5"];
const METHODS: [&str; 3] = ["afa", "double-quadrature", "clt"];

fn asked(method: &str, format: &str) -> String {
    run(&[&QUESTION[..], &["--method", method, "--format", format]].concat()).answered()
}

#[test]
fn text_and_markdown_offer_nothing_to_quote() {
    for method in METHODS {
        let text = asked(method, "text");
        assert!(text.starts_with("ε ≈ 0.7") && text.contains("guarantee   estimate"), "{text}");
        let markdown = asked(method, "markdown");
        assert!(markdown.starts_with("**ε ≈ 0.7") && markdown.contains("| guarantee | estimate |"));
        for written in [text, markdown] {
            assert!(!written.contains(['±', '≤', '=']) || !written.contains("quote"), "{written}");
            assert!(!written.contains("ε =") && !written.contains("ε ≤"), "{written}");
        }
    }
}

#[test]
fn json_and_csv_say_so_and_have_no_lower_end() {
    for method in METHODS {
        let json: Value = serde_json::from_str(&asked(method, "json")).unwrap();
        assert_eq!((&json["lower"], json["guarantee"].as_str()), (&Value::Null, Some("estimate")));
        let csv = asked(method, "csv");
        let (header, row) = csv.split_once('\n').unwrap();
        let row = row.replace("\"poisson(gaussian(sigma=2), rate=0.01) * 1500\"", "expression");
        let column = |name: &str| {
            let index = header.split(',').position(|column| column == name).unwrap();
            row.split(',').nth(index).unwrap()
        };
        assert_eq!((column("lower"), column("guarantee"), column("method")), ("", "estimate", method));
    }
}

#[test]
fn explain_speaks_of_an_error_of_its_own() {
    let arguments = [&["explain"], &QUESTION[1..], &["--method", "afa"]].concat();
    let text = run(&arguments).answered();
    assert!(text.starts_with("ε ≈ 0.7") && text.contains("own error from"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!words.contains("half-width") && words.contains("whose error nobody bounds"), "{text}");
    let csv = run(&[&arguments[..], &["--format", "csv"]].concat()).answered();
    assert!(csv.lines().all(|line| line.ends_with(",guarantee") || line.ends_with(",estimate")), "{csv}");
}

#[test]
fn comparisons_have_all_of_them() {
    let json = run(&["compare", QUESTION[1], "--delta", "1e-3", "--format", "json"]).answered();
    let comparison: Value = serde_json::from_str(&json).unwrap();
    let row = |method: &str| {
        let rows = comparison["methods"].as_array().unwrap();
        rows.iter()
            .find(|row| row["method"] == method)
            .unwrap_or_else(|| panic!("{method} is missing"))
            .clone()
    };
    for method in METHODS {
        assert_eq!(
            (&row(method)["lower"], row(method)["guarantee"].as_str()),
            (&Value::Null, Some("estimate"))
        );
    }
    assert_eq!(row("afa-grid")["guarantee"], "certified");
    assert!(row("afa-grid")["lower"].as_f64() <= comparison["truth"]["upper"].as_f64());
}

/// Where something must be proven, a method that only estimates is refused, and the message says why.
#[test]
fn nothing_is_proven_by_an_estimate() {
    let refused: [&[&str]; 5] = [
        &["calibrate", "gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-5"],
        &["profile", "gaussian(sigma=1)"],
        &["tradeoff", "gaussian(sigma=1)"],
        &["risk", "gaussian(sigma=1)"],
        &["losses", "gaussian(sigma=1)"],
    ];
    for method in METHODS {
        for arguments in refused {
            let found = run(&[arguments, &["--method", method]].concat());
            assert_eq!(found.code, Some(2), "{arguments:?} {method}: {found:?}");
            assert!(
                found.stderr.contains(&format!("method {method} does not apply: it")),
                "{}",
                found.stderr
            );
        }
    }
}
