//! Threads that help another one work within its limits.

use super::{
    check,
    scope::{Entered, Scope, current, is_free},
};
use std::{
    panic::resume_unwind,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// How often a thread that waits for another one looks at its own limits.
const PATIENCE: Duration = Duration::from_millis(20);

/// The limits of the thread that made it, for another one.
#[derive(Clone)]
pub struct Inherited(Option<Arc<Scope>>);

impl std::fmt::Debug for Inherited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inherited").finish_non_exhaustive()
    }
}

/// The limits of this thread.
#[must_use]
pub fn inherited() -> Inherited {
    Inherited(current())
}

impl Inherited {
    /// What `work` makes within these limits. Work that exceeds them unwinds: whoever joins this thread goes on unwinding.
    pub fn work<T>(&self, work: impl FnOnce() -> T) -> T {
        let _entered = Entered::new(self.0.clone());
        work()
    }
}

/// A thread that works within the limits of the one that waits for it.
pub struct Helper<'scope, T> {
    handle: thread::ScopedJoinHandle<'scope, T>,
    /// Closed when the work is done.
    done: Receiver<()>,
}

impl<T> std::fmt::Debug for Helper<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Helper").field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// Begins some work on another thread, within the limits of this one.
pub fn helped<'scope, 'env, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Helper<'scope, T> {
    let (inherited, (begun, done)) = (inherited(), channel());
    let handle = scope.spawn(move || {
        // Dropped however the work ends.
        let _begun = begun;
        inherited.work(work)
    });
    Helper { handle, done }
}

impl<T> Helper<'_, T> {
    /// What it made. A panic there goes on here, and so does leaving work that exceeds its limits.
    pub fn join(self) -> T {
        if !is_free() {
            while self.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                check();
            }
        }
        self.handle.join().unwrap_or_else(|payload| resume_unwind(payload))
    }
}
