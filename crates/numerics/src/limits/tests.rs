//! Work is left where its limits are, and nowhere else.

use super::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
    thread,
    time::Instant,
};

const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_secs(3600);

fn for_ever() {
    loop {
        check();
        thread::sleep(Duration::from_micros(50));
    }
}

fn time(time: Duration) -> Limits {
    Limits { time: Some(time), memory: None }
}

#[test]
fn work_without_limits_is_never_left() {
    check();
    assert_eq!(within(Limits::NONE, || claim::<u64>(usize::MAX / 8)).map(|_| ()), Ok(()));
    assert_eq!(within(time(LONG), || 7), Ok(7));
    assert_eq!(within(time(Duration::MAX), || 7), Ok(7));
}

#[test]
fn endless_work_is_left_in_time() {
    let started = Instant::now();
    assert_eq!(within(time(SHORT), for_ever), Err(Stopped::Time { allowed: SHORT }));
    assert!((SHORT..Duration::from_secs(5)).contains(&started.elapsed()));
    // The thread has no limits afterwards.
    check();
}

#[test]
fn the_outermost_limit_that_is_exceeded_counts() {
    let inner = || within(time(LONG), for_ever);
    assert_eq!(within(time(SHORT), inner), Err(Stopped::Time { allowed: SHORT }));
    let outer = || (within(time(SHORT), for_ever), 7);
    assert_eq!(within(time(LONG), outer), Ok((Err(Stopped::Time { allowed: SHORT }), 7)));
}

#[test]
fn panics_are_no_stops() {
    let panic = catch_unwind(|| within(time(LONG), || std::panic::resume_unwind(Box::new("bug"))));
    assert_eq!(*panic.unwrap_err().downcast::<&str>().unwrap(), "bug");
}

#[test]
fn memory_is_refused_before_it_is_used() {
    let limits = Limits { time: None, memory: Some(1000) };
    let work = || {
        drop(claim::<u8>(900));
        let first = claim::<u64>(100);
        let second = claim::<u8>(200);
        drop((first, second));
        let _held = claim::<u8>(600);
        claim::<u8>(401)
    };
    let stopped = within(limits, work).map(|_| ());
    assert_eq!(stopped, Err(Stopped::Memory { allowed: 1000, wanted: 1001 }));
}

#[test]
fn memory_of_work_that_was_left_is_given_back() {
    let limits = Limits { time: None, memory: Some(1000) };
    let outer = || {
        for _ in 0..3 {
            let inner = || {
                let _held = claim::<u8>(500);
                for_ever();
            };
            assert_eq!(within(time(SHORT), inner), Err(Stopped::Time { allowed: SHORT }));
        }
        drop(claim::<u8>(1000));
    };
    assert_eq!(within(limits, outer), Ok(()));
}

#[test]
fn helpers_have_the_same_limits() {
    let work = || {
        thread::scope(|scope| {
            let helper = helped(scope, for_ever);
            helper.join();
        });
    };
    assert_eq!(within(time(SHORT), work), Err(Stopped::Time { allowed: SHORT }));
    let memory = Limits { time: None, memory: Some(1000) };
    let claims = || {
        let _held = claim::<u8>(600);
        thread::scope(|scope| helped(scope, || drop(claim::<u8>(500))).join());
    };
    assert_eq!(within(memory, claims), Err(Stopped::Memory { allowed: 1000, wanted: 1100 }));
}

#[test]
fn work_is_left_while_a_helper_works() {
    let cancel = Cancel::default();
    let helper = || {
        cancel.stop();
        for_ever();
    };
    let work = || thread::scope(|scope| helped(scope, helper).join());
    assert_eq!(cancellable(&cancel, work), Err(Stopped::Cancelled));
}

#[test]
fn somebody_may_have_had_enough() {
    let asked = Arc::new(Mutex::new(0));
    let counter = asked.clone();
    let has_enough = move || {
        // What is asked may compute.
        assert_eq!(within(time(LONG), check), Ok(()));
        let mut count = counter.lock().unwrap();
        *count += 1;
        *count == 3
    };
    assert_eq!(attended(Duration::from_millis(2), has_enough, for_ever), Err(Stopped::Cancelled));
    assert_eq!(*asked.lock().unwrap(), 3);
    let quick = attended(LONG, || unreachable!("nobody waits"), || within(time(LONG), check));
    assert_eq!(quick, Ok(Ok(())));
}

#[test]
fn what_is_left_half_done_is_dropped() {
    let held = Arc::new(());
    let work = AssertUnwindSafe(|| {
        let _also = held.clone();
        for_ever();
    });
    assert!(within(time(SHORT), work).is_err());
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn reasons_are_readable() {
    let words = [
        Stopped::Time { allowed: Duration::from_millis(8500) },
        Stopped::Memory { allowed: 1 << 30, wanted: 5 << 29 },
        Stopped::Memory { allowed: 100, wanted: 2000 },
    ];
    assert_eq!(
        words.map(|why| why.to_string()),
        ["longer than 8.5s", "2.5 GB of memory, more than 1.0 GB", "2.0 kB of memory, more than 100 bytes"]
    );
}
