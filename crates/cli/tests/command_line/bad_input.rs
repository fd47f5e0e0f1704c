//! Bad input: exit code 2, nothing on standard output, and a message that names the cause and the cure.

use crate::run::{Run, run, run_with_input};
use insta::assert_snapshot;

type Words = &'static [&'static str];

/// A refusal must be readable: whatever was typed, the message stays short.
fn refused(run: &Run, parts: &[&str]) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.chars().count() < 2500, "{} characters", run.stderr.len());
    for part in parts {
        assert!(run.stderr.contains(part), "{part:?} is not in:\n{}", run.stderr);
    }
}

#[test]
fn expressions() {
    let cases: &[(&str, &[&str])] = &[
        (
            "gaussian(sigma=0)",
            &["sigma is 0", "must be a finite number above 0", "give the standard deviation"],
        ),
        ("gaussian(sigma=-1)", &["column 16", "sigma is -1", "must be a finite number above 0"]),
        ("gaussian(sigma=nan)", &["column 16", "`nan` is not allowed", "finite number"]),
        ("gaussian(sigma=inf)", &["`inf` is not allowed"]),
        ("gaussian(sigma=1) * 0", &["count is 0", "from 1 to 10^15"]),
        ("gaussian(sigma=1) * 1e16", &["count is 1e16", "from 1 to 10^15"]),
        ("(gaussian(sigma=1) * 1e15) * 2", &["more than 10^15 times", "reduce the counts"]),
        ("gausian(sigma=1)", &["no mechanism `gausian`", "did you mean gaussian?"]),
        ("gaussian(sgma=1)", &["no parameter `sgma`", "did you mean sigma?"]),
        ("gaussian(sigma=1", &["column 9", "never closed", "add a )"]),
        ("gaussian(sigma=1))", &["column 18", "closes nothing"]),
        ("gaussian(sigma=?)", &["? stands for a number"]),
        ("", &["there is no mechanism here", "gaussian(sigma=1)"]),
        ("  \n ", &["there is no mechanism here"]),
        (
            "poisson(zcdp(rho=1), rate=0.1)",
            &[
                "zcdp(rho=1) cannot be sampled",
                "only its Rényi divergences are known",
                "leave out the sampler",
            ],
        ),
        ("renyi(file=\"no.csv\")", &["no.csv", "cannot be read"]),
        ("pair(file=\"no.csv\")", &["no.csv", "cannot be read"]),
        ("profile(file=\"no.csv\")", &["no.csv", "cannot be read"]),
        ("subset(gaussian_variance(sigma1=1, sigma2=2), rate=0.1)", &["no proof", "use poisson"]),
        ("exponential(epsilon_tilde=0.1, n=10, m=0)", &["m"]),
    ];
    for (expression, parts) in cases {
        refused(&run(&["epsilon", expression, "--delta", "1e-5"]), parts);
        refused(&run(&["delta", expression, "--epsilon", "1"]), parts);
        refused(&run_with_input(&["delta", "-", "--epsilon", "1"], expression.as_bytes()), parts);
    }
}

#[test]
fn questions() {
    const EPSILON: Words = &["epsilon", "gdp(mu=1)"];
    const DELTA: Words = &["delta", "gdp(mu=1)"];
    let range_of_delta: Words = &["must be 0 or above and below 1", "say 1e-6"];
    let range_of_epsilon: Words = &["must be a finite number, 0 or above", "ask for ε = 0"];
    let range_of_tolerance: Words = &["must be above 0 and below 1", "try 1e-6"];
    let cases: &[(Words, Words, &str, Words)] = &[
        (EPSILON, &["--delta", "1"], "delta is 1,", range_of_delta),
        (EPSILON, &["--delta", "1.5"], "delta is 1.5,", range_of_delta),
        (EPSILON, &["--delta", "1e-400"], "'1e-400' for '--delta", &["is too close to 0"]),
        (EPSILON, &["--delta", "-1e-5"], "delta is -1e-5,", range_of_delta),
        (EPSILON, &["--delta", "nan"], "delta is NaN,", range_of_delta),
        (EPSILON, &["--delta", "-inf"], "delta is -inf,", range_of_delta),
        (DELTA, &["--epsilon", "-1"], "epsilon is -1,", range_of_epsilon),
        (DELTA, &["--epsilon=-1"], "epsilon is -1,", range_of_epsilon),
        (DELTA, &["--epsilon", "NaN"], "epsilon is NaN,", range_of_epsilon),
        (DELTA, &["--epsilon", "inf"], "epsilon is inf,", range_of_epsilon),
        (DELTA, &["--epsilon", "-inf"], "epsilon is -inf,", range_of_epsilon),
        (DELTA, &["--epsilon", "1", "--tolerance", "0"], "tolerance is 0,", range_of_tolerance),
        (DELTA, &["--epsilon", "1", "--tolerance", "-1"], "tolerance is -1,", range_of_tolerance),
        (DELTA, &["--epsilon", "1", "--tolerance", "1"], "tolerance is 1,", range_of_tolerance),
        (DELTA, &["--epsilon", "1", "--tolerance", "nan"], "tolerance is NaN,", range_of_tolerance),
        (DELTA, &["--epsilon", "1", "--method", "magic"], "no method \"magic\"", &["closed-form"]),
        (DELTA, &["--epsilon", "1000", "--method", "afa"], "method afa does not apply", &["leave out"]),
        (DELTA, &["--epsilon", "1", "--relation", "swap"], "no relation \"swap\"", &["add-remove"]),
        (DELTA, &["--epsilon", "1", "--format", "xml"], "'xml' for '--format", &["text, json, csv"]),
        (DELTA, &["--epsilon", "one"], "'one' for '--epsilon", &["not a number", "0.5 or 1e-5"]),
        (DELTA, &["--epsilon", "1", "--epsilon", "2"], "--epsilon", &["multiple times"]),
        (DELTA, &["--epsilon", "1", "laplace(scale=1)"], "laplace(scale=1)", &["unexpected argument"]),
        (DELTA, &[], "--epsilon <X>", &["required arguments were not provided", "Usage"]),
        (EPSILON, &[], "--delta <X>", &["required arguments were not provided", "Usage"]),
        (&["delta", "--epsilon", "1"], &[], "<EXPR>", &["required arguments were not provided"]),
        (&["dleta", "gdp(mu=1)"], &[], "unrecognized subcommand 'dleta'", &["delta"]),
    ];
    for (question, flags, cause, cure) in cases {
        let run = run(&[*question, *flags].concat());
        refused(&run, cure);
        refused(&run, &[cause]);
    }
}

