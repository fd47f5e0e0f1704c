//! Work that two threads share.
//!
//! Halves of halves are not shared again unless the other thread has nothing left to do: a third one would only wait for one of the two.
//! What is made never depends on who makes it.

use hockeystick_numerics::limits::{check, helped};
use std::{
    cell::RefCell,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Two threads, and how many of them are at work.
#[derive(Clone, Debug)]
pub(crate) struct Crew {
    busy: Arc<AtomicUsize>,
}

thread_local! {
    /// The crew that this thread works for.
    static CREW: RefCell<Option<Crew>> = const { RefCell::new(None) };
}

impl Crew {
    /// Of which so many are at work.
    pub(crate) fn of(busy: usize) -> Self {
        Self { busy: Arc::new(AtomicUsize::new(busy)) }
    }

    /// One more begins to work.
    pub(crate) fn begin(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
    }

    /// One of them has nothing to do.
    pub(crate) fn pause(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    /// Does the work of one that is counted as busy, and counts it no more afterwards.
    pub(crate) fn work<Made>(&self, make: impl FnOnce() -> Made) -> Made {
        /// Also after a panic.
        struct Done<'a> {
            crew: &'a Crew,
            before: Option<Crew>,
        }
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.crew.pause();
                CREW.set(self.before.take());
            }
        }
        let _done = Done { crew: self, before: CREW.replace(Some(self.clone())) };
        make()
    }
}

/// Is there no other thread that would have to wait for a second one?
fn is_alone() -> bool {
    CREW.with_borrow(|crew| crew.as_ref().is_none_or(|crew| crew.busy.load(Ordering::Relaxed) < 2))
}

/// What two tasks make that do not need each other.
fn both<First, Second: Send>(
    first: impl FnOnce() -> First,
    second: impl FnOnce() -> Second + Send,
) -> (First, Second) {
    if !is_alone() {
        return (first(), second());
    }
    let crew = Crew::of(2);
    thread::scope(|scope| {
        let second = helped(scope, || crew.work(second));
        let first = crew.work(first);
        (first, second.join())
    })
}

/// The same, if both make something.
pub(crate) fn both_or_none<First, Second: Send>(
    first: impl FnOnce() -> Option<First>,
    second: impl FnOnce() -> Option<Second> + Send,
) -> Option<(First, Second)> {
    if !is_alone() {
        return Some((first()?, second()?));
    }
    let (first, second) = both(first, second);
    Some((first?, second?))
}

/// What `one` makes of `0..count`, or of each half if that is worth it.
pub(crate) fn halves<Made: Send>(
    count: usize,
    is_worth_it: bool,
    one: impl Fn(Range<usize>) -> Made + Sync,
) -> (Made, Option<Made>) {
    if !is_worth_it {
        return (one(0..count), None);
    }
    let middle = count / 2;
    let (first, second) = both(|| one(0..middle), || one(middle..count));
    (first, Some(second))
}

/// Into so many pieces a list is cut: whoever has finished one takes the next.
const PIECES: usize = 32;

/// What `one` makes of every item, in their order; alone if there are fewer than `many`.
pub(crate) fn mapped<Item: Sync, Made: Send>(
    items: &[Item],
    many: usize,
    one: impl Fn(&Item) -> Made + Sync,
) -> Vec<Made> {
    let some = |items: &[Item]| -> Vec<Made> {
        check();
        items.iter().map(&one).collect()
    };
    if items.len() < many || !is_alone() {
        return some(items);
    }
    let pieces: Vec<&[Item]> = items.chunks(items.len().div_ceil(PIECES).max(1)).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Vec<Made>)> {
        let place = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < pieces.len());
        std::iter::from_fn(place).map(|place| (place, some(pieces[place]))).collect()
    };
    let (mut made, more) = both(work, work);
    made.extend(more);
    made.sort_by_key(|(place, _)| *place);
    made.into_iter().flat_map(|(_, some)| some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_all_of_it() {
        for count in [0, 1, 2, 7] {
            assert_eq!(halves(count, false, |range| range), (0..count, None));
            assert_eq!(halves(count, true, |range| range), (0..count / 2, Some(count / 2..count)));
        }
    }

    #[test]
    fn a_half_is_shared_again_only_if_the_other_is_done() {
        let here = || thread::current().id();
        let crew = Crew::of(2);
        crew.work(|| {
            assert_eq!(both(here, here).1, here());
            crew.pause();
            assert_ne!(both(here, here).1, here());
            crew.begin();
            assert_eq!(both_or_none(|| Some(here()), || Some(here())), Some((here(), here())));
        });
        // Afterwards there are two again.
        assert_ne!(both(here, here).1, here());
    }

    #[test]
    fn nothing_is_made_of_half() {
        let (some, none) = (|| Some(1), || None::<i32>);
        assert_eq!(both_or_none(some, some), Some((1, 1)));
        assert_eq!(both_or_none(some, none), None);
        assert_eq!(both_or_none(none, some), None);
    }

    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..101).collect();
        let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        for many in [0, 101, 102] {
            assert_eq!(mapped(&items, many, |item| 2 * item), doubled);
        }
        for count in [0, 1, 5, 33, 64] {
            assert_eq!(mapped(&items[..count], 0, |item| 2 * item), doubled[..count]);
        }
    }
}
