//! Workload files and sweeps.

use crate::run::{Run, run, run_with_input};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file that goes when the test is over.
struct Written(PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hockeystick-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// The complaint about the file, without its folder.
    fn complaint(&self) -> String {
        let run = run(&["run", self.name()]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        run.stderr.replace(self.name(), "FILE")
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// One target that is met, one that is missed, one that asks.
pub(crate) const WORKLOAD: &str = r#"title = "Two groups"

[[groups]]
name = "answers"
mechanism = "randomized_response(epsilon=0.25)"
count = 4

[[groups]]
name = "vendor"
mechanism = "dp(epsilon=1, delta=1e-6)"

[[targets]]
name = "met"
epsilon = 1
delta = 1e-9
groups = ["answers"]

[[targets]]
name = "missed"
epsilon = 1.5
delta = 1e-5

[[targets]]
epsilon = 2
"#;

/// Four uses of ε = 1/4 are pure 1-DP; with the other mechanism, 2-DP but for its own δ.
#[test]
fn every_target_is_answered() {
    let file = Written::new("workload.toml", WORKLOAD);
    let text = run(&["run", file.name()]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(1), "warning: 1 of 3 targets are not met\n"));
    let report: Value = serde_json::from_str(&run(&["run", file.name(), "--format", "json"]).stdout).unwrap();
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets[0]["met"], true);
    assert_eq!(targets[0]["groups"], serde_json::json!(["answers"]));
    assert_eq!(targets[1]["met"], false);
    assert!(targets[1]["lower"].as_f64().unwrap() > 1.5);
    assert!(targets[2]["met"].is_null());
    let left = targets[2]["upper"].as_f64().unwrap();
    assert!((1e-6..1.000_000_1e-6).contains(&left), "{left}");
    assert_eq!(report["groups"][0]["expression"], "randomized_response(epsilon=0.25) * 4");
}

#[test]
fn a_file_stands_for_an_expression() {
    let file = Written::new("expression.toml", WORKLOAD);
    let of_file = run(&["delta", "--file", file.name(), "--epsilon", "1"]).answered();
    let expression = "randomized_response(epsilon=0.25) * 4 + dp(epsilon=1, delta=1e-6)";
    assert_eq!(of_file, run(&["delta", expression, "--epsilon", "1"]).answered());
    let both = run(&["delta", expression, "--file", file.name(), "--epsilon", "1"]);
    assert!(both.code == Some(2) && both.stderr.contains("cannot be used with"), "{both:?}");
}

#[test]
fn json_and_toml_say_the_same() {
    let json = r#"{"title": "Two groups", "groups": [
        {"name": "answers", "mechanism": "randomized_response(epsilon=0.25)", "count": 4},
        {"name": "vendor", "mechanism": "dp(epsilon=1, delta=1e-6)"}], "targets": [
        {"name": "met", "epsilon": 1, "delta": 1e-9, "groups": ["answers"]},
        {"name": "missed", "epsilon": 1.5, "delta": 1e-5}, {"epsilon": 2}]}"#;
    let (toml, json) = (Written::new("same.toml", WORKLOAD), Written::new("same.json", json));
    let csv = |file: &Written| run(&["run", file.name(), "--format", "csv"]).stdout;
    assert_eq!(csv(&toml), csv(&json));
    assert!(
        csv(&toml).starts_with(
            "name,groups,query,epsilon,delta,fpr,at_most,lower,upper,guarantee,method,met\nmet,"
        )
    );
}

