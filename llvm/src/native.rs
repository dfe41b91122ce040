//! IR to objects and executables, and running them.
//!
//! A file is made in a temporary folder beside its destination and then renamed: it is there whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;
use crate::process::{Exit, Request, Stopped};
use crate::source::Level;
use crate::text::TIME_LIMIT;
use crate::tool::Tool;
use crate::tool::argument;
use crate::{bodies, find};

/// How IR becomes native code.
#[derive(Clone, Debug)]
pub struct LinkOptions {
    /// The optimisation level of passes and code generation; `O0` translates the IR as it stands.
    pub level: Level,
    /// Libraries by name, such as `m`.
    pub libraries: Vec<String>,
    /// Objects and archives to link with.
    pub objects: Vec<PathBuf>,
}

impl Default for LinkOptions {
    /// `O0`, with the mathematical and the C++ library.
    fn default() -> Self {
        Self { level: Level::O0, libraries: vec!["stdc++".to_owned(), "m".to_owned()], objects: Vec::new() }
    }
}

/// Builds an executable from IR given as text or bitcode.
pub fn build_executable(ir: &[u8], out: &Path, options: &LinkOptions) -> Result<(), Error> {
    let mut more: Vec<OsString> = vec!["-x".into(), "none".into()];
    more.extend(options.objects.iter().map(|object| argument(object)));
    // What a C program does not use is not loaded.
    more.push("-Wl,--as-needed".into());
    let text = String::from_utf8_lossy(ir);
    let routines = bodies::libraries(&text).into_iter().map(str::to_owned);
    more.extend(routines.chain(options.libraries.iter().cloned()).map(|library| format!("-l{library}").into()));
    build(ir, out, options.level, more)
}

/// Builds an object file from IR given as text or bitcode.
pub fn build_object(ir: &[u8], out: &Path, level: Level) -> Result<(), Error> {
    build(ir, out, level, vec!["-c".into()])
}

fn build(ir: &[u8], out: &Path, level: Level, more: Vec<OsString>) -> Result<(), Error> {
    let tools = find::toolchain()?;
    let file = out.display().to_string();
    let io_error = |source| Error::Io { file: file.clone(), action: "write", source };
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new().prefix(".adj-").tempdir_in(parent).map_err(io_error)?;
    let made = folder.path().join("made");

    let mut arguments: Vec<OsString> =
        vec![format!("-{level}").into(), "-fno-crash-diagnostics".into(), "-Wno-override-module".into()];
    arguments.extend(["-o".into(), argument(&made), "-x".into(), "ir".into(), "-".into()]);
    arguments.extend(more);
    let name = "clang";
    let tool = Tool { name, program: &tools.clang, file: &file, timeout: TIME_LIMIT, scratch: Some(folder.path()) };
    let printed = tool.run(arguments, ir)?;
    if !printed.success {
        return Err(Error::Link { file: out.to_owned(), message: printed.messages });
    }
    fs::rename(&made, out).map_err(io_error)
}

/// What a native program may use.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Wall-clock time.
    pub timeout: Duration,
    /// Address space in bytes, if bounded.
    pub memory: Option<u64>,
    /// Bytes kept of each of standard output and standard error; a program that prints more is stopped.
    pub output: usize,
}

impl Default for RunLimits {
    /// One minute, any memory, 64 MiB of output.
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), memory: None, output: 64 << 20 }
    }
}

/// What a native program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended; if it was stopped, how it was killed.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// Whether it ran past its time and was stopped.
    pub timed_out: bool,
    /// Whether it printed more than it may and was stopped.
    pub output_cut: bool,
}

/// Runs a program with arguments and standard input.
pub fn run(program: &Path, args: &[OsString], stdin: &[u8], limits: &RunLimits) -> Result<Output, Error> {
    // The shell sets the limits, and is then replaced by the program. A crash is expected here: no core file.
    let memory = limits.memory.map(|bytes| format!("ulimit -v {} && ", bytes >> 10)).unwrap_or_default();
    let script = format!("ulimit -c 0; {memory}exec \"$@\"");
    let program = argument(program);
    let mut arguments: Vec<OsString> = vec!["-c".into(), script.into(), "adj".into(), program.clone()];
    arguments.extend(args.iter().cloned());
    let request = Request {
        program: Path::new("/bin/sh"),
        arguments,
        environment: Vec::new(),
        stdin,
        timeout: limits.timeout,
        output: limits.output,
    };
    let io_error = |source| Error::Io { file: program.to_string_lossy().into_owned(), action: "run", source };
    // The shell's own refusal would look like the program's exit code 126 or 127.
    fs::File::open(&program).map_err(io_error)?;
    let finished = request.run().map_err(io_error)?;
    Ok(Output {
        exit: finished.exit,
        stdout: finished.stdout,
        stderr: finished.stderr,
        timed_out: finished.stopped == Some(Stopped::Time),
        output_cut: finished.stopped == Some(Stopped::Output),
    })
}
