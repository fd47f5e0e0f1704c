//! One question in a process of its own: how long, how much memory, how wide.

use crate::curves::Question;
use std::{
    env, fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What one question took.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The shortest time of several answers, in seconds: other load on the machine can only make it longer.
    pub(crate) seconds: f64,
    /// The most memory that the process had above what it had before it was asked, in kilobytes; unknown but on Linux.
    pub(crate) kilobytes: Option<f64>,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) method: String,
}

/// How long is waited for one question, all its repetitions included.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long answers are repeated, and how often at most.
const REPEATED: Duration = Duration::from_millis(700);
const MOST_REPETITIONS: usize = 200;

/// Asks, and prints what it took on one line: the other half of [`in_own_process`].
pub(crate) fn here(question: &Question) -> Result<String, String> {
    let before = peak_kilobytes();
    let (begin, mut seconds) = (Instant::now(), f64::INFINITY);
    let mut answer = None;
    let mut peak = None;
    for _ in 0..MOST_REPETITIONS {
        let start = Instant::now();
        answer = Some(question.answer()?);
        seconds = seconds.min(start.elapsed().as_secs_f64());
        peak = peak.or_else(peak_kilobytes);
        if begin.elapsed() > REPEATED {
            break;
        }
    }
    let answer = answer.ok_or("nothing was asked")?;
    let kilobytes = before.zip(peak).map(|(before, peak)| peak - before);
    let kilobytes = kilobytes.map_or(String::from("unknown"), |kilobytes| kilobytes.to_string());
    let lower = answer.lower().ok_or("no lower end")?;
    Ok(format!("{seconds:e} {kilobytes} {lower:?} {:?} {}", answer.upper(), answer.method().name()))
}

/// The largest memory of this process so far.
fn peak_kilobytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// Runs this program again for one question. `Err` says why there is no answer.
pub(crate) fn in_own_process(arguments: &[String]) -> Result<Measured, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut child =
        (Command::new(program).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn())
            .map_err(|error| error.to_string())?;
    let begin = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if begin.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Err(format!("no answer within {} seconds", PATIENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    read(text.trim()).ok_or_else(|| format!("an answer that cannot be read: {text}"))
}

fn read(line: &str) -> Option<Measured> {
    let mut words = line.split(' ');
    Some(Measured {
        seconds: words.next()?.parse().ok()?,
        kilobytes: words.next()?.parse().ok(),
        lower: words.next()?.parse().ok()?,
        upper: words.next()?.parse().ok()?,
        method: words.next()?.to_owned(),
    })
}
