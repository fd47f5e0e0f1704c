//! What verification finds.

use crate::place::{Kind, Place, on_every_store};
use hockeystick_ledger::{Budget, Ledger, Outcome, Reserve, Spend};

on_every_store!(any_changed_byte_of_any_row_is_found, missing_added_and_reordered_rows_are_found);

const TABLES: [&str; 6] = ["entry", "head", "account", "part", "hold", "reference"];

/// Columns of numbers; the others are texts.
const NUMBERS: [&str; 4] = ["sequence", "uses", "opened", "closed"];

fn filled(kind: Kind) -> (Place, Ledger) {
    let place = Place::new(kind);
    let mut ledger = Ledger::create(&place.url()).unwrap();
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
    (place, ledger)
}

fn is_found(ledger: &mut Ledger) -> bool {
    ledger.verify(None).map_or(true, |verified| !verified.findings.is_empty())
}

/// Other values, each a byte away.
fn changed(column: &str, value: Option<&str>) -> Vec<Option<String>> {
    match value {
        None => vec![Some(if NUMBERS.contains(&column) { "7" } else { "x" }.to_owned())],
        Some(text) if NUMBERS.contains(&column) => {
            vec![Some((text.parse::<i64>().unwrap() ^ 1).to_string()), None]
        }
        Some("") => vec![Some("x".to_owned())],
        Some(text) => {
            let other = |at: usize| {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
                Some(String::from_utf8(bytes).unwrap())
            };
            (0..text.len()).map(other).collect()
        }
    }
}

fn literal(column: &str, value: Option<&str>) -> String {
    match value {
        None => "NULL".to_owned(),
        Some(number) if NUMBERS.contains(&column) => number.to_owned(),
        Some(text) => format!("'{}'", text.replace('\'', "''")),
    }
}

/// That a row is this one.
fn is_row(columns: &[String], row: &[Option<String>]) -> String {
    let is = |(column, value): (&String, &Option<String>)| {
        format!("{column} IS NOT DISTINCT FROM {}", literal(column, value.as_deref()))
    };
    columns.iter().zip(row).map(is).collect::<Vec<_>>().join(" AND ")
}

fn any_changed_byte_of_any_row_is_found(kind: Kind) {
    let (place, mut ledger) = filled(kind);
    let mut raw = place.raw();
    // Tampering need not last.
    assert!(raw.execute(match kind {
        Kind::Sqlite => "PRAGMA synchronous = OFF",
        Kind::Postgres => "SET synchronous_commit = off",
    }));
    let mut changes = 0;
    for table in TABLES {
        let columns = raw.columns(table);
        let columns_of_rows: Vec<Vec<Option<String>>> = columns
            .iter()
            .map(|column| {
                raw.texts(&format!(
                    "SELECT CAST({column} AS TEXT) FROM {table} ORDER BY {}",
                    columns.join(", ")
                ))
            })
            .collect();
        for at in 0..columns_of_rows[0].len() {
            let row: Vec<Option<String>> = columns_of_rows.iter().map(|column| column[at].clone()).collect();
            for (position, column) in columns.iter().enumerate() {
                for other in changed(column, row[position].as_deref()) {
                    let mut tampered = row.clone();
                    tampered[position] = other;
                    let mut set = |from: &[Option<String>], to: &[Option<String>]| {
                        let value = literal(column, to[position].as_deref());
                        raw.execute(&format!(
                            "UPDATE {table} SET {column} = {value} WHERE {}",
                            is_row(&columns, from)
                        ))
                    };
                    // What the table itself refuses cannot be tampered with.
                    if !set(&row, &tampered) {
                        continue;
                    }
                    changes += 1;
                    assert!(is_found(&mut ledger), "{table}.{column}: {row:?} became {tampered:?}");
                    assert!(set(&tampered, &row));
                }
            }
        }
    }
    assert!(changes > 2000, "{changes}");
    assert!(!is_found(&mut ledger));
}

fn missing_added_and_reordered_rows_are_found(kind: Kind) {
    for sql in [
        "DELETE FROM entry WHERE sequence = 4",
        "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
        "DELETE FROM head",
        "DELETE FROM account WHERE name = 'all'",
        "DELETE FROM part WHERE uses = 1",
        "DELETE FROM hold",
        "DELETE FROM reference WHERE id = '2'",
        "INSERT INTO part VALUES ('nobody', 'x', 'gdp(mu=1)', 1)",
        "INSERT INTO head VALUES (0, '', '')",
        "INSERT INTO reference VALUES ('nobody', 1, 1)",
        "INSERT INTO hold SELECT 'nobody', reference, state FROM hold WHERE account = 'all'",
        "UPDATE entry SET sequence = -sequence WHERE sequence IN (3, 4); UPDATE entry SET sequence = 7 + sequence WHERE sequence < 0",
        "UPDATE entry SET body = (SELECT body FROM entry WHERE sequence = 3) WHERE sequence = 4",
    ] {
        let (place, mut ledger) = filled(kind);
        assert!(place.raw().execute(sql), "{sql}");
        assert!(is_found(&mut ledger), "{sql}");
    }
}
