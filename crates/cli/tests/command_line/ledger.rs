//! `hockeystick ledger`: exit codes, what is written, and the JSON form, which `docs/json/ledger.schema.json` describes.

use crate::{
    cluster::Cluster,
    json_schema::Schema,
    run::{Run, run, run_with_input},
};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

/// A ledger in a folder of its own.
struct Books {
    folder: tempfile::TempDir,
}

impl Books {
    fn new() -> Self {
        let books = Self { folder: tempfile::tempdir().unwrap() };
        books.ledger(&["init"]).answered();
        books
    }

    fn store(&self) -> String {
        self.folder.path().join("books.db").display().to_string()
    }

    fn ledger(&self, arguments: &[&str]) -> Run {
        run(&[&["ledger"], arguments, &["--store", &self.store()]].concat())
    }

    /// Of a run that writes one JSON object.
    fn json(&self, arguments: &[&str]) -> Value {
        let run = self.ledger(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{run:?}: {error}"))
    }

    fn spent(&self, name: &str) -> f64 {
        self.json(&["status", name])["budgets"][0]["spent"]["upper"].as_f64().unwrap()
    }
}

#[test]
fn exit_codes_say_charged_refused_or_bad_input() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--epsilon", "1", "--delta", "0"]).answered();
    let spend = |text: &str, reference: &str| books.ledger(&["spend", "a", text, "--reference", reference]);
    assert_eq!(spend("dp(epsilon=0.5)", "1").code, Some(0));
    assert_eq!(spend("dp(epsilon=0.5)", "1").code, Some(0));
    let refused = spend("dp(epsilon=0.75)", "2");
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("a allows ε = 1 at δ = 0") && refused.stderr.contains("left is ε = 0.5"),
        "{refused:?}"
    );
    assert_eq!(spend("dp(epsilon=0.25)", "1").code, Some(1));
    for (text, complaint) in [("dp(epsilon=", "^"), ("pair(file=\"p.csv\")", "names a file")] {
        let bad = spend(text, "3");
        assert!(bad.code == Some(2) && bad.stderr.contains(complaint) && bad.stdout.is_empty(), "{bad:?}");
    }
    assert_eq!(books.ledger(&["spend", "b", "dp(epsilon=0.5)", "--reference", "4"]).code, Some(2));
    assert_eq!(books.ledger(&["budget", "a", "--epsilon", "2", "--delta", "0"]).code, Some(2));
    assert_eq!(books.spent("a"), 0.5);
    assert_eq!(books.ledger(&["verify"]).code, Some(0));
}

#[test]
fn a_store_must_be_named_and_be_a_ledger() {
    let nowhere = run(&["ledger", "status"]);
    assert!(nowhere.code == Some(2) && nowhere.stderr.contains("HOCKEYSTICK_STORE"), "{nowhere:?}");
    let missing = run(&["ledger", "status", "--store", "/nowhere/books.db"]);
    assert!(missing.code == Some(2) && missing.stderr.contains("there is no such file"), "{missing:?}");
    let elsewhere = run(&["ledger", "status", "--store", "postgres://me:secret@127.0.0.1:1/x"]);
    assert!(
        elsewhere.code == Some(2)
            && elsewhere.stderr.contains("there is no connection")
            && !elsewhere.stderr.contains("secret"),
        "{elsewhere:?}"
    );
    let books = Books::new();
    let named = crate::run::binary()
        .args(["ledger", "status"])
        .env("HOCKEYSTICK_STORE", books.store())
        .output()
        .unwrap();
    assert_eq!(named.status.code(), Some(0));
}

#[test]
fn a_dry_run_changes_nothing() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--mu", "1"]).answered();
    let dry = ["spend", "a", "gaussian(sigma=4) * 10", "--reference", "1", "--dry-run"];
    assert!(books.ledger(&dry).answered().starts_with("would be charged\n"));
    let refused = books.json(&["spend", "a", "gaussian(sigma=4) * 20", "--reference", "1", "--dry-run"]);
    assert_eq!((&refused["outcome"], &refused["fits"]), (&Value::from("refused"), &Value::from(16)));
    assert_eq!(books.spent("a"), 0.0);
}

