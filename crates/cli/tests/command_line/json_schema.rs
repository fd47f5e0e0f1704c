//! What every command prints as JSON is what `docs/json/schema.json` says, and the schema says nothing else.

use crate::run::run;
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

/// A part of a schema, with the whole it refers to.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'a> {
    pub(crate) whole: &'a Value,
    pub(crate) part: &'a Value,
}

/// Says nothing about values.
const COMMENTS: [&str; 5] = ["$schema", "$defs", "title", "description", "$ref"];

impl<'a> Schema<'a> {
    pub(crate) fn at(self, part: &'a Value) -> Self {
        Self { part, ..self }
    }

    /// What is wrong with a value. `seen` collects the keys that occur.
    pub(crate) fn complaint(self, value: &Value, path: &str, seen: &mut BTreeSet<String>) -> Option<String> {
        let wrong = |what: String| Some(format!("{path}: {what}: {value}"));
        if let Some(name) = self.part["$ref"].as_str() {
            let name = name.strip_prefix("#/$defs/").expect("a definition");
            let target = &self.whole["$defs"][name];
            assert!(target.is_object(), "there is no definition {name}");
            // A definition is the same wherever it is used.
            return self.at(target).complaint(value, name, seen);
        }
        for (keyword, wanted) in self.part.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "const" if value != wanted => return wrong(format!("is not {wanted}")),
                "enum" if !wanted.as_array().expect("a list").contains(value) => {
                    return wrong(format!("is none of {wanted}"));
                }
                "type" if !types(wanted).iter().any(|kind| is_of_type(value, kind)) => {
                    return wrong(format!("is no {wanted}"));
                }
                "minimum" if value.as_f64() < wanted.as_f64() => return wrong(format!("is below {wanted}")),
                "minItems" | "maxItems"
                    if value.as_array().map(Vec::len) != wanted.as_u64().map(|n| n as usize) =>
                {
                    return wrong(format!("does not have {wanted} items"));
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        if let Some(complaint) = self.at(wanted).complaint(item, &format!("{path}[]"), seen) {
                            return Some(complaint);
                        }
                    }
                }
                "required" => {
                    let names = wanted.as_array().expect("a list").iter().filter_map(Value::as_str);
                    if let Some(missing) = names.clone().find(|name| value.get(name).is_none()) {
                        return wrong(format!("has no {missing}"));
                    }
                }
                "additionalProperties" => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        if self.part["properties"].get(name).is_some() {
                            continue;
                        }
                        if !wanted.is_object() {
                            return wrong(format!("has a key {name}"));
                        }
                        if let Some(complaint) = self.at(wanted).complaint(inner, &format!("{path}.*"), seen)
                        {
                            return Some(complaint);
                        }
                    }
                }
                "properties" => {
                    for (name, part) in wanted.as_object().expect("an object") {
                        let inner_path = format!("{path}.{name}");
                        let Some(inner) = value.get(name) else { continue };
                        if let Some(complaint) = self.at(part).complaint(inner, &inner_path, seen) {
                            return Some(complaint);
                        }
                        seen.insert(inner_path);
                    }
                }
                "oneOf" | "anyOf" => {
                    let parts = wanted.as_array().expect("a list");
                    let complaints: Vec<Option<String>> =
                        parts.iter().map(|part| self.at(part).complaint(value, path, seen)).collect();
                    let fitting = complaints.iter().filter(|complaint| complaint.is_none()).count();
                    if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                        return wrong(format!("fits {fitting} of {}: {complaints:?}", parts.len()));
                    }
                }
                "const" | "enum" | "type" | "minimum" | "minItems" | "maxItems" => {}
                comment => assert!(COMMENTS.contains(&comment), "{path}: a schema with {comment}"),
            }
        }
        None
    }

    /// All keys that values may have, as `complaint` names them.
    pub(crate) fn keys(self, path: &str, found: &mut BTreeSet<String>) {
        for (keyword, part) in self.part.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "properties" => {
                    for (name, part) in part.as_object().expect("an object") {
                        let inner = format!("{path}.{name}");
                        self.at(part).keys(&inner, found);
                        found.insert(inner);
                    }
                }
                "items" => self.at(part).keys(&format!("{path}[]"), found),
                "oneOf" | "anyOf" => {
                    part.as_array().expect("a list").iter().for_each(|part| self.at(part).keys(path, found));
                }
                "$defs" => {
                    for (name, part) in part.as_object().expect("an object") {
                        self.at(part).keys(name, found);
                    }
                }
                _ => {}
            }
        }
    }
}

