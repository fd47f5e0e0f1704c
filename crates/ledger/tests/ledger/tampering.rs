//! What verification finds.

use hockeystick_ledger::{Budget, Ledger, Outcome, Reserve, Spend};
use rusqlite::{Connection, types::Value};
use std::path::Path;

const TABLES: [&str; 6] = ["entry", "head", "account", "part", "hold", "reference"];

fn filled(path: &Path) {
    let mut ledger = Ledger::create(path.to_str().unwrap()).unwrap();
    ledger.budget(&Budget::new("all", 2.0, 1e-6)).unwrap();
    ledger.budget(&Budget::new("study", 1.0, 1e-6).below("all")).unwrap();
    for (reference, text) in
        [("1", "gaussian(sigma=20)"), ("2", "laplace(scale=40)"), ("3", "gaussian(sigma=20) * 2")]
    {
        let spend = Spend::new("study", text.parse().unwrap(), reference);
        assert!(matches!(ledger.spend(&spend).unwrap(), Outcome::Charged(_)));
    }
    for reference in ["4", "5"] {
        let reserve = Reserve {
            budget: "study".into(),
            mechanism: "gaussian(sigma=50) * 2".parse().unwrap(),
            reference: reference.into(),
            expires: "7d".parse().unwrap(),
            note: None,
        };
        assert!(matches!(ledger.reserve(&reserve).unwrap(), Outcome::Charged(_)));
    }
    assert!(matches!(
        ledger.commit("4", Some(&"gaussian(sigma=50)".parse().unwrap())).unwrap(),
        Outcome::Charged(_)
    ));
    assert!(ledger.verify(None).unwrap().findings.is_empty());
}

/// A ledger that was changed behind its back; does verification find it?
fn is_found(path: &Path, change: impl FnOnce(&Connection)) -> bool {
    change(&Connection::open(path).unwrap());
    let verified = Ledger::open(path.to_str().unwrap()).and_then(|mut ledger| ledger.verify(None));
    verified.map_or(true, |verified| !verified.findings.is_empty())
}

/// Other values, each a byte away.
fn changed(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(number) => vec![Value::Integer(number ^ 1), Value::Null],
        Value::Text(text) if text.is_empty() => vec![Value::Text("x".into())],
        Value::Text(text) => {
            let letters = 0..text.len();
            let other = |at: usize| {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
                Value::Text(String::from_utf8(bytes).unwrap())
            };
            letters.map(other).collect()
        }
        _ => vec![Value::Text("x".into())],
    }
}

#[test]
fn any_changed_byte_of_any_row_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    filled(&path);
    let connection = Connection::open(&path).unwrap();
    let mut ledger = Ledger::open(path.to_str().unwrap()).unwrap();
    let mut changes = 0;
    for table in TABLES {
        let mut statement = connection.prepare(&format!("SELECT rowid, * FROM {table}")).unwrap();
        let columns: Vec<String> =
            statement.column_names().iter().skip(1).map(|name| (*name).to_owned()).collect();
        let rows: Vec<Vec<Value>> = statement
            .query_map([], |row| (0..=columns.len()).map(|at| row.get(at)).collect())
            .unwrap()
            .map(Result::unwrap)
            .collect();
        drop(statement);
        for row in &rows {
            for (at, column) in columns.iter().enumerate() {
                let set = |value: &Value| {
                    let sql = format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2");
                    connection.execute(&sql, [value, &row[0]])
                };
                for other in changed(&row[at + 1]) {
                    // What the table itself refuses cannot be tampered with.
                    if set(&other).is_err() {
                        continue;
                    }
                    changes += 1;
                    let verified = ledger.verify(None);
                    let found = verified.map_or(true, |verified| !verified.findings.is_empty());
                    assert!(
                        found,
                        "{table}.{column} of row {:?}: {:?} became {other:?}",
                        row[0],
                        row[at + 1]
                    );
                    set(&row[at + 1]).unwrap();
                }
            }
        }
    }
    assert!(changes > 2000, "{changes}");
    assert!(ledger.verify(None).unwrap().findings.is_empty());
}

#[test]
fn missing_added_and_reordered_rows_are_found() {
    for sql in [
        "DELETE FROM entry WHERE sequence = 4",
        "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
        "DELETE FROM head",
        "DELETE FROM account WHERE name = 'all'",
        "DELETE FROM part WHERE uses = 1",
        "DELETE FROM hold",
        "DELETE FROM reference WHERE id = '2'",
        "INSERT INTO part VALUES ('nobody', 'gdp(mu=1)', 1)",
        "INSERT INTO reference VALUES ('nobody', 1, 1)",
        "INSERT INTO hold SELECT 'nobody', reference, state FROM hold LIMIT 1",
        "UPDATE entry SET sequence = CASE sequence WHEN 3 THEN -4 WHEN 4 THEN -3 ELSE sequence END",
        "UPDATE entry SET body = (SELECT body FROM entry WHERE sequence = 3) WHERE sequence = 4",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        filled(&path);
        assert!(is_found(&path, |connection| connection.execute_batch(sql).unwrap()), "{sql}");
    }
}