#[test]
fn a_history_is_exported_and_imported() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--epsilon", "1", "--delta", "1e-6", "--scope", "team=maps"]).answered();
    books
        .ledger(&["reserve", "a", "gaussian(sigma=20) * 3", "--reference", "r", "--expires", "1h"])
        .answered();
    books.ledger(&["commit", "r", "gaussian(sigma=20)"]).answered();
    let history = books.ledger(&["history", "a", "--format", "json"]).answered();
    let kinds: Vec<Value> =
        history.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["kind"].clone()).collect();
    assert_eq!(kinds, ["budget", "reserve", "commit"]);
    let exported = books.ledger(&["export"]).answered();
    let copy = Books::new();
    let arguments = ["ledger", "import", "-", "--store", &copy.store()];
    assert!(run_with_input(&arguments, exported.as_bytes()).answered().contains("3 entries"));
    assert_eq!(copy.ledger(&["export"]).answered(), exported);
    let csv = copy.ledger(&["history", "--format", "csv"]).answered();
    assert!(csv.starts_with("sequence,time,kind,budget,reference,expression\n1,"), "{csv}");
    let backup = books.folder.path().join("backup.db").display().to_string();
    books.ledger(&["backup", &backup]).answered();
    assert!(run(&["ledger", "verify", "--store", &backup]).answered().starts_with("the ledger is clean\n"));
}

#[test]
fn a_workload_is_charged_as_a_whole() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--epsilon", "1", "--delta", "0"]).answered();
    let file = books.folder.path().join("workload.toml");
    let path = file.display().to_string();
    let groups = "[[groups]]\nname = \"x\"\nmechanism = \"dp(epsilon=0.125)\"\ncount = 3\n";
    fs::write(&file, format!("relation = \"replace\"\n{groups}")).unwrap();
    let other = books.ledger(&["spend", "a", "--file", &path, "--reference", "1"]);
    assert!(
        other.code == Some(2) && other.stderr.contains("about replace and a about add-remove"),
        "{other:?}"
    );
    fs::write(&file, groups).unwrap();
    books.ledger(&["spend", "a", "--file", &path, "--reference", "1"]).answered();
    books.ledger(&["reserve", "a", "--file", &path, "--reference", "2", "--expires", "1h"]).answered();
    let standing = &books.json(&["status", "a"])["budgets"][0];
    assert_eq!(
        (standing["spent"]["upper"].as_f64(), standing["with_reserved"].as_f64()),
        (Some(0.375), Some(0.75))
    );
    assert_eq!(books.ledger(&["spend", "a", "--reference", "3"]).code, Some(2));
}

#[test]
fn a_ledger_is_kept_in_postgresql() {
    let cluster = Cluster::start();
    let store = format!("{}?options=-csearch_path%3Dpublic", cluster.url);
    let ledger = |arguments: &[&str]| run(&[&["ledger"], arguments, &["--store", &store]].concat());
    assert!(ledger(&["status"]).stderr.contains("there is no ledger"));
    assert!(ledger(&["init"]).answered().starts_with("the ledger is in postgres://tester@"));
    ledger(&["budget", "a", "--epsilon", "1", "--delta", "1e-6"]).answered();
    let spend = ["spend", "a", "gaussian(sigma=20) * 10", "--reference", "1"];
    assert!(ledger(&spend).answered().starts_with("charged, as entry 2\n"));
    assert!(ledger(&spend).answered().starts_with("charged before, as entry 2\n"));
    assert_eq!(ledger(&["spend", "a", "gaussian(sigma=1)", "--reference", "2"]).code, Some(1));
    assert!(ledger(&["verify"]).answered().starts_with("the ledger is clean\n"));
}

#[test]
fn a_budget_is_explained_drawn_and_stated() {
    let books = Books::new();
    books
        .ledger(&[
            "budget",
            "a",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
            "--unit",
            "one person",
            "--renews",
            "year",
        ])
        .answered();
    books.ledger(&["budget", "plan", "--rho", "1"]).answered();
    let picture = books.folder.path().join("a.svg").display().to_string();
    let early = books.ledger(&["status", "a", "--plot", &picture]);
    assert!(early.code == Some(2) && early.stderr.contains("nothing was charged"), "{early:?}");
    books.ledger(&["spend", "a", "gaussian(sigma=20) * 3", "--reference", "1"]).answered();
    books.ledger(&["reserve", "a", "laplace(scale=99)", "--reference", "2", "--expires", "1h"]).answered();
    let explained = books.ledger(&["explain", "a"]).answered();
    for words in ["a is held by the Gaussian filter", "share of δ", "the Rényi filter of order", "if planned"]
    {
        assert!(explained.contains(words), "{words}: {explained}");
    }
    assert!(books.ledger(&["explain", "plan"]).answered().contains("add up, whether or not"));
    books.ledger(&["status", "a", "--plot", &picture]).answered();
    assert!(fs::read_to_string(&picture).unwrap().contains("days since"));
    assert!(books.ledger(&["status", "a", "--plot", "-"]).answered().contains("spent"));
    assert_eq!(books.ledger(&["status", "--plot", "-"]).code, Some(2));
    let statement = books.ledger(&["statement", "a"]).answered();
    let head = books.json(&["verify"])["head"].as_str().unwrap().to_owned();
    for words in [
        "differentially private with ε = 1 at δ = 1e-6",
        "one person",
        "in any one year",
        "Reserved, and not committed: 1.",
        &head,
    ] {
        let flat = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {statement}");
    }
}

