//! A list of tasks that two threads share.
//!
//! In: items, and what is to be made of each. Out: what was made, in their order; it never depends on who made it.

use hockeystick_numerics::limits::{check, helped};
use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

thread_local! {
    /// Does this thread share its work already? A third one would only wait for one of the two.
    static IS_SHARING: Cell<bool> = const { Cell::new(false) };
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
    if items.len() < many || IS_SHARING.get() {
        return some(items);
    }
    let pieces: Vec<&[Item]> = items.chunks(items.len().div_ceil(PIECES).max(1)).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Vec<Made>)> {
        let _sharing = Sharing::begin();
        let place = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < pieces.len());
        std::iter::from_fn(place).map(|place| (place, some(pieces[place]))).collect()
    };
    let mut made = thread::scope(|scope| {
        let second = helped(scope, work);
        let mut made = work();
        made.extend(second.join());
        made
    });
    made.sort_by_key(|(place, _)| *place);
    made.into_iter().flat_map(|(_, some)| some).collect()
}

/// What `work` makes without the help of another thread: where every core has work of its own.
pub(crate) fn without_help<Made>(work: impl FnOnce() -> Made) -> Made {
    let _sharing = Sharing::begin();
    work()
}

/// As long as this lives, the thread takes no further help; also after a panic it is over.
struct Sharing;

impl Sharing {
    fn begin() -> Self {
        IS_SHARING.set(true);
        Self
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        IS_SHARING.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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

    #[test]
    fn work_is_not_shared_twice() {
        let items = [(); 64];
        let makers = mapped(&items, 0, |()| {
            let inner: HashSet<_> = mapped(&items, 0, |()| thread::current().id()).into_iter().collect();
            inner.len()
        });
        assert_eq!(makers, [1; 64]);
        assert!(!IS_SHARING.get());
    }
}
