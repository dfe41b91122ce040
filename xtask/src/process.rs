//! Running other programs, and the ways a task can fail.

use crate::null_device;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

/// Why a task stopped.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The machine lacks something that this task may not install.
    Missing(String),
    /// A program that the task runs failed or could not be started.
    Program(String),
    /// A check of the code base found something.
    Check(String),
    /// A file could not be read or written.
    Io(String),
}

impl Failure {
    /// The exit code of the task: 2 when the user has to do something first, 1 otherwise.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) | Failure::Missing(_) => 2,
            Failure::Program(_) | Failure::Check(_) | Failure::Io(_) => 1,
        }
    }

    /// An input or output error at a path.
    pub fn io(path: &Path, error: &io::Error) -> Failure {
        Failure::Io(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text)
            | Failure::Missing(text)
            | Failure::Program(text)
            | Failure::Check(text)
            | Failure::Io(text) => f.write_str(text),
        }
    }
}

/// `cargo ARGS` in the workspace, by the cargo that runs this task.
pub fn cargo(root: &Path, args: &[&str]) -> Command {
    null_device::mend();
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).args(args);
    command
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut text = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Says what runs, runs it with this task's own streams, and gives its exit code.
pub fn exit_code(command: &mut Command) -> Result<i32, Failure> {
    eprintln!("xtask: $ {}", shown(command));
    let status =
        command.status().map_err(|error| Failure::Program(format!("cannot run `{}`: {error}", shown(command))))?;
    status.code().ok_or_else(|| Failure::Program(format!("`{}` was ended by a signal", shown(command))))
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    match exit_code(command)? {
        0 => Ok(()),
        code => Err(Failure::Program(format!("`{}` failed with exit code {code}", shown(command)))),
    }
}

/// Runs a command that must succeed and gives what it printed.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output =
        command.output().map_err(|error| Failure::Program(format!("cannot run `{}`: {error}", shown(command))))?;
    if !output.status.success() {
        let (status, why) = (output.status, String::from_utf8_lossy(&output.stderr));
        return Err(Failure::Program(format!("`{}` failed ({status}): {why}", shown(command))));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::Program(format!("`{}` printed text that is not UTF-8", shown(command))))
}
