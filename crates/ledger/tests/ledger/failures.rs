//! Stores that fail: full, read-only, unreachable, restarted. The error is clear, and nothing is lost.

use crate::{
    cluster::Cluster,
    place::{Kind, Place},
};
use hockeystick_ledger::{
    Budget, Error, Ledger, Outcome, Spend, Time,
    store::{Access, Record, Store, StoreError, Value},
};
use std::{
    env, fs,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

fn spend(ledger: &mut Ledger, reference: &str) -> Result<Outcome, Error> {
    ledger.spend(&Spend::new("a", "dp(epsilon=0.125)".parse().unwrap(), reference))
}

fn is_charged(outcome: Result<Outcome, Error>) -> bool {
    matches!(outcome.unwrap(), Outcome::Charged(_))
}

/// A ledger with one spend, `before`.
fn begun(place: &Place) -> Ledger {
    let mut ledger = Ledger::create(&place.url()).unwrap();
    ledger.budget(&Budget::new("a", 100.0, 0.0)).unwrap();
    assert!(is_charged(spend(&mut ledger, "before")));
    ledger
}

fn assert_spends(ledger: &mut Ledger, spends: f64) {
    assert_eq!(ledger.status(Some("a")).unwrap()[0].spent.upper, spends * 0.125);
    assert!(ledger.verify(None).unwrap().findings.is_empty());
}

const FULL: &str = "LEDGER_TEST_FULL";

/// Spends until no more can be written, and says how many were charged and what the error was. It is no test unless it is told of a store.
#[test]
fn spend_until_full() {
    let Ok(store) = env::var(FULL) else { return };
    let mut ledger = Ledger::open(&store).unwrap();
    for i in 0_u32.. {
        match spend(&mut ledger, &format!("r{i}")) {
            Ok(outcome) => assert!(is_charged(Ok(outcome))),
            Err(error) => {
                println!("\nfull after {i}: {error}");
                return assert_spends(&mut ledger, 1.0 + f64::from(i));
            }
        }
    }
}

/// A file may not grow beyond a limit, which needs no rights; and a disk of 600 kB, which needs the right to mount one.
#[cfg(unix)]
#[test]
fn a_full_disk_is_a_clear_error_and_nothing_is_lost() {
    const NOT_ALLOWED: i32 = 77;
    let limited = "trap '' XFSZ; ulimit -f 400; exec \"$0\" --exact failures::spend_until_full --nocapture";
    let small = "mkdir \"$1/small\" && mount -t tmpfs -o size=600k tmpfs \"$1/small\" || exit 77; \
                 cp \"$LEDGER_TEST_FULL\" \"$1/small/ledger.db\"; export LEDGER_TEST_FULL=\"$1/small/ledger.db\"; \
                 \"$0\" --exact failures::spend_until_full --nocapture";
    for (script, alone) in
        [(limited, &["bash"][..]), (small, &["unshare", "--map-root-user", "--mount", "bash"])]
    {
        let place = Place::new(Kind::Sqlite);
        drop(begun(&place));
        let mut child = Command::new(alone[0]);
        child
            .args(&alone[1..])
            .args(["-c", script])
            .arg(env::current_exe().unwrap())
            .arg(place.folder.path());
        let Ok(done) = child.env(FULL, place.url()).output() else { continue };
        let said = String::from_utf8(done.stdout).unwrap();
        if script == small && (done.status.code() == Some(NOT_ALLOWED) || said.is_empty()) {
            println!("no small disk may be mounted here: {}", String::from_utf8_lossy(&done.stderr));
            continue;
        }
        let (_, told) = said.split_once("full after ").unwrap_or_else(|| panic!("{said}"));
        let (count, error) = told.lines().next().unwrap().split_once(": ").unwrap();
        assert!(done.status.success() && count.parse::<u32>().unwrap() > 3, "{said}");
        assert!(error.contains("make room and try again with the same reference"), "{said}");
        if script == limited {
            let mut ledger = Ledger::open(&place.url()).unwrap();
            assert!(is_charged(spend(&mut ledger, "after")));
            assert_spends(&mut ledger, 2.0 + count.parse::<f64>().unwrap());
        }
    }
}

/// The quota of a database is its disk. A trigger fails as the server does when that is full.
#[test]
fn a_full_server_is_a_clear_error_and_nothing_is_lost() {
    let place = Place::new(Kind::Postgres);
    let mut ledger = begun(&place);
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$; \
                CREATE TRIGGER full_disk BEFORE UPDATE ON account FOR EACH ROW EXECUTE FUNCTION full_disk()";
    assert!(place.raw().execute(full));
    let error = spend(&mut ledger, "full").unwrap_err().to_string();
    assert!(error.contains("No space left") && error.contains("make room"), "{error}");
    assert!(place.raw().execute("DROP TRIGGER full_disk ON account"));
    assert_spends(&mut ledger, 1.0);
    assert!(is_charged(spend(&mut ledger, "full")));
    assert_spends(&mut ledger, 2.0);
}

/// Root may write what is read-only: then the child is somebody else.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_a_clear_error() {
    use std::os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    };
    const NOBODY: u32 = 65534;
    let place = Place::new(Kind::Sqlite);
    drop(begun(&place));
    let folder = place.folder.path();
    let program = folder.join("tests");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(place.url(), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(program);
    child.args(["--exact", "failures::spend_until_full", "--nocapture"]).env(FULL, place.url());
    if fs::OpenOptions::new().append(true).open(place.url()).is_ok() {
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        child.uid(NOBODY).gid(NOBODY);
    }
    let said = String::from_utf8(child.output().unwrap().stdout).unwrap();
    assert!(said.contains("full after 0: ") && said.contains("give this user the right to write"), "{said}");
    assert_spends(&mut Ledger::open(&place.url()).unwrap(), 1.0);
}