#[test]
fn huge_and_hostile_texts() {
    let nested_samplers =
        |depth| format!("{}gdp(mu=1){}", "poisson(".repeat(depth), ", rate=0.5)".repeat(depth));
    let sampled_sum =
        format!("poisson(({}gdp(mu=1)) * 1e15, rate=0.5)", "gdp(mu=1) + gdp(mu=1) + ".repeat(10_000));
    let cases: &[(Vec<u8>, &[&str])] = &[
        ("gdp(mu=1) + ".repeat(90_000).into_bytes(), &["standard input has more than 524288 bytes", "use *"]),
        ("(".repeat(100_000).into_bytes(), &["column 65", "nested more than 64 deep", "remove parentheses"]),
        (")".repeat(100_000).into_bytes(), &["column 1:", "closes nothing"]),
        ("x".repeat(400_000).into_bytes(), &["column 400001", "expected ("]),
        (nested_samplers(10_000).into_bytes(), &["nested more than 64 deep"]),
        (nested_samplers(62).into_bytes(), &["more than 60 levels"]),
        (sampled_sum.into_bytes(), &["used more than 10^15 times"]),
        (b"gdp(mu=1) + \xff".to_vec(), &["not UTF-8 text after 12 bytes"]),
        (b"gdp(mu=1) + \0".to_vec(), &["column 13", "has no meaning"]),
        (Vec::new(), &["there is no mechanism here"]),
    ];
    for (text, parts) in cases {
        refused(&run_with_input(&["epsilon", "-", "--delta", "1e-5"], text), parts);
    }
    // Deep, but meaningful: a record is sampled with probability 2^-50.
    let deep = run_with_input(&["epsilon", "-", "--delta", "1e-5"], nested_samplers(50).as_bytes());
    assert!(deep.code == Some(0) && deep.stdout.starts_with("ε = 0 (exact)"), "{deep:?}");
    let long = "1".repeat(100_000) + "x";
    refused(&run(&["delta", "gdp(mu=1)", "--epsilon", &long]), &["not a number"]);
    refused(&run(&["delta", "gdp(mu=1)", "--epsilon", "1", "--method", &long]), &["the methods are"]);
}

#[test]
fn parse_errors_point_at_the_place() {
    let complaint = |text: &str| run_with_input(&["delta", "-", "--epsilon", "1"], text.as_bytes()).stderr;
    assert_snapshot!(complaint("gaussian(sigma=1) + gausian(sigma=1) * 3"), @r"
    error: column 21: there is no mechanism `gausian` (did you mean gaussian?); the mechanisms are gaussian, laplace, discrete_gaussian, discrete_laplace, randomized_response, k_randomized_response, dp, exponential, report_noisy_max, permute_and_flip, sparse_vector, binomial, skellam, truncated_gaussian, truncated_laplace, uniform, staircase, gaussian_mixture, gaussian_variance, stability, zcdp, gdp, tree, pair, profile, renyi, poisson, subset, allocation and shuffle

        gaussian(sigma=1) + gausian(sigma=1) * 3
                            ^^^^^^^
    ");
    assert_snapshot!(complaint("gdp(mu=1)\n+ gdp(mu=1) * 0\n+ gdp(mu=1)"), @r"
    error: line 2, column 15: repeat: count is 0, but must be a whole number from 1 to 10^15; give the number of times the mechanism is run

        + gdp(mu=1) * 0
                      ^
    ");
    let long = format!("{}gdp(mu=-1){}", "gdp(mu=1) + ".repeat(5000), " + gdp(mu=2)".repeat(5000));
    assert_snapshot!(complaint(&long), @r"
    error: column 60008: gdp: mu is -1, but must be a finite number, 0 or above; give the μ, the distance of the two unit Gaussians

        …dp(mu=1) + gdp(mu=1) + gdp(mu=-1) + gdp(mu=2) + gdp(mu=2) + …
                                       ^^
    ");
    assert_snapshot!(complaint("pair(file=\"日本語.csv\") ☃"), @r#"
    error: column 22: the character `☃` has no meaning here; expressions consist of names, numbers, texts in double quotes, and ( ) , = + - * / ?

        pair(file="日本語.csv") ☃
                                ^
    "#);
}
