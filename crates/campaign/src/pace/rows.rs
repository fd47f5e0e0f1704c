//! What was seen, one line of JSON for each errand, so that a run goes on where it was stopped and runs add up.

use super::{
    question::{Errand, Share},
    seen::{Outcome, Seen},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
    time::Duration,
};

/// Questions that take longer than this are counted.
pub const SLOW: Duration = Duration::from_secs(2);
/// None may take longer.
pub const TOO_SLOW: Duration = Duration::from_secs(10);
/// None may hold more bytes.
pub const TOO_MUCH: u64 = 1 << 30;

/// What was seen of the errand of this number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The seed.
    pub seed: u64,
    /// The number.
    pub number: u64,
    /// Where the expression came from.
    pub share: Share,
    /// In seconds, by the clock on the wall.
    pub elapsed: f64,
    /// In seconds of all threads, where the system tells.
    pub worked: Option<f64>,
    /// In bytes, where the system tells.
    pub peak: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
    /// The errand.
    pub errand: String,
}

impl Row {
    /// Of an errand and what was seen of it.
    pub fn new(seed: u64, number: u64, errand: &Errand, seen: Seen) -> Self {
        Self {
            seed,
            number,
            share: errand.share,
            elapsed: seen.elapsed.as_secs_f64(),
            worked: seen.worked.map(|worked| worked.as_secs_f64()),
            peak: seen.peak,
            outcome: seen.outcome,
            errand: errand.to_string(),
        }
    }

    /// Longer than two seconds?
    pub fn is_slow(&self) -> bool {
        self.elapsed > SLOW.as_secs_f64()
    }

    /// Longer than ten seconds?
    pub fn is_too_slow(&self) -> bool {
        self.elapsed > TOO_SLOW.as_secs_f64()
    }

    /// More than a gigabyte?
    pub fn is_too_much(&self) -> bool {
        self.peak.is_some_and(|peak| peak > TOO_MUCH)
    }

    /// What must not be.
    pub fn is_bad(&self) -> bool {
        self.is_too_slow() || self.is_too_much() || matches!(self.outcome, Outcome::Panicked(_))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worked = self.worked.map_or_else(|| "?".into(), |worked| format!("{worked:.1}"));
        let megabytes = self.peak.map_or(0, |peak| peak >> 20);
        write!(
            f,
            "{}:{}: {:.1} s, {worked} s of work, {megabytes} MB: ",
            self.seed, self.number, self.elapsed
        )?;
        write!(f, "{}", self.errand)?;
        if let Outcome::Panicked(what) = &self.outcome { write!(f, ": panicked: {what}") } else { Ok(()) }
    }
}

/// The rows of a ledger; none if there is no such file.
pub fn read(path: &Path) -> io::Result<Vec<Row>> {
    match fs::read_to_string(path) {
        // A line that was cut off by the end of a process is no row.
        Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![]),
        Err(error) => Err(error),
    }
}

/// Adds a row.
pub fn append(path: &Path, row: &Row) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let line = serde_json::to_string(row)?;
    writeln!(file, "{line}")
}

/// What some rows say together.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    shares: BTreeMap<Share, Vec<f64>>,
    answered: usize,
    panicked: usize,
    slow: usize,
    too_slow: usize,
    too_much: usize,
    work: f64,
}

impl Tally {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        self.shares.entry(row.share).or_default().push(row.elapsed);
        self.answered += usize::from(row.outcome == Outcome::Answered);
        self.panicked += usize::from(matches!(row.outcome, Outcome::Panicked(_)));
        self.slow += usize::from(row.is_slow());
        self.too_slow += usize::from(row.is_too_slow());
        self.too_much += usize::from(row.is_too_much());
        self.work += row.worked.unwrap_or(0.0);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.shares.values().map(Vec::len).sum();
        let seconds: f64 = self.shares.values().flatten().sum();
        write!(
            f,
            "{count} questions in {seconds:.0} s, {:.0} s of work: {} answered, {} panicked, {} took more than {SLOW:?}, {} more than \
             {TOO_SLOW:?}, {} more than a gigabyte",
            self.work, self.answered, self.panicked, self.slow, self.too_slow, self.too_much
        )?;
        for (share, times) in &self.shares {
            let mut times = times.clone();
            times.sort_by(f64::total_cmp);
            let at = |quantile: f64| times[((times.len() - 1) as f64 * quantile) as usize];
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            write!(
                f,
                "\n{share:?}: {} questions, mean {mean:.3} s, median {:.4} s, 90 % {:.3} s, 99 % {:.2} s, 99.9 % {:.2} s, longest {:.2} s",
                times.len(),
                at(0.5),
                at(0.9),
                at(0.99),
                at(0.999),
                at(1.0)
            )?;
        }
        Ok(())
    }
}

#[test]
fn runs_add_up_and_what_must_not_be_is_seen() {
    let row = |number: u64, elapsed: f64, peak: u64, outcome: Outcome| Row {
        seed: 1,
        number,
        share: if number < 2 { Share::Grammar } else { Share::Extreme },
        elapsed,
        worked: Some(elapsed),
        peak: Some(peak),
        outcome,
        errand: "gaussian(sigma=1)".into(),
    };
    let rows = [
        row(0, 0.1, 1 << 20, Outcome::Answered),
        row(1, 3.0, 1 << 20, Outcome::Refused),
        row(2, 11.0, 1 << 20, Outcome::Answered),
        row(3, 0.1, (1 << 30) + 1, Outcome::Answered),
        row(4, 0.1, 1 << 20, Outcome::Panicked("bug".into())),
    ];
    assert_eq!(rows.each_ref().map(Row::is_bad), [false, false, true, true, true]);
    let path = std::env::temp_dir().join(format!("hockeystick-pace-{}", std::process::id()));
    rows.iter().for_each(|row| append(&path, row).unwrap());
    let read = read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let mut tally = Tally::default();
    read.iter().for_each(|row| tally.add(row));
    let text = tally.to_string();
    assert!(
        text.starts_with(
            "5 questions in 14 s, 14 s of work: 3 answered, 1 panicked, 2 took more than 2s, 1 more than 10s, 1 more"
        ),
        "{text}"
    );
    assert!(
        text.contains("\nGrammar: 2 questions, mean 1.550 s") && text.contains("\nExtreme: 3 "),
        "{text}"
    );
}
