//! What the system tells about this program: nothing, where it is not Linux.

use std::{fs, time::Duration};

/// A tick of the times in `/proc`: a hundredth of a second on every machine, for that is what programs were once told.
const TICK: Duration = Duration::from_millis(10);

/// The most memory that the program held since it was [forgotten](forget_peak), in bytes.
pub(super) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Where the system does not do that, the peak is that of everything before, too.
pub(super) fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// How long all threads of the program have worked, those included that have ended.
pub(super) fn worked() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name of the program in parentheses; user and system time are the 14th and the 15th.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(|field| field.parse::<u32>());
    Some(TICK * (times.next()?.ok()? + times.next()?.ok()?))
}
