//! Work that a second thread begins while more of it is still being found.

use crate::two_threads::Crew;
use hockeystick_numerics::limits::{check, helped};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// How often who waits for the other looks whether there is any time left.
const PATIENCE: Duration = Duration::from_millis(20);

/// Calls `find`, which hands over tasks with about what they cost, and does them meanwhile, those that cost most first; returns what it found,
/// and the results in the order of the tasks. Which thread does what makes no difference to them.
pub(super) fn beside<Task: Send, Done: Send, Found>(
    work: impl Fn(Task) -> Done + Sync,
    find: impl FnOnce(Tasks<'_, Task, Done>) -> Found,
) -> (Found, Vec<Done>) {
    let state = State { tasks: Vec::new(), in_hand: 0, is_closed: false, done: Vec::new() };
    let queue = Queue { state: Mutex::new(state), changed: Condvar::new(), crew: Crew::of(1) };
    let found = thread::scope(|scope| {
        let other = helped(scope, || queue.run(&work));
        let closing = Closing(&queue);
        let found = queue.crew.work(|| {
            let tasks = Tasks { queue: &queue, work: &work };
            let found = find(tasks);
            while tasks.help() {}
            found
        });
        drop(closing);
        other.join();
        found
    });
    let done = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).done;
    (found, done.into_iter().flatten().collect())
}

/// Tasks that were handed over.
pub(super) struct Tasks<'a, Task, Done> {
    queue: &'a Queue<Task, Done>,
    work: &'a (dyn Fn(Task) -> Done + Sync),
}

impl<Task, Done> Clone for Tasks<'_, Task, Done> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Task, Done> Copy for Tasks<'_, Task, Done> {}

impl<Task, Done> Tasks<'_, Task, Done> {
    /// Hands over one; returns its number.
    pub(super) fn add(self, task: Task, cost: usize) -> usize {
        let mut state = self.queue.state();
        let number = state.done.len();
        state.done.push(None);
        state.tasks.push((number, cost, task));
        self.queue.changed.notify_all();
        number
    }

    /// What is said of a task that is done.
    pub(super) fn look<Seen>(self, number: usize, see: impl FnOnce(&Done) -> Seen) -> Option<Seen> {
        self.queue.state().done[number].as_ref().map(see)
    }

    /// Are all tasks done that were handed over so far?
    fn are_done(self) -> bool {
        let state = self.queue.state();
        state.tasks.is_empty() && state.in_hand == 0
    }

    /// Does a task, or waits for one that the other thread does; `false` if there is none.
    pub(super) fn help(self) -> bool {
        let mut state = self.queue.state();
        if let Some((number, task)) = state.take() {
            drop(state);
            self.queue.finish(number, (self.work)(task));
            return true;
        }
        if state.in_hand == 0 {
            return false;
        }
        let before = state.in_hand;
        self.queue.crew.pause();
        while state.in_hand == before {
            drop(state);
            check();
            let waited = self.queue.changed.wait_timeout(self.queue.state(), PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.queue.crew.begin();
        true
    }
}

impl<Task, Done> Tasks<'_, Task, Option<Done>> {
    /// The place, among some tasks, of the first that came to nothing: of those that are done, or of all if they are awaited.
    pub(super) fn first_failed(
        self,
        numbers: impl Iterator<Item = Option<usize>> + Clone,
        are_awaited: bool,
    ) -> Option<usize> {
        let has_failed = |number: usize| self.look(number, Option::is_none).unwrap_or(false);
        loop {
            // Asked before: the last one may fail after it was looked at.
            let are_done = self.are_done();
            let failed = numbers.clone().position(|number| number.is_some_and(has_failed));
            if failed.is_some() || !are_awaited || are_done {
                return failed;
            }
            self.help();
        }
    }
}

struct Queue<Task, Done> {
    state: Mutex<State<Task, Done>>,
    changed: Condvar,
    crew: Crew,
}

struct State<Task, Done> {
    /// With their numbers and costs.
    tasks: Vec<(usize, usize, Task)>,
    /// How many are being done.
    in_hand: usize,
    is_closed: bool,
    done: Vec<Option<Done>>,
}