#[test]
fn problems_are_pointed_at() {
    let complaint = |text: &str| Written::new("bad.toml", text).complaint();
    assert_snapshot!(complaint(&WORKLOAD.replace("count = 4", "count = 0")), @r"
    error: FILE, line 6: key groups[0].count: is 0, but must be a whole number from 1 to 10^15

        count = 0
                ^
    ");
    assert_snapshot!(complaint(&WORKLOAD.replace("epsilon=0.25", "epsilom=0.25")), @r#"
    error: FILE, line 5: key groups[0].mechanism, column 21: randomized_response has no parameter `epsilom` (did you mean epsilon?); it takes p and epsilon

        mechanism = "randomized_response(epsilom=0.25)"
                                         ^^^^^^^
    "#);
    assert_snapshot!(complaint(&WORKLOAD.replace("[\"answers\"]", "[\"answer\"]")), @r#"
    error: FILE, line 16: key targets[0].groups[0]: there is no group "answer"; the groups are answers, vendor

        groups = ["answer"]
                  ^^^^^^^^
    "#);
    assert_snapshot!(complaint(&WORKLOAD.replace("epsilon = 2", "epsilon = 2\nfpr = 0.1")), @r"
    error: FILE, line 23: key targets[2]: a target has delta, epsilon, both, advantage, or fpr with or without tpr, and nothing else of these

        [[targets]]
        ^^^^^^^^^^^
    ");
    assert_snapshot!(complaint(&WORKLOAD.replace("title", "titel")), @r#"
    error: FILE, line 1: there is no key "titel"; the keys are title, relation, groups, targets

        titel = "Two groups"
        ^^^^^
    "#);
    assert_snapshot!(complaint("groups = 3"), @r"
    error: FILE, line 1: key groups: this is a number, but must be a list

        groups = 3
                 ^
    ");
    // What a question would refuse is refused where it stands.
    let ranges =
        [("delta = 1e-9", "delta = -7"), ("epsilon = 2", "epsilon = -1"), ("epsilon = 2", "fpr = 2")];
    let refused = ranges.map(|(right, wrong)| complaint(&WORKLOAD.replace(right, wrong)));
    assert_snapshot!(refused.join(""), @r"
    error: FILE, line 15: key targets[0].delta: delta is -7, but must be 0 or above and below 1; use a δ well below 1/n for n people, say 1e-6; 0 asks for pure differential privacy

        delta = -7
                ^^
    error: FILE, line 24: key targets[2].epsilon: epsilon is -1, but must be a finite number, 0 or above; ask for ε = 0 to get the total variation distance

        epsilon = -1
                  ^^
    error: FILE, line 24: key targets[2].fpr: fpr is 2, but must be from 0 to 1; give the false positive rate of the attack, say 0.01

        fpr = 2
              ^
    ");
    let json = |text: &str| Written::new("bad.json", text).complaint();
    assert_snapshot!(json("{\"groups\": [\n  {\"name\": \"a\" \"mechanism\": 3}\n]}"), @r#"
    error: FILE, line 2: expected , or } here

          {"name": "a" "mechanism": 3}
                       ^
    "#);
    assert_snapshot!(json("{\"groups\": [\n  {\"name\": \"a\", \"mechanism\": \"gaussian(sigma=-1)\"}\n]}"), @r#"
    error: FILE, line 2: key groups[0].mechanism, column 16: gaussian: sigma is -1, but must be a finite number above 0; give the standard deviation of the noise

          {"name": "a", "mechanism": "gaussian(sigma=-1)"}
                                                     ^^
    "#);
}

#[test]
fn other_problems_are_named() {
    let complains = |text: &str, part: &str| {
        let complaint = Written::new("other.toml", text).complaint();
        assert!(complaint.contains(part), "{part:?} is not in:\n{complaint}");
    };
    complains("", "the key groups is missing");
    complains("groups = []", "there must be at least one group");
    complains("groups = [{name = \"a\"}]", "needs a mechanism or a training");
    complains("[[groups]]\nmechanism = \"gdp(mu=1)\"", "the key name is missing");
    let two = "[[groups]]\nname = \"a\"\nmechanism = \"gdp(mu=1)\"\n";
    complains(&two.repeat(2), "two groups named \"a\"");
    complains(&format!("relation = \"swap\"\n{two}"), "no relation \"swap\"");
    complains(&format!("{two}count = true"), "this is true or false, but must be a number");
    complains("groups = [", "line 1");
    let training = "[[groups]]\nname = \"a\"\ntraining = { examples = 10, batch = 20, steps = 3, noise = 1 }";
    complains(training, "key groups[0].training: training: batch is 20");
    complains(&training.replace("steps = 3", "steps = 3, epochs = 1"), "not both");
    let missing = run(&["run", "no-such-file.toml"]);
    assert!(missing.code == Some(2) && missing.stderr.contains("cannot be read"), "{missing:?}");
}

/// The files in `examples/` are read and answered; a wide tolerance keeps this quick.
#[test]
fn examples_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        if std::fs::read_to_string(&file).unwrap().contains("\"?\"") {
            run(&["calibrate", "--file", file.to_str().unwrap()]).answered();
            continue;
        }
        if file.ends_with("scores.csv") {
            run(&["audit", "--scores", file.to_str().unwrap(), "--delta", "1e-5"]).answered();
            continue;
        }
        if file.extension().is_some_and(|extension| extension == "csv") {
            let training = "poisson(gaussian(sigma={noise}), rate={rate}) * {steps}";
            run(&["sweep", training, "--rows", file.to_str().unwrap()]).answered();
            continue;
        }
        let run: Run = run(&["run", file.to_str().unwrap(), "--tolerance", "0.3", "--format", "json"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}: {run:?}", file.display());
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(report["targets"].as_array().unwrap().len() >= 2);
    }
}

/// δ(0) of a μ-GDP mechanism is 2Φ(μ/2) − 1: 0.3829249225… for μ = 1 and 0.6826894921… for μ = 2.
#[test]
fn sweeps_answer_in_the_order_of_the_grid() {
    let csv = run(&["sweep", "gdp(mu={mu}) * {k}", "--grid", "mu=1,2", "--grid", "k=1,4", "--epsilon", "0"])
        .answered();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["mu", "k", "lower", "upper", "guarantee", "method", "error"]);
    let order: Vec<(&str, &str)> = rows[1..].iter().map(|row| (row[0], row[1])).collect();
    assert_eq!(order, [("1.0", "1.0"), ("1.0", "4.0"), ("2.0", "1.0"), ("2.0", "4.0")]);
    // One use with μ = 2 is as much as four with μ = 1.
    for (row, expected) in
        [(1, 0.382_924_922_548_026_2), (2, 0.682_689_492_137_085_9), (3, 0.682_689_492_137_085_9)]
    {
        let (lower, upper): (f64, f64) = (rows[row][2].parse().unwrap(), rows[row][3].parse().unwrap());
        assert!(
            lower <= expected + 1e-15 && expected - 1e-15 <= upper && upper - lower < 1e-12,
            "{row}: {lower} {upper}"
        );
    }
}

#[test]
fn a_sweep_says_what_it_cannot_answer() {
    let some = run(&["sweep", "gdp(mu={mu})", "--grid", "mu=-1,1", "--delta", "1e-5"]);
    assert_eq!((some.code, some.stderr.as_str()), (Some(1), "warning: 1 of 2 points have no answer\n"));
    assert!(some.stdout.contains("mu is -1"), "{}", some.stdout);
    let refused = |arguments: &[&str], part: &str| {
        let run = run(&[&["sweep", "gdp(mu={mu})"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(part), "{part:?} is not in:\n{}", run.stderr);
    };
    refused(&["--grid", "mu=1,2"], "there is no question");
    refused(&["--grid", "nu=1,2", "--delta", "1e-5"], "{nu} is not in the expression");
    refused(&["--grid", "mu=1", "--grid", "mu=2", "--delta", "1e-5"], "two grids for mu");
    refused(&["--grid", "mu=1", "--grid", "delta=0.1", "--delta", "1e-5"], "leave out");
    refused(&["--grid", "mu=1:2", "--delta", "1e-5"], "write for example");
    refused(&["--grid", "mu=1:2:100001", "--delta", "1e-5"], "number of points");
    refused(&["--grid", "mu=-1", "--delta", "1e-5"], "no point of the grid has an answer");
}

#[test]
fn methods_are_compared_side_by_side() {
    let csv =
        run(&["sweep", "gdp(mu=0.5) * {k}", "--grid", "k=1,4", "--delta", "1e-5", "--methods", "auto,rdp"])
            .answered();
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let methods: Vec<&str> = rows.iter().map(|row| row[4]).collect();
    assert_eq!(methods, ["closed-form", "rdp", "closed-form", "rdp"]);
    // Moments cost something: ε by them is above the truth.
    let upper = |row: usize| rows[row][2].parse::<f64>().unwrap();
    assert!(upper(1) > upper(0) && upper(3) > upper(2), "{csv}");
    let both = run(&[
        "sweep",
        "gdp(mu={m})",
        "--grid",
        "m=1",
        "--delta",
        "0.1",
        "--methods",
        "rdp",
        "--method",
        "rdp",
    ]);
    assert!(both.code == Some(2) && both.stderr.contains("cannot be used with"), "{both:?}");
}

#[test]
fn a_workload_without_targets_asks_nothing() {
    let text = "[[groups]]\nname = \"a\"\nmechanism = \"gdp(mu=1)\"\n";
    for text in [text.to_owned(), format!("targets = []\n{text}")] {
        let run = run_with_input(&["run", "-"], text.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(
            run.stderr.contains("there are no targets") && run.stderr.contains("add [[targets]]"),
            "{run:?}"
        );
    }
    let json = r#"{"groups": [{"name": "a", "mechanism": "gdp(mu=1)"}]}"#;
    assert_eq!(run_with_input(&["run", "-"], json.as_bytes()).code, Some(2));
}

#[test]
fn standard_input_is_a_workload_in_either_language() {
    let json = r#" {"groups": [{"name": "a", "mechanism": "gdp(mu=1)"}], "targets": [{"delta": 1e-5}]}"#;
    let toml = "[[groups]]\nname = \"a\"\nmechanism = \"gdp(mu=1)\"\n[[targets]]\ndelta = 1e-5\n";
    let answer = |text: &str| {
        let csv = run_with_input(&["run", "-", "--format", "csv"], text.as_bytes()).answered();
        csv.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(answer(json), answer(toml));
    run_with_input(&["epsilon", "--file", "-", "--delta", "1e-5"], toml.as_bytes()).answered();
}

/// A workload with room for more, and what fills it.
const ROOM: &str = r#"
    relation = "add-remove"
    [[groups]]
    name = "published"
    mechanism = "dp(epsilon=0.5) * 2"
    [[groups]]
    name = "planned"
    mechanism = "dp(epsilon=0.25)"
    count = COUNT
    [[targets]]
    name = "policy"
    epsilon = 3
    delta = 0
    [[targets]]
    name = "published alone"
    groups = ["published"]
    epsilon = 2
    delta = 0
"#;

#[test]
fn what_may_still_be_spent_is_found_inside_a_workload() {
    let open = ROOM.replace("COUNT", "\"?\"");
    let ask =
        |more: &[&str]| run_with_input(&[&["calibrate", "--file", "-"], more].concat(), open.as_bytes());
    // 2 · 0.5 + 8 · 0.25 = 3.
    let found = ask(&["--target", "policy"]).answered();
    assert!(found.starts_with("count = 8\n") && found.contains("too much    9 misses"), "{found}");
    assert!(ask(&["-e", "1.5", "-d", "0"]).answered().starts_with("count = 2\n"));
    let refused = |more: &[&str], part: &str| {
        let run = ask(more);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(part), "{run:?}");
    };
    refused(&[], "it has several targets; choose one with --target: policy, published alone");
    refused(&["--target", "published alone"], "does not count the group planned, which has the ?");
    refused(&["--target", "no"], "no target with a bound is named \"no\"; there are: policy");
    // With the number in its place the targets are met, and with one more they are not.
    for (count, code) in [("8", 0), ("9", 1)] {
        let run = run_with_input(&["run", "-"], ROOM.replace("COUNT", count).as_bytes());
        assert_eq!(run.code, Some(code), "{run:?}");
    }
    // Elsewhere every number must be known.
    let run = run_with_input(&["run", "-"], open.as_bytes());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("line 9: key groups[1].count: ? stands for a number to be found"), "{run:?}");
    let none = run_with_input(&["calibrate", "--file", "-"], ROOM.replace("COUNT", "8").as_bytes());
    assert!(none.stderr.contains("0 of its groups have a ?"), "{none:?}");
}

#[test]
fn the_hole_of_a_workload_may_be_in_a_mechanism_or_a_training() {
    let text = |group: &str| {
        format!(
            "[[groups]]\nname = \"a\"\n{group}\n[[groups]]\nname = \"b\"\nmechanism = \"gdp(mu=0.1)\"\n[[targets]]\nepsilon = 1\ndelta = 1e-5\n"
        )
    };
    let found = |group: &str| run_with_input(&["calibrate", "--file", "-"], text(group).as_bytes());
    let sigma = found("mechanism = \"gaussian(sigma=?)\"\ncount = 10").answered();
    let direct =
        run(&["calibrate", "gaussian(sigma=?) * 10 + gdp(mu=0.1)", "-e", "1", "-d", "1e-5"]).answered();
    assert_eq!(sigma.lines().next(), direct.lines().next());
    let noise = found("training = { examples = 1000, batch = 100, steps = 10, noise = \"?\" }").answered();
    assert!(noise.starts_with("sigma = "), "{noise}");
    let second = found("mechanism = \"gaussian(sigma=?)\"\ncount = \"?\"");
    assert_eq!(second.code, Some(2), "{second:?}");
}
