//! Calibration, curves, risk, training: in every format. Expected numbers are closed forms whose source is named.

use crate::run::{Run, run};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(&[arguments, &["--format", "json"]].concat()).answered()).unwrap()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= 1e-9 * expected, "{value} is not {expected}");
}

/// The root of 2Φ(1/2σ) − 1 = 0.05 is 1/(2Φ⁻¹(0.525)) = 7.973619701091…
#[test]
fn calibration_adds_value_and_too_little() {
    let found = json(&["calibrate", "gaussian(sigma=?)", "--advantage", "0.05"]);
    near(&found["value"], 7.973_619_701_091_7);
    let (value, little) = (found["value"].as_f64().unwrap(), found["too_little"].as_f64().unwrap());
    assert!(little < value && value - little < 1e-9);
    assert_eq!(found["query"], "calibrate");
    assert_eq!(found["parameter"], "sigma");
    assert_eq!(found["advantage"], 0.05);
    assert!(found["upper"].as_f64().unwrap() <= 0.05 && found["lower"].as_f64().unwrap() > 0.0499);
    assert!(found["expression"].as_str().unwrap().starts_with("gaussian(sigma=7.97361970109"));
}

/// Pure differential privacy adds up: ⌊1/0.3⌋ = 3 uses stay below 1, and a fourth makes a loss of 1.2 likely.
#[test]
fn counts_are_whole() {
    let found =
        json(&["calibrate", "randomized_response(epsilon=0.3) * ?", "--epsilon", "1", "--delta", "1e-9"]);
    assert_eq!((found["value"].as_f64(), found["too_little"].as_f64()), (Some(3.0), Some(4.0)));
    assert_eq!((found["epsilon"].as_f64(), found["delta"].as_f64()), (Some(1.0), Some(1e-9)));
}

#[test]
fn an_impossible_target_is_answered_but_not_as_asked() {
    let run = run(&[
        "calibrate",
        "dp(epsilon=1, delta=1e-5) * ?",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no count was found that meets the target"), "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["value"] == "none" && found["too_little"] == "none");
    assert!(found["shortfall"].as_str().unwrap().contains("even with count = 1"));
}

/// A record that is in the sample with probability 10⁻³ is never given away with more: δ = 10⁻² is met without noise.
#[test]
fn a_target_that_every_value_meets_is_said_to_be_met() {
    let found =
        json(&["calibrate", "poisson(gaussian(sigma=?), rate=0.001)", "--epsilon", "1", "--delta", "0.01"]);
    assert!(found["value"].is_number() && found["too_little"] == "none");
    assert!(found["notes"][0].as_str().unwrap().contains("every sigma that was tried meets the target"));
}

#[test]
fn bad_targets_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let run = run(&[&["calibrate"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(part), "{part:?} is not in:\n{}", run.stderr);
    };
    let gaussian = "gaussian(sigma=?)";
    refused(&[gaussian], "there is no target");
    refused(&[gaussian, "--epsilon", "1"], "--delta <Y>");
    refused(&[gaussian, "--epsilon", "1", "--delta", "2"], "delta is 2, but must be 0 or above and below 1");
    refused(&[gaussian, "--tpr", "0.1", "--fpr", "0.5"], "above the false positive rate");
    refused(&[gaussian, "--advantage", "1"], "advantage is 1");
    refused(&["gaussian(sigma=1)", "--advantage", "0.1"], "there is no ? to be found");
    refused(&["gaussian(sigma=?) * ?", "--advantage", "0.1"], "this is a second ?");
    refused(
        &["poisson(zcdp(rho=?), rate=0.1)", "--advantage", "0.1"],
        "only its Rényi divergences are known",
    );
    refused(&[gaussian, "--advantage", "0.1", "--epsilon", "1"], "cannot be used with");
}

/// Randomised response with odds e: f(x) = max(1 − ex, (1 − x)/e), which meet at 1/(1 + e).
#[test]
fn curves_have_points_with_both_ends() {
    let found = json(&["tradeoff", "randomized_response(epsilon=1)", "--points", "3"]);
    let points = found["points"].as_array().unwrap();
    assert_eq!((points.len(), found["query"].as_str()), (3, Some("tradeoff")));
    for (point, expected) in points.iter().zip([1.0, 0.5 / std::f64::consts::E, 0.0]) {
        let ends = (point["lower"].as_f64().unwrap(), point["upper"].as_f64().unwrap());
        assert!(
            ends.0 <= expected + 1e-15 && expected <= ends.1 + 1e-15 && ends.1 - ends.0 < 1e-14,
            "{point}"
        );
    }
    // δ(0) of a Laplace mechanism of scale 1 is 1 − e^{−1/2}.
    let csv =
        run(&["profile", "laplace(scale=1)", "--to", "1", "--points", "2", "--format", "csv"]).answered();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "epsilon,lower,upper");
    let first: Vec<f64> = rows[1].split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(first[0] == 0.0 && first[1] <= 0.393_469_340_287_366_6 && first[2] >= 0.393_469_340_287_366_5);
    assert_eq!(rows[2], "1.0,0.0,0.0");
}

