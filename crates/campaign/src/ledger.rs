//! What a campaign has done so far: a file of JSON lines that is only ever added to, so that a run that was stopped goes on.

use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
};

/// Some cases, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The version of the code.
    pub version: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// One case in so many was drawn from all there is.
    #[serde(default)]
    pub whole: u64,
    /// The number of the first case.
    pub from: u64,
    /// The number after the last.
    pub to: u64,
    /// Cases with an answer and at least one check that could have failed.
    pub checked: u64,
    /// Cases with an answer, but nothing that could be compared with it.
    pub unchecked: u64,
    /// Cases without an answer.
    pub refused: u64,
    /// Checks by law.
    pub checks: BTreeMap<String, u64>,
    /// Contradictions.
    pub violations: Vec<Violation>,
    /// How long it took.
    pub seconds: f64,
}

/// A law that was broken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// The number of the case.
    pub case: u64,
    /// The law.
    pub law: String,
    /// As it was drawn, and what was found.
    pub drawn: String,
    /// As small as it could be made.
    pub smallest: String,
    /// What the small one shows.
    pub shows: String,
    /// The random choices of the law.
    pub choices: u64,
}

/// The batches of a ledger; none if there is no such file.
pub fn read(path: &Path) -> io::Result<Vec<Batch>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(error),
    };
    // A line that was cut off by the end of a process is no batch.
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Adds a batch.
pub fn append(path: &Path, batch: &Batch) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let line = serde_json::to_string(batch)?;
    // Begins a new line in any case: the last one may have been cut off.
    writeln!(file, "\n{line}")
}

/// The number of the first case of this seed that is not done.
pub fn next_case(batches: &[Batch], seed: u64) -> u64 {
    batches.iter().filter(|batch| batch.seed == seed).map(|batch| batch.to).max().unwrap_or(0)
}

/// The sum of the batches of each version, seed and mix, in the order in which they were begun.
pub fn totals(batches: &[Batch]) -> Vec<Batch> {
    let mut totals: Vec<Batch> = vec![];
    let campaign = |batch: &Batch| (batch.version.clone(), batch.seed, batch.whole);
    for batch in batches {
        let same = totals.iter_mut().find(|total| campaign(total) == campaign(batch));
        let Some(total) = same else {
            totals.push(batch.clone());
            continue;
        };
        total.to = total.to.max(batch.to);
        total.checked += batch.checked;
        total.unchecked += batch.unchecked;
        total.refused += batch.refused;
        total.seconds += batch.seconds;
        total.violations.extend(batch.violations.iter().cloned());
        for (law, count) in &batch.checks {
            *total.checks.entry(law.clone()).or_default() += count;
        }
    }
    totals
}

#[test]
fn a_ledger_resumes_after_a_torn_line() {
    let path = std::env::temp_dir().join(format!("hockeystick-ledger-{}", std::process::id()));
    let batch =
        |from, to| Batch { version: "a".into(), seed: 3, from, to, checked: to - from, ..Batch::default() };
    append(&path, &batch(0, 10)).unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"version\":\"a\",\"se").unwrap();
    append(&path, &batch(10, 25)).unwrap();
    let batches = read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(next_case(&batches, 3), 25);
    assert_eq!(next_case(&batches, 4), 0);
    assert_eq!(totals(&batches)[0].checked, 25);
}