#[test]
fn verify_says_what_is_wrong_and_where() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--epsilon", "1", "--delta", "1e-6"]).answered();
    let wrong = books.ledger(&["verify", "--noted", "00"]);
    assert!(wrong.code == Some(1) && wrong.stderr.contains("hash that was noted"), "{wrong:?}");
}

#[test]
fn the_json_form_is_what_the_schema_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json/ledger.schema.json");
    let whole: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let schema = Schema { whole: &whole, part: &whole };
    let books = Books::new();
    let (mut seen, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let mut check = |document: &Value| {
        let name = document["query"].as_str().unwrap_or("entry");
        let own = schema.at(&whole["$defs"][name]);
        let complaint = own.complaint(document, name, &mut seen);
        assert!(complaint.is_none(), "{}: {document}", complaint.unwrap_or_default());
        assert!(schema.complaint(document, "", &mut BTreeSet::new()).is_none(), "{document}");
    };
    for arguments in [
        &["init"][..],
        &["budget", "all", "--rho", "1"],
        &["budget", "mine", "--mu", "2", "--parent", "all", "--renews", "day"],
        &[
            "budget",
            "a",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
            "--unit",
            "one person",
            "--parent",
            "mine",
            "--scope",
            "team=maps",
        ],
        &["spend", "a", "gaussian(sigma=20)", "--reference", "1", "--note", "a count"],
        &["spend", "a", "gaussian(sigma=20) * 100", "--reference", "2"],
        &["spend", "a", "dp(epsilon=0.1, delta=0.1)", "--reference", "2"],
        &[
            "reserve",
            "a",
            "gaussian(sigma=99) * 4",
            "--reference",
            "3",
            "--expires",
            "1h",
            "--note",
            "a training",
        ],
        &["status", "--uses-of", "gaussian(sigma=30)"],
        &["explain", "a"],
        &["statement", "a"],
        &["commit", "3", "gaussian(sigma=99)"],
        &["reserve", "a", "gaussian(sigma=99) * 4", "--reference", "4", "--expires", "1h"],
        &["release", "4"],
        &["verify"],
        &["verify", "--noted", "00"],
        &["backup", "BACKUP"],
    ] {
        let backup = books.folder.path().join("backup.db").display().to_string();
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| if *argument == "BACKUP" { &backup } else { *argument })
            .collect();
        check(&books.json(&arguments));
    }
    for line in books.ledger(&["history", "--format", "json"]).answered().lines() {
        check(&serde_json::from_str(line).unwrap());
    }
    schema.keys("", &mut keys);
    let unseen: Vec<&String> = keys.difference(&seen).collect();
    assert!(unseen.is_empty(), "no answer has these keys: {unseen:?}");
}

/// A table of what was run elsewhere: each row once, in order, and those that do not fit are named.
#[test]
fn tables_of_spends_are_charged_row_by_row() {
    let books = Books::new();
    books.ledger(&["budget", "a", "--epsilon", "1", "--delta", "0"]).answered();
    let table = books.folder.path().join("spends.csv");
    let import = |text: &str| {
        fs::write(&table, text).unwrap();
        books.ledger(&["import", table.to_str().unwrap(), "--spends"])
    };
    let rows = "budget,expression,reference,note\na,dp(epsilon=0.5),1,counts\na,dp(epsilon=0.75),2,\na,\"dp(epsilon=0.25, delta=0)\",3,\n";
    for _ in 0..2 {
        let run = import(rows);
        assert_eq!((run.code, run.stdout.trim()), (Some(1), "2 of 3 rows are charged"), "{run:?}");
        assert!(run.stderr.contains("what does not fit was not charged: 2;"), "{run:?}");
        assert_eq!(books.spent("a"), 0.75);
    }
    for (text, complaint) in [
        ("budget,expression\na,dp(epsilon=0.1)\n", "no column reference"),
        ("budget,expression,reference\na,dp(epsilon=0.1),4\na,dp(epsilon=,5\n", "^"),
        (
            "budget,expression,reference\na,dp(epsilon=0.1),4\na,dp(epsilon=0.1),\n",
            "row 2: there is no reference",
        ),
        (
            "budget,expression,reference\na,dp(epsilon=0.1),4\nb,dp(epsilon=0.1),5\n",
            "there is no budget \"b\"",
        ),
    ] {
        let bad = import(text);
        assert!(bad.code == Some(2) && bad.stderr.contains(complaint), "{bad:?}");
        assert_eq!(books.spent("a"), 0.75, "{text}");
    }
}
