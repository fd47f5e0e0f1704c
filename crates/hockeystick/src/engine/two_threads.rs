//! A list of independent tasks, some of which a second thread does.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Into so many pieces a list is cut: whoever has finished one takes the next.
const PIECES: usize = 32;

/// What `one` makes of every item, in their order; alone if there are fewer than `many`. Which thread makes what depends on how fast they are, what is
/// made does not.
pub(crate) fn mapped<Item: Sync, Made: Send>(
    items: &[Item],
    many: usize,
    one: impl Fn(&Item) -> Made + Sync,
) -> Vec<Made> {
    let some = |items: &[Item]| -> Vec<Made> { items.iter().map(&one).collect() };
    if items.len() < many {
        return some(items);
    }
    let pieces: Vec<&[Item]> = items.chunks(items.len().div_ceil(PIECES).max(1)).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Vec<Made>)> {
        let place = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < pieces.len());
        std::iter::from_fn(place).map(|place| (place, some(pieces[place]))).collect()
    };
    let mut made = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut made = work();
        // A panic there goes on here.
        made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        made
    });
    made.sort_by_key(|(place, _)| *place);
    made.into_iter().flat_map(|(_, some)| some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
