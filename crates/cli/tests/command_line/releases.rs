//! The guarantee in plain language, of any release.

use crate::run::{run, run_with_input};

/// SHA-256 of `laplace(scale=20) * 10`, `add-remove`, `epsilon at delta=1e-5`, each with a line end, by another program.
const DIGEST: &str = "1da6e86fe3e90d891173b5120f8f9a434c5ebd2431c351a716dea8f196970173";

#[test]
fn every_release_has_a_statement() {
    let arguments = ["epsilon", "10 * laplace(scale=20.0)", "--delta", "1e-5", "--statement"];
    let text = run(&arguments).answered();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    for part in [
        "This release is (ε = ",
        "δ = 1e-5)-differentially private when the data of one record are added or removed",
        "the privacy unit is one record. Nothing is known here about how many of them a person has",
        "What was released: laplace(scale=20) * 10.",
        &format!("Computed by hockeystick {}; SHA-256", env!("CARGO_PKG_VERSION")),
        DIGEST,
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let json = run(&[&arguments[..], &["--format", "json", "--unit", "one household"]].concat()).answered();
    assert!(json.contains(r#""unit":"one household""#) && json.contains(DIGEST), "{json}");
    assert!(json.contains("when the data of one household are added or removed"), "{json}");
}

#[test]
fn the_digest_tells_inputs_apart_and_not_spellings() {
    let digest = |arguments: &[&str]| {
        let json = run(&[arguments, &["--statement", "--format", "json"]].concat()).answered();
        let (_, rest) = json.split_once("\"digest\":\"").unwrap();
        rest[..64].to_owned()
    };
    let known = digest(&["epsilon", "laplace(scale=20) * 10", "--delta", "1e-5"]);
    assert_eq!(known, DIGEST);
    assert_eq!(
        digest(&["epsilon", "10*laplace(scale=40/2)", "-d", "0.00001", "--method", "contour"]),
        DIGEST
    );
    for other in [
        &["epsilon", "laplace(scale=20) * 11", "--delta", "1e-5"][..],
        &["epsilon", "laplace(scale=20) * 10", "--delta", "1e-6"],
        &["epsilon", "laplace(scale=20) * 10", "--delta", "1e-5", "--relation", "add"],
        &["delta", "laplace(scale=20) * 10", "--epsilon", "1e-5"],
    ] {
        assert_ne!(digest(other), known, "{other:?}");
    }
}

/// Under add the probability without the data is bounded by the one with them, under remove the other way round.
#[test]
fn directions_are_told_apart() {
    let statement = |relation: &str| {
        let text = run(&[
            "epsilon",
            "poisson(laplace(scale=0.3), rate=0.1)",
            "-d",
            "1e-5",
            "--statement",
            "--relation",
            relation,
        ]);
        text.answered().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let remove = statement("remove");
    assert!(remove.contains("its probability with these data is at most"), "{remove}");
    assert!(
        remove
            .contains("times its probability without them, plus 1e-5; nothing is said the other way round."),
        "{remove}"
    );
    let add = statement("add");
    assert!(add.contains("its probability without these data is at most"), "{add}");
    assert!(
        add.contains("times its probability with them, plus 1e-5; nothing is said the other way round."),
        "{add}"
    );
    assert!(statement("add-remove").contains("and the other way round"));
}

#[test]
fn a_workload_and_a_training_have_one_too() {
    let workload = "[[groups]]\nname = \"a\"\nmechanism = \"gdp(mu=0.5)\"\n[[groups]]\nname = \"b\"\nmechanism = \"zcdp(rho=0.1)\"\n";
    let text = run_with_input(&["epsilon", "--file", "-", "-d", "1e-6", "--statement"], workload.as_bytes())
        .answered();
    assert!(text.contains("What was released: gdp(mu=0.5) + zcdp(rho=0.1)"), "{text}");
    let text = run(&[
        "dpsgd",
        "--examples",
        "60000",
        "--batch",
        "256",
        "--steps",
        "10",
        "--noise",
        "1.1",
        "--statement",
        "--unit",
        "one patient",
    ])
    .answered();
    assert!(text.contains("the privacy unit is one patient") && text.contains("SHA-256"), "{text}");
}

#[test]
fn there_is_no_statement_without_a_guarantee() {
    let run = run(&["epsilon", "gaussian(sigma=1)", "--delta", "0", "--statement"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains("there is nothing to be stated: no finite ε"), "{run:?}");
}
