//! Mutated bytes for a reader: no input may make it panic, or take long.
//!
//! A run is a number of inputs drawn from a seed. `HOCKEYSTICK_FUZZ_SECONDS` in the environment makes it as long as that, with
//! `HOCKEYSTICK_FUZZ_SEED` in place of the usual seed; what was tried is printed at the end.

use crate::{Random, mutated};
use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

/// What a reader is fed with.
#[derive(Debug)]
pub struct Corpus {
    examples: Vec<Vec<u8>>,
    dictionary: Vec<&'static str>,
}

/// No single input of a few kilobytes may take longer than this; generous, for machines with other load.
const LONGEST: Duration = Duration::from_secs(20);

/// No run may take more memory than this at any time.
const MOST_KILOBYTES: u64 = 2 << 20;

impl Corpus {
    /// The files of a folder, in the order of their names.
    ///
    /// # Panics
    /// If there are none: a run over nothing would pass.
    pub fn of_folder(folder: &Path, dictionary: &[&'static str]) -> Self {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        let examples: Vec<_> = paths.iter().map(|path| fs::read(path).expect("readable")).collect();
        assert!(examples.len() >= 5, "{} holds {} examples", folder.display(), examples.len());
        Self { examples, dictionary: dictionary.to_vec() }
    }

    /// Feeds every example as it is, then `inputs` mutated ones (more, if the environment says so) to `reader`, which says whether it
    /// accepted them. Returns how many were accepted.
    ///
    /// # Panics
    /// If the reader does, with the input; if an input takes longer than 20 seconds, or the process more than 2 GB.
    #[expect(clippy::print_stdout, reason = "what was tried is part of what a run shows")]
    pub fn feed(&self, inputs: u64, mut reader: impl FnMut(&[u8]) -> bool) -> u64 {
        let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let budget = number("HOCKEYSTICK_FUZZ_SECONDS").map(Duration::from_secs);
        let seed = number("HOCKEYSTICK_FUZZ_SEED").unwrap_or(1);
        let mut random = Random::new(seed);
        let (start, mut fed, mut accepted) = (Instant::now(), 0, 0);
        let (mut longest, mut slowest) = (Duration::ZERO, Vec::new());
        // What was accepted is worth mutating again.
        let mut corpus = self.examples.clone();
        loop {
            let bytes = match self.examples.get(fed as usize) {
                Some(example) => example.clone(),
                None => mutated(&mut random, &corpus, &self.dictionary),
            };
            let began = Instant::now();
            let outcome = catch_unwind(AssertUnwindSafe(|| reader(&bytes)));
            let took = began.elapsed();
            let shown = || bytes.escape_ascii();
            let Ok(is_accepted) = outcome else { panic!("input {fed} of seed {seed}: \"{}\"", shown()) };
            assert!(took < LONGEST, "took {took:?}: \"{}\"", shown());
            if took > longest {
                (longest, slowest) = (took, bytes.clone());
            }
            fed += 1;
            if is_accepted {
                accepted += 1;
                if fed > self.examples.len() as u64 && bytes.len() < 2000 {
                    if corpus.len() < 4 * self.examples.len() {
                        corpus.push(bytes);
                    } else {
                        let first = self.examples.len() as u64;
                        let place = first + random.below(corpus.len() as u64 - first);
                        corpus[place as usize] = bytes;
                    }
                }
            }
            let is_over = match budget {
                Some(budget) => start.elapsed() >= budget,
                None => fed >= inputs + self.examples.len() as u64,
            };
            if is_over {
                break;
            }
        }
        let most = most_kilobytes();
        println!(
            "seed {seed}: {fed} inputs, {accepted} accepted, {:.0} s; the longest took {longest:?} ({} bytes: \"{}\"), memory {} MB",
            start.elapsed().as_secs_f64(),
            slowest.len(),
            slowest[..slowest.len().min(200)].escape_ascii(),
            most / 1024
        );
        assert!(most < MOST_KILOBYTES, "{most} KB of memory");
        accepted
    }
}

/// The most memory that this process has had; 0 where the system does not say.
fn most_kilobytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
