//! What a message advises works: nobody is sent in a circle.

use crate::run::{Run, run};
use hockeystick::query::Method;

/// Compositions that some method or command refuses.
const REFUSED_SOMEWHERE: [&str; 7] = [
    "zcdp(rho=0.5)",
    "zcdp(rho=0.5) * 3 + gaussian(sigma=1)",
    "poisson(zcdp(rho=0.1), rate=0.1)",
    "laplace(scale=2) + gaussian(sigma=1)",
    "poisson(gaussian(sigma=1) * 3 + laplace(scale=1), rate=0.1)",
    "subset(gaussian_variance(sigma1=1, sigma2=2), rate=0.1)",
    "uniform(width=3) * 2",
];
const CURVES: [&str; 4] = ["profile", "tradeoff", "risk", "losses"];

fn is_refused(run: &Run) -> bool {
    run.code == Some(2)
}

/// No message leaves open what is the matter.
fn is_plain(message: &str) {
    for evasion in ["not supported", "yet", "or not for", "until then"] {
        assert!(!message.contains(evasion), "{evasion:?}: {message}");
    }
}

/// Follows the advice of a refusal, as often as the answer is another one; fails if that does not come to an end.
fn follow(arguments: &[String], trail: &[String]) {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = run(&words);
    let message = found.stderr.trim_end();
    is_plain(message);
    if !is_refused(&found) {
        return;
    }
    let trail = [trail, &[format!("{words:?}: {message}")]].concat();
    // A method, a sampler and a curve may stand in the way, one after the other.
    assert!(trail.len() < 4, "this is a circle:\n{}", trail.join("\n"));
    let mut followed = false;
    let mut try_this = |advised: Vec<String>| {
        followed = true;
        follow(&advised, &trail);
    };
    if message.contains("leave out the method") {
        try_this(without_option(arguments, "--method"));
    }
    if let Some((_, list)) =
        message.split_once("or use ").filter(|_| arguments.iter().any(|a| a == "--method"))
    {
        for method in list.replace(" or ", ", ").split(", ").take_while(|name| name.parse::<Method>().is_ok())
        {
            try_this(with_option(arguments, "--method", method));
        }
    }
    if message.contains("; use rdp-optimal,") {
        try_this(with_option(arguments, "--method", "rdp-optimal"));
    }
    if message.contains("leave out the sampler") {
        try_this(with_expression(arguments, unsampled));
    }
    if message.contains("use poisson(…) with the relation add-remove") {
        let sampled = with_expression(arguments, |text| text.replace("subset(", "poisson("));
        try_this(with_option(&sampled, "--relation", "add-remove"));
    } else if message.contains("use the relation add-remove") {
        try_this(with_option(arguments, "--relation", "add-remove"));
    }
    // On a busy machine a question may take longer than it may.
    if message.contains("raise that limit") {
        try_this(with_option(arguments, "--timeout", "300s"));
    }
    if message.contains("ask for ε at single values of δ") {
        let single = ["epsilon", arguments[1].as_str(), "--delta", "1e-6"].map(str::to_owned);
        try_this(single.to_vec());
    }
    assert!(followed, "nothing to be done is named: {message}");
}

fn without_option(arguments: &[String], option: &str) -> Vec<String> {
    let at = arguments.iter().position(|argument| argument == option);
    let is_kept = |index: usize| at.is_none_or(|at| index != at && index != at + 1);
    arguments.iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, word)| word.clone()).collect()
}

fn with_option(arguments: &[String], option: &str, value: &str) -> Vec<String> {
    let mut changed = without_option(arguments, option);
    changed.extend([option.to_owned(), value.to_owned()]);
    changed
}

fn with_expression(arguments: &[String], change: impl Fn(&str) -> String) -> Vec<String> {
    let mut changed = arguments.to_vec();
    changed[1] = change(&arguments[1]);
    changed
}

/// What is inside of the sampler.
fn unsampled(text: &str) -> String {
    let (_, inside) = text.split_once('(').expect("a sampler");
    inside.rsplit_once(", rate=").expect("a rate").0.to_owned()
}

