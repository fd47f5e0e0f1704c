//! What a spend costs beside a bare INSERT of the same row with the same durability, on both stores, and what `status` costs.
//!
//! Writes a table; exits with 1 if a goal is missed: at most three times a bare INSERT, as many times
//! as much after a million rows as after ten, and a
//! status within 50 ms. `bench/ledger` runs it.

#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/ledger/cluster.rs"]
#[allow(dead_code)]
mod cluster;
#[path = "../tests/ledger/place.rs"]
#[allow(dead_code, unused_macros, unused_imports)]
mod place;

use hockeystick_ledger::{Budget, Ledger, Outcome, Spend};
use place::{Kind, Place, Raw};
use std::time::{Duration, Instant};

const ROWS: u64 = 1_000_000;
const ROUNDS: usize = 400;
/// Goals.
const MOST_TIMES: f64 = 3.0;
const MOST_GROWTH: f64 = 1.25;
const LONGEST_STATUS: Duration = Duration::from_millis(50);

/// Of the size of an entry.
const BODY: &str = r#"{"sequence":1000000,"time":"2031-05-17T12:00:00.000Z","kind":"spend","budget":"a","reference":"r1000000","expression":"gaussian(sigma=20000)","spent":{"a":0.123456789012345,"all":0.123456789012345}}"#;
const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn columns(sequence: &str, reference: &str) -> String {
    format!("{sequence}, '2031-05-17T12:00:00.000Z', 'spend', 'a', {reference}, '{BODY}', '{HASH}'")
}

/// Medians, in microseconds, of bare inserts and of spends in turn.
fn measured(ledger: &mut Ledger, bare: &mut Raw, round: &str) -> (f64, f64) {
    let (mut inserts, mut spends) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS {
        let reference = format!("{round}-{i}");
        let start = Instant::now();
        insert(bare, &reference, i as i64);
        inserts.push(start.elapsed());
        let spend = Spend::new("a", "gaussian(sigma=20000)".parse().expect("a mechanism"), &reference);
        let start = Instant::now();
        let outcome = ledger.spend(&spend).expect("an answer");
        spends.push(start.elapsed());
        assert!(matches!(outcome, Outcome::Charged(_)), "{outcome:?}");
    }
    (median(inserts), median(spends))
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// One row in a transaction of its own, by a statement that is prepared once.
fn insert(bare: &mut Raw, reference: &str, sequence: i64) {
    let sql = "INSERT INTO bare VALUES ($1, '2031-05-17T12:00:00.000Z', 'spend', 'a', $2, $3, $4)";
    match bare {
        Raw::Sqlite(connection) => {
            let mut statement = connection.prepare_cached(sql).expect("a statement");
            statement.execute((sequence, reference, BODY, HASH)).expect("a row");
        }
        Raw::Postgres(client) => {
            // The client prepares what it is given as text each time.
            thread_local! { static KNOWN: std::cell::RefCell<Option<postgres::Statement>> = const { std::cell::RefCell::new(None) }; }
            let statement = KNOWN.with(|known| {
                known.borrow_mut().get_or_insert_with(|| client.prepare(sql).expect("a statement")).clone()
            });
            client.execute(&statement, &[&sequence, &reference, &BODY, &HASH]).expect("a row");
        }
    }
}

/// Rows as many spends would have left them.
fn fill(raw: &mut Raw, from: u64, rows: u64) {
    let to = from + rows;
    let numbers = match raw {
        Raw::Sqlite(_) => {
            format!("WITH RECURSIVE n(i) AS (SELECT {from} + 1 UNION ALL SELECT i + 1 FROM n WHERE i < {to})")
        }
        Raw::Postgres(_) => format!("WITH n AS (SELECT generate_series({from}::bigint + 1, {to}) AS i)"),
    };
    let entries = columns("i", "'r' || i");
    for sql in [
        format!("INSERT INTO entry {numbers} SELECT {entries} FROM n"),
        format!("INSERT INTO bare {numbers} SELECT {entries} FROM n"),
        format!("INSERT INTO reference {numbers} SELECT 'r' || i, i, i FROM n"),
        format!("UPDATE head SET sequence = {to}"),
        "ANALYZE".to_owned(),
    ] {
        assert!(raw.execute(&sql), "{sql}");
    }
}

fn main() {
    let mut is_met = true;
    println!("store,rows,insert_us,spend_us,times,status_ms");
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let place = Place::new(kind);
        let mut ledger = Ledger::create(&place.url()).expect("a ledger");
        ledger.budget(&Budget::new("all", 10.0, 1e-6)).expect("a budget");
        ledger.budget(&Budget::new("a", 5.0, 1e-6).below("all")).expect("a budget");
        let mut bare = place.raw();
        if let Kind::Sqlite = kind {
            assert!(bare.execute("PRAGMA synchronous = FULL"));
        }
        assert!(bare.execute("CREATE TABLE bare (sequence BIGINT NOT NULL, time TEXT NOT NULL, kind TEXT NOT NULL, budget TEXT NOT NULL, reference TEXT PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)"));
        let mut first = None;
        for (from, rows) in [(1_000, 10), (1_000_000, ROWS)] {
            fill(&mut bare, from, rows);
            let (insert, spend) = measured(&mut ledger, &mut bare, &rows.to_string());
            let start = Instant::now();
            ledger.status(None).expect("standings");
            let status = start.elapsed();
            let times = spend / insert;
            println!("{kind:?},{rows},{insert:.0},{spend:.0},{times:.2},{:.2}", status.as_secs_f64() * 1e3);
            let before = *first.get_or_insert(times);
            is_met &= times <= MOST_TIMES && times <= before * MOST_GROWTH && status <= LONGEST_STATUS;
        }
    }
    std::process::exit(i32::from(!is_met));
}
