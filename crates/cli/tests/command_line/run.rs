//! Runs the binary.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
    thread,
};

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the binary writes text");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A command in which the terminal of whoever runs the tests plays no part.
pub(crate) fn isolated(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_remove("COLUMNS").env_remove("LINES").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn binary() -> Command {
    isolated(env!("CARGO_BIN_EXE_hockeystick"))
}

pub(crate) fn run(arguments: &[&str]) -> Run {
    binary().args(arguments).output().unwrap().into()
}

pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = binary().args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // The binary may stop reading before the end; that is its right.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap().into()
    })
}

impl Run {
    /// The output of a run that answered as asked.
    pub(crate) fn answered(&self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        self.stdout.clone()
    }
}
