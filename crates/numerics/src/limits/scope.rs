//! The limits of the current thread, and how it leaves work that exceeds them.

use super::{Cancel, Limits, Stopped};
use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

thread_local! {
    static CURRENT: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
    /// Is this the thread that asks from time to time whether somebody has had enough, and when did it last?
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Limits, and those around them.
pub(super) struct Scope {
    pub(super) outer: Option<Arc<Scope>>,
    end: Option<(Instant, Duration)>,
    pub(super) memory: Option<u64>,
    /// The bytes that are claimed now.
    pub(super) held: AtomicU64,
    cancel: Option<Cancel>,
    attention: Option<Attention>,
}

/// How often somebody is asked whether they have had enough.
struct Attention {
    every: Duration,
    has_enough: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Scope {
    fn new() -> Self {
        Self {
            outer: current(),
            end: None,
            memory: None,
            held: AtomicU64::new(0),
            cancel: None,
            attention: None,
        }
    }

    /// This one, and those around it.
    pub(super) fn all(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |scope| scope.outer.as_ref())
    }

    fn exceeded(&self, now: Instant) -> Option<Stopped> {
        if self.cancel.as_ref().is_some_and(Cancel::is_stopped) {
            return Some(Stopped::Cancelled);
        }
        self.end.filter(|(end, _)| now >= *end).map(|(_, allowed)| Stopped::Time { allowed })
    }
}

/// What work is left with, and up to where.
struct Leaving {
    scope: Arc<Scope>,
    why: Stopped,
}

/// Leaves the work that was begun with these limits.
pub(super) fn leave(scope: Arc<Scope>, why: Stopped) -> ! {
    resume_unwind(Box::new(Leaving { scope, why }))
}

pub(super) fn current() -> Option<Arc<Scope>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Has this thread no limits?
pub(super) fn is_free() -> bool {
    CURRENT.with_borrow(Option::is_none)
}

/// The limits of this thread until it is dropped.
pub(super) struct Entered(Option<Arc<Scope>>);

impl Entered {
    pub(super) fn new(scope: Option<Arc<Scope>>) -> Self {
        Self(CURRENT.replace(scope))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Asks from now on, until it is dropped.
struct Asking(Option<Instant>);

impl Drop for Asking {
    fn drop(&mut self) {
        ASKED.set(self.0);
    }
}

fn run<T>(scope: Scope, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let scope = Arc::new(scope);
    let result = {
        let _entered = Entered::new(Some(scope.clone()));
        catch_unwind(AssertUnwindSafe(work))
    };
    result.map_err(|payload| match payload.downcast::<Leaving>() {
        Ok(leaving) if Arc::ptr_eq(&leaving.scope, &scope) => leaving.why,
        // Limits further out are exceeded.
        Ok(leaving) => resume_unwind(leaving),
        Err(panic) => resume_unwind(panic),
    })
}

/// What `work` makes, unless it takes longer or holds more than is allowed. Limits around it hold, too.
///
/// What work that is left half done has changed should not be looked at again.
pub fn within<T>(limits: Limits, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    if limits.are_none() {
        return Ok(work());
    }
    // A time that no clock reaches is no limit.
    let end = limits.time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
    run(Scope { end, memory: limits.memory, ..Scope::new() }, work)
}

/// What `work` makes, unless another thread stops it.
pub fn cancellable<T>(cancel: &Cancel, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    run(Scope { cancel: Some(cancel.clone()), ..Scope::new() }, work)
}

/// What `work` makes, unless `has_enough` says so, which this thread asks every now and then.
pub fn attended<T>(
    every: Duration,
    has_enough: impl Fn() -> bool + Send + Sync + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, Stopped> {
    let attention = Some(Attention { every, has_enough: Box::new(has_enough) });
    let _asking = Asking(ASKED.replace(Some(Instant::now())));
    run(Scope { cancel: Some(Cancel::default()), attention, ..Scope::new() }, work)
}

/// Leaves the current work if one of its limits is exceeded. It takes some nanoseconds, so it stands wherever a
/// round of a loop takes a microsecond or more.
pub fn check() {
    CURRENT.with_borrow(|current| {
        let Some(scope) = current else { return };
        let now = Instant::now();
        // The outermost limit counts: there is no use in trying anything else within it.
        let exceeded = scope.all().filter_map(|scope| Some((scope, scope.exceeded(now)?))).last();
        if let Some((scope, why)) = exceeded {
            leave(scope.clone(), why);
        }
    });
    if ASKED.get().is_some() {
        ask();
    }
}

/// Asks whether somebody has had enough, if that is due. (What is asked may set limits of its own.)
fn ask() {
    let (Some(scope), Some(last)) = (current(), ASKED.get()) else { return };
    for scope in scope.all() {
        if let Some(Attention { every, has_enough }) = &scope.attention
            && last.elapsed() >= *every
        {
            // Not while it is asked, either.
            ASKED.set(Some(Instant::now()));
            let enough = has_enough();
            ASKED.set(Some(Instant::now()));
            if enough {
                scope.cancel.iter().for_each(Cancel::stop);
                leave(scope.clone(), Stopped::Cancelled);
            }
        }
    }
}
