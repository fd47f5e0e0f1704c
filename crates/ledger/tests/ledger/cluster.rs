//! A PostgreSQL for tests: one that HOCKEYSTICK_TEST_POSTGRES names, or a throw-away one.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::OnceLock,
};

/// A server in a temporary folder, which ends with this value or with this program.
pub(crate) struct Cluster {
    script: Child,
    answers: BufReader<ChildStdout>,
    pub(crate) url: String,
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ledger/tests/postgres");
        let mut script = Command::new("python3")
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(script.stdout.take().unwrap());
        let mut cluster = Self { script, answers, url: String::new() };
        cluster.url = cluster.answer();
        cluster
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "there is no PostgreSQL for the tests; its script says why");
        line.trim_end().to_owned()
    }

    /// `crash`, as a loss of power would, or `start` again.
    pub(crate) fn tell(&mut self, command: &str) {
        writeln!(self.script.stdin.as_mut().unwrap(), "{command}").unwrap();
        assert_eq!(self.answer(), "done");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// The server that the tests of this program share.
pub(crate) fn shared() -> &'static str {
    static NAMED: OnceLock<String> = OnceLock::new();
    static STARTED: OnceLock<std::sync::Mutex<Cluster>> = OnceLock::new();
    NAMED.get_or_init(|| match env::var("HOCKEYSTICK_TEST_POSTGRES") {
        Ok(url) if !url.is_empty() => url,
        _ => {
            // Kept until the program ends: then the script's input ends, too.
            let cluster = STARTED.get_or_init(|| std::sync::Mutex::new(Cluster::start()));
            cluster.lock().unwrap().url.clone()
        }
    })
}
