//! The text form: what is read, and what is said about texts that cannot be read.

use hockeystick::mechanism::{
    ArgumentError, MAX_DEPTH, MAX_NESTING, MAX_TEXT_BYTES, Mechanism, Problem, Template, catalogue,
};

fn parse(text: &str) -> Mechanism {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn canonical_text() {
    let cases = [
        ("gaussian(sigma=1.0)", "gaussian(sigma=1)"),
        ("gaussian ( sensitivity = 1.0 ,\n\tsigma = 1_0e-1 )", "gaussian(sigma=1)"),
        ("gaussian(sensitivity=2, sigma=.5)", "gaussian(sigma=0.5, sensitivity=2)"),
        ("3 * gaussian(sigma=1)", "gaussian(sigma=1) * 3"),
        ("gaussian(sigma=1) * 1e6", "gaussian(sigma=1) * 1000000"),
        ("gaussian(sigma=1) * 1_000_000", "gaussian(sigma=1) * 1000000"),
        ("gaussian(sigma=1) * 2.5e1", "gaussian(sigma=1) * 25"),
        ("((gaussian(sigma=1)))", "gaussian(sigma=1)"),
        ("gdp(mu=1) + (gdp(mu=2) + gdp(mu=3))", "gdp(mu=1) + gdp(mu=2) + gdp(mu=3)"),
        ("2 * (gdp(mu=1) + gdp(mu=2))", "(gdp(mu=1) + gdp(mu=2)) * 2"),
        ("(gdp(mu=1) * 2) * 3", "(gdp(mu=1) * 2) * 3"),
        ("poisson(2 * gdp(mu=1) + gdp(mu=2), rate=1e-5)", "poisson(gdp(mu=1) * 2 + gdp(mu=2), rate=1e-5)"),
        ("poisson((gdp(mu=1)) * 2, rate=1)", "poisson(gdp(mu=1) * 2, rate=1)"),
        ("dp(epsilon=-0, delta=0)", "dp(epsilon=0)"),
        ("binomial(n=1e3, dimension=1, p=0.5)", "binomial(n=1000)"),
        (
            r#"gaussian_mixture(sigma=1, shifts=" 0, 1 ,2", weights="0.9,0.05,5e-2")"#,
            r#"gaussian_mixture(sigma=1, shifts="0,1,2", weights="0.9,0.05,0.05")"#,
        ),
        (r#"pair(file="a\u{62}\"\\\tc.csv")"#, r#"pair(file="ab\"\\\tc.csv")"#),
        ("exponential(m=2, n=3, epsilon_tilde=0.1)", "exponential(epsilon_tilde=0.1, n=3, m=2)"),
    ];
    for (text, canonical) in cases {
        assert_eq!(parse(text).to_string(), canonical);
        assert_eq!(parse(canonical).to_string(), canonical);
    }
}

#[test]
fn every_example_of_the_catalogue_is_canonical() {
    for entry in catalogue() {
        assert_eq!(parse(entry.example).to_string(), entry.example);
        assert!(entry.example.starts_with(entry.name));
    }
}

/// Text, column of the error, message.
const ERRORS: &[(&str, usize, &str)] = &[
    ("", 1, "there is no mechanism here; write for example gaussian(sigma=1)"),
    (" \n ", 1, "there is no mechanism here; write for example gaussian(sigma=1)"),
    // Names.
    (
        "gaussian(sgma=1)",
        10,
        "gaussian has no parameter `sgma` (did you mean sigma?); it takes sigma and sensitivity",
    ),
    ("gaussian(noise=1)", 10, "gaussian has no parameter `noise`; it takes sigma and sensitivity"),
    ("gaussian", 9, "expected (, found the end; a mechanism is written `gaussian(…)`"),
    ("gaussian sigma=1", 10, "expected (, found `sigma`; a mechanism is written `gaussian(…)`"),
    // Parameters.
    ("gaussian()", 1, "gaussian needs sigma; write for example gaussian(sigma=1)"),
    ("gdp(mu=1) + gaussian(sensitivity=2)", 13, "gaussian needs sigma; write for example gaussian(sigma=1)"),
    ("gaussian(sigma=1, sigma=2)", 19, "gaussian: sigma is given twice; keep one"),
    ("gaussian(1.0)", 10, "`1.0` needs a name; write gaussian(sigma=1.0)"),
    ("gaussian(sigma=1, 2)", 19, "`2` needs a name; write sensitivity=2"),
    ("gaussian(?)", 10, "`?` needs a name; write gaussian(sigma=?)"),
    ("pair(\"x.csv\")", 6, "`\"x.csv\"` needs a name; write pair(file=\"x.csv\")"),
    ("poisson(gaussian(sigma=1), 0.01)", 28, "`0.01` needs a name; write rate=0.01"),
    ("gaussian(sigma 1)", 16, "expected = or (, found `1`; a parameter is written `sigma=…`"),
    ("gaussian(sigma==1)", 16, "expected a number, ? or a text, found `=`"),
    ("gaussian(sigma=abc)", 16, "expected a number, ? or a text, found `abc`; a text takes double quotes"),
    ("gaussian(sigma=\"1\")", 16, "gaussian: sigma takes a number, not `\"1\"`"),
    ("gaussian(sigma=1,)", 18, "expected a parameter such as sigma=1, or a mechanism, found `)`"),
    ("gaussian(,sigma=1)", 10, "expected a parameter such as sigma=1, or a mechanism, found `,`"),
    ("gaussian(sigma=1 sensitivity=2)", 18, "expected , or ), found `sensitivity`"),
    ("pair(file=3)", 11, "pair: file takes a text in double quotes, not `3`"),
    ("pair(file=?)", 11, "pair: file takes a text in double quotes, not `?`"),
    (
        "randomized_response(p=0.5, epsilon=1)",
        36,
        "randomized_response: epsilon cannot be given together with p; keep one of them",
    ),
    (
        "randomized_response()",
        1,
        "randomized_response needs p or epsilon; write for example randomized_response(p=0.75)",
    ),
    (
        "exponential(epsilon=1, m=3)",
        26,
        "exponential: m cannot be given together with epsilon; keep one of them",
    ),
    // Values out of range.
    (
        "gaussian(sigma=-1)",
        16,
        "gaussian: sigma is -1, but must be a finite number above 0; give the standard deviation of the noise",
    ),
    (
        "binomial(n=1.5)",
        12,
        "binomial: n is 1.5, but must be a whole number up to 10^15; give the number of coins that are summed",
    ),
    (
        "binomial(n=0)",
        12,
        "binomial: n is 0, but must be a whole number from 1 to 10^15; give the number of coins that are summed",
    ),
    (
        "exponential(epsilon_tilde=0.1, n=3, m=4)",
        39,
        "exponential: m is 4, but must be a whole number from 0 to 3; \
         give the number of records that a counting query counts",
    ),
    (
        "gaussian_mixture(sigma=1, shifts=\"0,x\", weights=\"1,0\")",
        34,
        "gaussian_mixture: shifts is a list with the entry `x`, but must be finite numbers separated by commas; \
         give the distances by which the sum can move",
    ),
    (
        "gaussian_mixture(sigma=1, shifts=1, weights=\"1\")",
        34,
        "gaussian_mixture: shifts takes a list of numbers in double quotes such as \"0,1,2\", not `1`",
    ),
    // Numbers.
    ("gaussian(sigma=nan)", 16, "`nan` is not allowed; every parameter is a finite number"),
    ("gaussian(sigma=-inf)", 16, "`-inf` is not allowed; every parameter is a finite number"),
    ("gaussian(Infinity)", 10, "`Infinity` is not allowed; every parameter is a finite number"),
    ("gaussian(sigma=1e999)", 16, "`1e999` is too large; numbers go up to 1.7976931348623157e308"),
    (
        "gaussian(sigma=1e-999)",
        16,
        "`1e-999` is too close to 0; the smallest number above 0 is 5e-324, and 0 itself is written 0",
    ),
    ("gaussian(sigma=1.0abc)", 16, "`1.0abc` is not a number; write for example 0.5, 1e-5 or 1_000_000"),
    ("gaussian(sigma=-)", 17, "expected a number, found `)`"),
    // Counts.
    (
        "gaussian(sigma=1) * 0",
        21,
        "repeat: count is 0, but must be a whole number from 1 to 10^15; give the number of times the mechanism is run",
    ),
    (
        "2.5 * gaussian(sigma=1)",
        1,
        "repeat: count is 2.5, but must be a whole number from 1 to 10^15; \
         give the number of times the mechanism is run",
    ),
    (
        "gaussian(sigma=1) * 1e16",
        21,
        "repeat: count is 1e16, but must be a whole number from 1 to 10^15; \
         give the number of times the mechanism is run",
    ),
    (
        "gaussian(sigma=1) * 1.00000000000000000001",
        21,
        "repeat: count is 1.00000000000000000001, but must be a whole number from 1 to 10^15; \
         give the number of times the mechanism is run",
    ),
    (
        "gaussian(sigma=1) * gdp(mu=1)",
        21,
        "expected a count, found `gdp`; * repeats a mechanism, and + composes two",
    ),
    (
        "gaussian(sigma=1) * 2 * 3",
        23,
        "expected one * for each term, found `*`; put parentheses around `gaussian(sigma=1) * 2`",
    ),
    (
        "2 * gaussian(sigma=1) * 3",
        23,
        "expected one * for each term, found `*`; put parentheses around `2 * gaussian(sigma=1)`",
    ),
    (
        "3",
        1,
        "expected a mechanism such as gaussian(sigma=1), found `3`; \
         a count is followed by *, as in 3 * gaussian(sigma=1)",
    ),
    ("3 * 4", 5, "expected a mechanism such as gaussian(sigma=1), found `4`"),
    ("\"x\"", 1, "expected a mechanism such as gaussian(sigma=1), found `\"x\"`"),
    // Parentheses and what follows.
    ("gaussian(sigma=1", 9, "this parenthesis is never closed; add a )"),
    ("gaussian(", 9, "this parenthesis is never closed; add a )"),
    ("poisson(gaussian(sigma=1), rate=0.1", 8, "this parenthesis is never closed; add a )"),
    ("gdp(mu=1) + (gdp(mu=1)", 13, "this parenthesis is never closed; add a )"),
    ("gdp(mu=1))", 10, "this parenthesis closes nothing; remove it or add a ( before it"),
    (")", 1, "this parenthesis closes nothing; remove it or add a ( before it"),
    ("()", 2, "expected a mechanism such as gaussian(sigma=1), found `)`"),
    ("gdp(mu=1) gdp(mu=1)", 11, "expected +, * or the end, found `gdp`; mechanisms are composed with +"),
    ("gdp(mu=1) +", 12, "expected a mechanism such as gaussian(sigma=1), found the end"),
    ("+ gdp(mu=1)", 1, "expected a mechanism such as gaussian(sigma=1), found `+`"),
    // Texts and characters.
    (
        "pair(file=\"x.csv)",
        11,
        "this text has no closing \" on its line; add one, and write a newline inside it as \\n",
    ),
    (
        "pair(file=\"C:\\data\")",
        14,
        "`\\d` is no escape; write \\\\ for a backslash, and use \\\", \\n, \\r, \\t or \\u{e9} for others",
    ),
    ("pair(file='x')", 11, "the character `'` has no meaning here; texts take double quotes, \"…\""),
    ("gdp(mu=1) × 3", 11, "the character `×` has no meaning here; write * for repetition"),
    ("pair(file=\"é\") × 3", 16, "the character `×` has no meaning here; write * for repetition"),
    ("gdp(mu:1)", 7, "the character `:` has no meaning here; write = between a name and its value"),
    (
        "\u{0}",
        1,
        "the character `\\u{0}` has no meaning here; \
         expressions consist of names, numbers, texts in double quotes, and ( ) , = + - * / ?",
    ),
    // Samplers.
    (
        "gaussian(laplace(scale=1), sigma=1)",
        10,
        "gaussian takes no mechanism; only poisson, subset, allocation and shuffle do, and + composes two mechanisms",
    ),
    (
        "poisson(gdp(mu=1), gdp(mu=2), rate=0.1)",
        20,
        "poisson takes one mechanism; compose several with +, as in poisson(A + B, rate=0.01)",
    ),
    (
        "subset(rate=0.1, gdp(mu=1))",
        18,
        "the mechanism comes first and has no name, as in subset(gaussian(sigma=1), rate=0.01)",
    ),
    (
        "poisson(mechanism=gdp(mu=1), rate=0.1)",
        19,
        "expected a number, ? or a text, found `gdp`; \
         a mechanism comes first and has no name, as in poisson(gaussian(sigma=1), rate=0.01)",
    ),
    (
        "poisson(mechanism=3, rate=0.1)",
        9,
        "the mechanism comes first and has no name, as in poisson(gaussian(sigma=1), rate=0.01)",
    ),
    (
        "poisson(rate=0.1)",
        1,
        "poisson needs a mechanism; write for example poisson(gaussian(sigma=1), rate=0.01)",
    ),
    ("poisson(gdp(mu=1))", 1, "poisson needs rate; write for example poisson(gaussian(sigma=1), rate=0.01)"),
    (
        "poisson(gdp(mu=1), rate=1.5)",
        25,
        "poisson: rate is 1.5, but must be above 0 and at most 1; \
         give the probability that a record is in the sample: expected batch size / records",
    ),
    // Holes.
    ("gaussian(sigma=?)", 16, "? stands for a number to be found by calibration; write a number here"),
    ("gaussian(sigma=1) * ?", 21, "? stands for a number to be found by calibration; write a number here"),
];

#[test]
fn errors_name_column_fault_and_cure() {
    for (text, column, message) in ERRORS {
        let error = text.parse::<Mechanism>().expect_err(text);
        assert_eq!(error.to_string(), format!("column {column}: {message}"), "{text}");
    }
}

#[test]
fn an_unknown_mechanism_is_met_with_a_suggestion_and_the_list() {
    let error = "gdp(mu=1) + gausian(sigma=1)".parse::<Mechanism>().unwrap_err();
    assert_eq!((error.column(), error.span()), (13, 12..19));
    let message = error.to_string();
    let start =
        "column 13: there is no mechanism `gausian` (did you mean gaussian?); the mechanisms are gaussian, ";
    assert!(message.starts_with(start), "{message}");
    for entry in catalogue() {
        assert!(message.contains(entry.name), "{}", entry.name);
    }
    let Problem::UnknownMechanism(unknown) = error.problem() else { panic!("{error:?}") };
    assert_eq!(unknown.suggestion, Some("gaussian"));
}

#[test]
fn lines_are_counted() {
    let error = "gdp(mu=1) +\n  gaussian(sigma=0)".parse::<Mechanism>().unwrap_err();
    assert_eq!((error.line(), error.column(), error.span()), (2, 18, 29..30));
    assert!(error.to_string().starts_with("line 2, column 18: gaussian: sigma is 0"));
    let Problem::Argument(ArgumentError::Invalid(invalid)) = error.problem() else { panic!("{error:?}") };
    assert_eq!((invalid.mechanism, invalid.parameter), ("gaussian", "sigma"));
}

#[test]
fn parentheses_nest_to_the_limit_and_no_further() {
    let nested = |depth: usize| format!("{}gdp(mu=1){}", "(".repeat(depth), ")".repeat(depth));
    parse(&nested(MAX_NESTING - 1));
    let error = nested(MAX_NESTING).parse::<Mechanism>().unwrap_err();
    assert_eq!((error.problem(), error.column()), (&Problem::TooDeep, MAX_NESTING + 4));
    let error = "(".repeat(400_000).parse::<Mechanism>().unwrap_err();
    assert_eq!((error.problem(), error.column()), (&Problem::TooDeep, MAX_NESTING + 1));
    let error = "poisson(".repeat(60_000).parse::<Mechanism>().unwrap_err();
    assert_eq!(error.problem(), &Problem::TooDeep);
}

#[test]
fn mechanisms_nest_to_the_limit_and_no_further() {
    let sampled = |levels: usize| {
        let inner = levels - 1;
        format!("{}gdp(mu=1){}", "poisson(".repeat(inner), ", rate=0.5)".repeat(inner))
    };
    parse(&sampled(MAX_DEPTH));
    let error = sampled(MAX_DEPTH + 1).parse::<Mechanism>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 1: mechanism: nesting is more than 60 levels, but must be at most 60; \
         merge repetitions of repetitions and samples of samples"
    );
}

#[test]
fn long_texts_are_read_up_to_the_limit() {
    let term = "gdp(mu=1)+";
    let terms = MAX_TEXT_BYTES / term.len();
    let mut text = term.repeat(terms);
    text.pop();
    assert_eq!(parse(&text).parts().len(), terms);
    let padded = |bytes: usize| format!("gdp(mu=1){}", " ".repeat(bytes - 9));
    parse(&padded(MAX_TEXT_BYTES));
    let error = padded(MAX_TEXT_BYTES + 1).parse::<Mechanism>().unwrap_err();
    assert_eq!(error.problem(), &Problem::TooLong { bytes: MAX_TEXT_BYTES + 1 });
    assert_eq!(error.column(), MAX_TEXT_BYTES + 1);
}

#[test]
fn long_words_are_cut_short_in_messages() {
    for text in ["a".repeat(100_000), "1".repeat(300), format!("gdp({}=1)", "b".repeat(100_000))] {
        let message = text.parse::<Mechanism>().unwrap_err().to_string();
        assert!(message.len() < 500, "{} bytes", message.len());
    }
}

#[test]
fn a_template_has_one_hole() {
    let cases = [
        ("gaussian(sigma=?) + gdp(mu=1)", "gaussian", "sigma", false, "gaussian(sigma=4) + gdp(mu=1)"),
        ("gdp(mu=1) * ?", "repeat", "count", true, "gdp(mu=1) * 4"),
        ("poisson(? * gdp(mu=1), rate=0.5)", "repeat", "count", true, "poisson(gdp(mu=1) * 4, rate=0.5)"),
        ("binomial(n=?)", "binomial", "n", true, "binomial(n=4)"),
    ];
    for (text, mechanism, parameter, whole, filled) in cases {
        let template = Template::parse(text).unwrap();
        let hole = template.hole();
        assert_eq!((hole.mechanism, hole.parameter, hole.whole), (mechanism, parameter, whole));
        assert_eq!(template.fill(4.0).unwrap().to_string(), filled);
    }
}

#[test]
fn templates_are_checked_apart_from_their_hole() {
    let message = |text: &str| Template::parse(text).unwrap_err().to_string();
    assert!(message("gaussian(sigma=1)").starts_with("column 1: there is no ? to be found"));
    assert!(message("gaussian(sigma=?) * ?").starts_with("column 21: this is a second ?"));
    assert!(message("gaussian(sigma=?) + gdp(mu=-1)").starts_with("column 28: gdp: mu is -1"));
    assert!(message("gaussian(sensitivity=?)").starts_with("column 1: gaussian needs sigma"));
    assert!(message("gaussian(sigma=?, sigma=1)").starts_with("column 19: gaussian: sigma is given twice"));
}

#[test]
fn a_value_that_does_not_fit_the_hole_is_refused_at_the_hole() {
    let sigma = Template::parse("gaussian(sigma=?)").unwrap();
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(sigma.fill(value).unwrap_err().span(), 15..16, "{value}");
    }
    let count = Template::parse("gdp(mu=1) * ?").unwrap();
    for value in [0.0, 0.5, 1e16, -1.0, f64::NAN] {
        let error = count.fill(value).unwrap_err();
        assert_eq!(error.span(), 12..13, "{value}");
        assert!(error.to_string().contains("from 1 to 10^15"), "{error}");
    }
}
