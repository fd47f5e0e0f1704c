//! What a question took, and what came of it.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What was seen of an errand.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How long it took by the clock on the wall.
    pub elapsed: Duration,
    /// How long all threads of the program worked meanwhile, where the system tells: on a busy machine the clock runs on while they wait.
    pub worked: Option<Duration>,
    /// The most memory that the program held meanwhile, in bytes, where the system tells.
    pub peak: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an errand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// An answer.
    Answered,
    /// A refusal.
    Refused,
    /// A panic, with its message.
    Panicked(String),
}