fn types(wanted: &Value) -> Vec<&str> {
    match wanted {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    }
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

/// Questions of every command, with answers of every kind: certain, one-sided, estimated, infinite, impossible, refused.
const QUESTIONS: [&[&str]; 42] = [
    &["epsilon", "gaussian(sigma=2)", "--delta", "1e-6", "--at-most", "1", "--statement"],
    &["epsilon", "laplace(scale=2)", "--delta", "0", "--at-most", "1"],
    &["delta", "gaussian(sigma=2)", "--epsilon", "1", "--statement", "--unit", "one patient"],
    &["epsilon", "gaussian(sigma=2)", "--delta", "1e-6", "--relation", "replace"],
    &["epsilon", "gaussian(sigma=2)", "--delta", "1e-6", "--method", "rdp"],
    &["epsilon", "gaussian(sigma=2)", "--delta", "1e-6", "--method", "clt"],
    &["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7"],
    &["epsilon", "gaussian(sigma=2)", "--delta", "1e-6", "--tolerance", "1e-300"],
    &["delta", "gaussian(sigma=2)", "--epsilon", "1", "--relation", "replace"],
    &["delta", "laplace(scale=1)", "--epsilon", "1", "--method", "rdp"],
    &["delta", "gaussian(sigma=2)", "--epsilon", "1", "--tolerance", "1e-300"],
    &["dpsgd", "--examples", "100", "--batch", "10", "--steps", "2", "--noise", "1", "--statement"],
    &["dpsgd", "--examples", "100", "--batch", "10", "--steps", "2", "--epsilon", "1", "--delta", "0.01"],
    &["dpsgd", "--examples", "100", "--batch", "10", "--steps", "2", "--noise", "1", "--tolerance", "1e-300"],
    &["calibrate", "gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-6", "--relation", "replace"],
    &["calibrate", "gaussian(sigma=?)", "--advantage", "0.1"],
    &["calibrate", "gaussian(sigma=?)", "--tpr", "0.1", "--fpr", "0.01"],
    &["calibrate", "dp(epsilon=2) + gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-9"],
    &["profile", "gaussian(sigma=2)", "--points", "3", "--relation", "replace"],
    &["tradeoff", "gaussian(sigma=2)", "--points", "3", "--relation", "replace"],
    &["losses", "gaussian(sigma=2)", "--points", "3", "--relation", "replace"],
    &["risk", "gaussian(sigma=2)", "--relation", "replace"],
    &["audit", "--scores", "examples/scores.csv", "--relation", "remove"],
    &["audit", "--guesses", "90", "--correct", "80", "--canaries", "100", "--delta", "1e-6"],
    &[
        "audit",
        "--true-positives",
        "90",
        "--positives",
        "100",
        "--false-positives",
        "3",
        "--negatives",
        "100",
        "--claim",
        "gaussian(sigma=4)",
        "--delta",
        "1e-5",
    ],
    &["audit", "--plan", "0.5", "--claim", "gaussian(sigma=2)", "--delta", "1e-5"],
    &["audit", "--plan", "50", "--claim", "gaussian(sigma=2)", "--delta", "1e-5"],
    &["compare", "gaussian(sigma=2) * 3", "--delta", "1e-6"],
    &["compare", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7"],
    &["compare", "randomized_response(p=0.6) * 3", "--epsilon", "0.5"],
    &["explain", "gaussian(sigma=2)", "--delta", "1e-6", "--relation", "replace", "--tolerance", "1e-300"],
    &["explain", "poisson(laplace(scale=2), rate=0.1) * 7", "--epsilon", "0.5", "--method", "riemann"],
    &["run", "examples/federated.toml"],
    &["run", "examples/query_log.json"],
    &["run", "examples/federated.toml", "--tolerance", "1e-300"],
    &["run", "WORKLOAD"],
    &["sweep", "dp(epsilon={e})", "--grid", "e=-1,1", "--delta", "1e-6"],
    &["sweep", "dp(epsilon=1, delta=0.5) * {k}", "--grid", "k=1,2", "--delta", "0.1"],
    &["sweep", "gaussian(sigma={s})", "--grid", "s=1,2", "--epsilon", "1", "--methods", "auto,rdp,clt"],
    &["sweep", "gaussian(sigma={noise}) * {steps}", "--rows", "examples/runs.csv"],
    &["mechanisms"],
    &["mechanisms", "gaussian"],
];

/// Targets of every kind, one of which cannot be reached and one of which is not proven.
const WORKLOAD: &str = r#"
title = "Every kind of target"
[[groups]]
name = "one"
mechanism = "dp(epsilon=1, delta=1e-3)"
[[groups]]
name = "two"
training = { examples = 100, batch = 10, steps = 2, noise = 1.5 }
[[targets]]
name = "ε"
delta = 0.1
[[targets]]
epsilon = 0.5
[[targets]]
advantage = 0.9
[[targets]]
fpr = 0.01
tpr = 0.9
[[targets]]
delta = 1e-6
epsilon = 3
groups = ["one"]
"#;

fn schema() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json/schema.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// What is printed for each question, once for all tests.
static PRINTED: LazyLock<Vec<(Vec<String>, Value)>> = LazyLock::new(printed);

fn printed() -> Vec<(Vec<String>, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = std::env::temp_dir().join(format!("hockeystick-schema-{}.toml", std::process::id()));
    fs::write(&file, WORKLOAD).unwrap();
    let resolved = |argument: &&str| match *argument {
        "WORKLOAD" => file.display().to_string(),
        path if path.starts_with("examples/") => root.join(path).display().to_string(),
        other => other.to_owned(),
    };
    let answers = QUESTIONS.iter().map(|question| {
        let arguments: Vec<String> = question.iter().map(resolved).collect();
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        all.extend(["--format", "json"]);
        let stdout = run(&all).stdout;
        assert_eq!(stdout.lines().count(), 1, "{all:?}: {stdout}");
        (arguments, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{stdout}: {error}")))
    });
    let answers = answers.collect();
    fs::remove_file(&file).unwrap();
    answers
}

#[test]
fn every_command_prints_what_the_schema_says_and_the_schema_nothing_else() {
    let whole = schema();
    let schema = Schema { whole: &whole, part: &whole };
    let (mut seen, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for (question, document) in PRINTED.iter() {
        // Only the definition of its own query, so that a complaint is to the point.
        let name = document["query"].as_str().unwrap_or_default();
        let own = schema.at(&whole["$defs"][name]);
        let complaint = own.complaint(document, name, &mut seen);
        assert!(complaint.is_none(), "{question:?}: {}", complaint.unwrap_or_default());
        assert!(schema.complaint(document, "", &mut BTreeSet::new()).is_none(), "{question:?}");
        assert_eq!(document["hockeystick_version"], env!("CARGO_PKG_VERSION"));
    }
    schema.keys("", &mut keys);
    let unseen: Vec<&String> = keys.difference(&seen).collect();
    assert!(unseen.is_empty(), "no answer has these keys: {unseen:?}");
}

/// `null` is a missing lower end, or a verdict that is not proven, and nothing else.
#[test]
fn nothing_else_is_null() {
    fn nulls(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Null => found.push(path.to_owned()),
            Value::Array(list) => list.iter().for_each(|inner| nulls(inner, path, found)),
            Value::Object(map) => {
                map.iter().for_each(|(key, inner)| nulls(inner, key, found));
                if map.get("lower").is_some_and(Value::is_null) {
                    assert_ne!(map["guarantee"], "certified", "{value}");
                }
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    for (question, document) in PRINTED.iter() {
        let mut found = vec![];
        nulls(document, "", &mut found);
        assert!(found.iter().all(|key| key == "lower" || key == "met"), "{question:?}: null at {found:?}");
    }
}

/// An ε that no finite number reaches is infinite in every format, and never a number that something might compare.
#[test]
fn infinity_is_the_same_in_every_format() {
    let asked = ["epsilon", "dp(epsilon=1, delta=1e-6)", "--delta", "1e-7", "--format"];
    let with = |format: &str| run(&[&asked[..], &[format]].concat()).stdout;
    let json: Value = serde_json::from_str(&with("json")).unwrap();
    assert_eq!((&json["lower"], &json["upper"]), (&Value::from("inf"), &Value::from("inf")));
    let csv = with("csv");
    let (header, row) = csv.split_once('\n').unwrap();
    let row = row.replace("\"dp(epsilon=1, delta=1e-6)\"", "expression");
    let cell = |name: &str| {
        let column = header.split(',').position(|column| column == name).unwrap();
        row.split(',').nth(column).unwrap().to_owned()
    };
    assert_eq!([cell("lower"), cell("upper")], ["inf", "inf"]);
    assert!(with("text").starts_with("ε = ∞\n") && with("markdown").starts_with("**ε = ∞**"));
    let rows = run(&["sweep", "dp(epsilon=1, delta=0.5)", "--grid", "delta=0.1", "--format", "json"]).stdout;
    assert!(rows.contains(r#""lower":"inf","upper":"inf""#), "{rows}");
}
