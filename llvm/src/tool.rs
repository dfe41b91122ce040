//! One run of a tool of LLVM: what every tool can do wrong is turned into an [`Error`] here.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::error::Error;
use crate::process::{Exit, Finished, Request, Stopped};
use crate::source;

/// A tool, and what it works on.
pub(crate) struct Tool<'a> {
    /// Its name in messages.
    pub name: &'static str,
    pub program: &'a Path,
    /// The input's name, for messages.
    pub file: &'a str,
    pub timeout: Duration,
    /// Where the tool may put temporary files, if it needs any.
    pub scratch: Option<&'a Path>,
}

/// What a tool printed.
pub(crate) struct Printed {
    pub success: bool,
    pub stdout: Vec<u8>,
    /// Its messages, with the input named as the user named it.
    pub messages: String,
}

impl Tool<'_> {
    /// Runs it. A tool that says no is a [`Printed`] without success; one that breaks down is an error.
    pub fn run(&self, arguments: Vec<OsString>, stdin: &[u8]) -> Result<Printed, Error> {
        // Diagnostics are for the reader and for tests: the same everywhere.
        let mut environment = vec![("LC_ALL", OsString::from("C"))];
        environment.extend(self.scratch.map(|folder| ("TMPDIR", folder.as_os_str().to_owned())));
        let timeout = self.timeout;
        let request =
            Request { program: self.program, arguments, environment, stdin, timeout, output: source::TEXT_LIMIT };
        let finished =
            request.run().map_err(|source| Error::Io { file: self.file.to_owned(), action: "run LLVM on", source })?;
        self.judge(finished)
    }

    fn judge(&self, finished: Finished) -> Result<Printed, Error> {
        let (tool, file) = (self.name, self.file.to_owned());
        let messages = self.tidy(&String::from_utf8_lossy(&finished.stderr));
        match finished.stopped {
            Some(Stopped::Time) => return Err(Error::TimedOut { tool, file, limit: self.timeout }),
            Some(Stopped::Output) => return Err(Error::TooLarge { file, limit: source::TEXT_LIMIT as u64 }),
            None => {}
        }
        // The driver of clang recovers from a crash of its compiler, reports it and returns a code.
        let reported = messages.contains("PLEASE submit a bug report");
        let success = match finished.exit {
            Exit::Code(code) if !reported => code == 0,
            exit @ (Exit::Code(_) | Exit::Signal(_)) => {
                let ending = match exit {
                    Exit::Code(code) => format!("it returned {code} after an internal error"),
                    Exit::Signal(signal) => format!("it died of signal {signal}"),
                };
                let first_lines = messages.lines().take(8).collect::<Vec<_>>().join("\n");
                return Err(Error::Crashed { tool, file, message: format!("{ending}\n{first_lines}") });
            }
        };
        Ok(Printed { success, stdout: finished.stdout, messages })
    }

    /// Takes our way of calling the tool out of its messages.
    fn tidy(&self, messages: &str) -> String {
        let own_name = format!("{}: ", self.program.display());
        let broken = format!("{}: error: input module is broken!", "-");
        let mut lines = Vec::new();
        for line in messages.trim_end().lines() {
            let line = line.strip_prefix(&own_name).unwrap_or(line);
            if line != broken {
                lines.push(line.replace("<stdin>", self.file));
            }
        }
        lines.join("\n")
    }
}

/// A path as a command line argument that no driver takes for an option or for a response file.
pub(crate) fn argument(path: &Path) -> OsString {
    if path.is_absolute() { path.into() } else { Path::new(".").join(path).into() }
}
