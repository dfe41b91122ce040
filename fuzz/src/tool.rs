//! Another AD tool under test: a command that reads LLVM IR on standard input and writes it with every differentiated
//! call replaced.
//!
//! Whatever the command does stays here: it has a time limit, a limit of memory and of output, and what it writes is
//! read and verified before anything else is done with it.

use ad::Output;
use ad::delegate;
use ir::Module;
use llvm::native::{self, RunLimits};
use llvm::{CompileOptions, Exit, Input, Language};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// The command and its limits.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The command, for a shell.
    pub command: String,
    /// Time for one module.
    pub timeout: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of output.
    pub output: usize,
}

/// What went wrong with the command, rather than with its gradients.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It refuses the module: its exit code is not 0, and it says why.
    Refused(String),
    /// It was ended by a signal, or says itself that it broke down.
    Crash(String),
    /// It takes too long.
    Hang(String),
    /// It writes without end.
    Flood(String),
    /// What it writes is no valid module.
    Invalid(String),
    /// It could not be started.
    Start(String),
}

impl Failure {
    /// The kind of the finding, and what is to be said.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Failure::Refused(text) => ("command: refused", text),
            Failure::Crash(text) => ("command: crash", text),
            Failure::Hang(text) => ("command: hang", text),
            Failure::Flood(text) => ("command: endless output", text),
            Failure::Invalid(text) => ("command: invalid IR", text),
            Failure::Start(text) => ("environment", text),
        }
    }
}

/// What programs print when they break down.
const BROKEN: [&str; 6] =
    ["PLEASE submit a bug report", "Stack dump", "Assertion `", "panicked at", "LLVM ERROR", "UNREACHABLE executed"];

impl Tool {
    /// A command with limits that any reasonable tool keeps.
    pub fn new(command: &str) -> Tool {
        Tool { command: command.to_owned(), timeout: Duration::from_secs(20), memory: 8 << 30, output: 64 << 20 }
    }

    /// The module with the command's derivatives, ready to be judged.
    pub fn differentiate(&self, module: Module) -> Result<Output, Failure> {
        let (module, delegated, refusals) = delegate::prepare(module);
        let text = self.run(module.to_string().as_bytes())?;
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(Failure::Invalid("the command wrote nothing".to_owned()));
        }
        let input = Input::Bytes { name: "command".to_owned(), language: Language::Ir, bytes: text };
        let module = llvm::read(&input, &CompileOptions::at(adjudicate::Level::O0));
        let module = module.map_err(|e| Failure::Invalid(e.to_string()))?;
        if let Err(errors) = ir::verify(&module) {
            return Err(Failure::Invalid(errors.first().map(ToString::to_string).unwrap_or_default()));
        }
        Ok(delegate::adopt(module, &delegated, refusals))
    }

    fn run(&self, text: &[u8]) -> Result<Vec<u8>, Failure> {
        let limits = RunLimits { timeout: self.timeout, memory: Some(self.memory), output: self.output };
        let args: Vec<OsString> = vec!["-c".into(), self.command.clone().into()];
        let done = native::run(Path::new("/bin/sh"), &args, text, &limits);
        let done = done.map_err(|e| Failure::Start(e.to_string()))?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let line = |fallback: &str| {
            let told = said.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or(fallback);
            told.chars().take(300).collect::<String>()
        };
        if done.timed_out {
            return Err(Failure::Hang(format!("the command did not end within {} s", self.timeout.as_secs())));
        }
        if done.output_cut {
            return Err(Failure::Flood(format!("the command wrote more than {} bytes", self.output)));
        }
        match done.exit {
            Exit::Code(0) => Ok(done.stdout),
            // A shell tells of a signal by a code above 128.
            Exit::Code(code) if code > 128 || BROKEN.iter().any(|sign| said.contains(sign)) => {
                Err(Failure::Crash(line(&format!("exit code {code}"))))
            }
            Exit::Code(code) => Err(Failure::Refused(line(&format!("exit code {code}")))),
            other => Err(Failure::Crash(format!("{other:?}: {}", line("")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "declare double @__enzyme_autodiff(ptr, double)

define internal double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

define i32 @main() {
  %g = call double @__enzyme_autodiff(ptr @square, double 3.0)
  ret i32 0
}
";

    fn failure(command: &str) -> &'static str {
        let module = ir::parse(MODULE, "test").expect("it is well formed");
        let tool = Tool { timeout: Duration::from_secs(2), output: 1 << 16, ..Tool::new(command) };
        tool.differentiate(module).map_or_else(
            |failure| failure.parts().0,
            |output| {
                if output.refusals.is_empty() { "fine" } else { "left in place" }
            },
        )
    }

    #[test]
    fn whatever_a_command_does_is_a_value() {
        assert_eq!(failure("kill -SEGV $$"), "command: crash");
        assert_eq!(failure("sleep 60"), "command: hang");
        assert_eq!(failure("yes"), "command: endless output");
        assert_eq!(failure("echo rubbish"), "command: invalid IR");
        assert_eq!(failure("true"), "command: invalid IR");
        assert_eq!(failure("cat > /dev/null; echo 'not supported' >&2; exit 1"), "command: refused");
        assert_eq!(failure("echo 'Stack dump:' >&2; exit 1"), "command: crash");
        assert_eq!(failure("cat"), "left in place");
    }
}
