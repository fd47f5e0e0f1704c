//! hockeystick: a differential-privacy accountant whose answers are certified intervals.

pub mod mechanism;
