//! A list of independent tasks, one half of which a second thread does.

use std::thread;

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
    thread::scope(|scope| {
        let second = scope.spawn(|| some(second));
        let mut all = some(first);
        // A panic there goes on here.
        all.extend(second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        all
    })
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
    }
}
