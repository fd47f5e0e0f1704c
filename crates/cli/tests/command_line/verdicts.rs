//! Claims about ε, pure differential privacy, and numbers that are calculated.

use crate::run::{Run, run};

fn claim(at_most: &str) -> Run {
    // ε is 4.3771780956812 at δ = 1e-5.
    run(&["epsilon", "gaussian(sigma=10) * 100", "--delta", "1e-5", "--at-most", at_most])
}

#[test]
fn a_claim_is_proven_refuted_or_undecided_and_the_exit_code_says_so() {
    let holds = claim("4.4");
    assert!(holds.answered().contains("ε ≤ 4.4 at δ = 1e-5 is proven to hold"), "{holds:?}");
    let fails = claim("4.3");
    assert_eq!(fails.code, Some(1));
    assert!(fails.stderr.starts_with("warning: ε ≤ 4.3 at δ = 1e-5 is proven not to hold"), "{fails:?}");
    let open =
        run(&["epsilon", "gaussian(sigma=10) * 100", "-d", "1e-5", "--at-most", "4.4", "--method", "clt"]);
    assert_eq!(open.code, Some(1));
    assert!(open.stderr.contains("can be neither proven nor refuted"), "{open:?}");
}

#[test]
fn a_claim_is_in_every_format() {
    for (format, words) in [("json", "\"at_most\":4.4,\"verdict\":\"holds\""), ("csv", ",4.4,holds")] {
        let run = run(&[
            "epsilon",
            "gaussian(sigma=10) * 100",
            "-d",
            "1e-5",
            "--at-most",
            "4.4",
            "--format",
            format,
        ]);
        assert!(run.answered().contains(words), "{run:?}");
    }
    let refused = claim("-1");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("epsilon is -1"), "{refused:?}");
}

#[test]
fn delta_zero_asks_for_pure_differential_privacy() {
    let pure = run(&["epsilon", "laplace(scale=2) * 3", "--delta", "0"]).answered();
    assert!(pure.starts_with("ε = 1.5"), "{pure}");
    let unbounded = run(&["epsilon", "gaussian(sigma=1)", "--delta", "0"]);
    assert_eq!(unbounded.code, Some(1));
    assert!(unbounded.stderr.contains("the privacy loss is unbounded, "), "{unbounded:?}");
    let calibrated = run(&["calibrate", "laplace(scale=?) * 10", "-e", "1", "-d", "0"]).answered();
    assert!(calibrated.starts_with("scale = 10"), "{calibrated}");
    assert!(run(&["explain", "dp(epsilon=1) * 2", "-d", "0"]).answered().contains("largest loss"));
    assert!(run(&["compare", "dp(epsilon=1) * 2", "-d", "0"]).answered().contains("largest loss"));
}

#[test]
fn numbers_of_questions_may_be_calculated() {
    let delta = |epsilon: &str| run(&["delta", "laplace(scale=1)", "--epsilon", epsilon]).answered();
    assert_eq!(delta("1/2").lines().next(), delta("0.5").lines().next());
    let refused = |epsilon: &str| {
        let run = run(&["delta", "laplace(scale=1)", "--epsilon", epsilon]);
        assert_eq!(run.code, Some(2), "{run:?}");
        run.stderr
    };
    assert!(refused("1/0").contains("nothing is divided by 0"));
    assert!(refused("1e400").contains("is too large"));
    assert!(refused("1e-400").contains("is too close to 0"));
    assert!(refused("1/x").contains("this is not a number"));
    let sweep = run(&["sweep", "gdp(mu={m})", "--grid", "m=1/4,0.5", "--delta", "1/1000"]).answered();
    assert!(sweep.contains("\n0.25,"), "{sweep}");
}

#[test]
fn a_count_that_misses_is_too_much_and_noise_that_misses_too_little() {
    let page =
        |expression: &str| run(&["calibrate", expression, "--epsilon", "1", "--delta", "1e-6"]).answered();
    let count = page("laplace(scale=20) + dp(epsilon=0.1) * ?");
    assert!(count.contains("too much") && !count.contains("too little"), "{count}");
    let noise = page("gaussian(sigma=?) * 100");
    assert!(noise.contains("too little") && !noise.contains("too much"), "{noise}");
}

#[test]
fn the_short_help_is_short_and_flags_have_short_forms() {
    let (short, long) = (run(&["epsilon", "-h"]).answered(), run(&["epsilon", "--help"]).answered());
    assert!(short.lines().count() <= 40 && !short.contains("Examples:"), "{short}");
    assert!(long.contains("Examples:") && long.contains("Accounting:") && long.contains("Output:"), "{long}");
    let short =
        ["epsilon", "gdp(mu=1)", "-d", "1e-5", "-m", "contour", "-t", "0.1", "-r", "add", "-F", "csv"];
    assert!(run(&short).answered().contains(",add,"));
}