impl<Task, Done> State<Task, Done> {
    /// The costliest of the tasks.
    fn take(&mut self) -> Option<(usize, Task)> {
        let index = (0..self.tasks.len()).max_by_key(|i| self.tasks[*i].1)?;
        let (number, _, task) = self.tasks.swap_remove(index);
        self.in_hand += 1;
        Some((number, task))
    }
}

impl<Task, Done> Queue<Task, Done> {
    fn state(&self) -> MutexGuard<'_, State<Task, Done>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, number: usize, done: Done) {
        let mut state = self.state();
        state.in_hand -= 1;
        state.done[number] = Some(done);
        self.changed.notify_all();
    }

    /// Does tasks until there will be no more.
    fn run(&self, work: &impl Fn(Task) -> Done) {
        /// Nobody waits for a task that panicked.
        struct Dropped<'a, Task, Done>(&'a Queue<Task, Done>);
        impl<Task, Done> Drop for Dropped<'_, Task, Done> {
            fn drop(&mut self) {
                if thread::panicking() {
                    self.0.state().in_hand -= 1;
                    self.0.changed.notify_all();
                }
            }
        }
        let mut state = self.state();
        loop {
            if let Some((number, task)) = state.take() {
                drop(state);
                self.crew.begin();
                let done = self.crew.work(|| {
                    let _dropped = Dropped(self);
                    work(task)
                });
                self.finish(number, done);
                state = self.state();
            } else if state.is_closed {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Closes the queue however the search ends: nobody waits for a search that panicked.
struct Closing<'a, Task, Done>(&'a Queue<Task, Done>);

impl<Task, Done> Drop for Closing<'_, Task, Done> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for count in [0, 1, 2, 50] {
            let find = |tasks: Tasks<'_, usize, usize>| {
                (0..count).map(|task| tasks.add(task, task % 7)).collect::<Vec<usize>>()
            };
            let (numbers, squares) = beside(|task: usize| task * task, find);
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
            assert_eq!(squares, (0..count).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    fn help_ends_when_all_is_done() {
        let find = |tasks: Tasks<'_, usize, usize>| {
            let numbers = [tasks.add(3, 1), tasks.add(5, 1)];
            while tasks.help() {}
            numbers.map(|number| tasks.look(number, |done| *done))
        };
        assert_eq!(beside(|task: usize| task * task, find).0, [Some(9), Some(25)]);
    }

    /// A failure was overlooked if it came after the task was looked at, and before all tasks were found to be done.
    #[test]
    fn no_failure_comes_too_late() {
        let [has_begun, may_end] = [(); 2].map(|()| AtomicBool::new(false));
        let wait_for = |flag: &AtomicBool| {
            while !flag.load(Ordering::Acquire) {
                thread::yield_now();
            }
        };
        let work = |()| {
            has_begun.store(true, Ordering::Release);
            wait_for(&may_end);
            None::<()>
        };
        let find = |tasks: Tasks<'_, (), Option<()>>| {
            let first = tasks.add((), 1);
            wait_for(&has_begun);
            // It fails while the next one is looked at.
            let numbers = [Some(first), None].into_iter().inspect(|number| {
                if number.is_none() {
                    may_end.store(true, Ordering::Release);
                    while tasks.look(first, |_| ()).is_none() {
                        thread::yield_now();
                    }
                }
            });
            tasks.first_failed(numbers, true)
        };
        assert_eq!(beside(work, find).0, Some(0));
    }

    #[test]
    #[should_panic = "no more"]
    fn a_search_that_panics_is_not_waited_for() {
        let find = |tasks: Tasks<'_, usize, usize>| {
            tasks.add(1, 1);
            assert!(tasks.add(2, 1) > 5, "no more");
        };
        beside(|task: usize| task, find);
    }

    #[test]
    #[should_panic = "panicked"]
    fn a_task_that_panics_is_not_waited_for() {
        let work = |task: usize| {
            assert!(task != 1, "panicked");
            task
        };
        beside(work, |tasks| (tasks.add(1, 1), tasks.add(2, 1)));
    }
}
