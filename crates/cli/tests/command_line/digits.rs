//! What people read contains what scripts read, and is at most twice as wide: 2,000 random answers, compared in fractions.

use crate::run::run;
use hockeystick_chance::Random;
use hockeystick_golden::printed::{double, ends, read};
use serde_json::Value;

/// Kinds of compositions: closed forms, exact sums, contours, lattices, bounds without a lower end. Each is asked at
/// random parameters.
const EXPRESSIONS: [&str; 8] = [
    "gaussian(sigma={x}) * {k}",
    "laplace(scale={x}) * {k}",
    "gaussian(sigma={x}) * {k} + randomized_response(epsilon=0.1) * 3",
    "poisson(gaussian(sigma={x}), rate=0.01) * {k}",
    "dp(epsilon={x}, delta=1e-9) * {k}",
    "discrete_laplace(scale={x}) * {k}",
    "truncated_laplace(scale={x}, bound=40)",
    "randomized_response(epsilon={x}) * {k}",
];

fn list(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(",")
}

/// The rows of a sweep, as text and as JSON.
fn swept(arguments: &[&str]) -> Vec<(String, Value)> {
    let with = |format: &str| run(&[arguments, &["--format", format]].concat()).stdout;
    let json: Value = serde_json::from_str(&with("json")).expect("JSON");
    let text = with("text");
    let cells = |line: &str| line.rsplit("  ").next().unwrap_or_default().trim().to_owned();
    let rows: Vec<String> = text.lines().skip(3).map(cells).collect();
    let objects = json["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), objects.len(), "{text}");
    rows.into_iter().zip(objects).collect()
}

#[test]
fn two_thousand_answers_as_text_contain_what_is_in_json() {
    let mut random = Random::new(10);
    let mut compared = 0;
    for expression in EXPRESSIONS {
        for (question, least, most) in [("delta", 1e-15, 0.2), ("epsilon", 1e-3, 8.0)] {
            let x = list((0..16).map(|_| random.log_uniform(0.4, 20.0).to_string()));
            let k = list((0..3).map(|_| (1 + random.below(12)).to_string()));
            let given = list((0..3).map(|_| random.log_uniform(least, most).to_string()));
            let grids = [format!("x={x}"), format!("k={k}"), format!("{question}={given}")];
            let mut arguments = vec!["sweep", expression];
            for grid in grids.iter().filter(|grid| !grid.starts_with('k') || expression.contains("{k}")) {
                arguments.extend(["--grid", grid]);
            }
            for (text, row) in swept(&arguments) {
                compared += usize::from(is_contained(&text, &row));
            }
        }
    }
    assert!(compared >= 2000, "only {compared} answers were compared");
}

/// Whether the row has an interval with finite ends; if so, it is within what is printed, and that is at most twice as wide.
fn is_contained(text: &str, row: &Value) -> bool {
    let (Some(lower), Some(upper)) = (row["lower"].as_f64(), row["upper"].as_f64()) else { return false };
    let ((below, above), (from, to)) = ((double(lower), double(upper)), ends(text));
    assert!(from <= below && above <= to, "[{lower}, {upper}] is printed {text}");
    if lower < upper {
        assert!(to - from <= (&above - &below) + (above - below), "[{lower}, {upper}] is printed {text}");
    }
    true
}

/// The line `quote`, in text and in Markdown.
#[test]
fn quotes_add_a_tenth_of_the_width_or_a_millionth() {
    let mut random = Random::new(11);
    for number in 0..40 {
        let expression = EXPRESSIONS[number % EXPRESSIONS.len()]
            .replace("{x}", &random.log_uniform(0.4, 20.0).to_string())
            .replace("{k}", &(1 + random.below(20)).to_string());
        let delta = random.log_uniform(1e-15, 0.1).to_string();
        let method = if number % 5 == 0 { "rdp" } else { "auto" };
        let ask = |format: &str| {
            run(&["epsilon", &expression, "--delta", &delta, "--method", method, "--format", format]).stdout
        };
        let json: Value = serde_json::from_str(&ask("json")).expect("JSON");
        let Some(upper) = json["upper"].as_f64() else { continue };
        let tenth = |lower: f64| (double(upper) - double(lower)) * read("0.1");
        let part = json["lower"].as_f64().map_or(read("0"), tenth);
        let room = part.max(double(upper) * read("1e-6"));
        for page in [ask("text"), ask("markdown")] {
            let line = page.lines().find(|line| line.contains("quote")).unwrap_or_else(|| panic!("{page}"));
            let (_, rest) = line.split_once("ε ≤ ").unwrap_or_else(|| panic!("{page}"));
            let quoted = read(rest.split_whitespace().next().unwrap_or_default());
            assert!(quoted >= double(upper) && quoted - double(upper) <= room, "{upper} is quoted in {page}");
        }
    }
}

/// The interval that was printed as `2.59 ± 0.005` although it is 0.00013 wide, up to the noise.
#[test]
fn a_half_width_is_that_of_the_interval() {
    let arguments = ["compare", "laplace(scale=10) * 100", "--delta", "1e-5", "--format"];
    let text = run(&[&arguments[..], &["text"]].concat()).answered();
    let json: Value = serde_json::from_str(&run(&[&arguments[..], &["json"]].concat()).answered()).unwrap();
    for row in json["methods"].as_array().expect("methods") {
        let method = format!("  {} ", row["method"].as_str().expect("a name"));
        let line = text.lines().find(|line| line.starts_with(&method)).expect("a line for each method");
        let value = line[method.len()..].trim_start().split("  ").next().unwrap_or_default();
        // Methods that need random or measured parameters may differ in their last digits from run to run; these do not.
        is_contained(value, row);
    }
}
