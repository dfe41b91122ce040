//! `adj judge`: runs a program that carries itself as IR, and judges its gradients. Programs of `adj cc --verify` start
//! it in place of themselves.
//!
//! What the program prints is printed, its standard input is ours; the report goes to standard error when the program
//! has ended.

use crate::values::{bytes, duration};
use adjudicate::carried;
use adjudicate::report::text::{Style, render};
use adjudicate::session::Options;
use adjudicate::{Error, Verdict, tools};
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `judge`.
#[derive(Args, Debug)]
pub struct Judge {
    /// What the program finds as its own name; its path by default.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub name: Option<String>,
    /// Executions of each autodiff call that are judged; by default as many as the program was built with.
    #[arg(long, value_name = "N", value_parser = executions)]
    pub first: Option<u64>,
    /// Instructions that the program, and each run of a primal or a gradient, may execute.
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000)]
    pub steps: u64,
    /// Bytes of memory that the program may use (with K, M or G).
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    pub memory: u64,
    /// Time that it may take (with s, m or h).
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    pub time: Duration,
    /// The folder whose files the program may touch, outside of autodiff calls.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub allow_files: PathBuf,
    /// Let the program, outside of autodiff calls, call functions of this shared library that are not known
    /// otherwise, with scalars; may be repeated.
    #[arg(long, value_name = "LIBRARY")]
    pub native_calls: Vec<PathBuf>,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

/// A number of executions, at least one.
pub fn executions(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("`{text}` is no number of executions to judge"))
}

/// Exit codes: 1 a gradient is wrong, 3 something could not be judged, else the program's own.
pub fn judge(arguments: Judge) -> Result<u8, Error> {
    let options = Options {
        args: arguments.args,
        steps: arguments.steps,
        memory: arguments.memory,
        seconds: arguments.time.as_secs().max(1),
        files: tools::access(Some(&arguments.allow_files))?,
        bridge: tools::bridge(&arguments.native_calls)?,
        ..Options::default()
    };
    let name = arguments.name.unwrap_or_else(|| arguments.program.display().to_string());
    // Whoever waits for the program must not take an error of ours for a status of its own.
    let ended = carried::judge(&arguments.program, &name, arguments.first, options)
        .map_err(|error| Error::Unsupported(format!("the program was not judged: {error}")))?;
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    eprint!("{}", render(&ended.report, &Style { color }));
    let wrong = ended.report.levels.iter().flat_map(|level| &level.gradients).any(|g| g.verdict == Verdict::Wrong);
    if wrong && !ended.apart {
        eprintln!("note: built with `--without cells,alignment` as well, the program tells the place more exactly");
    }
    Ok(ended.exit_code())
}
