//! A list of tasks for all cores, with results in order.

use crate::two_threads::without_help;
use hockeystick_numerics::limits::{check, helped};
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// How often the thread that waits for results looks at its limits.
const PATIENCE: Duration = Duration::from_millis(20);

/// `work` for every number below `count`, on all cores. Each number and its result are handed on in rising order, on this thread, as soon as
/// all before them are there, until that breaks.
///
/// The limits of this thread hold for all workers.
pub fn in_order<Made: Send, Stop>(
    count: usize,
    work: impl Fn(usize) -> Made + Sync,
    mut hand_on: impl FnMut(usize, Made) -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(count);
    if workers <= 1 {
        for at in 0..count {
            check();
            hand_on(at, work(at))?;
        }
        return ControlFlow::Continue(());
    }
    let (next, is_ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let take = || {
        check();
        let at = next.fetch_add(1, Ordering::Relaxed);
        (at < count && !is_ended.load(Ordering::Relaxed)).then_some(at)
    };
    thread::scope(|scope| {
        let (made, coming) = channel();
        let workers: Vec<_> = (0..workers)
            .map(|_| {
                let (made, take, work) = (made.clone(), &take, &work);
                helped(scope, move || {
                    without_help(|| {
                        while let Some(at) = take()
                            && made.send((at, work(at))).is_ok()
                        {}
                    });
                })
            })
            .collect();
        drop(made);
        let end = handed_on(&coming, &mut hand_on);
        is_ended.store(true, Ordering::Relaxed);
        // What a worker did not survive, neither does this thread.
        workers.into_iter().for_each(|worker| worker.join());
        end
    })
}

/// Hands results on in order until all workers are done.
fn handed_on<Made, Stop>(
    coming: &Receiver<(usize, Made)>,
    hand_on: &mut impl FnMut(usize, Made) -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    let (mut due, mut early) = (0, BTreeMap::new());
    loop {
        check();
        match coming.recv_timeout(PATIENCE) {
            Ok((at, made)) => early.insert(at, made),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return ControlFlow::Continue(()),
        };
        while let Some(made) = early.remove(&due) {
            hand_on(due, made)?;
            due += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::limits::{Limits, Stopped, within};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn squares(count: usize, last: usize) -> (Vec<usize>, ControlFlow<usize>) {
        let mut handed = Vec::new();
        let end = in_order(
            count,
            |n| n * n,
            |at, square| {
                assert_eq!(square, at * at);
                handed.push(at);
                if at == last { ControlFlow::Break(at) } else { ControlFlow::Continue(()) }
            },
        );
        (handed, end)
    }

    #[test]
    fn results_come_in_order_until_nobody_wants_more() {
        for count in [0, 1, 2, 1000] {
            assert_eq!(squares(count, usize::MAX), ((0..count).collect(), ControlFlow::Continue(())));
        }
        assert_eq!(squares(100_000, 5), ((0..=5).collect(), ControlFlow::Break(5)));
    }

    #[test]
    fn limits_hold_for_all_together() {
        let allowed = Duration::from_millis(30);
        let forever = || in_order(usize::MAX, |_| (), |_, ()| ControlFlow::<()>::Continue(()));
        let stopped = within(Limits { time: Some(allowed), memory: None }, forever);
        assert_eq!(stopped.map(|_| ()), Err(Stopped::Time { allowed }));
    }

    #[test]
    fn a_panic_is_not_kept_secret() {
        let work = |at: usize| assert_ne!(at, 7, "seven");
        let all = || in_order(100, work, |_, ()| ControlFlow::<()>::Continue(()));
        assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
    }
}