/// With odds of three to one: advantage 1/2, accuracy 3/4 from an even prior, and TPR = 3·FPR for few false alarms.
#[test]
fn risk_of_a_randomised_response() {
    let found = json(&["risk", "randomized_response(p=0.75)", "--fpr", "0.1"]);
    near(&found["advantage"]["upper"], 0.5);
    near(&found["accuracy"]["upper"], 0.75);
    near(&found["attacks"][0]["tpr"]["upper"], 0.3);
    near(&found["attacks"][0]["belief"]["upper"], 0.75);
    let text = run(&["risk", "randomized_response(p=0.75)", "--fpr", "0.1"]).answered();
    assert!(text.starts_with("advantage = 0.5") && text.contains("FPR    TPR"), "{text}");
    let csv = run(&["risk", "randomized_response(p=0.75)", "--format", "csv"]).answered();
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn charts_are_written_where_they_are_asked_for() {
    let folder = std::env::temp_dir().join(format!("hockeystick-charts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    run(&["profile", "gaussian(sigma=1)", "--plot", &file("a.svg")]).answered();
    run(&["tradeoff", "gaussian(sigma=1)", "--plot", &file("b.png")]).answered();
    let svg = std::fs::read_to_string(file("a.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("gaussian(sigma=1)"));
    assert_eq!(&std::fs::read(file("b.png")).unwrap()[1..4], b"PNG");
    let refused = run(&["profile", "gaussian(sigma=1)", "--plot", &file("c.gif")]);
    assert!(refused.code == Some(2) && refused.stderr.contains(".svg or .png"), "{refused:?}");
    let drawn = run(&["profile", "gaussian(sigma=1)", "--plot", "-"]).answered();
    assert!(drawn.contains('┤') && drawn.contains('└'), "{drawn}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Everything is in the batch: ten steps with noise √10 are one release with noise 1, and ε(10⁻⁵) = 4.377178095681…
#[test]
fn training_in_the_words_of_those_who_train() {
    let whole = ["dpsgd", "--examples", "1000", "--batch", "1000", "--epochs", "10"];
    let noise = ["--noise", "3.1622776601683795", "--delta", "1e-5"];
    let found = json(&[whole.as_slice(), &noise].concat());
    near(&found["upper"], 4.377_178_095_681_2);
    assert_eq!((found["steps"].as_u64(), found["rate"].as_f64()), (Some(10), Some(1.0)));
    let target = ["--epsilon", "4.377178095681225", "--delta", "1e-5"];
    let found = json(&[whole.as_slice(), &target].concat());
    near(&found["noise"], 3.162_277_660_168_379_5);
    assert!(found["too_little"].as_f64().unwrap() < found["noise"].as_f64().unwrap());

    let text = run(&[whole.as_slice(), &["--noise", "10"]].concat()).answered();
    for part in [
        "Poisson samples",
        "micro-batch",
        "twice as far",
        "δ = 0.0001 is suggested",
        "10 steps, 1000 of 1000",
    ] {
        assert!(text.contains(part) || text.replace("\n            ", " ").contains(part), "{part}:\n{text}");
    }
    let uneven = run(&[
        "dpsgd",
        "--examples",
        "1000",
        "--batch",
        "999",
        "--epochs",
        "1.5",
        "--noise",
        "10",
        "--delta",
        "1e-4",
        "--method",
        "lattice",
        "--tolerance",
        "0.5",
    ]);
    assert!(uneven.stdout.contains("do not come out even"), "{uneven:?}");
}

#[test]
fn a_statement_quotes_numbers_that_are_not_too_small() {
    let whole =
        ["dpsgd", "--examples", "1000", "--batch", "1000", "--steps", "10", "--delta", "1e-5", "--statement"];
    let text = run(&[whole.as_slice(), &["--noise", "3.1622776601683795"]].concat()).answered();
    // ε = 4.3771…, e^ε = 79.6…, 2Φ(1/2) − 1 = 0.3829…, Φ(Φ⁻¹(0.01) + 1) = 0.0923…
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (before, truth) in [
        ("(ε = ", 4.377_178_095_681_223),
        ("is at most ", 79.613_055_695),
        ("false positive rate) of at most ", 0.382_924_922_548_026_2),
        ("a share of ", 0.092_362_247),
    ] {
        let rest = words.split_once(before).unwrap_or_else(|| panic!("{before}: {text}")).1;
        let number = rest.split([',', ' ']).next().unwrap().trim_end_matches('.');
        let quoted: f64 = number.parse().unwrap_or_else(|_| panic!("{number}: {text}"));
        assert!(quoted >= truth && quoted <= truth * (1.0 + 2e-6), "{before}{quoted}:\n{text}");
    }
    assert!(
        words.contains("(ε = 4.37718, δ = 1e-5)") && words.contains("1000 examples in 10 steps"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn training_that_cannot_be_is_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let run: Run = run(&[&["dpsgd"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(part), "{part:?} is not in:\n{}", run.stderr);
    };
    refused(&["--examples", "10", "--batch", "11", "--steps", "1", "--noise", "1"], "batch is 11");
    refused(&["--examples", "10", "--batch", "1", "--steps", "1"], "--noise");
    refused(&["--examples", "10", "--batch", "1", "--noise", "1"], "--epochs");
    refused(&["--examples", "10.5", "--batch", "1", "--steps", "1", "--noise", "1"], "not a whole number");
    refused(
        &["--examples", "10", "--batch", "1", "--steps", "1", "--noise", "1", "--relation", "replace"],
        "use --relation add-remove",
    );
}

/// What is commonly taken for something else is refused, and says what to do.
#[test]
fn trainings_without_a_proof_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let training = ["dpsgd", "--examples", "1000", "--batch", "10", "--steps", "10", "--noise", "1"];
        let run = run(&[&training, arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(part), "{part:?} is not in:\n{}", run.stderr);
    };
    refused(&["--batches", "shuffled"], "use --batches poisson or --batches fixed");
    refused(&["--relation", "replace"], "use --relation add-remove, or --batches fixed");
}

#[test]
fn markdown_is_for_documents() {
    let answer = run(&["delta", "laplace(scale=1)", "--epsilon", "1", "--format", "markdown"]).answered();
    assert!(
        answer.starts_with("**δ = 0 (exact)**\n\n|  |  |\n| --- | --- |\n| quote | δ ≤ 0 at ε = 1 |"),
        "{answer}"
    );
    let list = run(&["mechanisms", "--format", "markdown"]).answered();
    assert!(list.starts_with("| name | what it does |"), "{list}");
}

#[test]
fn packages_get_their_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).answered();
        assert!(script.contains("calibrate") && script.contains("relation"), "{shell}");
    }
    // The names of methods and relations can be completed, though --help has them in a sentence.
    let script = run(&["completions", "bash"]).answered();
    assert!(
        script.contains("closed-form exact-sums contour lattice")
            && script.contains("add-remove add remove replace")
    );
    assert!(!run(&["epsilon", "--help"]).answered().contains("Possible values:\n          - auto"));
}

#[test]
fn the_manual_has_a_section_for_every_command() {
    let manual = run(&["man"]).answered();
    assert!(manual.contains(".TH hockeystick") && manual.contains("\\-\\-statement"));
    for command in crate::help::COMMANDS {
        assert!(manual.contains(&format!(".SH \"HOCKEYSTICK {}\"", command.to_uppercase())), "{command}");
        // A page of its own would be referred to like that; there is none.
        assert!(!manual.contains(&format!("hockeystick\\-{command}(1)")), "{command}");
    }
    // The parts of a command are below it, and its examples are there.
    assert_eq!(manual.matches(".SH SYNOPSIS").count(), 1);
    assert_eq!(manual.matches(".SS SYNOPSIS").count(), crate::help::COMMANDS.len());
    assert!(manual.contains("hockeystick calibrate \"gaussian(sigma=?) * 100\""));
}

#[test]
fn a_delta_that_lets_an_example_out_is_remarked() {
    let asked = ["dpsgd", "--examples", "1000", "--batch", "1000", "--steps", "1", "--noise", "9", "--delta"];
    let of = |delta: &str| run(&[&asked[..], &[delta]].concat()).answered();
    assert!(of("0.001").contains("is not below 1/1000"), "{}", of("0.001"));
    assert!(!of("0.0009").contains("is not below"));
}

/// Three uses that fail with probability 0.1 each: 1 − 0.9³ = 0.271 of the losses are infinite.
#[test]
fn a_chart_of_losses_names_the_mass_that_it_cannot_show() {
    let drawn = |mechanism: &str, name: &str| {
        let file = std::env::temp_dir().join(format!("hockeystick-{name}-{}.svg", std::process::id()));
        run(&["losses", mechanism, "--points", "9", "--plot", file.to_str().unwrap()]).answered();
        let svg = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        svg
    };
    let failing = drawn("dp(epsilon=1, delta=0.1) * 3", "failing");
    assert!(failing.contains(">with the record, 0.271 of it at larger losses<"));
    assert!(failing.contains(">without it, 0.271 of it at smaller losses<"));
    assert!(drawn("laplace(scale=1)", "laplace").contains(">with the record<"));
}

/// Ends that are 0 or infinite have no dot on the frame, where it would look like a number.
#[test]
fn a_chart_of_methods_has_no_dots_for_infinity() {
    let file = std::env::temp_dir().join(format!("hockeystick-methods-{}.svg", std::process::id()));
    let name = file.to_str().unwrap();
    run(&["compare", "gaussian(sigma=1)", "--delta", "1e-5", "--plot", name]).answered();
    let svg = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    let frame =
        svg.lines().rfind(|line| line.contains("stroke=\"#222222\"") && line.matches(',').count() == 5);
    let left = frame.unwrap().split('"').nth(1).unwrap().split(',').next().unwrap();
    assert!(svg.contains("<circle") && !svg.contains(&format!("<circle cx=\"{left}\"")), "{left}");
}

/// A response with odds of three to one has a loss of ln 3 = 1.0986… with probability 3/4, 1/4 without the record.
#[test]
fn losses_have_tails() {
    let found = json(&["losses", "randomized_response(p=0.75)", "--points", "3"]);
    let middle = &found["points"][1];
    assert!(middle["loss"].as_f64().unwrap().abs() < 1e-12);
    for (side, chance) in [("with", 0.75), ("without", 0.25)] {
        let (lower, upper) =
            (middle[side]["lower"].as_f64().unwrap(), middle[side]["upper"].as_f64().unwrap());
        assert!(lower <= chance && chance <= upper && upper - lower < 1e-6, "{middle}");
    }
}
