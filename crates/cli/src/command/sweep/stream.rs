//! Rows on their way to standard output.

use crate::{failure::Failure, output};

/// Why no more rows are wanted.
pub(super) enum Stop {
    /// The reader has gone away.
    NobodyReads,
    Failed(Failure),
}

/// Lines on their way to standard output. Nothing is written before there is an answer: a sweep without any is a complaint.
pub(super) struct Stream {
    is_begun: bool,
    held_back: Vec<String>,
}

impl Stream {
    /// Nothing but the header yet.
    pub(super) fn new(header: String) -> Self {
        Self { is_begun: false, held_back: vec![header] }
    }

    pub(super) fn push(&mut self, line: String, is_answer: bool) -> Result<(), Stop> {
        self.is_begun |= is_answer;
        self.held_back.push(line);
        if !self.is_begun {
            return Ok(());
        }
        for line in self.held_back.drain(..) {
            match output::line(&line) {
                Ok(true) => {}
                Ok(false) => return Err(Stop::NobodyReads),
                Err(failure) => return Err(Stop::Failed(failure)),
            }
        }
        Ok(())
    }
}
