//! Signs of life, for whoever waits longer than a second in front of a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    sync::{
        Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// Nobody wonders before that.
const PATIENCE: Duration = Duration::from_secs(1);

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
                spinner.enable_steady_tick(Duration::from_millis(120));
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

/// Many things of the same kind, and a bar if they take long.
pub(crate) struct Progress {
    total: u64,
    started: Instant,
    is_seen: bool,
    bar: Mutex<(u64, Option<ProgressBar>)>,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Self {
        let is_seen = io::stderr().is_terminal();
        Self { total: total as u64, started: Instant::now(), is_seen, bar: Mutex::new((0, None)) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        if !self.is_seen {
            return;
        }
        let Ok(mut state) = self.bar.lock() else { return };
        state.0 += 1;
        if state.1.is_none() && self.started.elapsed() > PATIENCE {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len}, {eta} left");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            state.1 = Some(ProgressBar::new(self.total).with_style(style));
        }
        if let (done, Some(bar)) = &*state {
            bar.set_position(*done);
        }
    }

    pub(crate) fn finish(&self) {
        if let Ok(state) = self.bar.lock()
            && let Some(bar) = &state.1
        {
            bar.finish_and_clear();
        }
    }
}
