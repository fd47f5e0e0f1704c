//! `--timeout` and `--memory`: the best certified answer so far with exit code 1, or a refusal that says what to do.

use crate::run::run;

const WORK: &str =
    "poisson(gaussian(sigma=0.8), rate=0.01) * 500 + poisson(laplace(scale=1), rate=0.02) * 500";
/// Minutes, and gigabytes.
const MUCH: &str = "poisson(discrete_laplace(scale=1e6, sensitivity=1000000), rate=0.999) * 100000";

#[test]
fn an_answer_that_is_stopped_is_a_bound_and_says_so() {
    let whole = run(&["epsilon", WORK, "--delta", "1e-6", "--format", "json", "--timeout", "none"]);
    let bound = run(&["epsilon", WORK, "--delta", "1e-6", "--format", "json", "--timeout", "0.001ms"]);
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (whole, found) = (read(&whole.answered()), read(&bound.stdout));
    assert_eq!(bound.code, Some(1), "{bound:?}");
    assert!(bound.stderr.contains("a narrower one takes longer than 1µs; raise that limit"), "{bound:?}");
    assert_eq!(
        (found["guarantee"].as_str(), &found["lower"]),
        (Some("upper-bound"), &serde_json::Value::Null)
    );
    assert!(found["upper"].as_f64().unwrap() >= whole["lower"].as_f64().unwrap());
}

#[test]
fn what_has_no_bound_is_refused() {
    for arguments in [
        &["risk", WORK][..],
        &["profile", WORK],
        &["tradeoff", WORK],
        &["losses", WORK],
        &["epsilon", WORK, "--delta", "1e-6", "--method", "lattice"],
        &["calibrate", "poisson(gaussian(sigma=?), rate=0.01) * 1000", "--epsilon", "1", "--delta", "1e-6"],
    ] {
        let run = run(&[arguments, &["--timeout", "0.001ms"]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains("the answer takes longer than 1µs; raise that limit"), "{run:?}");
        // Curves were sent on to a method that refuses curves.
        assert!(!run.stderr.contains("rdp-optimal"), "{run:?}");
    }
}

#[test]
fn memory_is_refused_before_it_is_used() {
    let run = run(&["epsilon", WORK, "--delta", "1e-6", "--method", "lattice", "--memory", "10kB"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("of memory, more than 10.0 kB; raise that limit"), "{run:?}");
}

#[test]
fn every_question_of_many_has_its_own_limits() {
    let arguments =
        ["sweep", WORK, "--grid", "delta=1e-6,1e-5", "--timeout", "0.001ms", "--method", "lattice"];
    let run = run(&arguments);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("no point of the grid has an answer"), "{run:?}");
}

#[test]
fn nothing_takes_long_without_being_asked_to() {
    for arguments in [&["epsilon", MUCH, "--delta", "1e-300"][..], &["risk", MUCH], &["profile", MUCH]] {
        // It would be answered if it were waited for.
        let run = run(&[arguments, &["--timeout", "1s"]].concat());
        assert!(matches!(run.code, Some(1 | 2)), "{run:?}");
        assert!(run.stderr.contains("raise that limit"), "{run:?}");
    }
}

#[test]
fn limits_that_are_none_are_complained_about() {
    for (flag, value) in
        [("--timeout", "0"), ("--timeout", "soon"), ("--memory", "0GB"), ("--memory", "lots")]
    {
        let run = run(&["epsilon", "gaussian(sigma=1)", "--delta", "1e-5", flag, value]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("write for example"), "{run:?}");
    }
}

/// A sweep hid that its answers were bounds, or wider than was asked for.
#[test]
fn a_sweep_says_how_many_points_are_not_answered_as_asked() {
    let swept = run(&[
        "sweep",
        "poisson(discrete_gaussian(sigma={s}), rate=0.01) * 1000",
        "--grid",
        "s=2,3",
        "--delta",
        "1e-6",
        "--tolerance",
        "1e-13",
    ]);
    assert_eq!(swept.code, Some(1), "{}", swept.stderr);
    assert!(
        swept.stderr.contains("2 of 2 points are not answered as asked; the first: "),
        "{}",
        swept.stderr
    );
    assert_eq!(swept.stdout.lines().count(), 3, "{}", swept.stdout);
}
