//! Answers in every format. Expected numbers are exact, or closed forms whose source is named.

use crate::run::{run, run_with_input};
use insta::assert_snapshot;
use serde_json::Value;

/// The JSON output without its versions, and with the one value that changes from run to run left out.
fn json(arguments: &[&str]) -> String {
    let versions = format!(r#"{{"schema_version":1,"hockeystick_version":"{}","#, env!("CARGO_PKG_VERSION"));
    let output = run(arguments).answered();
    let output = output.strip_prefix(&versions).map(|rest| format!("{{{rest}")).expect("versions first");
    let (before, after) = output.split_once("\"elapsed_ms\":").unwrap();
    let rest = after.find([',', '}']).unwrap();
    assert!(after[..rest].parse::<f64>().unwrap() >= 0.0);
    format!("{before}\"elapsed_ms\":[…]{}", &after[rest..])
}

fn ends(arguments: &[&str]) -> (f64, f64) {
    let answer: Value = serde_json::from_str(&run(arguments).answered()).unwrap();
    (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap())
}

/// The largest loss of Laplace noise of scale 1 is 1, so δ(1) is exactly 0.
#[test]
fn text_of_an_exact_delta() {
    assert_snapshot!(run(&["delta", "laplace(scale=1.0)", "--epsilon", "1"]).answered(), @r"
    δ = 0 (exact)

      quote       δ ≤ 0 at ε = 1
      guarantee   certified
      method      closed-form
      direction   remove
      relation    add-remove
      expression  laplace(scale=1)
    ");
}

/// δ(0) is 0.38 for σ = 1, below 1/2, so ε(1/2) is exactly 0.
#[test]
fn text_of_an_exact_epsilon_with_a_note() {
    assert_snapshot!(run(&["epsilon", "gaussian(sigma=1)", "--delta", "0.5", "--relation", "replace"]).answered(), @r"
    ε = 0 (exact)

      quote       ε ≤ 0 at δ = 0.5
      guarantee   certified
      method      closed-form
      direction   replace
      relation    replace
      expression  gaussian(sigma=1)
      note        sensitivity is taken as the largest change when one record is replaced, often twice
                  that of adding or removing one
    ");
}

/// An (ε, δ)-DP mechanism gives everything away with probability δ = 1e-6: no ε reaches 1e-7.
#[test]
fn an_unreachable_delta_is_answered_but_not_as_asked() {
    let text = run(&["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7"]);
    assert_eq!(text.code, Some(1));
    assert_snapshot!(text.stdout, @r"
    ε = ∞

      question      ε at δ = 1e-7
      guarantee     certified
      method        closed-form
      direction     remove
      relation      add-remove
      expression    dp(epsilon=1, delta=1e-6)
      not as asked  no finite ε reaches δ = 1e-7: with probability at least 1e-6 an outcome gives the
                    input away; ask for a larger δ
    ");
    assert_snapshot!(text.stderr, @"warning: no finite ε reaches δ = 1e-7: with probability at least 1e-6 an outcome gives the input away; ask for a larger δ");

    let json = run(&["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7", "--format", "json"]);
    assert_eq!((json.code, json.stderr), (Some(1), text.stderr));
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(answer["upper"] == "inf" && answer["shortfall"].as_str().unwrap().starts_with("no finite ε"));

    let csv = run(&["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7", "--format", "csv"]);
    assert_eq!((csv.code, csv.stdout.lines().nth(1).unwrap().split(',').nth(6)), (Some(1), Some("inf")));
}

#[test]
fn an_answer_wider_than_wanted_is_not_as_asked() {
    let narrow = ["epsilon", "gaussian(sigma=1)", "--delta", "1e-5", "--tolerance", "1e-300"];
    let missed = run(&narrow);
    assert_eq!(missed.code, Some(1));
    assert!(missed.stdout.starts_with("ε = 4.37717809568") && missed.stdout.contains("not as asked"));
    assert!(
        missed.stderr.contains("but 1e-300 was wanted; the answer holds as it is, and meets a tolerance of "),
        "{}",
        missed.stderr
    );
    run(&["epsilon", "gaussian(sigma=1)", "--delta", "1e-5", "--tolerance", "1e-6"]).answered();
}

/// Beyond its own ε, all that is left of an (ε, δ)-DP mechanism is its δ: exactly 1/2 here.
#[test]
fn json_of_an_exact_delta() {
    assert_snapshot!(
        json(&["delta", "dp(delta=0.5, epsilon=3)", "--epsilon", "3", "--format", "json"]),
        @r#"{"query":"delta","expression":"dp(epsilon=3, delta=0.5)","relation":"add-remove","epsilon":3.0,"lower":0.5,"upper":0.5,"guarantee":"certified","method":"closed-form","direction":"remove","budget":{"discretisation":0.0,"aliasing":0.0,"truncation":0.0,"quadrature":0.0,"roundoff":0.0},"elapsed_ms":[…]}"#
    );
}

/// ε(1/2) is exactly 0 for σ = 1, as above.
#[test]
fn json_of_an_exact_epsilon_with_a_note() {
    assert_snapshot!(
        json(&["epsilon", "gaussian(sigma=1)", "--delta", "0.5", "--relation", "replace", "--format", "json"]),
        @r#"{"query":"epsilon","expression":"gaussian(sigma=1)","relation":"replace","delta":0.5,"lower":0.0,"upper":0.0,"guarantee":"certified","method":"closed-form","direction":"replace","budget":{"discretisation":0.0,"aliasing":0.0,"truncation":0.0,"quadrature":0.0,"roundoff":0.0},"elapsed_ms":[…],"notes":["sensitivity is taken as the largest change when one record is replaced, often twice that of adding or removing one"]}"#
    );
}

#[test]
fn csv_has_the_fields_of_json() {
    let output = run(&["delta", "dp(epsilon=3, delta=0.5)", "--epsilon", "3", "--format", "csv"]).answered();
    let (header, row) = output.trim_end().split_once('\n').unwrap();
    assert_snapshot!(header, @"query,expression,relation,epsilon,lower,upper,guarantee,method,direction,discretisation,aliasing,truncation,quadrature,roundoff,elapsed_ms,shortfall,notes");
    let start = r#"delta,"dp(epsilon=3, delta=0.5)",add-remove,3.0,0.5,0.5,certified,closed-form,remove,0.0,0.0,0.0,0.0,0.0,"#;
    let elapsed = row.strip_prefix(start).and_then(|rest| rest.strip_suffix(",,")).unwrap();
    assert!(elapsed.parse::<f64>().unwrap() >= 0.0, "{row}");
}

/// References to 20 digits or exact; the interval must contain them and be narrow.
#[test]
fn json_contains_closed_forms() {
    let cases: &[(&[&str], f64)] = &[
        // 2Φ(1/2) − 1, the total variation distance of N(0, 1) and N(1, 1).
        (&["delta", "gaussian(sigma=1)", "--epsilon", "0"], 0.382_924_922_548_026_207_27),
        // (p − (1−p)e^ε) with p = 3/4 and ε = 0.
        (&["delta", "randomized_response(p=0.75)", "--epsilon", "0"], 0.5),
        // 1 − (1/2)², twice a mechanism that gives everything away with probability 1/2.
        (&["delta", "dp(epsilon=0, delta=0.5) * 2", "--epsilon", "1"], 0.75),
        // 1 − e^{(ε−1)/2} at ε = 1/2, to 20 digits by mpmath.
        (&["delta", "laplace(scale=1)", "--epsilon", "0.5"], 0.221_199_216_928_595_131_75),
        // Its own ε.
        (&["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-6"], 1.0),
        // The root of Φ(1/2−ε) − e^ε Φ(−1/2−ε) = 1e-5, to 20 digits by mpmath.
        (&["epsilon", "gaussian(sigma=10) * 100", "--delta", "1e-5"], 4.377_178_095_681_224_627_7),
    ];
    for (arguments, reference) in cases {
        let (lower, upper) = ends(&[arguments, ["--format", "json"].as_slice()].concat());
        assert!(lower <= *reference && *reference <= upper, "{arguments:?}: {lower} {upper}");
        assert!(upper - lower <= 1e-13 * upper, "{arguments:?}: {lower} {upper}");
    }
}

/// 2Φ(1/2) − 1 = 0.38292492254802620727…
#[test]
fn text_shows_only_digits_that_are_certain() {
    let output = run(&["delta", "gaussian(sigma=1)", "--epsilon", "0"]).answered();
    let (centre, radius) = output.lines().next().unwrap()["δ = ".len()..].split_once(" ± ").unwrap();
    let digits = centre.strip_suffix("e-1").unwrap();
    assert!(digits.len() >= 12, "{output}");
    let decimals = digits.len() - 2;
    assert_eq!(digits, format!("{:.decimals$}", 3.829_249_225_480_262_072_7));
    assert!(radius.parse::<f64>().unwrap() < 1e-12);
    let quoted = output.split("quote       δ ≤ ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(quoted.parse::<f64>().unwrap() >= 0.382_924_922_548_026_207_27, "{quoted}");
}

#[test]
fn flags_come_in_any_order() {
    let usual = run(&["delta", "laplace(scale=1)", "--epsilon", "1", "--method", "closed-form"]).answered();
    assert_eq!(run(&["delta", "--method=closed-form", "--epsilon=1", "laplace(scale=1)"]).answered(), usual);
    assert_eq!(
        run(&["delta", "--epsilon", "1e0", "laplace(scale=1)", "--relation", "add-remove"]).answered(),
        usual
    );
}

#[test]
fn a_long_expression_comes_by_standard_input() {
    // Three pieces of Laplace noise of scale 1 would be one too many; a use of ε = 0 changes nothing.
    let text = format!("laplace(scale=1)\n{}", "+ dp(epsilon=0)\n".repeat(20_000));
    let answer = run_with_input(&["delta", "-", "--epsilon", "1"], text.as_bytes()).answered();
    assert!(answer.starts_with("δ = 0 (exact)\n"), "{answer}");
    assert!(answer.len() < 2000, "a long expression is clipped: {} bytes", answer.len());
}
