//! The JSON form, and what is said about JSON that is no mechanism.

use hockeystick::mechanism::{Gaussian, MAX_DEPTH, Mechanism};

#[test]
fn text_and_json_are_the_same_mechanism() {
    let cases = [
        ("gaussian(sigma=1)", r#"{"gaussian":{"sigma":1.0}}"#),
        ("gaussian(sigma=1, sensitivity=2)", r#"{"gaussian":{"sigma":1.0,"sensitivity":2.0}}"#),
        ("binomial(n=1000, sensitivity=2)", r#"{"binomial":{"n":1000,"sensitivity":2}}"#),
        ("poisson(gdp(mu=1), rate=0.01)", r#"{"poisson":{"mechanism":{"gdp":{"mu":1.0}},"rate":0.01}}"#),
        ("gdp(mu=1) * 1000", r#"{"repeat":{"mechanism":{"gdp":{"mu":1.0}},"count":1000}}"#),
        ("gdp(mu=1) + zcdp(rho=2)", r#"{"compose":[{"gdp":{"mu":1.0}},{"zcdp":{"rho":2.0}}]}"#),
        (
            r#"gaussian_mixture(sigma=1, shifts="0,1", weights="0.75,0.25")"#,
            r#"{"gaussian_mixture":{"sigma":1.0,"shifts":[0.0,1.0],"weights":[0.75,0.25]}}"#,
        ),
        (r#"pair(file="p\"q.csv")"#, r#"{"pair":{"file":"p\"q.csv"}}"#),
    ];
    for (text, json) in cases {
        let mechanism: Mechanism = text.parse().unwrap();
        assert_eq!(serde_json::to_string(&mechanism).unwrap(), json);
        assert_eq!(serde_json::from_str::<Mechanism>(json).unwrap(), mechanism);
    }
}

#[test]
fn defaults_whole_numbers_and_order_are_read_freely() {
    let cases = [
        (r#"{"gaussian":{"sensitivity":1,"sigma":1}}"#, "gaussian(sigma=1)"),
        (r#"{"repeat":{"count":1e3,"mechanism":{"gdp":{"mu":1}}}}"#, "gdp(mu=1) * 1000"),
        (r#"{"compose":[{"gdp":{"mu":1}}]}"#, "gdp(mu=1)"),
        (
            r#"{"compose":[{"compose":[{"gdp":{"mu":1}},{"gdp":{"mu":2}}]},{"gdp":{"mu":3}}]}"#,
            "gdp(mu=1) + gdp(mu=2) + gdp(mu=3)",
        ),
    ];
    for (json, text) in cases {
        assert_eq!(serde_json::from_str::<Mechanism>(json).unwrap().to_string(), text);
    }
}

#[test]
fn errors_name_fault_and_cure() {
    let cases = [
        ("{}", "a mechanism is not empty"),
        ("3", r#"expected a mechanism such as {"gaussian":{"sigma":1.0}}"#),
        (r#"{"gausian":{}}"#, "there is no mechanism `gausian` (did you mean gaussian?)"),
        (r#"{"gaussian":{}}"#, "gaussian needs sigma"),
        (r#"{"gaussian":3}"#, "expected an object with the parameters of gaussian"),
        (r#"{"gaussian":{"sgma":1}}"#, "gaussian has no parameter `sgma` (did you mean sigma?)"),
        (r#"{"gaussian":{"sigma":1,"sigma":1}}"#, "gaussian: sigma is given twice"),
        (
            r#"{"gaussian":{"sigma":"1"}}"#,
            r#"invalid type: string "1", expected a number as sigma of gaussian"#,
        ),
        (r#"{"gaussian":{"sigma":null}}"#, "invalid type: null, expected a number as sigma of gaussian"),
        (r#"{"gaussian":{"sigma":-1}}"#, "gaussian: sigma is -1, but must be a finite number above 0"),
        (r#"{"gaussian":{"sigma":1e-999}}"#, "gaussian: sigma is 0, but must be"),
        (r#"{"binomial":{"n":1.5}}"#, "binomial: n is 1.5, but must be a whole number up to 10^15"),
        (r#"{"binomial":{"n":-1}}"#, "binomial: n is -1, but must be a whole number up to 10^15"),
        (r#"{"binomial":{"n":18446744073709551615}}"#, "must be a whole number from 1 to 10^15"),
        (r#"{"pair":{"file":3}}"#, "expected a text in double quotes as file of pair"),
        (r#"{"gdp":{"mu":1},"zcdp":{"rho":1}}"#, "a mechanism has one name, but `gdp` is followed by `zcdp`"),
        (r#"{"compose":[]}"#, "compose: the array is empty"),
        (r#"{"repeat":{"mechanism":{"gdp":{"mu":1}},"count":0}}"#, "repeat: count is 0, but must be"),
        (r#"{"repeat":{"mechanism":{"gdp":{"mu":1}}}}"#, "repeat needs count"),
        (r#"{"repeat":{"count":3}}"#, "repeat needs a mechanism"),
        (r#"{"poisson":{"rate":0.1}}"#, "poisson needs a mechanism"),
        (r#"{"poisson":{"mechanism":{"gdp":{"mu":1}},"rate":2}}"#, "poisson: rate is 2"),
        (r#"{"randomized_response":{"p":0.5,"epsilon":1}}"#, "epsilon cannot be given together with p"),
    ];
    for (json, message) in cases {
        let error = serde_json::from_str::<Mechanism>(json).expect_err(json).to_string();
        assert!(error.contains(message), "{json}: {error}");
    }
}

#[test]
fn a_count_that_cannot_be_read_is_not_written() {
    assert!(serde_json::to_string(&(Gaussian::new(1.0).unwrap() * 0)).is_err());
}

fn nested(levels: usize) -> String {
    let inner = levels - 1;
    let open = r#"{"repeat":{"count":2,"mechanism":"#;
    let leaf = r#"{"gaussian_mixture":{"sigma":1,"shifts":[1],"weights":[1]}}"#;
    format!("{}{leaf}{}", open.repeat(inner), "}}".repeat(inner))
}

#[test]
fn depth_is_limited_as_in_text() {
    let deepest: Mechanism = serde_json::from_str(&nested(MAX_DEPTH)).unwrap();
    assert_eq!(deepest.to_string().parse(), Ok(deepest));
    let error = serde_json::from_str::<Mechanism>(&nested(MAX_DEPTH + 1)).unwrap_err().to_string();
    assert!(error.contains("nesting is more than 60 levels"), "{error}");
    assert!(serde_json::from_str::<Mechanism>(&nested(100_000)).is_err());
    assert!(serde_json::from_str::<Mechanism>(&r#"{"compose":["#.repeat(100_000)).is_err());
}
