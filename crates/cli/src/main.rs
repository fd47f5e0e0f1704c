//! The command line: arguments → library → report.
fn main() {}
