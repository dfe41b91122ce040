//! What the end-to-end tests share: running the `adj` command, and other programs, with a time limit.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a program ended and what it said.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; a program ended by a signal has 128 and the signal's number, as in a shell.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The `adj` command, without colour.
pub fn adj(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adj"));
    command.args(args).env("NO_COLOR", "1").env("RUST_BACKTRACE", "0");
    command
}

/// Runs a command to its end; one that takes longer than `limit` is ended, which is an error.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<Ended, String> {
    let shown = format!("{command:?}");
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = |name: &str| {
        let path = folder.path().join(name);
        std::fs::File::create(path).map_err(|error| error.to_string())
    };
    // Files instead of pipes: a full pipe cannot hold the program up while nobody reads.
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file("out")?)
        .stderr(file("err")?)
        .spawn()
        .map_err(|error| format!("{shown}: {error}"))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                child.kill().map_err(|error| error.to_string())?;
                child.wait().map_err(|error| error.to_string())?;
                return Err(format!("{shown}: still running after {limit:?}"));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).map_err(|error| error.to_string())?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0);
    let code = status.code().unwrap_or(128 + signal);
    Ok(Ended { code, out: read("out")?, err: read("err")? })
}

/// Runs a command that has two minutes.
pub fn run(command: &mut Command) -> Ended {
    run_within(command, Duration::from_secs(120)).unwrap_or_else(|error| panic!("{error}"))
}

/// The folder with `adj.h`.
pub fn include_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../oracle/include")
}
