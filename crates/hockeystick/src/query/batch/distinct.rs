//! What is asked more than once.

use super::workers;
use std::{collections::HashMap, hash::Hash, ops::ControlFlow};

/// Which items of a list are equal, and so have one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// The place of the first of each kind.
    firsts: Vec<usize>,
    /// The kind of each item.
    kinds: Vec<usize>,
}

impl Distinct {
    /// Items are equal if they have the same key and `are_equal` confirms it of their places.
    pub fn of<Key: Hash + Eq>(
        keys: impl IntoIterator<Item = Key>,
        are_equal: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let (mut firsts, mut kinds): (Vec<usize>, Vec<usize>) = Default::default();
        let mut known: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, key) in keys.into_iter().enumerate() {
            let alike = known.entry(key).or_default();
            let kind = match alike.iter().find(|kind| are_equal(firsts[**kind], at)) {
                Some(kind) => *kind,
                None => {
                    alike.push(firsts.len());
                    firsts.push(at);
                    firsts.len() - 1
                }
            };
            kinds.push(kind);
        }
        Self { firsts, kinds }
    }

    /// How many different items there are.
    pub fn count(&self) -> usize {
        self.firsts.len()
    }

    /// `work` for one item of each kind, on all cores. Every item's place and result are handed on in order, as soon as all before it
    /// are there, until that breaks.
    pub fn in_order<Made: Clone + Send, Stop>(
        &self,
        work: impl Fn(usize) -> Made + Sync,
        mut hand_on: impl FnMut(usize, Made) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        let mut left: Vec<usize> = vec![0; self.firsts.len()];
        self.kinds.iter().for_each(|kind| left[*kind] += 1);
        let mut made: Vec<Option<Made>> = Vec::with_capacity(self.firsts.len());
        let mut due = 0;
        workers::in_order(
            self.firsts.len(),
            |kind| work(self.firsts[kind]),
            |_, new| {
                made.push(Some(new));
                // Kinds are numbered as they first appear.
                while let Some(&kind) = self.kinds.get(due).filter(|kind| **kind < made.len()) {
                    left[kind] -= 1;
                    let shared = if left[kind] == 0 { made[kind].take() } else { made[kind].clone() };
                    hand_on(due, shared.expect("it is kept while items of its kind are left"))?;
                    due += 1;
                }
                ControlFlow::Continue(())
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        convert::Infallible,
        sync::atomic::{AtomicUsize, Ordering},
    };

    #[test]
    fn equal_items_are_worked_on_once() {
        let items = ["b", "a", "b", "c", "a", "b", "d"];
        let distinct = Distinct::of(items, |_, _| true);
        let (worked, mut handed) = (AtomicUsize::new(0), Vec::new());
        let all: ControlFlow<Infallible> = distinct.in_order(
            |at| {
                worked.fetch_add(1, Ordering::Relaxed);
                items[at]
            },
            |at, made| {
                handed.push((at, made));
                ControlFlow::Continue(())
            },
        );
        assert_eq!(all, ControlFlow::Continue(()));
        assert_eq!((worked.into_inner(), distinct.count()), (4, 4));
        assert_eq!(handed, items.into_iter().enumerate().collect::<Vec<_>>());
    }

    #[test]
    fn a_key_is_not_enough() {
        let items = [1, 2, 1, 2];
        let distinct = Distinct::of([0; 4], |a, b| items[a] == items[b]);
        assert_eq!((distinct.firsts, distinct.kinds), (vec![0, 1], vec![0, 1, 0, 1]));
    }

    #[test]
    fn nothing_is_asked_of_nothing() {
        let distinct = Distinct::of([(); 0], |_, _| true);
        let all: ControlFlow<()> =
            distinct.in_order(|_| unreachable!(), |_, ()| unreachable!("nothing is made"));
        assert_eq!((distinct.count(), all), (0, ControlFlow::Continue(())));
    }
}
