//! Many processes, and processes that are killed.
//!
//! A test starts this program again, as a child that runs only `child` and is told by variables what to do.

use crate::place::{Kind, Place, on_every_store};
use hockeystick_chance::Random;
use hockeystick_ledger::{Budget, Ledger, Outcome, Spend};
use std::{
    collections::BTreeSet,
    env,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

const STORE: &str = "LEDGER_TEST_STORE";
const WHO: &str = "LEDGER_TEST_WHO";
/// How often a process is killed; `HOCKEYSTICK_KILLS=1000` for a long run.
const KILLS: usize = 40;
const PROCESSES: usize = 64;

/// Spends until it is refused, or killed, and says what was acknowledged. It is no test unless it is told of a store.
#[test]
fn child() {
    let (Ok(store), Ok(who)) = (env::var(STORE), env::var(WHO)) else { return };
    let mut ledger = Ledger::open(&store).unwrap();
    let mut out = std::io::stdout();
    for i in 0.. {
        let reference = format!("{who}-{i}");
        let spend = Spend::new("shared", "dp(epsilon=0.0009765625)".parse().unwrap(), &reference);
        match ledger.spend(&spend).unwrap() {
            Outcome::Charged(_) => writeln!(out, "charged {reference}").unwrap(),
            Outcome::Refused(_) => return,
        }
        out.flush().unwrap();
    }
}

fn start(store: &str, who: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture"])
        .env(STORE, store)
        .env(WHO, who)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What a child has said so far, to its end.
fn acknowledged(child: &mut Child) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // A line that was cut off was not said.
    let complete =
        lines.map_while(Result::ok).filter_map(|line| Some(line.split_once("charged ")?.1.to_owned()));
    complete.collect()
}

/// References in the history, each of which must be there once.
fn charged(ledger: &mut Ledger) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let note = |entry: &hockeystick_ledger::Entry| {
        if let Some(reference) = entry.event.reference() {
            assert!(found.insert(reference.to_owned()), "{reference} was charged twice");
        }
        Ok(())
    };
    ledger.history(None, note).unwrap();
    found
}

fn shared(kind: Kind, epsilon: f64) -> (Place, Ledger) {
    let place = Place::new(kind);
    let mut ledger = Ledger::create(&place.url()).unwrap();
    ledger.budget(&Budget::new("root", 1e6, 0.0)).unwrap();
    ledger.budget(&Budget::new("shared", epsilon, 0.0).below("root")).unwrap();
    (place, ledger)
}

on_every_store!(
    what_was_acknowledged_survives_a_kill,
    many_processes_never_overspend_and_the_last_that_fits_is_granted,
);

fn what_was_acknowledged_survives_a_kill(kind: Kind) {
    let (place, mut ledger) = shared(kind, 1e6);
    let kills = env::var("HOCKEYSTICK_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    // A connection takes its time.
    let longest = match kind {
        Kind::Sqlite => 60_000,
        Kind::Postgres => 250_000,
    };
    let mut random = Random::new(33);
    let mut all = BTreeSet::new();
    for round in 0..kills {
        let mut child = start(&place.url(), &round.to_string());
        thread::sleep(Duration::from_micros(random.below(longest)));
        child.kill().unwrap();
        let said = acknowledged(&mut child);
        child.wait().unwrap();
        all.extend(said);
    }
    let found = charged(&mut ledger);
    let lost: Vec<&String> = all.difference(&found).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(all.len() > kills / 4, "only {} were acknowledged", all.len());
    // At most one spend of each child was written and not acknowledged.
    assert!(found.len() <= all.len() + kills);
    let verified = ledger.verify(None).unwrap();
    assert!(verified.findings.is_empty(), "{:?}", verified.findings);
    let standing = ledger.status(Some("root")).unwrap().remove(0);
    assert_eq!(standing.spent.upper * 1024.0, found.len() as f64);
}

fn many_processes_never_overspend_and_the_last_that_fits_is_granted(kind: Kind) {
    let fits = 3 * PROCESSES;
    let (place, mut ledger) = shared(kind, fits as f64 / 1024.0);
    let mut children: Vec<Child> = (0..PROCESSES).map(|who| start(&place.url(), &who.to_string())).collect();
    let said: Vec<String> = children.iter_mut().flat_map(acknowledged).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(said.len(), fits);
    assert_eq!(charged(&mut ledger), said.into_iter().collect());
    assert!(ledger.verify(None).unwrap().findings.is_empty());
}
