//! What is done, noted by tests that count it.

use std::cell::RefCell;

thread_local! {
    static DONE: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// This was done, to what is called so.
pub(crate) fn note(what: &str, name: impl ToString) {
    DONE.with_borrow_mut(|done| done.push(format!("{what} of {}", name.to_string())));
}

/// What is done on this thread meanwhile, in alphabetical order.
pub(crate) fn during(work: impl FnOnce()) -> Vec<String> {
    DONE.take();
    work();
    let mut done = DONE.take();
    done.sort();
    done
}
