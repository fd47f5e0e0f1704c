//! How long work may take and how much memory it may claim; and a way to stop it from outside.
//!
//! Limits belong to a thread while it is inside [`within`], [`cancellable`] or [`attended`], and to the threads that help it
//! ([`Inherited`], [`helped`]). Long loops call [`check`], and large arrays are announced by [`claim`] before they are made. Where a
//! limit is exceeded both leave the work by unwinding, without a message, up to the call that set the limit, which returns [`Stopped`].
//!
//! In: limits, and work. Out: what the work makes, or why it was stopped.
//!
//! # Guarantee
//! Limits only ever stop work: no result depends on them. What was claimed by work that is left is given back.

mod helpers;
mod memory;
mod scope;

pub use helpers::{Helper, Inherited, helped, inherited};
pub use memory::{Claim, claim};
pub use scope::{attended, cancellable, check, within};

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How long some work may take, and how much memory it may hold at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// By the clock on the wall; unlimited if there is none.
    pub time: Option<Duration>,
    /// In bytes, of arrays that grow with parameters; unlimited if there is none.
    pub memory: Option<u64>,
}

impl Limits {
    /// None.
    pub const NONE: Self = Self { time: None, memory: None };

    /// What somebody who waits for an answer has patience for: 8 seconds, and a gigabyte.
    pub const USUAL: Self = Self { time: Some(Duration::from_secs(8)), memory: Some(1 << 30) };

    /// Does nothing limit the work?
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::NONE
    }
}

/// Why work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It took as long as was allowed.
    Time {
        /// So long.
        allowed: Duration,
    },
    /// It was about to hold more memory than was allowed.
    Memory {
        /// As many bytes as were allowed.
        allowed: u64,
        /// As many as it would have held.
        wanted: u64,
    },
    /// Somebody had enough of it.
    Cancelled,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { allowed } => write!(f, "longer than {allowed:?}"),
            Self::Memory { allowed, wanted } => {
                write!(f, "{} of memory, more than {}", Bytes(*wanted), Bytes(*allowed))
            }
            Self::Cancelled => write!(f, "longer than somebody waited"),
        }
    }
}

/// A number of bytes, for people.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("TB", 40), ("GB", 30), ("MB", 20), ("kB", 10)];
        match units.into_iter().find(|(_, bits)| self.0 >> bits > 0) {
            Some((unit, bits)) => write!(f, "{:.1} {unit}", self.0 as f64 / (1u64 << bits) as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// Stops work from another thread.
///
/// ```
/// use hockeystick_numerics::limits::{Cancel, Stopped, cancellable, check};
///
/// let cancel = Cancel::default();
/// let (other, mut rounds) = (cancel.clone(), 0);
/// let stopped = cancellable(&cancel, || loop {
///     rounds += 1;
///     if rounds == 3 {
///         other.stop();
///     }
///     check();
/// });
/// assert_eq!((rounds, stopped), (3, Err::<(), _>(Stopped::Cancelled)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// From now on [`check`] leaves work that is inside [`cancellable`] with this handle.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
