//! Many figures at once.

use crate::{Entry, Failure, Figure};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Draws figures on all processors, and tells of each that is done. The order is kept.
pub fn draw_all<'a>(entries: &[&'a Entry], done: impl Fn(&'a Entry) + Sync) -> Vec<Result<Figure, Failure>> {
    let next = AtomicUsize::new(0);
    let drawn: Vec<Mutex<Option<Result<Figure, Failure>>>> =
        entries.iter().map(|_| Mutex::new(None)).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from).min(entries.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&entry) = entries.get(index) else { break };
                    let figure = (entry.draw)();
                    if let Ok(mut place) = drawn[index].lock() {
                        *place = Some(figure);
                    }
                    done(entry);
                }
            });
        }
    });
    let taken = |place: Mutex<Option<Result<Figure, Failure>>>| place.into_inner().ok().flatten();
    drawn.into_iter().map(|place| taken(place).unwrap_or(Err(Failure::Missing("the figure")))).collect()
}
