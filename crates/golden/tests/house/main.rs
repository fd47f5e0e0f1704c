//! The rules of the house, checked on the sources: every file says what it is for, and layers keep to what they know.
//!
//! In: the files of the repository as text. Out: nothing, or the file and what is wrong with it. ARCHITECTURE.md has the
//! rules; this is where they fail.

mod cycles;
mod layers;
mod modules;
mod openings;
mod source;