#[test]
fn advice_about_methods_samplers_and_relations_works() {
    for expression in REFUSED_SOMEWHERE {
        for relation in ["add-remove", "replace"] {
            for method in Method::all() {
                let question = ["epsilon", expression, "--delta", "0.001", "--method", method.name()];
                let all = [&question[..], &["--relation", relation]].concat();
                follow(&all.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), &[]);
            }
        }
    }
}

#[test]
fn advice_about_curves_works() {
    for expression in REFUSED_SOMEWHERE {
        for command in CURVES {
            for method in ["auto", "rdp-optimal", "basic", "contour", "closed-form", "clt"] {
                let all = [command, expression, "--method", method].map(str::to_owned);
                follow(&all, &[]);
            }
        }
    }
}

/// What is too large for a lattice has a bound without one.
#[test]
fn advice_about_large_compositions_works() {
    for (expression, method) in [
        ("gaussian_variance(sigma1=1, sigma2=1.001) * 2000000000", "lattice"),
        ("laplace(scale=1e-300) * 3", "lattice"),
        ("poisson(uniform(width=1e9), rate=1e-3) * 10000000000000", "lattice"),
    ] {
        let question = ["epsilon", expression, "--delta", "0.3", "--method", method];
        assert!(run(&question).stderr.contains("which this composition exceeds"), "{expression}");
        follow(&question.map(str::to_owned), &[]);
    }
}

/// The tolerance that is named is met.
#[test]
fn a_tolerance_that_is_named_is_met() {
    for question in [
        vec![
            "epsilon",
            "poisson(gaussian(sigma=1), rate=0.01) * 100",
            "--delta",
            "1e-6",
            "--tolerance",
            "1e-15",
        ],
        vec!["delta", "gaussian(sigma=1)", "--epsilon", "1", "--tolerance", "1e-300"],
        vec![
            "epsilon",
            "laplace(scale=2) * 20",
            "--delta",
            "1e-3",
            "--method",
            "riemann",
            "--tolerance",
            "1e-9",
        ],
    ] {
        let arguments: Vec<String> = question.iter().map(|&word| word.to_owned()).collect();
        let found = run(&question);
        assert_eq!(found.code, Some(1), "{found:?}");
        let (_, rest) = found.stderr.split_once("a tolerance of ").unwrap_or_else(|| panic!("{found:?}"));
        let named = rest.split_whitespace().next().expect("a number");
        let again = with_option(&arguments, "--tolerance", named);
        let words: Vec<&str> = again.iter().map(String::as_str).collect();
        assert_eq!(run(&words).code, Some(0), "{again:?}");
    }
}

/// Numbers out of range are answered by their own range, whatever their sign.
#[test]
fn numbers_below_0_are_refused_for_what_they_are() {
    for (arguments, part) in [
        (vec!["profile", "gdp(mu=1)", "--to", "-1"], "--to must be a finite number above 0"),
        (vec!["tradeoff", "gdp(mu=1)", "--from", "-1"], "--from must be above 0 and below 1"),
        (vec!["risk", "gdp(mu=1)", "--prior", "-1"], "prior is -1, but must be above 0 and below 1"),
        (vec!["risk", "gdp(mu=1)", "--fpr", "-1"], "fpr is -1, but must be from 0 to 1"),
        (vec!["calibrate", "gdp(mu=?)", "--advantage", "-1"], "above 0 and below 1"),
        (vec!["sweep", "gdp(mu={m})", "--grid", "m=1", "--epsilon", "-1"], "epsilon is -1"),
    ] {
        let found = run(&arguments);
        assert!(is_refused(&found) && found.stderr.contains(part), "{found:?}");
    }
    let training = ["dpsgd", "--examples", "10", "--batch", "1", "--steps", "2"];
    for (more, part) in [(["--noise", "-1"], "sigma is -1"), (["--epsilon", "-1"], "epsilon is -1")] {
        let found = run(&[&training[..], &more].concat());
        assert!(is_refused(&found) && found.stderr.contains(part), "{found:?}");
    }
}
