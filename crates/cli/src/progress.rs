//! Signs of life, for whoever waits longer than a second in front of a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

/// Nobody wonders before that.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(120);

/// Does something, and shows a spinner if it takes long.
pub(crate) fn watched<T>(work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message("composing …");
                spinner.enable_steady_tick(TICK);
                // An error here is the end of the work, too.
                let _ = is_done.recv();
                spinner.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Many things of the same kind, and a bar if they take long, be it the first of them.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Waits for the patience to end; none if nobody looks.
    watch: Option<(mpsc::Sender<()>, thread::JoinHandle<()>)>,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        if !io::stderr().is_terminal() {
            return Self { bar, watch: None };
        }
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} after {elapsed}") {
            bar.set_style(style);
        }
        let (done, is_done) = mpsc::channel::<()>();
        let shown = bar.clone();
        let watch = thread::spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Self { bar, watch: Some((done, watch)) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    /// The bar goes, however the work ended.
    fn drop(&mut self) {
        if let Some((done, watch)) = self.watch.take() {
            drop(done);
            let _ = watch.join();
            self.bar.finish_and_clear();
        }
    }
}
