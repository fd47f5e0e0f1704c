//! Work of which a second thread does one half.
//!
//! Halves of halves are not shared again: a third thread would wait for one of the two. What is made never depends on who makes it.

use std::{cell::Cell, ops::Range, thread};

thread_local! {
    static IS_ONE_OF_TWO: Cell<bool> = const { Cell::new(false) };
}

/// Does something as one of two threads.
pub(crate) fn as_one_of_two<Made>(make: impl FnOnce() -> Made) -> Made {
    with(true, make)
}

/// Does something as one of two threads, of which the other has nothing left to do.
pub(crate) fn as_the_last_of_two<Made>(make: impl FnOnce() -> Made) -> Made {
    with(false, make)
}

fn with<Made>(is_one_of_two: bool, make: impl FnOnce() -> Made) -> Made {
    /// Also after a panic.
    struct Restored(bool);
    impl Drop for Restored {
        fn drop(&mut self) {
            IS_ONE_OF_TWO.set(self.0);
        }
    }
    let _restored = Restored(IS_ONE_OF_TWO.replace(is_one_of_two));
    make()
}

/// What `one` makes of every item, in their order; alone if there are fewer than `many`.
pub(crate) fn mapped<Item: Sync, Made: Send>(
    items: &[Item],
    many: usize,
    one: impl Fn(&Item) -> Made + Sync,
) -> Vec<Made> {
    let some = |items: &[Item]| -> Vec<Made> { items.iter().map(&one).collect() };
    if items.len() < many {
        return some(items);
    }
    let (first, second) = items.split_at(items.len() / 2);
    let (mut all, rest) = both(|| some(first), || some(second));
    all.extend(rest);
    all
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

/// What two tasks make that do not need each other, if both make something.
pub(crate) fn both_or_none<First, Second: Send>(
    first: impl FnOnce() -> Option<First>,
    second: impl FnOnce() -> Option<Second> + Send,
) -> Option<(First, Second)> {
    if IS_ONE_OF_TWO.get() {
        return Some((first()?, second()?));
    }
    let (first, second) = both(first, second);
    Some((first?, second?))
}

/// What two tasks make that do not need each other.
fn both<First, Second: Send>(
    first: impl FnOnce() -> First,
    second: impl FnOnce() -> Second + Send,
) -> (First, Second) {
    if IS_ONE_OF_TWO.get() {
        return (first(), second());
    }
    thread::scope(|scope| {
        let second = scope.spawn(|| as_one_of_two(second));
        let first = as_one_of_two(first);
        // A panic there goes on here.
        (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
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
    fn a_half_is_not_shared_again() {
        let here = || thread::current().id();
        let ((one, other), second) = both(|| both(here, here), || both(here, here));
        assert_eq!([one, other], [here(); 2]);
        assert_eq!(second.0, second.1);
        assert_ne!(second.0, here());
        // Afterwards there are two again.
        assert_ne!(both(here, here).1, here());
    }

    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..101).collect();
        let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        for many in [0, 101, 102] {
            assert_eq!(mapped(&items, many, |item| 2 * item), doubled);
        }
    }
}
