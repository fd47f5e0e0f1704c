//! Work that a second thread begins while more of it is still being found.

use crate::two_threads::{as_one_of_two, as_the_last_of_two};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Calls `find`, which hands over tasks with about what they cost and gets their numbers, and does them meanwhile, those that cost most
/// first; returns what it found, and the results in the order of the tasks. Which thread does what makes no difference to them.
pub(super) fn beside<Task: Send, Done: Send, Found>(
    work: impl Fn(Task) -> Done + Sync,
    find: impl FnOnce(&dyn Fn(Task, usize) -> usize) -> Found,
) -> (Found, Vec<Done>) {
    let queue = Queue {
        state: Mutex::new(State {
            tasks: Vec::new(),
            number: 0,
            in_hand: 0,
            is_closed: false,
            done: Vec::new(),
        }),
        ready: Condvar::new(),
    };
    let found = thread::scope(|scope| {
        scope.spawn(|| as_one_of_two(|| queue.run(&work)));
        as_one_of_two(|| {
            let found = {
                let _closing = Closing(&queue);
                find(&|task, cost| queue.push(task, cost))
            };
            queue.run(&work);
            found
        })
    });
    let mut done = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).done;
    done.sort_by_key(|(number, _)| *number);
    (found, done.into_iter().map(|(_, done)| done).collect())
}

struct Queue<Task, Done> {
    state: Mutex<State<Task, Done>>,
    ready: Condvar,
}

struct State<Task, Done> {
    /// With their numbers and costs.
    tasks: Vec<(usize, usize, Task)>,
    /// How many there were so far.
    number: usize,
    /// How many are being done.
    in_hand: usize,
    is_closed: bool,
    done: Vec<(usize, Done)>,
}

impl<Task, Done> Queue<Task, Done> {
    fn state(&self) -> MutexGuard<'_, State<Task, Done>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, task: Task, cost: usize) -> usize {
        let mut state = self.state();
        let number = state.number;
        state.tasks.push((number, cost, task));
        state.number += 1;
        self.ready.notify_one();
        number
    }

    /// Does tasks until there will be no more.
    fn run(&self, work: &impl Fn(Task) -> Done) {
        loop {
            let mut state = self.state();
            let (number, task, is_last) = loop {
                let costliest = (0..state.tasks.len()).max_by_key(|i| state.tasks[*i].1);
                if let Some(index) = costliest {
                    let (number, _, task) = state.tasks.swap_remove(index);
                    let is_last = state.is_closed && state.tasks.is_empty() && state.in_hand == 0;
                    state.in_hand += 1;
                    break (number, task, is_last);
                }
                if state.is_closed {
                    return;
                }
                state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            drop(state);
            let done = if is_last { as_the_last_of_two(|| work(task)) } else { work(task) };
            let mut state = self.state();
            state.in_hand -= 1;
            state.done.push((number, done));
        }
    }
}

/// Closes the queue however the search ends: nobody waits for a search that panicked.
struct Closing<'a, Task, Done>(&'a Queue<Task, Done>);

impl<Task, Done> Drop for Closing<'_, Task, Done> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.ready.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for count in [0, 1, 2, 50] {
            let find = |hand_over: &dyn Fn(usize, usize) -> usize| {
                (0..count).map(|task| hand_over(task, task % 7)).collect::<Vec<usize>>()
            };
            let (numbers, squares) = beside(|task: usize| task * task, find);
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
            assert_eq!(squares, (0..count).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic = "no more"]
    fn a_search_that_panics_is_not_waited_for() {
        let find = |hand_over: &dyn Fn(usize, usize) -> usize| {
            hand_over(1, 1);
            assert!(hand_over(2, 1) > 5, "no more");
        };
        beside(|task: usize| task, find);
    }
}