#[test]
fn a_server_that_may_not_be_written_is_a_clear_error() {
    let place = Place::new(Kind::Postgres);
    drop(begun(&place));
    let mut ledger =
        Ledger::open(&format!("{}%20-cdefault_transaction_read_only%3Don", place.url())).unwrap();
    let error = spend(&mut ledger, "read-only").unwrap_err().to_string();
    assert!(error.contains("nothing was written: name a server that may be written"), "{error}");
    assert_spends(&mut ledger, 1.0);
}

#[test]
fn a_server_that_does_not_wait_for_its_disk_is_refused() {
    let mut cluster = Cluster::start();
    let place = Place::on(&cluster.url);
    drop(begun(&place));
    assert!(place.raw().execute("ALTER SYSTEM SET fsync = off"));
    cluster.tell("crash");
    cluster.tell("start");
    let error = Ledger::open(&place.url()).unwrap_err().to_string();
    assert!(error.contains("its setting fsync is off"), "{error}");
}

#[test]
fn a_server_that_cannot_be_reached_is_a_clear_error_without_the_password() {
    let error = Ledger::open("postgres://me:secret@127.0.0.1:1/budgets").unwrap_err().to_string();
    assert!(error.contains("database budgets at 127.0.0.1: there is no connection"), "{error}");
    assert!(error.contains("start the server, or correct the URL") && !error.contains("secret"), "{error}");
    let error = Ledger::open("postgres://me:secret@host:port/budgets").unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
}

/// A store whose connection is cut off in the middle of a transaction, once.
struct Cut {
    store: Box<dyn Store>,
    server: String,
    is_next: Arc<AtomicBool>,
}

impl Store for Cut {
    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.store.begin(access)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if self.is_next.swap(false, Ordering::SeqCst) {
            cut_off(&self.server);
        }
        self.store.commit()
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        self.store.roll_back()
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.store.execute(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, StoreError> {
        self.store.query(sql, values)
    }

    fn now(&mut self) -> Result<Time, StoreError> {
        self.store.now()
    }

    fn back_up(&mut self, to: &str) -> Result<bool, StoreError> {
        self.store.back_up(to)
    }
}

/// Ends all connections of ledgers to a server.
fn cut_off(server: &str) {
    let mut raw = postgres::Client::connect(server, postgres::NoTls).unwrap();
    let ended = raw.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'hockeystick'",
        &[],
    );
    assert!(ended.unwrap() > 0);
}

#[test]
fn a_connection_that_is_lost_loses_nothing() {
    let cluster = Cluster::start();
    let place = Place::on(&cluster.url);
    drop(begun(&place));
    let is_next = Arc::new(AtomicBool::new(false));
    let cut = Cut { store: place.store(), server: cluster.url.clone(), is_next: is_next.clone() };
    let mut ledger = Ledger::on(Box::new(cut));
    assert!(is_charged(spend(&mut ledger, "1")));
    is_next.store(true, Ordering::SeqCst);
    let error = spend(&mut ledger, "2").unwrap_err().to_string();
    assert!(error.contains("the connection was lost") && error.contains("the same reference"), "{error}");
    assert_spends(&mut ledger, 2.0);
    assert!(is_charged(spend(&mut ledger, "2")));
    // Between two requests: the second connects again.
    cut_off(&cluster.url);
    assert!(is_charged(spend(&mut ledger, "3")));
    assert_spends(&mut ledger, 4.0);
}

/// A server that is crashed and started again and again while several write.
#[test]
fn a_server_that_crashes_loses_nothing() {
    const WRITERS: usize = 4;
    let mut cluster = Cluster::start();
    let place = Place::on(&cluster.url);
    drop(begun(&place));
    let is_over = AtomicBool::new(false);
    let acknowledged: usize = thread::scope(|scope| {
        let write = |who: usize| {
            let (mut ledger, mut at) = (Ledger::open(&place.url()).unwrap(), 0);
            while !is_over.load(Ordering::SeqCst) {
                match spend(&mut ledger, &format!("{who}-{at}")) {
                    Ok(outcome) => at += usize::from(is_charged(Ok(outcome))),
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.contains("the same reference") || error.contains("Nothing"), "{error}");
                        thread::sleep(Duration::from_millis(50));
                    }
                }
            }
            at
        };
        let writers: Vec<_> = (0..WRITERS).map(|who| scope.spawn(move || write(who))).collect();
        for _ in 0..4 {
            thread::sleep(Duration::from_millis(300));
            cluster.tell("crash");
            cluster.tell("start");
        }
        thread::sleep(Duration::from_millis(300));
        is_over.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert!(acknowledged > 4 * WRITERS, "{acknowledged}");
    let mut ledger = Ledger::open(&place.url()).unwrap();
    let written = ledger.status(Some("a")).unwrap()[0].entries as usize;
    // Each writer has at most one spend that was written and not acknowledged.
    assert!((1 + acknowledged..=1 + acknowledged + WRITERS).contains(&written), "{acknowledged} {written}");
    assert_spends(&mut ledger, written as f64);
}
